//! ELF symbols that stand for code that can be profiled.
//!
//! These are GNU gprof's rules (spec of `gprof`, "The Symbol Table"), found by experiment, with one
//! addition: a symbol marked as a function that has a size is a function, whatever its name. GNU gprof
//! drops local ones that have a `$` or a word behind a dot (`work.part.0`), and so charges their code to
//! the function before them.

use object::elf;

use crate::image::{ElfSymbol, SymbolPlace};

/// Kinds that are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    /// None that are local to their object file.
    pub without_statics: bool,
    /// No local ones that are not marked as functions.
    pub functions_only: bool,
    /// Also those that choose a function for the processor, whose names callers know (`memcpy`).
    pub choosers: bool,
}

/// A symbol that was let in, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admitted {
    /// Visible outside its object file.
    Global,
    /// Local to its object file.
    Static,
}

impl Admitted {
    /// Judges one symbol; none keeps it out of the table.
    pub(super) fn judge(symbol: &ElfSymbol<'_>, admission: Admission) -> Option<Self> {
        let is_left_out = symbol.kind == elf::STT_GNU_IFUNC && !admission.choosers;
        if is_left_out
            || matches!(symbol.kind, elf::STT_SECTION | elf::STT_FILE)
            || matches!(symbol.place, SymbolPlace::Undefined | SymbolPlace::Common)
        {
            return None;
        }
        let code = symbol.place.is_code();
        match symbol.binding {
            // Weak symbols enter from any section, but not as variables.
            elf::STB_WEAK => (symbol.kind != elf::STT_OBJECT).then_some(Self::Global),
            elf::STB_GLOBAL => code.then_some(Self::Global),
            elf::STB_LOCAL => {
                let is_function = symbol.kind == elf::STT_FUNC;
                let wanted =
                    !admission.without_statics && (is_function || !admission.functions_only);
                let is_sized = is_function && symbol.size != 0;
                let named = is_sized || is_function_name(symbol.name);
                (wanted && code && named).then_some(Self::Static)
            }
            // Unique in the whole process, or unknown.
            _ => None,
        }
    }
}

/// Returns `true` if a local name looks like one from the source, not like a label the compiler
/// made.
///
/// Dots must be followed by numbers (`counter.1`), after an optional mark of a copied function
/// (`f.constprop.0`).
fn is_function_name(name: &[u8]) -> bool {
    const COPIES: [&[u8]; 2] = [b".clone.", b".constprop."];
    const COMPILER_MARKS: [&[u8]; 2] = [b"__gnu_compiled", b"___gnu_compiled"];
    if name.is_empty()
        || name.contains(&b'$')
        || COMPILER_MARKS.iter().any(|mark| name.starts_with(mark))
    {
        return false;
    }
    let mut rest = name;
    while let Some(dot) = rest.iter().position(|byte| *byte == b'.') {
        rest = &rest[dot..];
        let mark = COPIES.iter().find(|mark| rest.starts_with(mark) && rest.len() > mark.len());
        rest = &rest[mark.map_or(1, |mark| mark.len())..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest = &rest[digits..];
        match rest.first() {
            None => return true,
            Some(b'.') if digits > 0 => {}
            Some(_) => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use gmon_format::FilePc;

    use super::*;

    #[test]
    fn local_names_pass_only_with_numbers_after_dots() {
        let kept = "foo a.1 b.1.2 i. r.1. c.clone.3 d.constprop.0 x.clone.1.constprop.2";
        let dropped = ".Lx e.part.0 f.isra.0 g.cold j..1 k$x l.12a n.constprop. s.clone. \
                       o.llvm.123 __gnu_compiled_c ___gnu_compiled";
        for name in kept.split_whitespace() {
            assert!(is_function_name(name.as_bytes()), "{name} should be kept");
        }
        for name in dropped.split_whitespace() {
            assert!(!is_function_name(name.as_bytes()), "{name} should be dropped");
        }
        assert!(!is_function_name(b""));
    }

    #[test]
    fn functions_that_choose_another_pass_where_they_are_wanted() {
        let symbol = ElfSymbol {
            name: b"memcpy",
            address: FilePc(0x1000),
            size: 8,
            is_hidden: false,
            binding: elf::STB_GLOBAL,
            kind: elf::STT_GNU_IFUNC,
            place: SymbolPlace::Text,
            is_described: false,
        };
        let choosers = Admission { choosers: true, ..Admission::default() };
        assert_eq!(Admitted::judge(&symbol, choosers), Some(Admitted::Global));
        assert_eq!(Admitted::judge(&symbol, Admission::default()), None);
    }

    #[test]
    fn a_local_function_with_a_size_passes_by_any_name() {
        let judge = |name, kind, size, admission| {
            let symbol = ElfSymbol {
                name,
                address: FilePc(0x1000),
                size,
                is_hidden: false,
                binding: elf::STB_LOCAL,
                kind,
                place: SymbolPlace::Text,
                is_described: false,
            };
            Admitted::judge(&symbol, admission)
        };
        let all = Admission::default();
        for name in [&b"work.part.0"[..], b"k$x", b"sum._omp_fn.0", b".omp_outlined.", b"g.cold"] {
            assert_eq!(judge(name, elf::STT_FUNC, 8, all), Some(Admitted::Static));
            assert_eq!(judge(name, elf::STT_FUNC, 0, all), None);
            assert_eq!(judge(name, elf::STT_NOTYPE, 8, all), None);
            let functions = Admission { functions_only: true, ..all };
            assert_eq!(judge(name, elf::STT_FUNC, 8, functions), Some(Admitted::Static));
            let globals = Admission { without_statics: true, ..all };
            assert_eq!(judge(name, elf::STT_FUNC, 8, globals), None);
        }
    }
}

//! Which ELF symbols stand for code that can be profiled.
//!
//! These are GNU gprof's rules (spec of `gprof`, "The Symbol Table"), found by experiment, oddities
//! included: a report must name the same functions.

use object::elf;

use crate::image::{ElfSymbol, Place};

/// Which of them are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    /// None that are local to their object file.
    pub without_statics: bool,
    /// No local ones that are not marked as functions.
    pub functions_only: bool,
    /// Also local functions with names in which GNU gprof sees labels of the compiler: `$` is in the
    /// older names of Rust's closures and traits, and LLVM puts `.llvm.` and a number behind those of
    /// functions that several of its units share.
    pub odd_functions: bool,
}

impl Admission {
    /// All that there are, for reports that need not be those of GNU gprof.
    #[must_use]
    pub fn with_odd_functions() -> Self {
        Self { odd_functions: true, ..Self::default() }
    }
}

/// A symbol that was let in, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selected {
    /// Visible outside its object file.
    Global,
    /// Local to its object file.
    Static,
}

impl Selected {
    /// Judges one symbol; none keeps it out of the table.
    pub(super) fn judge(symbol: &ElfSymbol<'_>, admission: Admission) -> Option<Self> {
        if matches!(symbol.kind, elf::STT_SECTION | elf::STT_FILE | elf::STT_GNU_IFUNC)
            || matches!(symbol.place, Place::Undefined | Place::Common)
        {
            return None;
        }
        let code = symbol.place.is_code();
        match symbol.binding {
            // Weak symbols enter from any section, but not as variables.
            elf::STB_WEAK => (symbol.kind != elf::STT_OBJECT).then_some(Self::Global),
            elf::STB_GLOBAL => code.then_some(Self::Global),
            elf::STB_LOCAL => {
                let wanted = !admission.without_statics
                    && (symbol.kind == elf::STT_FUNC || !admission.functions_only);
                let is_name = is_function_name(symbol.name)
                    || admission.odd_functions
                        && symbol.kind == elf::STT_FUNC
                        && is_odd_function_name(symbol.name);
                (wanted && code && is_name).then_some(Self::Static)
            }
            // Unique in the whole process, or unknown.
            _ => None,
        }
    }
}

/// Whether a local name looks like one from the source, not like a label the compiler made.
///
/// Dots must be followed by numbers (`counter.1`), after an optional mark of a copied function
/// (`f.constprop.0`). Parts split off a function (`f.cold`, `f.part.0`, `f.isra.0`) are kept out, so
/// their time goes to the symbol before them.
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

/// Whether a name is one from the source but for what [`Admission::odd_functions`] tells of.
fn is_odd_function_name(name: &[u8]) -> bool {
    const SHARED: &[u8] = b".llvm.";
    let suffix = name.windows(SHARED.len()).rposition(|part| part == SHARED);
    let plain = suffix.map_or(name, |at| &name[..at]);
    let plain: Vec<u8> = plain.iter().copied().filter(|byte| *byte != b'$').collect();
    is_function_name(&without_double_dots(&plain))
}

/// A name of Rust's older scheme, in which `..` stands for `::`, without them.
fn without_double_dots(name: &[u8]) -> Vec<u8> {
    let mut rest = name;
    let mut kept = Vec::with_capacity(name.len());
    while let Some((first, after)) = rest.split_first() {
        rest = after.strip_prefix(b".").filter(|_| *first == b'.').unwrap_or(after);
        kept.extend((rest.len() == after.len()).then_some(*first));
    }
    kept
}

#[cfg(test)]
mod tests {
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
    fn odd_names_pass_on_request() {
        let kept = "foo a.1 k$x o.llvm.123 _RNvC1a1f.llvm.77 \
                    _ZN4main4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE \
                    _ZN50_$LT$a..B$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE.llvm.9";
        let dropped = ".Lx e.part.0 f.isra.0 g.cold _ZN1a1b17hE.cold";
        for name in kept.split_whitespace() {
            assert!(is_odd_function_name(name.as_bytes()), "{name} should be kept");
        }
        for name in dropped.split_whitespace() {
            assert!(!is_odd_function_name(name.as_bytes()), "{name} should be dropped");
        }
    }
}

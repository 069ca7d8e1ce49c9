//! Suffixes that compilers append to the name of a function that they split, copy or rename.
//!
//! ```text
//! work.constprop.0.part.0     work + a copy + a part of it
//! sum._omp_fn.1.cold          sum + its parallel region 1 + a part of that
//! ```
//!
//! gcc's names are in its manual only in part; these were found by compiling: `.part` (partial inlining),
//! `.cold`, `.isra`, `.constprop`, `.lto_priv`, `._omp_fn`, `.resolver`. LLVM adds `.llvm`, `.__uniq`,
//! `.extracted`, `.specialized`, `.__part` and the names of its OpenMP, which before LLVM 16 say nothing
//! about the function.

/// A name's making from that of a function in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin<'n> {
    /// The name in the source, as the linker knows it; empty if the compiler left it out.
    pub(super) base: &'n [u8],
    /// Parts that tell functions of one name from different files apart.
    pub(super) renames: Vec<&'n [u8]>,
    /// The part that became a function of its own.
    pub(super) outlined: Option<Outlined>,
    /// True if this is only a part of the code.
    pub(super) is_part: bool,
    /// True if this is a copy, made for some of the callers.
    pub(super) is_copy: bool,
}

/// Code that the compiler moved to a function of its own, which is called through a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Outlined {
    pub(super) kind: OutlinedKind,
    /// The compiler's number of it.
    pub(super) number: u64,
}

/// Kinds of code that was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum OutlinedKind {
    /// A region or task that threads of OpenMP run.
    Parallel,
    /// A task, where its name says so.
    Task,
    /// Joining of the threads' results.
    Reduction,
    /// The choice among versions of a function for several processors.
    Resolver,
}

impl OutlinedKind {
    /// Its word in names that people read.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Parallel => "parallel",
            Self::Task => "task",
            Self::Reduction => "reduction",
            Self::Resolver => "resolver",
        }
    }
}

/// Meaning of a suffix.
#[derive(Clone, Copy)]
enum Meaning {
    Part,
    Copy,
    Rename,
    Outlined(OutlinedKind),
}

/// Words behind a dot, perhaps with a number behind a further dot.
const WORDS: &[(&[u8], Meaning)] = &[
    (b".part", Meaning::Part),
    (b".cold", Meaning::Part),
    (b".extracted", Meaning::Part),
    (b".__part", Meaning::Part),
    (b".isra", Meaning::Copy),
    (b".constprop", Meaning::Copy),
    (b".clone", Meaning::Copy),
    (b".simdclone", Meaning::Copy),
    (b".specialized", Meaning::Copy),
    (b".argprom", Meaning::Copy),
    (b".localalias", Meaning::Copy),
    (b".lto_priv", Meaning::Rename),
    (b".llvm", Meaning::Rename),
    (b".__uniq", Meaning::Rename),
    (b"._omp_fn", Meaning::Outlined(OutlinedKind::Parallel)),
    (b".omp_outlined", Meaning::Outlined(OutlinedKind::Parallel)),
    (b".omp_task_entry", Meaning::Outlined(OutlinedKind::Task)),
    (b".omp.reduction.reduction_func", Meaning::Outlined(OutlinedKind::Reduction)),
    (b".resolver", Meaning::Outlined(OutlinedKind::Resolver)),
];

impl<'n> Origin<'n> {
    /// Takes a name apart; none if nothing was appended to it.
    pub(super) fn of(name: &'n [u8]) -> Option<Self> {
        let mut origin = Self { base: name, ..Self::default() };
        while let Some((base, suffix, meaning, number)) = split_last(origin.base) {
            origin.base = base;
            match meaning {
                // What was done to a function before it was moved does not matter.
                _ if origin.outlined.is_some() && !matches!(meaning, Meaning::Rename) => {}
                Meaning::Part => origin.is_part = true,
                Meaning::Copy => origin.is_copy = true,
                Meaning::Rename => origin.renames.push(suffix),
                Meaning::Outlined(kind) => origin.outlined = Some(Outlined { kind, number }),
            }
        }
        (origin.base.len() < name.len()).then_some(origin)
    }
}

/// Splits off the last suffix. Gives the rest of the name, the suffix, its meaning and its number.
fn split_last(name: &[u8]) -> Option<(&[u8], &[u8], Meaning, u64)> {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (before, number) = name.split_at(name.len() - digits);
    // A number stands behind a dot, which LLVM's names of OpenMP may end with as well.
    let undotted = before.strip_suffix(b".").unwrap_or(before);
    if digits > 0 && undotted.len() == before.len() {
        return None;
    }
    let undotted = undotted.strip_suffix(b"_debug__").unwrap_or(undotted);
    let word = undotted.strip_suffix(b".").unwrap_or(undotted);
    let &(suffix, meaning) = WORDS.iter().find(|(suffix, _)| word.ends_with(suffix))?;
    let is_llvm = suffix.starts_with(b".omp");
    let is_plain = word.len() == before.len() - usize::from(digits > 0);
    let base = &word[..word.len() - suffix.len()];
    let number = number.iter().fold(0_u64, |number, digit| {
        number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
    });
    ((is_plain && !base.is_empty()) || is_llvm)
        .then(|| (base, &name[base.len()..], meaning, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_separated_from_names() {
        let described = |name: &'static str| {
            let Some(origin) = Origin::of(name.as_bytes()) else { return "-".to_owned() };
            let mut text = String::from_utf8_lossy(origin.base).into_owned();
            for rename in &origin.renames {
                text += &format!(" <{}>", String::from_utf8_lossy(rename));
            }
            if let Some(Outlined { kind, number }) = origin.outlined {
                text += &format!(" {} {number}", kind.word());
            }
            text += if origin.is_copy { " copy" } else { "" };
            text + if origin.is_part { " part" } else { "" }
        };
        for (name, expected) in [
            ("work", "-"),
            ("counter.1", "-"),
            ("work.part", "work part"),
            ("work.part.0", "work part"),
            ("work.cold", "work part"),
            ("work.cold.1", "work part"),
            ("work.isra.0", "work copy"),
            ("work.constprop.0.isra.0", "work copy"),
            ("work.isra.0.part.1.cold", "work copy part"),
            ("work.lto_priv.3", "work <.lto_priv.3>"),
            ("work.lto_priv.3.part.0", "work <.lto_priv.3> part"),
            ("work.llvm.123", "work <.llvm.123>"),
            ("work.__uniq.99.llvm.1", "work <.llvm.1> <.__uniq.99>"),
            ("sum._omp_fn.0", "sum parallel 0"),
            ("sum._omp_fn.2.cold", "sum parallel 2 part"),
            ("sum.constprop.0._omp_fn.1", "sum parallel 1"),
            ("_Z3sumPi.omp_outlined", "_Z3sumPi parallel 0"),
            ("sum.omp_outlined.7", "sum parallel 7"),
            (".omp_outlined.", " parallel 0"),
            (".omp_outlined..12", " parallel 12"),
            (".omp_outlined._debug__", " parallel 0"),
            (".omp_outlined._debug__.3", " parallel 3"),
            (".omp_task_entry.", " task 0"),
            (".omp_task_entry..5", " task 5"),
            (".omp.reduction.reduction_func.3", " reduction 3"),
            ("f.resolver", "f resolver 0"),
            ("f.extracted", "f part"),
            ("partial.departure", "-"),
            ("work.part.x", "-"),
            ("work.part0", "-"),
            ("work.part..0", "-"),
            (".cold", "-"),
            ("", "-"),
            ("7", "-"),
            (
                "_ZN4core3fmt5write17h0123456789abcdefE.llvm.42.cold",
                "_ZN4core3fmt5write17h0123456789abcdefE <.llvm.42> part",
            ),
        ] {
            assert_eq!(described(name), expected, "{name}");
        }
    }
}

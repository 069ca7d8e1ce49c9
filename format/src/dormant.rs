//! Hooks that sleep: what `gmon cc --dormant` and `cargo gmon --dormant` leave at the start of functions, and the runtime wakes.
//!
//! On x86-64 a function begins with one instruction of five bytes: a call of `__fentry__` or, asleep, a test of
//! `%eax` against a number, whose result nobody looks at, since no function gets anything in the flags. Both end in the same
//! four bytes, the distance to `__fentry__`, so that one byte is all that changes.
//!
//! The linked program has a note, of the same owner as that of the runtime's version: its first word says whether hooks
//! sleep, its second how far `__fentry__` is from that word itself.

use crate::{SourcePath, glob};

/// The option by which compilers leave room for the instruction.
pub const COMPILER_OPTION: &str = "-fpatchable-function-entry=5";

/// The section in which compilers list where they left room.
pub const SECTION: &str = "__patchable_function_entries";

/// The owner of the note, and its type.
pub const NOTE_OWNER: &[u8] = b"gmon";
/// The type of the note.
pub const NOTE_TYPE: u32 = 2;
/// Bytes of the note's contents.
pub const NOTE_LEN: usize = 8;
/// Where in the contents the distance to `__fentry__` is, from which it also counts.
pub const DISTANCE_AT: usize = 4;

/// Bytes of the instruction.
pub const LEN: usize = 5;

/// Its first byte while the hook sleeps: `test $NUMBER, %eax`.
pub const ASLEEP: u8 = 0xa9;

/// Its first byte while the hook is awake: `call`.
pub const AWAKE: u8 = 0xe8;

/// What code that can be reached by indirect branches begins with, where compilers track these: `endbr64`.
pub const LANDING_PAD: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];

/// The instruction of a hook that sleeps at an address; `None` if `__fentry__` is too far away.
#[must_use]
pub fn asleep(address: u64, fentry: u64) -> Option<[u8; LEN]> {
    let end = address.checked_add(LEN as u64)?;
    let [a, b, c, d] = i32::try_from(fentry.wrapping_sub(end) as i64).ok()?.to_le_bytes();
    Some([ASLEEP, a, b, c, d])
}

/// Whether the bytes at an address are those of a hook, asleep or awake.
#[must_use]
pub fn is_hook(bytes: [u8; LEN], address: u64, fentry: u64) -> bool {
    let [first, distance @ ..] = bytes;
    let wanted = asleep(address, fentry);
    matches!(first, ASLEEP | AWAKE) && wanted.is_some_and(|[_, wanted @ ..]| wanted == distance)
}

/// Whether a pattern fits a linker name, with or without what compilers put behind a dot for copies of a function, or
/// the path that the name tells.
#[must_use]
pub fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let source = name.split(|byte| *byte == b'.').next().unwrap_or(name);
    glob::fits(pattern, name)
        || !source.is_empty() && glob::fits(pattern, source)
        || SourcePath::of(name).is_some_and(|path| glob::fits(pattern, path.bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_functions_fit_too() {
        for (pattern, name, does) in [
            ("parse", "parse", true),
            ("parse", "parse.isra.0", true),
            ("parse.isra.*", "parse.isra.0", true),
            ("parse", "parser", false),
            ("a::parse_*", "_RNvCs9_1a10parse_line", true),
            ("a::parse_*", "_RINvCs9_1a10parse_linehEB2_.llvm.5", true),
            ("b::parse_*", "_RNvCs9_1a10parse_line", false),
            ("", ".L1", false),
        ] {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), does, "{pattern} {name}");
        }
    }

    #[test]
    fn hooks_are_told_by_where_they_lead() {
        let bytes = asleep(0x1000, 0x800).unwrap();
        assert_eq!(bytes, [0xa9, 0xfb, 0xf7, 0xff, 0xff]);
        let [_, rest @ ..] = bytes;
        let [a, b, c, d] = rest;
        for (first, is) in [(ASLEEP, true), (AWAKE, true), (0x90, false)] {
            assert_eq!(is_hook([first, a, b, c, d], 0x1000, 0x800), is);
            assert!(!is_hook([first, a, b, c, d], 0x1001, 0x800));
        }
        assert_eq!(asleep(0, 1 << 40), None);
    }
}

//! Code that no file has, as compilers make it at run time: where the last look at the mappings saw some.
//!
//! *Context:* any. Who asks while it changes may be told of neither range; a walk then guesses less.

use core::sync::atomic::{AtomicUsize, Ordering};

use arrayvec::ArrayVec;
use gmon_format::mapping::Mapping;

/// Ranges that are kept; handlers that look have small stacks.
const MOST: usize = 16;

/// Parts no further apart are one range: compilers change the rights of pages while they write to them.
const NEAR: usize = 1 << 20;

/// Bounds of a range; of none, both are 0.
struct Bounds {
    start: AtomicUsize,
    end: AtomicUsize,
}

static RANGES: [Bounds; MOST] =
    [const { Bounds { start: AtomicUsize::new(0), end: AtomicUsize::new(0) } }; MOST];

/// Returns `true` if an address lies in such code.
pub(crate) fn has(address: usize) -> bool {
    RANGES.iter().any(|bounds| {
        let [start, end] = [&bounds.start, &bounds.end].map(|it| it.load(Ordering::Relaxed));
        (start..end).contains(&address)
    })
}

/// Ranges that a look finds, in the order of addresses.
#[derive(Default)]
pub(super) struct Found(ArrayVec<(usize, usize), MOST>);

impl Found {
    pub(super) fn take(&mut self, mapping: &Mapping<'_>) {
        if !mapping.is_made() {
            return;
        }
        let code = mapping.here();
        match self.0.last_mut() {
            Some((_, end)) if code.start.wrapping_sub(*end) < NEAR => *end = code.end,
            _ => _ = self.0.try_push((code.start, code.end)),
        }
    }

    /// Makes the ranges those that were found.
    pub(super) fn publish(&self) {
        let found = self.0.iter().copied().chain(core::iter::repeat((0, 0)));
        for (bounds, (start, end)) in RANGES.iter().zip(found) {
            if bounds.start.load(Ordering::Relaxed) != start {
                bounds.end.store(0, Ordering::Relaxed);
                bounds.start.store(start, Ordering::Relaxed);
            }
            bounds.end.store(end, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_without_a_file_is_known_by_its_place() {
        let mut found = Found::default();
        let code = |start, inode, path| Mapping {
            start,
            end: start + 0x1000,
            inode,
            path,
            ..Mapping::CODE
        };
        found.take(&code(0x10_0000, 0, &b""[..]));
        found.take(&code(0x10_8000, 0, b""));
        found.take(&code(0x80_0000, 7, b"/lib/a.so"));
        found.take(&code(0x90_0000, 7, b"/memfd:code (deleted)"));
        found.take(&code(0xa0_0000, 0, b"[vdso]"));
        found.take(&Mapping { is_code: false, ..code(0xb0_0000, 0, b"") });
        found.publish();
        for (address, expected) in [
            (0xf_ffff, false),
            (0x10_0000, true),
            (0x10_4000, true),
            (0x10_9000, false),
            (0x80_0000, false),
            (0x90_0fff, true),
            (0xa0_0000, false),
            (0xb0_0000, false),
            (0, false),
        ] {
            assert_eq!(has(address), expected, "{address:x}");
        }
        Found::default().publish();
        assert!(!has(0x10_0000));
    }
}

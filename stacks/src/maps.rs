//! Mappings of the process, as the kernel lists them.
//!
//! The dynamic loader could tell too, but takes a lock for it, which a handler may not wait for, and
//! static programs have none.
//!
//! *Context:* any.

use core::cell::Cell;

use gmon_system::platform;

/// A line of `/proc/self/maps`.
pub(super) struct Mapping<'l> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) offset: u64,
    pub(super) inode: u64,
    pub(super) is_readable: bool,
    pub(super) is_code: bool,
    /// The file, or what the kernel calls the memory.
    pub(super) path: &'l [u8],
}

/// Room for a line; the path of a longer one is cut.
const LINE: usize = 2048;

/// Calls `visit` with every mapping, in the order of addresses. False if the kernel does not tell.
pub(super) fn each(mut visit: impl FnMut(&Mapping<'_>)) -> bool {
    let Ok(mut file) = platform::open(c"/proc/self/maps") else { return false };
    let mut buffer = [0; LINE];
    let mut used = 0;
    let mut is_cut = false;
    loop {
        let free = buffer.get_mut(used..).unwrap_or_default();
        let Ok(len) = file.read(free) else { return false };
        if len == 0 {
            return true;
        }
        used += len;
        let mut rest = buffer.get(..used).unwrap_or_default();
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let line = rest.get(..at).unwrap_or_default();
            if !core::mem::take(&mut is_cut) {
                Mapping::parse(line).iter().for_each(&mut visit);
            }
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        if rest.len() == LINE {
            // No line end in all of it.
            if !core::mem::replace(&mut is_cut, true) {
                Mapping::parse(rest).iter().for_each(&mut visit);
            }
            rest = &[];
        }
        let start = used - rest.len();
        // What could panic is not for handlers.
        let cells = Cell::from_mut(buffer.as_mut_slice()).as_slice_of_cells();
        let left = cells.get(start..used).unwrap_or_default();
        cells.iter().zip(left).for_each(|(to, from)| to.set(from.get()));
        used -= start;
    }
}

impl<'l> Mapping<'l> {
    /// `start-end rwxp offset major:minor inode path`, see proc_pid_maps(5).
    fn parse(line: &'l [u8]) -> Option<Self> {
        let mut fields = line.splitn(6, |byte| *byte == b' ');
        let mut range = fields.next()?.split(|byte| *byte == b'-');
        let address = |digits| usize::try_from(number(digits, 16)?).ok();
        let rights = fields.next()?;
        let offset = fields.next()?;
        let _device = fields.next()?;
        let inode = fields.next()?;
        let path = fields.next().unwrap_or_default();
        let blanks = path.iter().take_while(|byte| **byte == b' ').count();
        Some(Self {
            start: address(range.next()?)?,
            // The last byte of memory may be its stack's.
            end: address(range.next()?).unwrap_or(usize::MAX),
            offset: number(offset, 16)?,
            inode: number(inode, 10)?,
            is_readable: rights.first() == Some(&b'r'),
            is_code: rights.get(2) == Some(&b'x'),
            path: path.get(blanks..).unwrap_or_default(),
        })
    }
}

fn number(digits: &[u8], base: u32) -> Option<u64> {
    digits.iter().try_fold(0u64, |number, digit| {
        let digit = char::from(*digit).to_digit(base)?;
        number.checked_mul(base.into())?.checked_add(digit.into())
    })
}

#[cfg(test)]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn lines_are_read() {
        let line =
            b"7f00a000-7f00b000 r-xp 00002000 08:01 123456             /lib/a b.so (deleted)";
        let mapping = Mapping::parse(line).unwrap();
        assert_eq!((mapping.start, mapping.end), (0x7f00_a000, 0x7f00_b000));
        assert_eq!((mapping.offset, mapping.inode), (0x2000, 123_456));
        assert!(mapping.is_readable && mapping.is_code);
        assert_eq!(mapping.path, b"/lib/a b.so (deleted)");
        assert!(Mapping::parse(b"0-1 ---p 0 00:00 0").is_some_and(|m| m.path.is_empty()));
        assert!(Mapping::parse(b"garbage").is_none() && Mapping::parse(b"").is_none());
    }

    #[test]
    fn all_lines_are_seen() {
        let mut seen = Vec::new();
        assert!(each(|mapping| seen
            .push((mapping.start, String::from_utf8_lossy(mapping.path).into_owned()))));
        let text = std::fs::read_to_string("/proc/self/maps").unwrap();
        let stacks = |name: &str| name == "[stack]";
        assert!(text.lines().any(|line| line.ends_with("[stack]")));
        assert_eq!(seen.iter().filter(|(_, path)| stacks(path)).count(), 1);
        assert!(seen.windows(2).all(|two| two[0].0 < two[1].0));
        assert!(seen.len().abs_diff(text.lines().count()) < 10);
    }
}

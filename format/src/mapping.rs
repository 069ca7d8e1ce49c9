//! Mappings of a process, as `/proc/PID/maps` lists them.

use core::ops::Range;

/// A line of the list: memory, and what stands behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping<'l> {
    /// First address.
    pub start: u64,
    /// Address behind the last.
    pub end: u64,
    /// Position in the file that it begins at, in bytes.
    pub offset: u64,
    /// The file's number in its file system; 0 for none.
    pub inode: u64,
    /// The process may read it.
    pub is_readable: bool,
    /// The process may change it.
    pub is_writable: bool,
    /// Processors may run what is there.
    pub is_code: bool,
    /// Memory whose changes others see, and the file gets.
    pub is_shared: bool,
    /// The file, or what the kernel calls the memory.
    pub path: &'l [u8],
}

impl<'l> Mapping<'l> {
    /// Code somewhere.
    pub const CODE: Self = Self {
        start: 0,
        end: 0,
        offset: 0,
        inode: 0,
        is_readable: true,
        is_writable: false,
        is_code: true,
        is_shared: false,
        path: b"",
    };

    /// Takes a line, `start-end rwxp offset major:minor inode path`; `None` if it is another. Source: proc_pid_maps(5).
    #[must_use]
    pub fn parse(line: &'l [u8]) -> Option<Self> {
        let mut fields = line.splitn(6, |byte| *byte == b' ');
        let mut range = fields.next()?.split(|byte| *byte == b'-');
        let mut address = || number(range.next()?, 16);
        let (start, end) = (address()?, address()?);
        let rights = fields.next()?;
        let offset = fields.next()?;
        let _device = fields.next()?;
        let inode = fields.next()?;
        Some(Self {
            start,
            end,
            offset: number(offset, 16)?,
            inode: number(inode, 10)?,
            is_readable: rights.first() == Some(&b'r'),
            is_writable: rights.get(1) == Some(&b'w'),
            is_code: rights.get(2) == Some(&b'x'),
            is_shared: rights.get(3) == Some(&b's'),
            path: fields.next().unwrap_or_default().trim_ascii_start(),
        })
    }

    /// The lines of a list.
    pub fn each(list: &'l [u8]) -> impl Iterator<Item = Self> {
        list.split(|byte| *byte == b'\n').filter_map(Self::parse)
    }

    /// The addresses, of a mapping of this process.
    #[must_use]
    pub fn here(&self) -> Range<usize> {
        // Behind the last byte of memory, which may be a stack's, there is no address.
        let [start, end] =
            [self.start, self.end].map(|it| usize::try_from(it).unwrap_or(usize::MAX));
        start..end
    }

    /// Returns `true` of code that no file has.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.is_code && is_made(self.path, self.inode)
    }
}

fn number(digits: &[u8], base: u32) -> Option<u64> {
    digits.iter().try_fold(0u64, |number, digit| {
        let digit = char::from(*digit).to_digit(base)?;
        number.checked_mul(base.into())?.checked_add(digit.into())
    })
}

/// The path that a file had, of what the kernel shows for it: once it is removed, that ends with a remark.
#[must_use]
pub fn path_of_file(shown: &[u8]) -> &[u8] {
    shown.strip_suffix(b" (deleted)").unwrap_or(shown)
}

/// Returns `true` of executable memory that no file stands behind, by its path and inode: what is in it was made at run time.
/// The kernel's own pages are none of that.
fn is_made(path: &[u8], inode: u64) -> bool {
    const KERNELS: [&[u8]; 2] = [b"[vdso]", b"[vsyscall]"];
    /// Files that are memory under a name.
    const MEMORY: [&[u8]; 3] = [b"/memfd:", b"/dev/zero", b"/SYSV"];
    let is_file = path.starts_with(b"/") && inode != 0;
    let is_memory = MEMORY.iter().any(|start| path.starts_with(start));
    !KERNELS.contains(&path) && (!is_file || is_memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let line =
            b"7f00a000-7f00b000 r-xp 00002000 08:01 123456             /lib/a b.so (deleted)";
        let expected = Mapping {
            start: 0x7f00_a000,
            end: 0x7f00_b000,
            offset: 0x2000,
            inode: 123_456,
            path: b"/lib/a b.so (deleted)",
            ..Mapping::CODE
        };
        assert_eq!(Mapping::parse(line), Some(expected));
        assert_eq!(path_of_file(expected.path), b"/lib/a b.so");
        let other = Mapping::parse(b"0-1 ---s 0 00:00 0").unwrap();
        assert!(other.path.is_empty() && other.is_shared);
        assert!(!other.is_readable && !other.is_code);
        assert!(Mapping::parse(b"garbage").is_none() && Mapping::parse(b"").is_none());
    }

    #[test]
    fn memory_has_no_file_whatever_it_is_called() {
        for (path, inode, expected) in [
            (&b""[..], 0, true),
            (b"[heap]", 0, true),
            (b"[vdso]", 0, false),
            (b"[vsyscall]", 0, false),
            (b"/lib/a.so", 7, false),
            (b"/memfd:code (deleted)", 7, true),
            (b"/dev/zero (deleted)", 7, true),
        ] {
            assert_eq!(is_made(path, inode), expected, "{path:?}");
        }
    }
}

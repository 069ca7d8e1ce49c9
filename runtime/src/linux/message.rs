//! One line on the standard error stream, without formatting or allocation.
//!
//! *Context:* any.

use crate::decimal::Decimal;
use crate::linux::platform::{self, Errno};

/// Room for a line; a longer one is cut.
const LEN: usize = 1024;

/// Prints `gmon: `, the parts and a line end, in one write.
pub(crate) fn say(parts: &[&str]) {
    let mut line = Line { bytes: [0; LEN], len: 0 };
    line.push(b"gmon: ");
    parts.iter().for_each(|part| line.push(part.as_bytes()));
    line.end();
}

/// Like [`say`], for parts that need not be text.
pub(crate) fn say_bytes(parts: &[&[u8]]) {
    let mut line = Line { bytes: [0; LEN], len: 0 };
    line.push(b"gmon: ");
    parts.iter().for_each(|part| line.push(part));
    line.end();
}

/// Prints `gmon: `, `what`, the path, what the system said, and the rest. Paths are shown byte for
/// byte.
pub(crate) fn say_failed(what: &str, path: &[u8], error: Errno, rest: &[&[u8]]) {
    let number = Decimal::new(error.0.unsigned_abs().into());
    let mut line = Line { bytes: [0; LEN], len: 0 };
    [b"gmon: ", what.as_bytes(), b" ", path, b": "].iter().for_each(|part| line.push(part));
    match text(error) {
        Some(text) => line.push(text.as_bytes()),
        None => [b"error ", number.as_bytes()].iter().for_each(|part| line.push(part)),
    }
    rest.iter().for_each(|part| line.push(part));
    line.end();
}

struct Line {
    bytes: [u8; LEN],
    len: usize,
}

impl Line {
    fn push(&mut self, part: &[u8]) {
        // One byte is kept for the line end.
        let free = self.bytes.get_mut(self.len..LEN - 1).unwrap_or_default();
        for (place, byte) in free.iter_mut().zip(part) {
            *place = *byte;
            self.len += 1;
        }
    }

    fn end(&mut self) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = b'\n';
            self.len += 1;
        }
        platform::write_error(self.bytes.get(..self.len).unwrap_or_default());
    }
}

/// What the system says of the errors that opening and writing a file meets.
fn text(error: Errno) -> Option<&'static str> {
    Some(match error.0 {
        libc::EPERM => "Operation not permitted",
        libc::ENOENT => "No such file or directory",
        libc::EIO => "Input/output error",
        libc::EACCES => "Permission denied",
        libc::EEXIST => "File exists",
        libc::ENOTDIR => "Not a directory",
        libc::EISDIR => "Is a directory",
        libc::ENFILE => "Too many open files in system",
        libc::EMFILE => "Too many open files",
        libc::EFBIG => "File too large",
        libc::ENOSPC => "No space left on device",
        libc::EROFS => "Read-only file system",
        libc::ENAMETOOLONG => "File name too long",
        libc::ELOOP => "Too many levels of symbolic links",
        libc::EDQUOT => "Disk quota exceeded",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_still_end() {
        let mut line = Line { bytes: [0; LEN], len: 0 };
        for _ in 0..300 {
            line.push(b"12345");
        }
        assert_eq!(line.len, LEN - 1);
    }
}

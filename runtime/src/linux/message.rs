//! One line on the standard error stream, without formatting or allocation.
//!
//! *Context:* any.

use crate::platform::{self, Errno};

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

/// A number in decimal.
pub(crate) struct Decimal {
    digits: [u8; 20],
    start: usize,
}

impl Decimal {
    pub(crate) fn new(mut value: u64) -> Self {
        let mut this = Self { digits: [b'0'; 20], start: 20 };
        for digit in this.digits.iter_mut().rev() {
            *digit = b'0' + (value % 10) as u8;
            value /= 10;
            this.start -= 1;
            if value == 0 {
                break;
            }
        }
        this
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.digits.get(self.start..).unwrap_or_default()
    }

    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn decimals_are_those_of_the_standard_library() {
        for value in [0, 9, 10, 4_294_967_296, u64::MAX] {
            assert_eq!(Decimal::new(value).as_str(), value.to_string());
        }
    }

    #[test]
    fn long_lines_are_cut_and_still_end() {
        let mut line = Line { bytes: [0; LEN], len: 0 };
        for _ in 0..300 {
            line.push(b"12345");
        }
        assert_eq!(line.len, LEN - 1);
    }
}

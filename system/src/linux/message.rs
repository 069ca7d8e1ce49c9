//! A line for the user, without formatting or allocation: on the standard error stream, unless it is
//! [diverted](divert).
//!
//! That stream is the program's. So there is a line only where a profile or a part of it is lost or not where
//! it should be, or where what the user asked for cannot be done; and it names the file.
//!
//! *Context:* any.

use once_cell::race::OnceRef;

use crate::decimal::Decimal;
use crate::linux::platform::{self, Errno};

/// Room for a line; a longer one is cut.
const LEN: usize = 1024;

/// Says `gmon: `, the parts and a line end, in one write.
pub fn say(parts: &[&[u8]]) {
    let mut line = Line::new();
    parts.iter().for_each(|part| line.push(part));
    line.end();
}

/// Says `gmon: `, `what`, the path, what the system said, and the rest.
pub fn say_failed(what: &str, path: &[u8], error: Errno, rest: &[&[u8]]) {
    let number = Decimal::new(error.0.unsigned_abs().into());
    let mut line = Line::new();
    [what.as_bytes(), b" ", path, b": "].iter().for_each(|part| line.push(part));
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
    fn new() -> Self {
        let mut line = Self { bytes: [0; LEN], len: 0 };
        line.push(b"gmon: ");
        line
    }

    /// Appends a part. Names of files and programs and what is in the environment may be anything: of that,
    /// only what cannot make a terminal do something is shown as it is.
    fn push(&mut self, mut part: &[u8]) {
        while let Some((len, is_shown)) = first_character(part) {
            let (character, rest) = part.split_at_checked(len).unwrap_or((part, &[]));
            if is_shown {
                self.push_raw(character);
            } else {
                for byte in character {
                    let digit = |value: u8| b"0123456789abcdef".get(usize::from(value));
                    let digits = [byte >> 4, byte & 15].map(|value| *digit(value).unwrap_or(&b'?'));
                    self.push_raw(&[b'\\', b'x', digits[0], digits[1]]);
                }
            }
            part = rest;
        }
    }

    fn push_raw(&mut self, part: &[u8]) {
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
        send(self.bytes.get(..self.len).unwrap_or_default());
    }
}

/// Number of bytes of a text's first character, and whether a terminal only shows it. A byte that is not
/// UTF-8 may do anything.
fn first_character(text: &[u8]) -> Option<(usize, bool)> {
    let len = match *text.first()? {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => 1,
    };
    let character = text.get(..len).and_then(|bytes| core::str::from_utf8(bytes).ok());
    let character = character.and_then(|character| character.chars().next());
    Some(character.map_or((1, false), |character| (len, !character.is_control())))
}

/// Takes lines that are not for the standard error stream; false if one is.
pub struct Diversion(pub fn(line: &[u8]) -> bool);

static DIVERSION: OnceRef<'static, Diversion> = OnceRef::new();

/// Has all lines from now on go elsewhere.
pub fn divert(diversion: &'static Diversion) {
    _ = DIVERSION.set(diversion);
}

fn send(line: &[u8]) {
    if !DIVERSION.get().is_some_and(|diversion| (diversion.0)(line)) {
        platform::write_error(line);
    }
}

/// The system's text for the errors that opening and writing a file meets.
fn text(error: Errno) -> Option<&'static str> {
    Some(match error.0 {
        libc::EPERM => "Operation not permitted",
        libc::ENOENT => "No such file or directory",
        libc::EIO => "Input/output error",
        libc::ENXIO => "No such device or address",
        libc::ENOMEM => "Cannot allocate memory",
        libc::EACCES => "Permission denied",
        libc::EEXIST => "File exists",
        libc::ENODEV => "No such device",
        libc::ENOTDIR => "Not a directory",
        libc::EISDIR => "Is a directory",
        libc::EINVAL => "Invalid argument",
        libc::ENFILE => "Too many open files in system",
        libc::EMFILE => "Too many open files",
        libc::ETXTBSY => "Text file busy",
        libc::EFBIG => "File too large",
        libc::ENOSPC => "No space left on device",
        libc::EROFS => "Read-only file system",
        libc::ENAMETOOLONG => "File name too long",
        libc::ELOOP => "Too many levels of symbolic links",
        libc::ESTALE => "Stale file handle",
        libc::EDQUOT => "Disk quota exceeded",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_still_end() {
        let mut line = Line::new();
        for _ in 0..300 {
            line.push(b"12345");
        }
        assert_eq!(line.len, LEN - 1);
    }

    /// The words of memory too: a file is written through some.
    #[test]
    fn errors_have_the_words_of_the_c_library() {
        let known = (1..200).filter_map(|number| Some((number, text(Errno(number))?)));
        for (number, text) in known {
            let said = std::format!("{}", std::io::Error::from_raw_os_error(number));
            assert_eq!(said, std::format!("{text} (os error {number})"));
        }
        assert!(text(Errno(libc::ENOMEM)).is_some());
    }

    #[test]
    fn nothing_that_moves_a_terminal_is_shown_as_it_is() {
        for (part, shown) in [
            (&b"plain / name"[..], &b"plain / name"[..]),
            ("Grüße → 你好 🎈".as_bytes(), "Grüße → 你好 🎈".as_bytes()),
            (b"a\x1b[31mb\n\x7f\0", b"a\\x1b[31mb\\x0a\\x7f\\x00"),
            // The escape as one character, in UTF-8 and in one byte.
            ("\u{9b}31m".as_bytes(), b"\\xc2\\x9b31m"),
            (b"\x9b31m", b"\\x9b31m"),
            (b"cut \xe2\x86", b"cut \\xe2\\x86"),
            (b"\xff\xe2a", b"\\xff\\xe2a"),
        ] {
            let mut line = Line { bytes: [0; LEN], len: 0 };
            line.push(part);
            assert_eq!(&line.bytes[..line.len], shown);
        }
    }
}

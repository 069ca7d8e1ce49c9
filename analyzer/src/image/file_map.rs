//! A list of symbols and the object files that they come from, as `nm --print-file-name` prints it.

use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::files;

/// The object files of a program and what is in them, held as the text it came in.
#[derive(Debug)]
pub struct FileMap {
    text: Vec<u8>,
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapEntry<'a> {
    /// The object file.
    pub(crate) file: &'a [u8],
    /// A symbol in it.
    pub(crate) symbol: &'a [u8],
}

/// No part of a line is longer; what is left counts as the next part.
const LONGEST: usize = 1023;
/// Beginnings of lines that name no symbol.
const NO_SYMBOLS: &[u8] = b"No symbols in ";

impl FileMap {
    /// Reads the list at `path`.
    ///
    /// # Errors
    /// If it cannot be read, or has a line without file or symbol.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = files::read_text(path);
        let text = text.map_err(|error| Error::new(path, ErrorKind::of_list(error)))?;
        Self::new(path, text)
    }

    /// Takes a list that is in memory already; `path` is only its name.
    ///
    /// # Errors
    /// If it has a line without file or symbol.
    pub fn new(path: &Path, text: Vec<u8>) -> Result<Self, Error> {
        match read(&text) {
            Some(_) => Ok(Self { text }),
            None => Err(Error::new(path, ErrorKind::NoFileMap)),
        }
    }

    /// The lines in their order.
    pub(crate) fn entries(&self) -> Vec<MapEntry<'_>> {
        read(&self.text).unwrap_or_default()
    }
}

/// Reads lines of a file, a colon, anything, and a symbol behind the last blank; none if there is
/// another.
fn read(mut text: &[u8]) -> Option<Vec<MapEntry<'_>>> {
    let mut entries = Vec::new();
    while !text.is_empty() {
        let file = part(&mut text, |byte| !matches!(byte, b'\n' | b':'))?;
        if !file.starts_with(NO_SYMBOLS) {
            let rest = part(&mut text, |byte| byte != b'\n')?;
            let blank = rest.iter().rposition(|&byte| byte == b' ')?;
            entries.push(MapEntry { file, symbol: &rest[blank + 1..] });
        }
        let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'\x0b';
        text = &text[text.iter().take_while(is_blank).count()..];
    }
    Some(entries)
}

/// Takes as many bytes as belong to a part, one at least.
fn part<'a>(text: &mut &'a [u8], belongs: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
    let len = text.iter().take(LONGEST).take_while(|byte| belongs(**byte)).count();
    let part;
    (part, *text) = text.split_at(len);
    (len > 0).then_some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_the_c_library_scans_them() {
        let read = |text: &'static str| {
            let entries = read(text.as_bytes())?.into_iter();
            let words =
                entries.map(|entry| [entry.file, entry.symbol].map(String::from_utf8_lossy));
            Some(words.map(|words| words.join("=")).collect::<Vec<_>>().join(" "))
        };
        for (text, entries) in [
            ("", ""),
            ("a.o:00000000 T f\nb.o:00000004 C g", "a.o=f b.o=g"),
            ("a.o: f\n\n b.o:x:y  g\n\n", "a.o=f b.o=g"),
            ("No symbols in x.o\na.o: f\nNo symbols in y.o", "a.o=f"),
            (" a.o: f \n", " a.o="),
        ] {
            assert_eq!(read(text).as_deref(), Some(entries), "{text:?}");
        }
        for text in ["\n", "a.o", "a.o\nb.o: g", ":x f", "a.o:", "a.o:f", "No symbols in x.o:\n"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}

//! Symbols that a text file lists instead of the image: a line for each, as `nm` prints it and as
//! `/proc/kallsyms` has it.

use std::io;
use std::path::{Path, PathBuf};

use gmon_format::FilePc;

use crate::error::{Error, ErrorKind};
use crate::files;

/// A list of symbols, held as the text it came in.
#[derive(Debug)]
pub struct SymbolList {
    path: PathBuf,
    text: Vec<u8>,
}

/// A function of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListedSymbol<'a> {
    pub(crate) address: FilePc,
    /// True if only its own file sees it.
    pub(crate) is_static: bool,
    pub(crate) name: &'a [u8],
}

impl SymbolList {
    /// Reads the list at `path`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = match files::read_text(path) {
            // GNU gprof finds nothing in it, either.
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => Vec::new(),
            text => text.map_err(|error| Error::new(path, ErrorKind::of_list(error)))?,
        };
        Ok(Self::new(path, text))
    }

    /// Takes a list that is in memory already; `path` is only its name.
    #[must_use]
    pub fn new(path: &Path, text: Vec<u8>) -> Self {
        Self { path: path.to_owned(), text }
    }

    /// The name of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The functions among the symbols, in the order of the lines.
    pub(crate) fn functions(&self) -> impl Iterator<Item = ListedSymbol<'_>> {
        // A longer line counts as several.
        const LONGEST_LINE: usize = 1022;
        let lines = self.text.split(|&byte| byte == b'\n');
        lines.flat_map(|line| line.chunks(LONGEST_LINE)).filter_map(ListedSymbol::read)
    }
}

impl<'a> ListedSymbol<'a> {
    /// Reads address, kind and name. A line that is not a function's is not an error: the list may have
    /// other symbols, too.
    fn read(line: &'a [u8]) -> Option<Self> {
        let line = line.split(|&byte| byte == 0).next()?;
        let (address, rest) = split_word(line)?;
        let (kind, rest) = start_of_word(rest).split_first()?;
        let (name, _) = split_word(rest)?;
        let is_static = match kind {
            b't' => true,
            b'T' => false,
            _ => return None,
        };
        Some(Self { address: FilePc(hexadecimal(address)?), is_static, name })
    }
}

fn start_of_word(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| is_blank(**byte)).count();
    &text[blanks..]
}

/// The first word, and what follows it.
fn split_word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = start_of_word(text);
    let len = text.iter().take_while(|byte| !is_blank(**byte)).count();
    (len > 0).then(|| text.split_at(len))
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

/// The number that a word begins with, as the C library reads it: an optional sign, an optional
/// `0x`; one that is too large is the largest.
fn hexadecimal(word: &[u8]) -> Option<u64> {
    let (is_negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let digits = match digits {
        [b'0', b'x' | b'X', digits @ ..] => digits,
        digits => digits,
    };
    let mut values = digits.iter().map_while(|&digit| char::from(digit).to_digit(16)).peekable();
    values.peek()?;
    let number =
        values.try_fold(0_u64, |number, digit| Some(number.checked_mul(16)? | u64::from(digit)));
    Some(match number {
        Some(number) if is_negative => number.wrapping_neg(),
        Some(number) => number,
        None => u64::MAX,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_functions_are_read_as_the_c_library_reads_words() {
        let read = |line: &'static str| {
            let symbol = ListedSymbol::read(line.as_bytes())?;
            let kind = if symbol.is_static { 't' } else { 'T' };
            Some(format!("{:x} {kind} {}", symbol.address, String::from_utf8_lossy(symbol.name)))
        };
        for (line, symbol) in [
            ("0000000000401146 T f", "401146 T f"),
            ("  0x401146\tt\tf [module] and more", "401146 t f"),
            ("0X40zz T f", "40 T f"),
            ("401146 Tf", "401146 T f"),
            ("401146 Tx f", "401146 T x"),
            ("-5 T f", "fffffffffffffffb T f"),
            ("10000000000000000 T f", "ffffffffffffffff T f"),
            ("1 T f\0 g", "1 T f"),
        ] {
            assert_eq!(read(line).as_deref(), Some(symbol), "{line}");
        }
        for line in
            ["", " ", "401146", "401146 T", "401146T f", "U puts", "1 W f", "zz T f", "- T f"]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }
}

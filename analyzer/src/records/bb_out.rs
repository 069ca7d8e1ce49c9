//! `bb.out`: counts of basic blocks as text, which programs compiled by an old `gcc -a` wrote.
//!
//! A line for each source file announces a number of blocks, a line for each block follows:
//!
//! ```text
//! File main.c, 2 basic blocks
//!   Block #1: executed   5 time(s) address= 0x401004 function= main line= 3 file= main.c
//! ```

use std::fmt;

use gmon_format::{Block, Encoding, FilePc};

/// The blocks of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BbOut {
    /// The blocks of each source file, in the order of the text.
    pub files: Vec<Vec<Block>>,
    /// Places where the text contradicts itself.
    pub miscounts: Vec<Miscount>,
}

/// A source file with more or fewer blocks than announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miscount {
    /// The line that announces them, counted from 1; 0 for blocks before any such line.
    pub line: usize,
    /// Blocks announced.
    pub announced: u64,
    /// Blocks that follow.
    pub found: u64,
}

/// A number in the text that has no room in a data file of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The line, counted from 1.
    pub line: usize,
}

/// Meaning of a line.
enum Line {
    File { announced: u64 },
    Block(Block),
    Nothing,
}

impl BbOut {
    /// Returns `true` if a file that begins with these bytes is such a text, as those programs
    /// wrote it.
    #[must_use]
    pub fn begins(file: &[u8]) -> bool {
        file.starts_with(b"Basic block profiling finished on ")
    }

    /// Reads a text about a program of this encoding.
    ///
    /// # Errors
    /// If a number is too large.
    pub fn read(text: &[u8], encoding: Encoding) -> Result<Self, TooLarge> {
        let mut this = Self::default();
        let mut file = Miscount { line: 0, announced: 0, found: 0 };
        for (line, number) in text.split(|&byte| byte == b'\n').zip(1..) {
            match Line::read(line).ok_or(TooLarge { line: number })? {
                Line::File { announced } => {
                    this.check(file);
                    file = Miscount { line: number, announced, found: 0 };
                    this.files.push(Vec::new());
                }
                Line::Block(block) if block.pc.0.max(block.count) > encoding.word.largest() => {
                    return Err(TooLarge { line: number });
                }
                Line::Block(block) => {
                    file.found += 1;
                    if this.files.is_empty() {
                        this.files.push(Vec::new());
                    }
                    this.files.last_mut().into_iter().for_each(|blocks| blocks.push(block));
                }
                Line::Nothing => {}
            }
        }
        this.check(file);
        Ok(this)
    }

    fn check(&mut self, file: Miscount) {
        if file.announced != file.found {
            self.miscounts.push(file);
        }
    }
}

impl Line {
    /// Reads a line; none if a number is too large.
    fn read(line: &[u8]) -> Option<Self> {
        if let Some(digits) = announced(line) {
            return Some(Self::File { announced: number(digits, 10)? });
        }
        match executed(line) {
            Some((count, pc)) => {
                Some(Self::Block(Block { pc: FilePc(number(pc, 16)?), count: number(count, 10)? }))
            }
            None => Some(Self::Nothing),
        }
    }
}

/// The digits of `File …, DIGITS basic blocks`.
fn announced(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"File ")?;
    let end = find_last(rest, b" basic blocks")?;
    let start = find_last(&rest[..end], b", ")? + 2;
    let digits = &rest[start..end];
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then_some(digits)
}

/// The digits of `Block … executed  DIGITS time … address= 0xDIGITS`.
fn executed(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = after(line, b"Block")?;
    let rest = after(rest, b"executed")?.trim_ascii_start();
    let (count, rest) = split_digits(rest, u8::is_ascii_digit);
    let rest = after(rest.trim_ascii_start().strip_prefix(b"time")?, b" address= 0x")?;
    let (pc, _) = split_digits(rest, u8::is_ascii_hexdigit);
    Some((count, pc))
}

fn split_digits(text: &[u8], is_digit: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|byte| !is_digit(byte)).unwrap_or(text.len()))
}

/// Text behind the first occurrence of a word.
fn after<'a>(text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let start = text.windows(word.len()).position(|part| part == word)?;
    text.get(start + word.len()..)
}

fn find_last(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).rposition(|part| part == word)
}

/// The value of digits; no digits are 0.
fn number(digits: &[u8], radix: u32) -> Option<u64> {
    digits.iter().try_fold(0_u64, |sum, &digit| {
        let value = char::from(digit).to_digit(radix)?;
        sum.checked_mul(radix.into())?.checked_add(value.into())
    })
}

impl fmt::Display for Miscount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{} basic blocks before any `File` line", self.found),
            line => {
                let Self { announced, found, .. } = self;
                write!(f, "line {line} announces {announced} basic blocks, but {found} follow")
            }
        }
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: a number is too large for the program", self.line)
    }
}

impl std::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"Basic block profiling finished on Mon\n\
        \n\
        File a, 1 basic blocks.c, 2 basic blocks \n\
        \n\
        \x20 Block #1: executed   5 time(s) address= 0x401004 function= main line= 3 file= a.c\n\
        \x20 Block #2: executed  12 time(s) address= 0xFFFFFFFFFFFFFFF0 function= executed\n\
        File b.c, 3 basic blocks\n\
        \x20 Block #1: executed 18446744073709551615 time(s) address= 0x10\n\
        \x20 Block #2: never executed\n";

    fn block(pc: u64, count: u64) -> Block {
        Block { pc: FilePc(pc), count }
    }

    #[test]
    fn blocks_are_found_and_counted() {
        let found = BbOut::read(TEXT, Encoding::ALL[2]).unwrap();
        let first = vec![block(0x40_1004, 5), block(0xffff_ffff_ffff_fff0, 12)];
        assert_eq!(found.files, [first, vec![block(0x10, u64::MAX)]]);
        assert_eq!(found.miscounts, [Miscount { line: 7, announced: 3, found: 1 }]);
        assert_eq!(found.miscounts[0].to_string(), "line 7 announces 3 basic blocks, but 1 follow");
    }

    #[test]
    fn blocks_without_a_file_are_kept() {
        let text = b"Block #1: executed 2 time(s) address= 0x8\r\nFile x, 0 basic blocks";
        let found = BbOut::read(text, Encoding::ALL[0]).unwrap();
        assert_eq!(found.files, [vec![block(8, 2)], vec![]]);
        assert_eq!(found.miscounts[0].to_string(), "1 basic blocks before any `File` line");
    }

    #[test]
    fn a_number_that_is_too_large_is_an_error() {
        let error = |text: &[u8], encoding| BbOut::read(text, encoding).unwrap_err();
        assert_eq!(error(TEXT, Encoding::ALL[0]), TooLarge { line: 6 });
        let huge = b"\nBlock executed 18446744073709551616 time address= 0x1";
        assert_eq!(error(huge, Encoding::ALL[2]), TooLarge { line: 2 });
        let wide = b"Block executed 4294967296 time address= 0x1";
        assert_eq!(error(wide, Encoding::ALL[0]), TooLarge { line: 1 });
        let huge = b"File x, 99999999999999999999 basic blocks";
        assert_eq!(
            error(huge, Encoding::ALL[2]).to_string(),
            "line 1: a number is too large for the program"
        );
    }
}

//! From an instruction to its line. Each version has another table of lines:
//!
//! * up to 3.9, pairs: so many bytes further on the line changes by so much;
//! * 3.10, pairs: so many bytes have the line that is so much further on;
//! * since 3.11, entries of several bytes, whose first says how many instructions they are for, and how the rest is laid out.

use gmon_unwind::Memory;

use crate::chain::Frame;
use crate::layout::Layout;
use crate::read::{Bytes, half, pointer, word};

/// Bytes of a table that are read.
const MOST: u64 = 1 << 20;

impl Layout {
    /// The line of the instruction at an offset of the code object at an address, which begins with its first; `None` if it has
    /// none.
    pub fn line(&self, memory: &mut impl Memory, code: u64, offset: u32) -> Option<u32> {
        let offsets = &self.offsets;
        let first = half(memory, code.checked_add(offsets.code.first_line)?)?;
        if offset == Frame::NONE_YET {
            return Some(first);
        }
        let table = pointer(memory, code.checked_add(offsets.code.lines)?)?;
        let len = word(memory, table.checked_add(offsets.bytes.len)?)?.min(MOST);
        let bytes = Bytes::new(memory, table.checked_add(offsets.bytes.data)?, len);
        let first = i64::from(first as i32);
        let line = match self.version.minor() {
            ..=9 => by_changes(bytes, first, offset),
            10 => by_ranges(bytes, first, offset),
            _ => by_entries(bytes, first, offset),
        };
        u32::try_from(line?).ok().filter(|line| *line != 0)
    }
}

fn by_changes(mut bytes: impl Iterator<Item = u8>, first: i64, offset: u32) -> Option<i64> {
    let (mut line, mut address) = (first, 0);
    while let Some((step, change)) = bytes.next().zip(bytes.next()) {
        address += u64::from(step);
        if address > offset.into() {
            break;
        }
        line += i64::from(change as i8);
    }
    Some(line)
}

fn by_ranges(mut bytes: impl Iterator<Item = u8>, first: i64, offset: u32) -> Option<i64> {
    const NONE: i8 = i8::MIN;
    let (mut line, mut end) = (first, 0);
    while let Some((len, change)) = bytes.next().zip(bytes.next()) {
        end += u64::from(len);
        let change = change as i8;
        if change != NONE {
            line += i64::from(change);
        }
        if u64::from(offset) < end {
            return (change != NONE).then_some(line);
        }
    }
    None
}

fn by_entries(mut bytes: impl Iterator<Item = u8>, first: i64, offset: u32) -> Option<i64> {
    const UNIT: u64 = 2;
    /// Layouts of an entry, of which the shortest has a byte of columns, and those of one line two.
    const ONE_LINE: u8 = 10;
    const NO_COLUMNS: u8 = 13;
    const LONG: u8 = 14;
    const NONE: u8 = 15;
    let (mut line, mut end) = (first, 0);
    while let Some(head) = bytes.next() {
        let kind = head >> 3 & 15;
        end += (u64::from(head & 7) + 1) * UNIT;
        match kind {
            ..ONE_LINE => _ = bytes.next()?,
            ONE_LINE..NO_COLUMNS => {
                line += i64::from(kind - ONE_LINE);
                _ = (bytes.next()?, bytes.next()?);
            }
            NO_COLUMNS => line += signed(&mut bytes)?,
            LONG => {
                line += signed(&mut bytes)?;
                for _ in 0..3 {
                    unsigned(&mut bytes)?;
                }
            }
            _ => {}
        }
        if u64::from(offset) < end {
            return (kind != NONE).then_some(line);
        }
    }
    None
}

/// A number in bytes of six bits, the lowest first, each but the last with a mark.
fn unsigned(bytes: &mut impl Iterator<Item = u8>) -> Option<u32> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes.next()?;
        number |= u32::from(byte & 63).checked_shl(shift)?;
        shift += 6;
        if byte & 64 == 0 {
            return Some(number);
        }
    }
}

/// A number whose lowest bit is its sign.
fn signed(bytes: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let number = i64::from(unsigned(bytes)?);
    Some(if number & 1 == 0 { number >> 1 } else { -(number >> 1) })
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn lines(
        decode: impl Fn(&mut dyn Iterator<Item = u8>, i64, u32) -> Option<i64>,
        table: &[u8],
        offsets: &[u32],
    ) -> Vec<Option<i64>> {
        offsets.iter().map(|offset| decode(&mut table.iter().copied(), 10, *offset)).collect()
    }

    #[test]
    fn changes_hold_until_the_next() {
        let table = [0, 1, 4, 2, 255, 0, 1, 0xff];
        let expected = [Some(11), Some(11), Some(13), Some(13), Some(12)];
        assert_eq!(
            lines(|bytes, first, at| by_changes(bytes, first, at), &table, &[0, 3, 4, 259, 260]),
            expected
        );
        assert_eq!(
            lines(|bytes, first, at| by_changes(bytes, first, at), &[], &[0, 7]),
            [Some(10), Some(10)]
        );
    }

    #[test]
    fn ranges_have_a_line_or_none() {
        let table = [4, 1, 2, 0x80, 6, 0xfe];
        let expected = [Some(11), None, Some(9), Some(9), None];
        assert_eq!(
            lines(|bytes, first, at| by_ranges(bytes, first, at), &table, &[0, 4, 6, 11, 12]),
            expected
        );
    }

    #[test]
    fn entries_have_lines_in_several_layouts() {
        let head = |kind: u8, len: u8| 0x80 | kind << 3 | (len - 1);
        let mut table = Vec::new();
        table.extend([head(0, 2), 0x12]);
        table.extend([head(11, 1), 3, 9]);
        table.extend([head(13, 1), 4]);
        table.extend([head(15, 1)]);
        // Thirty-nine lines back, by two bytes, and three numbers that nobody needs.
        table.extend([head(14, 8), 0x40 | 15, 1, 0x41, 1, 5, 7]);
        let offsets = [0, 3, 4, 6, 8, 10, 25, 26];
        let expected = [Some(10), Some(10), Some(11), Some(13), None, Some(-26), Some(-26), None];
        assert_eq!(
            lines(|bytes, first, at| by_entries(bytes, first, at), &table, &offsets),
            expected
        );
        assert_eq!(
            lines(
                |bytes, first, at| by_entries(bytes, first, at),
                &[head(14, 8), 0xff, 0xff, 0xff],
                &[0]
            ),
            [None]
        );
    }
}

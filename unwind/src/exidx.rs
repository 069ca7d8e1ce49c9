//! Unwind rules of 32-bit ARM: `.ARM.exidx` and what it points to (Exception Handling ABI for the Arm Architecture,
//! sections 6, 7 and 10.3).
//!
//! They are meant for exceptions, and hold behind calls: not in the first and last instructions of functions.

use crate::bytes::Bytes;
use crate::processor::Processor;
use crate::rules::{Cfa, Row, Saved};
use crate::tables::Tables;
use crate::word::Word;

/// Numbers of registers.
const STACK_POINTER: usize = 13;
const LINK: usize = 14;
const PC: usize = 15;

const WORD: isize = 4;

/// Entry in the index of functions that nobody unwinds.
const CANNOT_UNWIND: u32 = 1;

/// Marks instructions that are in the word itself.
const INLINE: u32 = 1 << 31;

/// Entries of the index have two words.
const ENTRY: usize = 8;

/// Fills an empty row with the rules for an address; false if there are none, `None` if they make no sense.
pub(crate) fn fill<'t, P: Processor>(
    tables: &Tables<'t, P>,
    pc: P::Word,
    filled: &mut Row<'t, P>,
) -> Option<bool> {
    let index = tables.segment.at(tables.header)?.take(tables.header_len)?;
    let entry = |n: usize| index.at(tables.header.behind(n.checked_mul(ENTRY)?));
    let (mut low, mut high) = (0, tables.header_len / ENTRY);
    while low < high {
        let middle = low + (high - low) / 2;
        if place(&mut entry(middle)?)? <= pc {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let Some(found) = low.checked_sub(1) else { return Some(false) };
    let mut entry = entry(found)?;
    place(&mut entry)?;
    let mut content = entry;
    let word = content.u32()?;
    if word == CANNOT_UNWIND {
        filled.set(PC, Saved::Undefined);
        return Some(true);
    }
    let instructions = if word & INLINE != 0 {
        Instructions::of_compact(word, content)?
    } else {
        let mut content = tables.segment.at(place(&mut entry)?)?;
        let word = content.u32()?;
        if word & INLINE != 0 {
            Instructions::of_compact(word, content)?
        } else {
            // Behind the function that knows the rest.
            let word = content.u32()?;
            Instructions { word, left: 3, more: word >> 24, rest: content }
        }
    };
    let row = row(instructions);
    Some(row.map(|row| *filled = row).is_some())
}

/// A place at a distance from where that is written, in 31 bits.
fn place<P: Processor>(bytes: &mut Bytes<'_, P>) -> Option<P::Word> {
    let from = bytes.address();
    let distance = (bytes.u32()? << 1) as i32 >> 1;
    Some(from.moved(distance as isize))
}

/// Instructions in words, the first byte of which is the highest.
#[derive(Clone, Copy)]
struct Instructions<'t, P: Processor> {
    word: u32,
    /// Bytes of it that are left, and words behind it.
    left: u32,
    more: u32,
    rest: Bytes<'t, P>,
}

impl<'t, P: Processor> Instructions<'t, P> {
    /// Instructions in one of the ABI's own ways to write them.
    fn of_compact(word: u32, rest: Bytes<'t, P>) -> Option<Self> {
        match word >> 24 & 0xf {
            0 => Some(Self { word, left: 3, more: 0, rest }),
            1 | 2 => Some(Self { word, left: 2, more: word >> 16 & 0xff, rest }),
            _ => None,
        }
    }

    fn next(&mut self) -> Option<u32> {
        if self.left == 0 {
            self.more = self.more.checked_sub(1)?;
            self.word = self.rest.u32()?;
            self.left = 4;
        }
        self.left -= 1;
        Some(self.word >> (8 * self.left) & 0xff)
    }
}

/// The row that instructions make; nothing if they do what a row cannot say.
fn row<'t, P: Processor>(mut instructions: Instructions<'t, P>) -> Option<Row<'t, P>> {
    /// A function saves each register once.
    const MOST: usize = 64;
    /// No frame is larger.
    const MOST_BYTES: isize = 1 << 30;
    let mut row = Row::<'t, P>::new();
    // What the stack pointer of then is reckoned from, and how far it is from there.
    let mut base = STACK_POINTER;
    let mut offset = 0isize;
    let mut pops = |offset: &mut isize, mask: u32, first: usize| {
        for (register, place) in row.saved.as_mut().iter_mut().enumerate().skip(first).take(16) {
            if mask >> (register - first) & 1 != 0 {
                *place = Saved::Offset(*offset);
                *offset += WORD;
            }
        }
    };
    let mut has_ended = false;
    for _ in 0..MOST {
        let Some(code) = instructions.next().filter(|code| *code != 0xb0) else {
            has_ended = true;
            break;
        };
        let low = code & 0xf;
        match code {
            0x00..=0x3f => offset += (code as isize & 0x3f) * WORD + WORD,
            0x40..=0x7f => offset -= (code as isize & 0x3f) * WORD + WORD,
            0x80..=0x8f => {
                let mask = low << 8 | instructions.next()?;
                // Refused, or it pops the stack pointer.
                if mask == 0 || mask & 1 << (STACK_POINTER - 4) != 0 {
                    return None;
                }
                pops(&mut offset, mask, 4);
            }
            0x90..=0x9f if ![13, 15].contains(&low) && offset == 0 => base = low as usize,
            0xa0..=0xaf => {
                pops(&mut offset, (1 << ((code & 7) + 1)) - 1, 4);
                if code & 8 != 0 {
                    pops(&mut offset, 1, LINK);
                }
            }
            0xb1 => pops(&mut offset, instructions.next()? & 0xf, 0),
            0xb2 => {
                let (mut value, mut shift) = (0usize, 0);
                loop {
                    let byte = instructions.next()?;
                    value |= (byte as usize & 0x7f).checked_shl(shift)?;
                    shift += 7;
                    if byte & 0x80 == 0 {
                        break;
                    }
                }
                let words = isize::try_from(value).ok()?.checked_mul(WORD)?;
                offset =
                    offset.checked_add(0x204)?.checked_add(words).filter(|o| *o < MOST_BYTES)?;
            }
            // Vector registers: double words, and one more where they were saved in the old way.
            0xb3 => offset += (instructions.next()? as isize & 0xf) * 2 * WORD + 3 * WORD,
            0xb4 => offset += WORD,
            0xb8..=0xbf => offset += (code as isize & 7) * 2 * WORD + 3 * WORD,
            0xc8 | 0xc9 => offset += (instructions.next()? as isize & 0xf) * 2 * WORD + 2 * WORD,
            0xd0..=0xd7 => offset += (code as isize & 7) * 2 * WORD + 2 * WORD,
            _ => return None,
        }
    }
    if !has_ended {
        return None;
    }
    row.cfa = Cfa::Register(base, offset);
    for saved in row.saved.as_mut() {
        if let Saved::Offset(place) = saved {
            *place -= offset;
        }
    }
    if row.saved(PC) == Saved::Unchanged {
        let link = row.saved(LINK);
        row.set(PC, link);
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arm;

    /// Where the index is.
    const START: u32 = 0x1_0000;

    /// Calls `check` with the rules that these instructions are, as the index has them.
    fn rules(instructions: [u8; 3], check: impl Fn(Option<Row<'_, Arm>>)) {
        let [a, b, c] = instructions;
        // The function lies right behind the index.
        let bytes = [8, 0, 0, 0, c, b, a, 0x80];
        let segment = Bytes::of(START, &bytes);
        let tables = Tables::<Arm> { segment, header: START, header_len: 8 };
        assert!(tables.find(START + 7).is_some_and(|row| row.is_none()));
        let rows = [8, 2000].map(|distance| tables.find(START + distance));
        let cfas = rows.map(|row| row.map(|row| row.map(|row| row.cfa)));
        assert_eq!(cfas[0], cfas[1]);
        check(rows[0].expect("a sound index"));
    }

    #[test]
    fn instructions_become_rows() {
        // pop {r3}; pop {r4, r5, lr}
        rules([0xb1, 0x08, 0xa9], |row| {
            let row = row.expect("a row");
            assert_eq!(row.cfa, Cfa::Register(13, 16));
            let places = [3, 4, 5, 14, 15].map(|register| row.saved(register));
            assert_eq!(places, [-16, -12, -8, -4, -4].map(Saved::Offset));
        });
        for (instructions, cfa, register, saved) in [
            // finish: all is as it was at the call
            ([0xb0; 3], Cfa::Register(13, 0), 15, Saved::Unchanged),
            // sp = r7; pop {r4-r7, lr}
            ([0x97, 0xab, 0xb0], Cfa::Register(7, 20), 15, Saved::Offset(-4)),
            // sp += 12; pop {r4, lr} by its mask
            ([0x02, 0x84, 0x01], Cfa::Register(13, 20), 4, Saved::Offset(-8)),
            // sp += 0x204 + 4
            ([0xb2, 0x01, 0xb0], Cfa::Register(13, 0x208), 4, Saved::Unchanged),
        ] {
            rules(instructions, |row| {
                let row = row.expect("a row");
                assert_eq!((row.cfa, row.saved(register)), (cfa, saved), "{instructions:x?}");
            });
        }
        // refused; the stack pointer is popped; spare
        for refused in [[0x80, 0, 0xb0], [0x82, 0, 0xb0], [0xf0, 0xb0, 0xb0]] {
            rules(refused, |row| assert!(row.is_none(), "{refused:x?}"));
        }
    }

    #[test]
    fn any_instructions_end() {
        for seed in 0..=0xffffu32 {
            let [a, b] = (seed as u16).to_le_bytes();
            _ = row(Instructions::<Arm> {
                word: seed << 8 | 0xb2,
                left: 3,
                more: 0,
                rest: Bytes::of(START, &[]),
            });
            _ = row(Instructions::<Arm> {
                word: u32::from_be_bytes([a, b, a, b]),
                left: 4,
                more: 9,
                rest: Bytes::of(START, &[0xff; 20]),
            });
        }
    }
}

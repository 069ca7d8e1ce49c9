//! Code objects: what a function is called, and where it stands.

use core::ops::Range;

use gmon_unwind::Memory;

use crate::layout::{Layout, TYPE_AT, TYPE_NAME_AT};
use crate::read::{half, pointer, word};

/// Facts about a code object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The address of its name, with the names of what it stands in since 3.11.
    pub name: u64,
    /// The address of its file's name.
    pub file: u64,
    /// The line that it begins with.
    pub first_line: u32,
}

impl Layout {
    /// Facts about the code object at an address; `None` if there is none.
    pub fn code(&self, memory: &mut impl Memory, code: u64) -> Option<Code> {
        const NAME: [u8; 5] = *b"code\0";
        let kind = pointer(memory, code.checked_add(TYPE_AT)?)?;
        let name = pointer(memory, kind.checked_add(TYPE_NAME_AT)?)?;
        if memory.bytes(name)? != NAME {
            return None;
        }
        let offsets = &self.offsets.code;
        let at = offsets.qualified_name.unwrap_or(offsets.name);
        Some(Code {
            name: pointer(memory, code.checked_add(at)?)?,
            file: pointer(memory, code.checked_add(offsets.file)?)?,
            first_line: half(memory, code.checked_add(offsets.first_line)?)?,
        })
    }

    /// The addresses of the instructions of a code object.
    pub fn instructions(&self, memory: &mut impl Memory, code: u64) -> Option<Range<u64>> {
        /// Place of the bytes of instructions before 3.11, and of the number of units since.
        const BYTES_AT: u64 = 48;
        const UNITS_AT: u64 = 16;
        const UNIT: u64 = 2;
        let (start, len) = match self.offsets.code.instructions {
            0 => {
                let bytes = pointer(memory, code.checked_add(BYTES_AT)?)?;
                let len = word(memory, bytes.checked_add(self.offsets.bytes.len)?)?;
                (bytes.checked_add(self.offsets.bytes.data)?, len)
            }
            at => {
                let units = word(memory, code.checked_add(UNITS_AT)?)?;
                (code.checked_add(at)?, units.checked_mul(UNIT)?)
            }
        };
        Some(start..start.checked_add(len)?)
    }

    /// A number that tells the code object at an address from others that were or will be there: as far as anybody can tell,
    /// equal numbers are of one.
    pub fn mark(&self, memory: &mut impl Memory, code: u64) -> Option<u64> {
        let offsets = &self.offsets.code;
        let name = word(memory, code.checked_add(offsets.name)?)?;
        let version = match offsets.version {
            Some(at) => half(memory, code.checked_add(at)?)?,
            None => 0,
        };
        if version != 0 {
            // Interpreters count for themselves.
            return Some(mixed([name, version.into()]));
        }
        let lines = word(memory, code.checked_add(offsets.lines)?)?;
        let first_line = half(memory, code.checked_add(offsets.first_line)?)?;
        // Names are interned, and so have a hash.
        let hash = word(memory, name.checked_add(self.offsets.text.hash)?)?;
        let file = word(memory, code.checked_add(offsets.file)?)?;
        let ending = self.ending(memory, file)?;
        Some(mixed([name, lines, first_line.into(), hash, file, ending]))
    }

    /// Something of a text without a hash that tells it from others: its length, and the last bytes if it is ASCII.
    fn ending(&self, memory: &mut impl Memory, text: u64) -> Option<u64> {
        const LAST: u64 = 16;
        const MOST: u64 = 1 << 20;
        let len = word(memory, text.checked_add(self.offsets.text.len)?)?;
        let end = text.checked_add(self.offsets.text.ascii)?.checked_add(len.min(MOST))?;
        let [last, before] = [8, LAST].map(|back| end.checked_sub(back));
        // What stands before a short text is what others have there, too.
        Some(mixed([len, word(memory, last?)?, word(memory, before?)?]))
    }
}

fn mixed<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.into_iter().fold(0, |sum: u64, number| {
        (sum ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    })
}

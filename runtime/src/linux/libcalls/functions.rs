//! The functions of a module by its unwind tables: where each begins and ends, and where an exception that leaves one
//! of its calls goes on.
//!
//! *Context:* startup, hook.

use core::ops::Range;

use super::image::Image;
use crate::linux::stacks::bytes::Bytes;

/// How entries of the table of functions are written, and how many there are: 32 bits, relative to the table.
const SEARCHABLE: u8 = 0x3b;
const COUNT_OF_32_BITS: u8 = 0x03;
/// An encoding that says that there is nothing.
const OMITTED: u8 = 0xff;

/// The functions of a module. All addresses are those of its file.
pub(super) struct Functions<'i, 'm> {
    image: &'i Image<'m>,
    /// Where the table begins.
    header: usize,
    /// Two numbers for each function: its start, and its description.
    entries: &'m [u8],
}

/// A function, or a part of one that lies elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The table of what exceptions do; 0 if they pass through.
    exceptions: usize,
}

impl<'i, 'm> Functions<'i, 'm> {
    /// The functions, if the module has a table that can be searched.
    pub(super) fn of(image: &'i Image<'m>) -> Option<Self> {
        let header = image.unwind.start;
        let mut table = Bytes::of(header, image.bytes(image.unwind.clone())?);
        let [version, pointer, count, encoding] =
            [table.u8()?, table.u8()?, table.u8()?, table.u8()?];
        if version != 1 || count != COUNT_OF_32_BITS || encoding != SEARCHABLE {
            return None;
        }
        table.pointer(pointer, header)?;
        let count = table.u32()? as usize;
        let entries = table.take(count.checked_mul(8)?)?.as_slice();
        Some(Self { image, header, entries })
    }

    /// The function around an address.
    pub(super) fn around(&self, address: usize) -> Option<Function> {
        let (mut low, mut high) = (0, self.entries.len() / 8);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.number(2 * middle)? <= address {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let description = self.number(2 * low.checked_sub(1)? + 1)?;
        self.read(description).filter(|found| found.start <= address && address < found.end)
    }

    /// A number of the table.
    fn number(&self, index: usize) -> Option<usize> {
        let offset = i32::from_ne_bytes(*self.entries.get(4 * index..)?.first_chunk()?);
        Some(self.header.wrapping_add_signed(offset as isize))
    }

    fn bytes(&self, address: usize) -> Option<Bytes<'m>> {
        Some(Bytes::of(address, self.image.tail(address)?))
    }

    /// A description, behind its length.
    fn entry(&self, address: usize) -> Option<Bytes<'m>> {
        let mut bytes = self.bytes(address)?;
        let len = bytes.u32()?;
        // More has a length of 64 bits, which no linker makes here.
        if len == u32::MAX { None } else { bytes.take(len as usize) }
    }

    fn read(&self, description: usize) -> Option<Function> {
        let mut entry = self.entry(description)?;
        let place = entry.address();
        let common = Common::read(self.entry(place.wrapping_sub(entry.u32()? as usize))?)?;
        let start = entry.pointer(common.code, 0)?;
        let len = entry.number(common.code)?;
        let mut exceptions = 0;
        if common.has_augmentation {
            let len = entry.unsigned()?;
            let mut augmentation = entry.take(len)?;
            if common.exceptions != OMITTED {
                // 0 says that there is no table, whatever it would be relative to.
                let pointer = augmentation;
                if augmentation.number(common.exceptions)? != 0 {
                    exceptions = { pointer }.pointer(common.exceptions, 0)?;
                }
            }
        }
        Some(Function { start, end: start.checked_add(len)?, exceptions })
    }

    /// Calls `visit` with each range of code whose exceptions go on in the function, and where. `None` if they cannot
    /// be read.
    pub(super) fn each_landing(
        &self,
        function: &Function,
        mut visit: impl FnMut(Range<usize>, usize),
    ) -> Option<()> {
        if function.exceptions == 0 {
            return Some(());
        }
        let mut table = self.bytes(function.exceptions)?;
        let base = match table.u8()? {
            OMITTED => function.start,
            encoding => table.pointer(encoding, 0)?,
        };
        if table.u8()? != OMITTED {
            table.unsigned()?;
        }
        let encoding = table.u8()?;
        let len = table.unsigned()?;
        let mut calls = table.take(len)?;
        while !calls.is_empty() {
            let start = function.start.wrapping_add(calls.number(encoding)?);
            let end = start.wrapping_add(calls.number(encoding)?);
            let landing = calls.number(encoding)?;
            calls.unsigned()?;
            if landing != 0 {
                visit(start..end, base.wrapping_add(landing));
            }
        }
        Some(())
    }
}

/// What several descriptions share: how they are written.
struct Common {
    code: u8,
    exceptions: u8,
    has_augmentation: bool,
}

impl Common {
    fn read(mut entry: Bytes<'_>) -> Option<Self> {
        let id = entry.u32()?;
        let version = entry.u8()?;
        if id != 0 || ![1, 3].contains(&version) {
            return None;
        }
        let letters = entry.string()?;
        entry.unsigned()?;
        entry.signed()?;
        if version == 1 {
            entry.u8()?;
        } else {
            entry.unsigned()?;
        }
        let has_augmentation = letters.first() == Some(&b'z');
        let mut common = Self { code: 0, exceptions: OMITTED, has_augmentation };
        if !has_augmentation {
            return letters.is_empty().then_some(common);
        }
        entry.unsigned()?;
        for letter in letters.iter().skip(1) {
            match letter {
                b'R' => common.code = entry.u8()?,
                b'L' => common.exceptions = entry.u8()?,
                b'P' => {
                    let encoding = entry.u8()?;
                    entry.number(encoding)?;
                }
                b'S' | b'B' => {}
                _ => return None,
            }
        }
        Some(common)
    }
}

//! Unwind rules of code, as compilers write them: `.eh_frame` and the table that finds its parts.
//!
//! An interpreter of its own, because a handler must not panic and has little stack: every read is
//! checked, and whatever makes no sense ends with `None`.
//!
//! *Context:* signal.

use super::bytes::Bytes;
use super::processor::{Native, Processor};
use super::rules::{Cfa, Row, Saved};

/// Where a module's rules are.
#[derive(Clone, Copy)]
pub(super) struct Tables {
    /// The segment that holds them.
    pub(super) segment: &'static [u8],
    /// The address of the table that finds them, `.eh_frame_hdr`, and its length in bytes.
    pub(super) header: usize,
    pub(super) header_len: usize,
}

/// How entries of the header's table are written: 32 bits each, relative to the header.
const SEARCHABLE: u8 = 0x3b;
const COUNT_OF_32_BITS: u8 = 0x03;

/// Rows that can be saved while others are made.
const SAVED_ROWS: usize = 4;

impl Tables {
    /// The rules for an address, if there are some; `None` if they make no sense.
    pub(super) fn find(&self, pc: usize) -> Option<Option<Row>> {
        let Some(description) = self.description(pc)? else { return Some(None) };
        let Some(code) = Code::read(description, self)?.filter(|code| code.covers(pc)) else {
            return Some(None);
        };
        code.row(pc).map(Some)
    }

    /// Where the description of the code around an address is, if it is described.
    #[inline(never)]
    fn description(&self, pc: usize) -> Option<Option<usize>> {
        let mut header = Bytes::new(self.segment).at(self.header)?.take(self.header_len)?;
        let [version, pointer, count, table] =
            [header.u8()?, header.u8()?, header.u8()?, header.u8()?];
        if version != 1 || count != COUNT_OF_32_BITS || table != SEARCHABLE {
            return Some(None);
        }
        header.pointer(pointer, self.header)?;
        let count = header.u32()? as usize;
        let entries = header.take(count.checked_mul(8)?)?.as_slice();
        let address = |bytes: &[u8]| {
            let offset = i32::from_ne_bytes(*bytes.first_chunk()?);
            Some(self.header.wrapping_add_signed(offset as isize))
        };
        let start = |index: usize| address(entries.get(index.checked_mul(8)?..)?);
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            if start(middle)? <= pc {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some(index) = low.checked_sub(1) else { return Some(None) };
        Some(Some(address(entries.get(index.checked_mul(8)?.checked_add(4)?..)?)?))
    }
}

/// The description of a stretch of code.
struct Code {
    start: usize,
    len: usize,
    common: Common,
    instructions: Bytes<'static>,
}

/// What several descriptions share.
struct Common {
    code_alignment: usize,
    data_alignment: isize,
    return_address: usize,
    encoding: u8,
    has_augmentation: bool,
    is_signal: bool,
    instructions: Bytes<'static>,
}

impl Code {
    /// Reads the description at an address; `None` if it makes no sense, nothing in it if it is the end.
    fn read(address: usize, tables: &Tables) -> Option<Option<Self>> {
        let segment = Bytes::new(tables.segment);
        let Some((mut entry, id_at, id)) = entry(segment.at(address)?)? else { return Some(None) };
        if id == 0 {
            return None;
        }
        let common = Common::read(segment.at(id_at.wrapping_sub(id))?)?;
        let start = entry.pointer(common.encoding, tables.header)?;
        let len = entry.number(common.encoding & 0x0f)?;
        if common.has_augmentation {
            let len = entry.unsigned()?;
            entry.take(len)?;
        }
        Some(Some(Self { start, len, common, instructions: entry }))
    }

    fn covers(&self, pc: usize) -> bool {
        pc.wrapping_sub(self.start) < self.len
    }

    /// The rules for an address of the code.
    fn row(&self, pc: usize) -> Option<Row> {
        let mut row = Row { is_signal: self.common.is_signal, ..Row::new() };
        let mut machine = Machine::new(&self.common, self.start, pc);
        machine.run(self.common.instructions, &mut row, None)?;
        let initial = row;
        machine.run(self.instructions, &mut row, Some(&initial))?;
        let return_address = Native::index(self.common.return_address);
        if return_address != Native::RETURN_ADDRESS {
            let saved = row.saved(return_address);
            *row.saved.get_mut(Native::RETURN_ADDRESS)? = saved;
        }
        Some(row)
    }
}

impl Common {
    fn read(bytes: Bytes<'static>) -> Option<Self> {
        let (mut entry, _, id) = entry(bytes)??;
        let version = entry.u8()?;
        if id != 0 || ![1, 3].contains(&version) {
            return None;
        }
        let augmentation = entry.string()?;
        let code_alignment = entry.unsigned()?;
        let data_alignment = entry.signed()?;
        let return_address = if version == 1 { entry.u8()?.into() } else { entry.unsigned()? };
        let mut common = Self {
            code_alignment,
            data_alignment,
            return_address,
            encoding: 0,
            has_augmentation: false,
            is_signal: false,
            instructions: entry,
        };
        if let Some((b'z', letters)) = augmentation.split_first() {
            let len = entry.unsigned()?;
            let mut data = entry.take(len)?;
            common.has_augmentation = true;
            common.instructions = entry;
            for letter in letters {
                match letter {
                    b'R' => common.encoding = data.u8()?,
                    b'P' => {
                        let encoding = data.u8()?;
                        data.number(encoding)?;
                    }
                    b'L' => _ = data.u8()?,
                    b'S' => common.is_signal = true,
                    // Return addresses are signed with the second key (AArch64).
                    b'B' => {}
                    _ => break,
                }
            }
        } else if !augmentation.is_empty() {
            return None;
        }
        Some(common)
    }
}

/// The bytes of an entry behind its id, where the id is, and what it is; nothing for the entry that ends
/// the section.
#[inline(never)]
fn entry(mut bytes: Bytes<'static>) -> Option<Option<(Bytes<'static>, usize, usize)>> {
    const LONG: u32 = u32::MAX;
    let len = match bytes.u32()? {
        0 => return Some(None),
        LONG => usize::try_from(bytes.u64()?).ok()?,
        len => len as usize,
    };
    let mut entry = bytes.take(len)?;
    let id_at = entry.address();
    let id = entry.u32()? as usize;
    Some(Some((entry, id_at, id)))
}

/// What executes the instructions that make rows.
struct Machine<'c> {
    common: &'c Common,
    location: usize,
    pc: usize,
    saved: [Row; SAVED_ROWS],
    depth: usize,
}

impl<'c> Machine<'c> {
    fn new(common: &'c Common, location: usize, pc: usize) -> Self {
        Self { common, location, pc, saved: [Row::new(); SAVED_ROWS], depth: 0 }
    }

    /// Executes until the row is that of the address. `initial` is what registers are restored to.
    fn run(
        &mut self,
        mut code: Bytes<'static>,
        row: &mut Row,
        initial: Option<&Row>,
    ) -> Option<()> {
        while !code.is_empty() && self.location <= self.pc {
            self.step(&mut code, row, initial)?;
        }
        Some(())
    }

    fn step(
        &mut self,
        code: &mut Bytes<'static>,
        row: &mut Row,
        initial: Option<&Row>,
    ) -> Option<()> {
        let instruction = code.u8()?;
        let operand = usize::from(instruction & 0x3f);
        match instruction >> 6 {
            1 => self.advance(operand),
            2 => set(row, operand, Saved::Offset(self.factored(code)?)),
            3 => restore(row, operand, initial),
            _ => return self.extended(operand, code, row, initial),
        }
        Some(())
    }

    fn advance(&mut self, units: usize) {
        let distance = units.wrapping_mul(self.common.code_alignment);
        self.location = self.location.saturating_add(distance);
    }

    /// An offset that is not negative.
    fn factored(&self, code: &mut Bytes<'static>) -> Option<isize> {
        Some((code.unsigned()? as isize).wrapping_mul(self.common.data_alignment))
    }

    fn factored_signed(&self, code: &mut Bytes<'static>) -> Option<isize> {
        Some(code.signed()?.wrapping_mul(self.common.data_alignment))
    }

    fn extended(
        &mut self,
        instruction: usize,
        code: &mut Bytes<'static>,
        row: &mut Row,
        initial: Option<&Row>,
    ) -> Option<()> {
        match instruction {
            // nop
            0x00 => {}
            // set_loc, which must not go back (DWARF 5, 6.4.2.1)
            0x01 => {
                let location = code.pointer(self.common.encoding, 0)?;
                self.location = (location >= self.location).then_some(location)?;
            }
            // advance_loc1, 2, 4
            0x02 => {
                let units = code.u8()?;
                self.advance(units.into());
            }
            0x03 => {
                let units = code.u16()?;
                self.advance(units.into());
            }
            0x04 => {
                let units = code.u32()?;
                self.advance(units as usize);
            }
            // offset_extended
            0x05 => {
                let register = code.unsigned()?;
                set(row, register, Saved::Offset(self.factored(code)?));
            }
            // restore_extended
            0x06 => restore(row, code.unsigned()?, initial),
            // undefined
            0x07 => set(row, code.unsigned()?, Saved::Undefined),
            // same_value
            0x08 => set(row, code.unsigned()?, Saved::Unchanged),
            // register
            0x09 => {
                let register = code.unsigned()?;
                set(row, register, Saved::Register(Native::index(code.unsigned()?)));
            }
            // remember_state
            0x0a => {
                *self.saved.get_mut(self.depth)? = *row;
                self.depth += 1;
            }
            // restore_state
            0x0b => {
                self.depth = self.depth.checked_sub(1)?;
                *row = *self.saved.get(self.depth)?;
            }
            // def_cfa
            0x0c => row.cfa = Cfa::Register(code.unsigned()?, code.unsigned()? as isize),
            // def_cfa_register
            0x0d => {
                let Cfa::Register(_, offset) = row.cfa else { return None };
                row.cfa = Cfa::Register(code.unsigned()?, offset);
            }
            // def_cfa_offset
            0x0e => {
                let Cfa::Register(register, _) = row.cfa else { return None };
                row.cfa = Cfa::Register(register, code.unsigned()? as isize);
            }
            // def_cfa_expression
            0x0f => row.cfa = Cfa::Expression(expression(code)?),
            // expression
            0x10 => {
                let register = code.unsigned()?;
                set(row, register, Saved::Expression(expression(code)?));
            }
            // offset_extended_sf
            0x11 => {
                let register = code.unsigned()?;
                set(row, register, Saved::Offset(self.factored_signed(code)?));
            }
            // def_cfa_sf
            0x12 => row.cfa = Cfa::Register(code.unsigned()?, self.factored_signed(code)?),
            // def_cfa_offset_sf
            0x13 => {
                let Cfa::Register(register, _) = row.cfa else { return None };
                row.cfa = Cfa::Register(register, self.factored_signed(code)?);
            }
            // val_offset
            0x14 => {
                let register = code.unsigned()?;
                set(row, register, Saved::Value(self.factored(code)?));
            }
            // val_offset_sf
            0x15 => {
                let register = code.unsigned()?;
                set(row, register, Saved::Value(self.factored_signed(code)?));
            }
            // val_expression
            0x16 => {
                let register = code.unsigned()?;
                set(row, register, Saved::ValueExpression(expression(code)?));
            }
            // AARCH64_negate_ra_state: signatures are taken off wherever they are.
            0x2d => {}
            // GNU_args_size
            0x2e => _ = code.unsigned()?,
            // GNU_negative_offset_extended
            0x2f => {
                let register = code.unsigned()?;
                set(row, register, Saved::Offset(self.factored(code)?.wrapping_neg()));
            }
            _ => return None,
        }
        Some(())
    }
}

/// The bytes of an expression.
#[inline(never)]
fn expression(code: &mut Bytes<'static>) -> Option<&'static [u8]> {
    let len = code.unsigned()?;
    Some(code.take(len)?.as_slice())
}

/// Notes what became of a register. Those of vectors are of no interest.
#[inline(never)]
fn set(row: &mut Row, register: usize, saved: Saved) {
    let index = Native::index(register);
    if let Some(place) = row.saved.get_mut(index).filter(|_| index < Native::REGISTERS) {
        *place = saved;
    }
}

fn restore(row: &mut Row, register: usize, initial: Option<&Row>) {
    let saved = |initial: &Row| initial.saved(Native::index(register));
    set(row, register, initial.map_or(Saved::Unchanged, saved));
}

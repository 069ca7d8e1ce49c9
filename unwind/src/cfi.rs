//! Unwind rules of code, as compilers write them: `.eh_frame` and the table that finds its parts.
//!
//! An interpreter of its own, because a handler must not panic and has little stack: every read is
//! checked, and whatever makes no sense ends with `None`.

use crate::bytes::{Bytes, OMITTED};
use crate::processor::Processor;
use crate::rules::{Cfa, Row, Saved};
use crate::tables::Tables;
use crate::word::Word;

/// Encoding of the entries of the header's table: 32 bits each, relative to the header.
const SEARCHABLE: u8 = 0x3b;
const COUNT_OF_32_BITS: u8 = 0x03;

/// Rows that can be saved while others are made.
const SAVED_ROWS: usize = 4;

/// Fills an empty row with the rules for an address; false if there are none, `None` if they make no sense.
pub(crate) fn fill<'t, P: Processor>(
    tables: &Tables<'t, P>,
    pc: P::Word,
    row: &mut Row<'t, P>,
) -> Option<bool> {
    let Some(description) = description(tables, pc)? else { return Some(false) };
    match Code::read(description, tables)? {
        Some(code) if code.covers(pc) => code.fill(pc, row).map(|()| true),
        _ => Some(false),
    }
}

/// A function, or a part of one that lies elsewhere, as its description has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function<W> {
    /// The address of its first instruction.
    pub start: W,
    /// The address behind its last one.
    pub end: W,
    /// The address of the table of what exceptions do; `None` if they pass through.
    pub exceptions: Option<W>,
}

/// The function around an address; `None` if it is not described, or that makes no sense.
pub(crate) fn function<P: Processor>(
    tables: &Tables<'_, P>,
    pc: P::Word,
) -> Option<Function<P::Word>> {
    let code = Code::read(description(tables, pc)??, tables)??;
    let end = code.start.plus(code.len);
    let is_it = code.covers(pc) && code.start <= end;
    let exceptions = code.exceptions()?;
    is_it.then_some(Function { start: code.start, end, exceptions })
}

/// Description of the code around an address, if it is described.
#[inline(never)]
fn description<P: Processor>(tables: &Tables<'_, P>, pc: P::Word) -> Option<Option<P::Word>> {
    let mut header = tables.segment.at(tables.header)?.take(tables.header_len)?;
    let [version, pointer, count, table] = [header.u8()?, header.u8()?, header.u8()?, header.u8()?];
    if version != 1 || count != COUNT_OF_32_BITS || table != SEARCHABLE {
        return Some(None);
    }
    header.pointer(pointer, tables.header)?;
    let count = header.u32()? as usize;
    let entries = header.take(count.checked_mul(8)?)?.as_slice();
    let address = |at: usize| {
        let offset = P::u32(*entries.get(at..)?.first_chunk()?) as i32;
        Some(tables.header.moved(offset as isize))
    };
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if address(middle.checked_mul(8)?)? <= pc {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let Some(index) = low.checked_sub(1) else { return Some(None) };
    Some(Some(address(index.checked_mul(8)?.checked_add(4)?)?))
}

/// The description of a stretch of code.
struct Code<'t, P: Processor> {
    start: P::Word,
    len: P::Word,
    common: Common<'t, P>,
    augmentation: Bytes<'t, P>,
    instructions: Bytes<'t, P>,
}

/// Part that several descriptions share.
struct Common<'t, P: Processor> {
    code_alignment: usize,
    data_alignment: isize,
    return_address: usize,
    encoding: u8,
    /// How descriptions point to what exceptions do.
    exceptions: u8,
    has_augmentation: bool,
    is_signal: bool,
    instructions: Bytes<'t, P>,
}

impl<'t, P: Processor> Code<'t, P> {
    /// Reads the description at an address; `None` if it makes no sense, nothing in it if it is the end.
    fn read(address: P::Word, tables: &Tables<'t, P>) -> Option<Option<Self>> {
        let segment = tables.segment;
        let Some((mut entry, id_at, id)) = entry(segment.at(address)?)? else { return Some(None) };
        if id == 0 {
            return None;
        }
        let common = Common::read(segment.at(id_at.before(id))?)?;
        let start = entry.pointer(common.encoding, tables.header)?;
        let len = entry.number(common.encoding & 0x0f)?;
        let augmentation = if common.has_augmentation { entry.index()? } else { 0 };
        let augmentation = entry.take(augmentation)?;
        Some(Some(Self { start, len, common, augmentation, instructions: entry }))
    }

    /// The table of what exceptions do, if there is one; `None` if that makes no sense.
    fn exceptions(&self) -> Option<Option<P::Word>> {
        let encoding = self.common.exceptions;
        if encoding == OMITTED {
            return Some(None);
        }
        // 0 says that there is no table, whatever it would be relative to.
        let is_none = { self.augmentation }.number(encoding)? == P::Word::default();
        let address = { self.augmentation }.pointer(encoding, P::Word::default())?;
        Some(Some(address).filter(|_| !is_none))
    }

    fn covers(&self, pc: P::Word) -> bool {
        pc.minus(self.start) < self.len
    }

    /// Fills an empty row with the rules for an address of the code.
    #[inline(never)]
    fn fill(&self, pc: P::Word, row: &mut Row<'t, P>) -> Option<()> {
        row.is_signal = self.common.is_signal;
        let mut machine = Machine::new(&self.common, self.start, pc);
        machine.run(self.common.instructions, row, None)?;
        let initial = *row;
        machine.run(self.instructions, row, Some(&initial))?;
        let return_address = P::index(self.common.return_address);
        if return_address != P::RETURN_ADDRESS {
            let saved = row.saved(return_address);
            row.set(P::RETURN_ADDRESS, saved);
        }
        Some(())
    }
}

impl<'t, P: Processor> Common<'t, P> {
    fn read(bytes: Bytes<'t, P>) -> Option<Self> {
        let (mut entry, _, id) = entry(bytes)??;
        let version = entry.u8()?;
        if id != 0 || ![1, 3].contains(&version) {
            return None;
        }
        let augmentation = entry.string()?;
        let code_alignment = entry.index()?;
        let data_alignment = entry.signed()?.signed() as isize;
        let return_address = if version == 1 { entry.u8()?.into() } else { entry.index()? };
        let mut common = Self {
            code_alignment,
            data_alignment,
            return_address,
            encoding: 0,
            exceptions: OMITTED,
            has_augmentation: false,
            is_signal: false,
            instructions: entry,
        };
        if let Some((b'z', letters)) = augmentation.split_first() {
            let len = entry.index()?;
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
                    b'L' => common.exceptions = data.u8()?,
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
#[expect(clippy::type_complexity, reason = "named in its description")]
fn entry<P: Processor>(mut bytes: Bytes<'_, P>) -> Option<Option<(Bytes<'_, P>, P::Word, usize)>> {
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

/// Interpreter of the instructions that make rows.
struct Machine<'c, 't, P: Processor> {
    common: &'c Common<'t, P>,
    location: P::Word,
    pc: P::Word,
    saved: [Row<'t, P>; SAVED_ROWS],
    depth: usize,
}

impl<'c, 't, P: Processor> Machine<'c, 't, P> {
    fn new(common: &'c Common<'t, P>, location: P::Word, pc: P::Word) -> Self {
        Self { common, location, pc, saved: [Row::new(); SAVED_ROWS], depth: 0 }
    }

    /// Executes until the row is that of the address. `initial` is what registers are restored to.
    fn run(
        &mut self,
        mut code: Bytes<'t, P>,
        row: &mut Row<'t, P>,
        initial: Option<&Row<'t, P>>,
    ) -> Option<()> {
        while !code.is_empty() && self.location <= self.pc {
            self.step(&mut code, row, initial)?;
        }
        Some(())
    }

    fn step(
        &mut self,
        code: &mut Bytes<'t, P>,
        row: &mut Row<'t, P>,
        initial: Option<&Row<'t, P>>,
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
        let location = self.location.behind(distance);
        // Behind the last address there is none.
        self.location = location.max(self.location);
    }

    /// An offset that is not negative.
    fn factored(&self, code: &mut Bytes<'t, P>) -> Option<isize> {
        Some((code.index()? as isize).wrapping_mul(self.common.data_alignment))
    }

    fn factored_signed(&self, code: &mut Bytes<'t, P>) -> Option<isize> {
        Some((code.signed()?.signed() as isize).wrapping_mul(self.common.data_alignment))
    }

    fn extended(
        &mut self,
        instruction: usize,
        code: &mut Bytes<'t, P>,
        row: &mut Row<'t, P>,
        initial: Option<&Row<'t, P>>,
    ) -> Option<()> {
        match instruction {
            // nop
            0x00 => {}
            // set_loc, which must not go back (DWARF 5, 6.4.2.1)
            0x01 => {
                let location = code.pointer(self.common.encoding, P::Word::default())?;
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
                let register = code.index()?;
                set(row, register, Saved::Offset(self.factored(code)?));
            }
            // restore_extended
            0x06 => restore(row, code.index()?, initial),
            // undefined
            0x07 => set(row, code.index()?, Saved::Undefined),
            // same_value
            0x08 => set(row, code.index()?, Saved::Unchanged),
            // register
            0x09 => {
                let register = code.index()?;
                set(row, register, Saved::Register(P::index(code.index()?)));
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
            0x0c => row.cfa = Cfa::Register(code.index()?, code.index()? as isize),
            // def_cfa_register
            0x0d => {
                let Cfa::Register(_, offset) = row.cfa else { return None };
                row.cfa = Cfa::Register(code.index()?, offset);
            }
            // def_cfa_offset
            0x0e => {
                let Cfa::Register(register, _) = row.cfa else { return None };
                row.cfa = Cfa::Register(register, code.index()? as isize);
            }
            // def_cfa_expression
            0x0f => row.cfa = Cfa::Expression(expression(code)?),
            // expression
            0x10 => {
                let register = code.index()?;
                set(row, register, Saved::Expression(expression(code)?));
            }
            // offset_extended_sf
            0x11 => {
                let register = code.index()?;
                set(row, register, Saved::Offset(self.factored_signed(code)?));
            }
            // def_cfa_sf
            0x12 => row.cfa = Cfa::Register(code.index()?, self.factored_signed(code)?),
            // def_cfa_offset_sf
            0x13 => {
                let Cfa::Register(register, _) = row.cfa else { return None };
                row.cfa = Cfa::Register(register, self.factored_signed(code)?);
            }
            // val_offset
            0x14 => {
                let register = code.index()?;
                set(row, register, Saved::Value(self.factored(code)?));
            }
            // val_offset_sf
            0x15 => {
                let register = code.index()?;
                set(row, register, Saved::Value(self.factored_signed(code)?));
            }
            // val_expression
            0x16 => {
                let register = code.index()?;
                set(row, register, Saved::ValueExpression(expression(code)?));
            }
            // AARCH64_negate_ra_state: signatures are taken off wherever they are.
            0x2d => {}
            // GNU_args_size
            0x2e => _ = code.index()?,
            // GNU_negative_offset_extended
            0x2f => {
                let register = code.index()?;
                set(row, register, Saved::Offset(self.factored(code)?.wrapping_neg()));
            }
            _ => return None,
        }
        Some(())
    }
}

/// The bytes of an expression.
#[inline(never)]
fn expression<'t, P: Processor>(code: &mut Bytes<'t, P>) -> Option<&'t [u8]> {
    let len = code.index()?;
    Some(code.take(len)?.as_slice())
}

/// Notes what became of a register. Those of vectors are of no interest.
#[inline(never)]
fn set<'t, P: Processor>(row: &mut Row<'t, P>, register: usize, saved: Saved<'t>) {
    row.set(P::index(register), saved);
}

fn restore<'t, P: Processor>(row: &mut Row<'t, P>, register: usize, initial: Option<&Row<'t, P>>) {
    let saved = |initial: &Row<'t, P>| initial.saved(P::index(register));
    set(row, register, initial.map_or(Saved::Unchanged, saved));
}

//! Instructions of x86-64 whose operations have two or three bytes, or a prefix of AVX.

use super::forms::TWO;
use super::operands::{
    Code, Operands, Prefixes, RAX, RBX, RCX, RDI, RDX, RESULTS, RSI, near_target, note, set,
};

use crate::instruction::{Instruction, Registers, Then, WordUse};

/// Operations of two bytes, the first of which is 0x0f, without operands in memory.
pub(super) fn second(
    code: &mut Code<'_>,
    operation: u8,
    prefixes: Prefixes,
    found: &mut Instruction,
) -> Option<()> {
    match operation {
        0x05 => {
            found.reads = set([RAX, RDI, RSI, RDX, 8, 9, 10]);
            found.writes = set([RCX, 11]);
        }
        0x0b => found.then = Then::End,
        0x06..=0x09 | 0x30..=0x37 | 0xa2 | 0xaa => found.reads = Registers::ALL,
        0x80..=0x8f => found.then = Then::Branch(near_target(code)?),
        0xc8..=0xcf => found.reads = Registers::one(operation & 7 | (prefixes.rex & 1) << 3),
        _ => {}
    }
    Some(())
}

/// Operations with operands.
pub(super) fn second_of(
    operands: &Operands,
    operation: u8,
    prefixes: Prefixes,
    code: &Code<'_>,
    found: &mut Instruction,
) {
    let written = Registers::one(operands.register);
    match operation {
        _ if matches!(TWO[usize::from(operation)], b'V' | b'W') => of_vectors(operands, found),
        // Hints, which name registers without reading them.
        0x19..=0x1d | 0x1f => {}
        0x1e if operands.direct.is_some() && !(0xd8..0xf0).contains(&form(code)) => {
            // endbr64, and others that do nothing; rdsspq, which is in between, writes.
            found.reads = if prefixes.is_wide() { operands.first() } else { Registers::NONE };
        }
        0xae => found.reads = operands.all().with(RESULTS),
        0xb9 | 0xff => found.then = Then::End,
        0x7e if prefixes.is_repeated => of_vectors(operands, found),
        // cmov
        0x40..=0x4f => match operands.direct {
            Some(from) if prefixes.is_wide() => {
                found.copies = Some((from, operands.register));
                found.is_conditional = true;
            }
            None if prefixes.is_wide() => {
                found.reads = operands.address;
                note(found, WordUse::Load(operands.register));
            }
            _ => found.reads = operands.all(),
        },
        // set
        0x90..=0x9f => {
            found.reads = operands.address;
            found.writes =
                operands.direct.map_or(Registers::NONE, |one| prefixes.written_byte(one));
        }
        0xa4 | 0xa5 | 0xac | 0xad => found.reads = operands.all().with(set([RCX])),
        0xb0 | 0xb1 => found.reads = operands.all_bytes(prefixes).with(set([RAX])),
        0xc0 => found.reads = operands.all_bytes(prefixes),
        // movzx, movsx
        0xb6 | 0xb7 | 0xbe | 0xbf => {
            let is_byte = operation & 1 == 0;
            found.reads = if is_byte { operands.first_bytes(prefixes) } else { operands.first() };
            found.gets(written, prefixes.is_whole());
        }
        // Masks of vectors, numbers from vectors, numbers of bits.
        0x2c | 0x2d | 0x50 | 0xd7 => {
            found.reads = operands.address;
            found.writes = written;
        }
        0x2a | 0x6e | 0xba => found.reads = operands.first(),
        0x7e => {
            found.reads = operands.address;
            found.writes = operands.direct.map_or(Registers::NONE, Registers::one);
        }
        0xb8 | 0xbc | 0xbd => {
            found.reads = operands.first();
            found.writes = written;
        }
        0xc7 => found.reads = operands.all().with(set([RAX, RBX, RCX, RDX])),
        0xf7 => found.reads = operands.all().with(set([RDI])),
        0x00..=0x03 | 0x20..=0x23 => found.reads = Registers::ALL,
        _ => found.reads = operands.all(),
    }
}

/// Notes that an operation names general registers for where memory is alone.
fn of_vectors(operands: &Operands, found: &mut Instruction) {
    found.reads = operands.address;
    note(found, WordUse::Address);
}

/// The byte that was read last.
fn form(code: &Code<'_>) -> u8 {
    code.next.checked_sub(1).and_then(|last| code.bytes.get(last)).copied().unwrap_or(0)
}

/// Operations of three bytes, the first of which are 0x0f 0x38, or 0x0f 0x3a, with a number behind the operands.
pub(super) fn third(
    code: &mut Code<'_>,
    prefixes: Prefixes,
    found: &mut Instruction,
    has_number: bool,
) -> Option<Option<Operands>> {
    let operation = code.u8()?;
    let operands = Operands::read(code, prefixes.rex)?;
    code.skip(usize::from(has_number))?;
    found.reads = match (has_number, operation) {
        (false, 0x80..) if !(0x83..0xf0).contains(&operation) => operands.all(),
        (true, 0x14..=0x17 | 0x20 | 0x22) => operands.all(),
        // Comparisons of strings.
        (true, 0x60..=0x63) => operands.address.with(set([RAX, RCX, RDX])),
        _ => operands.address,
    };
    // SHA-1 and the like have no general registers; xmm0 is no register of ours.
    note(found, WordUse::Address);
    Some(Some(operands))
}

/// Operations with a prefix of AVX: those with general registers are among them, so all are said to read them.
pub(super) fn vector(
    code: &mut Code<'_>,
    prefix: u8,
    found: &mut Instruction,
) -> Option<Option<Operands>> {
    let (map, rex) = match prefix {
        0xc5 => {
            let byte = code.u8()?;
            (1, (!byte >> 7) << 2)
        }
        _ => {
            let byte = code.u8()?;
            code.skip(if prefix == 0x62 { 2 } else { 1 })?;
            let map = byte & if prefix == 0x62 { 7 } else { 31 };
            (map, !byte >> 5 & 7)
        }
    };
    let operation = code.u8()?;
    if prefix != 0x62 && map == 1 && operation == 0x77 {
        return Some(None);
    }
    let operands = Operands::read(code, rex)?;
    let has_number = match map {
        1 => matches!(operation, 0x70..=0x73 | 0xc2 | 0xc4..=0xc6),
        2 => false,
        3 => true,
        _ => return None,
    };
    code.skip(usize::from(has_number))?;
    found.reads = Registers::ALL;
    Some(Some(operands))
}

//! Reads instructions of x86-64: their lengths, and what they do with general registers.
//!
//! Whatever is not known to leave a register alone is said to read it: then its users are careful. Tests compare all of
//! it with `iced-x86` in the machine's libraries.
//!
//! *Context:* startup, hook.

use super::super::call_sites::instruction::{Instruction, Registers, Then, Word, WordUse};
use super::long::{second, third, vector};
use super::operands::{
    Code, Operands, Prefixes, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, near_target, note, set,
    short_target,
};
use super::{Native, Processor};

/// The instruction at `at`, with which `bytes` begin; `None` if it is not known.
pub(super) fn decode(bytes: &[u8], at: usize) -> Option<Instruction> {
    /// No instruction is longer.
    const MOST: usize = 15;
    let bytes = bytes.get(..bytes.len().min(MOST))?;
    let mut code = Code { at, bytes, next: 0 };
    let mut prefixes = Prefixes::default();
    let operation = loop {
        match code.u8()? {
            0x66 => prefixes.is_short = true,
            0xf2 | 0xf3 => prefixes.is_repeated = true,
            0x67 | 0xf0 | 0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 => {}
            rex @ 0x40..=0x4f => {
                (prefixes.rex, prefixes.has_rex) = (rex, true);
                break code.u8()?;
            }
            operation => break operation,
        }
    };
    let mut found = Instruction {
        len: 0,
        then: Then::Next,
        reads: Registers::NONE,
        compares: Registers::NONE,
        stores: Registers::NONE,
        to_stack: false,
        copies: None,
        is_conditional: false,
        writes: Registers::NONE,
        word: None,
    };
    let operands = match operation {
        0x0f => match code.u8()? {
            0x38 => third(&mut code, prefixes, &mut found, false)?,
            0x3a => third(&mut code, prefixes, &mut found, true)?,
            operation => second(&mut code, operation, prefixes, &mut found)?,
        },
        0xc4 | 0xc5 | 0x62 => vector(&mut code, operation, &mut found)?,
        _ => first(&mut code, operation, prefixes, &mut found)?,
    };
    found.len = code.next;
    if code.next > bytes.len() {
        return None;
    }
    if let Some((distance_at, distance)) = operands.and_then(|operands| operands.distance) {
        let end = at.wrapping_add(code.next);
        let is_call = matches!(found.then, Then::CallWord | Then::JumpWord);
        let used = found.word.map_or(WordUse::Other, |word| word.used);
        found.word = Some(Word {
            address: end.wrapping_add_signed(distance),
            distance_at: at.wrapping_add(distance_at),
            end,
            used: if is_call { WordUse::Call } else { used },
        });
    } else {
        found.word = None;
    }
    Some(found)
}

/// Operations of one byte.
fn first(
    code: &mut Code<'_>,
    operation: u8,
    prefixes: Prefixes,
    found: &mut Instruction,
) -> Option<Option<Operands>> {
    let low = operation & 7 | (prefixes.rex & 1) << 3;
    let is_whole = !prefixes.is_short || prefixes.is_wide();
    let is_byte = operation & 1 == 0;
    match operation {
        // Arithmetic: add, or, adc, sbb, and, sub, xor, cmp.
        0x00..=0x3f if operation & 7 < 4 => {
            let operands = Operands::read(code, prefixes.rex)?;
            let is_same = operands.direct == Some(operands.register);
            let mut named = operands.all();
            if is_byte {
                named = named.with(prefixes.of_byte(operands.register));
                named = named.with(operands.direct.map_or(named, |one| prefixes.of_byte(one)));
            }
            match operation {
                0x29 | 0x2b | 0x31 | 0x33 if is_same && is_whole => found.writes = named,
                0x38..=0x3b => {
                    (found.compares, found.reads) =
                        (named.without(operands.address), operands.address);
                    note(found, WordUse::Address);
                }
                _ => found.reads = named,
            }
            return Some(Some(operands));
        }
        0x00..=0x3f if operation & 7 < 6 => {
            code.skip(if is_byte { 1 } else { prefixes.number() })?;
            let is_compare = operation >= 0x38;
            let rax = Registers::one(RAX);
            *(if is_compare { &mut found.compares } else { &mut found.reads }) = rax;
        }
        0x50..=0x57 => found.reads = Registers::one(low),
        0x58..=0x5f => {
            let popped = Registers::one(low);
            *(if is_whole { &mut found.writes } else { &mut found.reads }) = popped;
        }
        0x63 | 0x69 | 0x6b => {
            let operands = Operands::read(code, prefixes.rex)?;
            code.skip(match operation {
                0x69 => prefixes.number(),
                0x6b => 1,
                _ => 0,
            })?;
            found.reads = operands.first().with(operands.address);
            let written = Registers::one(operands.register);
            if is_whole {
                found.writes = written;
            } else {
                found.reads = found.reads.with(written);
            }
            return Some(Some(operands));
        }
        0x68 => code.skip(prefixes.number())?,
        0x6a => code.skip(1)?,
        0x6c..=0x6f | 0xa4..=0xa7 | 0xaa..=0xaf => found.reads = set([RAX, RCX, RDX, RSI, RDI]),
        0x70..=0x7f => found.then = Then::Branch(short_target(code)?),
        0x80 | 0x81 | 0x83..=0x87 => {
            let operands = Operands::read(code, prefixes.rex)?;
            code.skip(match operation {
                0x81 => prefixes.number(),
                0x80 | 0x83 => 1,
                _ => 0,
            })?;
            let is_group = operation <= 0x83;
            let mut named = operands.first().with(operands.address);
            if !is_group {
                named = named.with(Registers::one(operands.register));
            }
            if is_byte {
                named = named.with(operands.direct.map_or(named, |one| prefixes.of_byte(one)));
                if !is_group {
                    named = named.with(prefixes.of_byte(operands.register));
                }
            }
            let compares = if is_group { operands.register & 7 == 7 } else { operation <= 0x85 };
            if compares {
                (found.compares, found.reads) = (named.without(operands.address), operands.address);
                note(found, WordUse::Address);
            } else {
                found.reads = named;
            }
            return Some(Some(operands));
        }
        0x88..=0x8b => {
            let operands = Operands::read(code, prefixes.rex)?;
            moves(&operands, operation, prefixes, found);
            return Some(Some(operands));
        }
        0x8c | 0x8e => {
            let operands = Operands::read(code, prefixes.rex)?;
            found.reads = operands.first();
            return Some(Some(operands));
        }
        0x8d => {
            let operands = Operands::read(code, prefixes.rex)?;
            found.reads = operands.address;
            let written = Registers::one(operands.register);
            *(if is_whole { &mut found.writes } else { &mut found.reads }) = written;
            if !is_whole {
                found.reads = found.reads.with(operands.address);
            }
            note(found, WordUse::Taken);
            return Some(Some(operands));
        }
        0x8f => {
            let operands = Operands::read(code, prefixes.rex & 3)?;
            if operands.register != 0 {
                // XOP, of some old processors.
                return None;
            }
            found.reads = operands.first();
            return Some(Some(operands));
        }
        0x90..=0x97 => {
            if low != 0 {
                found.reads = set([RAX]).with(Registers::one(low));
            }
        }
        0x98 | 0x99 => found.reads = Native::RESULTS,
        0x9b..=0x9d | 0xf5 | 0xf8..=0xfd => {}
        0x9e | 0x9f => found.reads = set([RAX]),
        0xa0..=0xa3 => {
            code.skip(8)?;
            found.reads = set([RAX]);
        }
        0xa8 | 0xa9 => {
            code.skip(if is_byte { 1 } else { prefixes.number() })?;
            found.compares = set([RAX]);
        }
        0xb0..=0xb7 => {
            code.skip(1)?;
            found.writes = prefixes.written_byte(low);
        }
        0xb8..=0xbf => {
            code.skip(if prefixes.is_wide() { 8 } else { prefixes.number() })?;
            let written = Registers::one(low);
            *(if is_whole { &mut found.writes } else { &mut found.reads }) = written;
        }
        0xc0 | 0xc1 | 0xd0..=0xd3 | 0xc6 | 0xc7 | 0xf6 | 0xf7 => {
            return group(code, operation, prefixes, found).map(Some);
        }
        0xc2 | 0xca => {
            code.skip(2)?;
            found.then = Then::Return;
        }
        0xc3 | 0xcb | 0xcf => found.then = Then::Return,
        0xc8 => {
            code.skip(3)?;
            found.reads = set([RBP, RSP]);
        }
        0xc9 => (found.reads, found.writes) = (set([RBP, RSP]), set([RBP, RSP])),
        0xcc | 0xf1 | 0xf4 => found.then = Then::End,
        0xcd => {
            code.skip(1)?;
            found.reads = Registers::ALL;
        }
        0xd7 => found.reads = set([RAX, RBX]),
        0xd8..=0xdf => {
            let operands = Operands::read(code, prefixes.rex)?;
            found.reads = operands.address.with(set([RAX]));
            return Some(Some(operands));
        }
        0xe0..=0xe3 => {
            found.then = Then::Branch(short_target(code)?);
            found.reads = set([RCX]);
        }
        0xe4..=0xe7 => {
            code.skip(1)?;
            found.reads = Native::RESULTS;
        }
        0xe8 => {
            found.then = Then::Call(near_target(code)?);
        }
        0xe9 => found.then = Then::Jump(near_target(code)?),
        0xeb => found.then = Then::Jump(short_target(code)?),
        0xec..=0xef => found.reads = Native::RESULTS,
        0xfe | 0xff => {
            let operands = Operands::read(code, prefixes.rex)?;
            let part = operands.register & 7;
            found.reads = operands.first().with(operands.address);
            match (operation, part, operands.direct) {
                (0xfe, ..) => {
                    let one = operands.direct.map_or(found.reads, |one| prefixes.of_byte(one));
                    found.reads = found.reads.with(one);
                }
                (_, 2, Some(register)) => {
                    (found.then, found.reads) = (Then::CallRegister(register), Registers::NONE);
                }
                (_, 2, None) => found.then = Then::CallWord,
                (_, 4, Some(register)) => {
                    (found.then, found.reads) = (Then::JumpRegister(register), Registers::NONE);
                }
                (_, 4, None) => found.then = Then::JumpWord,
                (_, 6, None) => note(found, WordUse::Address),
                (_, 0 | 1 | 6, _) => {}
                _ => return None,
            }
            return Some(Some(operands));
        }
        _ => return None,
    }
    Some(None)
}

/// `mov` between registers, and between a register and memory.
fn moves(operands: &Operands, operation: u8, prefixes: Prefixes, found: &mut Instruction) {
    let is_byte = operation & 1 == 0;
    let is_load = operation & 2 != 0;
    let is_whole = !is_byte && (prefixes.is_wide() || !prefixes.is_short);
    let register = operands.register;
    found.reads = operands.address;
    match (operands.direct, is_load) {
        _ if !is_whole => {
            let named = operands.all();
            let of_byte = |one| if is_byte { prefixes.of_byte(one) } else { Registers::NONE };
            let direct = operands.direct.map_or(Registers::NONE, of_byte);
            found.reads = named.with(of_byte(register)).with(direct);
        }
        (Some(other), _) => {
            let (from, to) = if is_load { (other, register) } else { (register, other) };
            if prefixes.is_wide() {
                found.copies = Some((from, to));
            } else {
                (found.reads, found.writes) = (Registers::one(from), Registers::one(to));
            }
        }
        (None, true) => {
            found.writes = Registers::one(register);
            if prefixes.is_wide() {
                note(found, WordUse::Load(register));
            }
        }
        (None, false) if prefixes.is_wide() => {
            found.stores = Registers::one(register);
            found.to_stack = operands.is_stack;
        }
        (None, false) => found.reads = found.reads.with(Registers::one(register)),
    }
}

/// Operations with one operand, of which the register's place says which it is.
fn group(
    code: &mut Code<'_>,
    operation: u8,
    prefixes: Prefixes,
    found: &mut Instruction,
) -> Option<Operands> {
    let operands = Operands::read(code, prefixes.rex)?;
    let part = operands.register & 7;
    let is_byte = operation & 1 == 0;
    let is_test = operation >= 0xf6 && part < 2;
    if matches!(operation, 0xc6 | 0xc7) && part != 0 {
        // Transactions, which go on elsewhere when they fail.
        return None;
    }
    code.skip(match operation {
        0xc0 | 0xc1 | 0xc6 => 1,
        0xf6 if is_test => 1,
        0xc7 => prefixes.number(),
        0xf7 if is_test => prefixes.number(),
        _ => 0,
    })?;
    let mut named = operands.first();
    if is_byte {
        named = named.with(operands.direct.map_or(named, |one| prefixes.of_byte(one)));
    }
    let is_whole = !prefixes.is_short || prefixes.is_wide();
    match operation {
        0xc7 if operands.direct.is_some() && is_whole => found.writes = named,
        _ if is_test => {
            (found.compares, found.reads) = (named.without(operands.address), operands.address);
        }
        0xd2 | 0xd3 => found.reads = named.with(set([RCX])),
        0xf6 | 0xf7 if part >= 4 => found.reads = named.with(Native::RESULTS),
        _ => found.reads = named,
    }
    Some(operands)
}

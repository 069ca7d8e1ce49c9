//! Reads instructions of x86-64: their lengths, and what they do with general registers.
//!
//! Whatever is not known to leave a register alone is said to read it: then its users are careful. Tests compare all of
//! it with `iced-x86` in the machine's libraries.

mod forms;
mod long;
pub(crate) mod operands;
mod uses;

use crate::instruction::{Instruction, Registers, Then, Word, WordUse};
use long::{second, second_of, third, vector};
use operands::{
    Code, Operands, Prefixes, RAX, RBP, RBX, RCX, RDI, RDX, RESULTS, RSI, RSP, near_target, note,
    set, short_target,
};
pub(crate) use uses::each_use;

/// The instruction at `at`, with which `bytes` begin; `None` if it is not known.
pub(crate) fn decode(bytes: &[u8], at: usize) -> Option<Instruction> {
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
            operation => {
                let letter = forms::TWO[usize::from(operation)];
                let operands = forms::operands(letter, &mut code, prefixes)?;
                match &operands {
                    Some(operands) => second_of(operands, operation, prefixes, &code, &mut found),
                    None => second(&mut code, operation, prefixes, &mut found)?,
                }
                operands
            }
        },
        0xc4 | 0xc5 | 0x62 => vector(&mut code, operation, &mut found)?,
        _ => {
            let letter = forms::ONE[usize::from(operation)];
            let operands = forms::operands(letter, &mut code, prefixes)?;
            match &operands {
                Some(operands) => first_of(operands, operation, prefixes, &mut found)?,
                None => first(&mut code, operation, prefixes, &mut found)?,
            }
            operands
        }
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

/// Operations of one byte without operands in memory.
fn first(
    code: &mut Code<'_>,
    operation: u8,
    prefixes: Prefixes,
    found: &mut Instruction,
) -> Option<()> {
    let low = operation & 7 | (prefixes.rex & 1) << 3;
    match operation {
        0x38..=0x3f | 0xa8 | 0xa9 => found.compares = set([RAX]),
        0x00..=0x37 | 0x9e..=0xa3 => found.reads = set([RAX]),
        0x50..=0x57 => found.reads = Registers::one(low),
        0x58..=0x5f | 0xb8..=0xbf => found.gets(Registers::one(low), prefixes.is_whole()),
        0x6c..=0x6f | 0xa4..=0xa7 | 0xaa..=0xaf => found.reads = set([RAX, RCX, RDX, RSI, RDI]),
        0x70..=0x7f => found.then = Then::Branch(short_target(code)?),
        0x90..=0x97 if low != 0 => found.reads = set([RAX]).with(Registers::one(low)),
        0x98 | 0x99 | 0xe4..=0xe7 | 0xec..=0xef => found.reads = RESULTS,
        0xb0..=0xb7 => found.writes = prefixes.written_byte(low),
        0xc2 | 0xc3 | 0xca | 0xcb | 0xcf => found.then = Then::Return,
        0xc8 => found.reads = set([RBP, RSP]),
        0xc9 => (found.reads, found.writes) = (set([RBP, RSP]), set([RBP, RSP])),
        0xcc | 0xf1 | 0xf4 => found.then = Then::End,
        0xcd => found.reads = Registers::ALL,
        0xd7 => found.reads = set([RAX, RBX]),
        0xe0..=0xe3 => {
            found.then = Then::Branch(short_target(code)?);
            found.reads = set([RCX]);
        }
        0xe8 => found.then = Then::Call(near_target(code)?),
        0xe9 => found.then = Then::Jump(near_target(code)?),
        0xeb => found.then = Then::Jump(short_target(code)?),
        // Those that push a number, flags, `nop`.
        _ => {}
    }
    Some(())
}

/// Operations of one byte with operands, of which the register's place may say which it is.
fn first_of(
    operands: &Operands,
    operation: u8,
    prefixes: Prefixes,
    found: &mut Instruction,
) -> Option<()> {
    let part = operands.register & 7;
    let is_byte = operation & 1 == 0;
    let first = if is_byte { operands.first_bytes(prefixes) } else { operands.first() };
    let all = if is_byte { operands.all_bytes(prefixes) } else { operands.all() };
    let is_same = operands.direct == Some(operands.register);
    match operation {
        // Arithmetic: add, or, adc, sbb, and, sub, xor, cmp; and test, xchg.
        0x29 | 0x2b | 0x31 | 0x33 if is_same && prefixes.is_whole() => found.writes = all,
        0x38..=0x3b | 0x84 | 0x85 => compares(all, operands, found),
        0x80 | 0x81 | 0x83 if part == 7 => compares(first, operands, found),
        0x00..=0x3f | 0x86 | 0x87 => found.reads = all,
        0x63 | 0x69 | 0x6b => {
            found.reads = first;
            found.gets(Registers::one(operands.register), prefixes.is_whole());
        }
        0x88..=0x8b => moves(operands, operation, prefixes, found),
        0x8c | 0x8e => found.reads = operands.first(),
        0x8d => {
            found.reads = operands.address;
            found.gets(Registers::one(operands.register), prefixes.is_whole());
            note(found, WordUse::Taken);
        }
        // XOP, of some old processors; and transactions, which go on elsewhere when they fail.
        0x8f | 0xc6 | 0xc7 if part != 0 => return None,
        0xc7 if operands.direct.is_some() && prefixes.is_whole() => found.writes = first,
        0xd2 | 0xd3 => found.reads = first.with(set([RCX])),
        0xd8..=0xdf => found.reads = operands.address.with(set([RAX])),
        0xf6 | 0xf7 if part < 2 => {
            (found.compares, found.reads) = (first.without(operands.address), operands.address);
        }
        0xf6 | 0xf7 if part >= 4 => found.reads = first.with(RESULTS),
        0xff => {
            found.reads = first;
            match (part, operands.direct) {
                (2, Some(register)) => {
                    (found.then, found.reads) = (Then::CallRegister(register), Registers::NONE);
                }
                (2, None) => found.then = Then::CallWord,
                (4, Some(register)) => {
                    (found.then, found.reads) = (Then::JumpRegister(register), Registers::NONE);
                }
                (4, None) => found.then = Then::JumpWord,
                (6, None) => note(found, WordUse::Address),
                (0 | 1 | 6, _) => {}
                _ => return None,
            }
        }
        _ => found.reads = first,
    }
    Some(())
}

/// Notes that an operation compares registers, of operands that may be in memory.
fn compares(named: Registers, operands: &Operands, found: &mut Instruction) {
    (found.compares, found.reads) = (named.without(operands.address), operands.address);
    note(found, WordUse::Address);
}

/// `mov` between registers, and between a register and memory.
fn moves(operands: &Operands, operation: u8, prefixes: Prefixes, found: &mut Instruction) {
    let is_byte = operation & 1 == 0;
    let is_load = operation & 2 != 0;
    let register = operands.register;
    found.reads = operands.address;
    match (operands.direct, is_load) {
        _ if is_byte => found.reads = operands.all_bytes(prefixes),
        _ if !prefixes.is_whole() => found.reads = operands.all(),
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

//! The parts of an instruction of x86-64: prefixes, operands, distances.

use crate::instruction::{Instruction, Registers, Word, WordUse};

pub(crate) const RAX: u8 = 0;
pub(crate) const RCX: u8 = 1;
pub(crate) const RDX: u8 = 2;
pub(crate) const RBX: u8 = 3;
pub(crate) const RSP: u8 = 4;
pub(crate) const RBP: u8 = 5;
pub(crate) const RSI: u8 = 6;
pub(crate) const RDI: u8 = 7;

pub(crate) const fn set<const LEN: usize>(numbers: [u8; LEN]) -> Registers {
    let mut all = Registers::NONE;
    let mut index = 0;
    while index < LEN {
        all = all.with(Registers::one(numbers[index]));
        index += 1;
    }
    all
}

/// The registers of results.
pub(crate) const RESULTS: Registers = set([RAX, RDX]);

/// The bytes of an instruction, one after the other, and where it lies.
pub(super) struct Code<'c> {
    pub(super) at: usize,
    pub(super) bytes: &'c [u8],
    pub(super) next: usize,
}

impl Code<'_> {
    pub(super) fn u8(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.next).copied();
        self.next += 1;
        byte
    }

    pub(super) fn skip(&mut self, len: usize) -> Option<()> {
        self.next += len;
        (self.next <= self.bytes.len()).then_some(())
    }

    pub(super) fn i32(&mut self) -> Option<isize> {
        let bytes = self.bytes.get(self.next..)?.first_chunk()?;
        self.next += 4;
        Some(i32::from_le_bytes(*bytes) as isize)
    }
}

/// Bytes before the operation.
#[derive(Clone, Copy, Default)]
pub(super) struct Prefixes {
    /// Operands of 16 bits.
    pub(super) is_short: bool,
    pub(super) is_repeated: bool,
    /// REX, 0 if there is none.
    pub(super) rex: u8,
    pub(super) has_rex: bool,
}

impl Prefixes {
    pub(super) fn is_wide(self) -> bool {
        self.rex & 8 != 0
    }

    /// Returns `true` if a register that is written gets a new value as a whole.
    pub(super) fn is_whole(self) -> bool {
        !self.is_short || self.is_wide()
    }

    /// Bytes of a number behind the operands that is as large as they are, but for 64 bits.
    pub(super) fn number(self) -> usize {
        if self.is_short && !self.is_wide() { 2 } else { 4 }
    }

    /// The register of which an operand of 8 bits is a part.
    pub(super) fn written_byte(self, number: u8) -> Registers {
        let is_second = !self.has_rex && (4..8).contains(&number);
        Registers::one(if is_second { number & 3 } else { number })
    }

    /// A register as an operand of 8 bits may name it: the second byte of one of the first four, too.
    pub(super) fn of_byte(self, number: u8) -> Registers {
        let one = Registers::one(number);
        if !self.has_rex && (4..8).contains(&number) {
            one.with(Registers::one(number & 3))
        } else {
            one
        }
    }
}

/// An operand in memory or a register, and another register.
#[derive(Clone, Copy)]
pub(super) struct Operands {
    /// The other register, or a part of the operation.
    pub(super) register: u8,
    /// The first as a register; none if it is in memory.
    pub(super) direct: Option<u8>,
    /// The registers that say where the memory is.
    pub(super) address: Registers,
    pub(super) is_stack: bool,
    /// Offset of a distance, if memory is named by it, and the distance.
    pub(super) distance: Option<(usize, isize)>,
}

impl Operands {
    pub(super) fn read(code: &mut Code<'_>, rex: u8) -> Option<Self> {
        let form = code.u8()?;
        let (mode, low) = (form >> 6, form & 7);
        let mut operands = Self {
            register: form >> 3 & 7 | (rex & 4) << 1,
            direct: None,
            address: Registers::NONE,
            is_stack: false,
            distance: None,
        };
        if mode == 3 {
            operands.direct = Some(low | (rex & 1) << 3);
            return Some(operands);
        }
        let mut base = Some(low | (rex & 1) << 3);
        let mut has_number = false;
        if low == 4 {
            let scale = code.u8()?;
            let index = scale >> 3 & 7 | (rex & 2) << 2;
            if index != RSP {
                operands.address = Registers::one(index);
            }
            base = Some(scale & 7 | (rex & 1) << 3);
            if mode == 0 && scale & 7 == 5 {
                base = None;
                has_number = true;
            }
        } else if mode == 0 && low == 5 {
            base = None;
            let at = code.next;
            operands.distance = Some((at, code.i32()?));
        }
        if let Some(base) = base {
            operands.address = operands.address.with(Registers::one(base));
            operands.is_stack = [RSP, RBP].contains(&base);
        }
        code.skip(match mode {
            1 => 1,
            2 => 4,
            _ if has_number => 4,
            _ => 0,
        })?;
        Some(operands)
    }

    pub(super) fn all(&self) -> Registers {
        self.address
            .with(Registers::one(self.register))
            .with(self.direct.map_or(Registers::NONE, Registers::one))
    }

    pub(super) fn first(&self) -> Registers {
        self.direct.map_or(self.address, Registers::one)
    }

    /// Like [`first`](Self::first) of operands of 8 bits.
    pub(super) fn first_bytes(&self, prefixes: Prefixes) -> Registers {
        self.direct.map_or(self.address, |one| prefixes.of_byte(one))
    }

    /// Like [`all`](Self::all) of operands of 8 bits.
    pub(super) fn all_bytes(&self, prefixes: Prefixes) -> Registers {
        self.all().with(self.first_bytes(prefixes)).with(prefixes.of_byte(self.register))
    }
}

/// Notes how a word is used, if there is one.
pub(super) fn note(found: &mut Instruction, used: WordUse) {
    found.word = Some(Word { address: 0, distance_at: 0, end: 0, used });
}

pub(super) fn target(code: &Code<'_>, distance: isize) -> usize {
    code.at.wrapping_add(code.next).wrapping_add_signed(distance)
}

pub(super) fn short_target(code: &mut Code<'_>) -> Option<usize> {
    let distance = code.u8()? as i8;
    Some(target(code, distance.into()))
}

pub(super) fn near_target(code: &mut Code<'_>) -> Option<usize> {
    let distance = code.i32()?;
    Some(target(code, distance))
}

//! Effects of an instruction on registers that may hold the address of a function.
//!
//! *Context:* startup, hook.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "nobody reads code there"))]

/// A set of general registers, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Registers(pub(in super::super) u16);

impl Registers {
    pub(in super::super) const NONE: Self = Self(0);
    pub(in super::super) const ALL: Self = Self(u16::MAX);

    pub(in super::super) const fn one(number: u8) -> Self {
        Self(1 << (number & 15))
    }

    pub(in super::super) const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    pub(in super::super) const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    pub(in super::super) const fn and(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    pub(in super::super) const fn has(self, number: u8) -> bool {
        self.0 & (1 << (number & 15)) != 0
    }

    pub(in super::super) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Place at which the program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Then {
    Next,
    /// At an address, and nowhere else.
    Jump(usize),
    /// At an address or at the next instruction.
    Branch(usize),
    /// At the next instruction, when a function returns: one at an address, by a register, by a word.
    Call(usize),
    CallRegister(u8),
    CallWord,
    /// The target in a register or a word.
    JumpRegister(u8),
    JumpWord,
    Return,
    /// Nowhere.
    End,
}

/// Use of a word that an instruction names by its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum WordUse {
    /// A call or jump to the word's target.
    Call,
    /// A load of the word into a register.
    Load(u8),
    /// A comparison of the word, or handing it on.
    Address,
    /// Taking the address of the word.
    Taken,
    /// Any other use.
    Other,
}

/// A word that an instruction names by its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Word {
    pub(in super::super) address: usize,
    /// Offset of the distance, and from where it counts.
    pub(in super::super) distance_at: usize,
    pub(in super::super) end: usize,
    pub(in super::super) used: WordUse,
}

/// An instruction. A register that is in none of the sets is neither read nor written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Instruction {
    pub(in super::super) len: usize,
    pub(in super::super) then: Then,
    /// Registers that are read for something else than what follows.
    pub(in super::super) reads: Registers,
    /// Registers that are compared.
    pub(in super::super) compares: Registers,
    /// The one that is stored to memory, and whether that is likely the stack.
    pub(in super::super) stores: Registers,
    pub(in super::super) to_stack: bool,
    /// The one that another is copied to, `from, to`, and whether only if a condition holds.
    pub(in super::super) copies: Option<(u8, u8)>,
    pub(in super::super) is_conditional: bool,
    /// Registers that get a new value, or a new part of one.
    pub(in super::super) writes: Registers,
    pub(in super::super) word: Option<Word>,
}

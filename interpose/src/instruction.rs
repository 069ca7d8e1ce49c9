//! Effects of an instruction on registers that may hold the address of a function.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "nobody reads code there"))]

/// A set of general registers, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers(pub u16);

impl Registers {
    /// No register.
    pub const NONE: Self = Self(0);
    /// All registers.
    pub const ALL: Self = Self(u16::MAX);

    /// The register of a number.
    #[must_use]
    pub const fn one(number: u8) -> Self {
        Self(1 << (number & 15))
    }

    /// These and others.
    #[must_use]
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These but for others.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Registers of both sets.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Returns `true` if the register of a number is among them.
    #[must_use]
    pub const fn has(self, number: u8) -> bool {
        self.0 & (1 << (number & 15)) != 0
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Place at which the program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// At the next instruction.
    Next,
    /// At an address, and nowhere else.
    Jump(usize),
    /// At an address or at the next instruction.
    Branch(usize),
    /// At the next instruction, when the function at an address returns.
    Call(usize),
    /// At the next instruction, when the function returns whose address a register has.
    CallRegister(u8),
    /// At the next instruction, when the function returns whose address a word has.
    CallWord,
    /// At an address in a register.
    JumpRegister(u8),
    /// At an address in a word.
    JumpWord,
    /// Behind the call of the function.
    Return,
    /// Nowhere.
    End,
}

/// Use of a word that an instruction names by its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordUse {
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
pub struct Word {
    /// Address of the word.
    pub address: usize,
    /// Address of the distance.
    pub distance_at: usize,
    /// Address from which it counts.
    pub end: usize,
    /// Use that the instruction makes of it.
    pub used: WordUse,
}

/// An instruction. A register that is in none of the sets is neither read nor written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Length in bytes.
    pub len: usize,
    /// Place at which the program goes on.
    pub then: Then,
    /// Registers that are read for something else than what follows.
    pub reads: Registers,
    /// Registers that are compared.
    pub compares: Registers,
    /// The register that is stored to memory.
    pub stores: Registers,
    /// True if that is likely the stack.
    pub to_stack: bool,
    /// The register that is copied, and the one that it is copied to.
    pub copies: Option<(u8, u8)>,
    /// True if it is copied only if a condition holds.
    pub is_conditional: bool,
    /// Registers that get a new value, or a new part of one.
    pub writes: Registers,
    /// The word that it names by a distance.
    pub word: Option<Word>,
}

impl Instruction {
    /// Notes that a register gets a new value, or only a part of one: then it is read as well.
    pub(crate) fn gets(&mut self, register: Registers, is_whole: bool) {
        let set = if is_whole { &mut self.writes } else { &mut self.reads };
        *set = set.with(register);
    }

    /// Returns `true` if it changes no register that is known here and names no word, as what fills a gap.
    pub(crate) fn does_nothing(&self) -> bool {
        let touched = [self.reads, self.compares, self.stores, self.writes];
        touched.iter().all(|set| set.is_empty()) && self.copies.is_none() && self.word.is_none()
    }
}

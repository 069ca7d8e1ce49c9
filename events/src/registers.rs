//! Registers of user mode, as a sample has them and as rules of unwinding number them.

/// The registers of a 64-bit program, by DWARF's numbers; the last one is the program counter.
pub type Registers = [u64; REGISTERS];

#[cfg(target_arch = "x86_64")]
mod order {
    /// Number of registers: 16 general ones and the program counter.
    pub const REGISTERS: usize = 17;

    /// Bits of the kernel's numbers (`enum perf_event_x86_regs`): AX, BX, CX, DX, SI, DI, BP, SP and IP, and from bit 16 on R8
    /// to R15.
    pub(crate) const MASK: u64 = 0x1ff | 0xff << 16;

    /// Position of each register in a sample, by DWARF's numbers.
    pub(super) const POSITIONS: [usize; REGISTERS] =
        [0, 3, 2, 1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 8];
}

#[cfg(target_arch = "aarch64")]
mod order {
    /// Number of registers: X0 to X30, the stack pointer and the program counter.
    pub const REGISTERS: usize = 33;

    /// Bits of the kernel's numbers (`enum perf_event_arm_regs`), which are DWARF's.
    pub(crate) const MASK: u64 = (1 << REGISTERS) - 1;

    /// Position of each register in a sample.
    pub(super) const POSITIONS: [usize; REGISTERS] = {
        let mut positions = [0; REGISTERS];
        let mut number = 0;
        while number < REGISTERS {
            positions[number] = number;
            number += 1;
        }
        positions
    };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod order {
    /// Number of registers. Those of this processor are not known here.
    pub const REGISTERS: usize = 0;
    pub(crate) const MASK: u64 = 0;
    pub(super) const POSITIONS: [usize; REGISTERS] = [];
}

pub(crate) use order::MASK;
use order::POSITIONS;
pub use order::REGISTERS;

/// Registers in DWARF's order, from the words of a sample.
pub(crate) fn registers(word: impl Fn(usize) -> Option<u64>) -> Option<Registers> {
    let mut registers = [0; REGISTERS];
    for (register, position) in registers.iter_mut().zip(POSITIONS) {
        *register = word(position)?;
    }
    Some(registers)
}

//! Hooks that sleep: what `gmon cc --dormant` and `cargo gmon --dormant` leave at the start of functions, and the runtime
//! wakes.
//!
//! A function begins with one or two instructions that have no effect. A single store makes one of them a call of
//! `__fentry__`, the runtime's hook for functions that have done nothing yet, and another one takes that back. A
//! [`Processor`] says what these instructions are; which ones, and why a store is enough, stands in the file of its name.
//!
//! The linked program has a note, of the same owner as that of the runtime's version: its first word says whether hooks
//! sleep, its second how far `__fentry__` is from that word itself, its third how far what exits jump to is from that.

mod aarch64;
mod riscv64;
mod x86_64;

use core::ops::Range;

use crate::{SourcePath, glob};

/// The section in which compilers list where they left room.
pub const SECTION: &str = "__patchable_function_entries";

/// The owner of the note, and its type.
pub const NOTE_OWNER: &[u8] = b"gmon";
/// The type of the note.
pub const NOTE_TYPE: u32 = 2;
/// Bytes of the note's contents.
pub const NOTE_LEN: usize = 12;
/// Offset in the contents of the distance to `__fentry__`, from which it also counts.
pub const DISTANCE_AT: usize = 4;
/// Offset in the contents of the distance to what exits jump to, from which it also counts; 0 if exits do not sleep.
pub const EXIT_DISTANCE_AT: usize = 8;

/// Bytes of the longest hook.
pub const LONGEST: usize = 8;

/// The code of a hook, with zeros behind it.
pub type Code = [u8; LONGEST];

/// Hooks that sleep, on a processor.
#[derive(Debug)]
pub struct Processor {
    /// Rustc's name for the processor.
    pub name: &'static str,
    /// The users' name for it.
    pub title: &'static str,
    /// The processor's number in ELF files, `e_machine`.
    pub machine: u16,
    /// The option by which compilers leave room for a hook.
    pub compiler_option: &'static str,
    /// The attributes by which LLVM does, and makes [exits](Self::exits) that sleep.
    pub attributes: &'static [&'static str],
    /// Beginnings of such room, by one compiler or another.
    pub room: &'static [&'static [u8]],
    /// Bytes of a hook.
    pub len: usize,
    /// The bytes of a hook that a switch changes, by one store: a byte, or an aligned word.
    pub switched: Range<usize>,
    /// True for an instruction that may stand before a hook, so that indirect branches may come there.
    pub is_landing_pad: fn([u8; 4]) -> bool,
    /// Exits of functions that sleep, if there are such.
    pub exits: Option<Exits>,
    /// The code of a hook, asleep and awake, from how far `__fentry__` is behind the hook's first byte.
    code: fn(i64) -> Option<[Code; 2]>,
}

/// Exits of functions that sleep: an instruction that returns, with four bytes behind it that nobody comes to. One byte
/// makes it a jump to what takes the time, which then returns.
#[derive(Clone, Copy, Debug)]
pub struct Exits {
    /// The option by which compilers make jumps of all exits.
    pub compiler_option: &'static str,
    /// The first byte of an exit that sleeps.
    pub asleep: u8,
    /// The first byte of one that is awake.
    pub awake: u8,
}

impl Exits {
    /// The function that compilers make exits jump to.
    pub const TARGET: &'static str = "__x86_return_thunk";

    /// Bytes of an exit.
    pub const LEN: usize = 5;

    /// Tells whether the exit whose code this is at an address is awake; `None` if it is no exit that leads to `target`.
    #[must_use]
    pub fn is_awake(&self, code: [u8; Self::LEN], address: u64, target: u64) -> Option<bool> {
        let [first, a, b, c, d] = code;
        let end = address.wrapping_add(Self::LEN as u64);
        let leads = end.wrapping_add_signed(i32::from_le_bytes([a, b, c, d]).into()) == target;
        match first {
            _ if !leads => None,
            first if first == self.awake => Some(true),
            first if first == self.asleep => Some(false),
            _ => None,
        }
    }

    /// The addresses of exits in code that begins at an address: all that leads to `target`, which four bytes of other
    /// instructions do not say by chance.
    pub fn places(self, code: &[u8], start: u64, target: u64) -> impl Iterator<Item = u64> {
        code.windows(Self::LEN).zip(start..).filter_map(move |(code, address)| {
            let code = code.first_chunk().copied()?;
            self.is_awake(code, address, target).map(|_| address)
        })
    }
}

impl Processor {
    /// The hooks of x86-64.
    pub const X86_64: Self = x86_64::PROCESSOR;
    /// The hooks of AArch64.
    pub const AARCH64: Self = aarch64::PROCESSOR;
    /// The hooks of 64-bit RISC-V.
    pub const RISCV64: Self = riscv64::PROCESSOR;

    /// All of them.
    pub const ALL: [&'static Self; 3] = [&Self::X86_64, &Self::AARCH64, &Self::RISCV64];

    /// The one of a name that rustc gives it.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|processor| processor.name == name)
    }

    /// The one of ELF files with this number.
    #[must_use]
    pub fn of_machine(machine: u16) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|processor| processor.machine == machine)
    }

    /// Address of the hook of a function that begins with these bytes: its own, or behind a landing pad.
    #[must_use]
    pub fn hook_of(&self, function: u64, first: [u8; 4]) -> u64 {
        if (self.is_landing_pad)(first) { function.wrapping_add(4) } else { function }
    }

    /// The code of a hook at an address; `None` if `__fentry__` is too far away.
    #[must_use]
    pub fn code(&self, address: u64, fentry: u64, is_awake: bool) -> Option<Code> {
        let [asleep, awake] = (self.code)(fentry.wrapping_sub(address) as i64)?;
        Some(if is_awake { awake } else { asleep })
    }

    /// Tells whether the hook whose code this is at an address is awake; `None` if it is no hook.
    #[must_use]
    pub fn is_awake(&self, code: &Code, address: u64, fentry: u64) -> Option<bool> {
        let is_it = |is_awake: &bool| {
            let wanted = self.code(address, fentry, *is_awake);
            wanted.is_some_and(|wanted| wanted.get(..self.len) == code.get(..self.len))
        };
        [false, true].into_iter().find(is_it)
    }

    /// Returns `true` if these bytes are what compilers leave.
    #[must_use]
    pub fn is_room(&self, bytes: &Code) -> bool {
        self.room.iter().any(|room| bytes.starts_with(room))
    }
}

/// Returns `true` if a pattern fits a linker name, with or without what compilers put behind a dot for copies of a
/// function, or the path that the name tells.
#[must_use]
pub fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let source = name.split(|byte| *byte == b'.').next().unwrap_or(name);
    glob::fits(pattern, name)
        || !source.is_empty() && glob::fits(pattern, source)
        || SourcePath::of(name).is_some_and(|path| glob::fits(pattern, path.bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_functions_fit_too() {
        for (pattern, name, does) in [
            ("parse", "parse", true),
            ("parse", "parse.isra.0", true),
            ("parse.isra.*", "parse.isra.0", true),
            ("parse", "parser", false),
            ("a::parse_*", "_RNvCs9_1a10parse_line", true),
            ("a::parse_*", "_RINvCs9_1a10parse_linehEB2_.llvm.5", true),
            ("b::parse_*", "_RNvCs9_1a10parse_line", false),
            ("", ".L1", false),
        ] {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), does, "{pattern} {name}");
        }
    }

    /// The code of hooks at 0x1000 as numbers, the lowest byte first.
    #[test]
    fn hooks_are_told_by_where_they_lead() {
        const AT: u64 = 0x1000;
        for (name, fentry, asleep, awake) in [
            // test $0xfffff7fb, %eax; call 0x800
            ("x86_64", 0x800, 0xff_fff7_fba9, 0xff_fff7_fbe8),
            // mov x17, x30, and: nop; bl 0x800
            ("aarch64", 0x800, 0xd503_201f_aa1e_03f1, 0x97ff_fdff_aa1e_03f1),
            // auipc t0, 0 and: addi t0, t0, -2048; jalr t0, -2048(t0)
            ("riscv64", 0x800, 0x8002_8293_0000_0297, 0x8002_82e7_0000_0297),
            // auipc t0, 0x12346, and: addi t0, t0, -1; jalr t0, -1(t0)
            ("riscv64", 0x1234_6fff, 0xfff2_8293_1234_6297, 0xfff2_82e7_1234_6297),
        ] {
            let processor = Processor::of(name).unwrap();
            for (is_awake, wanted) in [(false, asleep), (true, awake)] {
                let code = processor.code(AT, fentry, is_awake).unwrap();
                assert_eq!(u64::from_le_bytes(code), wanted, "{name}");
                assert_eq!(processor.is_awake(&code, AT, fentry), Some(is_awake), "{name}");
            }
            assert_eq!(processor.is_awake(&[0x90; LONGEST], AT, fentry), None, "{name}");
            assert_eq!(processor.code(0, 1 << 40, false), None, "{name}");
        }
    }

    #[test]
    fn exits_are_told_by_where_they_lead() {
        let exits = Processor::X86_64.exits.unwrap();
        // nop; jmp 0x800; ret and the same distance; jne 0x800; a jump elsewhere
        let code = [
            &[0x90, 0xe9, 0xfa, 0xf7, 0xff, 0xff][..],
            &[0xc3, 0xf5, 0xf7, 0xff, 0xff],
            &[0x0f, 0x85, 0xef, 0xf7, 0xff, 0xff],
            &[0xe9, 0xea, 0xf7, 0xff, 0xfe],
        ]
        .concat();
        assert!(exits.places(&code, 0x1000, 0x800).eq([0x1001, 0x1006]));
        let state = |at: usize| {
            exits.is_awake(*code[at..].first_chunk().unwrap(), 0x1000 + at as u64, 0x800)
        };
        assert_eq!([state(1), state(6), state(0)], [Some(true), Some(false), None]);
    }

    /// A switch changes one byte, or one aligned word.
    #[test]
    fn forms_differ_where_a_switch_stores() {
        for processor in Processor::ALL {
            let Range { start, end } = processor.switched;
            assert!(end - start == 1 || end - start == 4 && start % 4 == 0, "{}", processor.name);
            for distance in [-0x7fc, 0, 4, 0x7fc, 0x800, 0x234_5678] {
                let [asleep, awake] = (processor.code)(distance).unwrap();
                for (at, (a, b)) in asleep.iter().zip(&awake).enumerate() {
                    assert!(processor.switched.contains(&at) || a == b, "{}", processor.name);
                }
                assert_ne!(asleep, awake, "{}", processor.name);
            }
        }
    }
}

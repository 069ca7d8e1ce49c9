//! Hooks that sleep: what `gmon cc --dormant` and `cargo gmon --dormant` leave at the start of functions, and the runtime
//! wakes.
//!
//! A function begins with one or two instructions that have no effect. A single store makes one of them a call of
//! `__fentry__`, the runtime's hook for functions that have done nothing yet, and another one takes that back. Where it
//! returns there may be an exit, which a store makes a jump to what takes the time and then returns. A
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

/// The function that exits jump to on x86-64, by the name that compilers know. A shared library needs one of its own.
pub const RETURN: &str = "__x86_return_thunk";

/// Bytes of the longest [`Sleeper`].
pub const LONGEST: usize = 8;

/// The code of a [`Sleeper`], with zeros behind it.
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
    /// True for an instruction that may stand before a hook, so that indirect branches may come there.
    pub is_landing_pad: fn([u8; 4]) -> bool,
    /// The hook, which leads to `__fentry__`.
    pub hook: Sleeper,
    /// Exits of functions that sleep, if there are such.
    pub exits: Option<Exits>,
}

/// Instructions that lead nowhere until a store makes a call or a jump of one of them.
#[derive(Clone, Debug)]
pub struct Sleeper {
    /// Bytes of them.
    pub len: usize,
    /// Bits that are zero in their addresses.
    pub zeros: u64,
    /// The bytes that a switch changes, by one store: a byte, or an aligned word.
    pub switched: Range<usize>,
    /// The code asleep and awake, from how far the target is behind the first byte.
    code: fn(i64) -> Option<[Code; 2]>,
}

/// Exits of functions that sleep: instructions that return, or go on to the one that does. Awake they jump to what takes the
/// time, which then returns.
#[derive(Clone, Debug)]
pub struct Exits {
    /// The oldest compilers that make them, in words for users.
    pub compilers: &'static str,
    /// The ways in which they do, the best first.
    pub ways: &'static [Way],
    /// An exit.
    pub exit: Sleeper,
}

/// A way in which compilers make exits, or leave room for them.
#[derive(Debug)]
pub struct Way {
    /// The options by which they do.
    pub compiler_options: &'static [&'static str],
    /// A name that such code has in assembly language.
    pub sign: &'static str,
    /// Bytes that they leave in place of an exit; none if it is one that is awake.
    pub room: &'static [u8],
}

/// The options for clang's XRay, at exits only. Its driver would link a runtime for it.
const XRAY: &[&str] = &[
    "-Xclang",
    "-fxray-instrument",
    "-Xclang",
    "-fxray-instruction-threshold=1",
    "-Xclang",
    "-fxray-instrumentation-bundle=function-exit",
];

/// The section with the places where it leaves room.
const XRAY_SIGN: &str = "xray_instr_map";

impl Sleeper {
    /// The code at an address; `None` if the target is too far away.
    #[must_use]
    pub fn code(&self, address: u64, target: u64, is_awake: bool) -> Option<Code> {
        let [asleep, awake] = (self.code)(target.wrapping_sub(address) as i64)?;
        Some(if is_awake { awake } else { asleep })
    }

    /// Tells whether the code at an address is awake; `None` if it does not lead to the target.
    #[must_use]
    pub fn is_awake(&self, code: &Code, address: u64, target: u64) -> Option<bool> {
        let forms = (self.code)(target.wrapping_sub(address) as i64)?;
        let is_it = |form: &Code| form.get(..self.len) == code.get(..self.len);
        let at_right_place = address & self.zeros == 0;
        forms.iter().position(is_it).filter(|_| at_right_place).map(|form| form == 1)
    }
}

impl Exits {
    /// The addresses of exits in code that begins at an address: all that leads to `target`, which four bytes of other
    /// instructions do not say by chance.
    pub fn places(&self, code: &[u8], start: u64, target: u64) -> impl Iterator<Item = u64> {
        find(code, start, self.exit.len, move |code, at| self.is_exit(code, at, target))
    }

    /// The addresses in code that begins at an address where compilers have left exits, or room for them.
    pub fn rooms(&self, code: &[u8], start: u64, target: u64) -> impl Iterator<Item = u64> {
        self.ways.iter().flat_map(move |way| {
            let len = way.room.len().max(self.exit.len);
            find(code, start, len, move |code, at| match way.room {
                [] => self.is_exit(code, at, target),
                room => at & self.exit.zeros == 0 && code == room,
            })
        })
    }

    fn is_exit(&self, code: &[u8], address: u64, target: u64) -> bool {
        let mut bytes = [0; LONGEST];
        bytes.iter_mut().zip(code).for_each(|(place, byte)| *place = *byte);
        self.exit.is_awake(&bytes, address, target).is_some()
    }
}

/// The addresses of so many bytes that are it, in code that begins at an address.
fn find(
    code: &[u8],
    start: u64,
    len: usize,
    is_it: impl Fn(&[u8], u64) -> bool,
) -> impl Iterator<Item = u64> {
    let windows = code.windows(len).zip(start..);
    windows.filter(move |(code, address)| is_it(code, *address)).map(|(_, address)| address)
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

    /// Returns `true` if shared libraries need [`RETURN`].
    #[must_use]
    pub fn needs_return(&self) -> bool {
        self.exits.as_ref().is_some_and(|exits| exits.ways.iter().any(|way| way.sign == RETURN))
    }

    /// Address of the hook of a function that begins with these bytes: its own, or behind a landing pad.
    #[must_use]
    pub fn hook_of(&self, function: u64, first: [u8; 4]) -> u64 {
        if (self.is_landing_pad)(first) { function.wrapping_add(4) } else { function }
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
    extern crate std;

    use std::vec::Vec;

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
            is_told(&processor.hook, AT, fentry, [asleep, awake]);
        }
    }

    fn is_told(sleeper: &Sleeper, address: u64, target: u64, forms: [u64; 2]) {
        for (is_awake, wanted) in [false, true].into_iter().zip(forms) {
            let code = sleeper.code(address, target, is_awake).unwrap();
            assert_eq!(u64::from_le_bytes(code), wanted, "{sleeper:?}");
            assert_eq!(sleeper.is_awake(&code, address, target), Some(is_awake), "{sleeper:?}");
        }
        assert_eq!(sleeper.is_awake(&[0x90; LONGEST], address, target), None, "{sleeper:?}");
        assert_eq!(sleeper.code(0, 1 << 40, false), None, "{sleeper:?}");
    }

    #[test]
    fn exits_are_told_by_where_they_lead() {
        let exits = Processor::X86_64.exits.unwrap();
        // ret, or jmp, with the distance to 0x800 behind it
        is_told(&exits.exit, 0x1000, 0x800, [0xff_fff7_fbc3, 0xff_fff7_fbe9]);
        // nop; jmp 0x800; ret and the same distance; jne 0x800; a jump elsewhere
        let code = [
            &[0x90, 0xe9, 0xfa, 0xf7, 0xff, 0xff][..],
            &[0xc3, 0xf5, 0xf7, 0xff, 0xff],
            &[0x0f, 0x85, 0xef, 0xf7, 0xff, 0xff],
            &[0xe9, 0xea, 0xf7, 0xff, 0xfe],
            // ret, and cs nopw 512(%rax,%rax)
            &[0xc3, 0x2e, 0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x02, 0x00, 0x00],
        ]
        .concat();
        assert!(exits.places(&code, 0x1000, 0x800).eq([0x1001, 0x1006]));
        assert!(exits.rooms(&code, 0x1000, 0x800).eq([0x1001, 0x1006, 0x1016]));
    }

    #[test]
    fn exits_of_aarch64_are_made_of_what_clang_leaves() {
        let exits = Processor::AARCH64.exits.unwrap();
        // b .+32, or b 0x800; b 0x800
        is_told(&exits.exit, 0x1000, 0x800, [0x17ff_fdff_1400_0008, 0x17ff_fdff_17ff_fe00]);
        let words = |words: &[u32]| -> Vec<u8> {
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        };
        let left = [[0x1400_0008].as_slice(), &[0xd503_201f; 7]].concat();
        // One before a return, one before a tail call, and one that has an exit.
        let code = [
            &[0xd503_201f][..],
            &left,
            &[0xd65f_03c0],
            &left,
            &[0x1400_0100],
            &[0x1400_0008, 0x17ff_fdec],
        ];
        let code = words(&code.concat());
        assert!(exits.rooms(&code, 0x1000, 0x800).eq([0x1004]));
        assert!(exits.places(&code, 0x1000, 0x800).eq([0x104c]));
    }

    /// A switch changes one byte, or one aligned word.
    #[test]
    fn forms_differ_where_a_switch_stores() {
        for processor in Processor::ALL {
            let exit = processor.exits.as_ref().map(|exits| &exits.exit);
            for sleeper in [&processor.hook].into_iter().chain(exit) {
                let Range { start, end } = sleeper.switched;
                assert!(end - start == 1 || end - start == 4 && start % 4 == 0, "{sleeper:?}");
                for distance in [-0x7fc, 0, 4, 0x7fc, 0x800, 0x234_5678] {
                    let [asleep, awake] = (sleeper.code)(distance).unwrap();
                    for (at, (a, b)) in asleep.iter().zip(&awake).enumerate() {
                        assert!(sleeper.switched.contains(&at) || a == b, "{sleeper:?}");
                    }
                    assert_ne!(asleep, awake, "{sleeper:?}");
                }
            }
        }
    }
}

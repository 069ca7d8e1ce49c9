//! Finds the call instructions in machine code, one file per machine.
//!
//! Every file defines `calls`, which goes through a stretch of code and reports the calls in it. A
//! jump is not a call, even one that ends a function by entering another: it leaves no return address.

mod aarch64;
mod alpha;
mod arm;
mod code;
mod mips;
mod powerpc;
mod riscv;
mod s390;
mod sparc;
mod thumb;
mod vax;
mod x86;

use std::ops::Range;

use gmon_format::FilePc;

pub(crate) use code::{Call, Code, Step};
use object::elf;

/// The sets of instructions that one program may mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstructionSet {
    /// The machine's usual set.
    Usual,
    /// The short one of ARM.
    Thumb,
}

/// Reports the calls in a stretch of code, in the order of their addresses: each with its own code, the
/// instruction behind it included if that is executed before the call takes effect.
pub(crate) type Decoder = fn(Code<'_>, &mut dyn FnMut(Range<FilePc>, Call));

/// Reports the steps in a stretch of code, in the order of their addresses. Returns `false` on machines of which they are not
/// known.
pub(crate) fn steps(
    machine: elf::Machine,
    code: Code<'_>,
    tell: &mut dyn FnMut(Range<FilePc>, Step),
) -> bool {
    match machine {
        elf::EM_386 => x86::steps(code, 32, tell),
        elf::EM_X86_64 => x86::steps(code, 64, tell),
        _ => return false,
    }
    true
}

/// The decoder for the machine of an ELF file; none if there is no such decoder.
pub(crate) fn decoder(machine: elf::Machine, set: InstructionSet) -> Option<Decoder> {
    let decoder: Decoder = match machine {
        elf::EM_386 => |code, tell| x86::calls(code, 32, tell),
        elf::EM_X86_64 => |code, tell| x86::calls(code, 64, tell),
        elf::EM_AARCH64 => aarch64::calls,
        elf::EM_ALPHA => alpha::calls,
        elf::EM_ARM if set == InstructionSet::Thumb => thumb::calls,
        elf::EM_ARM => arm::calls,
        elf::EM_MIPS | elf::EM_MIPS_RS3_LE => mips::calls,
        elf::EM_PPC | elf::EM_PPC64 => powerpc::calls,
        elf::EM_RISCV => riscv::calls,
        elf::EM_S390 => s390::calls,
        elf::EM_SPARC | elf::EM_SPARC32PLUS | elf::EM_SPARCV9 => sparc::calls,
        elf::EM_VAX => vax::calls,
        _ => return None,
    };
    Some(decoder)
}

#[cfg(test)]
mod tests {
    use gmon_format::ByteOrder::{Big, Little};
    use gmon_format::WordSize::{Eight, Four};
    use gmon_format::{Encoding, WordSize};
    use object::elf::*;

    use super::Call::Indirect;
    use super::*;

    fn to(target: u64) -> Call {
        Call::To(FilePc(target))
    }

    fn to_either(target: u64, other: u64) -> Call {
        Call::ToEither(FilePc(target), FilePc(other))
    }

    /// Code at address 0x1000 and what it calls.
    fn check(machine: Machine, set: InstructionSet, word: WordSize, bytes: &[u8], calls: &[Call]) {
        let order = if [EM_MIPS, EM_PPC].contains(&machine) { Big } else { Little };
        let code = Code { address: FilePc(0x1000), bytes, encoding: Encoding { word, order } };
        let decoder = decoder(machine, set).unwrap();
        let mut found = Vec::new();
        decoder(code, &mut |_, call| found.push(call));
        assert_eq!(found, calls, "{machine:?} {set:?}");
        // Code may be cut anywhere.
        for end in 0..bytes.len() {
            decoder(Code { bytes: &bytes[..end], ..code }, &mut |_, _| {});
        }
    }

    fn little(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn big(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    fn halves(halves: &[u16]) -> Vec<u8> {
        halves.iter().flat_map(|half| half.to_le_bytes()).collect()
    }

    #[test]
    fn x86_calls_are_found_by_decoding() {
        // nop; call 0x1000; mov $0xe8, %eax; call 0x1019; jmp; call *%eax; call with 16 bits
        let bytes = [
            0x90, 0xe8, 0xfa, 0xff, 0xff, 0xff, 0xb8, 0xe8, 0, 0, 0, 0xe8, 0x09, 0, 0, 0, 0xeb,
            0xee, 0xff, 0xd0, 0x66, 0xe8, 0, 0,
        ];
        let usual = InstructionSet::Usual;
        check(EM_386, usual, Four, &bytes, &[to(0x1000), to(0x1019), to(0x1018)]);
        check(EM_X86_64, usual, Eight, &bytes[..20], &[to(0x1000), to(0x1019)]);
        check(EM_X86_64, usual, Four, &bytes[..20], &[to(0x1000), to(0x1019)]);
    }

    #[test]
    fn arm_calls_are_found_in_every_instruction_set() {
        // nop; bl 0x1000; bl 0x1018; b; blr
        let a64 = [0xd503_201f, 0x97ff_ffff, 0x9400_0004, 0x17ff_fffd, 0xd63f_0020];
        check(EM_AARCH64, InstructionSet::Usual, Eight, &little(&a64), &[to(0x1000), to(0x1018)]);
        // nop; bl 0x1000; blne 0x101c; b; blx 0x1020; blx r1; blx 0x1022
        let a32 = [
            0xe320_f000,
            0xebff_fffd,
            0x1b00_0003,
            0xeaff_fffb,
            0xfa00_0002,
            0xe12f_ff31,
            0xfb00_0000,
        ];
        check(
            EM_ARM,
            InstructionSet::Usual,
            Four,
            &little(&a32),
            &[to(0x1000), to(0x101c), to(0x1020), to(0x1022)],
        );
        // nop; bl 0x1000; movw; bl 0x1018; b; blx 0x101c; blx r1
        let t32 = [
            0xbf00, 0xf7ff, 0xfffd, 0xf24f, 0x0000, 0xf000, 0xf805, 0xe7f7, 0xf000, 0xe804, 0x4788,
        ];
        check(
            EM_ARM,
            InstructionSet::Thumb,
            Four,
            &halves(&t32),
            &[to(0x1000), to(0x1018), to(0x101c)],
        );
    }

    #[test]
    fn risc_v_calls_are_found_with_and_without_compression() {
        // nop; jal 0x1000; jal t0, 0x101c; j; auipc ra, 0; jalr 14(ra); auipc t1, 0; jalr t1; jr
        let rv64 = [
            0x0001, 0xf0ef, 0xffff, 0x02ef, 0x0160, 0xbfdd, 0x0097, 0x0000, 0x80e7, 0x00e0, 0x0317,
            0x0000, 0x9302, 0x8082,
        ];
        let calls = [to(0x1000), to(0x101c), to(0x101a), to(0x1014)];
        check(EM_RISCV, InstructionSet::Usual, Eight, &halves(&rv64), &calls);
        // nop; jal 0x1000; jal 0x100a; j
        let rv32 = [0x0001, 0x3ffd, 0x2019, 0xbfed];
        let calls = [to(0x1000), to(0x100a)];
        check(EM_RISCV, InstructionSet::Usual, Four, &halves(&rv32), &calls);
    }

    #[test]
    fn calls_are_found_on_machines_with_words() {
        // unimp; call 0x1000; call 0x1014; jmpl; ba
        let sparc = [1 << 24, 0x7fff_ffff, 0x4000_0003, 0x9fc0_4000, 0x10bf_fffc];
        for (machine, word) in [(EM_SPARC, Four), (EM_SPARC32PLUS, Four), (EM_SPARCV9, Eight)] {
            let calls = [to(0x1000), to(0x1014)];
            check(machine, InstructionSet::Usual, word, &big(&sparc), &calls);
        }
        // nop; jal 0x1024; nop; bal 0x1000; jalr $25; jr $31; bgezal $1
        let mips = [0, 0x0c00_0409, 0, 0x0411_fffc, 0x0320_f809, 0x03e0_0008, 0x0431_fffc];
        let calls = [to(0x1024), to(0x1000), Indirect];
        check(EM_MIPS, InstructionSet::Usual, Four, &big(&mips), &calls);
        // nop; bsr 0x1000; bsr 0x1018; jsr; jmp; br
        let alpha = [0x47ff_041f, 0xd35f_fffe, 0xd340_0003, 0x6b5b_4000, 0x6bfb_0000, 0xc3e0_0001];
        let calls = [to_either(0x1000, 0xff8), to_either(0x1018, 0x1010), Indirect];
        check(EM_ALPHA, InstructionSet::Usual, Eight, &little(&alpha), &calls);
    }

    #[test]
    fn powerpc_calls_enter_functions_in_two_places() {
        // nop; bl 0x1000; bl 0x1018; b; bctrl; blrl; bctr; bla
        let code = [
            0x6000_0000u32,
            0x4bff_fffd,
            0x4800_0011,
            0x4bff_fff4,
            0x4e80_0421,
            0x4e80_0021,
            0x4e80_0420,
            0x4800_0013,
        ];
        let usual = InstructionSet::Usual;
        let calls = [to(0x1000), to(0x1018), Indirect, Indirect];
        check(EM_PPC, usual, Four, &big(&code), &calls);
        let calls = [to_either(0x1000, 0xff8), to_either(0x1018, 0x1010), Indirect, Indirect];
        check(EM_PPC64, usual, Eight, &little(&code), &calls);
    }

    #[test]
    fn calls_on_ibm_z_are_found_by_decoding() {
        // lr; brasl %r14, 0x1000; larl with the bytes of a call; bras %r14, 0x1018; basr %r14, %r1; brasl %r0; br; jg
        let code = [
            0x18, 0x12, 0xc0, 0xe5, 0xff, 0xff, 0xff, 0xff, 0xc0, 0x10, 0xc0, 0xe5, 0, 0, 0xa7,
            0xe5, 0, 0x05, 0x0d, 0xe1, 0xc0, 0x05, 0, 0, 0, 8, 0x07, 0xfe, 0xc0, 0xf4, 0, 0, 0, 8,
        ];
        let calls = [to(0x1000), to(0x1018), Indirect];
        check(EM_S390, InstructionSet::Usual, Eight, &code, &calls);
    }

    #[test]
    fn calls_on_mips_are_known_by_the_slot_of_their_function() {
        // ld $25, 16($28); jalr $25; nop; ld $25, -8($28); bal 0x1000; nop; jalr $25; nop; lw $2, 8($28); move $25, $2;
        // jalr $25; nop; ld $25, 24($28); move $25, $16; jalr $25; nop; jal 0x2000; nop
        let code = [
            0xdf99_0010u32,
            0x0320_f809,
            0,
            0xdf99_fff8,
            0x0411_fffb,
            0,
            0x0320_f809,
            0,
            0x8f82_0008,
            0x0040_c825,
            0x0320_f809,
            0,
            0xdf99_0018,
            0x0200_c825,
            0x0320_f809,
            0,
            0x0c00_0800,
            0,
        ];
        let calls = [Call::Slot(16), to(0x1000), Indirect, Call::Slot(8), Indirect, to(0x2000)];
        check(EM_MIPS, InstructionSet::Usual, Eight, &big(&code), &calls);
    }

    #[test]
    fn vax_calls_are_found_in_every_mode() {
        // nop; calls $2 with a byte, $0 with a word, $256 with a long; through 4(r2); absolute; ret
        let vax = [
            0x01, 0xfb, 0x02, 0xaf, 0xfb, 0xfb, 0x00, 0xcf, 0x10, 0x00, 0xfb, 0x8f, 0x00, 0x01, 0,
            0, 0xef, 0xeb, 0xff, 0xff, 0xff, 0xfb, 0x01, 0xb2, 0x04, 0xfb, 0, 0x9f, 0, 0x10, 0, 0,
            0x04,
        ];
        let calls = [to(0x1000), to(0x101a), to(0x1000), Indirect, to(0x1000)];
        check(EM_VAX, InstructionSet::Usual, Four, &vax, &calls);
    }

    #[test]
    fn distances_wrap_around_as_addresses_do() {
        let back = [0xe8, 0xf0, 0xff, 0xff, 0xff];
        let mut found = Vec::new();
        for word in [Four, Eight] {
            let encoding = Encoding { word, order: Big };
            let code = Code { address: FilePc(0), bytes: &[0x7f, 0xff, 0xff, 0xff], encoding };
            sparc::calls(code, &mut |_, call| found.push(call));
        }
        assert_eq!(found, [to(0xffff_fffc), to(u64::MAX - 3)]);
        let encoding = Encoding { word: Eight, order: Little };
        let code = Code { address: FilePc(0x1_0040_1000), bytes: &back, encoding };
        x86::calls(code, 64, &mut |code, call| {
            let own = FilePc(0x1_0040_1000)..FilePc(0x1_0040_1005);
            assert_eq!((code, call), (own, to(0x1_0040_0ff5)));
        });
    }
}

//! x86, 32 and 64 bits: `CALL` with a relative address, found by decoding every instruction.
//!
//! Functions are mostly free of data on this machine, and where a few bytes are not instructions,
//! decoding is in step again soon after.

use std::ops::Range;

use gmon_format::FilePc;
use iced_x86::{Code as Opcode, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

use super::code::{Call, Code, Step};

/// Reports the steps.
pub(super) fn steps(code: Code<'_>, bits: u32, tell: &mut dyn FnMut(Range<FilePc>, Step)) {
    let mut decoder = Decoder::with_ip(bits, code.bytes, code.address.0, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let kind = instruction.op0_kind();
        let is_near =
            matches!(kind, OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64);
        let target = FilePc(instruction.near_branch_target());
        let step = match instruction.mnemonic() {
            Mnemonic::Call => Step::Call,
            Mnemonic::Jmp if is_near => Step::To(target),
            Mnemonic::Jmp => Step::Anywhere,
            Mnemonic::Ret | Mnemonic::Ud2 | Mnemonic::Hlt => Step::Away,
            _ if is_near => Step::Perhaps(target),
            _ => continue,
        };
        tell(FilePc(instruction.ip())..FilePc(instruction.next_ip()), step);
    }
}

/// Reports the calls in code for so many bits; addresses of 64 may all fit into 32.
pub(super) fn calls(code: Code<'_>, bits: u32, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    let mut decoder = Decoder::with_ip(bits, code.bytes, code.address.0, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    // Where the instruction before loads the register that the way to a shared library needs, in code for
    // 32 bits: it is part of the call.
    let mut base = None;
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let start = base.take().unwrap_or(instruction.ip());
        let is_load = instruction.mnemonic() == Mnemonic::Mov;
        if bits == 32 && is_load && instruction.op0_register() == Register::EBX {
            base = Some(instruction.ip());
        }
        if matches!(
            instruction.code(),
            Opcode::Call_rel16 | Opcode::Call_rel32_32 | Opcode::Call_rel32_64
        ) {
            let target = FilePc(instruction.near_branch_target());
            tell(FilePc(start)..FilePc(instruction.next_ip()), Call::To(target));
        }
    }
}

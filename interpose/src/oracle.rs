//! Compares what is read of instructions with what `iced-x86` knows of them, in the machine's libraries.

use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;

use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic,
    OpAccess, Register,
};

use super::call_sites::functions::Functions;
use super::fuzz::files;
use super::processor::{Native, Processor};
use crate::elf::Image;
use crate::instruction::{Registers, Then};

/// A register of any width as one of the sixteen.
fn general(register: Register) -> Option<u8> {
    register.is_gpr().then(|| register.full_register() as u8 - Register::RAX as u8)
}

/// Fault of an instruction.
fn fault(own: &crate::instruction::Instruction, truth: &Instruction) -> Option<&'static str> {
    if own.len != truth.len() {
        return Some("length");
    }
    let is_flow = match truth.flow_control() {
        FlowControl::Next | FlowControl::Interrupt => matches!(own.then, Then::Next | Then::End),
        FlowControl::UnconditionalBranch => {
            own.then == Then::Jump(truth.near_branch_target() as usize)
        }
        FlowControl::ConditionalBranch => {
            own.then == Then::Branch(truth.near_branch_target() as usize)
        }
        FlowControl::IndirectBranch => matches!(own.then, Then::JumpRegister(_) | Then::JumpWord),
        FlowControl::Call => {
            own.then == Then::Call(truth.near_branch_target() as usize)
                || truth.code() == Code::Syscall
        }
        FlowControl::IndirectCall => matches!(own.then, Then::CallRegister(_) | Then::CallWord),
        FlowControl::Return => own.then == Then::Return,
        FlowControl::Exception => own.then == Then::End,
        FlowControl::XbeginXabortXend => true,
    };
    if !is_flow {
        return Some("flow");
    }
    if truth.is_ip_rel_memory_operand() {
        let address = truth.ip_rel_memory_address() as usize;
        if own.word.map(|word| word.address) != Some(address) {
            return Some("word");
        }
    }
    let mut named = own.reads.with(own.compares).with(own.stores).with(own.writes);
    if let Some((from, to)) = own.copies {
        named = named.with(Registers::one(from)).with(Registers::one(to));
    }
    match own.then {
        Then::CallRegister(one) | Then::JumpRegister(one) => {
            named = named.with(Registers::one(one))
        }
        _ => {}
    }
    if let Some(crate::instruction::WordUse::Load(register)) = own.word.map(|word| word.used) {
        named = named.with(Registers::one(register));
    }
    let mut factory = InstructionInfoFactory::new();
    for used in factory.info(truth).used_registers() {
        let Some(number) = general(used.register()) else { continue };
        // Every push, call and return moves the stack pointer.
        if number == 4 {
            continue;
        }
        let access = used.access();
        // What may stay as it is was named as held, or is now.
        let is_held = access == OpAccess::CondWrite || access == OpAccess::NoMemAccess;
        if !named.has(number) && own.then == Then::Next && !is_held {
            return Some("a register that is not named");
        }
        let is_only_written = own.writes.has(number) && !own.reads.has(number);
        // The register stays as it is if no bit is set, but code does not count on that.
        let is_search = matches!(truth.mnemonic(), Mnemonic::Bsf | Mnemonic::Bsr);
        let is_zeroing = truth.op_count() == 2 && truth.op0_register() == truth.op1_register();
        if is_only_written && !is_zeroing && !is_search && access != OpAccess::Write {
            let elsewhere = own.copies.is_some_and(|(from, _)| from == number);
            if !elsewhere {
                return Some("a register that is not only written");
            }
        }
    }
    None
}

#[test]
fn instructions_are_what_they_are() {
    let (mut count, mut unknown) = (0, 0);
    let mut faults: BTreeMap<(&str, Code), (usize, String)> = BTreeMap::new();
    for file in files() {
        let image = Image::of_file(&file).unwrap();
        let functions = Functions::of(&image).expect("functions");
        for part in image.parts.iter().filter(|part| part.is_code) {
            let mut at = part.start;
            while at < part.start + part.len {
                let Some(function) = functions.around(at) else {
                    at += 1;
                    continue;
                };
                let code = &image.tail(function.start).unwrap()[..function.end - function.start];
                let options = DecoderOptions::NONE;
                let decoder = Decoder::with_ip(64, code, function.start as u64, options);
                for truth in decoder {
                    if truth.is_invalid() {
                        break;
                    }
                    let place = truth.ip() as usize;
                    count += 1;
                    let Some(own) = Native::decode(&code[place - function.start..], place) else {
                        unknown += 1;
                        continue;
                    };
                    if let Some(fault) = fault(&own, &truth) {
                        let entry = faults.entry((fault, truth.code())).or_default();
                        entry.0 += 1;
                        entry.1 = std::format!("{place:#x}: {own:?}");
                    }
                }
                at = function.end.max(at + 1);
            }
        }
    }
    let faults: Vec<_> = faults.iter().take(40).collect();
    std::println!("{count} instructions, {unknown} unknown");
    assert!(count > 100_000 && unknown * 1000 < count, "{count}, {unknown} unknown");
    assert!(faults.is_empty(), "{faults:#?}");
}

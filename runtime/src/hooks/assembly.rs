//! Assembles the stubs in `asm/`, and gives them the numbers that both sides have to know.
//!
//! *Context:* none; this is text for the assembler.

#![allow(bad_asm_style, reason = "the option for AT&T's syntax is known on x86 only")]

use core::arch::global_asm;

use crate::state::State;
use crate::{arcs, system};

/// Includes `asm/<processor>/<name>`.
macro_rules! assembly {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/asm/",
            env!("GMON_PROCESSOR"),
            "/",
            $name
        ))
    };
}

/// Macros that hooks of 32-bit ARM share with those of Cortex-M from V7-M on.
#[cfg(target_arch = "arm")]
macro_rules! assembly_of_arm {
    () => {
        shared_assembly!(".v7.S")
    };
}
#[cfg(not(target_arch = "arm"))]
macro_rules! assembly_of_arm {
    () => {
        ""
    };
}

/// Numbers of those hooks that time calls by themselves.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! assembly_of_times {
    () => {
        shared_assembly!(".times.S")
    };
}
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
macro_rules! assembly_of_times {
    () => {
        ""
    };
}

/// Includes `asm/shared<suffix>`, which is for every processor.
macro_rules! shared_assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/shared", $suffix))
    };
}

// What the system has of its own comes last.
global_asm!(
    ".set TABLE_MASK, {mask}",
    ".set TABLE_OWNER, {owner}",
    ".set ENTRY_SELF, {self_pc}",
    ".set ENTRY_FROM, {from_pc}",
    ".set ENTRY_COUNT, {count}",
    ".set ENTRY_SIZE, {entry}",
    ".set HASH_FROM, {hash_from}",
    ".set HASH_BOTH, {hash_both}",
    ".set HASH_SHIFT, {hash_shift}",
    ".set STATE_ON, {on}",
    ".set STATE_OFF, {off}",
    ".set STATE_TIMED, {timed}",
    ".set HAS_THREADS, {has_threads}",
    ".set HAS_ATOMICS, {has_atomics}",
    ".set WORD, {word}",
    concat!(".macro GMON_VERSION\n.asciz \"", env!("CARGO_PKG_VERSION"), "\"\n.endm\n"),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/macros.S")),
    assembly!("macros.S"),
    assembly_of_arm!(),
    assembly_of_times!(),
    assembly!("hooks.S"),
    shared_assembly!(".S"),
    system_assembly!(),
    mask = const arcs::stub::MASK,
    owner = const arcs::stub::OWNER,
    self_pc = const arcs::stub::SELF_PC,
    from_pc = const arcs::stub::FROM_PC,
    count = const arcs::stub::COUNT,
    entry = const arcs::stub::ENTRY,
    hash_from = const arcs::stub::HASH_FROM,
    hash_both = const arcs::stub::HASH_BOTH,
    hash_shift = const arcs::stub::HASH_SHIFT,
    on = const State::On as u32,
    off = const State::Off as u32,
    timed = const State::Timed as u32,
    has_threads = const system::HAS_THREADS as u32,
    has_atomics = const cfg!(target_has_atomic = "ptr") as u32,
    word = const size_of::<usize>(),
);

//! Hooks that sleep until somebody wants them: those of programs that were built with `--dormant`.
//!
//! A function of such a program begins with code that does nothing, of which a switch makes a call of `__fentry__`
//! ([`gmon_format::dormant`]). A switch is one store, which no thread has to be stopped for:
//!
//! * A thread is before the instruction that changes or behind it, never inside, as both forms are one instruction of the
//!   same length.
//! * A processor that fetches the instruction meanwhile finds the old one or the new one, since one byte changes, or a
//!   word that the processor's makers let change so. AMD's manual (volume 2, "Cross-Modifying Code") allows
//!   a store within an aligned quadword under running processors, and a byte never leaves one. Intel's (volume 3, "Handling Self-
//!   and Cross-Modifying Code") describes only how to stop the others, which is for several bytes; but even the breakpoint
//!   protocol of debuggers and kernels begins and ends with such a store of one byte, and would ask for SIGTRAP, which
//!   threads may block: then a breakpoint kills the program.
//! * When the switch is over, the kernel has had every processor forget what it has read ahead. Where it cannot do
//!   that, other threads see the switch a little later, and nothing else is different.
//!
//! A hook is known by its place itself: its code has to be that of a hook that leads to our own `__fentry__`. So
//! nobody's list of addresses has to be trusted.
//!
//! *Context:* `begin` startup or hook; `change` any, one thread at a time.

#[cfg_attr(not(any(target_arch = "aarch64", target_arch = "x86_64")), path = "no_exits.rs")]
mod exits;
#[cfg_attr(
    not(any(target_arch = "aarch64", target_arch = "riscv64", target_arch = "x86_64")),
    path = "none.rs"
)]
mod hooks;
mod names;

pub(crate) use exits::{exit_target, hook_of, is_exit};
pub(crate) use hooks::are_there;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
pub(crate) use hooks::code_at;
pub(crate) use names::each as each_function;

use core::sync::atomic::{AtomicUsize, Ordering};

use arrayvec::ArrayVec;
use gmon_format::dormant;
use gmon_format::options::{self, Key};
use gmon_system::program::Program;
use gmon_system::writable_code::WritableCode;
use gmon_system::{message, platform};

use crate::linux::options::Options;

/// Number of hooks that are awake.
static AWAKE: AtomicUsize = AtomicUsize::new(0);

/// Number of hooks that sleep otherwise and are awake.
pub(crate) fn awake() -> usize {
    AWAKE.load(Ordering::Relaxed)
}

/// Returns `true` if the program's hooks sleep and nobody has asked for a profile: then it runs as if there was no
/// runtime in it.
pub(crate) fn is_left_alone() -> bool {
    are_there() && Options::are_none()
}

/// Wakes the hooks that the user wants awake from the start.
pub(crate) fn begin() {
    let Some(list) = Options::get().hooks else { return };
    let Some(program) = Program::get() else { return };
    if !are_there() {
        return message::say(&[
            b"hooks: the program was not built with --dormant: it has no hooks that sleep",
        ]);
    }
    let Some(mut code) = Code::make(program) else {
        return message::say(&[b"hooks: the system forbids to change the program's code"]);
    };
    let names_are_known = names::each(|name, code_of| {
        if patterns(list, Key::Hooks).any(|pattern| dormant::fits(pattern, name)) {
            code.switch(program.bias.wrapping_add(code_of.start), true);
        }
    });
    drop(code);
    if !names_are_known {
        message::say(&[b"hooks: the program has no symbols by which its functions are known"]);
    } else if awake() == 0 {
        for pattern in patterns(list, Key::Hooks) {
            message::say(&[b"hooks: no function with a hook fits `", pattern, b"`"]);
        }
    }
}

/// Patterns of functions that the user wants something of.
pub(crate) fn patterns(list: &'static [u8], key: Key) -> impl Iterator<Item = &'static [u8]> {
    options::pairs(list).filter(move |pair| pair.key == Some(key)).map(|pair| pair.value)
}

/// Wakes the hooks of functions, by their addresses in the program's file, or puts them to sleep. What is no hook is left
/// alone. False if that cannot be done.
pub(crate) fn change(functions: impl Iterator<Item = u32>, wake: bool) -> bool {
    let code = Program::get().filter(|_| are_there());
    let Some((program, mut code)) = code.and_then(|program| Some((program, Code::make(program)?)))
    else {
        return false;
    };
    for function in functions {
        code.switch(program.bias.wrapping_add(function as usize), wake);
    }
    true
}

/// The program's code, made writable for a while. The switches are everywhere when it is dropped.
pub(crate) struct Code {
    parts: ArrayVec<WritableCode, PARTS>,
}

/// Segments with code that a program has at most. Linkers make one.
const PARTS: usize = 4;

impl Code {
    /// `None` if the system forbids it.
    pub(crate) fn make(program: &'static Program) -> Option<Self> {
        let mut parts = ArrayVec::new();
        for part in program.code() {
            parts.try_push(WritableCode::make(part)?).ok()?;
        }
        Some(Self { parts })
    }

    /// Wakes the hook of the function at an address, or puts it to sleep; false if there is none, or one that is as it should be.
    pub(crate) fn switch(&mut self, function: usize, wake: bool) -> bool {
        let Some((place, bytes)) = hooks::switch(function, wake) else { return false };
        // SAFETY: of a hook, in which this may change under running processors, and lies as it has to for that.
        self.parts.iter().for_each(|part| unsafe { part.store(place, bytes) });
        if wake {
            AWAKE.fetch_add(1, Ordering::Relaxed);
        } else {
            AWAKE.fetch_sub(1, Ordering::Relaxed);
        }
        true
    }

    /// Returns when all threads execute what was switched until now.
    pub(crate) fn renew(&mut self) {
        platform::renew_code();
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        self.parts.clear();
        platform::renew_code();
    }
}

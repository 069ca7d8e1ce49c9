//! Calls into shared libraries that were not compiled for it: what `GMON_OPTIONS=libcalls` asks for.
//!
//! ```text
//! code of a module ─→ its slot ─→ stub ─→ __gmon_library_call ─→ function of a library
//!                                              └→ this thread's table
//! ```
//!
//! Code calls a function of another module by way of a word that the loader fills, its slot. We point the slots
//! of the program, and of libraries that have hooks, at stubs: each counts the arc as a hook would, and jumps to the
//! function. Nothing is done when the function returns.
//!
//! | file | what it is |
//! |---|---|
//! | `dynamic`, `symbols`, `slots` | what a module's tables say; [`elf`](gmon_interpose::elf) checks every read |
//! | `called` | which slots code only calls by |
//! | `call_sites` | the places that call by a slot whose address is taken, too |
//! | `scope` | the modules, and where the loader finds a symbol |
//! | `filter`, `left` | which functions are counted, and which could not be |
//! | `stubs`, `patch` | the stubs, and the slots and places that lead to them |
//! | `processor` | what differs between processors |
//!
//! *Context:* `begin` startup or hook; `meet` hook.

mod call_sites;
mod filter;
mod left;
mod patch;
mod scope;
mod stubs;

use core::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use gmon_interpose::{Native, Processor};
use gmon_system::program::Program;
use gmon_system::{message, platform};

use crate::linux::options::Options;
pub(crate) use left::names as left_alone;
use scope::Module;
use stubs::Stubs;

/// True if calls are counted.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// The thread that looks for modules, or 0.
static LOOKING: AtomicI32 = AtomicI32::new(0);

/// Begins to count, if the user wants it.
pub(crate) fn begin() {
    let Some(list) = Options::get().library_calls else { return };
    let Some(program) = Program::get() else { return };
    if IS_ON.load(Ordering::Relaxed) {
        return;
    }
    if !Native::IS_SUPPORTED {
        return message::say(&[
            b"libcalls: not on this processor: calls into libraries are not counted",
        ]);
    }
    let say = |path: &[u8], why: &'static str| {
        message::say(&[b"libcalls: calls from ", path, b" are not counted: ", why.as_bytes()]);
    };
    if !scope::update(program, true, say) {
        return message::say(&[
            b"libcalls: the program has no shared libraries whose calls could be counted",
        ]);
    }
    for module in scope::modules().filter(|module| is_caller(module) && module.take()) {
        let path = if module.path.is_empty() { program.name } else { module.path };
        if let Err(why) = patch::patch(module, list, Stubs::make) {
            say(path, why);
        }
    }
    IS_ON.store(true, Ordering::Release);
}

/// Returns `true` if calls of a module are counted.
fn is_caller(module: &Module) -> bool {
    module.is_program || module.counts_itself
}

/// Looks whether a call that a hook counts for the first time is of a module that was loaded meanwhile, whose own
/// calls are then counted from now on: its first hook comes before them.
pub(crate) fn meet(pc: usize) {
    if !IS_ON.load(Ordering::Acquire) || scope::module_of(pc).is_some() {
        return;
    }
    /// Times that a thread yields to one that looks already.
    const PATIENCE: usize = 10_000;
    let own = platform::thread_id();
    let take = || LOOKING.compare_exchange(0, own, Ordering::Acquire, Ordering::Relaxed);
    for _ in 0..PATIENCE {
        match take() {
            Ok(_) => {
                look(pc);
                return LOOKING.store(0, Ordering::Release);
            }
            // This handler has interrupted the one that looks.
            Err(other) if other == own => return,
            Err(_) if scope::module_of(pc).is_some() => return,
            Err(_) => platform::yield_cpu(),
        }
    }
}

/// Returns `true` if it is ours to count calls of a function, which has no hook then.
pub(crate) fn counts(pc: usize) -> bool {
    let is_without_hooks = |module: &Module| !is_caller(module);
    IS_ON.load(Ordering::Acquire)
        && (scope::module_of(pc).is_some_and(is_without_hooks) || scope::is_kernels(pc))
}

/// Notes, in a forked child, that no thread looks for modules: one that did stayed in the parent, and nobody else
/// would ever find any.
pub(crate) fn forget() {
    LOOKING.store(0, Ordering::Release);
}

/// Looks for the module of an address that is new. Never inlined: threads that call hooks may have little stack.
#[cold]
#[inline(never)]
fn look(pc: usize) {
    /// Times to wait for another thread that is loading a module.
    const TURNS: usize = 1000;
    let (Some(program), Some(list)) = (Program::get(), Options::get().library_calls) else {
        return;
    };
    if scope::module_of(pc).is_some() {
        return;
    }
    // A hook says nothing: what cannot be used is left alone.
    gmon_stacks::while_nothing_leaves(|| {
        let update = || scope::update(program, false, |_, _| {});
        if !(0..TURNS).any(|_| {
            update() || {
                platform::yield_cpu();
                false
            }
        }) {
            return;
        }
        for module in scope::modules().take_while(|module| !module.is_first) {
            if is_caller(module) && module.take() {
                _ = patch::patch(module, list, |count| {
                    reused(count).map_or_else(|| Stubs::make(count), Ok)
                });
            }
        }
    });
}

/// Stubs that served a module which was unloaded.
fn reused(count: usize) -> Option<Stubs> {
    let gone = scope::modules().filter(|module| module.is_gone());
    gone.clone().for_each(Module::drop_words);
    gone.filter_map(|module| module.take_stubs(count)).next()
}

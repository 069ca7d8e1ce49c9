//! Entries of the C library and its start files into the runtime.
//!
//! *Context:* as each says.

use core::ffi::{c_char, c_int};
use core::sync::atomic::{AtomicBool, Ordering};

use gmon_stacks::Event;
use gmon_system::c_library;
#[cfg(not(test))]
use gmon_system::program::Program;

#[cfg(not(test))]
use crate::linux::ends::thread;
use crate::linux::life;
#[cfg(not(test))]
use crate::linux::options::Options;
#[cfg(target_arch = "x86_64")]
use crate::linux::times;

/// Starts profiling, sampling addresses from `low_pc` up to `high_pc`.
///
/// Ignored while a profile is being taken, so that start files, constructors and programs may all
/// call it. *Context:* startup.
#[unsafe(no_mangle)]
pub extern "C" fn monstartup(low_pc: usize, high_pc: usize) {
    life::start(Some(low_pc..high_pc));
    life::attach();
    if life::is_preloaded() {
        // The constructor came before the start file.
        life::await_exit();
    }
}

/// True if `gcrt1.o` has asked for a profile before one could be started.
static IS_ASKED_FOR: AtomicBool = AtomicBool::new(false);

/// The name by which glibc's `gcrt1.o` calls [`monstartup`]. On ports without `_init` it does so from
/// `.preinit_array`, when the C library does not know the environment yet; then the constructor, which is
/// next, starts the profile. *Context:* startup.
#[unsafe(no_mangle)]
pub extern "C" fn __monstartup(low_pc: usize, high_pc: usize) {
    life::note_start_file();
    if c_library::has_environment() {
        monstartup(low_pc, high_pc);
    } else {
        IS_ASKED_FOR.store(true, Ordering::Relaxed);
    }
}

/// Counts a call that is not in the thread's table yet, of a function that calls a hook at its end, too. *Context:* hook.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
extern "C" fn __gmon_enter_miss(from_pc: usize, self_pc: usize) {
    times::note_ends();
    life::count_call(from_pc, self_pc);
}

/// Function that the stub of `__fork_handler` calls: musl's `fork` does so before it forks, with a
/// negative number, then in the parent with 0 and in the child with 1. *Context:* any.
#[unsafe(no_mangle)]
extern "C" fn __gmon_fork_handler(who: c_int) {
    if who > 0 {
        life::after_fork_in_child();
    }
}

/// Notes that something happens now, by its name. *Context:* any.
///
/// # Safety
/// The name must be null or a string that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gmon_mark(name: *const c_char) {
    // SAFETY: the caller's promise.
    unsafe { life::note(Event::Moment(name)) };
}

/// Notes that a phase of the calling thread begins, by its name. *Context:* any.
///
/// # Safety
/// The name must be null or a string that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gmon_begin(name: *const c_char) {
    // SAFETY: the caller's promise.
    unsafe { life::note(Event::Begin(name)) };
}

/// Notes that the phase of the calling thread that began last ends. *Context:* any.
#[unsafe(no_mangle)]
pub extern "C" fn gmon_end() {
    // SAFETY: there is no name.
    unsafe { life::note(Event::End) };
}

/// Attaches the runtime to its program. A preloaded one starts no profile yet: the setting that
/// preloads it is inherited by every program that this one starts, and one without hooks has
/// nothing to tell, unless stacks are wanted. One with a runtime of its own tells it itself.
#[cfg(not(test))]
#[cfg_attr(not(panic = "abort"), allow(dead_code, reason = "as below"))]
extern "C" fn constructor() {
    c_library::find_syscall();
    if life::is_preloaded() {
        thread::find();
    }
    let is_alone = || !Program::get().is_some_and(Program::has_another_runtime);
    let wants_stacks = || Options::get().stacks != 0 && is_alone();
    let is_wanted = IS_ASKED_FOR.load(Ordering::Relaxed) || life::has_early_calls();
    if !life::is_preloaded() || is_wanted || wants_stacks() {
        life::start(None);
    }
    if !life::attach() {
        // A start file came first, and has registered `_mcleanup`, which ours is to come before.
        life::await_exit();
    }
}

#[cfg(not(test))]
#[cfg_attr(not(panic = "abort"), allow(dead_code, reason = "as below"))]
extern "C" fn destructor() {
    life::end();
}

/// Starts the profile where no start file does. Only in the libraries, which `gmon-archive` makes with `panic = "abort"`: tests
/// of the packages below link the runtime for its stubs, and are not profiled.
#[cfg(panic = "abort")]
#[used]
#[unsafe(link_section = ".init_array.00000")]
static CONSTRUCTOR: extern "C" fn() = constructor;

/// Ends the profile: destructors run in the opposite order, so that this one comes last.
#[cfg(panic = "abort")]
#[used]
#[unsafe(link_section = ".fini_array.00000")]
static DESTRUCTOR: extern "C" fn() = destructor;

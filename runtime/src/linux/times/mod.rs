//! Times of calls: how long each call of the functions took that the user names.
//!
//! ```text
//! __fentry__ ───→ the thread's stack of calls ──→ counted as ever
//! an exit ──────→ takes the call from it ───────→ numbers of its function ─→ live file, full profile
//! ```
//!
//! Exits sleep as hooks do ([`dormant`]): awake, they jump to `__x86_return_thunk` or `__gmon_return`, which takes the time and
//! returns. No return address is changed, so unwinders, exceptions and coroutines find what they expect.
//!
//! A call is known by its place on the stack. What ends in another way than by a return leaves its call on the
//! stack of calls, where whatever is called from further up finds it: such calls are counted as calls without end, and never
//! timed. Every function whose exits are awake has its hook awake, too, so that no exit takes a call for its own that
//! is somebody else's.
//!
//! Hooks that every compiler knows, those of `-finstrument-functions`, serve where exits cannot sleep:
//!
//! ```text
//! __cyg_profile_func_enter ─→ __gmon_enter ─→ the thread's stack of calls ─→ counted as ever
//! __cyg_profile_func_exit ──→ __gmon_leave ─→ takes the call from it ─→ numbers of its function
//! ```
//!
//! Functions come and go while threads run. Those that come are timed when their hooks and exits are awake and all threads
//! know it; those that go are timed no longer before their exits fall asleep. With each such switch a new era begins:
//! a thread drops the calls of the last one before it looks for any, since some of them may have ended unseen.
//!
//! | file | what it is |
//! |---|---|
//! | `choice` | the functions, their hooks and their exits |
//! | `hooks` | hooks of `-finstrument-functions`, where they are not of `asm/` |
//! | `sleeping` | hooks and exits that sleep otherwise |
//! | `instrumented` | programs built with `-finstrument-functions` |
//! | `switch` | functions that come and go |
//! | `shadow` | a thread's stacks of calls |
//! | `stack` | one of them, and its calls |
//! | `numbers` | a function's numbers |
//! | `callers` | those of a function's calls from one place, if the user asks for them |
//! | `clock`, `system_clock` | the processor's clock, or the system's, and nanoseconds |
//!
//! *Context:* `begin` startup or hook; `enter` and `leave` hook; the rest as each says.

mod callers;
mod choice;
#[cfg_attr(not(any(target_arch = "aarch64", target_arch = "x86_64")), path = "system_clock.rs")]
mod clock;
#[cfg(not(target_arch = "x86_64"))]
mod hooks;
mod instrumented;
mod numbers;
mod shadow;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod sleeping;
mod stack;
mod switch;

use core::ops::Range;

use gmon_system::message;
use gmon_system::program::Program;

use crate::linux::dormant;
use crate::linux::options::Options;
pub(crate) use numbers::Numbers;
use shadow::Times;
use switch::Threads;

/// Returns `true` if calls are timed by hooks that go by the state. *Context:* any.
pub(crate) fn are_on() -> bool {
    switch::number() != 0 && choice::are_by_state()
}

/// Number of functions whose calls are timed; `None` if that cannot be switched. Only the full profile has times, and it is written
/// with stacks. *Context:* any.
pub(crate) fn switchable() -> Option<u32> {
    (gmon_stacks::are_recorded() && can_be())
        .then(|| u32::try_from(switch::number()).unwrap_or(u32::MAX))
}

fn can_be() -> bool {
    match dormant::are_there() {
        true => dormant::exit_target().is_some(),
        false => instrumented::is_program(),
    }
}

/// Times the calls of functions, by their addresses in the program's file, from now on, or no longer. False if that cannot
/// be done. *Context:* any, one thread at a time.
pub(crate) fn switch(functions: impl Iterator<Item = Range<u32>> + Clone, on: bool) -> bool {
    let Some(program) = Program::get().filter(|_| switchable().is_some()) else { return false };
    let place = |address: u32| program.bias.wrapping_add(address as usize);
    let functions = functions.map(|function| place(function.start)..place(function.end));
    match on {
        true => {
            let visit = |tell: &mut dyn FnMut(Range<usize>)| functions.clone().for_each(tell);
            clock::calibrate() && switch::wake(program, &THREADS, visit).is_ok()
        }
        false => put_to_sleep(program, functions.map(|function| function.start)),
    }
}

const THREADS: Threads = Threads {
    numbers: shadow::offset_of_numbers(0),
    prepare: |keys| {
        shadow::begin_keys(keys);
        shadow::begin_era();
    },
};

fn put_to_sleep(program: &'static Program, functions: impl Iterator<Item = usize>) -> bool {
    let before = switch::number();
    let is_done = switch::put_to_sleep(program, functions);
    if switch::number() != before {
        shadow::begin_era();
    }
    is_done
}

/// Prepares for hooks that are about to be switched: a function whose hook is to sleep is not timed any more, and one that
/// somebody else wants awake stays awake when it is timed no longer. *Context:* as for [`switch()`].
pub(crate) fn meet_hooks(functions: impl Iterator<Item = u32>, wake: bool) {
    let Some(program) = Program::get().filter(|_| choice::keys().is_some()) else { return };
    let functions = functions.map(|address| program.bias.wrapping_add(address as usize));
    match wake {
        true => switch::leave_hooks_awake(functions),
        false => _ = put_to_sleep(program, functions),
    }
}

/// Notes that functions of the program call a hook at their ends, too. *Context:* any.
#[cfg(target_arch = "x86_64")]
pub(crate) fn note_ends() {
    instrumented::note();
}

/// Begins a new era: calls that run now have no end. *Context:* any.
pub(crate) fn forget_calls() {
    shadow::lose_calls();
}

/// Wakes hooks and exits of the functions that the user wants timed.
pub(crate) fn begin() {
    let Some(list) = Options::get().times.filter(|_| choice::keys().is_none()) else { return };
    let Some(program) = Program::get() else { return };
    if !can_be() {
        return message::say(&[
            b"times: the program was not built with --dormant by a compiler whose exits can sleep, nor by gmon cc --times",
        ]);
    }
    if !clock::calibrate() {
        return message::say(&[b"times: the processor has no clock that is always as fast"]);
    }
    if let Err(why) = switch::begin(program, list, &THREADS) {
        message::say(&[b"times: ", why.as_bytes()]);
    }
}

/// Sets all numbers to zero. *Context:* any; calls that end meanwhile may stay.
pub(crate) fn reset() {
    shadow::all().flat_map(Times::numbers).for_each(Numbers::reset);
}

/// Makes the times of an ended thread, which may be none, another's. *Context:* hook.
pub(crate) fn hand_over(times: usize, thread: i32) {
    if let (Some(times), Some(keys)) = (Times::at(times), choice::keys()) {
        times.hand_over(keys, thread);
    }
}

/// Begins again in a forked child, in which no call has begun.
pub(crate) fn forget() {
    shadow::forget_ended();
}

/// The numbers of all functions and threads that have some. *Context:* exit.
pub(crate) fn each() -> impl Iterator<Item = &'static Numbers> + Clone {
    shadow::all().flat_map(Times::numbers).filter(|numbers| numbers.has_some())
}

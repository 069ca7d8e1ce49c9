//! Functions that begin to be timed, or are timed no longer, while threads run.
//!
//! *Context:* `begin` startup or hook; the rest any; one thread at a time.

use core::cell::Cell;
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use gmon_format::dormant as format;
use gmon_format::options::Key as OptionKey;
use gmon_system::message;
use gmon_system::program::Program;

use super::choice::{Keys, exits, keys, room_for, self_pc};
use crate::linux::dormant::{self, Code};

/// Number of functions whose calls are timed.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// Place of functions that come in the calls and numbers of threads.
pub(super) struct Threads {
    /// Distance of the first numbers from the start of a thread's times.
    pub(super) numbers: usize,
    /// To be called when the functions are known, and before anything is awake.
    pub(super) prepare: fn(&'static Keys),
}

/// Number of functions whose calls are timed.
pub(super) fn number() -> usize {
    NUMBER.load(Ordering::Relaxed)
}

/// Times the calls of the functions that fit the list.
///
/// # Errors
/// Nothing can be woken.
pub(super) fn begin(
    program: &'static Program,
    list: &'static [u8],
    threads: &Threads,
) -> Result<(), &'static str> {
    let are_named = Cell::new(false);
    wake(program, threads, |tell| {
        are_named.set(dormant::each_function(|name, addresses| {
            if dormant::patterns(list, OptionKey::Times).any(|it| format::fits(it, name)) {
                let place = |address: usize| program.bias.wrapping_add(address);
                tell(place(addresses.start)..place(addresses.end));
            }
        }));
    })?;
    if !are_named.get() {
        return Err("the program has no symbols by which its functions are known");
    }
    if number() == 0 {
        for pattern in dormant::patterns(list, OptionKey::Times) {
            let which: &[u8] = if dormant::are_there() { b" whose exits sleep" } else { b"" };
            message::say(&[b"times: no function", which, b" fits `", pattern, b"`"]);
        }
    }
    Ok(())
}

/// Times the calls of those functions that can be timed of all that `visit` tells, and tells again when asked again.
///
/// # Errors
/// Nothing can be woken.
pub(super) fn wake(
    program: &'static Program,
    threads: &Threads,
    visit: impl Fn(&mut dyn FnMut(Range<usize>)),
) -> Result<(), &'static str> {
    let mut new = 0;
    let mut are_some = false;
    visit(&mut |function| {
        if let Some(self_pc) = self_pc(&function) {
            are_some = true;
            new += usize::from(keys().is_none_or(|keys| keys.key_of(self_pc).is_none()));
        }
    });
    if !are_some {
        return Ok(());
    }
    let mut code = writable(program).ok_or("the system forbids to change the program's code")?;
    let keys = room_for(new, threads.numbers).ok_or("no memory")?;
    visit(&mut |function| {
        if let Some(key) = self_pc(&function).and_then(|it| keys.key_or_new(it, &function)) {
            key.is_meant.store(!key.is_on(keys), Ordering::Relaxed);
        }
    });
    (threads.prepare)(keys);
    if let Some(code) = &mut code {
        for key in keys.meant() {
            key.has_woken_hook.store(code.switch(key.start(), true), Ordering::Relaxed);
        }
        // Hooks come first: no exit may find a call whose beginning nobody saw.
        code.renew();
        for key in keys.meant() {
            exits(key.addresses()).for_each(|exit| code.switch_exit(exit, true));
        }
        code.renew();
    }
    for (index, key) in keys.each().filter(|(_, key)| key.is_meant.load(Ordering::Relaxed)) {
        key.switch(keys, index);
        NUMBER.fetch_add(1, Ordering::Relaxed);
    }
    keys.end_of_switch();
    Ok(())
}

/// Times the calls of functions no longer, by their first addresses. Some of them may end unseen. False if it cannot be done.
pub(super) fn put_to_sleep(
    program: &'static Program,
    functions: impl Iterator<Item = usize>,
) -> bool {
    let Some(keys) = keys() else { return true };
    let mut are_some = false;
    for key in functions.filter_map(|it| keys.key_at(it)).filter(|key| key.is_on(keys)) {
        key.is_meant.store(true, Ordering::Relaxed);
        are_some = true;
    }
    if !are_some {
        return true;
    }
    let Some(mut code) = writable(program) else {
        keys.end_of_switch();
        return false;
    };
    for key in keys.meant() {
        key.switch(keys, 0);
        NUMBER.fetch_sub(1, Ordering::Relaxed);
    }
    if let Some(code) = &mut code {
        code.renew();
        for key in keys.meant() {
            exits(key.addresses()).for_each(|exit| code.switch_exit(exit, false));
        }
        code.renew();
        for key in keys.meant().filter(|key| key.has_woken_hook.swap(false, Ordering::Relaxed)) {
            code.switch(key.start(), false);
        }
    }
    keys.end_of_switch();
    true
}

/// The program's code, if hooks and exits are to be switched in it, which hooks of `-finstrument-functions` are not. `None` if the
/// system forbids it.
fn writable(program: &'static Program) -> Option<Option<Code>> {
    if dormant::are_there() { Code::make(program).map(Some) } else { Some(None) }
}

/// Has hooks stay awake when their functions are timed no longer.
pub(super) fn leave_hooks_awake(functions: impl Iterator<Item = usize>) {
    let Some(keys) = keys() else { return };
    for key in functions.filter_map(|function| keys.key_at(function)) {
        key.has_woken_hook.store(false, Ordering::Relaxed);
    }
}

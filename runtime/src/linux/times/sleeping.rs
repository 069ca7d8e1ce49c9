//! Hooks and exits that sleep otherwise, at the very start and end of a function. They know a place by which calls are known: that of
//! the return address, or, where that is in a register, the stack pointer, which is lower in whatever the function calls.
//!
//! A call at the same place is a tail call if the code of the one above has a jump to it, and otherwise the one above was left.
//!
//! *Context:* hook.

use core::sync::atomic::Ordering;

use super::choice::{self, Keys};
use super::clock;
use super::shadow::Times;
use super::stack::Call;
use crate::linux::{dormant, threads};
use crate::state::{self, State};

/// Puts a call on the stack of calls, where the hook was in doubt. `slot` is its place, `kept` the registers that it gives back as it
/// found them, in one number.
#[unsafe(no_mangle)]
extern "C" fn __gmon_times_enter(slot: usize, self_pc: usize, kept: usize, return_pc: usize) {
    let Some(keys) = choice::keys() else { return };
    let Some((index, key)) = keys.find(self_pc) else { return };
    let Some(times) = Times::own(keys) else { return };
    times.alone(slot, |stack| {
        let numbers = times.called(index);
        stack.drop_while(|call| call.is_below(slot));
        let top = stack.call();
        let ends_with_this = top.is_some_and(|top| {
            let returns_there = top.return_pc.load(Ordering::Relaxed) == return_pc;
            top.is_at(slot) && returns_there && leads(keys, top.function(), key.start())
        });
        if !ends_with_this {
            stack.drop_while(|call| call.is_at(slot));
        }
        if numbers.is_due() && !stack.push([slot, return_pc, kept], numbers) {
            numbers.lose();
        }
    });
}

/// Takes a call from the stack of calls, where the exit was in doubt.
#[unsafe(no_mangle)]
extern "C" fn __gmon_times_leave(slot: usize, kept: usize, return_pc: usize) {
    let now = clock::now();
    let times =
        threads::own_times().and_then(|(place, _)| Times::at(place.load(Ordering::Relaxed)));
    let Some(times) = times else { return };
    // Hooks look for functions in the table that the thread has: it may be an old one.
    let times = choice::keys().and_then(Times::own).unwrap_or(times);
    if state::get() != State::Timed {
        // Calls begin that nobody sees: whatever ends may be one of them.
        return times.drop_all();
    }
    times.alone(slot, |stack| {
        stack.drop_while(|call| call.is_below(slot));
        // Coroutines may take turns in the same memory, as greenlets of Python do: registers tell whose call it is.
        let is_own = |call: &&Call| call.is_at(slot) && call.frame.load(Ordering::Relaxed) == kept;
        while let Some(call) = stack.call().filter(is_own) {
            stack.pop();
            match call.return_pc.load(Ordering::Relaxed) == return_pc {
                true => times.end(call, now),
                false => call.lose(),
            }
        }
    });
}

/// Returns `true` if the code of the function at `caller`, which is timed, has a jump to the start of another: calls of that
/// may end calls of it.
fn leads(keys: &'static Keys, caller: usize, function: usize) -> bool {
    let Some(key) = keys.key_at(caller).filter(|key| key.is_on(keys)) else { return false };
    key.addresses().any(|address| {
        let Some(code) = dormant::code_at(address) else { return false };
        targets(code, address).any(|target| target == function)
    })
}

/// Targets of the jump that may begin at an address: `jmp` or, behind a condition, `jcc`, each with a long or a short distance.
#[cfg(target_arch = "x86_64")]
fn targets(code: [u8; 6], address: usize) -> impl Iterator<Item = usize> {
    let [first, a, b, c, d, e] = code;
    let target = |len: usize, distance: i32| {
        address.wrapping_add(len).wrapping_add_signed(distance as isize)
    };
    let long = (first == 0xe9).then(|| target(5, i32::from_le_bytes([a, b, c, d])));
    let short = (first == 0xeb || first & 0xf0 == 0x70).then(|| target(2, (a as i8).into()));
    let conditional = first == 0x0f && a & 0xf0 == 0x80;
    let conditional = conditional.then(|| target(6, i32::from_le_bytes([b, c, d, e])));
    long.into_iter().chain(short).chain(conditional)
}

/// Target of the jump that may begin at an address: `b`, which has a distance of 26 bits, in words.
#[cfg(target_arch = "aarch64")]
fn targets(code: [u8; 4], address: usize) -> impl Iterator<Item = usize> {
    let word = u32::from_le_bytes(code);
    let distance = ((word << 6) as i32 >> 4) as isize;
    let is_jump = address % 4 == 0 && word >> 26 == 0b00_0101;
    is_jump.then(|| address.wrapping_add_signed(distance)).into_iter()
}

//! The caller of a function that calls its hook before anything else, on x86 of both sizes.
//!
//! gcc enters a nested function by a push of the static chain, the call of `__fentry__` and a pop, so that
//! the static chain, an address in a caller's frame, lies where frompc should be.
//!
//! *Context:* hook.

use gmon_system::arch::PUSH_CHAIN;

use crate::system::life;

/// The slow path of `__fentry__`. `stack` is the stack pointer at its entry: selfpc, then frompc.
#[unsafe(no_mangle)]
extern "C" fn __gmon_fentry_miss(from_pc: usize, self_pc: usize, stack: usize) {
    /// Distance above the stack pointer within which the frame of an enclosing function can be.
    const STACK: usize = 1 << 30;
    const WORD: usize = size_of::<usize>();
    let is_frame = from_pc.wrapping_sub(stack) < STACK && from_pc % WORD == 0;
    let from_pc = if is_frame && follows_push_of_chain(self_pc) {
        // SAFETY: the push was seen, so the word above the pushed one is the return address.
        unsafe { *((stack + 2 * WORD) as *const usize) }
    } else {
        from_pc
    };
    life::count_call(from_pc, self_pc);
}

/// Returns `true` if the call that returns to `self_pc` comes right after the push.
fn follows_push_of_chain(self_pc: usize) -> bool {
    // call rel32 or a call through the global offset table; each perhaps after endbr.
    const CALLS: [usize; 4] = [5, 6, 5 + 4, 6 + 4];
    CALLS.iter().any(|len| {
        let push = (self_pc - len - PUSH_CHAIN.len()) as *const [u8; PUSH_CHAIN.len()];
        // SAFETY: text before a return address. The call itself begins `len` bytes before it; the
        // few bytes before that are of the same section, which starts with the program's own
        // code: at least `_init` or a start file lies before any profiled function.
        unsafe { *push == PUSH_CHAIN }
    })
}

//! x86-64, System V ABI.

use crate::life;

macro_rules! assembly {
    ($suffix:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/asm/x86_64", $suffix))
    };
}

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;

/// The slow path of `__fentry__`. `stack` is the stack pointer at its entry: selfpc, then frompc.
///
/// gcc enters a nested function by `push %r10; call __fentry__; pop %r10`, so that the static
/// chain, an address in a caller's frame, lies where frompc should be.
///
/// *Context:* hook.
#[unsafe(no_mangle)]
extern "C" fn __gmon_fentry_miss(from_pc: usize, self_pc: usize, stack: usize) {
    /// How far above the stack pointer the frame of an enclosing function can be.
    const STACK: usize = 1 << 30;
    let is_frame = from_pc.wrapping_sub(stack) < STACK && from_pc % 8 == 0;
    let from_pc = if is_frame && follows_push_r10(self_pc) {
        // SAFETY: the push was seen, so the word above the pushed one is the return address.
        unsafe { *((stack + 16) as *const usize) }
    } else {
        from_pc
    };
    life::count_call(from_pc, self_pc);
}

/// Whether the call that returns to `self_pc` comes right after `push %r10`.
fn follows_push_r10(self_pc: usize) -> bool {
    const PUSH_R10: [u8; 2] = [0x41, 0x52];
    // call rel32 or call *GOT(%rip); each perhaps after endbr64.
    const CALLS: [usize; 4] = [5, 6, 5 + 4, 6 + 4];
    CALLS.iter().any(|len| {
        let push = (self_pc - len - PUSH_R10.len()) as *const [u8; 2];
        // SAFETY: text before a return address. The call itself begins `len` bytes before it; the
        // few bytes before that are of the same section, which starts with the program's own
        // code: at least `_init` or a start file lies before any profiled function.
        unsafe { *push == PUSH_R10 }
    })
}

//! A single writer at a time, on a stack of its own, which no signal interrupts.
//!
//! A profile may be asked for by `exit`, by signal handlers and by the program, from any thread and
//! on any stack. Writing it wants some kilobytes of stack and must not be begun twice.
//!
//! *Context:* any.

use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use gmon_system::region::Region;
use gmon_system::{machine, platform};

/// The thread that writes; 0 if none does.
static WRITER: AtomicI32 = AtomicI32::new(0);

/// The stack. Pages are there when touched.
const STACK: usize = 256 * 1024;

/// Distance from every other stack. Valgrind takes the stack pointer to have jumped to another one, and not a
/// frame to be made or given up, if it moves by 2,000,000 bytes.
const DISTANCE: usize = 2 << 20;

static STACK_BASE: AtomicPtr<u8> = AtomicPtr::new(null_mut());

/// Runs `action` alone and returns what it does. Where another thread runs one, waits for its end
/// first; where this thread does, a fault in it has come back here, and nothing is done.
pub(crate) fn run(action: fn() -> bool) -> bool {
    platform::without_signals(|| {
        let entered = enter();
        let done = entered && on_own_stack(action);
        if entered {
            WRITER.store(0, Ordering::Release);
        }
        done
    })
}

/// Begins again in a forked child, where no other thread is.
pub(crate) fn forget() {
    WRITER.store(0, Ordering::Release);
}

fn enter() -> bool {
    // A writer that takes longer hangs in a file system; whoever waits may be about to die.
    const PATIENCE_MILLISECONDS: i64 = 30_000;
    let this = platform::thread_id();
    for _ in 0..PATIENCE_MILLISECONDS {
        match WRITER.compare_exchange(0, this, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return true,
            Err(writer) if writer == this => return false,
            Err(_) => platform::sleep_milliseconds(1),
        }
    }
    false
}

fn on_own_stack(action: fn() -> bool) -> bool {
    struct Call {
        action: fn() -> bool,
        done: bool,
    }
    extern "C" fn call(data: *mut c_void) {
        // SAFETY: what is passed below: a pointer to a Call that outlives this and that nobody else
        // uses meanwhile.
        let call = unsafe { &mut *data.cast::<Call>() };
        call.done = (call.action)();
    }
    // Mapped once and kept: the next writer needs it too.
    let mut base = STACK_BASE.load(Ordering::Acquire);
    if base.is_null() {
        let near = || Region::map(STACK).map(|region| region.base().as_ptr());
        base = platform::map_apart(STACK, DISTANCE).or_else(near).unwrap_or(null_mut());
        STACK_BASE.store(base, Ordering::Release);
    }
    if base.is_null() {
        return action();
    }
    let mut data = Call { action, done: false };
    // SAFETY: the mapping is page-aligned and STACK bytes large, and only the one writer uses it:
    // `WRITER` is this thread.
    unsafe { machine::call_on_stack(base.add(STACK), call, (&raw mut data).cast()) };
    data.done
}

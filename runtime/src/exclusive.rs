//! One writer at a time, on a stack of its own, which no signal interrupts.
//!
//! A profile may be asked for by `exit`, by signal handlers and by the program, from any thread and
//! on any stack. Writing it wants some ten kilobytes of stack and must not be begun twice.
//!
//! *Context:* any.

use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, Ordering};

use crate::region::Region;
use crate::{arch, platform};

/// The thread that writes; 0 if none does.
static WRITER: AtomicI32 = AtomicI32::new(0);

/// The stack. Pages are there when touched.
const STACK: usize = 256 * 1024;

/// Runs `action` alone. Where another thread runs one, waits for its end first; where this thread
/// does, a fault in it has come back here, and nothing is done.
pub(crate) fn run(action: fn()) {
    platform::without_signals(|| {
        if enter() {
            on_own_stack(action);
            WRITER.store(0, Ordering::Release);
        }
    });
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

fn on_own_stack(action: fn()) {
    extern "C" fn call(action: *mut c_void) {
        // SAFETY: what `on_own_stack` passes: a pointer to its argument, which outlives the call.
        let action = unsafe { *action.cast::<fn()>() };
        action();
    }
    let Some(region) = Region::map(STACK) else {
        return action();
    };
    let data = (&raw const action).cast_mut().cast();
    // SAFETY: the mapping is fresh, page-aligned, and STACK bytes large; the stack ends with the
    // call and nothing keeps an address in it.
    unsafe {
        arch::call_on_stack(region.base().as_ptr().add(STACK), call, data);
        region.unmap();
    }
}

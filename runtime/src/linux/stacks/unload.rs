//! `dlclose`: whatever it unloads, no address is ever another module's.
//!
//! Samples and arcs are known by addresses, and the loader would give the next library those of the last
//! one. So what was unloaded stays reserved, as memory that nobody can touch. And while the loader unmaps, no
//! handler may read the rules of what it may unmap.
//!
//! *Context:* anywhere the program may call `dlclose`.

use core::ffi::{c_int, c_void};
use core::mem::transmute;

use gmon_system::{c_library, platform};

use super::{are_recorded, modules, recorder};

type Close = extern "C" fn(*mut c_void) -> c_int;

/// Waits until nobody walks. Not for ever: a debugger may have stopped who does.
fn await_walks() {
    /// Most walks take some microseconds, but who walks may have to wait for a busy processor.
    const TURNS: usize = 100;
    const MILLISECONDS: usize = 2000;
    for turn in 0..TURNS + MILLISECONDS {
        if recorder::are_idle() {
            return;
        }
        if turn < TURNS { platform::yield_cpu() } else { platform::sleep_milliseconds(1) }
    }
}

/// `dlclose(3)`. Without a loader that could unload, everything stays, which the standard allows.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_dlclose(handle: *mut c_void) -> c_int {
    let Some(close) = c_library::next_definition(c"dlclose") else { return 0 };
    // SAFETY: the C library's function of this name has this type.
    let close = unsafe { transmute::<*mut c_void, Close>(close.as_ptr()) };
    if !are_recorded() {
        return close(handle);
    }
    // What was loaded since the last look is to be known by its name.
    modules::look_now();
    let _pause = modules::pause();
    await_walks();
    let result = close(handle);
    modules::look_now();
    result
}

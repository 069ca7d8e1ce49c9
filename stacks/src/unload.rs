//! `dlclose`: whatever it unloads, no address is ever another module's.
//!
//! Samples and arcs are known by addresses, and the loader would give the next library those of the last
//! one. So what was unloaded stays reserved, as memory that nobody can touch. And while the loader unmaps, no
//! handler may read the rules of what it may unmap.
//!
//! *Context:* anywhere the program may call `dlclose`.

use gmon_system::{loader, platform};

use super::{are_recorded, modules, recorder};

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

/// Runs `dlclose`, by which modules may go.
pub fn unload<T>(dlclose: impl FnOnce() -> T) -> T {
    if !are_recorded() {
        return dlclose();
    }
    let before = loader::changes();
    // What was loaded since the last look is to be known by its name.
    modules::look_if_added(before.map(|changes| changes.added));
    let _pause = modules::pause();
    await_walks();
    let result = dlclose();
    // Often nothing: others may still use it.
    let removed =
        before.zip(loader::changes()).map(|(old, new)| new.removed.wrapping_sub(old.removed));
    if !removed.is_some_and(|removed| removed == 0 || modules::note_removed(removed)) {
        _ = modules::look_now();
    }
    result
}

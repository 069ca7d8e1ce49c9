//! Valgrind, which carries out the program's instructions and some of its system calls itself.
//!
//! Signals that the kernel times hit valgrind's own code as well as the program's, so there are no samples under it,
//! and its clock would tell nothing of the program's time anyway. Calls are counted as ever.
//!
//! *Context:* startup and hook; the answer does not change.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::linux::{c_library, environment, platform};

/// Answers of [`is_there`]; 0 until the environment is known.
static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const NO: u8 = 1;
const YES: u8 = 2;

/// True under valgrind, which preloads a library of its own into it, also where the program is
/// static and loads none.
pub fn is_there() -> bool {
    const LIBRARY: &[u8] = b"/vgpreload_";
    let answer = ANSWER.load(Ordering::Relaxed);
    if answer != UNKNOWN || !c_library::has_environment() {
        return answer == YES;
    }
    let preloaded = environment::preloaded().unwrap_or_default();
    let is_there = preloaded.windows(LIBRARY.len()).any(|window| window == LIBRARY);
    ANSWER.store(if is_there { YES } else { NO }, Ordering::Relaxed);
    is_there
}

/// True of a mapped file that is valgrind itself and no module of the program, unlike the libraries that it preloads.
/// Its memory is none that the program may read.
pub fn is_its_own(path: &[u8]) -> bool {
    const FOLDER: &[u8] = b"/valgrind/";
    let is_inside = || path.windows(FOLDER.len()).any(|window| window == FOLDER);
    is_there() && is_inside() && !path.ends_with(b".so")
}

/// Probes the word at an aligned address: true if it can be read. Valgrind makes changes of the signal mask itself, and would read
/// the address of a wrong one: there a copy of the word must do, which costs more.
pub fn is_readable(address: usize) -> bool {
    const WORD: usize = size_of::<usize>();
    if is_there() {
        platform::copy::<WORD>(address).is_some()
    } else {
        platform::is_readable(address)
    }
}

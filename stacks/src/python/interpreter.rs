//! The interpreter, which never changes once it is known: a process has one.
//!
//! *Context:* any.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use gmon_python::Interpreter;
use gmon_system::region::Region;

static INTERPRETER: AtomicPtr<Interpreter> = AtomicPtr::new(null_mut());

/// The interpreter, if it was found.
pub(super) fn get() -> Option<&'static Interpreter> {
    // SAFETY: null, or what `publish` placed in memory that stays.
    unsafe { INTERPRETER.load(Ordering::Acquire).as_ref() }
}

/// Makes an interpreter known. Only for the one who looks at modules.
pub(super) fn publish(interpreter: Interpreter) {
    let Some(region) = Region::map(size_of::<Interpreter>()) else { return };
    let place = core::ptr::from_ref(region.place(interpreter)).cast_mut();
    INTERPRETER.store(place, Ordering::Release);
}

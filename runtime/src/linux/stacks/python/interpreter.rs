//! Facts about the interpreter, which never change once they are known: a process has one.
//!
//! *Context:* any.

use core::ops::Range;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use arrayvec::ArrayVec;
use gmon_python::Layout;

use crate::linux::region::Region;

/// Pieces of the evaluator that are known: compilers put what they take for rare elsewhere.
pub(super) const PIECES: usize = 8;

/// The interpreter of the process.
pub(super) struct Interpreter {
    pub(super) layout: Layout,
    /// Addresses of its module.
    pub(super) module: Range<usize>,
    /// Code of the evaluator.
    pub(super) evaluator: ArrayVec<Range<usize>, PIECES>,
    /// True if the evaluator only begins, and functions that jump to each other go on (3.14).
    pub(super) jumps: bool,
}

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

impl Interpreter {
    /// Returns `true` if an address lies in the evaluator.
    pub(super) fn evaluates(&self, pc: usize) -> bool {
        self.evaluator.iter().any(|piece| piece.contains(&pc))
    }
}

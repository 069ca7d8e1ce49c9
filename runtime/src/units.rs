//! Counts of basic blocks that the program keeps itself, by the contract of old gcc's `-a`: units of
//! compilation that say where their counts are.
//!
//! Such code counts on its own, by additions that threads may lose, and cannot be paused. Units
//! are linked to each other; the list begins at `__bb_head`, which others may walk too.
//!
//! *Context:* `take` hook; `blocks` and `reset` exit.

use core::ffi::c_char;
use core::ptr::null_mut;
use core::sync::atomic::Ordering;

use gmon_system::atomic::{AtomicPtr, AtomicUsize};
use gmon_system::program::Program;

use crate::counted::Counted;

/// Facts in compiled code about a unit. The layout is the compiler's, and its `long` is as large as
/// an address.
#[repr(C)]
pub(crate) struct CompilationUnit {
    /// Zero until the unit was taken.
    is_taken: AtomicUsize,
    _file: *const c_char,
    counts: *const AtomicUsize,
    len: usize,
    next: AtomicPtr<CompilationUnit>,
    pcs: *const usize,
}

/// Start of the list, in the program; null before the first unit.
static HEAD: AtomicPtr<AtomicPtr<CompilationUnit>> = AtomicPtr::new(null_mut());

/// Adds a unit of the program to the list unless it is in it. Those of libraries, which may be unloaded,
/// are left out.
pub(crate) fn take(unit: &'static CompilationUnit, head: &'static AtomicPtr<CompilationUnit>) {
    if unit.is_taken.swap(1, Ordering::AcqRel) != 0 || !unit.is_programs() {
        return;
    }
    HEAD.store(core::ptr::from_ref(head).cast_mut(), Ordering::Release);
    let node = core::ptr::from_ref(unit).cast_mut();
    let mut next = head.load(Ordering::Relaxed);
    loop {
        unit.next.store(next, Ordering::Relaxed);
        match head.compare_exchange_weak(next, node, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(newer) => next = newer,
        }
    }
}

/// All blocks of all units.
pub(crate) fn blocks() -> impl Iterator<Item = Counted> {
    let blocks = units().flat_map(CompilationUnit::blocks);
    blocks.map(|(pc, count)| Counted::of_block(pc, count.load(Ordering::Relaxed) as u64))
}

/// Returns `true` if no block was executed.
pub(crate) fn is_empty() -> bool {
    blocks().all(|block| block.count == 0)
}

/// Sets every count to zero.
pub(crate) fn reset() {
    units()
        .flat_map(CompilationUnit::blocks)
        .for_each(|(_, count)| count.store(0, Ordering::Relaxed));
}

fn units() -> impl Iterator<Item = &'static CompilationUnit> {
    // SAFETY: null, or what `take` was lent for ever.
    let head = unsafe { HEAD.load(Ordering::Acquire).as_ref() };
    core::iter::successors(head.and_then(CompilationUnit::at), |unit| {
        CompilationUnit::at(&unit.next)
    })
}

impl CompilationUnit {
    fn at(pointer: &AtomicPtr<Self>) -> Option<&'static Self> {
        // SAFETY: null, or a unit that was lent for ever.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    }

    /// The address of each block, and where its executions are counted.
    fn blocks(&self) -> impl Iterator<Item = (usize, &AtomicUsize)> {
        (0..self.len).map(|i| {
            // SAFETY: by the contract a unit has `len` addresses and counts, which are there as long
            // as it is.
            unsafe { (*self.pcs.add(i), &*self.counts.add(i)) }
        })
    }

    fn is_programs(&self) -> bool {
        let text = Program::get().map(|program| &program.text);
        self.blocks().next().is_some_and(|(pc, _)| text.is_some_and(|text| text.contains(&pc)))
    }
}

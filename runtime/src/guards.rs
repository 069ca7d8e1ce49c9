//! Guards of basic blocks (`-fsanitize-coverage=trace-pc-guard,pc-table`): which block is whose.
//!
//! A program or library brings one 32-bit guard for each of its blocks, all zero, and a table with the
//! address of each block in the same order. Its constructors hand over both, again for every unit of
//! compilation, before any code of the units runs. Then a guard gets the distance to its block, so that
//! the hook knows the block's exact address without any table of ours, and nothing grows when libraries
//! are loaded later. A guard that stays zero (no table, or a block too far off) has its block counted by
//! where its hook was called from.
//!
//! The table of the program itself is kept: it names the blocks that were never executed.
//!
//! *Context:* startup; `blocks` exit.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, Ordering};

use gmon_system::atomic::{AtomicPtr, AtomicUsize};
use gmon_system::program::Program;

use crate::counted::Counted;

/// A row of the table.
#[repr(C)]
pub(crate) struct GuardRow {
    /// The address of the block.
    pc: usize,
    _flags: usize,
}

/// A list of others' that stays where it is.
struct List<T> {
    first: AtomicPtr<T>,
    len: AtomicUsize,
}

/// The guards handed over last, whose table comes next.
static GUARDS: List<AtomicI32> = List::new();

/// The table of the program.
static TABLE: List<GuardRow> = List::new();

impl<T> List<T> {
    const fn new() -> Self {
        Self { first: AtomicPtr::new(null_mut()), len: AtomicUsize::new(0) }
    }

    fn set(&self, list: &'static [T]) {
        self.first.store(list.as_ptr().cast_mut(), Ordering::Relaxed);
        self.len.store(list.len(), Ordering::Release);
    }

    fn get(&self) -> &'static [T] {
        let len = self.len.load(Ordering::Acquire);
        let first = self.first.load(Ordering::Relaxed);
        if first.is_null() {
            return &[];
        }
        // SAFETY: `set` was given such a list. Constructors run one after the other, and no other
        // code sets one.
        unsafe { core::slice::from_raw_parts(first, len) }
    }
}

/// Takes the guards of a program or library.
pub(crate) fn take(guards: &'static [AtomicI32]) {
    GUARDS.set(guards);
}

/// Tells the guards taken last where their blocks are.
pub(crate) fn locate(table: &'static [GuardRow]) {
    let guards = GUARDS.get();
    // They may be unloaded before the next ones come.
    GUARDS.set(&[]);
    let is_done = guards.first().is_none_or(|guard| guard.load(Ordering::Relaxed) != 0);
    if is_done || guards.len() != table.len() {
        return;
    }
    for (guard, row) in guards.iter().zip(table) {
        let distance = row.pc.wrapping_sub(core::ptr::from_ref(guard) as usize);
        guard.store(i32::try_from(distance as isize).unwrap_or(0), Ordering::Relaxed);
    }
    let is_programs = |row: &GuardRow| Program::get().is_some_and(|own| own.text.contains(&row.pc));
    if table.first().is_some_and(is_programs) {
        TABLE.set(table);
    }
}

/// All blocks of the program's table, none of them executed.
pub(crate) fn blocks() -> impl Iterator<Item = Counted> {
    TABLE.get().iter().map(|row| Counted::of_block(row.pc, 0))
}

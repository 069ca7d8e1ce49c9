//! Counts of the tables: calls along an arc, or executions of a basic block, which is an arc from
//! nowhere.
//!
//! Both are packed as an entry of a table has them, since many are sorted at exit and 32-bit machines
//! have few bytes to spare. Only this file and the stubs know how to tell them apart.
//!
//! *Context:* any.

use core::marker::PhantomData;

use gmon_format::{Arc, Block, CallSite, Encoding, FilePc, LoadedPc, Placement, ReturnPc, SelfPc};

/// In place of a frompc, says that not calls are counted but executions of the basic block around
/// selfpc. Known to the hooks of blocks, and to readers of a live file.
const BLOCK: usize = usize::MAX;
const _: () = assert!(BLOCK as u64 == Encoding::NATIVE.word.largest());

/// A count, by addresses of the process or of the executable.
#[derive(Clone, Copy)]
pub(crate) struct Counted<A = LoadedPc> {
    /// A [`ReturnPc`] of the process, a [`CallSite`] of the executable, or [`BLOCK`].
    from_pc: usize,
    /// An address in the function called, or in the block.
    self_pc: usize,
    pub(crate) count: u64,
    kind: PhantomData<A>,
}

impl Counted {
    /// The count of an entry with this key.
    pub(crate) fn of_entry(from_pc: usize, self_pc: usize, count: u64) -> Self {
        Self { from_pc, self_pc, count, kind: PhantomData }
    }

    /// Executions of the block around an address.
    pub(crate) fn of_block(pc: usize, count: u64) -> Self {
        Self::of_entry(BLOCK, pc, count)
    }

    /// The count in the executable's addresses; `None` if it is of no code of the program.
    pub(crate) fn in_program(self, placement: &Placement) -> Option<Counted<FilePc>> {
        let Self { from_pc, self_pc, count, kind: _ } = self;
        let pc = LoadedPc(self_pc as u64);
        let (from_pc, FilePc(self_pc)) = if self.is_block() {
            (BLOCK, placement.pc(pc)?)
        } else {
            let return_pc = ReturnPc(LoadedPc(from_pc as u64));
            let (CallSite(FilePc(site)), SelfPc(pc)) = placement.arc(return_pc, SelfPc(pc))?;
            (site as usize, pc)
        };
        Some(Counted { from_pc, self_pc: self_pc as usize, count, kind: PhantomData })
    }
}

impl Counted<FilePc> {
    /// The calls, if it counts some.
    pub(crate) fn arc(self) -> Option<Arc> {
        let Self { from_pc, self_pc, count, .. } = self;
        (!self.is_block()).then(|| Arc::new(from_pc as u64, self_pc as u64, count))
    }

    /// The executions of a block, if it counts these.
    pub(crate) fn block(self) -> Option<Block> {
        let block = Block { pc: FilePc(self.self_pc as u64), count: self.count };
        self.is_block().then_some(block)
    }
}

impl<A> Counted<A> {
    /// Nothing, which can be overwritten.
    pub(crate) const NOTHING: Self = Self { from_pc: 0, self_pc: 0, count: 0, kind: PhantomData };

    /// Frompc and selfpc as an entry has them. Those of blocks are larger than those of arcs.
    pub(crate) fn key(&self) -> (usize, usize) {
        (self.from_pc, self.self_pc)
    }

    /// Another count by the same addresses.
    pub(crate) fn times(&self, count: u64) -> Self {
        Self { count, from_pc: self.from_pc, self_pc: self.self_pc, kind: PhantomData }
    }

    /// Returns `true` if executions of a block are counted, and not calls.
    pub(crate) fn is_block(&self) -> bool {
        self.from_pc == BLOCK
    }
}

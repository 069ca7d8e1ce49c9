//! The counts of the file: what was counted in the program, each arc and each basic block once, in
//! order.
//!
//! Order and merging make two runs of one program comparable: tables are ordered by hashes of
//! addresses, which change from run to run.
//!
//! *Context:* exit.

use gmon_format::{Block, Placement};

use crate::arcs::Arc;
use crate::system::Program;
use crate::system::Region;
use crate::system::threads;
use crate::{arch, guards, units};

/// What was counted, sorted and perhaps repeated. Addresses are those of the executable; frompc is inside
/// the calling instruction.
pub(crate) struct Counts<'l>(&'l [Arc]);

/// As many as are sorted without memory from the system.
pub(crate) const FEW: usize = 32;

/// Calls `visit` with everything that was counted in the program; stops at its first error. Without
/// memory to sort in, `visit` gets a few at a time: readers add up what is repeated.
pub(crate) fn visit<E>(
    program: &Program,
    visit: impl FnMut(Counts<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let placement = placement(program);
    visit_some(|arc| into_program(arc, &placement), visit)
}

/// Like [`visit`], with everything that was counted in any module: addresses are those of the process, and
/// frompc is where the call returns to.
pub(crate) fn visit_all<E>(visit: impl FnMut(Counts<'_>) -> Result<(), E>) -> Result<(), E> {
    visit_some(Some, visit)
}

/// Whether something was counted outside of the program, as in its libraries.
pub(crate) fn are_elsewhere(program: &Program) -> bool {
    let placement = placement(program);
    threads::arcs().any(|arc| placement.pc(arc.self_pc as u64).is_none())
}

fn visit_some<E>(
    choose: impl Fn(Arc) -> Option<Arc>,
    mut visit: impl FnMut(Counts<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let listed = || guards::blocks().chain(units::blocks());
    let counts = threads::arcs().chain(listed());
    let mut counts = counts.filter_map(choose);
    // Threads that still run may find new arcs between the two passes: room for twice as many.
    let likely = threads::used() + listed().count();
    let room = 2 * likely;
    let many = || Region::map(room * size_of::<Arc>());
    let Some(region) = (likely > FEW).then(many).flatten() else {
        let mut list = [Arc::block(0, 0); FEW];
        while let few @ Counts([_, ..]) = Counts::fill(&mut list, &mut counts) {
            visit(few)?;
        }
        return Ok(());
    };
    region.populate(0..likely * size_of::<Arc>());
    // SAFETY: the mapping is fresh and large enough, and an Arc is three numbers, valid when zero.
    let list =
        unsafe { core::slice::from_raw_parts_mut(region.base().cast::<Arc>().as_ptr(), room) };
    let result = visit(Counts::fill(list, &mut counts));
    // SAFETY: `list`, the only borrow of the region, is not used any more.
    unsafe { region.unmap() };
    result
}

impl<'l> Counts<'l> {
    /// As many as have room in `list`.
    fn fill(list: &'l mut [Arc], counts: &mut impl Iterator<Item = Arc>) -> Self {
        let mut len = 0;
        for (place, arc) in list.iter_mut().zip(counts) {
            *place = arc;
            len += 1;
        }
        let list = list.get_mut(..len).unwrap_or_default();
        // Blocks come last: no frompc is larger than theirs.
        list.sort_unstable_by_key(|arc| (arc.from_pc, arc.self_pc));
        Self(list)
    }

    /// Every arc and every block once.
    pub(crate) fn all(&self) -> impl Iterator<Item = Arc> + Clone {
        self.sums()
    }

    /// Every arc once.
    pub(crate) fn arcs(&self) -> impl Iterator<Item = Arc> {
        self.sums().take_while(|arc| !arc.is_block())
    }

    /// Every block once.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Block> + Clone {
        let blocks = self.sums().skip_while(|arc| !arc.is_block());
        blocks.map(|block| Block { pc: block.self_pc as u64, count: block.count })
    }

    fn sums(&self) -> impl Iterator<Item = Arc> + Clone {
        // Not `chunk_by`, whose iterator cannot be cloned before Rust 1.88.
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let first = rest.first()?;
            let is_same = |arc: &&Arc| (arc.from_pc, arc.self_pc) == (first.from_pc, first.self_pc);
            let (mut count, mut len) = (0u64, 0);
            for arc in rest.iter().take_while(is_same) {
                count = count.saturating_add(arc.count);
                len += 1;
            }
            rest = rest.get(len..)?;
            Some(Arc { count, ..*first })
        })
    }
}

/// Where the program lies. The function that stands for callers outside it is the runtime's marker; a
/// preloaded runtime has that outside too, and the entry point must do.
pub(crate) fn placement(program: &Program) -> Placement {
    let external_caller =
        if program.has_runtime() { arch::external_caller() } else { program.entry };
    Placement {
        bias: program.bias as u64,
        text: program.text.start as u64..program.text.end as u64,
        external_caller: external_caller as u64,
        call_offset: arch::CALL_OFFSET as u64,
    }
}

fn into_program(arc: Arc, placement: &Placement) -> Option<Arc> {
    if arc.is_block() {
        let pc = placement.pc(arc.self_pc as u64)?;
        return Some(Arc::block(pc as usize, arc.count));
    }
    let (from_pc, self_pc) = placement.arc(arc.from_pc as u64, arc.self_pc as u64)?;
    Some(Arc { from_pc: from_pc as usize, self_pc: self_pc as usize, ..arc })
}

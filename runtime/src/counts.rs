//! The counts of the file: what was counted in the program, each arc and each basic block once, in
//! order.
//!
//! Order and merging make two runs of one program comparable: tables are ordered by hashes of
//! addresses, which change from run to run.
//!
//! *Context:* exit.

use gmon_format::{Arc, Block, FilePc, LoadedPc, Placement};
use gmon_system::arch;
use gmon_system::program::Program;
use gmon_system::region::Region;

use crate::counted::Counted;
use crate::system::threads;
use crate::{guards, units};

/// Counts, sorted and perhaps repeated.
pub(crate) struct Counts<'l, A>(&'l [Counted<A>]);

/// As many as are sorted without memory from the system.
pub(crate) const FEW: usize = 32;

/// Calls `visit` with everything that was counted in the program; stops at its first error. Without
/// memory to sort in, `visit` gets a few at a time: readers add up what is repeated.
pub(crate) fn visit<E>(
    program: &Program,
    visit: impl FnMut(Counts<'_, FilePc>) -> Result<(), E>,
) -> Result<(), E> {
    let placement = placement(program);
    visit_some(|counted| counted.in_program(&placement), visit)
}

/// Like [`visit`], with everything that was counted in any module, as the process counted it.
pub(crate) fn visit_all<E>(
    visit: impl FnMut(Counts<'_, LoadedPc>) -> Result<(), E>,
) -> Result<(), E> {
    visit_some(Some, visit)
}

/// Returns `true` if something was counted outside of the program, as in its libraries.
pub(crate) fn are_elsewhere(program: &Program) -> bool {
    let placement = placement(program);
    threads::counts().any(|counted| counted.in_program(&placement).is_none())
}

fn visit_some<A: Copy, E>(
    choose: impl Fn(Counted) -> Option<Counted<A>>,
    mut visit: impl FnMut(Counts<'_, A>) -> Result<(), E>,
) -> Result<(), E> {
    let listed = || guards::blocks().chain(units::blocks());
    let counts = threads::counts().chain(listed());
    let mut counts = counts.filter_map(choose);
    // Threads that still run may find new arcs between the two passes: room for twice as many.
    let likely = threads::used() + listed().count();
    let room = 2 * likely;
    let many = || Region::map(room * size_of::<Counted>());
    let Some(region) = (likely > FEW).then(many).flatten() else {
        let mut list = [Counted::NOTHING; FEW];
        while let few @ Counts([_, ..]) = Counts::fill(&mut list, &mut counts) {
            visit(few)?;
        }
        return Ok(());
    };
    region.populate(0..likely * size_of::<Counted>());
    // SAFETY: the mapping is fresh and large enough, and a count is three numbers, valid when zero.
    let list = unsafe {
        core::slice::from_raw_parts_mut(region.base().cast::<Counted<A>>().as_ptr(), room)
    };
    let result = visit(Counts::fill(list, &mut counts));
    // SAFETY: `list`, the only borrow of the region, is not used any more.
    unsafe { region.unmap() };
    result
}

impl<'l, A: Copy> Counts<'l, A> {
    /// As many as have room in `list`.
    fn fill(list: &'l mut [Counted<A>], counts: &mut impl Iterator<Item = Counted<A>>) -> Self {
        let mut len = 0;
        for (place, counted) in list.iter_mut().zip(counts) {
            *place = counted;
            len += 1;
        }
        let list = list.get_mut(..len).unwrap_or_default();
        // Blocks come last.
        list.sort_unstable_by_key(Counted::key);
        Self(list)
    }

    /// Every arc and every block once.
    pub(crate) fn all(&self) -> impl Iterator<Item = Counted<A>> + Clone {
        // Not `chunk_by`, whose iterator cannot be cloned before Rust 1.88.
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let first = rest.first()?;
            let is_same = |counted: &&Counted<A>| counted.key() == first.key();
            let (mut count, mut len) = (0u64, 0);
            for counted in rest.iter().take_while(is_same) {
                count = count.saturating_add(counted.count);
                len += 1;
            }
            rest = rest.get(len..)?;
            Some(first.times(count))
        })
    }
}

impl Counts<'_, FilePc> {
    /// Every arc once.
    pub(crate) fn arcs(&self) -> impl Iterator<Item = Arc> {
        self.all().map_while(Counted::arc)
    }

    /// Every block once.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Block> + Clone {
        self.all().filter_map(Counted::block)
    }
}

/// Placement of the program. The function that stands for callers outside it is the runtime's marker;
/// a preloaded runtime has that outside too, and the entry point must do.
pub(crate) fn placement(program: &Program) -> Placement {
    let external_caller =
        if program.has_runtime() { arch::external_caller() } else { program.entry };
    Placement {
        bias: program.bias as u64,
        text: LoadedPc(program.text.start as u64)..LoadedPc(program.text.end as u64),
        external_caller: LoadedPc(external_caller as u64),
        call_offset: arch::CALL_OFFSET as u64,
    }
}

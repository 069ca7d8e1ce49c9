//! The arcs of the file: what all threads counted, those into the program, each once, in order.
//!
//! Order and merging make two runs of one program comparable: tables are ordered by hashes of
//! addresses, which change from run to run.
//!
//! *Context:* exit.

use gmon_format::Placement;

use crate::arcs::Arc;
use crate::program::Program;
use crate::region::Region;
use crate::{arch, threads};

/// Calls `visit` for every arc into the program; stops at its first error. Addresses are those of
/// the executable; frompc is inside the calling instruction.
pub(crate) fn for_each<E>(
    program: &Program,
    mut visit: impl FnMut(Arc) -> Result<(), E>,
) -> Result<(), E> {
    let placement = placement(program);
    let arcs = || threads::arcs().filter_map(|arc| into_program(arc, &placement));
    // Threads that still run may find new arcs between the two passes: room for twice as many.
    let room = 2 * threads::used() + 64;
    let Some(region) = Region::map(room * size_of::<Arc>()) else {
        // Readers add up repeated arcs, so without memory they are written as they come.
        return arcs().try_for_each(visit);
    };
    // SAFETY: the mapping is fresh and large enough, and an Arc is three numbers, valid when zero.
    let list =
        unsafe { core::slice::from_raw_parts_mut(region.base().cast::<Arc>().as_ptr(), room) };
    let mut len = 0;
    for (place, arc) in list.iter_mut().zip(arcs()) {
        *place = arc;
        len += 1;
    }
    let list = list.get_mut(..len).unwrap_or_default();
    list.sort_unstable_by_key(|arc| (arc.from_pc, arc.self_pc));
    let same = |a: &Arc, b: &Arc| (a.from_pc, a.self_pc) == (b.from_pc, b.self_pc);
    let result = list.chunk_by(same).try_for_each(|repeated| match repeated {
        [first, ..] => {
            let count = repeated.iter().fold(0, |sum: u64, arc| sum.saturating_add(arc.count));
            visit(Arc { count, ..*first })
        }
        [] => Ok(()),
    });
    // SAFETY: `list`, the only borrow of the region, is not used any more.
    unsafe { region.unmap() };
    result
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
        call_offset: 0usize.wrapping_sub(arch::call_site(0)) as u64,
    }
}

fn into_program(arc: Arc, placement: &Placement) -> Option<Arc> {
    let (from_pc, self_pc) = placement.arc(arc.from_pc as u64, arc.self_pc as u64)?;
    Some(Arc { from_pc: from_pc as usize, self_pc: self_pc as usize, ..arc })
}

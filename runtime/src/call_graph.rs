//! The arcs of the file: what all threads counted, those into the program, each once, in order.
//!
//! Order and merging make two runs of one program comparable: tables are ordered by hashes of
//! addresses, which change from run to run.
//!
//! *Context:* exit.

use crate::arcs::Arc;
use crate::program::Program;
use crate::region::Region;
use crate::{arch, threads};

/// Calls `visit` for every arc into the program; stops at its first error. Addresses are those of
/// this process; frompc is inside the calling instruction.
pub(crate) fn for_each<E>(
    program: &Program,
    mut visit: impl FnMut(Arc) -> Result<(), E>,
) -> Result<(), E> {
    let external_caller = external_caller(program);
    let arcs = || threads::arcs().filter_map(|arc| into_program(arc, program, external_caller));
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

/// The function that stands for callers outside the program: a C library that calls a comparator,
/// the kernel that calls a signal handler. Readers drop an arc whose caller is no function of the
/// program. A preloaded runtime has its marker outside too; the entry point must do there.
fn external_caller(program: &Program) -> usize {
    if program.has_runtime() { arch::external_caller() } else { program.entry }
}

fn into_program(arc: Arc, program: &Program, external_caller: usize) -> Option<Arc> {
    if !program.text.contains(&arc.self_pc) {
        return None;
    }
    let call_site = arch::call_site(arc.from_pc);
    let from_pc = if program.text.contains(&call_site) { call_site } else { external_caller };
    Some(Arc { from_pc, ..arc })
}

//! SPARC of both widths and MIPS, for which there are no stubs.

use super::super::stubs::Entry;
use super::{Native, Processor, Stub};

impl Processor for Native {
    const IS_SUPPORTED: bool = false;
    const JUMP_SLOT: usize = usize::MAX;

    fn stub(_at: usize, _record: usize, _entry: &Entry) -> Option<Stub> {
        None
    }
}

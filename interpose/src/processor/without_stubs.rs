//! SPARC of both widths and MIPS, for which there are no stubs.

use super::{Entry, Processor};

/// A processor for which there are no stubs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithoutStubs;

impl Processor for WithoutStubs {
    type Stub = [u8; 0];

    const IS_SUPPORTED: bool = false;
    const JUMP_SLOT: usize = usize::MAX;

    fn stub(_at: usize, _record: usize, _entry: &Entry) -> Option<Self::Stub> {
        None
    }
}

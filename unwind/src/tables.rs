//! A module's tables of unwind rules.

use crate::bytes::Bytes;
use crate::cfi::Function;
use crate::processor::Processor;
use crate::rules::Row;
use crate::{cfi, exidx};

/// A kind of unwind rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.eh_frame`, with the table `.eh_frame_hdr` that finds its parts.
    EhFrame,
    /// `.ARM.exidx`, with what it points to.
    ArmExidx,
}

/// The place of a module's unwind rules.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'t, P: Processor> {
    /// The segment that holds them, where it is in the process.
    pub segment: Bytes<'t, P>,
    /// The address of the table that finds them, `.eh_frame_hdr` or `.ARM.exidx`.
    pub header: P::Word,
    /// Its length in bytes.
    pub header_len: usize,
}

impl<'t, P: Processor> Tables<'t, P> {
    /// The rules for an address, if there are some; `None` if they make no sense.
    #[must_use]
    pub fn find(&self, pc: P::Word) -> Option<Option<Row<'t, P>>> {
        let mut row = Row::new();
        let is_found = self.fill(pc, &mut row)?;
        Some(is_found.then_some(row))
    }

    /// Fills an empty row with the rules for an address; false if there are none, `None` if they make no sense. Rows are
    /// large, and the stacks of handlers small.
    pub(crate) fn fill(&self, pc: P::Word, row: &mut Row<'t, P>) -> Option<bool> {
        match P::RULES {
            Kind::EhFrame => cfi::fill(self, pc, row),
            Kind::ArmExidx => exidx::fill(self, pc, row),
        }
    }

    /// The function around an address, where the rules are `.eh_frame`.
    #[must_use]
    pub fn function(&self, pc: P::Word) -> Option<Function<P::Word>> {
        match P::RULES {
            Kind::EhFrame => cfi::function(self, pc),
            Kind::ArmExidx => None,
        }
    }
}

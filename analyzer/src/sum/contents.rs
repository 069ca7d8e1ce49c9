//! Contents of a data file with a sum.

use std::borrow::Cow;

use gmon_format::{Arc, Block, CallSite, SelfPc};

use crate::profile::Profile;
use crate::records::{Histograms, Records};

/// The contents of a data file that is the sum of others.
#[derive(Clone, Debug)]
pub struct Sum<'a> {
    /// In the order in which they first appeared.
    pub(super) histograms: &'a Histograms,
    pub(super) arcs: Cow<'a, [Arc]>,
    /// None if there was no basic-block record, not even an empty one.
    pub(super) blocks: Option<Cow<'a, [Block]>>,
}

impl<'a> Sum<'a> {
    /// The sum as `gprof -s` writes it: each arc leads from the start of the symbol that calls to the
    /// start of the function called, and what is in no symbol is left out.
    ///
    /// Arcs are in address order of the callers, those of one newest first; blocks are in the order of
    /// their symbols, those of one in the order of their first appearance.
    #[must_use]
    pub fn by_symbol(profile: &'a Profile) -> Self {
        let (symbols, records) = (profile.symbols(), profile.records());
        // They lie in this order.
        let arcs = profile.arcs().list().iter().map(|arc| {
            let address = |id| symbols.get(id).address;
            let (from_pc, self_pc) = (CallSite(address(arc.caller)), SelfPc(address(arc.callee)));
            Arc { from_pc, self_pc, count: arc.count }
        });
        let blocks = records.has_blocks().then(|| profile.all_blocks().to_vec().into());
        Self { histograms: records.histograms(), arcs: arcs.collect(), blocks }
    }

    /// The sum with every address as it is. No symbols are needed, and the call sites stay apart.
    #[must_use]
    pub fn raw(records: &'a Records) -> Self {
        Self {
            histograms: records.histograms(),
            arcs: records.arcs().into(),
            blocks: records.has_blocks().then(|| records.blocks().into()),
        }
    }
}

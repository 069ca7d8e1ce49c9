//! Calls that the program's code can make, whether it made them or not.

use gmon_format::FilePc;

use super::arcs::Arc;
use crate::arch::Call;
use crate::image::Image;
use crate::records::Records;
use crate::symbols::{SymbolId, SymbolTable};

/// The calls in the code of an image, found by decoding it.
#[derive(Clone, Debug, Default)]
pub struct StaticCalls {
    /// Caller and callee, in the order of the call instructions.
    list: Vec<(SymbolId, SymbolId)>,
}

impl StaticCalls {
    /// Decodes the code of `image` that was sampled, and takes the calls to functions of which the
    /// same holds; none if it is for a machine that cannot be decoded.
    #[must_use]
    pub fn find(image: &Image, symbols: &SymbolTable, records: &Records) -> Option<Self> {
        let code = image.machine_code()?;
        let mut sampled: Vec<_> =
            records.histograms().list().iter().map(|histogram| &histogram.range).collect();
        sampled.sort_unstable_by_key(|range| range.start);
        let meeting = |start: FilePc, end: FilePc| {
            let first = sampled.partition_point(|range| range.end <= start);
            sampled[first..].iter().take_while(move |range| range.start < end)
        };
        let is_sampled =
            |address: FilePc| meeting(address, address.saturating_add(1)).next().is_some();
        let entered = |address| {
            let id = symbols.find(address)?;
            (symbols.get(id).address == address && is_sampled(address)).then_some(id)
        };
        let mut list = Vec::new();
        for caller in symbols.ids() {
            let symbol = symbols.get(caller);
            let end = symbol.end.saturating_add(1);
            for range in meeting(symbol.address, end) {
                let range = range.start.max(symbol.address)..range.end.min(end);
                code.calls(&range, &mut |_, call| {
                    let callee = match call {
                        Call::To(address) => entered(address),
                        Call::ToEither(address, other) => {
                            entered(address).or_else(|| entered(other))
                        }
                        Call::Slot(_) | Call::Indirect => None,
                    };
                    list.extend(callee.map(|callee| (caller, callee)));
                });
            }
        }
        Some(Self { list })
    }

    /// The number of call instructions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns `true` if there is no call.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// An arc of no call for each.
    pub(super) fn arcs(&self) -> impl Iterator<Item = Arc> + '_ {
        self.list.iter().map(|&(caller, callee)| Arc { caller, callee, count: 0 })
    }
}

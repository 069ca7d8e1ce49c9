//! How often code ran, by the samples that it has.
//!
//! An instruction takes about a nanosecond, so the time of code in nanoseconds, divided by the number of its instructions,
//! is about how often it ran. That has the magnitude of counted calls, which compilers compare it with.

use std::collections::BTreeMap;
use std::ops::Range;

use gmon_format::FilePc;

use crate::measurement::Measurement;
use crate::records::{CodePlace, Frame};

/// Bytes of an instruction, on the mean.
const INSTRUCTION: u64 = 4;

/// Samples of a program's code.
pub(super) struct Sampled {
    ticks: BTreeMap<FilePc, u64>,
    /// Time that one of them stands for.
    period_ns: u64,
}

impl Sampled {
    pub(super) fn of(measurement: &Measurement) -> Self {
        let full = measurement.records().full();
        let mut ticks = BTreeMap::new();
        for node in full.nodes().iter().filter(|node| !node.waits) {
            if let Frame::Code(CodePlace::Module(module, pc)) = node.frame {
                if full.program() == Some(module) && node.own.weight != 0 {
                    *ticks.entry(pc).or_default() += node.own.weight;
                }
            }
        }
        let rate = full.origin().map_or(0, |origin| origin.sampling.rate);
        Self { ticks, period_ns: 1_000_000_000_u64.checked_div(rate.into()).unwrap_or(0) }
    }

    /// Number of all samples.
    pub(super) fn len(&self) -> u64 {
        self.ticks.values().sum()
    }

    /// Addresses that have samples.
    pub(super) fn addresses(&self) -> impl Iterator<Item = FilePc> {
        self.ticks.keys().copied()
    }

    /// Samples of a piece of code.
    pub(super) fn ticks(&self, piece: Range<FilePc>) -> u64 {
        self.ticks.range(piece).map(|(_, ticks)| ticks).sum()
    }

    /// Executions of code of so many bytes with so many samples: none only if it has none of these.
    pub(super) fn estimate(&self, bytes: u64, ticks: u64) -> u64 {
        let instructions = bytes.div_ceil(INSTRUCTION).max(1);
        (ticks.saturating_mul(self.period_ns) / instructions).max(ticks.min(1))
    }

    /// Executions of a piece of code that runs as a whole.
    pub(super) fn executions(&self, piece: Range<FilePc>) -> u64 {
        self.estimate(piece.end.0 - piece.start.0, self.ticks(piece))
    }
}

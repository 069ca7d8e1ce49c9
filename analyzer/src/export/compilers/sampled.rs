//! Executions of code: by the steps through it, where somebody followed the program, and else by its samples.
//!
//! Steps are a part of all instructions that ran. Functions whose calls were counted say which part. Without steps: an
//! instruction takes about a nanosecond, so the time of code in nanoseconds, divided by the number of its instructions, is about
//! how often it ran. Both have the magnitude of counted calls, which compilers compare them with.

use std::collections::BTreeMap;
use std::ops::Range;

use gmon_format::{FilePc, SelfPc};

use crate::measurement::Measurement;
use crate::records::{CodePlace, Frame, FullRecords};
use crate::symbols::SymbolId;
use crate::totals::add;

/// Bytes of an instruction, on the mean.
const INSTRUCTION: u64 = 4;

/// Samples of a program's code, and steps through it.
pub(super) struct Sampled {
    ticks: BTreeMap<FilePc, u64>,
    /// Time that one of them stands for.
    period_ns: u64,
    /// Steps by instruction; none if nobody followed the program.
    steps: BTreeMap<FilePc, u64>,
    /// Executions, and steps that stand for them.
    scale: [u64; 2],
}

/// Code of a spot, which may be several pieces.
#[derive(Clone, Copy, Default)]
pub(super) struct Amount {
    bytes: u64,
    ticks: u64,
    /// Steps of the instruction that has most.
    steps: u64,
}

impl Sampled {
    pub(super) fn of(measurement: &Measurement) -> Self {
        let full = measurement.records().full();
        let mut ticks = BTreeMap::new();
        for node in full.nodes().iter().filter(|node| !node.waits && node.own.weight != 0) {
            if let Frame::Code(place) = node.frame {
                if let Some(pc) = in_program(full, place) {
                    *ticks.entry(pc).or_default() += node.own.weight;
                }
            }
        }
        let rate = full.origin().map_or(0, |origin| origin.sampling.rate);
        let period_ns = 1_000_000_000_u64.checked_div(rate.into()).unwrap_or(0);
        let steps =
            full.steps().filter_map(|(place, count)| Some((in_program(full, place)?, count)));
        let mut all = Self { ticks, period_ns, steps: steps.collect(), scale: [1, 1] };
        if all.has_steps() {
            all.scale = all.scale(measurement);
        }
        all
    }

    /// Finds out for how many executions a step stands.
    fn scale(&self, measurement: &Measurement) -> [u64; 2] {
        /// Fewer steps say too little.
        const ENOUGH: u64 = 100;
        let symbols = measurement.program().symbols();
        let mut calls: BTreeMap<SymbolId, u64> = BTreeMap::new();
        for arc in measurement.records().arcs() {
            let SelfPc(callee) = arc.self_pc;
            if let Some(function) = symbols.find(callee) {
                add(calls.entry(function).or_default(), arc.count);
            }
        }
        let entries = calls.keys().map(|function| symbols.get(*function).address);
        let steps: u64 = entries.filter_map(|entry| self.steps.get(&entry)).sum();
        if steps >= ENOUGH {
            return [calls.values().fold(0, |sum, calls| sum.saturating_add(*calls)), steps];
        }
        let time_ns = self.len().saturating_mul(self.period_ns);
        [time_ns.max(1), self.steps.values().sum::<u64>().max(1)]
    }

    /// Returns `true` if somebody followed the program.
    pub(super) fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Number of all samples.
    pub(super) fn len(&self) -> u64 {
        self.ticks.values().sum()
    }

    /// Addresses that have samples or steps.
    pub(super) fn addresses(&self) -> impl Iterator<Item = FilePc> {
        self.ticks.keys().chain(self.steps.keys()).copied()
    }

    /// Samples and steps of a piece of code.
    pub(super) fn amount(&self, piece: Range<FilePc>) -> Amount {
        Amount {
            bytes: piece.end.0 - piece.start.0,
            ticks: self.ticks.range(piece.clone()).map(|(_, ticks)| ticks).sum(),
            steps: self.steps.range(piece).map(|(_, steps)| *steps).max().unwrap_or(0),
        }
    }

    /// Executions of code: none only if nothing was seen of it.
    pub(super) fn executions(&self, Amount { bytes, ticks, steps }: Amount) -> u64 {
        if self.has_steps() {
            return self.of_steps(steps);
        }
        let instructions = bytes.div_ceil(INSTRUCTION).max(1);
        (ticks.saturating_mul(self.period_ns) / instructions).max(ticks.min(1))
    }

    /// Executions of an instruction, which is in a piece of code that should run as a whole.
    pub(super) fn executions_at(&self, instruction: FilePc, piece: Range<FilePc>) -> u64 {
        match self.has_steps() {
            true => self.of_steps(self.steps.get(&instruction).copied().unwrap_or(0)),
            false => self.executions(self.amount(piece)),
        }
    }

    /// Executions that are likely of an instruction that no step fell on: half of what a step stands for.
    pub(super) fn unseen(&self) -> u64 {
        (self.of_steps(1) / 2).max(1)
    }

    fn of_steps(&self, steps: u64) -> u64 {
        let [executions, of] = self.scale.map(u128::from);
        let executions = u128::from(steps) * executions / of;
        u64::try_from(executions).unwrap_or(u64::MAX).max(steps.min(1))
    }
}

impl Amount {
    /// Adds another piece.
    pub(super) fn add(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.ticks += other.ticks;
        self.steps = self.steps.max(other.steps);
    }

    /// Returns `true` if nothing was seen of it.
    pub(super) fn is_empty(&self) -> bool {
        self.ticks == 0 && self.steps == 0
    }
}

/// The address of a place in the program itself.
fn in_program(full: &FullRecords, place: CodePlace) -> Option<FilePc> {
    match place {
        CodePlace::Module(module, pc) => (full.program() == Some(module)).then_some(pc),
        CodePlace::Process(_) => None,
    }
}

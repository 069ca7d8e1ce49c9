//! Things to print or write.

use crate::records::Records;

/// A result of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    FileInfo,
    Sum,
    FlatProfile,
    /// With the index.
    CallGraph,
    ExecCounts,
    AnnotatedSource,
    FunctionOrder,
    FileOrder,
}

/// A set of outputs, and which ones the user said no to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outputs {
    wanted: u16,
    unwanted: u16,
}

impl Outputs {
    /// Asks for one more.
    pub(super) fn add(&mut self, output: Output) {
        self.wanted |= output.bit();
    }

    /// Asks for one less. It is not made by default either, but only if asked for again.
    pub(super) fn remove(&mut self, output: Output) {
        self.wanted &= !output.bit();
        self.unwanted |= output.bit();
    }

    pub(super) fn has(self, output: Output) -> bool {
        self.wanted & output.bit() != 0
    }

    /// These outputs or, if there are none, all for which there is data.
    pub(super) fn or_those_of(self, records: &Records) -> Self {
        if self.wanted != 0 {
            return self;
        }
        let mut wanted = 0;
        if records.histograms().sampling().is_some() {
            wanted |= Output::FlatProfile.bit();
        }
        if records.has_arcs() {
            wanted |= Output::CallGraph.bit();
        }
        if wanted == 0 {
            wanted = Output::ExecCounts.bit();
        }
        Self { wanted: wanted & !self.unwanted, ..self }
    }
}

impl Output {
    fn bit(self) -> u16 {
        1 << self as u16
    }
}

//! Prints the outputs that are reports, one function each.

use std::io::Write;

use super::annotate;
use super::options::Options;
use super::outputs::{Output, Outputs};
use super::stop::Stop;
use crate::analysis::CallGraph;
use crate::measurement::Measurement;
use crate::report::{
    CallGraphReport, ExecCounts, FileOrder, FlatProfile, FunctionIndex, FunctionOrder, Names, Page,
};
use crate::symbols::Sources;

/// Everything that reports are made from.
pub(super) struct Computed<'a> {
    /// The name that messages begin with.
    pub(super) program: &'a str,
    pub(super) options: &'a Options,
    pub(super) measurement: &'a Measurement,
    pub(super) graph: &'a CallGraph,
    /// Empty where no output mentions them.
    pub(super) sources: &'a Sources,
    pub(super) names: &'a Names<'a>,
}

impl Computed<'_> {
    /// Prints those of the outputs that are reports, in the order of GNU gprof.
    pub(super) fn print(
        &self,
        outputs: Outputs,
        page: &mut Page<impl Write>,
        stderr: &mut dyn Write,
    ) -> Result<(), Stop> {
        let traditional = self.options.style.traditional;
        if outputs.has(Output::FlatProfile) && !traditional {
            self.flat_profile(page)?;
        }
        if outputs.has(Output::CallGraph) {
            CallGraphReport::new(self.graph).write(page, self.names)?;
        }
        if outputs.has(Output::FlatProfile) && traditional {
            self.flat_profile(page)?;
        }
        if outputs.has(Output::CallGraph) {
            FunctionIndex::new(self.graph).write(page, self.names)?;
        }
        if outputs.has(Output::ExecCounts) {
            let filter = &self.graph.selections().exec_counts;
            let lines = self.measurement.program().lines();
            ExecCounts::new(self.graph, lines, filter).write(page)?;
        }
        if outputs.has(Output::AnnotatedSource) {
            annotate::print(self, page, stderr)?;
        }
        if outputs.has(Output::FunctionOrder) {
            let order = match outputs.has(Output::CallGraph) {
                true => FunctionOrder::as_printed(self.graph),
                false => FunctionOrder::new(self.graph),
            };
            order.write(page, self.names)?;
        }
        if outputs.has(Output::FileOrder) {
            if let Some(map) = self.measurement.program().file_map() {
                FileOrder::new(self.graph, map).write(page)?;
            }
        }
        Ok(())
    }

    fn flat_profile(&self, page: &mut Page<impl Write>) -> Result<(), Stop> {
        if let Some(report) = FlatProfile::new(self.graph) {
            report.write(page, self.names)?;
        }
        Ok(())
    }
}

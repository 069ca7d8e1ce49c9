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
            self.call_graph(page)?;
        }
        if outputs.has(Output::FlatProfile) && traditional {
            self.flat_profile(page)?;
        }
        if outputs.has(Output::CallGraph) {
            self.index(page)?;
        }
        if outputs.has(Output::ExecCounts) {
            self.exec_counts(page)?;
        }
        if outputs.has(Output::AnnotatedSource) {
            annotate::print(self, page, stderr)?;
        }
        if outputs.has(Output::FunctionOrder) {
            self.function_order(page, outputs)?;
        }
        if outputs.has(Output::FileOrder) {
            self.file_order(page)?;
        }
        Ok(())
    }

    fn flat_profile(&self, page: &mut Page<impl Write>) -> Result<(), Stop> {
        if let Some(report) = FlatProfile::new(self.graph) {
            report.write(page, self.names)?;
        }
        Ok(())
    }

    fn call_graph(&self, page: &mut Page<impl Write>) -> Result<(), Stop> {
        Ok(CallGraphReport::new(self.graph).write(page, self.names)?)
    }

    fn index(&self, page: &mut Page<impl Write>) -> Result<(), Stop> {
        Ok(FunctionIndex::new(self.graph).write(page, self.names)?)
    }

    fn exec_counts(&self, page: &mut Page<impl Write>) -> Result<(), Stop> {
        let filter = &self.graph.selections().exec_counts;
        Ok(ExecCounts::new(self.graph, self.measurement.program().lines(), filter).write(page)?)
    }

    fn function_order(&self, page: &mut Page<impl Write>, outputs: Outputs) -> Result<(), Stop> {
        let order = if outputs.has(Output::CallGraph) {
            FunctionOrder::as_printed(self.graph)
        } else {
            FunctionOrder::new(self.graph)
        };
        Ok(order.write(page, self.names)?)
    }

    fn file_order(&self, page: &mut Page<impl Write>) -> Result<(), Stop> {
        if let Some(map) = self.measurement.program().file_map() {
            FileOrder::new(self.graph, map).write(page)?;
        }
        Ok(())
    }
}

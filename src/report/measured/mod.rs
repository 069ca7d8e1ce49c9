//! What the call stacks of a run tell, in text.
//!
//! ```text
//! measurement ─→ stacks ─┬→ functions: own and total time, calls, time of a call
//!                        ├→ calls: callers and callees of a function
//!                        ├→ tree: from the starts of the threads inwards
//!                        └→ threads, modules
//! ```

mod calls;
mod cells;
mod functions;
mod guesses;
mod modules;
mod threads;
mod tree;

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use anyhow::{Result, bail};
use gmon_analyzer::Measurement;
use gmon_analyzer::analysis::stacks::StackCosts;
use gmon_analyzer::profile::{Contexts, FunctionId};
use gmon_analyzer::report::NameStyle;

use super::part::Part;
use super::summary::View;
use crate::annotate::named::is_called;
use crate::text::{counted, grouped, harmless, short};
use cells::{Clock, fitted, percent};

/// A part of what the stacks of a program tell.
pub(crate) struct Measured<'a> {
    program: String,
    measurement: &'a Measurement,
    costs: &'a StackCosts,
    contexts: &'a Contexts,
    clock: Clock,
    style: NameStyle,
    /// How many rows are listed.
    top: usize,
    /// The columns of the terminal, if there is one.
    width: Option<usize>,
    part: &'a Part,
    /// The functions that are asked for by name.
    chosen: Vec<FunctionId>,
}

impl<'a> Measured<'a> {
    /// Takes a measurement with stacks.
    ///
    /// # Errors
    ///
    /// No function has the name that is asked for.
    pub(crate) fn new(
        program: &Path,
        measurement: &'a Measurement,
        part: &'a Part,
        view: View,
        width: Option<usize>,
    ) -> Result<Self> {
        let program = harmless(&short(program).to_string_lossy()).into_owned();
        let mut measured = Self {
            program,
            measurement,
            costs: measurement.stack_costs(),
            contexts: measurement.contexts(),
            clock: Clock::new(measurement.records().histograms().sampling()),
            style: view.naming.style(),
            top: view.top,
            width,
            part,
            chosen: Vec::new(),
        };
        if let Part::Calls(name) = part {
            measured.chosen = measured.find(name);
            if measured.chosen.is_empty() {
                let program = &measured.program;
                bail!("no function {name} was called or seen on a stack of {program}");
            }
        }
        Ok(measured)
    }

    /// The functions that a user calls so, those with the most time first.
    fn find(&self, name: &str) -> Vec<FunctionId> {
        let mut found: Vec<_> = self
            .functions()
            .filter(|&id| {
                let function = &self.contexts.functions()[id.index()];
                *function.name == *name.as_bytes() || is_called(&self.readable(id), name)
            })
            .collect();
        found.sort_by_key(|&id| std::cmp::Reverse(self.costs.total(id).weight));
        found
    }

    /// Functions that were called or seen; no place where a stack could not be followed.
    fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        let functions = (0..).map(FunctionId).zip(self.contexts.functions());
        functions.filter(|(_, function)| function.incomplete.is_none()).map(|(id, _)| id)
    }

    /// The name of a function in the words of its source.
    fn readable(&self, id: FunctionId) -> String {
        let function = &self.contexts.functions()[id.index()];
        if let Some(incomplete) = function.incomplete {
            return format!("[not followed: {}]", incomplete.reason());
        }
        let name = self.style.demangling.demangle_to(self.style.detail, &function.name);
        harmless(&String::from_utf8_lossy(&name)).into_owned()
    }

    /// The name of a function, with its module if that is not the program, behind the cells of a row.
    fn named(&self, id: FunctionId, cells: &str) -> String {
        let function = &self.contexts.functions()[id.index()];
        let program = self.measurement.records().full().program();
        let module = function.module.filter(|module| Some(*module) != program);
        let module = module.map(|module| {
            let name = self.measurement.modules().get(module).name();
            format!(" [{}]", harmless(&String::from_utf8_lossy(name)))
        });
        let inlined = if function.is_inlined { " (inlined)" } else { "" };
        let behind = format!("{inlined}{}", module.unwrap_or_default());
        let columns = self.width.map(|width| width.saturating_sub(cells.chars().count()));
        fitted(&self.readable(id), &behind, columns)
    }

    /// Ticks of all that is shown: those of functions and those in the profiler's hooks.
    fn ticks(&self) -> u64 {
        self.costs.all().weight.saturating_add(self.costs.overhead().weight)
    }

    /// Which program this is of, and how much was seen.
    fn head(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bold = anstyle::Style::new().bold();
        let functions = self.functions().count() as u64;
        let calls = self.contexts.all_calls().fold(0, |sum: u64, (_, n)| sum.saturating_add(n));
        let looks = self.costs.all().samples.saturating_add(self.costs.overhead().samples);
        writeln!(
            f,
            "{bold}{}{bold:#}: {} seconds of CPU time, {} of {}",
            self.program,
            self.clock.time(self.ticks() as f64),
            counted(calls, "call"),
            counted(functions, "function"),
        )?;
        let incomplete = self.costs.incomplete().weight;
        let followed = match percent(incomplete, self.costs.all().weight) {
            _ if incomplete == 0 => "all followed to their start".to_owned(),
            share => format!("{share:.2} % not followed to their start"),
        };
        let (looks, rate) = (counted(looks, "look"), grouped(self.clock.rate.into()));
        writeln!(f, "{looks} at the stacks, {rate} each second; {followed}")
    }

    /// What a reader has to know of the figures.
    fn foot(&self, f: &mut Formatter<'_>) -> fmt::Result {
        /// The share of incomplete stacks, in percent, above which we mention them.
        const FEW: f64 = 1.0;
        let incomplete = self.costs.incomplete().weight;
        if percent(incomplete, self.costs.all().weight) > FEW {
            writeln!(
                f,
                "totals are lower bounds: stacks were not followed everywhere ({})",
                self.reasons().join("; ")
            )?;
        }
        Ok(())
    }

    /// Why stacks were not followed, the most frequent reason first.
    fn reasons(&self) -> Vec<&'static str> {
        let functions = (0..).map(FunctionId).zip(self.contexts.functions());
        let mut reasons: Vec<_> = functions
            .filter_map(|(id, function)| Some((id, function.incomplete?.reason())))
            .filter(|(id, _)| self.costs.total(*id).weight > 0)
            .collect();
        reasons.sort_by_key(|(id, _)| std::cmp::Reverse(self.costs.total(*id).weight));
        reasons.into_iter().map(|(_, reason)| reason).collect()
    }
}

impl Display for Measured<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::Functions => functions::write(self, f),
            Part::Calls(_) => calls::write(self, f),
            Part::Tree { cut } => tree::write(self, *cut, f),
            Part::Threads => threads::write(self, f),
            Part::Modules => modules::write(self, f),
        }
    }
}

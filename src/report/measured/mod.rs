//! The call stacks of a run, in text.
//!
//! ```text
//! measurement ─→ stacks ─┬→ functions: own and total time, calls, time of a call
//!                        ├→ calls: callers and callees of a function
//!                        ├→ tree: from the starts of the threads inwards
//!                        ├→ threads, with parallel regions; modules
//!                        ├→ by: functions by thread or module
//!                        └→ ranks: of a parallel program, beside each other
//! ```

mod by;
mod calls;
mod cells;
mod dimensions;
mod facts;
mod functions;
mod guesses;
mod modules;
mod ranks;
mod regions;
mod threads;
mod tree;
mod waits;

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use gmon_analyzer::Measurement;
use gmon_analyzer::analysis::stacks::StackCosts;
use gmon_analyzer::profile::{Contexts, FunctionId};
use gmon_analyzer::records::ModuleId;
use gmon_analyzer::report::NameStyle;
use gmon_analyzer::wrapping::wrapped;

use super::apart::{HOOKS, NOT_SAMPLED, PAUSED, what_shares_are};
use super::files::Files;
use super::fitting::fitted_name;
use super::part::Part;
use super::view::View;
use crate::dormant;
use crate::named::{find, readable};
use crate::processes::Usage;
use crate::text::{counted, fitted, grouped, harmless, left, quoted, short};
use cells::{Clock, TimeColumns, percent};

/// A part of what the stacks of a program tell.
pub(crate) struct Measured<'a> {
    /// The program, and how it is shown.
    path: PathBuf,
    program: String,
    measurement: &'a Measurement,
    costs: &'a StackCosts,
    contexts: &'a Contexts,
    clock: Clock,
    style: NameStyle,
    /// Style of functions' names where there is room for it.
    fuller_style: Option<NameStyle>,
    /// Number of rows that are listed.
    top: usize,
    /// The columns of the terminal, if there is one.
    width: Option<usize>,
    part: &'a Part,
    /// The functions that are asked for by name.
    chosen: Vec<FunctionId>,
    files: &'a Files,
    /// Number of processes that the data are of, if that is known.
    processes: Option<usize>,
    outside: Outside,
    /// True if threads were sampled that wait.
    has_waits: bool,
    narrowed: Option<Narrowed>,
}

/// Part of all samples that is shown.
pub(super) struct Narrowed {
    /// Description of what their stacks hold.
    pub(super) samples: String,
    /// Ticks of all CPU time.
    pub(super) whole: u64,
    /// Why nothing is known of calls.
    pub(super) why_no_calls: &'static str,
}

/// Ticks of CPU time that no sample stands for.
#[derive(Clone, Copy, Debug, Default)]
struct Outside {
    not_sampled: u64,
    paused: u64,
}

impl Outside {
    /// Usage of processes beside these samples.
    fn new(usage: Usage, sampled: u64, clock: Clock) -> Self {
        /// The start of a process, and late ticks, in nanoseconds.
        const FEW: u64 = 20_000_000;
        let (cpu, paused) = (clock.ticks(usage.cpu), clock.ticks(usage.paused));
        let not_sampled = cpu.saturating_sub(paused).saturating_sub(sampled);
        let is_much = not_sampled > clock.ticks(FEW) && not_sampled > cpu / 50;
        Self { not_sampled: if is_much { not_sampled } else { 0 }, paused }
    }
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
        (files, processes): (&'a Files, Option<(usize, Usage)>),
        (part, view): (&'a Part, View),
        width: Option<usize>,
    ) -> Result<Self> {
        let path = program.to_owned();
        let program = harmless(&short(program).to_string_lossy()).into_owned();
        let costs = measurement.stack_costs();
        let rate = measurement.records().full().origin().map_or(0, |it| it.sampling.rate);
        let clock = Clock::new(rate);
        let sampled = costs.all().weight.saturating_add(costs.overhead().weight);
        let has_waits = measurement.records().full().has_waits();
        // By the clock on the wall, samples are no part of CPU time.
        let usage = processes.filter(|_| !has_waits).map(|(_, usage)| usage);
        let outside = usage.map(|usage| Outside::new(usage, sampled, clock));
        let mut measured = Self {
            path,
            program,
            measurement,
            costs,
            contexts: measurement.contexts(),
            clock,
            style: view.naming(width.is_some()).style(),
            fuller_style: width.map(|_| view.naming(false).style()),
            files,
            processes: processes.map(|(number, _)| number),
            outside: outside.unwrap_or_default(),
            has_waits,
            top: view.top,
            width,
            part,
            chosen: Vec::new(),
            narrowed: None,
        };
        if let Part::Calls(name) = part {
            measured.chosen = find(measurement, name, measured.style);
            if measured.chosen.is_empty() {
                let program = &measured.program;
                let facts = measured.measurement.records().full().facts();
                if facts::names_left_alone(facts).contains(name) {
                    bail!(
                        "calls of {name} were not counted, as {program} uses its address, too, and no stack has it"
                    );
                }
                bail!("no function {name} was called or seen on a stack of {program}");
            }
        }
        Ok(measured)
    }

    /// Says of which samples the measurement is, if only some of them were chosen.
    pub(super) fn narrowed(self, narrowed: Narrowed) -> Self {
        // What was not sampled is on no stack.
        Self { narrowed: Some(narrowed), outside: Outside::default(), ..self }
    }

    /// Why nothing is known of calls, if only some samples were chosen.
    fn why_no_calls(&self) -> &'static str {
        self.narrowed.as_ref().map_or("", |narrowed| narrowed.why_no_calls)
    }

    /// Functions that were called or seen; no place where a stack could not be followed.
    fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        let functions = (0..).map(FunctionId).zip(self.contexts.functions());
        functions.filter(|(_, function)| function.incomplete.is_none()).map(|(id, _)| id)
    }

    /// The name of a function in the words of its source.
    fn readable(&self, id: FunctionId) -> String {
        self.readable_in(id, self.style)
    }

    fn readable_in(&self, id: FunctionId, style: NameStyle) -> String {
        readable(self.measurement, id, style)
    }

    /// The name of a function, with its module if that is not the program, behind the cells of a row.
    fn named(&self, id: FunctionId, cells: &str) -> String {
        let function = &self.contexts.functions()[id.index()];
        let module = function.module.filter(|module| Some(*module) != self.program_module());
        let module = module.and_then(|module| {
            let name = self.measurement.modules().get(module).name();
            // What is named by its address says it, and what no file has.
            let rest = function.name.strip_prefix(name);
            let says = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"+0x"));
            (!says).then(|| format!(" [{}]", harmless(&String::from_utf8_lossy(name))))
        });
        let inlined = if function.is_inlined { " (inlined)" } else { "" };
        let behind = format!("{inlined}{}", module.unwrap_or_default());
        let columns = left(self.width, cells);
        let fuller = self.fuller_style.map(|style| self.readable_in(id, style));
        let names: Vec<_> = fuller.into_iter().chain([self.readable(id)]).collect();
        fitted_name(&names, &behind, columns)
    }

    /// Row that stands for the functions left out, behind its cells: the first form that there is room for.
    fn others(&self, forms: [String; 2], cells: &str) -> String {
        let room = left(self.width, cells).unwrap_or(usize::MAX);
        forms.into_iter().find(|form| form.len() <= room).unwrap_or_else(|| "...".to_owned())
    }

    /// The row of so many more functions than are listed.
    fn more_functions(&self, number: usize, cells: &str) -> String {
        let more = counted(number as u64, "more function");
        let forms = [format!("... and {more}"), format!("... and {} more", grouped(number as u64))];
        self.others(forms, cells)
    }

    /// Writes a sentence, in as many lines as a terminal wants.
    fn say(&self, sentence: &str, f: &mut Formatter<'_>) -> fmt::Result {
        let width = self.width.unwrap_or(usize::MAX);
        wrapped(sentence, width).try_for_each(|line| writeln!(f, "{line}"))
    }

    /// The columns of measured times, so wide.
    fn columns(&self, time: usize, error: usize) -> TimeColumns {
        TimeColumns { clock: self.clock, has_waits: self.has_waits, time, error }
    }

    /// Ticks of all CPU time: that of functions, that in the profiler's hooks, and that without samples.
    pub(super) fn ticks(&self) -> u64 {
        let outside = self.outside.not_sampled.saturating_add(self.outside.paused);
        let sampled = self.costs.all().weight.saturating_add(self.costs.overhead().weight);
        sampled.saturating_add(outside)
    }

    /// The share of the program's own time, in percent.
    fn share(&self, ticks: u64) -> f64 {
        percent(ticks, self.costs.all().weight)
    }

    /// Rows of time that is not the program's own, with their ticks and shares of all time.
    fn apart(&self) -> Vec<(&'static str, u64, f64)> {
        let rows = [
            (HOOKS, self.costs.overhead().weight),
            (NOT_SAMPLED, self.outside.not_sampled),
            (PAUSED, self.outside.paused),
        ];
        let rows = rows.into_iter().filter(|(_, ticks)| *ticks > 0);
        rows.map(|(name, ticks)| (name, ticks, percent(ticks, self.ticks()))).collect()
    }

    /// Says what shares are of, if not all are of the same.
    fn write_what_shares_are(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match what_shares_are(self.apart().into_iter().map(|(name, ..)| name)) {
            Some(sentence) => self.say(&sentence, f),
            None => Ok(()),
        }
    }

    /// The module that is the program.
    fn program_module(&self) -> Option<ModuleId> {
        self.measurement.records().full().program()
    }

    /// The heading: the program, its CPU time and its calls.
    fn head(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bold = anstyle::Style::new().bold();
        let (mut calls, mut callees) = (0_u64, BTreeSet::new());
        for ((_, callee), count) in self.contexts.all_calls() {
            calls = calls.saturating_add(count);
            callees.insert(callee);
        }
        let (counts, remedy) = match callees.len() as u64 {
            _ if self.narrowed.is_some() => (self.why_no_calls().to_owned(), None),
            0 => {
                let (why, remedy) = dormant::why_no_calls(&self.path);
                (why.to_owned(), remedy)
            }
            number => {
                let functions = counted(number, "function");
                (format!("{} of {functions}", counted(calls, "call")), None)
            }
        };
        let processes = match self.processes {
            Some(number @ 2..) => format!(" in {}", counted(number as u64, "process")),
            _ => String::new(),
        };
        let (of_whole, share) = self.narrowed.as_ref().map_or_else(Default::default, |narrowed| {
            let share = percent(self.ticks(), narrowed.whole);
            let whole = self.clock.time(narrowed.whole as f64);
            (format!(" of {whole}"), format!(" ({share:.1} %)"))
        });
        let waiting = self.costs.all().waiting;
        let time = self.clock.time(self.ticks().saturating_sub(waiting) as f64);
        let seconds = match self.has_waits {
            false => format!("{time}{of_whole} seconds of CPU time{share}"),
            true => {
                let waiting = self.clock.time(waiting as f64);
                format!("{time} seconds running and {waiting} waiting{of_whole}{share}")
            }
        };
        writeln!(f, "{bold}{}{bold:#}: {seconds}{processes}, {counts}", self.program)?;
        if let Some(remedy) = remedy {
            writeln!(f, "{remedy}")?;
        }
        if let Some(narrowed) = &self.narrowed {
            writeln!(f, "{}", fitted(&harmless(&narrowed.samples), "", self.width))?;
        }
        let looks = self.costs.all().samples.saturating_add(self.costs.overhead().samples);
        let incomplete = self.costs.incomplete().weight;
        let followed = match percent(incomplete, self.costs.all().weight) {
            _ if incomplete == 0 => "all followed to their start".to_owned(),
            share => format!("{share:.2} % not followed to their start"),
        };
        writeln!(f, "{} at the stacks; {followed}", counted(looks, "look"))
    }

    /// Meaning of the columns of times.
    fn write_what_times_are(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = match self.has_waits {
            false => "total: measured, with all that was called; ±: 95 of 100 runs agree",
            true => {
                "running, waiting: by the clock on the wall, with all that was called; ±: of both, 95 of 100 runs \
                 agree"
            }
        };
        self.say(text, f)
    }

    /// Notes on the figures.
    fn foot(&self, f: &mut Formatter<'_>) -> fmt::Result {
        /// The share of incomplete stacks, in percent, above which we mention them.
        const FEW: f64 = 1.0;
        let incomplete = self.costs.incomplete().weight;
        self.processor_waits(f)?;
        if percent(incomplete, self.costs.all().weight) > FEW {
            let reasons = self.reasons().join("; ");
            self.say(
                &format!(
                    "totals are lower bounds: stacks were not followed everywhere ({reasons})"
                ),
                f,
            )?;
        }
        Ok(())
    }

    /// Says how much of the time in which threads ran they had no processor, if that is much.
    fn processor_waits(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.has_waits || self.narrowed.is_some() {
            return Ok(());
        }
        let overhead = self.costs.overhead().weight;
        let running = self.costs.all().running().saturating_add(overhead);
        let cpu: u64 = self.contexts.threads().iter().map(|thread| thread.cpu_ns).sum();
        let lacking = running.saturating_sub(self.clock.ticks(cpu));
        if percent(lacking, running) > 10.0 {
            let lacking = self.clock.time(lacking as f64);
            writeln!(f, "{lacking} seconds of those running had no processor: others used it")?;
        }
        Ok(())
    }

    /// Place of the profile, and how to see more of it.
    fn ways_on(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = quoted(Path::new(&self.program));
        let (words, data) = self.files.words(Path::new(&self.program));
        writeln!(f, "\nprofile  {words}")?;
        if let Some(full) = self.files.full() {
            writeln!(f, "stacks   {full}")?;
        }
        // After `gmon run` the user knows this.
        if self.processes.is_none() {
            facts::write(self, f)?;
        }
        writeln!(
            f,
            "more     gmon report {program} {data} --calls FUNCTION, or --tree, --threads"
        )?;
        writeln!(f, "         gmon gprof {program} {data}")
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
            Part::Functions => {
                functions::write(self, f)?;
                self.ways_on(f)
            }
            Part::Calls(_) => calls::write(self, f),
            Part::Tree { cut } => tree::write(self, *cut, f),
            Part::Threads => threads::write(self, f),
            Part::Modules => modules::write(self, f),
            Part::By(dimension) => by::write(self, *dimension, f),
        }
    }
}

//! The call stacks of a run, in text and tables.
//!
//! ```text
//! model ─→ costs ─┬→ functions: own and total time, calls, time of a call
//!                 ├→ calls: callers and callees of a function
//!                 ├→ tree: from the starts of the threads inwards
//!                 ├→ bottom_up: from the hottest code outwards
//!                 ├→ times: how long each call took, where that was asked for
//!                 ├→ threads, with parallel regions; modules
//!                 ├→ by: functions by thread or module
//!                 └→ ranks: of a parallel program, beside each other
//! ```

mod bottom_up;
mod by;
mod calls;
mod cells;
mod dimensions;
mod facts;
mod functions;
mod modules;
mod ranks;
mod regions;
mod slow;
mod threads;
mod times;
mod tree;

use std::cmp::Reverse;
use std::fmt::{self, Write};

use anyhow::{Result, anyhow, bail};
use gmon_analyzer::Model;
use gmon_analyzer::analysis::stacks::{StackCosts, ThreadChoice};
use gmon_analyzer::model::{Contrast, Fold, Function, FunctionId, Kind, State};
use gmon_analyzer::records::Looks;
use gmon_analyzer::table::{Cell, Column, Row, Unit};

use super::apart::{HOOKS, NOT_SAMPLED, PAUSED, what_shares_are};
use super::part::{Dimension, Part};
use super::python;
use super::sheet::Sheet;
use super::subject::{Source, Subject};
use crate::named::find;
use crate::open::{Samples, needs_call_times};
use crate::processes::Usage;
use crate::text::{counted, fitted, harmless};
use cells::{Clock, TimeColumns, percent};

/// A part of what the stacks of a program tell.
pub(super) struct Measured<'a> {
    subject: Subject<'a>,
    costs: StackCosts,
    clock: Clock,
    /// Number of rows that are listed.
    top: usize,
    /// The functions that are asked for by name.
    chosen: Vec<FunctionId>,
    /// For each function whether all its code was inlined into its callers.
    is_inlined: Vec<bool>,
    /// For each function whether it has time where it was inlined into others.
    is_timed_in_others: Vec<bool>,
    outside: Outside,
    /// True if it is known which samples found threads waiting.
    has_waits: bool,
    narrowed: Option<Narrowed>,
    /// Time in slow calls beside that in others, if that is shown.
    contrast: Option<Contrast>,
}

/// Part of all samples that is shown.
struct Narrowed {
    /// Description of what their stacks hold.
    samples: String,
    /// Ticks of all CPU time.
    whole: u64,
    /// Why nothing is known of calls.
    why_no_calls: &'static str,
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
    /// Takes a profile with stacks, and of it these samples.
    ///
    /// # Errors
    ///
    /// No function has the name that is asked for, or no sample is one of these.
    pub(super) fn new(mut subject: Subject<'a>, samples: &Samples) -> Result<Self> {
        let sampled = subject.model.sampling.samples;
        let narrowed = samples.option().map(|_| Narrowed {
            samples: samples.words(),
            whole: subject.whole.unwrap_or(sampled),
            why_no_calls: samples.why_no_calls(),
        });
        let sampling = &subject.model.sampling;
        let (clock, has_waits) =
            (Clock::new(sampling), sampling.waits && sampling.waiting.is_some());
        // By the clock on the wall, samples are no part of CPU time, and what was not sampled is on no stack.
        let usage = subject.processes.filter(|_| !sampling.waits && narrowed.is_none());
        let outside = usage.map(|(_, usage)| Outside::new(usage, sampled, clock));
        // Samples that are chosen by what is on their stacks have the errors of all, of the time that is meant.
        let whole = narrowed.is_some().then(|| subject.model.stack_costs(&ThreadChoice::All));
        let wanted = subject.view.inlines.unwrap_or_default();
        let is_part_of_others = |id: &FunctionId| subject.model.is_part_of_others(*id, wanted);
        let fold = match subject.part {
            // Who asks by name for callers of what is a part of others everywhere means that code.
            Part::Calls(name) if find(&subject.model, name).iter().all(is_part_of_others) => {
                Fold::Nothing
            }
            _ => wanted,
        };
        let contrast = match subject.part {
            Part::Functions if samples.option() == Some("--slower") => {
                samples.contrast(&subject.model.clone().with_inlines_folded(fold))?
            }
            _ => None,
        };
        if narrowed.is_some() {
            // A function that is nowhere is not left out by the choice.
            if let Part::Calls(name) = subject.part {
                subject.find(name)?;
            }
            subject = subject.narrowed(samples)?;
        }
        subject = Subject { model: subject.model.with_inlines_folded(fold), ..subject };
        let costs = subject.model.stack_costs(&ThreadChoice::All);
        let costs = match &whole {
            Some(whole) => costs.as_part_of(whole),
            None => costs,
        };
        if let (Part::By(Dimension::Rank), true) = (subject.part, subject.model.is_first_version) {
            bail!(
                "--by rank needs the ranks of threads, which gmon-profile/1 does not tell; export the profile again"
            );
        }
        if let Part::By(Dimension::Caller) = subject.part {
            bail!("--by caller is for --times; --calls FUNCTION shows who called a function");
        }
        if let Part::Times {
            by: Some(by @ (Dimension::Module | Dimension::Library | Dimension::Rank)),
        } = subject.part
        {
            bail!(
                "--times --by {} is not known; times of calls are kept by thread or caller",
                by.word()
            );
        }
        if matches!(subject.part, Part::Times { .. }) && subject.model.call_times.is_empty() {
            if narrowed.is_some() {
                bail!("--times shows all calls of a run, and no part of its samples");
            }
            return Err(needs_call_times("--times"));
        }
        let has_callers = || subject.model.call_times.iter().any(|it| it.caller.is_some());
        if matches!(subject.part, Part::Times { by: Some(Dimension::Caller) }) && !has_callers() {
            bail!(
                "--by caller needs times by caller, which were not taken: run the program with gmon run --times PATTERN --by caller"
            );
        }
        let chosen = match subject.part {
            Part::Calls(name) => subject.find(name).map_err(|error| match samples.option() {
                Some(option) => anyhow!(
                    "{name} is on no stack of {} that {option} leaves: {}",
                    subject.program(),
                    samples.words()
                ),
                None => error,
            })?,
            _ => Vec::new(),
        };
        Ok(Self {
            is_inlined: inlined_everywhere(&subject.model),
            is_timed_in_others: subject.model.timed_in_others(),
            top: subject.view.top,
            subject,
            costs,
            clock,
            chosen,
            outside: outside.unwrap_or_default(),
            has_waits,
            narrowed,
            contrast,
        })
    }

    fn model(&self) -> &Model {
        &self.subject.model
    }

    /// The columns of the terminal, if there is one.
    fn width(&self) -> Option<usize> {
        self.subject.width
    }

    /// Why nothing is known of calls, if only some samples were chosen.
    fn why_no_calls(&self) -> &'static str {
        self.narrowed.as_ref().map_or("", |narrowed| narrowed.why_no_calls)
    }

    /// Functions that were called or seen; no place where a stack could not be followed.
    fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        let functions = self.model().functions.iter();
        functions.filter(|it| !matches!(it.kind, Kind::Incomplete | Kind::Hooks)).map(|it| it.id)
    }

    /// A row that says how many there are beyond those that are listed, below columns so wide.
    fn more(&self, all: usize, noun: &str, columns: usize) -> Option<Row> {
        let more = all.checked_sub(self.top).filter(|more| *more > 0)?;
        let more = counted(more as u64, noun);
        Some(Row::remark(format!("{:columns$}  ... and {more}", "")))
    }

    /// The cells of a function's name.
    fn named(&self, id: FunctionId) -> Vec<Cell> {
        self.subject.named(id, self.is_inlined[id.index()])
    }

    /// Returns `true` if a sample was taken: without one, nothing is known of times but those of timed calls.
    fn is_sampled(&self) -> bool {
        self.costs.all().samples > 0
    }

    /// Calls of a function among which its time can be divided: none if some of that is of inlined code, which was not
    /// called.
    fn calls_with_all_time(&self, id: FunctionId, calls: Option<u64>) -> Option<u64> {
        calls.filter(|_| self.is_sampled() && !self.is_timed_in_others[id.index()])
    }

    /// The columns of measured times, so wide.
    fn columns(&self, time: usize, error: usize) -> TimeColumns {
        TimeColumns { clock: self.clock, has_waits: self.has_waits, time, error }
    }

    /// The columns of the time of a function itself, so wide, of its part of all, and of what the kernel did in it: people see
    /// that where it is much.
    fn own_columns(&self, time: usize, share: usize) -> [Column; 3] {
        let part = Column::number("self", Unit::Percent, share).headed("%");
        let kernel = Column::number("kernel", Unit::Time, 7);
        let kernel = if self.model().has_much_of_the_kernel() { kernel } else { kernel.hidden() };
        [Column::number("self", Unit::Time, time), part, kernel]
    }

    /// The cells of a function's own time.
    fn own(&self, looks: Looks) -> [Cell; 3] {
        let kernel = self.clock.cell(looks.kernels());
        [self.clock.cell(looks.weight), Cell::Real(self.share(looks.weight)), kernel]
    }

    /// The cells of a time that is none of the program's own, and its part of all.
    fn own_apart(&self, ticks: u64, share: f64) -> [Cell; 3] {
        [self.clock.cell(ticks), Cell::Real(share), Cell::dash()]
    }

    /// Ticks of all CPU time: that of functions, that in the profiler's hooks, and that without samples.
    fn ticks(&self) -> u64 {
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
    fn write_what_shares_are(&self, f: &mut Sheet) -> fmt::Result {
        match what_shares_are(self.apart().into_iter().map(|(name, ..)| name)) {
            Some(sentence) => self.subject.say(&sentence, f),
            None => Ok(()),
        }
    }

    /// The heading: the program, its CPU time and its calls.
    fn head(&self, f: &mut Sheet) -> fmt::Result {
        let bold = anstyle::Style::new().bold();
        let called = self.model().called();
        let (counts, remedy) = match called as u64 {
            _ if self.narrowed.is_some() => (self.why_no_calls().to_owned(), None),
            0 => {
                let (why, remedy) = self.subject.why_no_calls();
                (why.to_owned(), remedy)
            }
            number => {
                let (calls, functions) = (self.model().calls(), counted(number, "function"));
                (format!("{} of {functions}", counted(calls, "call")), None)
            }
        };
        let processes = match self.subject.processes {
            Some((number @ 2.., _)) => format!(" in {}", counted(number as u64, "process")),
            _ => String::new(),
        };
        let (of_whole, share) = self.narrowed.as_ref().map_or_else(Default::default, |narrowed| {
            let share = percent(self.ticks(), narrowed.whole);
            let whole = self.clock.time(narrowed.whole as f64);
            (format!(" of {whole}"), format!(" ({share:.1} %)"))
        });
        let waiting = self.costs.all().waiting;
        let time = self.clock.time(self.ticks().saturating_sub(waiting) as f64);
        let sampling = &self.model().sampling;
        let seconds = match self.has_waits {
            false if !sampling.is_time() => {
                format!("{time}{of_whole} {}{share}", harmless(&sampling.unit))
            }
            false if sampling.waits => format!("{time}{of_whole} seconds on the wall{share}"),
            false => format!("{time}{of_whole} seconds of CPU time{share}"),
            true => {
                let waiting = self.clock.time(waiting as f64);
                format!("{time} seconds running and {waiting} waiting{of_whole}{share}")
            }
        };
        writeln!(f, "{bold}{}{bold:#}: {seconds}{processes}, {counts}", self.subject.program())?;
        if let Some(remedy) = remedy {
            writeln!(f, "{remedy}")?;
        }
        if let Some(narrowed) = &self.narrowed {
            writeln!(f, "{}", fitted(&harmless(&narrowed.samples), "", self.width()))?;
        }
        // Time that the system counted for the kernel has no stacks.
        let kernel = self.model().kernel().map(|it| self.costs.own(it.id)).unwrap_or_default();
        let looks = self.costs.all().samples.saturating_add(self.costs.overhead().samples);
        let looks = looks.saturating_sub(kernel.samples);
        let incomplete = self.costs.incomplete().weight;
        let all = self.costs.all().weight.saturating_sub(kernel.weight);
        let followed = match percent(incomplete, all) {
            _ if incomplete == 0 => "all followed to their start".to_owned(),
            share => format!("{share:.2} % not followed to their start"),
        };
        match looks {
            0 if kernel.weight > 0 => writeln!(f, "no sample was taken outside the kernel"),
            0 if self.narrowed.is_some() && all == 0 => writeln!(f, "there are no such samples"),
            0 if self.narrowed.is_none() => writeln!(f, "no sample was taken"),
            _ if !self.knows_looks() => writeln!(f, "call stacks: {followed}"),
            _ => writeln!(f, "{} at the stacks; {followed}", counted(looks, "look")),
        }
    }

    /// Returns `true` if it is known how many looks took the samples: rows of a sum do not tell.
    fn knows_looks(&self) -> bool {
        self.model().sampling.signals.is_some()
    }

    /// A number of looks, if it is known.
    fn looks(&self, looks: Looks) -> Cell {
        if self.knows_looks() { Cell::Number(looks.samples) } else { Cell::dash() }
    }

    /// Meaning of the columns of times.
    fn write_what_times_are(&self, f: &mut Sheet) -> fmt::Result {
        let times = match self.has_waits {
            false => "total: measured, with all that was called",
            true => "running, waiting: by the clock on the wall, with all that was called",
        };
        let errors = match (self.has_errors(), self.has_waits) {
            (false, _) => "±: this profile does not tell errors",
            (true, false) => "±: 95 of 100 runs agree",
            (true, true) => "±: of both, 95 of 100 runs agree",
        };
        self.subject.say(&format!("{times}; {errors}"), f)
    }

    /// Tells if errors of times are known.
    fn has_errors(&self) -> bool {
        self.costs.precision().is_known()
    }

    /// Notes on the figures.
    fn foot(&self, f: &mut Sheet) -> fmt::Result {
        /// The share of incomplete stacks, in percent, above which we mention them.
        const FEW: f64 = 1.0;
        let incomplete = self.costs.incomplete().weight;
        self.kernels_part(f)?;
        self.states_of_threads(f)?;
        if percent(incomplete, self.costs.all().weight) > FEW {
            let reasons = self.reasons().join("; ");
            self.subject.say(
                &format!(
                    "totals are lower bounds: stacks were not followed everywhere ({reasons})"
                ),
                f,
            )?;
        }
        self.times_made_room(f)?;
        if let Some(limits) = python::limits(self.model()).filter(|_| self.narrowed.is_none()) {
            self.subject.say(&limits, f)?;
        }
        self.subject.say_what_lacks(f)
    }

    /// Says from when on samples have times, if older ones made room.
    fn times_made_room(&self, f: &mut Sheet) -> fmt::Result {
        let Some(timeline) = self.model().timeline.as_ref().filter(|_| self.narrowed.is_none())
        else {
            return Ok(());
        };
        let all = self.model().sampling.samples;
        let lost = all.saturating_sub(timeline.weight());
        match timeline.moments().next() {
            Some(first) if percent(lost, all) > 1.0 => {
                let from = first.at_us as f64 / 1e6;
                let text = format!(
                    "--from and --last know the time from {from:.1} s on: {:.0} % of the samples came before and made \
                     room; GMON_OPTIONS=record=MB keeps more than 64 MB",
                    percent(lost, all)
                );
                self.subject.say(&text, f)
            }
            _ => Ok(()),
        }
    }

    /// Says how much of the time was the kernel's, if that is much, and of which functions.
    fn kernels_part(&self, f: &mut Sheet) -> fmt::Result {
        let all = self.costs.all();
        if !self.model().has_much_of_the_kernel() {
            return Ok(());
        }
        type Part = fn(&Function) -> u64;
        let parts: [(u64, &str, Part); 2] = [
            (all.system, "for system calls", |it| it.self_system_ns),
            (all.faults, "for pages touched first", |it| it.self_faults_ns),
        ];
        let parts =
            parts.into_iter().filter(|(ticks, ..)| *ticks != 0).map(|(ticks, words, of)| {
                let functions = self.model().functions.iter().filter(|it| of(it) != 0);
                let most = functions.max_by_key(|it| of(it));
                let most = most.map_or_else(String::new, |it| {
                    format!(", most in {}", self.subject.forms(it)[1])
                });
                format!("{} {words}{most}", self.clock.time(ticks as f64))
            });
        let parts = parts.collect::<Vec<_>>().join("; ");
        self.subject.say(&format!("the kernel's part: {parts}"), f)
    }

    /// Says what threads did in their time, by the kernel's switches; where nobody knows them, by clocks.
    fn states_of_threads(&self, f: &mut Sheet) -> fmt::Result {
        /// The share of running threads, in percent, above which the rest is not worth a line.
        const MOST: f64 = 90.0;
        let Some(sums) = self.model().sums_of_states().filter(|_| self.narrowed.is_none()) else {
            return self.processor_waits(f);
        };
        let all: u64 = sums.iter().map(|(_, us)| us).sum();
        let of = |state: State| sums.iter().find(|(its, _)| *its == state).map_or(0, |(_, us)| *us);
        if percent(of(State::Running), all) > MOST {
            return Ok(());
        }
        let seconds = |us: u64| format!("{:.3}", us as f64 / 1e6);
        let unknown = match of(State::Unknown) {
            0 => String::new(),
            us => format!(", {} not known", seconds(us)),
        };
        let text = format!(
            "of {} seconds of threads: {} running, {} runnable without a processor, {} waiting{unknown}",
            seconds(all),
            seconds(of(State::Running)),
            seconds(of(State::Runnable)),
            seconds(of(State::Waiting)),
        );
        self.subject.say(&text, f)
    }

    /// Says how much of the time in which threads ran they had no processor, if that is much.
    fn processor_waits(&self, f: &mut Sheet) -> fmt::Result {
        if !self.has_waits || self.narrowed.is_some() || !self.has_cpu_times() {
            return Ok(());
        }
        let overhead = self.costs.overhead().weight;
        let running = self.costs.all().running().saturating_add(overhead);
        let cpu: u64 = self.model().threads.iter().map(|thread| thread.cpu_ns).sum();
        let lacking = running.saturating_sub(self.clock.ticks(cpu));
        if percent(lacking, running) > 10.0 {
            let lacking = self.clock.time(lacking as f64);
            writeln!(f, "{lacking} seconds of those running had no processor: others used it")?;
        }
        Ok(())
    }

    /// Tells if it is known how long threads ran.
    fn has_cpu_times(&self) -> bool {
        self.model().threads.iter().any(|thread| thread.cpu_ns > 0)
    }

    /// Place of the profile, and how to see more of it.
    fn ways_on(&self, f: &mut Sheet) -> fmt::Result {
        let (words, names) = self.subject.files();
        writeln!(f, "\nprofile  {words}")?;
        if let Source::Data { files, .. } = &self.subject.source {
            if let Some(full) = files.full() {
                writeln!(f, "stacks   {full}")?;
            }
        }
        // After `gmon run` the user knows this.
        if self.subject.processes.is_none() {
            facts::write(&self.subject, f)?;
        }
        let times = if self.model().call_times.is_empty() { "" } else { ", --times" };
        writeln!(f, "more     gmon report {names} --calls FUNCTION, or --tree, --threads{times}")?;
        match self.subject.source {
            Source::Data { .. } => writeln!(f, "         gmon gprof {names}"),
            Source::Exported(_) => Ok(()),
        }
    }

    /// All that it says of the part that is asked for.
    pub(super) fn sheet(&self) -> Sheet {
        Sheet::of(|f| match self.subject.part {
            Part::Functions => {
                match &self.contrast {
                    Some(contrast) => slow::write(self, contrast, f)?,
                    None => functions::write(self, f)?,
                }
                self.ways_on(f)
            }
            Part::Calls(_) => calls::write(self, f),
            Part::Tree { cut } => tree::write(self, *cut, f),
            Part::BottomUp { cut } => bottom_up::write(self, *cut, f),
            Part::Times { by } => times::write(self, *by, f),
            Part::Threads => threads::write(self, f),
            Part::Modules => modules::write(self, f),
            Part::By(dimension) => by::write(self, *dimension, f),
        })
    }

    /// Why stacks were not followed, the most frequent reason first.
    fn reasons(&self) -> Vec<&str> {
        let functions = self.model().functions.iter();
        let mut reasons: Vec<_> = functions
            .filter(|it| it.kind == Kind::Incomplete && self.costs.total(it.id).weight > 0)
            .collect();
        reasons.sort_by_cached_key(|it| Reverse(self.costs.total(it.id).weight));
        reasons.into_iter().map(|it| it.name.trim_matches(['[', ']'])).collect()
    }
}

/// For each function whether all its code was inlined into its callers.
fn inlined_everywhere(model: &Model) -> Vec<bool> {
    let mut is_inlined: Vec<_> =
        model.functions.iter().map(|it| it.kind == Kind::Inlined).collect();
    let mut has_frame = is_inlined.clone();
    for frame in &model.frames {
        let (is_inlined, has_frame) =
            (&mut is_inlined[frame.function.index()], &mut has_frame[frame.function.index()]);
        *is_inlined = frame.inlined && (*is_inlined || !*has_frame);
        *has_frame = true;
    }
    let counted = model.functions.iter().filter(|function| function.calls.is_some());
    counted.for_each(|function| is_inlined[function.id.index()] = false);
    is_inlined
}

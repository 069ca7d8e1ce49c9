//! Data of a profile for the page: lists of numbers, one for each column, so that it is short.

use std::collections::BTreeMap;

use gmon_analyzer::Model;
use gmon_analyzer::model::{self, Exactness, FileId, Function, FunctionId, Kind, Rank, Region};
use gmon_analyzer::numbers::places;
use serde::{Serialize, Serializer};

use super::call_times::pictures;
use super::facts::{cautions, facts, record};
use super::names::{Module, Names, shown};
use super::over_time::OverTime;
use super::source::Piece;
use super::tree::{Tree, Whole};

/// The largest whole number up to which JavaScript has them all.
const EXACT: u64 = (1 << 53) - 1;

/// A count. JavaScript gets large ones as text, and so all of their digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count(u64);

/// All that the page holds. Functions, files, modules and threads go by their positions; -1 is none.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Data<'a> {
    /// Digits of a time behind the point.
    places: usize,
    period: u64,
    unit: &'a str,
    clock: &'static str,
    samples: u64,
    inclusive: &'static str,
    /// Warnings about the figures.
    warnings: Vec<String>,
    facts: Vec<(&'static str, String)>,
    /// The function that stands for the profiler's own work; -1 if that took no time.
    hooks: i64,
    /// Way to record call stacks.
    record: String,
    modules: Vec<Module<'a>>,
    files: &'a [String],
    functions: Functions<'a>,
    arcs: Arcs,
    cycles: Vec<Cycle<'a>>,
    threads: Vec<Thread>,
    ranks: &'a [Rank],
    regions: &'a [Region],
    openmp_waiting: u64,
    tree: Option<&'a Tree>,
    /// True if the smallest branches of the tree are drawn together.
    is_cut: bool,
    over_time: Option<&'a OverTime<'a>>,
    /// Times of calls, as HTML, by function.
    call_times: BTreeMap<FunctionId, String>,
    lines: Lines,
    source: &'a [Piece],
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Functions<'a> {
    #[serde(flatten)]
    names: Names<'a>,
    file: Vec<i64>,
    line: Vec<u32>,
    calls: Vec<Option<Count>>,
    recursive: Vec<Count>,
    /// Functions whose time is also that of inlined copies, which no counted call has.
    inlined_too: Vec<FunctionId>,
    #[serde(rename = "self")]
    own: Vec<u64>,
    total: Vec<u64>,
    /// Errors of the totals; below 0 for the most that one can be, where too few signals found it. Empty where
    /// that is not known.
    error: Vec<i64>,
    /// The part of its own time in which the kernel worked. Empty where that is little.
    kernel: Vec<u64>,
    /// The parts of the times that were spent waiting. Empty where that was not sampled.
    waiting: Vec<u64>,
    total_waiting: Vec<u64>,
    cycle: Vec<i64>,
}

#[derive(Debug, Default, Serialize)]
struct Arcs {
    caller: Vec<i64>,
    callee: Vec<FunctionId>,
    file: Vec<i64>,
    line: Vec<u32>,
    calls: Vec<Option<Count>>,
    total: Vec<Option<u64>>,
}

#[derive(Debug, Serialize)]
struct Cycle<'a> {
    functions: &'a [FunctionId],
    calls: Count,
    #[serde(rename = "self")]
    own: u64,
    total: u64,
}

#[derive(Debug, Serialize)]
struct Thread {
    tid: u64,
    /// Its name, with its number if others have the same; empty if it has none.
    name: String,
}

#[derive(Debug, Default, Serialize)]
struct Lines {
    file: Vec<FileId>,
    line: Vec<u32>,
    executions: Vec<Option<Count>>,
    samples: Vec<u64>,
}

impl<'a> Data<'a> {
    /// Data of a model for the page, its tree, and the text of its sources.
    pub(super) fn new(
        model: &'a Model,
        tree: Option<&'a Whole>,
        over_time: Option<&'a OverTime<'a>>,
        source: &'a [Piece],
        warnings: &[String],
    ) -> Self {
        let sampling = &model.sampling;
        Self {
            places: places(model.sampling.rate_hz),
            period: sampling.period_ns,
            unit: &sampling.unit,
            clock: sampling.clock(),
            samples: sampling.own(),
            inclusive: sampling.inclusive.word(),
            warnings: [warnings, &cautions(model)].concat(),
            facts: facts(model, source),
            hooks: position(model.hooks().map(|function| function.id)),
            record: record(model),
            modules: modules(model),
            files: &model.files,
            functions: functions(model),
            arcs: arcs(model),
            cycles: cycles(model),
            threads: threads(model),
            ranks: &model.ranks,
            regions: &model.regions,
            openmp_waiting: model.sampling.openmp_waiting,
            tree: tree.map(|whole| &whole.tree),
            is_cut: tree.is_some_and(|whole| whole.is_cut),
            over_time,
            call_times: pictures(model),
            lines: lines(model),
            source,
        }
    }
}

fn modules(model: &Model) -> Vec<Module<'_>> {
    let modules = model.modules.iter();
    modules.map(|module| Module { name: module.name() }).collect()
}

/// The name of a function for people, and what the name alone does not say.
pub(super) fn name(function: &Function) -> &str {
    shown(&function.display, &function.name)
}

fn functions(model: &Model) -> Functions<'_> {
    let mut columns = Functions::default();
    let tells_kernel = model.has_much_of_the_kernel();
    let is_timed_in_others = model.timed_in_others();
    for function in &model.functions {
        let is_code = matches!(function.kind, Kind::Code | Kind::Inlined);
        let linker = Some(function.name.as_str()).filter(|_| is_code);
        columns.names.push(name(function), linker, position(function.module));
        columns.file.push(position(function.file));
        columns.line.push(function.line.unwrap_or(0));
        columns.calls.push(function.calls.map(Count));
        columns.recursive.push(Count(function.recursive_calls));
        if is_timed_in_others[function.id.index()] {
            columns.inlined_too.push(function.id);
        }
        columns.own.push(function.self_ns);
        columns.total.push(function.total_ns);
        if tells_kernel {
            columns.kernel.push(function.self_kernel_ns());
        }
        if model.sampling.waiting.is_some() {
            columns.waiting.push(function.self_waiting_ns);
            columns.total_waiting.push(function.total_waiting_ns);
        }
        columns.cycle.push(position(function.cycle));
    }
    columns.error = errors(model);
    columns
}

fn errors(model: &Model) -> Vec<i64> {
    let period = model.sampling.period_ns as f64;
    // The profiler's own work is nothing that a longer run would tell better.
    let error = |(function, exactness): (&Function, Exactness)| match exactness {
        _ if function.kind == Kind::Hooks => 0,
        Exactness::Within(ticks) => (ticks * period).round() as i64,
        Exactness::Below(ticks) => -(ticks * period).round() as i64,
    };
    let known = model.exactness_of_totals().unwrap_or_default();
    model.functions.iter().zip(known).map(error).collect()
}

fn arcs(model: &Model) -> Arcs {
    let mut columns = Arcs::default();
    for arc in &model.arcs {
        columns.caller.push(position(arc.caller));
        columns.callee.push(arc.callee);
        columns.file.push(position(arc.file));
        columns.line.push(arc.line.unwrap_or(0));
        columns.calls.push(arc.calls.map(Count));
        columns.total.push(arc.total_ns);
    }
    columns
}

fn cycles(model: &Model) -> Vec<Cycle<'_>> {
    let cycles = model.cycles.iter().map(|cycle| Cycle {
        functions: &cycle.functions,
        calls: Count(cycle.calls_within),
        own: cycle.self_ns,
        total: cycle.total_ns,
    });
    cycles.collect()
}

fn threads(model: &Model) -> Vec<Thread> {
    let threads = model.threads.iter().zip(model.thread_labels());
    let thread = |(thread, label): (&model::Thread, String)| Thread {
        tid: thread.tid,
        name: if thread.name.is_empty() { String::new() } else { label },
    };
    threads.map(thread).collect()
}

fn lines(model: &Model) -> Lines {
    let mut columns = Lines::default();
    for line in &model.lines {
        columns.file.push(line.file);
        columns.line.push(line.line);
        columns.executions.push(line.executions.map(Count));
        columns.samples.push(line.samples);
    }
    columns
}

fn position(of: Option<impl Into<u32>>) -> i64 {
    of.map_or(-1, |id| id.into().into())
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0..=EXACT => serializer.serialize_u64(self.0),
            _ => serializer.collect_str(&self.0),
        }
    }
}

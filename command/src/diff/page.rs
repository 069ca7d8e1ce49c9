//! The page of a comparison, for the browser: lists of numbers, one for each column, so that it is short.

use anyhow::Result;
use gmon_analyzer::diff::{CallTimes, Change, Counts, Presence, SHOWN, Times, stack_pairs};
use gmon_analyzer::numbers::duration;
use gmon_analyzer::records::Figure;
use serde::Serialize;

use super::Compared;
use super::changes::UNDER;
use super::gate::Outcome;
use super::text::Text;
use super::words::{calls, percent, probability};
use crate::report::{DIFFERENCE, Heading, Module, Names, Page, Tree, escaped, shown};

/// All that the page holds. Functions and modules go by their positions; -1 is none.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    /// Digits of a time behind the point.
    places: usize,
    unit: &'a str,
    verdict: String,
    totals: String,
    /// Results of the limits.
    limits: Vec<String>,
    notes: Vec<String>,
    facts: Vec<(&'static str, String)>,
    total: Option<Time>,
    /// The time in one run that a sample of each side stands for.
    per_sample: [f64; 2],
    /// Number of standard errors that chance explains.
    chance: f64,
    modules: Vec<Module<'a>>,
    files: [&'a str; 0],
    functions: Functions<'a>,
    arcs: Arcs,
    /// The rows of both tables of changes, in order: functions, and functions with the arcs by which they were called
    /// differently.
    changed: (Vec<usize>, Vec<(usize, Vec<usize>)>),
    tree: Option<Tree>,
    /// True if the smallest branches of the tree are drawn together.
    is_cut: bool,
}

#[derive(Debug, Default, Serialize)]
struct Functions<'a> {
    #[serde(flatten)]
    names: Names<'a>,
    /// 0 for both sides, 1 for the base alone, 2 for the new one alone.
    presence: Vec<u8>,
    own: Vec<Option<Time>>,
    total: Vec<Option<Time>>,
    calls: Vec<Option<Calls>>,
}

#[derive(Debug, Default, Serialize)]
struct Arcs {
    caller: Vec<i64>,
    callee: Vec<u32>,
    calls: Vec<Calls>,
}

/// Nanoseconds of one run of the base and of the new side, half of the interval of their difference; 1 if it was
/// shown as longer, -1 as shorter, 0 if not, nothing if it was not tested; by which part it grew, and q.
#[derive(Debug, Serialize)]
struct Time(u64, u64, u64, Option<i8>, String, String);

/// The counts of both sides and the change, in words; the counts of one run, for an order; whether they differ.
#[derive(Debug, Serialize)]
struct Calls([String; 3], f64, f64, bool);

/// The page of a comparison.
///
/// # Errors
///
/// The data cannot be written as JSON.
pub(super) fn page(
    compared: &Compared,
    outcome: &Outcome<'_>,
    title: Option<&str>,
    top: usize,
) -> Result<Page> {
    let comparison = &compared.comparison;
    let has_time = comparison.total.samples() > 0;
    let tree = (has_time && comparison.has_stacks == [true; 2])
        .then(|| Tree::of_sides(&stack_pairs(comparison, &compared.base, &compared.new)));
    let (tree, is_cut) = tree.map_or((None, false), |(tree, is_cut)| (Some(tree), is_cut));
    let mut modules = Vec::new();
    let functions = functions(compared, &mut modules);
    let data = Data {
        places: compared.places(),
        unit: &comparison.sampling[0].unit,
        verdict: compared.changes(),
        totals: compared.total(),
        limits: outcome.lines(compared),
        notes: compared.suspect().into_iter().chain(compared.notes()).collect(),
        facts: facts(compared),
        total: time(&comparison.total),
        per_sample: comparison.per_sample_ns(),
        chance: comparison.chance(),
        modules,
        files: [],
        functions,
        arcs: arcs(compared),
        changed: (compared.slower_or_faster(), compared.calls()),
        tree,
        is_cut,
    };
    let default = compared.title();
    let text = Text { compared, outcome, top, width: None }.to_string();
    let heading = Heading {
        title: title.unwrap_or(&default),
        facts: &compared.total(),
        unscripted: format!(
            "<div class=\"body\"><pre>{}</pre><p>This page shows more with JavaScript.</p></div>\n",
            escaped(&anstream::adapter::strip_str(&text).to_string())
        ),
    };
    Page::new(DIFFERENCE, heading, &data)
}

fn facts(compared: &Compared) -> Vec<(&'static str, String)> {
    let mut facts =
        vec![("Base", compared.side(0)), ("New", compared.side(1)), ("Otherwise", compared.rest())];
    facts.extend(call_times(compared).map(|text| ("Calls", text)));
    facts.extend(compared.waits().into_iter().map(|text| ("Waits", text)));
    facts.extend(compared.detectable().map(|text| ("Sensitivity", text)));
    let written = format!("gmon {}", env!("CARGO_PKG_VERSION"));
    facts.extend([
        ("Written by", written),
        (
            "This file",
            "makes no network requests. It holds names of functions and of programs.".to_owned(),
        ),
    ]);
    facts
}

/// Times of calls, a line for each function.
fn call_times(compared: &Compared) -> impl Iterator<Item = String> {
    let of = move |times: &CallTimes| {
        let function = &compared.comparison.functions[times.function as usize];
        let figure = |figure: Figure| {
            let [base, new] = times
                .figure(figure)
                .map(|ns| ns.map_or_else(|| "-".to_owned(), |ns| duration(ns as f64 / 1e9)));
            format!("{} {base} → {new}", figure.name())
        };
        let figures: Vec<_> = [Figure::Mean].into_iter().chain(UNDER).map(figure).collect();
        let (name, place) = compared.name(function);
        let q = times.q.map_or_else(String::new, |q| format!(" (q {})", probability(q)));
        format!("{name}{place}: {}{q}", figures.join(", "))
    };
    compared.timed().into_iter().take(20).map(of)
}

fn functions<'a>(compared: &'a Compared, modules: &mut Vec<Module<'a>>) -> Functions<'a> {
    let mut columns = Functions::default();
    for function in &compared.comparison.functions {
        let module =
            modules.iter().position(|it| it.name == function.module).unwrap_or_else(|| {
                modules.push(Module { name: &function.module });
                modules.len() - 1
            });
        let shown = shown(&function.display, &function.name);
        columns.names.push(shown, Some(&function.name), module as i64);
        columns.presence.push(match function.presence {
            Presence::Both => 0,
            Presence::OnlyBase => 1,
            Presence::OnlyNew => 2,
        });
        columns.own.push(time(&function.own));
        columns.total.push(function.total.as_ref().and_then(time));
        columns.calls.push(function.calls.as_ref().map(counts));
    }
    columns
}

fn arcs(compared: &Compared) -> Arcs {
    let mut columns = Arcs::default();
    for arc in &compared.comparison.arcs {
        columns.caller.push(arc.caller.map_or(-1, i64::from));
        columns.callee.push(arc.callee);
        columns.calls.push(counts(&arc.calls));
    }
    columns
}

/// A time, if any samples found it.
fn time(times: &Times) -> Option<Time> {
    let [base, new] = times.per_run_ns.map(|ns| ns.round() as u64);
    let [low, high] = times.interval_ns;
    let change = match times.change(SHOWN) {
        Change::Slower => Some(1),
        Change::Faster => Some(-1),
        Change::NotShown => Some(0),
        Change::Untested => None,
    };
    let margin = ((high - low) / 2.0).round() as u64;
    let q = times.q.map(probability).unwrap_or_default();
    (times.samples() > 0).then(|| Time(base, new, margin, change, percent(times), q))
}

fn counts(counts: &Counts) -> Calls {
    let [base, new] = counts.per_run();
    Calls(calls(counts), base, new, counts.differ(SHOWN))
}

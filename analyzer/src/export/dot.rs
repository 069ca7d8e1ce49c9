//! The call graph in the language of graphviz.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::format::{Choice, FileNames, Format, Need, View, Writer};
use super::words::{amount_with_unit, counted, grouped, hooks, share};
use crate::model::{Function, FunctionId, Inclusive, Kind, Model};

pub(super) const FORMAT: Format = Format {
    name: "dot",
    help: "the call graph, for graphviz: dot -Tsvg prog.dot > prog.svg",
    files: FileNames::ending(".dot"),
    needs: &[Need::Anything],
    choices: &[Choice::Part],
    writer: Writer::OfModel(write),
};

/// Functions and calls with a smaller part of all time are left out, unless the user says which. Drawing all of
/// a large program takes minutes.
const LEAST_OF_FUNCTIONS: f64 = 0.005;
const LEAST_OF_CALLS: f64 = 0.001;

/// Calls of a function by another, from all lines.
#[derive(Default)]
struct Edge {
    calls: Option<u64>,
    /// `None` within a cycle where time is apportioned.
    total_ns: Option<u64>,
}

fn write(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let edges = edges(model);
    let nodes = nodes(model, view);
    let least = view.min_share.unwrap_or(LEAST_OF_CALLS).min(LEAST_OF_CALLS);
    let is_drawn = |((caller, callee), edge): &(&(FunctionId, FunctionId), &Edge)| {
        nodes.contains(caller)
            && nodes.contains(callee)
            && edge.total_ns.is_none_or(|time| share(model, time, edge.calls) >= least)
    };
    let drawn: Vec<_> = edges.iter().filter(is_drawn).collect();
    writeln!(out, "digraph {} {{", quoted(model.program_name()))?;
    let label = label(model, (nodes.len(), drawn.len()), edges.len());
    writeln!(out, "  graph [label={}, labelloc=t, fontname=\"sans-serif\"];", quoted(&label))?;
    writeln!(out, "  node [shape=box, style=filled, fontname=\"sans-serif\"];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\"];")?;
    for id in &nodes {
        node(model, &model.functions[id.index()], out)?;
    }
    for ((caller, callee), edge) in drawn {
        let share = share(model, edge.total_ns.unwrap_or(0), edge.calls);
        let calls = edge.calls.map_or("not counted".to_owned(), grouped);
        writeln!(
            out,
            "  n{} -> n{} [label={}, penwidth={:.2}, color={}];",
            caller.0,
            callee.0,
            quoted(&calls),
            (4.0 * share).clamp(0.5, 4.0),
            quoted(&colour(share, 0.45)),
        )?;
    }
    writeln!(out, "}}")
}

fn edges(model: &Model) -> BTreeMap<(FunctionId, FunctionId), Edge> {
    let mut edges: BTreeMap<(FunctionId, FunctionId), Edge> = BTreeMap::new();
    for arc in &model.arcs {
        let Some(caller) = arc.caller else { continue };
        let edge = edges.entry((caller, arc.callee)).or_default();
        if let Some(calls) = arc.calls {
            edge.calls = Some(edge.calls.unwrap_or(0).saturating_add(calls));
        }
        let times = [edge.total_ns, arc.total_ns].into_iter().flatten();
        edge.total_ns = times.reduce(u64::saturating_add);
    }
    edges
}

/// The functions that are drawn: those with the largest shares.
fn nodes(model: &Model, view: &View) -> BTreeSet<FunctionId> {
    let least = view.min_share.unwrap_or(LEAST_OF_FUNCTIONS);
    let share = |function: &&Function| share(model, function.total_ns, function.calls);
    let program = model.functions.iter().filter(|function| function.kind != Kind::Hooks);
    let mut list: Vec<&Function> = program.filter(|function| share(function) >= least).collect();
    list.sort_by(|a, b| share(b).total_cmp(&share(a)));
    list.iter().take(view.top.unwrap_or(usize::MAX)).map(|function| function.id).collect()
}

/// Note on what the graph shows, and what it leaves out.
fn label(model: &Model, (nodes, drawn): (usize, usize), edges: usize) -> String {
    let sampling = &model.sampling;
    let mut lines = vec![format!(
        "{}: {}, {}",
        model.program_name(),
        amount_with_unit(sampling, sampling.time(sampling.samples)),
        counted(model.calls(), "call"),
    )];
    let (without, calls) = (model.functions.len() - nodes, edges - drawn);
    if without + calls > 0 {
        let (without, calls) = (counted(without as u64, "function"), counted(calls as u64, "arc"));
        lines.push(format!("left out: {without}, {calls}"));
    }
    lines.extend(hooks(model));
    if sampling.inclusive == Inclusive::Apportioned {
        lines.push("total times apportioned by calls".to_owned());
    }
    lines.join("\n")
}

fn node(model: &Model, function: &Function, out: &mut dyn Write) -> io::Result<()> {
    let percent = |time: u64| 100.0 * share(model, time, None);
    let mut lines = vec![function.display.clone()];
    let total = share(model, function.total_ns, function.calls);
    if model.sampling.samples > 0 {
        let (total, own) = (percent(function.total_ns), percent(function.self_ns));
        lines.push(format!("{total:.2} % ({own:.2} %)"));
    }
    lines.extend(function.calls.map(|calls| format!("{}×", grouped(calls))));
    let (id, name) = (function.id, quoted(&function.display));
    let (label, fill) = (quoted(&lines.join("\n")), quoted(&colour(total, 0.2)));
    writeln!(out, "  n{} [label={label}, tooltip={name}, fillcolor={fill}];", id.0)
}

/// From pale blue, for nothing, to orange, for all: hue, saturation and brightness.
fn colour(share: f64, least: f64) -> String {
    let share = share.clamp(0.0, 1.0);
    let hue = 0.58 - 0.5 * share;
    format!("{hue:.3} {:.3} 1.000", least + (0.75 - least) * share)
}

/// A string of the language. The ends of lines are centred.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

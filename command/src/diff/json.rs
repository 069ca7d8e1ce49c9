//! A comparison for scripts: `gmon-diff/1`, which docs/gmon-diff-1.schema.json describes.

use std::io::{self, Write};

use gmon_analyzer::Model;
use gmon_analyzer::diff::{
    ArcChange, CallTimes, Change, Counts, FunctionChange, Presence, SHOWN, SharedWork, Sharing,
    Times, Verdict,
};
use gmon_analyzer::records::Figure;
use gmon_analyzer::table::write_list;
use serde::Serialize;
use serde_json::{Value, json};

use super::Compared;
use super::changes::tables;
use super::gate::{Outcome, Result};

/// Writes it, a line for each function and each arc.
pub(super) fn write(
    compared: &Compared,
    outcome: &Outcome<'_>,
    top: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Compared { base, new, comparison, .. } = compared;
    write!(out, "{{\n\"schema\":\"gmon-diff/1\"")?;
    field(out, "generator", &json!({"name": "gmon", "version": env!("CARGO_PKG_VERSION")}))?;
    field(out, "verdict", &compared.verdict())?;
    field(out, "base", &side(compared, 0, base))?;
    field(out, "new", &side(compared, 1, new))?;
    field(out, "total", &times(&comparison.total))?;
    field(out, "waiting", &comparison.waiting.as_ref().map(times))?;
    field(
        out,
        "design",
        &json!({"pairs": comparison.has_pairs, "shares": comparison.design.shares}),
    )?;
    field(
        out,
        "suspect",
        &comparison.suspect().map(|it| json!({"function": it.function, "runs": it.runs})),
    )?;
    list(out, "functions", comparison.functions.iter().map(function))?;
    list(out, "arcs", comparison.arcs.iter().map(arc))?;
    list(out, "call_times", comparison.call_times.iter().map(call_times))?;
    list(out, "shared_work", comparison.shared_work.iter().map(shared_work))?;
    let shares = [1.0, 0.1, 0.01]
        .into_iter()
        .filter_map(|share| Some(json!({"share": share, "change": comparison.detectable(share)?})));
    list(out, "detectable", shares)?;
    list(out, "limits", outcome.results().iter().map(limit))?;
    write!(out, ",\n\"tables\":")?;
    write_list(&tables(compared, top), out)?;
    writeln!(out, "\n}}")
}

fn field(out: &mut dyn Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    write!(out, ",\n\"{name}\":{}", serde_json::to_string(value)?)
}

fn list(out: &mut dyn Write, name: &str, items: impl Iterator<Item = Value>) -> io::Result<()> {
    write!(out, ",\n\"{name}\":[")?;
    for (number, item) in items.enumerate() {
        let comma = if number == 0 { "" } else { "," };
        write!(out, "{comma}\n{}", serde_json::to_string(&item)?)?;
    }
    write!(out, "]")
}

fn side(compared: &Compared, side: usize, runs: &[Model]) -> Value {
    let Compared { comparison, stretches, .. } = compared;
    let sampling = &comparison.sampling[side];
    json!({
        "program": runs.first().map(|run| &run.program),
        "stretch": stretches[side],
        "runs": comparison.runs[side],
        "rate_hz": sampling.rate_hz,
        "period_ns": sampling.period_ns,
        "unit": sampling.unit,
        "waits": sampling.waits,
        "paths": if comparison.has_stacks[side] { "sampled" } else { "none" },
    })
}

fn times(times: &Times) -> Value {
    json!({
        "base": times.base,
        "new": times.new,
        "base_ns": times.per_run_ns[0],
        "new_ns": times.per_run_ns[1],
        "delta_ns": times.delta_ns,
        "ratio": times.ratio(),
        "interval_ns": times.interval_ns,
        "dispersion": times.dispersion,
        "p": times.p,
        "q": times.q,
        "holm": times.holm,
        "verdict": match times.change(SHOWN) {
            Change::Slower => "slower",
            Change::Faster => "faster",
            Change::NotShown => "not shown to differ",
            Change::Untested => "not tested",
        },
    })
}

fn counts(counts: &Counts) -> Value {
    let delta = counts.difference().and_then(|difference| i64::try_from(difference).ok());
    json!({
        "base": counts.base,
        "new": counts.new,
        "delta": delta,
        "steady": counts.is_steady(),
        "p": counts.p(),
        "q": counts.q,
        "differ": counts.differ(SHOWN),
    })
}

fn function(function: &FunctionChange) -> Value {
    json!({
        "name": function.name,
        "display": function.display,
        "module": function.module,
        "in": match function.presence {
            Presence::Both => "both",
            Presence::OnlyBase => "base",
            Presence::OnlyNew => "new",
        },
        "calls": function.calls.as_ref().map(counts),
        "self": times(&function.own),
        "waiting": function.waiting.as_ref().map(times),
        "total": function.total.as_ref().map(times),
    })
}

fn arc(arc: &ArcChange) -> Value {
    json!({"caller": arc.caller, "callee": arc.callee, "calls": counts(&arc.calls)})
}

fn call_times(times: &CallTimes) -> Value {
    let side = |side: usize| -> Value {
        let Some(known) = &times.sides[side] else { return Value::Null };
        let mut figures = serde_json::Map::new();
        figures.insert("timed".to_owned(), known.timed.into());
        figures.insert("without_end".to_owned(), known.without_end.into());
        for figure in Figure::ALL {
            let ns = times.figure(figure)[side];
            figures.insert(format!("{}_ns", figure.key()), ns.into());
        }
        figures.into()
    };
    json!({
        "function": times.function,
        "base": side(0),
        "new": side(1),
        "longer": times.longer,
        "p": times.p,
        "q": times.q,
        "holm": times.holm,
        "differ": times.differ(SHOWN),
    })
}

fn shared_work(work: &SharedWork) -> Value {
    let [base_ns, new_ns] = work.times_ns;
    json!({
        "kind": match work.kind {
            Sharing::Mpi => "mpi",
            Sharing::OpenMpWaits => "openmp_waits",
            Sharing::Region => "region",
        },
        "name": work.name,
        "base_ns": base_ns,
        "new_ns": new_ns,
        "imbalance": work.imbalance,
    })
}

fn limit(result: &Result<'_>) -> Value {
    let exceeded = |verdict: &Verdict| match verdict {
        Verdict::Function(number) => json!({"function": number}),
        Verdict::Arc(number) => json!({"arc": number}),
    };
    let (status, judged) = match &result.judged {
        Ok(judged) if judged.exceeded.is_empty() => ("kept", Some(judged)),
        Ok(judged) => ("exceeded", Some(judged)),
        Err(_) => ("not judged", None),
    };
    json!({
        "limit": result.limit.to_string(),
        "status": status,
        "judged": judged.map_or(0, |it| it.judged),
        "varying": judged.map_or(0, |it| it.varying),
        "counted_once": judged.map_or(0, |it| it.unknown),
        "exceeded": judged.map_or_else(Vec::new, |it| it.exceeded.iter().map(exceeded).collect()),
        "reason": result.judged.as_ref().err().map(ToString::to_string),
    })
}

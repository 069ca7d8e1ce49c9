//! One picture, as text or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use gmon_analyzer::follow::{Call, Change, Sums};
use serde_json::{Value, json};

use super::picture::{AwakeHooks, Picture, Process};
use super::rows::{View, Wanted, rows};
use super::subjects::Named;
use super::sums::Sort;
use crate::text::{grouped, harmless};

/// Writes the functions that took the most time.
pub(super) fn write_text(picture: &Picture, top: usize, out: &mut dyn Write) -> io::Result<()> {
    for process in &picture.processes {
        let (title, state) = (process.title(), process.state.word());
        write!(out, "{title}: {state}, {} samples a second", grouped(process.rate.into()))?;
        if let Some(AwakeHooks { all, count, .. }) = &process.hooks {
            write!(out, ", {} of {} hooks awake", grouped(*count), grouped(all.len() as u64))?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "\n{:>6}{:>7}{:>12}{:>9}{:>9}{:>15}  function",
        "%self", "%total", "calls/s", "self s", "total s", "calls"
    )?;
    let view = View::Functions;
    let wanted = Wanted {
        view: &view,
        sort: Sort::default(),
        search: "",
        process: None,
        baseline: None,
        most: top,
    };
    let mut known = Named::default();
    known.take(picture);
    for row in rows(picture, &known, wanted).first {
        let module = match &*row.subject.module {
            "" => String::new(),
            module => format!(" [{}]", harmless(module)),
        };
        writeln!(
            out,
            "{:>6.1}{:>7.1}{:>12}{:>9.2}{:>9.2}{:>15}  {}{module}",
            row.now.own * 100.0,
            row.now.total * 100.0,
            grouped(row.now.calls as u64),
            row.all.own,
            row.all.total,
            grouped(row.all.calls as u64),
            harmless(&row.subject.name)
        )?;
    }
    Ok(())
}

/// Everything.
pub(super) fn write_json(picture: &Picture, out: &mut dyn Write) -> io::Result<()> {
    let processes: Vec<Value> = picture.processes.iter().map(process).collect();
    let document = json!({ "schema": "gmon-top/1", "processes": processes });
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

fn process(process: &Process) -> Value {
    let described = |name: &str, module: &str, change| {
        let (now, all) = numbers(change, process);
        json!({ "name": name, "module": module, "now": now, "all": all })
    };
    let functions = process.functions.iter().enumerate();
    let functions: Vec<Value> = functions
        .map(|(place, it)| described(&it.name, &it.module, process.counted.functions.get(place)))
        .collect();
    let threads = process.threads.iter().map(|it| described(&it.name, "", it.change));
    let threads: Vec<Value> = threads.collect();
    let calls = calls(process).into_iter().map(|(Call { caller, callee }, change)| {
        let (now, all) = numbers(change, process);
        json!({ "caller": caller, "callee": callee, "now": now, "all": all })
    });
    let calls: Vec<Value> = calls.collect();
    let hooks = process.hooks.as_ref().map(|it| json!({ "awake": it.count, "all": it.all.len() }));
    let (now, all) = numbers(process.all, process);
    json!({
        "pid": process.id,
        "program": process.name,
        "state": process.state.word(),
        "rate_hz": process.rate,
        "interval_ns": u64::try_from(process.elapsed.as_nanos()).unwrap_or(u64::MAX),
        "has_stacks": process.has_stacks,
        "hooks": hooks,
        "now": now,
        "all": all,
        "functions": functions,
        "calls": calls,
        "threads": threads,
    })
}

/// Calls and times between two functions, each two once.
fn calls(process: &Process) -> BTreeMap<Call, Change> {
    let mut sums = BTreeMap::new();
    let kinds = process.between_functions().into_iter();
    for (ends, change) in kinds.flat_map(|calls| calls.since(None, |_| true)) {
        *sums.entry(ends).or_insert_with(Change::default) += change;
    }
    sums
}

fn numbers(Change { now, all }: Change, process: &Process) -> (Value, Value) {
    let numbers = |sums: Sums| {
        let ns = |ticks: u64| {
            u128::from(ticks).saturating_mul(1_000_000_000) / u128::from(process.rate.max(1))
        };
        let ns = |ticks| u64::try_from(ns(ticks)).unwrap_or(u64::MAX);
        json!({
            "calls": sums.calls,
            "self_ns": ns(sums.own),
            "total_ns": process.has_stacks.then(|| ns(sums.total)),
            "waiting_ns": ns(sums.waiting),
        })
    };
    (numbers(now), numbers(all))
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::picture;
    use super::*;

    #[test]
    fn text_has_the_first_functions() {
        let mut text = Vec::new();
        write_text(&picture(), 1, &mut text).expect("memory");
        let text = String::from_utf8(text).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "prog (1): on, 100 samples a second");
        assert_eq!(lines[4], "  80.0   80.0          10     7.80     7.80            100  solve");
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn json_has_everything() {
        let mut text = Vec::new();
        write_json(&picture(), &mut text).expect("memory");
        let document: Value = serde_json::from_slice(&text).expect("JSON");
        let process = &document["processes"][1];
        assert_eq!((&process["pid"], &process["state"]), (&json!(2), &json!("on")));
        let parse = &process["functions"][1];
        assert_eq!((&parse["name"], &parse["module"]), (&json!("parse"), &json!("prog")));
        let now = json!({ "calls": 40, "self_ns": 200_000_000, "total_ns": 200_000_000, "waiting_ns": 0 });
        assert_eq!(parse["now"], now);
        assert_eq!(process["calls"][0]["all"]["calls"], json!(1_000));
    }
}

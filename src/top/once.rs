//! A single picture, as text or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use gmon_analyzer::follow::{Call, Change, Sums};
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit, write_list};
use serde_json::{Value, json};

use super::picture::{AwakeHooks, Picture, Process};
use super::rows::{View, Wanted, rows};
use super::subjects::Named;
use super::sums::Sort;
use crate::text::grouped;

const FUNCTIONS: &[Column] = &[
    Column::text("function", Placing::Last),
    Column::text("module", Placing::Behind("[", "]")),
    Column::number("self", Unit::Percent, 6).headed("%self"),
    Column::number("total", Unit::Percent, 6).headed("%total"),
    Column::number("calls", Unit::PerSecond, 11).headed("calls/s"),
    Column::number("self", Unit::Time, 8).headed("self {}"),
    Column::number("total", Unit::Time, 8).headed("total {}"),
    Column::number("calls", Unit::Count, 14),
];

/// The functions that took the most time.
pub(super) fn functions(picture: &Picture, top: usize) -> Table {
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
    let mut table = Table::new(FUNCTIONS);
    for row in rows(picture, &known, wanted).first {
        table.rows.push(Row::of(vec![
            Cell::name(&row.subject.name),
            Cell::text(&row.subject.module),
            Cell::Real(row.now.own * 100.0),
            Cell::Real(row.now.total * 100.0),
            Cell::Real(row.now.calls),
            Cell::Real(row.all.own * 1e9),
            Cell::Real(row.all.total * 1e9),
            Cell::Said((row.all.calls >= 1.0).then_some(row.all.calls), row.all.counted_calls()),
        ]));
    }
    table
}

/// Writes a line about each process.
pub(super) fn write_processes(picture: &Picture, out: &mut dyn Write) -> io::Result<()> {
    for process in &picture.processes {
        let (title, state) = (process.title(), process.state.word());
        write!(out, "{title}: {state}, {} samples a second", grouped(process.rate.into()))?;
        if let Some(AwakeHooks { all, count, .. }) = &process.hooks {
            write!(out, ", {} of {} hooks awake", grouped(*count), grouped(all.len() as u64))?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

/// Writes everything.
pub(super) fn write_json(picture: &Picture, table: Table, out: &mut dyn Write) -> io::Result<()> {
    let processes: Vec<Value> = picture.processes.iter().map(process).collect();
    write!(out, "{{\"schema\":\"gmon-top/1\",\"processes\":{},\"tables\":", json!(processes))?;
    write_list(&[table], out)?;
    writeln!(out, "}}")
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
    use gmon_analyzer::table::TableFormat;

    use super::super::rows::tests::picture;
    use super::*;

    #[test]
    fn text_has_the_first_functions() {
        let mut text = Vec::new();
        write_processes(&picture(), &mut text).expect("memory");
        let table = functions(&picture(), 1);
        let text = String::from_utf8(text).expect("text")
            + &TableFormat::TEXT.written(std::slice::from_ref(&table), None);
        let text = anstream::adapter::strip_str(&text).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "prog (1): on, 100 samples a second");
        assert_eq!(lines[4], "  80.0   80.0          10     7.80     7.80            100  solve");
        assert_eq!(lines.len(), 5);

        let text = TableFormat::CSV.written(&[table], None);
        let (heading, row) = text.split_once('\n').expect("lines");
        let times = "self_percent,total_percent,calls_per_second,self_ns,total_ns,calls";
        assert_eq!(heading, format!("function,module,{times}"));
        assert!(row.starts_with("solve,") && row.ends_with(",100\n"), "{row}");
    }

    #[test]
    fn json_has_everything() {
        let mut text = Vec::new();
        write_json(&picture(), functions(&picture(), 1), &mut text).expect("memory");
        let document: Value = serde_json::from_slice(&text).expect("JSON");
        let process = &document["processes"][1];
        assert_eq!((&process["pid"], &process["state"]), (&json!(2), &json!("on")));
        let parse = &process["functions"][1];
        assert_eq!((&parse["name"], &parse["module"]), (&json!("parse"), &json!("prog")));
        let now = json!({ "calls": 40, "self_ns": 200_000_000, "total_ns": 200_000_000, "waiting_ns": 0 });
        assert_eq!(parse["now"], now);
        assert_eq!(process["calls"][0]["all"]["calls"], json!(1_000));
        assert_eq!(document["tables"][0]["rows"][0]["function"], "solve");
    }
}

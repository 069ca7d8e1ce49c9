//! A single picture, as text or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use gmon_analyzer::follow::{Call, Change, Sums, Timed};
use gmon_analyzer::numbers::duration;
use gmon_analyzer::records::{Figure, Times};
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

/// Times of calls: since the look before, and in all.
const TIMES: &[Column] = &[
    Column::number("p50_now", Unit::Time, 0).hidden(),
    Column::number("p99_now", Unit::Time, 0).hidden(),
    Column::number("p50", Unit::Time, 7),
    Column::number("p99", Unit::Time, 7),
    Column::number("max", Unit::Time, 7),
    Column::number("timed", Unit::Count, 0).hidden(),
    Column::number("without_end", Unit::Count, 0).hidden(),
];

/// The columns. People see times of calls if there are any, and for these no other times: both do not fit 80 columns.
fn columns(has_times: bool) -> Vec<Column> {
    let give_way = ["total", "self {}"];
    let functions = FUNCTIONS.iter().map(|column| match has_times {
        true if give_way.iter().any(|it| column.heading.contains(it)) => column.hidden(),
        true if column.heading == "calls" => Column { width: 11, ..*column },
        _ => *column,
    });
    let times = TIMES.iter().map(|column| if has_times { *column } else { column.hidden() });
    functions.chain(times).collect()
}

/// The functions that took the most time, and all whose calls are timed.
pub(super) fn functions(picture: &Picture, top: usize) -> Table {
    let mut known = Named::default();
    known.take(picture);
    let first = |view, most| {
        let (sort, search) = (Sort::default(), "");
        let wanted = Wanted { view: &view, sort, search, process: None, baseline: None, most };
        rows(picture, &known, wanted).first
    };
    let mut shown = first(View::Functions, top);
    let timed = first(View::Times, usize::MAX);
    let mut table = Table::new(columns(!timed.is_empty()));
    for row in timed {
        if !shown.iter().any(|it| it.subject == row.subject) {
            shown.push(row);
        }
    }
    for row in shown {
        let mut cells = vec![
            Cell::name(&row.subject.name),
            Cell::text(&row.subject.module),
            Cell::Real(row.now.own * 100.0),
            Cell::Real(row.now.total * 100.0),
            row.calls_now().map_or_else(Cell::dash, Cell::Real),
            Cell::Real(row.all.own * 1e9),
            Cell::Real(row.all.total * 1e9),
            Cell::Said((row.all.calls >= 1.0).then_some(row.all.calls), row.all.counted_calls()),
        ];
        cells.extend(times(row.times.as_ref()));
        table.rows.push(Row::of(cells));
    }
    table
}

/// The cells of [`TIMES`].
fn times(timed: Option<&Timed>) -> [Cell; 7] {
    let Some(Timed { now, all }) = timed else {
        return std::array::from_fn(|_| Cell::dash());
    };
    let time = |figure: Figure, times| {
        let said = |ns: u64| Cell::Said(Some(ns as f64), duration(ns as f64 / 1e9));
        figure.of(times).map_or_else(Cell::dash, said)
    };
    [
        time(Figure::P50, now),
        time(Figure::P99, now),
        time(Figure::P50, all),
        time(Figure::P99, all),
        time(Figure::Longest, all),
        Cell::Number(all.timed),
        Cell::Number(all.without_end),
    ]
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
        .map(|(place, it)| {
            let mut described =
                described(&it.name, &it.module, process.counted.functions.get(place));
            let timed = u32::try_from(place).ok().and_then(|place| process.times.get(&place));
            described["times"] =
                json!(timed.map(|it| json!({ "now": figures(&it.now), "all": figures(&it.all) })));
            described
        })
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

/// Times of calls of a function.
fn figures(times: &Times) -> Value {
    let mut figures = json!({
        "timed": times.timed,
        "without_end": times.without_end,
        "total_ns": times.total_ns,
    });
    for figure in Figure::ALL {
        figures[format!("{}_ns", figure.key())] = json!(figure.of(times));
    }
    figures
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

/// Calls and times. Where no call was ever counted, nobody counts them.
fn numbers(Change { now, all }: Change, process: &Process) -> (Value, Value) {
    let are_counted = all.calls > 0;
    let numbers = |sums: Sums| {
        let ns = |ticks: u64| {
            u128::from(ticks).saturating_mul(1_000_000_000) / u128::from(process.rate.max(1))
        };
        let ns = |ticks| u64::try_from(ns(ticks)).unwrap_or(u64::MAX);
        json!({
            "calls": are_counted.then_some(sums.calls),
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

    use super::super::rows::tests::{picture, timed};
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
        let of_calls = "p50_now_ns,p99_now_ns,p50_ns,p99_ns,max_ns,timed,without_end";
        assert_eq!(heading, format!("function,module,{times},{of_calls}"));
        assert!(row.starts_with("solve,") && row.ends_with(",100,,,,,,,\n"), "{row}");
    }

    #[test]
    fn nothing_is_said_of_calls_that_nobody_counts() {
        // A function of a library.
        let table = functions(&picture(), 4);
        let written = |format: &TableFormat| format.written(std::slice::from_ref(&table), None);
        let text = written(&TableFormat::PLAIN);
        let line = "   0.0    0.0           -     0.14     0.14              -  memcpy [libc.so.6]";
        assert_eq!(text.lines().last(), Some(line), "{text}");
        assert!(written(&TableFormat::CSV).contains("\nmemcpy,libc.so.6,0,0,,140000000,"));
        assert!(written(&TableFormat::JSON).contains("\"calls_per_second\":null"));
    }

    #[test]
    fn timed_functions_are_there_with_their_times() {
        let table = functions(&timed(), 1);
        let text = TableFormat::TEXT.written(std::slice::from_ref(&table), None);
        let text = anstream::adapter::strip_str(&text).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                " %self     calls/s       calls     p50     p99     max  function",
                "  80.0          10         100       -       -       -  solve",
                "  20.0          40       2,000 1.02 us 9.15 us 9.00 ms  parse",
            ]
        );
        assert!(lines.iter().all(|line| line.len() <= 80));
        let text = TableFormat::CSV.written(&[table], None);
        let rows: Vec<&str> = text.lines().collect();
        assert!(
            rows[0]
                .ends_with(",calls,p50_now_ns,p99_now_ns,p50_ns,p99_ns,max_ns,timed,without_end")
        );
        assert!(rows[1].ends_with(",100,,,,,,,"), "{text}");
        assert!(rows[2].ends_with(",9000000,204,2"), "{text}");
    }

    #[test]
    fn json_has_everything() {
        let mut text = Vec::new();
        write_json(&timed(), functions(&picture(), 1), &mut text).expect("memory");
        let document: Value = serde_json::from_slice(&text).expect("JSON");
        let process = &document["processes"][1];
        assert_eq!((&process["pid"], &process["state"]), (&json!(2), &json!("on")));
        let parse = &process["functions"][1];
        assert_eq!((&parse["name"], &parse["module"]), (&json!("parse"), &json!("prog")));
        let now = json!({ "calls": 40, "self_ns": 200_000_000, "total_ns": 200_000_000, "waiting_ns": 0 });
        assert_eq!(parse["now"], now);
        let times = &parse["times"];
        assert_eq!(
            (&times["all"]["timed"], &times["all"]["without_end"]),
            (&json!(102), &json!(1))
        );
        assert_eq!(
            (&times["all"]["max_ns"], &times["now"]["max_ns"]),
            (&json!(9_000_000), &json!(1_020))
        );
        assert_eq!(process["functions"][0]["times"], Value::Null);
        assert_eq!(process["calls"][0]["all"]["calls"], json!(1_000));
        assert_eq!(process["functions"][3]["all"]["calls"], Value::Null);
        assert_eq!(process["threads"][0]["all"]["calls"], Value::Null);
        assert_eq!(document["tables"][0]["rows"][0]["function"], "solve");
    }
}

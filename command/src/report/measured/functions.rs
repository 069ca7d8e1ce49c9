//! The functions that took the most time, in whatever module.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

use gmon_analyzer::model::{Function, FunctionId};
use gmon_analyzer::profile::LINKAGE;
use gmon_analyzer::records::Looks;
use gmon_analyzer::symbols::Demangling;
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::Measured;
use super::dimensions;
use crate::report::apart::HOOKS;
use crate::report::nameless;
use crate::report::sheet::Sheet;
use crate::report::subject::{FUNCTION, Source, more_functions, words};
use crate::text::{counted, fitted, harmless};

/// Writes the table, the lines about modules and threads, and the notes that explain the figures.
pub(super) fn write(measured: &Measured<'_>, f: &mut Sheet) -> fmt::Result {
    let (costs, clock) = (&measured.costs, measured.clock);
    let calls_of = |id: FunctionId| measured.subject.function(id).calls;
    let by_others = |id: FunctionId| {
        let function = measured.subject.function(id);
        let calls = function.calls?.saturating_sub(function.recursive_calls);
        measured.calls_with_all_time(id, Some(calls))
    };
    let mut functions: Vec<_> = measured.functions().collect();
    // What is known by its callers alone took no time and has no counts.
    functions.retain(|&id| calls_of(id).is_some() || costs.total(id).weight > 0);
    // Of those without time of their own, the ones that the user compiled come first.
    functions.sort_unstable_by_key(|&id| {
        let (count, own, total) = (calls_of(id), costs.own(id).weight, costs.total(id).weight);
        (Reverse((own, count.is_some(), total, count)), id)
    });
    let times = measured.columns(8, 6);
    let calls = [
        Column::number("calls", Unit::Count, 11),
        Column::number("per_call", Unit::Time, 8).headed("per call"),
    ];
    let own = measured.own_columns(8, 5);
    let from = [
        Column::text("from", Placing::Spare("(from ", ")")),
        Column { place: Placing::Joined(" and "), ..Column::number("from_others", Unit::Count, 0) },
    ];
    let columns = [&own[..], &times.columns("total"), &calls, FUNCTION, &from].concat();
    let mut table = Table::new(columns);
    let row = |own: [Cell; 3], times: Vec<Cell>, calls: [Cell; 2], name: Vec<Cell>| {
        [&own[..], &times, &calls, &name].concat()
    };
    let callers = measured.model().callers_in_program();
    let from = |id: FunctionId| {
        let known = callers[id.index()].map(|it| (measured.subject.function(it.function), it));
        // Without a name it would tell nobody anything.
        let known = known.filter(|(function, _)| !measured.model().is_nameless(function));
        let Some((function, caller)) = known else { return [Cell::Unknown, Cell::Unknown] };
        let others = match caller.others {
            0 => Cell::Unknown,
            n => Cell::Said(Some(n as f64), counted(n as u64, "other")),
        };
        [Cell::Name(measured.subject.forms(function)), others]
    };
    measured.head(f)?;
    writeln!(f)?;
    let listed = functions.get(..measured.top).unwrap_or(&functions);
    for &id in listed {
        let amount = clock.amount(costs.total(id), costs.precision());
        let calls = [Cell::or_dash(calls_of(id)), amount.per_call(by_others(id))];
        let times = times.of(costs.total(id), costs);
        let name = [measured.named(id), from(id).to_vec()].concat();
        table.rows.push(Row::of(row(measured.own(costs.own(id)), times, calls, name)));
    }
    let others = functions.get(measured.top..).unwrap_or_default();
    if !others.is_empty() {
        let own = measured.own(others.iter().map(|&id| costs.own(id)).sum());
        let calls = others.iter().filter_map(|id| calls_of(*id)).reduce(u64::saturating_add);
        let calls = [Cell::or_dash(calls), Cell::dash()];
        let name = [more_functions(others.len()), vec![Cell::Unknown; 2]].concat();
        table.rows.push(Row::Rest(row(own, times.none(), calls, name)));
    }
    let known: Looks = functions.iter().map(|&id| costs.own(id)).sum();
    let mut unknown = costs.all();
    unknown -= known;
    // What all hooks took for each call.
    let counted = functions.iter().filter_map(|id| calls_of(*id)).reduce(u64::saturating_add);
    let hooks = clock.amount(costs.overhead(), costs.precision()).per_hook(counted);
    let is_unknown = unknown.weight > 0;
    let unknown = ("[unknown]", unknown.weight, measured.share(unknown.weight));
    for (what, ticks, share) in is_unknown.then_some(unknown).into_iter().chain(measured.apart()) {
        let each = if what == HOOKS { hooks.clone() } else { Cell::dash() };
        let calls = [Cell::dash(), each];
        let own = measured.own_apart(ticks, share);
        let name = [words(what), vec![Cell::Unknown; 2]].concat();
        table.rows.push(Row::of(row(own, times.none(), calls, name)));
    }
    f.table(table);
    dimensions::write(measured, f)?;
    measured.write_what_times_are(f)?;
    measured.write_what_shares_are(f)?;
    let uncounted = listed.iter().copied().filter(|id| calls_of(*id).is_none());
    let uncounted = uncounted.map(|id| measured.subject.function(id));
    let library = |function| measured.subject.library(function);
    // Calls into a library can be counted where those by its own functions are not.
    let counted = measured.model().functions.iter().filter(|it| it.calls.is_some());
    let counted: BTreeSet<_> = counted.filter_map(library).collect();
    let uncounted = uncounted.filter(|function| {
        let has_hooks = library(function).is_none_or(|library| counted.contains(library));
        !has_hooks || !OF_EVERY_MODULE.contains(&&*function.name)
    });
    let (inside, outside): (Vec<_>, Vec<_>) = uncounted
        .partition(|function| library(function).is_some_and(|library| counted.contains(library)));
    let reasons = [("in", outside), ("inside", inside)].map(|(word, functions)| {
        let reasons = reasons(measured, functions.into_iter());
        (!reasons.is_empty()).then(|| format!("{word} {}", reasons.join(", ")))
    });
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    if measured.model().calls() > 0 && !reasons.is_empty() {
        let line = format!("calls: not counted {}", reasons.join(", nor "));
        writeln!(f, "{}", fitted(&line, "", measured.width()))?;
    }
    if matches!(measured.subject.source, Source::Data { .. }) {
        nameless::hints(measured.model()).try_for_each(|hint| measured.subject.say(&hint, f))?;
    }
    measured.foot(f)
}

/// Code that compilers and linkers add to every module, which has no hooks where the module's own functions have some.
const OF_EVERY_MODULE: [&str; 4] = [LINKAGE, "_start", "_init", "_fini"];

/// Why calls of functions were not counted.
fn reasons<'a>(
    measured: &Measured<'_>,
    functions: impl Iterator<Item = &'a Function>,
) -> Vec<String> {
    let (mut modules, mut is_std, mut is_inlined, mut is_other) =
        (BTreeSet::new(), false, false, false);
    for function in functions {
        match measured.subject.library(function) {
            Some(name) => _ = modules.insert(harmless(name).into_owned()),
            None if measured.is_inlined[function.id.index()] => is_inlined = true,
            None if is_of_std(&function.name) => is_std = true,
            None => is_other = true,
        }
    }
    let libraries = match modules.len() {
        0 => None,
        1..=3 => Some(modules.into_iter().collect::<Vec<_>>().join(", ")),
        number => Some(format!("{number} libraries")),
    };
    let without = [
        libraries,
        is_std.then(|| "Rust's standard library".to_owned()),
        is_other.then(|| match measured.subject.is_dormant() {
            true => "functions whose hooks were asleep".to_owned(),
            false => "code built without -pg".to_owned(),
        }),
        is_inlined.then(|| "inlined functions".to_owned()),
    ];
    without.into_iter().flatten().collect()
}

/// Returns `true` if the linker's name of a function says that it comes compiled with Rust. C++ has a `std`, too.
fn is_of_std(name: &str) -> bool {
    let readable = Demangling::Rust.demangle(name.as_bytes());
    let readable = String::from_utf8_lossy(&readable);
    let path = readable.trim_start_matches(['<', '&']);
    ["std::", "core::", "alloc::"].iter().any(|start| path.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::is_of_std;

    #[test]
    fn only_rust_has_rusts_library() {
        let rust = ["_ZN4core3fmt5write17h0123456789abcdefE", "_RNvNtCs1234_3std2io5stdin"];
        for name in rust {
            assert!(is_of_std(name), "{name}");
        }
        let others = [
            "_ZNSt6vectorIiSaIiEE9push_backERKi",
            "_ZN3app4main17h0123456789abcdefE",
            "std",
            "main",
        ];
        for name in others {
            assert!(!is_of_std(name), "{name}");
        }
    }
}

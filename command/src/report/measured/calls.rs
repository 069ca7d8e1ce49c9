//! The callers and the callees of a function, whose times add up to the function's.

use std::fmt::{self, Write};

use anstyle::Style;
use gmon_analyzer::analysis::stacks::{Caller, Line};
use gmon_analyzer::model::FunctionId;
use gmon_analyzer::table::{Cell, Column, Unit};

use super::Measured;
use super::cells::percent;
use crate::report::sheet::Sheet;
use crate::report::subject::words;
use crate::text::counted;

/// Writes both for each function that is asked for.
pub(super) fn write(measured: &Measured<'_>, f: &mut Sheet) -> fmt::Result {
    let mut has_guess = false;
    measured.head(f)?;
    for &id in &measured.chosen {
        writeln!(f)?;
        has_guess |= of_function(measured, id, f)?;
    }
    match measured.has_errors() {
        true => writeln!(f, "\n±: 95 of 100 runs agree")?,
        false => writeln!(f, "\n±: this profile does not tell errors")?,
    }
    if has_guess {
        writeln!(f, "gprof: what it divides among callers by their calls, where that is wrong")?;
    }
    measured.foot(f)
}

/// Title of the lines about callers.
const CALLERS: &str = "callers";

/// Writes the lines of a function, and tells whether gprof's guess is among them.
fn of_function(measured: &Measured<'_>, id: FunctionId, f: &mut Sheet) -> Result<bool, fmt::Error> {
    // Where gprof would have it wrong, in ticks.
    let guess_of = |caller: FunctionId, callee: FunctionId| {
        let arcs = measured.model().arcs.iter();
        let arcs = arcs.filter(|arc| (arc.caller, arc.callee) == (Some(caller), callee));
        let time = arcs.filter_map(|arc| arc.apportioned_ns).reduce(u64::saturating_add)?;
        Some(time as f64 / measured.model().sampling.period_ns.max(1) as f64)
    };
    let (costs, clock, bold) = (&measured.costs, measured.clock, Style::new().bold());
    let total = clock.amount(costs.total(id), costs.precision());
    let error = match total.error.as_str() {
        "" => String::new(),
        error => format!(" ±{error}"),
    };
    let waiting = match measured.has_waits {
        true => format!(", {} waiting", clock.time(costs.total(id).waiting as f64)),
        false => String::new(),
    };
    let name = measured.subject.title(id, measured.is_inlined[id.index()]);
    writeln!(f, "{bold}{name}{bold:#}")?;
    writeln!(
        f,
        "{}{error} seconds ({:.1} %), {} of them in itself{waiting}; {}",
        total.time,
        percent(costs.total(id).weight, costs.all().weight),
        clock.time(costs.own(id).weight as f64),
        match measured.subject.function(id).calls {
            Some(calls) => counted(calls, "call"),
            None if measured.narrowed.is_some() => measured.why_no_calls().to_owned(),
            None => "its calls were not counted".to_owned(),
        },
    )?;

    let times = measured.columns(9, 7);
    let calls = [
        Column::number("calls", Unit::Count, 13),
        Column::number("per_call", Unit::Time, 9).headed("per call"),
        Column::number("gprof", Unit::Time, 9),
    ];
    let figures = [&times.columns("total")[..], &calls].concat();
    let mut has_guess = false;
    let mut table = |title: &'static str, rows: &[(Line<()>, Option<f64>, Who)]| {
        let is_of_callers = title == CALLERS;
        let rows = rows.iter().map(|(line, guess, who)| {
            let amount = clock.amount(line.looks, costs.precision());
            let interval = costs.precision().interval(line.looks);
            let is_wrong = |guess: &f64| !(interval.low..=interval.high).contains(guess);
            let guess = guess.filter(|guess| measured.has_errors() && is_wrong(guess));
            has_guess |= guess.is_some();
            let guess = guess.map_or(Cell::Unknown, |guess| {
                Cell::Said(Some(clock.ns(guess)), format!("!{}", clock.time(guess)))
            });
            let is_itself = *who == Who::Function(id);
            // All its time is in the lines of others.
            let (times, each) = match is_itself {
                true => (times.none(), Cell::dash()),
                false => {
                    let called = match who {
                        Who::Function(callee) if !is_of_callers => *callee,
                        _ => id,
                    };
                    let calls = measured.calls_with_all_time(called, line.calls);
                    (times.of(line.looks, costs), amount.per_call(calls))
                }
            };
            let name = match who {
                Who::Function(who) => measured.named(*who),
                Who::Words(who) => words(who),
            };
            let calls = [Cell::or_dash(line.calls), each, guess];
            [[&times[..], &calls].concat(), name]
        });
        measured.subject.write_neighbours((id, title), &figures, rows, f)
    };
    let callers = costs.callers(id).iter().map(|line| {
        let (who, guess) = match line.who {
            Caller::Function(caller) => (Who::Function(caller), guess_of(caller, id)),
            Caller::Unknown(place) => (Who::Function(place), None),
            Caller::Start => (Who::Words("[a thread starts here]"), None),
        };
        let guess = guess.filter(|_| who != Who::Function(id));
        (Line { who: (), looks: line.looks, calls: line.calls }, guess, who)
    });
    table(CALLERS, &callers.collect::<Vec<_>>())?;
    let own = Line { who: (), looks: costs.own(id), calls: None };
    let callees = costs.callees(id).iter().map(|line| {
        let guess = guess_of(id, line.who).filter(|_| line.who != id);
        let line_of = Line { who: (), looks: line.looks, calls: line.calls };
        (line_of, guess, Who::Function(line.who))
    });
    let mut callees: Vec<_> = callees.collect();
    if !callees.is_empty() {
        callees.insert(0, (own, None, Who::Words("[itself]")));
    }
    table("callees", &callees)?;
    Ok(has_guess)
}

/// Subject of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Function(FunctionId),
    Words(&'static str),
}

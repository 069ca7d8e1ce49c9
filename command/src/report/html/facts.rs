//! Facts to know about a run before one trusts its figures, in words.

use std::borrow::Cow;

use gmon_analyzer::Model;
use gmon_analyzer::model::{Function, Inclusive};
use gmon_analyzer::numbers::places;
use gmon_format::Date;

use super::source::Piece;
use crate::report::python;
use crate::text::{counted, grouped, quoted, short};

/// With fewer samples than these, shares are too rough to compare.
const FEW: u64 = 400;

/// Samples a second that one may ask for without a thought: `gmon run` does.
const OFTEN: u32 = 1_000;

/// Subject of the recording, in a few words.
pub(super) fn in_short(model: &Model) -> String {
    let sampling = &model.sampling;
    let calls = match model.calls() {
        0 => "no calls were counted".to_owned(),
        calls => counted(calls, "call"),
    };
    if sampling.samples == 0 {
        return calls;
    }
    let amount = sampling.time(sampling.samples) as f64 / 1e9;
    let seconds = format!("s of {}", sampling.clock());
    let unit = if sampling.is_time() { &seconds } else { &sampling.unit };
    let places = places(sampling.rate_hz);
    format!("{amount:.places$} {unit} · {} · {calls}", counted(sampling.samples, "sample"))
}

/// The run, as names and values.
pub(super) fn facts(model: &Model, source: &[Piece]) -> Vec<(&'static str, String)> {
    let sampling = &model.sampling;
    let has_time = sampling.samples > 0;
    let build = model.modules.first().and_then(|module| module.build_id.clone());
    let command = model.command.as_ref().map(|words| {
        let words = words.iter().map(|word| quoted(word.as_ref()));
        words.collect::<Vec<_>>().join(" ")
    });
    let threads = model.threads.len() as u64;
    let inclusive = match sampling.inclusive {
        Inclusive::Apportioned => {
            "apportioned: divided among callers by their calls, as gprof does"
        }
        Inclusive::Sampled => "measured, by the call stacks of the samples",
    };
    let list = [
        ("Program", Some(model.program.clone())),
        ("Command", command),
        ("Host", model.host.clone()),
        ("Started", model.start_ns.map(|start| utc(start / 1_000_000_000))),
        ("Build id", build),
        ("Samples", Some(samples(model))),
        ("Profiling", model.hooks().map(|hooks| own_work(model, hooks))),
        ("Self times", has_time.then(|| "measured, by samples".to_owned())),
        ("Total times", has_time.then(|| inclusive.to_owned())),
        ("Calls", Some(calls(model))),
        ("Threads", (threads > 1).then(|| grouped(threads))),
        ("Written by", Some(format!("{} {}", model.generator.name, model.generator.version))),
        ("This file", Some(holds(model, source))),
    ];
    list.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// Limits of the figures, and what to do about them.
pub(super) fn cautions(model: &Model) -> Vec<String> {
    let sampling = &model.sampling;
    let mut list = Vec::new();
    let more = if sampling.rate_hz < OFTEN {
        "For more, let it run longer, or sample more often (GMON_OPTIONS=hz=1000)."
    } else {
        "For more, let it run longer."
    };
    match sampling.samples {
        0 => list.push(format!(
            "No sample was taken, so no time is known, and calls alone give the order. {more}"
        )),
        samples @ 1..FEW => {
            let points = 100.0 * 1.96 * (0.25 / samples as f64).sqrt();
            let number = counted(samples, "sample");
            list.push(format!("Only {number}: half of the time is 50 ± {points:.0} %. {more}"));
        }
        _ => {}
    }
    if sampling.incomplete > 0 {
        let kernel = model.kernel().map_or(0, |kernel| kernel.samples);
        let looks = sampling.samples.saturating_sub(kernel).max(1);
        let share = 100.0 * sampling.incomplete as f64 / looks as f64;
        list.push(format!(
            "{share:.1} % of the samples could not be followed to the start of their thread; a frame in brackets \
             says why."
        ));
    }
    list.extend(python::limits(model).map(|limits| format!("{limits}.")));
    list
}

/// Way to record call stacks.
pub(super) fn record(model: &Model) -> String {
    let program = short(model.program.as_ref());
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let page = quoted(format!("{name}.html").as_ref());
    format!("gmon run --html {page} {}", quoted(program))
}

fn samples(model: &Model) -> String {
    let sampling = &model.sampling;
    if sampling.samples == 0 {
        return "none".to_owned();
    }
    let from = sampling.signals.filter(|signals| *signals != sampling.samples);
    let from = from.map(|signals| format!(", from {}", counted(signals, "signal")));
    let unit = if sampling.is_time() { "second" } else { &sampling.unit };
    let rate = grouped(sampling.rate_hz.into());
    format!("{}{}, {rate} each {unit}", grouped(sampling.samples), from.unwrap_or_default())
}

fn calls(model: &Model) -> String {
    match model.calls() {
        0 => "none were counted".to_owned(),
        calls => {
            let functions = counted(model.called() as u64, "function");
            format!("{}, exact, of {functions}", grouped(calls))
        }
    }
}

fn own_work(model: &Model, hooks: &Function) -> String {
    let share = 100.0 * hooks.samples as f64 / model.sampling.samples as f64;
    let time = model.sampling.time(hooks.samples) as f64 / 1e9;
    let places = places(model.sampling.rate_hz);
    format!(
        "took {time:.places$} s, {share:.1} % of all, as {}; shares are of the rest",
        hooks.display
    )
}

/// Contents that one might not want to send to others.
fn holds(model: &Model, source: &[Piece]) -> String {
    let has_folders = model.files.iter().any(|file| file.contains('/'))
        || model.modules.iter().any(|module| module.path.contains('/'));
    let text: usize = source.iter().map(Piece::len).sum();
    let text = format!("{} KB of source text", grouped(text.div_ceil(1000) as u64));
    let parts: [(bool, Cow<'_, str>); 4] = [
        (model.command.is_some(), "the command and its arguments".into()),
        (model.host.is_some(), "the name of the host".into()),
        (has_folders, "paths of folders".into()),
        (!source.is_empty(), text.into()),
    ];
    let parts: Vec<_> =
        parts.into_iter().filter(|(is_there, _)| *is_there).map(|it| it.1).collect();
    match parts.as_slice() {
        [] => {
            "makes no network requests. It holds no command, no host, no folder and no source text."
                .to_owned()
        }
        parts => {
            let parts = parts.join(", ");
            format!("makes no network requests. It holds {parts}: look before you share it.")
        }
    }
}

/// A time, in seconds since 1970, as date and time of day.
fn utc(seconds: u64) -> String {
    let (day, second) = (Date::of_day((seconds / 86_400) as i64), seconds % 86_400);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{day} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59:59 UTC"),
            (1_795_343_707, "2026-11-22 10:35:07 UTC"),
        ] {
            assert_eq!(utc(seconds), text);
        }
    }
}

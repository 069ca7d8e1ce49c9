//! Times of the calls of a function as a picture: calls by time, on a logarithmic axis. It holds no text of others, so the page
//! takes it as it is.

use std::collections::BTreeMap;
use std::fmt::Write;

use gmon_analyzer::Model;
use gmon_analyzer::model::FunctionId;
use gmon_analyzer::numbers::duration;
use gmon_analyzer::records::{Figure, Times};
use gmon_format::live::Timing;

use crate::text::{counted, grouped};

/// Size of the picture, of which the bars have all but the room for the axis.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 120.0;
const AXIS: f64 = 20.0;

/// The shortest time that has a place on the axis, in nanoseconds.
const SHORTEST: f64 = 1.0;

/// Calls whose times lie between two bounds, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    from: f64,
    to: f64,
    calls: u64,
}

/// The pictures of timed functions.
pub(super) fn pictures(model: &Model) -> BTreeMap<FunctionId, String> {
    let timed = model.times_by_function().into_iter();
    let calls = |function: FunctionId| model.functions[function.index()].calls.unwrap_or(0);
    timed.map(|(function, times)| (function, picture(&times, calls(function)))).collect()
}

/// Figures and bars of a function that was called so often.
fn picture(times: &Times, calls: u64) -> String {
    let mut html =
        "<h3>Time of each call<small>by the clock on the wall, with all that it called; within 3 %\
                    </small></h3><dl class=\"figures\">"
            .to_owned();
    for figure in Figure::ALL {
        let shown = figure.of(times).map_or("–".to_owned(), said);
        let _ = write!(html, "<div><dt>{}</dt><dd>{shown}</dd></div>", figure.name());
    }
    html.push_str("</dl>");
    if times.is_full {
        html.push_str(
            "<p>More calls than a histogram counts: only the sum and the longest are known.</p>",
        );
    } else if times.calls() > 0 {
        html.push_str(&drawn(times));
    }
    let left = (times.without_end > 0)
        .then(|| format!("{} had no end and no time", counted(times.without_end, "more call")));
    let unknown = times.unknown_of(calls);
    let off = (unknown > 0).then(|| {
        format!("times of {} were off or could not be taken", counted(unknown, "more call"))
    });
    let every = (times.every > 1)
        .then(|| format!("up to {} calls stand for one that was timed", grouped(times.every)));
    let notes: Vec<String> = left.into_iter().chain(off).chain(every).collect();
    if !notes.is_empty() {
        let _ = write!(html, "<p class=\"foot\">{}.</p>", notes.join("; "));
    }
    html
}

/// The bars over their axis.
fn drawn(times: &Times) -> String {
    let bars = bars(times);
    let decade = |ns: f64| ns.max(SHORTEST).log10();
    let low = bars.first().map_or(0.0, |bar| decade(bar.from).floor());
    let high = bars.last().map_or(1.0, |bar| decade(bar.to).ceil()).max(low + 1.0);
    let x = |ns: f64| (decade(ns) - low) / (high - low) * WIDTH;
    let most = bars.iter().map(|bar| bar.calls).max().unwrap_or(1).max(1) as f64;
    let floor = HEIGHT - AXIS;
    let figure = |figure: Figure| figure.of(times).map_or("–".to_owned(), said);
    let mut svg = format!(
        "<svg class=\"times\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} by their time: half of them took {} \
         or less, the longest {}\">",
        counted(times.calls(), "call"),
        figure(Figure::P50),
        figure(Figure::Longest),
    );
    for bar in bars.iter().filter(|bar| bar.calls > 0) {
        // Rare calls are what one looks for: they are seen beside millions of others.
        let height = (bar.calls as f64 / most * floor).max(2.0);
        let (left, right) = (x(bar.from), x(bar.to));
        let _ = write!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{} to {}: {}</title></rect>",
            floor - height,
            (right - left - 1.0).max(1.0),
            said(bar.from as u64),
            said(bar.to as u64),
            counted(bar.calls, "call"),
        );
    }
    let _ = write!(svg, "<path d=\"M0 {floor}H{WIDTH}\"/>");
    for power in low as i32..=high as i32 {
        let anchor = match f64::from(power) {
            first if first == low => "start",
            last if last == high => "end",
            _ => "middle",
        };
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
            x(10_f64.powi(power)),
            HEIGHT - 4.0,
            tick(power)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Calls in quarters of powers of two, from the shortest to the longest. Where buckets are wider, each is a bar.
fn bars(times: &Times) -> Vec<Bar> {
    let mut bars: Vec<(i32, Bar)> = Vec::new();
    let is_there = |bucket: &usize| times.buckets.contains_key(&(*bucket as u16));
    let first = (0..Timing::BUCKETS).find(is_there).unwrap_or(0);
    let last = (0..Timing::BUCKETS).rfind(is_there).unwrap_or(0);
    let quarter = |bucket: usize| {
        let (from, to) = Timing::bounds_of(bucket);
        (((from as f64 + to as f64) / 2.0).log2() * 4.0).floor() as i32
    };
    for bucket in 0..Timing::BUCKETS {
        let place = quarter(bucket);
        if !(quarter(first)..=quarter(last)).contains(&place) {
            continue;
        }
        let (from, to) = Timing::bounds_of(bucket);
        let calls = times.buckets.get(&(bucket as u16)).copied().unwrap_or(0);
        match bars.last_mut().filter(|(last, _)| *last == place) {
            Some((_, bar)) => {
                bar.to = to as f64;
                bar.calls = bar.calls.saturating_add(calls);
            }
            None => bars.push((place, Bar { from: from as f64, to: to as f64, calls })),
        }
    }
    bars.into_iter().map(|(_, bar)| bar).collect()
}

/// A time of nanoseconds, with the units of the page.
fn said(ns: u64) -> String {
    duration(ns as f64 / 1e9).replace("us", "µs")
}

/// A power of ten nanoseconds.
fn tick(power: i32) -> String {
    let unit = (power / 3).clamp(0, 3);
    let name = ["ns", "µs", "ms", "s"][unit as usize];
    format!("{} {name}", 10_f64.powi(power - 3 * unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(calls: &[(u64, u64)]) -> Times {
        let mut times = Times { longest_ns: 40_000_000, ..Times::default() };
        for (ns, calls) in calls {
            times.buckets.insert(Timing::bucket_of(*ns) as u16, *calls);
        }
        times
    }

    #[test]
    fn bars_have_all_calls_and_leave_no_gap() {
        let times = times(&[(4, 7), (20, 3), (1000, 980), (1010, 5), (40_000_000, 20)]);
        let bars = bars(&times);
        assert_eq!(bars.iter().map(|bar| bar.calls).sum::<u64>(), 1015);
        assert!(bars.windows(2).all(|pair| pair[0].to == pair[1].from), "{bars:?}");
        assert_eq!((bars[0].calls, bars[0].from, bars[0].to), (7, 0.0, 8.0));
        let last = bars.last().expect("a bar");
        assert!(last.calls == 20 && last.from <= 4e7 && 4e7 < last.to, "{last:?}");
    }

    #[test]
    fn rare_calls_are_seen_and_figures_stand_above() {
        let times = Times { timed: 1_000_001, ..times(&[(1000, 1_000_000), (40_000_000, 1)]) };
        let html = picture(&times, 1_000_031);
        assert_eq!(html.matches("<rect").count(), 2, "{html}");
        assert!(html.contains("height=\"2.0\"") && html.contains("height=\"100.0\""), "{html}");
        assert!(html.contains("<dt>p99.9</dt>") && html.contains(": 1 call</title>"), "{html}");
        assert!(html.contains(">times of 30 more calls were off"), "{html}");
    }

    #[test]
    fn the_axis_has_powers_of_ten() {
        let ticks = [0, 2, 3, 7, 9, 12].map(tick);
        assert_eq!(ticks, ["1 ns", "100 ns", "1 µs", "10 ms", "1 s", "1000 s"]);
    }

    #[test]
    fn what_is_not_known_is_not_drawn() {
        let full = picture(&Times { is_full: true, ..times(&[(1000, 3)]) }, 9);
        assert!(!full.contains("<svg") && full.contains("only the sum"), "{full}");
        let none = picture(&Times { without_end: 2, ..Times::default() }, 2);
        assert!(!none.contains("<svg") && none.contains("2 more calls had no end"), "{none}");
    }
}

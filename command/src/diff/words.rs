//! Words and numbers of a comparison that text and Markdown have in common.

use std::cmp::Reverse;

use gmon_analyzer::diff::{
    ArcChange, CallTimes, Change, Comparison, Counts, FunctionChange, Presence, SHOWN, Sharing,
    Times,
};
use gmon_analyzer::numbers::{grouped, places};

use crate::text::counted;

impl super::Compared {
    /// The changes, in one line.
    pub(super) fn verdict(&self) -> String {
        format!("{}; {}", self.changes(), self.total())
    }

    /// Number of functions that changed.
    pub(super) fn changes(&self) -> String {
        let comparison = &self.comparison;
        let number = |change: Change| {
            comparison.functions.iter().filter(|it| it.own.change(SHOWN) == change).count() as u64
        };
        let mut parts = Vec::new();
        if comparison.tested().next().is_some() {
            match (number(Change::Slower), number(Change::Faster)) {
                // Many small changes can show in their sum alone.
                (0, 0) => parts.push(match comparison.total.change(SHOWN) {
                    Change::Slower => "slower as a whole, no function by itself".to_owned(),
                    Change::Faster => "faster as a whole, no function by itself".to_owned(),
                    _ => "no change of time shown".to_owned(),
                }),
                (0, faster) => parts.push(format!("{} faster", counted(faster, "function"))),
                (slower, 0) => parts.push(format!("{} slower", counted(slower, "function"))),
                (slower, faster) => {
                    parts.push(format!("{} slower, {faster} faster", counted(slower, "function")));
                }
            }
        }
        let functions = self.called_differently().count() as u64;
        let arcs = comparison.arcs.iter().filter(|arc| arc.calls.differ(SHOWN)).count() as u64;
        let varies = |it: &&FunctionChange| it.calls.as_ref().is_some_and(|it| !it.is_steady());
        let varying = comparison.functions.iter().filter(varies).count() as u64;
        let varying_arcs = comparison.arcs.iter().filter(|it| !it.calls.is_steady()).count() as u64;
        // Of each function with calls: of both sides or of one.
        let are_known = comparison.functions.iter().filter_map(|it| it.calls.as_ref());
        let are_known: Vec<bool> = are_known.map(Counts::are_known).collect();
        parts.push(match (functions, arcs) {
            _ if are_known.is_empty() => "no calls were counted".to_owned(),
            (0, 0) if !are_known.contains(&true) => {
                "calls were counted on one side only".to_owned()
            }
            (0, 0) if varying > 0 => format!("calls of {} vary", counted(varying, "function")),
            (0, 0) if varying_arcs > 0 => {
                format!("calls between {} vary", counted(varying_arcs, "pair"))
            }
            (0, 0) if are_known.contains(&false) => {
                "calls that both sides counted equal".to_owned()
            }
            (0, 0) => "all calls equal".to_owned(),
            (0, arcs) => format!("calls changed between {}", counted(arcs, "pair")),
            (functions, _) => format!("calls of {} changed", counted(functions, "function")),
        });
        match comparison.call_times.iter().filter(|it| it.differ(SHOWN)).count() as u64 {
            0 => {}
            changed => {
                parts.push(format!("times of calls of {} changed", counted(changed, "function")))
            }
        }
        parts.join(", ")
    }

    /// The time of both sides.
    pub(super) fn total(&self) -> String {
        let total = &self.comparison.total;
        if total.samples() == 0 {
            return "no samples".to_owned();
        }
        let [base, new] = total.per_run_ns.map(|ns| self.seconds(ns));
        let p = total.p.map_or_else(String::new, |p| format!(" (p {})", probability(p)));
        format!("total {base} → {new} {}{p}", self.unit())
    }

    /// The sides that were compared.
    pub(super) fn sides(&self) -> String {
        let design = &self.comparison;
        let pairs = if design.has_pairs { "; compared in pairs" } else { "" };
        let shares = if design.design.shares { "; as parts of each run's total" } else { "" };
        format!("base {}; new {}{pairs}{shares}", self.side(0), self.side(1))
    }

    /// The program and the runs of a side.
    pub(super) fn side(&self, side: usize) -> String {
        let comparison = &self.comparison;
        let rate = comparison.sampling[side].rate_hz;
        let runs = counted(comparison.runs[side] as u64, "run");
        let clock = if comparison.sampling[side].waits { " of time on the wall" } else { "" };
        let stretch = match (&self.stretches[side], self.length(side)) {
            (Some(words), Some(length)) => format!(", {words} ({length:.3} s)"),
            (words, _) => words.as_ref().map_or_else(String::new, |words| format!(", {words}")),
        };
        format!("{}{stretch}, {runs} at {rate} Hz{clock}", self.program(side))
    }

    /// Seconds that the first run of a side is long.
    fn length(&self, side: usize) -> Option<f64> {
        let model = if side == 0 { self.base.first() } else { self.new.first() };
        model.and_then(|model| model.duration_ns).map(|ns| ns as f64 / 1e9)
    }

    /// Says that two stretches of a run differ in length, which times that are compared do not allow for.
    fn unequal_lengths(&self) -> Option<String> {
        let [base, new] = [self.length(0)?, self.length(1)?];
        let is_alike = (new - base).abs() <= 0.01 * base.max(new);
        let is_of_one_run = self.stretches[0] != self.stretches[1];
        (is_of_one_run && !is_alike && !self.comparison.design.shares).then(|| {
            format!("the stretches are {base:.3} and {new:.3} s long, and times differ by that alone; compare their parts with --shares")
        })
    }

    fn program(&self, side: usize) -> &str {
        let model = if side == 0 { self.base.first() } else { self.new.first() };
        model.map_or("", |model| &model.program)
    }

    /// Title of a page, by the programs.
    pub(super) fn title(&self) -> String {
        let [base, new] =
            [0, 1].map(|side| self.program(side).rsplit('/').next().unwrap_or_default());
        if base == new { format!("{base}, base and new") } else { format!("{base} → {new}") }
    }

    /// Size of a change that would have been seen.
    pub(super) fn detectable(&self) -> Option<String> {
        let of = |share: f64| {
            let part = self.comparison.detectable(share)?;
            // Nothing shrinks by more than all of it, and what doubles needs no statistics.
            Some(if part > 1.0 {
                "more than 100 %".to_owned()
            } else {
                format!("{:.*} %", usize::from(part < 0.1), 100.0 * part)
            })
        };
        let (all, tenth, least) = (of(1.0)?, of(0.1)?, of(0.01)?);
        Some(format!(
            "could have seen, by itself: {all} of the total, {tenth} of a function with 10 % of it, {least} with 1 %"
        ))
    }

    /// Seconds, with as many places as the rate needs.
    pub(super) fn seconds(&self, nanoseconds: f64) -> String {
        format!("{:.*}", self.places(), nanoseconds / 1e9)
    }

    /// Seconds with a sign.
    pub(super) fn change(&self, nanoseconds: f64) -> String {
        format!("{:+.*}", self.places(), nanoseconds / 1e9)
    }

    /// Digits of a time behind the point.
    pub(super) fn places(&self) -> usize {
        let rate = self.comparison.sampling.iter().map(|it| it.rate_hz).max().unwrap_or(0);
        places(rate)
    }

    pub(super) fn unit(&self) -> &str {
        match self.comparison.sampling[0].unit.as_str() {
            "seconds" => "s",
            unit => unit,
        }
    }

    /// The function that most likely changed, where none was shown to have.
    pub(super) fn suspect(&self) -> Option<String> {
        let suspect = self.comparison.suspect()?;
        let function = &self.comparison.functions[suspect.function as usize];
        let times = &function.own;
        let (name, place) = self.name(function);
        let [low, high] = times.interval_ns;
        let settled = match suspect.runs {
            Some(runs) => format!("about {runs} runs of each side would settle it"),
            None if self.comparison.runs == [1, 1] => {
                "several runs of each side would settle it (gmon run --runs 10)".to_owned()
            }
            None => "no number of runs that one takes would settle it".to_owned(),
        };
        Some(format!(
            "nearest to a change: {name}{place} {} {} ± {} (p {}, the least of {}); {settled}",
            self.change(times.delta_ns),
            self.unit(),
            self.seconds((high - low) / 2.0),
            probability(times.p.unwrap_or(1.0)),
            grouped(self.comparison.tested().count() as u64),
        ))
    }

    /// Positions of functions whose time changed, those that changed the most first.
    pub(super) fn slower_or_faster(&self) -> Vec<usize> {
        let functions = &self.comparison.functions;
        let change = |at: usize| functions[at].own.change(SHOWN);
        let is_shown = |at: &usize| matches!(change(*at), Change::Slower | Change::Faster);
        let mut list: Vec<usize> = (0..functions.len()).filter(is_shown).collect();
        let size = |at: usize| functions[at].own.delta_ns.abs();
        list.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        list
    }

    /// Times of calls, those first that most likely changed.
    pub(super) fn timed(&self) -> Vec<&CallTimes> {
        let mut list: Vec<&CallTimes> = self.comparison.call_times.iter().collect();
        list.sort_by(|a, b| a.q.unwrap_or(2.0).total_cmp(&b.q.unwrap_or(2.0)));
        list
    }

    fn called_differently(&self) -> impl Iterator<Item = &FunctionChange> {
        let functions = self.comparison.functions.iter();
        functions.filter(|it| it.calls.as_ref().is_some_and(|calls| calls.differ(SHOWN)))
    }

    /// Positions of functions that were called differently, those that changed the most first, each with the arcs
    /// of its changed calls; then of those whose calls only one side counted.
    pub(super) fn calls(&self) -> Vec<(usize, Vec<usize>)> {
        let Comparison { functions, arcs, .. } = &self.comparison;
        let mut changed: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
        for (at, arc) in arcs.iter().enumerate().filter(|(_, arc)| arc.calls.differ(SHOWN)) {
            changed[arc.callee as usize].push(at);
        }
        for changed in &mut changed {
            changed.sort_by_key(|&at| Reverse(size(&arcs[at].calls)));
        }
        let own = |at: usize| functions[at].calls.as_ref();
        let mut list: Vec<_> = changed.into_iter().enumerate().collect();
        list.retain(|(at, arcs)| {
            let is_of_interest = |it: &Counts| it.differ(SHOWN) || !it.are_known();
            !arcs.is_empty() || own(*at).is_some_and(is_of_interest)
        });
        list.sort_by_key(|(at, changed)| {
            let most = changed.first().map_or(0, |&arc| size(&arcs[arc].calls));
            Reverse(own(*at).map_or(0, size).max(most))
        });
        list
    }

    /// A function by its name, and what must be known of where it is.
    pub(super) fn name(&self, function: &FunctionChange) -> (String, String) {
        let module = match library(function) {
            "" => String::new(),
            module => format!(" [{module}]"),
        };
        let only = match function.presence {
            Presence::Both => "",
            Presence::OnlyBase => " (only in base)",
            Presence::OnlyNew => " (only in new)",
        };
        (function.display.clone(), format!("{module}{only}"))
    }

    /// Name of the caller.
    pub(super) fn caller(&self, arc: &ArcChange) -> &str {
        let caller = arc.caller.map(|id| &self.comparison.functions[id as usize]);
        caller.map_or("[external]", |function| &function.display)
    }

    /// Things that were compared and are not shown as changed.
    pub(super) fn rest(&self) -> String {
        let comparison = &self.comparison;
        let changed = self.slower_or_faster().len();
        let tested = comparison.tested().count();
        let mut parts = Vec::new();
        if tested > 0 {
            parts.push(format!(
                "no change of time shown in {} of {} tested",
                grouped((tested - changed) as u64),
                counted(tested as u64, "function")
            ));
        }
        let counted_ones = comparison.functions.iter().filter_map(|it| it.calls.as_ref());
        let counted_ones: Vec<&Counts> = counted_ones.collect();
        if !counted_ones.is_empty() {
            let equal = counted_ones.iter().filter(|calls| calls.difference() == Some(0)).count();
            let varying = counted_ones.iter().filter(|calls| !calls.is_steady()).count();
            let unknown = counted_ones.iter().filter(|calls| !calls.are_known()).count();
            parts.push(format!("{} called as often as before", counted(equal as u64, "function")));
            if varying > 0 {
                parts.push(format!(
                    "{} whose calls vary from run to run",
                    counted(varying as u64, "function")
                ));
            }
            if unknown > 0 {
                parts.push(format!(
                    "{} whose calls only one side counted",
                    counted(unknown as u64, "function")
                ));
            }
        }
        let only = |presence| {
            comparison.functions.iter().filter(|it| it.presence == presence).count() as u64
        };
        for (presence, side) in [(Presence::OnlyBase, "base"), (Presence::OnlyNew, "new")] {
            if only(presence) > 0 {
                parts.push(format!("{} only in {side}", counted(only(presence), "function")));
            }
        }
        parts.join("; ")
    }

    /// Lines about waits, and about the work that ranks and threads share.
    pub(super) fn waits(&self) -> Vec<String> {
        let comparison = &self.comparison;
        let both = |[base, new]: [f64; 2]| {
            format!("{} → {} {}", self.seconds(base), self.seconds(new), self.unit())
        };
        let mut lines = Vec::new();
        if let Some(waiting) = &comparison.waiting {
            let p = waiting.p.map_or_else(String::new, |p| format!(" (p {})", probability(p)));
            lines.push(format!("waiting {}{p}", both(waiting.per_run_ns)));
        }
        let changed = comparison.functions.iter().filter_map(|it| Some((it, it.waiting.as_ref()?)));
        let mut changed: Vec<_> = changed
            .filter(|(_, times)| matches!(times.change(SHOWN), Change::Slower | Change::Faster))
            .collect();
        changed.sort_by(|a, b| b.1.delta_ns.abs().total_cmp(&a.1.delta_ns.abs()));
        for (function, times) in changed {
            let (name, place) = self.name(function);
            let (waits, q) = (both(times.per_run_ns), probability(times.q.unwrap_or(1.0)));
            lines.push(format!("waiting in {name}{place}: {waits} (q {q})"));
        }
        for work in &comparison.shared_work {
            let what = match work.kind {
                Sharing::Mpi => "in MPI",
                Sharing::OpenMpWaits => "OpenMP's threads waiting for each other",
                Sharing::Region => "parallel region",
            };
            let name = if work.name.is_empty() { String::new() } else { format!(" {}", work.name) };
            let times = both(work.times_ns.map(|time| time.unwrap_or(0.0)));
            let imbalance = match work.imbalance {
                [None, None] => String::new(),
                sides => {
                    let [base, new] =
                        sides.map(|it| it.map_or_else(|| "-".to_owned(), |it| format!("{it:.2}")));
                    format!(", imbalance {base} → {new}")
                }
            };
            lines.push(format!("{what}{name}: {times}{imbalance}"));
        }
        lines
    }

    /// Notes to read before these times are believed.
    pub(super) fn notes(&self) -> Vec<String> {
        let comparison = &self.comparison;
        let mut notes: Vec<String> = self.unequal_lengths().into_iter().collect();
        match comparison.call_times.as_slice() {
            [] => {}
            [first, ..] if first.is_of_calls => notes.push(
                "times of calls: longer is how often a new call takes longer than one of the base; q is about the calls of these two runs, and says nothing of the next ones"
                    .to_owned(),
            ),
            _ => notes.push(
                "times of calls: longer is how often a new call takes longer than one of the base; q is about whole runs"
                    .to_owned(),
            ),
        }
        if comparison.total.samples() > 0 {
            if comparison.runs == [1, 1] {
                notes.push(
                    "one run of each side: runs differ by more than samples show, so take several (gmon run --runs 10)".to_owned(),
                );
            }
            if comparison.has_stacks[0] != comparison.has_stacks[1] {
                notes.push(
                    "only one side has call stacks, so only it has the time in libraries"
                        .to_owned(),
                );
            }
            if !comparison.has_one_rate() {
                notes.push("the sides were sampled at different rates".to_owned());
            }
        }
        notes
    }
}

/// The library of a function; nothing for one of the program, nor where the function is all of it, as `[kernel]`.
pub(super) fn library(function: &FunctionChange) -> &str {
    let whole = function.name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    if whole == Some(&function.module) { "" } else { &function.module }
}

/// Size of a change of calls, for an order.
fn size(calls: &Counts) -> u64 {
    let [base, new] = calls.per_run();
    match calls.difference() {
        Some(difference) => difference.unsigned_abs().try_into().unwrap_or(u64::MAX),
        None if !calls.are_known() => 0,
        None => (new - base).abs() as u64,
    }
}

/// A count of each side, and the change: two ranges where runs vary.
pub(super) fn calls(calls: &Counts) -> [String; 3] {
    let count = |[low, high]: [u64; 2]| {
        if low == high { grouped(low) } else { format!("{}…{}", grouped(low), grouped(high)) }
    };
    let mut sides = calls.ranges().map(count);
    for (words, runs) in sides.iter_mut().zip([&calls.base, &calls.new]) {
        if runs.is_empty() {
            *words = "-".to_owned();
        }
    }
    let [base, new] = sides;
    let change = match calls.difference() {
        Some(difference) => signed(difference),
        None if !calls.are_known() => "-".to_owned(),
        None => {
            let [base, new] = calls.per_run();
            format!("≈{}", signed((new - base).round() as i128))
        }
    };
    [base, new, change]
}

fn signed(difference: i128) -> String {
    let size = grouped(difference.unsigned_abs().try_into().unwrap_or(u64::MAX));
    format!("{}{size}", if difference < 0 { '-' } else { '+' })
}

/// Difference in percent.
pub(super) fn percent(times: &Times) -> String {
    match times.ratio() {
        Some(ratio) if ratio < 100.0 => format!("{:+.1}", 100.0 * (ratio - 1.0)),
        Some(ratio) => format!("x{ratio:.0}"),
        None => "new".to_owned(),
    }
}

/// A probability with two digits.
pub(super) fn probability(p: f64) -> String {
    match p {
        0.1.. => format!("{p:.2}"),
        0.001.. => format!("{:.*}", if p < 0.01 { 4 } else { 3 }, p),
        _ if p < 1e-300 => "0".to_owned(),
        _ => format!("{p:.0e}"),
    }
}

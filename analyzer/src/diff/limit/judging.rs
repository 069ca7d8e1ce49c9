//! Parts of a comparison that are beyond a limit.

use gmon_format::glob::fits;

use super::{Amount, Direction, Judged, Limit, Metric, RUNS_FOR_TIMES, Reason, Verdict, Which};
use crate::diff::comparison::{ArcChange, Comparison, FunctionChange, Presence};
use crate::diff::correction::family_wise;
use crate::diff::counts::{Counts, enough_runs, least_p};
use crate::diff::times::Times;
use crate::records::Figure;

impl Limit {
    /// Quantity that must not change.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Noun for one of the things that it judges.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        if matches!(self.which, Which::Arcs(..)) { "pair" } else { "function" }
    }

    /// Judges a comparison. Differences that chance makes more often than `level` do not count.
    ///
    /// # Errors
    /// There is nothing to judge.
    pub fn judge(&self, comparison: &Comparison, level: f64) -> Result<Judged, Reason> {
        match self.metric {
            Metric::Calls => self.judge_calls(comparison, level),
            Metric::Own | Metric::Total => self.judge_times(comparison, level),
            Metric::Samples => self.judge_samples(comparison),
            Metric::Call(figure) => self.judge_call_times(comparison, figure, level),
        }
    }

    fn judge_calls(&self, comparison: &Comparison, level: f64) -> Result<Judged, Reason> {
        let called = |side: fn(&Counts) -> &Vec<u64>| {
            let mut counts = comparison.functions.iter().filter_map(|it| it.calls.as_ref());
            counts.any(|counts| side(counts).iter().any(|count| *count > 0))
        };
        if !called(|it| &it.base) || !called(|it| &it.new) {
            return Err(Reason::NoCalls);
        }
        let subjects: Vec<(Verdict, &Counts)> = match &self.which {
            Which::Arcs(caller, callee) => {
                self.check_known(comparison, caller)?;
                self.check_known(comparison, callee)?;
                let is_meant = |arc: &ArcChange| {
                    let name =
                        |glob: &str, id: u32| names(glob, &comparison.functions[id as usize]);
                    arc.caller.is_some_and(|id| name(caller, id)) && name(callee, arc.callee)
                };
                let arcs = comparison.arcs.iter().enumerate().filter(|(_, arc)| is_meant(arc));
                arcs.map(|(number, arc)| (Verdict::Arc(number), &arc.calls)).collect()
            }
            Which::All | Which::Functions(_) => {
                let of = |number: usize| {
                    let calls = comparison.functions[number].calls.as_ref();
                    calls.map(|calls| (Verdict::Function(number), calls))
                };
                self.functions(comparison)?.into_iter().filter_map(of).collect()
            }
        };
        if subjects.is_empty() {
            return Err(Reason::NotCounted);
        }
        let (subjects, unknown): (Vec<_>, Vec<_>) =
            subjects.into_iter().partition(|(_, counts)| counts.are_known());
        if subjects.is_empty() {
            return Err(Reason::CountedOnce);
        }
        let p: Vec<f64> = subjects.iter().filter_map(|(_, counts)| counts.tested_p()).collect();
        let varying = p.len();
        let [base, new] = comparison.runs;
        if varying == subjects.len() && least_p(base, new) * varying as f64 >= level {
            return Err(Reason::Varying(comparison.runs, enough_runs(varying, level)));
        }
        let mut holm = family_wise(&p).into_iter();
        let mut is_beyond = |counts: &Counts| {
            let [base, new] = counts.per_run();
            let (grown, differ) = match counts.difference() {
                Some(difference) => (difference as f64, difference != 0),
                None => (new - base, holm.next().is_some_and(|p| p < level)),
            };
            differ && self.is_beyond(grown, grown, base)
        };
        let mut exceeded = subjects.clone();
        exceeded.retain(|(_, counts)| is_beyond(counts));
        let exceeded = exceeded.into_iter().map(|(verdict, _)| verdict).collect();
        Ok(Judged { judged: subjects.len(), exceeded, varying, unknown: unknown.len() })
    }

    fn judge_times(&self, comparison: &Comparison, level: f64) -> Result<Judged, Reason> {
        check_samples(comparison)?;
        if comparison.runs.iter().any(|runs| *runs < RUNS_FOR_TIMES) {
            return Err(Reason::FewRuns(comparison.runs));
        }
        let is_total = self.metric == Metric::Total;
        if is_total && comparison.has_stacks != [true; 2] {
            return Err(Reason::Apportioned);
        }
        let of = |number: &usize| -> Option<(usize, &Times)> {
            let function = &comparison.functions[*number];
            let times = if is_total { function.total.as_ref()? } else { &function.own };
            times.holm.map(|_| (*number, times))
        };
        let functions = self.functions(comparison)?;
        let tested: Vec<_> = functions.iter().filter_map(of).collect();
        if tested.is_empty() {
            return Err(Reason::FewSamples);
        }
        let exceeded = tested.iter().filter(|(_, times)| {
            let [low, high] = times.interval_ns;
            let is_shown = times.holm.is_some_and(|p| p < level);
            is_shown && self.is_beyond(low, high, times.per_run_ns[0])
        });
        let exceeded = exceeded.map(|(number, _)| Verdict::Function(*number)).collect();
        Ok(Judged { judged: tested.len(), exceeded, varying: 0, unknown: 0 })
    }

    fn judge_call_times(
        &self,
        comparison: &Comparison,
        figure: Figure,
        level: f64,
    ) -> Result<Judged, Reason> {
        let has_times = |side: usize, run: usize| {
            comparison.call_times.iter().any(|times| times.runs[side][run].timed > 0)
        };
        if (0..2).any(|side| (0..comparison.runs[side]).any(|run| !has_times(side, run))) {
            return Err(Reason::NoCallTimes);
        }
        if comparison.runs.iter().any(|runs| *runs < RUNS_FOR_TIMES) {
            return Err(Reason::FewRuns(comparison.runs));
        }
        let functions = self.functions(comparison)?;
        let of = |number: usize| Some((number, comparison.growth(number, figure, RUNS_FOR_TIMES)?));
        let tested: Vec<_> = functions.into_iter().filter_map(of).collect();
        if tested.is_empty() {
            return Err(Reason::NotTimed);
        }
        let p: Vec<f64> = tested.iter().map(|(_, growth)| growth.p).collect();
        let exceeded = tested.iter().zip(family_wise(&p)).filter(|((_, growth), holm)| {
            let [low, high] = growth.interval_ns;
            *holm < level && self.is_beyond(low, high, growth.sides_ns[0])
        });
        let exceeded = exceeded.map(|((number, _), _)| Verdict::Function(*number)).collect();
        Ok(Judged { judged: tested.len(), exceeded, varying: 0, unknown: 0 })
    }

    fn judge_samples(&self, comparison: &Comparison) -> Result<Judged, Reason> {
        check_samples(comparison)?;
        let functions = self.functions(comparison)?;
        let is_beyond = |number: &&usize| {
            let times = &comparison.functions[**number].own;
            let per_run = |runs: &[u64]| {
                runs.iter().map(|it| *it as f64).sum::<f64>() / runs.len().max(1) as f64
            };
            let (base, new) = (per_run(&times.base), per_run(&times.new));
            self.is_beyond(new - base, new - base, base)
        };
        let exceeded =
            functions.iter().filter(is_beyond).map(|it| Verdict::Function(*it)).collect();
        Ok(Judged { judged: functions.len(), exceeded, varying: 0, unknown: 0 })
    }

    /// Returns `true` if a growth that lies between two numbers is beyond the limit for certain.
    fn is_beyond(&self, low: f64, high: f64, base: f64) -> bool {
        let limit = match self.amount {
            Amount::Share(share) => share * base,
            Amount::Seconds(seconds) => seconds * 1e9,
            Amount::Number(number) => number as f64,
        };
        let (grows, shrinks) = (low > limit, -high > limit);
        match self.direction {
            Direction::Grows => grows,
            Direction::Shrinks => shrinks,
            Direction::Either => grows || shrinks,
        }
    }

    /// The numbers of the functions that it is about.
    fn functions(&self, comparison: &Comparison) -> Result<Vec<usize>, Reason> {
        let Which::Functions(glob) = &self.which else {
            return Ok((0..comparison.functions.len()).collect());
        };
        self.check_known(comparison, glob)?;
        let functions = comparison.functions.iter().enumerate();
        Ok(functions.filter(|(_, it)| names(glob, it)).map(|(number, _)| number).collect())
    }

    /// Tells whether the base has such a function.
    fn check_known(&self, comparison: &Comparison, glob: &str) -> Result<(), Reason> {
        let mut base = comparison.functions.iter().filter(|it| it.presence != Presence::OnlyNew);
        let is_known = base.any(|function| names(glob, function));
        if is_known { Ok(()) } else { Err(Reason::NoMatch(glob.to_owned())) }
    }
}

/// Returns `true` if a pattern stands for a function, by its name for people or for the linker.
fn names(glob: &str, function: &FunctionChange) -> bool {
    [&function.display, &function.name].iter().any(|it| fits(glob, it.as_str()))
}

fn check_samples(comparison: &Comparison) -> Result<(), Reason> {
    let sides = [&comparison.total.base, &comparison.total.new];
    if sides.iter().any(|runs| runs.contains(&0)) {
        return Err(Reason::NoSamples);
    }
    if comparison.has_one_rate() { Ok(()) } else { Err(Reason::OtherRate) }
}

//! Two sides compared: all their functions and calls.

use std::collections::BTreeMap;

use super::call_times::{CallTimes, Growth, call_times};
use super::correction::correct;
use super::counts::{self, Counts};
use super::design::{Design, degrees_of_freedom};
use super::matching::matches;
use super::parallel::{SharedWork, shared_work};
use super::sensitivity::Sensitivity;
use super::side::{Entity, Side};
use super::statistics::margin_99;
use super::times::{Scale, Times};
use crate::model::{FunctionId, Model, Sampling};
use crate::records::Figure;

/// A function with a smaller part of all samples is not tested: too little is known of it, and the more is
/// tested, the less can be shown.
pub const LEAST_SHARE: f64 = 0.01;

/// The part of all samples of a function whose changes one looks for.
const USUAL_SHARE: f64 = 0.1;

/// At most this part of the differences that are shown is wrong.
pub const SHOWN: f64 = 0.05;

/// Two sides, compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The number of runs of each side.
    pub runs: [usize; 2],
    /// Sampling of the first run of each side.
    pub sampling: [Sampling; 2],
    /// True for each side all of whose runs have call stacks.
    pub has_stacks: [bool; 2],
    /// All functions: those of the base, then those that only the new side has.
    pub functions: Vec<FunctionChange>,
    /// Calls by caller and callee, in the order of these.
    pub arcs: Vec<ArcChange>,
    /// All samples.
    pub total: Times,
    /// Samples that found a thread waiting; `None` unless all runs sampled these.
    pub waiting: Option<Times>,
    /// The times of the calls of functions, in the order of these.
    pub call_times: Vec<CallTimes>,
    /// Work that ranks and threads share.
    pub shared_work: Vec<SharedWork>,
    /// Common ground of the runs of both sides.
    pub design: Design,
    /// True if each run of the base is compared with that of the new side with its number, because they took turns and
    /// smaller changes are seen so.
    pub has_pairs: bool,
    /// Number of samples that count as one look.
    weight: f64,
    /// The number in `functions` of each function of each run of each side.
    rows: [Vec<Vec<u32>>; 2],
}

/// A function on both sides.
#[derive(Clone, Debug)]
pub struct FunctionChange {
    /// The name for people.
    pub display: String,
    /// The name that the linker knows.
    pub name: String,
    /// The last part of its module's path; empty for the program, and outside of all modules.
    pub module: String,
    /// Sides that have it.
    pub presence: Presence,
    /// Its calls; `None` if neither side counted them.
    pub calls: Option<Counts>,
    /// Its own samples.
    pub own: Times,
    /// Own samples that found it waiting; `None` unless all runs sampled these.
    pub waiting: Option<Times>,
    /// The samples that found it on the stack; `None` unless both sides have stacks.
    pub total: Option<Times>,
}

/// Sides that have a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Both.
    Both,
    /// Only the base.
    OnlyBase,
    /// Only the new side.
    OnlyNew,
}

/// Calls of one function by another.
#[derive(Clone, Debug)]
pub struct ArcChange {
    /// The number of the caller among the functions; `None` for code outside of all functions.
    pub caller: Option<u32>,
    /// The callee's number.
    pub callee: u32,
    /// Number of calls.
    pub calls: Counts,
}

impl Comparison {
    /// Compares two sides of one run or several.
    ///
    /// # Errors
    /// Why they cannot be compared: something else was sampled, or no function of one is on the other.
    pub fn new(base: &[Model], new: &[Model]) -> Result<Self, String> {
        Self::by(Design::default(), base, new)
    }

    /// Compares the runs of both sides by what they have in common.
    ///
    /// # Errors
    /// As for [`new`](Self::new); or sides that took turns have different numbers of runs.
    pub fn by(design: Design, base: &[Model], new: &[Model]) -> Result<Self, String> {
        let sampling = [sampling_of(base)?, sampling_of(new)?];
        if has_samples(base) && has_samples(new) && sampling[0].unit != sampling[1].unit {
            let [base, new] = &sampling;
            return Err(format!(
                "{} were sampled in the base, {} in the new one",
                base.unit, new.unit
            ));
        }
        if has_samples(base) && has_samples(new) && sampling[0].waits != sampling[1].waits {
            let [base, new] = sampling.each_ref().map(Sampling::clock);
            return Err(format!(
                "the base was sampled by {base}, the new side by {new}; take both with --wall, or both without"
            ));
        }
        let sides = [Side::new(base), Side::new(new)];
        let matching = matches(&sides[0].entities, &sides[1].entities);
        let empty = match sides.each_ref().map(|side| side.entities.is_empty()) {
            [false, false] => None,
            [true, true] => Some("both sides have"),
            [true, false] => Some("the base has"),
            [false, true] => Some("the new side has"),
        };
        if let Some(empty) = empty {
            return Err(format!(
                "{empty} neither samples nor counted calls, so there is nothing to compare; longer runs have samples"
            ));
        }
        if matching.iter().flatten().next().is_none() {
            return Err(
                "no function of the base is in the new one; are they of one program?".to_owned()
            );
        }
        let runs = [base.len(), new.len()];
        if design.turns && runs[0] != runs[1] {
            let [base, new] = runs;
            return Err(format!("{base} runs of the base and {new} of the new side are no pairs"));
        }
        let compare =
            |has_pairs| Self::of(design, has_pairs, [base, new], &sampling, &sides, &matching);
        let (mut comparison, numbers) = compare(false);
        if design.may_have_pairs(runs) {
            // Pairs have half as many degrees of freedom. Where the machine does not change its speed, nothing makes up
            // for that.
            let (pairs, _) = compare(true);
            let growths = [&comparison, &pairs].map(|it| it.detectable(USUAL_SHARE));
            if !matches!(growths, [Some(apart), Some(pairs)] if apart < pairs) {
                comparison = pairs;
            }
        }
        comparison.add_arcs(&sides, &numbers);
        comparison.call_times = call_times(&sides, &numbers, runs, comparison.has_pairs);
        comparison.shared_work = shared_work(base, new);
        comparison.rows = [0, 1].map(|side| {
            let row = |position: &u32| numbers[side][*position as usize];
            sides[side].positions.iter().map(|run| run.iter().map(row).collect()).collect()
        });
        Ok(comparison)
    }

    /// Compares the times of functions that are matched, and tells the number of each entity of each side.
    fn of(
        design: Design,
        has_pairs: bool,
        [base, new]: [&[Model]; 2],
        sampling: &[Sampling; 2],
        sides: &[Side; 2],
        matching: &[Option<u32>],
    ) -> (Self, [Vec<u32>; 2]) {
        let runs = [base.len(), new.len()];
        let has_stacks = [base, new].map(|runs| runs.iter().all(Model::has_stacks));
        let period_ns = [0, 1].map(|side| sampling[side].period_ns.max(1) as f64);
        let factors = design.factors([base, new]);
        let weight = weight(base.iter().chain(new));
        let times = Scale { period_ns, weight, has_pairs, factors: [&[]; 2] };
        let scale = Scale { factors: [&factors[0], &factors[1]], ..times };
        let samples = |runs: &[Model]| runs.iter().map(|run| run.sampling.samples).collect();
        let waiting = |runs: &[Model]| -> Option<Vec<u64>> {
            let sampled =
                |run: &Model| run.sampling.waiting.or((run.sampling.samples == 0).then_some(0));
            runs.iter().map(sampled).collect()
        };
        let waiting = waiting(base).zip(waiting(new)).filter(|_| sampling[0].waits);
        let mut comparison = Self {
            runs,
            sampling: sampling.clone(),
            has_stacks,
            functions: Vec::new(),
            arcs: Vec::new(),
            total: Times::new(samples(base), samples(new), times),
            waiting: waiting.map(|(base, new)| Times::new(base, new, scale)),
            design,
            has_pairs,
            call_times: Vec::new(),
            shared_work: Vec::new(),
            weight,
            rows: [Vec::new(), Vec::new()],
        };
        let numbers = comparison.add_functions(sides, matching, scale);
        comparison.correct();
        (comparison, numbers)
    }

    /// Adds all functions, and tells the number of each entity of each side.
    fn add_functions(
        &mut self,
        sides: &[Side; 2],
        matching: &[Option<u32>],
        scale: Scale<'_>,
    ) -> [Vec<u32>; 2] {
        let [base, new] = [&sides[0].entities, &sides[1].entities];
        let mut numbers = [Vec::with_capacity(base.len()), vec![u32::MAX; new.len()]];
        for (entity, partner) in base.iter().zip(matching) {
            let number = self.functions.len() as u32;
            numbers[0].push(number);
            let partner = partner.map(|position| {
                numbers[1][position as usize] = number;
                &new[position as usize]
            });
            self.functions.push(self.function(sides, Some(entity), partner, scale));
        }
        for (position, entity) in new.iter().enumerate() {
            if numbers[1][position] == u32::MAX {
                numbers[1][position] = self.functions.len() as u32;
                self.functions.push(self.function(sides, None, Some(entity), scale));
            }
        }
        numbers
    }

    fn function(
        &self,
        sides: &[Side; 2],
        base: Option<&Entity>,
        new: Option<&Entity>,
        scale: Scale<'_>,
    ) -> FunctionChange {
        let [in_base, in_new] = self.runs;
        let samples = |side: Option<&Entity>, runs: usize, of: fn(&Entity) -> &Vec<u64>| {
            side.map_or_else(|| vec![0; runs], |entity| of(entity).clone())
        };
        let times = |of: fn(&Entity) -> &Vec<u64>| {
            Times::new(samples(base, in_base, of), samples(new, in_new, of), scale)
        };
        // The names of today.
        let named = new.or(base);
        let is_of_program = named.is_some_and(Entity::is_of_program);
        let calls = |side: usize, entity| sides[side].calls(entity, is_of_program);
        let is_counted = [base, new].into_iter().flatten().any(Entity::is_counted);
        let text = |of: fn(&Entity) -> &str| named.map_or_else(String::new, |it| of(it).to_owned());
        FunctionChange {
            display: text(|it| &it.display),
            name: text(|it| &it.linker_name),
            module: text(Entity::module_for_people),
            presence: match (base, new) {
                (Some(it), None) if it.is_proven(&sides[1]) => Presence::OnlyBase,
                (None, Some(it)) if it.is_proven(&sides[0]) => Presence::OnlyNew,
                _ => Presence::Both,
            },
            calls: is_counted.then(|| Counts::new(calls(0, base), calls(1, new))),
            own: times(|it| &it.samples),
            waiting: self.waiting.is_some().then(|| times(|it| &it.waiting)),
            total: (self.has_stacks == [true; 2]).then(|| times(|it| &it.inclusive)),
        }
    }

    /// Adds all calls. A run without stacks, if only because it ended before its first sample, does not know the
    /// functions of libraries: so one such run makes callers in libraries external in all of them.
    fn add_arcs(&mut self, sides: &[Side; 2], numbers: &[Vec<u32>; 2]) {
        let mut arcs: BTreeMap<(Option<u32>, u32), Counts> = BTreeMap::new();
        let [in_base, in_new] = self.runs;
        let all_know_libraries = self.has_stacks == [true; 2];
        let functions = &self.functions;
        // Runs that did not count a function's calls did not count those by one other.
        let nothing = |pair: (Option<u32>, u32)| {
            let of = functions[pair.1 as usize].calls.as_ref();
            let runs = |runs, side: fn(&Counts) -> &Vec<u64>| {
                vec![0; if of.is_some_and(|it| side(it).is_empty()) { 0 } else { runs }]
            };
            Counts::new(runs(in_base, |it| &it.base), runs(in_new, |it| &it.new))
        };
        for (index, (side, numbers)) in sides.iter().zip(numbers).enumerate() {
            let number = |position: u32| numbers[position as usize];
            for (&(caller, callee), counts) in &side.arcs {
                let is_known = |caller: &u32| {
                    all_know_libraries || side.entities[*caller as usize].is_of_program()
                };
                let caller = caller.filter(is_known);
                let pair = (caller.map(number), number(callee));
                let known = arcs.entry(pair).or_insert_with(|| nothing(pair));
                let sums = if index == 0 { &mut known.base } else { &mut known.new };
                for (sum, count) in sums.iter_mut().zip(counts) {
                    *sum = sum.saturating_add(*count);
                }
            }
        }
        self.arcs = arcs
            .into_iter()
            .map(|((caller, callee), calls)| ArcChange { caller, callee, calls })
            .collect();
        counts::correct(self.arcs.iter_mut().map(|it| &mut it.calls));
    }

    /// Corrects the probabilities for the number of tests. What has few samples is not tested.
    fn correct(&mut self) {
        let least = (LEAST_SHARE * self.total.samples() as f64).max(1.0);
        correct(self.functions.iter_mut().map(|it| &mut it.own), least);
        correct(self.functions.iter_mut().filter_map(|it| it.total.as_mut()), least);
        correct(self.functions.iter_mut().filter_map(|it| it.waiting.as_mut()), least);
        counts::correct(self.functions.iter_mut().filter_map(|it| it.calls.as_mut()));
        if let Some(waiting) = &mut self.waiting {
            (waiting.q, waiting.holm) = (waiting.p, waiting.p);
        }
        (self.total.q, self.total.holm) = (self.total.p, self.total.p);
    }

    /// The change of a figure of the times of a function's calls; `None` unless so many runs of each side have it.
    #[must_use]
    pub fn growth(&self, function: usize, figure: Figure, least: usize) -> Option<Growth> {
        let at = self.call_times.binary_search_by_key(&(function as u32), |it| it.function).ok()?;
        self.call_times[at].growth(figure, self.has_pairs, least)
    }

    /// The number in `functions` of a function of a run of the base (side 0) or the new side (1).
    #[must_use]
    pub fn row(&self, side: usize, run: usize, function: FunctionId) -> u32 {
        self.rows[side][run][function.index()]
    }

    /// The smallest growth, as a part of its time, that is shown in four of five cases: of what has this share of
    /// all samples, if nothing else changes. `None` without samples.
    #[must_use]
    pub fn detectable(&self, share: f64) -> Option<f64> {
        let runs = self.runs[0] + self.runs[1];
        let samples_in_run = share * self.total.samples() as f64 / runs as f64;
        let sensitivity = if share < 1.0 {
            let tested: Vec<&Times> = self.tested().map(|it| &it.own).collect();
            Sensitivity::of_many(&tested, (self.runs, self.df(self.runs)), SHOWN, self.weight)
        } else {
            // The whole is tested by itself, and how its runs differ is known.
            let of_samples = self.total.dispersion;
            Sensitivity {
                runs: self.runs,
                df: self.df(self.runs),
                level: SHOWN,
                of_samples,
                of_runs: 0.0,
            }
        };
        sensitivity.smallest_growth(samples_in_run)
    }

    /// Dispersion of the usual function from run to run, beyond that of samples alone.
    fn usual_dispersion(&self) -> f64 {
        let mut spread: Vec<f64> = self.tested().map(|it| it.own.dispersion).collect();
        spread.sort_unstable_by(f64::total_cmp);
        spread.get(spread.len() / 2).copied().unwrap_or(self.total.dispersion)
    }

    /// Degrees of freedom of the spread of so many runs of each side.
    pub(super) fn df(&self, runs: [usize; 2]) -> f64 {
        degrees_of_freedom(self.has_pairs, runs)
    }

    /// The time in one run that a sample of each side stands for, in nanoseconds.
    #[must_use]
    pub fn per_sample_ns(&self) -> [f64; 2] {
        [0, 1].map(|side| self.sampling[side].period_ns as f64 / (self.runs[side] as f64).max(1.0))
    }

    /// Standard errors of independent samples that 99 of 100 chance differences lie within, for functions that
    /// vary as is usual: for pictures, which have more differences than can be tested.
    #[must_use]
    pub fn chance(&self) -> f64 {
        margin_99(self.df(self.runs)) * self.usual_dispersion().sqrt()
    }

    /// The functions whose time was tested.
    pub fn tested(&self) -> impl Iterator<Item = &FunctionChange> {
        self.functions.iter().filter(|it| it.own.q.is_some())
    }

    /// Returns `true` if both sides were sampled at one rate.
    #[must_use]
    pub fn has_one_rate(&self) -> bool {
        self.sampling[0].period_ns == self.sampling[1].period_ns
    }
}

/// Sampling common to the runs of a side.
fn sampling_of(runs: &[Model]) -> Result<Sampling, String> {
    let first = runs.first().ok_or("a side has no runs")?;
    // One that ended before its first sample does not tell a rate.
    let sampled = runs.iter().find(|run| run.sampling.samples > 0).unwrap_or(first);
    let known = &sampled.sampling;
    for run in runs.iter().filter(|run| run.sampling.samples > 0) {
        let it = &run.sampling;
        if (it.period_ns, &it.unit, it.waits) != (known.period_ns, &known.unit, known.waits) {
            return Err(format!(
                "the runs of one side were sampled differently: {} of {} at {} Hz, {} of {} at {} Hz; take all with the same --rate, and all with --wall or none",
                known.unit,
                known.clock(),
                known.rate_hz,
                it.unit,
                it.clock(),
                it.rate_hz
            ));
        }
    }
    Ok(known.clone())
}

fn has_samples(runs: &[Model]) -> bool {
    runs.iter().any(|run| run.sampling.samples > 0)
}

/// Number of samples that count as one look, on average: signals that come late stand for several.
fn weight<'m>(runs: impl Iterator<Item = &'m Model>) -> f64 {
    let (mut weighted, mut samples) = (0.0, 0.0);
    for model in runs {
        let (own, signals) = (model.sampling.samples as f64, model.sampling.signals);
        let of_run = match (model.sampling.dispersion, signals) {
            (Some(dispersion), Some(signals)) if signals > 0 => dispersion * own / signals as f64,
            _ => 1.0,
        };
        weighted += of_run * own;
        samples += own;
    }
    if samples > 0.0 { (weighted / samples).max(1.0) } else { 1.0 }
}

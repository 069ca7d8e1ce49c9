//! The rows of a table: functions, modules, threads, processes, or the callers and callees of a function, in order.
//!
//! A program has thousands of functions, a screen a few lines: only the rows that are shown are sorted and made.

use std::collections::{HashMap, HashSet};

use gmon_analyzer::follow::{Call, Change, Timed, growth};

use super::picture::{Picture, Process};
use super::subjects::{Named, Subject, Subjects};
use super::sums::{Amounts, Number, Relation, Scale, Sort, Sum};

/// The first rows of a table.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) first: Vec<TopRow>,
    /// Number of rows in all.
    pub(super) count: usize,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TopRow {
    pub(super) subject: Subject,
    /// Relation to the function that is looked at.
    pub(super) relation: Relation,
    /// Since the look before, for each second.
    pub(super) now: Amounts,
    /// In all, or since the user began again.
    pub(super) all: Amounts,
    /// The share of a processor that it took in each process, if processes stand side by side.
    pub(super) each: Vec<f64>,
    /// True if it is a function whose hook sleeps otherwise, and is awake.
    pub(super) is_awake: bool,
    /// Times of its calls, if it is a function whose calls are timed.
    pub(super) times: Option<Timed>,
}

impl TopRow {
    /// Calls in a second since the look before; `None` where none were counted, as of code without hooks.
    pub(super) fn calls_now(&self) -> Option<f64> {
        (self.all.calls >= 1.0 || self.now.calls > 0.0).then_some(self.now.calls)
    }
}

/// Kinds of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum View {
    Functions,
    /// Functions whose calls are timed.
    Times,
    /// Callers and callees of a function.
    Calls(Subject),
    Threads,
    Modules,
    Processes,
}

/// Wishes for the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'w> {
    pub(super) view: &'w View,
    pub(super) sort: Sort,
    /// Text that names must contain.
    pub(super) search: &'w str,
    /// The only process that is looked at, by its position.
    pub(super) process: Option<usize>,
    /// Picture to subtract.
    pub(super) baseline: Option<&'w Picture>,
    /// Number of rows to make.
    pub(super) most: usize,
}

/// The first rows of a picture, in order.
pub(super) fn rows(picture: &Picture, known: &Named, wanted: Wanted<'_>) -> Rows {
    let of_these;
    let subjects = match wanted.view {
        View::Functions | View::Times | View::Calls(_) => &known.functions,
        View::Modules => &known.modules,
        View::Threads => {
            let named = |process: &Process| {
                process.threads.iter().map(|thread| Subject::named(thread.name.clone())).collect()
            };
            of_these = Subjects::new(picture.processes.iter().map(named));
            &of_these
        }
        View::Processes => {
            let named = |process: &Process| vec![Subject::named(process.title().into())];
            of_these = Subjects::new(picture.processes.iter().map(named));
            &of_these
        }
    };
    let things = Things { picture, subjects, wanted };
    // What is called by a function, and by whom, is always there.
    if let View::Calls(_) = wanted.view {
        let sums = things.sums(|_| true);
        return Rows { count: sums.len(), first: things.rows(sums) };
    }
    let mut named = things.named(&wanted.search.to_lowercase());
    if *wanted.view == View::Times {
        let timed = things.times(|_| true);
        let named = (0..).zip(&mut named);
        named.for_each(|(subject, is_named)| *is_named &= timed.contains_key(&subject));
    }
    let count = named.iter().filter(|is_named| **is_named).count();
    let first = things.first(named);
    Rows { count, first: things.rows(things.sums(|subject| first[subject as usize])) }
}

/// All things of which numbers add up to rows: functions, modules, threads, calls or processes, each of one process.
struct Things<'t> {
    picture: &'t Picture,
    subjects: &'t Subjects,
    wanted: Wanted<'t>,
}

impl Things<'_> {
    /// Visits each thing of the subjects that are wanted: its subject, its relation to the function that is looked at, its
    /// numbers, and its process.
    fn visit(
        &self,
        is_wanted: impl Fn(u32) -> bool,
        mut visit: impl FnMut(u32, Relation, Change, usize),
    ) {
        let Self { subjects, wanted, .. } = self;
        let mut visit = |subject, relation, change, at| {
            if is_wanted(subject) {
                visit(subject, relation, change, at);
            }
        };
        let since = |change: Change, before: Option<Change>| match before {
            Some(before) => Change { all: change.all.since(before.all), ..change },
            None => change,
        };
        for (at, process) in self.processes() {
            let earlier = wanted.baseline.and_then(|baseline| baseline.processes.get(at));
            match wanted.view {
                View::Functions | View::Times | View::Modules => {
                    // Before its numbers are gathered.
                    let things = subjects.in_process(at).iter().enumerate();
                    for (place, subject) in things.filter(|(_, subject)| is_wanted(**subject)) {
                        let before = earlier.map(|it| it.counted.functions.get(place));
                        let mut change = since(process.counted.functions.get(place), before);
                        if *wanted.view == View::Modules {
                            // Totals of functions of one module overlap.
                            (change.now.total, change.all.total) = (0, 0);
                        }
                        visit(*subject, Relation::Itself, change, at);
                    }
                }
                View::Calls(looked_at) => {
                    let Some(looked_at) = subjects.find(looked_at) else { continue };
                    let things = subjects.in_process(at).iter().enumerate();
                    for (place, _) in things.filter(|(_, subject)| **subject == looked_at) {
                        let before = earlier.map(|it| it.counted.functions.get(place));
                        let change = since(process.counted.functions.get(place), before);
                        visit(looked_at, Relation::Itself, change, at);
                    }
                    let earlier = earlier.map(Process::between_functions);
                    let ends = |call: Call| {
                        [call.caller, call.callee].map(|it| subjects.of(at, it as usize))
                    };
                    for (kind, calls) in process.between_functions().into_iter().enumerate() {
                        let is_wanted = |call| ends(call).contains(&looked_at);
                        let before = earlier.map(|kinds| kinds[kind]);
                        for (call, change) in calls.since(before, is_wanted) {
                            let [caller, callee] = ends(call);
                            if callee == looked_at {
                                visit(caller, Relation::Caller, change, at);
                            }
                            if caller == looked_at {
                                visit(callee, Relation::Callee, change, at);
                            }
                        }
                    }
                }
                View::Threads => {
                    for (place, thread) in process.threads.iter().enumerate() {
                        let before = earlier.and_then(|it| it.threads.get(place));
                        let change = since(thread.change, before.map(|it| it.change));
                        visit(subjects.of(at, place), Relation::Itself, change, at);
                    }
                }
                View::Processes => {
                    let change = since(process.all, earlier.map(|it| it.all));
                    visit(subjects.of(at, 0), Relation::Itself, change, at);
                }
            }
        }
    }

    /// Tells by subject whether there are such things, and its name contains a text in small
    /// letters.
    fn named(&self, needle: &str) -> Vec<bool> {
        let mut named = vec![self.wanted.process.is_none(); self.subjects.len()];
        if let Some(process) = self.wanted.process {
            let subjects = self.subjects.in_process(process).iter();
            subjects.for_each(|subject| named[*subject as usize] = true);
        }
        if !needle.is_empty() {
            for (subject, is_named) in (0..).zip(&mut named).filter(|(_, is_named)| **is_named) {
                *is_named = self.subjects.has_name_with(subject, needle);
            }
        }
        named
    }

    /// Tells by subject whether its row is among the first of these. Only the numbers that decide are
    /// added up.
    fn first(&self, mut rest: Vec<bool>) -> Vec<bool> {
        let mut first = vec![false; rest.len()];
        let mut sums = vec![0.0; rest.len()];
        let mut missing = self.wanted.most;
        for number in self.wanted.sort.numbers() {
            if missing == 0 {
                break;
            }
            let added = self.add_up(*number, &mut sums);
            let sum = |subject: &u32| sums[*subject as usize];
            let mut some = added.clone();
            some.retain(|subject| rest[*subject as usize]);
            if some.len() > missing {
                let (_, last, _) =
                    some.select_nth_unstable_by(missing - 1, |a, b| sum(b).total_cmp(&sum(a)));
                let last = sum(last);
                // Between those that tie with the last one that fits, the next number decides.
                rest.fill(false);
                let ties = some.iter().filter(|subject| sum(subject).total_cmp(&last).is_eq());
                ties.for_each(|subject| rest[*subject as usize] = true);
                some.retain(|subject| sum(subject) > last);
            }
            missing -= some.len();
            for subject in some {
                (first[subject as usize], rest[subject as usize]) = (true, false);
            }
            added.into_iter().for_each(|subject| sums[subject as usize] = 0.0);
        }
        // Subjects are numbered by their names.
        let rest = rest.into_iter().enumerate().filter(|(_, is_there)| *is_there).take(missing);
        rest.for_each(|(subject, _)| first[subject] = true);
        first
    }

    /// Adds up one of the numbers by subject, and returns those of which there is any: mostly few.
    fn add_up(&self, number: Number, sums: &mut [f64]) -> Vec<u32> {
        let mut some = Vec::new();
        let mut add = |subject: u32, amount: f64| {
            let sum = &mut sums[subject as usize];
            if *sum == 0.0 && amount > 0.0 {
                some.push(subject);
            }
            *sum += amount;
        };
        if !matches!(self.wanted.view, View::Functions | View::Times) {
            let scales: Vec<Scale> = self.picture.processes.iter().map(Scale::of).collect();
            self.visit(
                |_| true,
                |subject, _, change, at| {
                    let [now, all] = scales[at].of_change(change);
                    add(subject, number.of(now, all));
                },
            );
            return some;
        }
        // Of thousands of functions one number each.
        for (at, process) in self.processes() {
            let scale = Scale::of(process);
            let subjects = self.subjects.in_process(at);
            let mut add = |place: usize, count| add(subjects[place], number.amount(count, scale));
            let tally = number.tally(&process.counted.functions);
            if !number.is_of_all() {
                tally.news().for_each(|(place, count)| add(place, count));
                continue;
            }
            let earlier = self.wanted.baseline.and_then(|baseline| baseline.processes.get(at));
            let earlier =
                earlier.map_or(&[][..], |earlier| number.tally(&earlier.counted.functions).all());
            let counts = tally.all().iter().enumerate().filter(|(_, count)| **count != 0);
            for (place, count) in counts {
                let before = earlier.get(place).copied().unwrap_or_default();
                add(place, growth(before, *count));
            }
        }
        some
    }

    /// The rows of these sums, in order.
    fn rows(&self, mut sums: Vec<Sum>) -> Vec<TopRow> {
        sums.sort_unstable_by(|a, b| self.wanted.sort.compare(a, b));
        let awake = self.awake();
        sums.truncate(self.wanted.most);
        let shown: HashSet<u32> = sums.iter().map(|sum| sum.subject).collect();
        let mut times = self.times(|subject| shown.contains(&subject));
        let row = |Sum { subject, relation, now, all, each }| TopRow {
            subject: self.subjects.get(subject).clone(),
            relation,
            now,
            all,
            each,
            is_awake: awake.contains(&subject),
            times: times.remove(&subject),
        };
        sums.into_iter().map(row).collect()
    }

    /// Times of the calls of functions that are wanted.
    fn times(&self, is_wanted: impl Fn(u32) -> bool) -> HashMap<u32, Timed> {
        let mut times: HashMap<u32, Timed> = HashMap::default();
        if !matches!(self.wanted.view, View::Functions | View::Times) {
            return times;
        }
        for (at, process) in self.processes() {
            let earlier = self.wanted.baseline.and_then(|baseline| baseline.processes.get(at));
            for (place, timed) in &*process.times {
                let subject = self.subjects.of(at, *place as usize);
                if !is_wanted(subject) {
                    continue;
                }
                let before = earlier.and_then(|earlier| earlier.times.get(place));
                let sum = times.entry(subject).or_default();
                sum.now.absorb(&timed.now);
                match before {
                    Some(before) => sum.all.absorb(&timed.all.since(&before.all)),
                    None => sum.all.absorb(&timed.all),
                }
            }
        }
        times
    }

    /// The functions whose hooks are awake.
    fn awake(&self) -> HashSet<u32> {
        let mut awake = HashSet::default();
        if matches!(self.wanted.view, View::Functions | View::Times | View::Calls(_)) {
            for (at, process) in self.processes() {
                let hooks = process.hooks.iter().flat_map(|hooks| &*hooks.functions);
                awake.extend(hooks.map(|place| self.subjects.of(at, *place as usize)));
            }
        }
        awake
    }

    /// The processes that are looked at, by their positions.
    fn processes(&self) -> impl Iterator<Item = (usize, &Process)> {
        let processes = self.picture.processes.iter().enumerate();
        processes.filter(|(at, _)| self.wanted.process.is_none_or(|it| it == *at))
    }

    /// Sums by subject and relation, of subjects that are wanted.
    fn sums(&self, is_wanted: impl Fn(u32) -> bool) -> Vec<Sum> {
        let mut places: HashMap<(u32, Relation), usize> = HashMap::default();
        let mut sums: Vec<Sum> = Vec::new();
        let scales: Vec<Scale> = self.picture.processes.iter().map(Scale::of).collect();
        self.visit(is_wanted, |subject, relation, change, at| {
            let place = *places.entry((subject, relation)).or_insert_with(|| {
                let (now, all) = (Amounts::default(), Amounts::default());
                sums.push(Sum { subject, relation, now, all, each: vec![0.0; scales.len()] });
                sums.len() - 1
            });
            let sum = &mut sums[place];
            let [now, all] = scales[at].of_change(change);
            sum.now.add(now);
            sum.all.add(all);
            sum.each[at] += now.own;
        });
        sums
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc as Shared;
    use std::time::Duration;

    use gmon_analyzer::follow::{Changes, Counted, Function, Sums, Tally};
    use gmon_analyzer::records::Times;
    use gmon_format::live::Timing;

    use super::super::picture::{State, Thread};
    use super::super::strip::Past;
    use super::*;

    fn change(now: [u64; 3], all: [u64; 3]) -> Change {
        let sums = |[calls, own, total]: [u64; 3]| Sums { calls, own, total, waiting: 0 };
        Change { now: sums(now), all: sums(all) }
    }

    fn function(name: &str, module: &str) -> Function {
        let is_own = module == "prog";
        Function { name: name.into(), module: module.into(), is_own, address: None }
    }

    /// A process with a function that calls two others.
    pub(in super::super) fn process(id: u32) -> Process {
        let calls: Vec<_> = [1, 2].map(|callee| Call { caller: 0, callee }).into();
        let functions = Changes {
            calls: Tally::new(&[1, 960, 40, 0], &[0, 40, 10, 0]),
            own: Tally::new(&[10, 80, 310, 7], &[0, 20, 80, 0]),
            total: Tally::new(&[400, 80, 310, 7], &[100, 20, 80, 0]),
            waiting: Tally::default(),
        };
        let counted = Counted {
            functions,
            calls: Tally::new(&[960, 40], &[40, 10]),
            pairs: calls.clone(),
            times: Tally::new(&[80, 310], &[20, 80]),
            waits: Tally::default(),
        };
        Process {
            id: Some(id),
            name: "prog".into(),
            state: State::On,
            rate: 100,
            elapsed: Duration::from_secs(2),
            has_stacks: true,
            functions: Shared::new([
                function("main", "prog"),
                function("parse", "prog"),
                function("solve", "prog"),
                function("memcpy", "libc.so.6"),
            ]),
            calls: Shared::new(calls),
            counted: counted.into(),
            threads: vec![Thread {
                name: "prog".into(),
                change: change([0, 100, 100], [0, 507, 507]),
            }],
            times: Shared::default(),
            hooks: None,
            all: change([50, 100, 100], [1_051, 507, 507]),
            past: past(),
            live: "/tmp/prog.live".into(),
            executable: "/tmp/prog".into(),
        }
    }

    /// Two seconds in which it used half a processor.
    fn past() -> Past {
        let mut past = Past::default();
        past.add(Duration::from_secs(2), 1.0);
        past
    }

    pub(in super::super) fn picture() -> Picture {
        Picture { processes: vec![process(1), process(2)], number: 1 }
    }

    /// The picture with times of the calls of one function: 102, of which the last 50
    /// took a microsecond.
    pub(in super::super) fn timed() -> Picture {
        let times = |calls: &[(u64, u64)], without_end| {
            let mut times = Times { without_end, every: 1, ..Times::default() };
            for (ns, calls) in calls {
                times.timed += calls;
                times.total_ns += ns * calls;
                times.longest_ns = times.longest_ns.max(*ns);
                times.buckets.insert(Timing::bucket_of(*ns) as u16, *calls);
            }
            times
        };
        let mut picture = picture();
        let (now, all) =
            (times(&[(1_020, 50)], 0), times(&[(1_020, 100), (9_000, 1), (9_000_000, 1)], 1));
        for process in &mut picture.processes {
            let timed = Timed { now: now.clone(), all: all.clone() };
            process.times = Shared::new([(1, timed)].into_iter().collect());
        }
        picture
    }

    fn wanted(view: &View) -> Wanted<'_> {
        Wanted { view, sort: Sort::OwnNow, search: "", process: None, baseline: None, most: 100 }
    }

    /// The first rows.
    fn rows(picture: &Picture, wanted: Wanted<'_>) -> Vec<TopRow> {
        let mut named = Named::default();
        named.take(picture);
        super::rows(picture, &named, wanted).first
    }

    fn names(rows: &[TopRow]) -> Vec<&str> {
        rows.iter().map(|row| &*row.subject.name).collect()
    }

    #[test]
    fn processes_are_summed_or_looked_at_alone() {
        let picture = picture();
        let both = rows(&picture, wanted(&View::Functions));
        assert_eq!(names(&both), ["solve", "parse", "main", "memcpy"]);
        assert_eq!((both[0].now.own, both[0].all.own, both[0].now.calls), (0.8, 7.8, 10.0));
        assert_eq!(both[0].each, [0.4, 0.4]);
        let one = rows(&picture, Wanted { process: Some(1), ..wanted(&View::Functions) });
        assert_eq!((one[0].now.own, &one[0].each[..]), (0.4, &[0.0, 0.4][..]));
        assert_eq!(names(&rows(&picture, wanted(&View::Processes))), ["prog (1)", "prog (2)"]);
        assert_eq!(names(&rows(&picture, wanted(&View::Modules))), ["prog", "libc.so.6"]);
        assert_eq!(names(&rows(&picture, wanted(&View::Threads))), ["prog"]);
    }

    #[test]
    fn callers_stand_before_a_function_and_callees_behind_it() {
        let picture = picture();
        let subject = |name: &str| Subject::named(name.into());
        let main = View::Calls(subject("main"));
        assert_eq!(names(&rows(&picture, wanted(&main))), ["main", "solve", "parse"]);
        let parse = View::Calls(subject("parse"));
        let rows = rows(&picture, wanted(&parse));
        assert_eq!(names(&rows), ["main", "parse"]);
        assert_eq!((rows[0].relation, rows[0].all.calls), (Relation::Caller, 2_000.0));
    }

    #[test]
    fn times_are_those_of_functions_that_are_timed() {
        let picture = timed();
        let found = rows(&picture, wanted(&View::Times));
        assert_eq!(names(&found), ["parse"]);
        let times = found[0].times.as_ref().expect("times");
        assert_eq!((times.now.timed, times.all.timed, times.all.without_end), (100, 204, 2));
        assert_eq!(found[0].now.calls, 40.0);
        let functions = rows(&picture, wanted(&View::Functions));
        let timed = functions.iter().filter(|row| row.times.is_some());
        assert_eq!(timed.map(|row| &*row.subject.name).collect::<Vec<_>>(), ["parse"]);
        let one = rows(&picture, Wanted { process: Some(0), ..wanted(&View::Times) });
        assert_eq!(one[0].times.as_ref().expect("times").all.timed, 102);
        let since = rows(&picture, Wanted { baseline: Some(&picture), ..wanted(&View::Times) });
        assert_eq!(since[0].times.as_ref().expect("times").all.timed, 0);
        let searched = rows(&picture, Wanted { search: "solve", ..wanted(&View::Times) });
        assert_eq!(names(&searched), [""; 0]);
    }

    #[test]
    fn rows_are_searched_and_sorted() {
        let picture = picture();
        for (sort, first) in [
            (Sort::OwnNow, "solve"),
            (Sort::TotalNow, "main"),
            (Sort::CallsNow, "parse"),
            (Sort::Own, "solve"),
            (Sort::Total, "main"),
            (Sort::Calls, "parse"),
            (Sort::Name, "main"),
        ] {
            let sorted = rows(&picture, Wanted { sort, ..wanted(&View::Functions) });
            assert_eq!(names(&sorted)[0], first, "{sort:?}");
        }
        let found = rows(&picture, Wanted { search: "MEM", ..wanted(&View::Functions) });
        assert_eq!(names(&found), ["memcpy"]);
    }

    #[test]
    fn first_rows_are_those_of_the_whole_order() {
        let (picture, mut named) = (picture(), Named::default());
        named.take(&picture);
        for view in [View::Functions, View::Calls(Subject::named("main".into()))] {
            for sort in Sort::ALL {
                let all = rows(&picture, Wanted { sort, ..wanted(&view) });
                for most in 0..=all.len() + 1 {
                    let made =
                        super::rows(&picture, &named, Wanted { sort, most, ..wanted(&view) });
                    assert_eq!(made.first, all[..most.min(all.len())], "{sort:?}");
                    assert_eq!(made.count, all.len());
                }
            }
        }
    }

    #[test]
    fn what_was_there_before_is_subtracted() {
        let picture = picture();
        let since = rows(&picture, Wanted { baseline: Some(&picture), ..wanted(&View::Functions) });
        assert!(since.iter().all(|row| row.all == Amounts::default()), "{since:?}");
        assert_eq!(since[0].now.own, 0.8);
    }
}

//! The rows of a table: functions, modules, threads, processes, or the callers and callees of a function, in order.
//!
//! A program has thousands of functions, a screen a few lines: only the rows that are shown are sorted and made.

use std::cmp::Ordering;

use gmon_analyzer::follow::{Change, Sums};

use super::picture::{Picture, Process};
use super::subjects::{Named, Subject, Subjects};

/// The first rows of a table.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) first: Vec<Row>,
    /// How many there are in all.
    pub(super) count: usize,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) subject: Subject,
    /// How it is related to the function that is looked at.
    pub(super) relation: Relation,
    /// Since the look before, for each second.
    pub(super) now: Amounts,
    /// In all, or since the user began again.
    pub(super) all: Amounts,
    /// The share of a processor that it took in each process, if processes stand side by side.
    pub(super) each: Vec<f64>,
}

/// How a function is related to the one that is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Relation {
    Caller,
    /// It is that one, or none is looked at.
    #[default]
    Itself,
    Callee,
}

/// Calls and seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Amounts {
    pub(super) calls: f64,
    pub(super) own: f64,
    pub(super) total: f64,
    pub(super) waiting: f64,
}

/// Which rows there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum View {
    Functions,
    /// Callers and callees of a function.
    Calls(Subject),
    Threads,
    Modules,
    Processes,
}

/// By what rows are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    #[default]
    OwnNow,
    TotalNow,
    CallsNow,
    Own,
    Total,
    Calls,
    Name,
}

impl Sort {
    pub(super) const ALL: [Self; 7] = [
        Self::OwnNow,
        Self::TotalNow,
        Self::CallsNow,
        Self::Own,
        Self::Total,
        Self::Calls,
        Self::Name,
    ];

    /// The next one.
    pub(super) fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or_default();
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// What it is called.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::OwnNow => "self now",
            Self::TotalNow => "total now",
            Self::CallsNow => "calls now",
            Self::Own => "self",
            Self::Total => "total",
            Self::Calls => "calls",
            Self::Name => "name",
        }
    }

    /// Calls have no time of their own, so the time of the function called orders them.
    fn key(self, sum: &Sum) -> [f64; 4] {
        let Sum { now, all, .. } = sum;
        match self {
            Self::OwnNow => [now.own, now.total, all.own, all.calls],
            Self::TotalNow => [now.total, now.own, all.total, all.calls],
            Self::CallsNow => [now.calls, now.own, all.calls, all.own],
            Self::Own => [all.own, all.total, all.calls, 0.0],
            Self::Total => [all.total, all.own, all.calls, 0.0],
            Self::Calls => [all.calls, all.own, all.total, 0.0],
            Self::Name => [0.0; 4],
        }
    }

    fn compare(self, a: &Sum, b: &Sum) -> Ordering {
        let keys = self.key(b).into_iter().zip(self.key(a));
        let by_numbers = keys.map(|(b, a)| b.total_cmp(&a)).find(|it| it.is_ne());
        let order = a.relation.cmp(&b.relation).then(by_numbers.unwrap_or(Ordering::Equal));
        // Subjects are numbered by their names.
        order.then_with(|| a.subject.cmp(&b.subject))
    }
}

/// What the rows are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'w> {
    pub(super) view: &'w View,
    pub(super) sort: Sort,
    /// What names must contain.
    pub(super) search: &'w str,
    /// The only process that is looked at, by its position.
    pub(super) process: Option<usize>,
    /// What is to be subtracted.
    pub(super) baseline: Option<&'w Picture>,
    /// How many rows to make.
    pub(super) most: usize,
}

/// The first rows of a picture, in order.
pub(super) fn rows(picture: &Picture, known: &Named, wanted: Wanted<'_>) -> Rows {
    let of_these;
    let subjects = match wanted.view {
        View::Functions | View::Calls(_) => &known.functions,
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
    let mut table = Table::new(subjects, picture.processes.len());
    let processes = picture.processes.iter().enumerate();
    for (at, process) in processes.filter(|(at, _)| wanted.process.is_none_or(|it| it == *at)) {
        let earlier = wanted.baseline.and_then(|baseline| baseline.processes.get(at));
        table.add_process(process, earlier, wanted.view, at);
    }
    // What is called by a function, and by whom, is always there.
    let needle = if matches!(wanted.view, View::Calls(_)) { "" } else { wanted.search };
    table.rows(&needle.to_lowercase(), wanted.sort, wanted.most)
}

/// What a row is made of.
#[derive(Debug)]
struct Sum {
    subject: u32,
    relation: Relation,
    now: Amounts,
    all: Amounts,
    /// The position of its shares of each process.
    each: usize,
}

/// Sums by subject and relation.
struct Table<'s> {
    subjects: &'s Subjects,
    sums: Vec<Sum>,
    /// The position of each sum; `ABSENT` if there is none.
    places: Vec<[usize; 3]>,
    /// What was taken of a processor in each process, by sum.
    each: Vec<f64>,
    processes: usize,
}

/// There is no such sum.
const ABSENT: usize = usize::MAX;

impl<'s> Table<'s> {
    fn new(subjects: &'s Subjects, processes: usize) -> Self {
        let places = vec![[ABSENT; 3]; subjects.len()];
        Self { subjects, sums: Vec::new(), places, each: Vec::new(), processes }
    }

    fn add_process(
        &mut self,
        process: &Process,
        earlier: Option<&Process>,
        view: &View,
        at: usize,
    ) {
        let subjects = self.subjects;
        let since = |change: Change, before: Option<&Change>| Change {
            all: change.all.since(before.copied().unwrap_or_default().all),
            ..change
        };
        let mut add = |subject: u32, relation, change| {
            self.add(subject, relation, process, change, at);
        };
        match view {
            View::Functions | View::Modules => {
                for (place, change) in process.changes.iter().enumerate() {
                    let before = earlier.and_then(|it| it.changes.get(place));
                    let mut change = since(*change, before);
                    if *view == View::Modules {
                        // Totals of functions of one module overlap.
                        (change.now.total, change.all.total) = (0, 0);
                    }
                    add(subjects.of(at, place), Relation::Itself, change);
                }
            }
            View::Calls(looked_at) => {
                let Some(looked_at) = subjects.find(looked_at) else { return };
                for (place, change) in process.changes.iter().enumerate() {
                    if subjects.of(at, place) == looked_at {
                        let before = earlier.and_then(|it| it.changes.get(place));
                        add(looked_at, Relation::Itself, since(*change, before));
                    }
                }
                for (place, call) in process.calls.iter().enumerate() {
                    let ends = [call.caller, call.callee];
                    let [caller, callee] = ends.map(|it| subjects.of(at, it as usize));
                    if caller != looked_at && callee != looked_at {
                        continue;
                    }
                    let before = earlier.and_then(|it| it.calls.get(place)).map(|it| &it.change);
                    let change = since(call.change, before);
                    if callee == looked_at {
                        add(caller, Relation::Caller, change);
                    }
                    if caller == looked_at {
                        add(callee, Relation::Callee, change);
                    }
                }
            }
            View::Threads => {
                for (place, thread) in process.threads.iter().enumerate() {
                    let before = earlier.and_then(|it| it.threads.get(place));
                    let change = since(thread.change, before.map(|it| &it.change));
                    add(subjects.of(at, place), Relation::Itself, change);
                }
            }
            View::Processes => {
                let change = since(process.all, earlier.map(|it| &it.all));
                add(subjects.of(at, 0), Relation::Itself, change);
            }
        }
    }

    fn add(
        &mut self,
        subject: u32,
        relation: Relation,
        process: &Process,
        change: Change,
        at: usize,
    ) {
        let place = &mut self.places[subject as usize][relation as usize];
        if *place == ABSENT {
            *place = self.sums.len();
            let (now, all, each) = (Amounts::default(), Amounts::default(), self.each.len());
            self.sums.push(Sum { subject, relation, now, all, each });
            self.each.resize(each + self.processes, 0.0);
        }
        let sum = &mut self.sums[*place];
        let seconds = process.elapsed.as_secs_f64();
        let each_second = if seconds > 0.0 { 1.0 / seconds } else { 0.0 };
        let now = Amounts::of(change.now, process.rate, each_second);
        sum.now.add(now);
        sum.all.add(Amounts::of(change.all, process.rate, 1.0));
        self.each[sum.each + at] += now.own;
    }

    /// The first rows whose names contain a text in small letters.
    fn rows(self, needle: &str, sort: Sort, most: usize) -> Rows {
        let Self { subjects, mut sums, each, processes, .. } = self;
        if !needle.is_empty() {
            sums.retain(|sum| subjects.get(sum.subject).name.to_lowercase().contains(needle));
        }
        let count = sums.len();
        if most < count {
            sums.select_nth_unstable_by(most, |a, b| sort.compare(a, b));
            sums.truncate(most);
        }
        sums.sort_unstable_by(|a, b| sort.compare(a, b));
        let row = |Sum { subject, relation, now, all, each: from }| Row {
            subject: subjects.get(subject).clone(),
            relation,
            now,
            all,
            each: each[from..from + processes].to_vec(),
        };
        Rows { first: sums.into_iter().map(row).collect(), count }
    }
}

impl Amounts {
    fn of(sums: Sums, rate: u32, factor: f64) -> Self {
        let seconds = |ticks: u64| ticks as f64 / f64::from(rate.max(1)) * factor;
        Self {
            calls: sums.calls as f64 * factor,
            own: seconds(sums.own),
            total: seconds(sums.total),
            waiting: seconds(sums.waiting),
        }
    }

    fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.own += other.own;
        self.total += other.total;
        self.waiting += other.waiting;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc as Shared;
    use std::time::Duration;

    use gmon_analyzer::follow::{Call, Function};

    use super::super::picture::{State, Thread};
    use super::*;

    fn change(now: [u64; 3], all: [u64; 3]) -> Change {
        let sums = |[calls, own, total]: [u64; 3]| Sums { calls, own, total, waiting: 0 };
        Change { now: sums(now), all: sums(all) }
    }

    fn function(name: &str, module: &str) -> Function {
        Function { name: name.into(), module: module.into(), is_own: module == "prog" }
    }

    /// A process with a function that calls two others.
    pub(in super::super) fn process(id: u32) -> Process {
        let call = |callee, now, all| Call { caller: 0, callee, change: change(now, all) };
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
            changes: vec![
                change([0, 0, 100], [1, 10, 500]),
                change([40, 20, 20], [1_000, 100, 100]),
                change([10, 80, 80], [50, 390, 390]),
                change([0, 0, 0], [0, 7, 7]),
            ],
            calls: vec![call(1, [40, 0, 20], [1_000, 0, 100]), call(2, [10, 0, 80], [50, 0, 390])],
            threads: vec![Thread {
                name: "prog".into(),
                change: change([0, 100, 100], [0, 507, 507]),
            }],
            all: change([50, 100, 100], [1_051, 507, 507]),
            live: "/tmp/prog.live".into(),
            executable: "/tmp/prog".into(),
        }
    }

    pub(in super::super) fn picture() -> Picture {
        Picture { processes: vec![process(1), process(2)], number: 1 }
    }

    fn wanted(view: &View) -> Wanted<'_> {
        Wanted { view, sort: Sort::OwnNow, search: "", process: None, baseline: None, most: 100 }
    }

    /// The first rows.
    fn rows(picture: &Picture, wanted: Wanted<'_>) -> Vec<Row> {
        let mut named = Named::default();
        named.take(picture);
        super::rows(picture, &named, wanted).first
    }

    fn names(rows: &[Row]) -> Vec<&str> {
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

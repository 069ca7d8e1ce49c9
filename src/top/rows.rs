//! The rows of a table: functions, modules, threads, processes, or the callers and callees of a function, in order.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc as Shared;

use gmon_analyzer::follow::{Change, Sums};

use super::picture::{Picture, Process};

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Subject {
    pub(super) name: Shared<str>,
    /// The module of a function that is not the program's own, or else nothing.
    pub(super) module: Shared<str>,
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
    fn key(self, row: &Row) -> [f64; 4] {
        let Row { now, all, .. } = row;
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

    fn compare(self, a: &Row, b: &Row) -> Ordering {
        let keys = self.key(b).into_iter().zip(self.key(a));
        let by_numbers = keys.map(|(b, a)| b.total_cmp(&a)).find(|it| it.is_ne());
        let order = a.relation.cmp(&b.relation).then(by_numbers.unwrap_or(Ordering::Equal));
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
}

/// The rows of a picture, in order.
pub(super) fn rows(picture: &Picture, wanted: Wanted<'_>) -> Vec<Row> {
    let mut table = Table::default();
    let count = picture.processes.len();
    let processes = picture.processes.iter().enumerate();
    for (at, process) in processes.filter(|(at, _)| wanted.process.is_none_or(|it| it == *at)) {
        let earlier = wanted.baseline.and_then(|baseline| baseline.processes.get(at));
        table.add_process(process, earlier, wanted.view, (at, count));
    }
    let needle = wanted.search.to_lowercase();
    let is_found = |row: &Row| {
        let is_always_there = matches!(wanted.view, View::Calls(_));
        is_always_there || row.subject.name.to_lowercase().contains(&needle)
    };
    let mut rows: Vec<Row> = table.rows;
    if !needle.is_empty() {
        rows.retain(is_found);
    }
    rows.sort_by(|a, b| wanted.sort.compare(a, b));
    rows
}

/// Rows by what they are about.
#[derive(Default)]
struct Table {
    rows: Vec<Row>,
    places: HashMap<(Subject, Relation), usize>,
}

impl Table {
    fn add_process(
        &mut self,
        process: &Process,
        earlier: Option<&Process>,
        view: &View,
        place: (usize, usize),
    ) {
        let since = |change: Change, before: Option<Change>| Change {
            all: change.all.since(before.unwrap_or_default().all),
            ..change
        };
        let add = |table: &mut Self, subject, relation, change| {
            table.add((subject, relation), process, change, place);
        };
        match view {
            View::Functions | View::Modules => {
                for (at, item) in process.functions.iter().enumerate() {
                    let before = earlier.and_then(|it| it.functions.get(at)).map(|it| it.change);
                    let mut change = since(item.change, before);
                    let mut subject = subject_of(process, at);
                    if *view == View::Modules {
                        // Totals of functions of one module overlap.
                        (change.now.total, change.all.total) = (0, 0);
                        let outside: Shared<str> = "[no module]".into();
                        let name =
                            if item.module.is_empty() { outside } else { item.module.clone() };
                        subject = Subject { name, module: "".into() };
                    }
                    add(self, subject, Relation::Itself, change);
                }
            }
            View::Calls(looked_at) => {
                for (at, item) in process.functions.iter().enumerate() {
                    if subject_of(process, at) == *looked_at {
                        let before = earlier.and_then(|it| it.functions.get(at));
                        let change = since(item.change, before.map(|it| it.change));
                        add(self, looked_at.clone(), Relation::Itself, change);
                    }
                }
                for (at, call) in process.calls.iter().enumerate() {
                    let before = earlier.and_then(|it| it.calls.get(at)).map(|it| it.change);
                    let change = since(call.change, before);
                    let ends = [call.caller, call.callee].map(|it| it as usize);
                    // Names are compared only of functions that are shown.
                    let [caller, callee] = ends.map(|it| subject_of(process, it));
                    if callee == *looked_at {
                        add(self, caller.clone(), Relation::Caller, change);
                    }
                    if caller == *looked_at {
                        add(self, callee, Relation::Callee, change);
                    }
                }
            }
            View::Threads => {
                for (at, item) in process.threads.iter().enumerate() {
                    let before = earlier.and_then(|it| it.threads.get(at)).map(|it| it.change);
                    let subject = Subject { name: item.name.clone(), module: item.module.clone() };
                    add(self, subject, Relation::Itself, since(item.change, before));
                }
            }
            View::Processes => {
                let subject = Subject { name: process.title().into(), module: "".into() };
                let change = since(process.all, earlier.map(|it| it.all));
                add(self, subject, Relation::Itself, change);
            }
        }
    }

    fn add(
        &mut self,
        key: (Subject, Relation),
        process: &Process,
        change: Change,
        (at, count): (usize, usize),
    ) {
        let rows = &mut self.rows;
        let (subject, relation) = key.clone();
        let place = *self.places.entry(key).or_insert_with(|| {
            let (now, all) = (Amounts::default(), Amounts::default());
            rows.push(Row { subject, relation, now, all, each: vec![0.0; count] });
            rows.len() - 1
        });
        let row = &mut rows[place];
        let seconds = process.elapsed.as_secs_f64();
        let each_second = if seconds > 0.0 { 1.0 / seconds } else { 0.0 };
        let now = Amounts::of(change.now, process.rate, each_second);
        row.now.add(now);
        row.all.add(Amounts::of(change.all, process.rate, 1.0));
        row.each[at] += now.own;
    }
}

/// A function of a process, named as all processes can.
fn subject_of(process: &Process, function: usize) -> Subject {
    let item = &process.functions[function];
    let module = if item.is_own { "".into() } else { item.module.clone() };
    Subject { name: item.name.clone(), module }
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
    use std::time::Duration;

    use gmon_analyzer::follow::Call;

    use super::super::picture::{Item, State};
    use super::*;

    fn change(now: [u64; 3], all: [u64; 3]) -> Change {
        let sums = |[calls, own, total]: [u64; 3]| Sums { calls, own, total, waiting: 0 };
        Change { now: sums(now), all: sums(all) }
    }

    fn item(name: &str, change: Change) -> Item {
        Item { name: name.into(), module: "prog".into(), is_own: true, change }
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
            functions: vec![
                item("main", change([0, 0, 100], [1, 10, 500])),
                item("parse", change([40, 20, 20], [1_000, 100, 100])),
                item("solve", change([10, 80, 80], [50, 390, 390])),
                Item {
                    module: "libc.so.6".into(),
                    is_own: false,
                    ..item("memcpy", change([0, 0, 0], [0, 7, 7]))
                },
            ],
            calls: vec![call(1, [40, 0, 20], [1_000, 0, 100]), call(2, [10, 0, 80], [50, 0, 390])],
            threads: vec![item("prog", change([0, 100, 100], [0, 507, 507]))],
            all: change([50, 100, 100], [1_051, 507, 507]),
            live: "/tmp/prog.live".into(),
            executable: "/tmp/prog".into(),
        }
    }

    pub(in super::super) fn picture() -> Picture {
        Picture { processes: vec![process(1), process(2)], number: 1 }
    }

    fn wanted(view: &View) -> Wanted<'_> {
        Wanted { view, sort: Sort::OwnNow, search: "", process: None, baseline: None }
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
        let subject = |name: &str| Subject { name: name.into(), module: "".into() };
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
    fn what_was_there_before_is_subtracted() {
        let picture = picture();
        let since = rows(&picture, Wanted { baseline: Some(&picture), ..wanted(&View::Functions) });
        assert!(since.iter().all(|row| row.all == Amounts::default()), "{since:?}");
        assert_eq!(since[0].now.own, 0.8);
    }
}

//! The times of calls in the full profile of a program, and `times.cc`, whose calls end in all the ways in which calls end.

use std::{collections::BTreeMap, fs};

use gmon_format::live::{Live, Timing};
use serde_json::Value;

use super::{command::text_of, compilers::Compiler, program::Program, root, workplace::Workplace};

/// The times of a function, of all threads.
#[derive(Default)]
pub struct Times {
    pub timed: u64,
    pub without_end: u64,
    pub total_ns: u64,
    pub longest_ns: u64,
    pub every: u64,
    buckets: BTreeMap<usize, u64>,
}

impl Times {
    /// The time that so much of all calls take at most.
    ///
    /// # Panics
    ///
    /// If there were no calls.
    pub fn quantile(&self, part: f64) -> f64 {
        let wanted = part * self.calls() as f64;
        let mut seen = 0;
        let place = self.buckets.iter().find(|(_, count)| {
            seen += **count;
            seen as f64 >= wanted
        });
        let (first, end) = Timing::bounds_of(*place.expect("calls").0);
        (first + end) as f64 / 2.0
    }

    /// The number of calls that the timed ones stand for.
    pub fn calls(&self) -> u64 {
        self.buckets.values().sum()
    }
}

/// The times in a full profile, by the names of functions, which are these.
///
/// # Panics
///
/// If there is none, or other functions have times.
pub fn times_of(program: &Program, functions: &[&'static str]) -> BTreeMap<&'static str, Times> {
    let bytes = fs::read(program.path("gmon.out.full")).expect("a full profile");
    let live = Live::new(&bytes).expect("a full profile");
    let bias = live.header().placement.bias;
    let mut all = BTreeMap::<_, Times>::new();
    for timing in live.times() {
        let is_it = |name: &&&str| program.address(name) == timing.function.0.wrapping_sub(bias);
        let name = functions.iter().find(is_it).unwrap_or_else(|| {
            panic!("{:?} {:#x} {bias:#x}", program.executable, timing.function.0)
        });
        let sum = all.entry(*name).or_default();
        sum.timed += timing.timed;
        sum.without_end += timing.without_end;
        sum.total_ns += timing.total_ns;
        sum.longest_ns = sum.longest_ns.max(timing.longest_ns);
        sum.every = sum.every.max(timing.every);
        for (bucket, count) in timing.buckets() {
            *sum.buckets.entry(bucket).or_default() += u64::from(count);
        }
    }
    all
}

const FUNCTIONS: [&str; 17] = [
    "spin",
    "leaf",
    "tail",
    "nested",
    "descends",
    "one",
    "two",
    "three",
    "four",
    "five",
    "jumps",
    "jumps_from",
    "handler",
    "step",
    "cancelled",
    "forks",
    "vforks",
];

/// Runs `times.cc`, and takes the times of all its functions.
///
/// # Panics
///
/// If it does not do what it should.
pub fn run(program: &Program, what: &str) -> BTreeMap<&'static str, Times> {
    run_with("stacks", program, what)
}

/// Runs it with times by caller, and adds up those of all callers.
///
/// # Panics
///
/// If it does not do what it should.
pub fn run_by_caller(program: &Program, what: &str) -> BTreeMap<&'static str, Times> {
    run_with("times_by=caller", program, what)
}

fn run_with(options: &str, program: &Program, what: &str) -> BTreeMap<&'static str, Times> {
    program.clear();
    let mut command = program.command();
    let list = FUNCTIONS.join(",");
    command.arg(what).env("GMON_OPTIONS", format!("{options},times={list}"));
    assert_eq!(text_of(&mut command), "done\n");
    times_of(program, &FUNCTIONS)
}

/// Checks the counts and times of all calls of `times.cc`, built with `-finstrument-functions`: every call that ends is timed, however
/// others end, and counts are exact. gcc calls the hook where an exception leaves a function, too.
///
/// # Panics
///
/// If they are wrong.
pub fn check_instrumented(program: &Program, compiler: &str) {
    for run in [run, run_by_caller] {
        check_run(program, compiler, &run(program, "all"));
    }
}

/// Checks the counts and times of all calls of `times.cc`, built with `--dormant`: every call that returns is timed, however others
/// end, and no call that does not; counts are exact.
///
/// # Panics
///
/// If they are wrong.
pub fn check_sleeping(program: &Program, mode: &str) {
    for run in [run, run, run_by_caller] {
        let times = run(program, "all");
        let counts = program.counts("gmon.out");
        for (function, timed, without_end) in [
            ("tail", 1000, 0),
            ("nested", 600 + 500 + 4 * 400, 0),
            ("one", 50, 50),
            ("two", 50, 50),
            ("three", 50, 50),
            ("four", 50, 50),
            ("five", 50, 50),
            ("jumps", 50, 50),
            ("jumps_from", 50, 50),
            ("handler", 0, 100),
            ("forks", 10, 0),
            ("vforks", 10, 0),
        ] {
            let it = times.get(function).unwrap_or_else(|| panic!("{mode}: no {function}"));
            assert_eq!((it.timed, it.calls()), (timed, timed), "{mode}: {function}");
            assert_eq!(it.without_end, without_end, "{mode}: {function}");
            assert_eq!(counts.calls(function), timed + without_end, "{mode}: {function}");
        }
        assert_eq!(times["step"].timed, 99, "{mode}");
        let leaf = &times["leaf"];
        assert_eq!(leaf.timed, counts.calls("leaf"), "{mode}");
        assert_eq!(leaf.without_end, 0, "{mode}");
        assert!(leaf.longest_ns <= leaf.total_ns, "{mode}");
    }
}

fn check_run(program: &Program, compiler: &str, times: &BTreeMap<&str, Times>) {
    let counts = program.counts("gmon.out");
    let thrown = if compiler == "gcc" { (100, 0) } else { (50, 50) };
    let of_exceptions = ["one", "two", "three", "four", "five"].map(|it| (it, thrown));
    let others = [
        ("tail", (1000, 0)),
        ("nested", (600 + 500 + 4 * 400, 0)),
        ("jumps", (50, 50)),
        ("jumps_from", (50, 50)),
        ("handler", (0, 100)),
        ("forks", (10, 0)),
        ("vforks", (10, 0)),
    ];
    for (function, (timed, without_end)) in of_exceptions.into_iter().chain(others) {
        let what = format!("{:?}: {function}", program.executable);
        let it = times.get(function).unwrap_or_else(|| panic!("{what} is missing"));
        assert_eq!((it.timed, it.calls()), (timed, timed), "{what}");
        assert_eq!(it.without_end, without_end, "{what}");
        assert_eq!(counts.calls(function), timed + without_end, "{what}");
        assert!(it.longest_ns <= it.total_ns, "{what}");
    }
    assert_eq!(times["step"].timed, 99);
    let leaf = &times["leaf"];
    assert_eq!((leaf.timed, leaf.without_end), (counts.calls("leaf"), 0));
    // A call has the time of all that it calls.
    for (callers, called) in [
        ("one", "two"),
        ("two", "three"),
        ("three", "four"),
        ("four", "five"),
        ("jumps_from", "jumps"),
    ] {
        assert!(times[callers].total_ns >= times[called].total_ns, "{callers}");
    }
}

/// Builds `frames.c` by `gmon cc --times` with more flags, and checks the counts of its calls and of those that were timed.
///
/// # Panics
///
/// If they are wrong.
pub fn check_frames(compiler: &Compiler, flags: &[&str]) {
    let place = Workplace::new();
    let [source, object, program] =
        [root().join("tests/suite/live/frames.c"), place.path("frames.o"), place.path("program")];
    for (words, from, to) in [(&["-c"][..], &source, &object), (&[], &object, &program)] {
        let mut cc = place.gmon("cc --times");
        cc.arg(compiler.c).args(compiler.options).args(flags).args(words);
        text_of(cc.arg(from).arg("-o").arg(to));
    }
    let mut run = compiler.target.run(&program, None);
    run.current_dir(place.folder()).env("GMON_OPTIONS", "stacks,times=*");
    text_of(&mut run);
    let text = text_of(&mut place.gmon("export --format json program"));
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let functions = document["functions"].as_array().expect("functions");
    let of = |name: &str| {
        let id = functions.iter().position(|it| it["name"] == name).expect("a function");
        let times = document["call_times"].as_array().expect("times").iter();
        let times = times.filter(|it| it["function"] == id).map(|it| &it["times"]);
        let add = |sum: [u64; 2], it: &Value| {
            [
                sum[0] + it["timed"].as_u64().unwrap_or(0),
                sum[1] + it["without_end"].as_u64().unwrap_or(0),
            ]
        };
        (functions[id]["calls"].as_u64(), times.fold([0, 0], add))
    };
    // Of 400 calls 100 have even numbers whose second digit is 0, too: all others are left.
    for (function, calls, ends) in [
        ("apart", 500, [500, 0]),
        ("grows", 800, [800, 0]),
        ("stack", 200, [200, 0]),
        ("many", 600, [600, 0]),
        ("jumps", 400, [100, 300]),
        ("leaves", 600, [300, 300]),
        // With the last there is no room, so all others are given up.
        ("deep", 4096, [1, 4095]),
        ("main", 1, [0, 1]),
        ("inlined", 1000 + 500 + 200 + 200, [1900, 0]),
    ] {
        let what = format!("{} {flags:?}: {function}", compiler.c);
        assert_eq!(of(function), (Some(calls), ends), "{what}");
    }
}

//! Compares the times of calls that gmon takes with those that programs take themselves, in many runs:
//! `upstream_times GMON FOLDER RUNS WAY (KIND PROGRAM)…`, where WAY is how the programs were built, `dormant` or `times`.
//! `tests/upstream/times` builds the programs and starts this; `tests/upstream/own.h` says what they measure.
//!
//! A time of gmon's is right if there is a call that can have taken so long. Each must have a call of its own, and where
//! no coroutines share memory, each call that ended must have a time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::{env, fs, io};

use gmon_format::FilePc;
use gmon_format::live::{Live, Timing};
use serde_json::Value;
use support::command::output_of;
use support::counts::{Counts, FunctionNames};

/// Number of runs of which one is started by `gmon run` and read by `gmon export`. The others get their options from
/// `GMON_OPTIONS`, and their profiles are read here. The program is run alone as often, for comparison.
const BY_COMMAND: u64 = 50;
/// The command that ends programs which hang, after seconds.
const PATIENCE: [&str; 2] = ["timeout", "30"];

/// Functions that the programs do not measure, and which are timed all the same: they end, or they do not.
const OTHERS: [&str; 6] =
    ["quick", "quicker", "works_on", "_ZN8greenlet*switch*", "_ZL4treei", "_Z4tree*"];

/// Calls of a function as the program measured them.
#[derive(Default)]
struct Own {
    calls: u64,
    /// Nanoseconds that calls which ended took, at least and at most.
    ended: Vec<[u64; 2]>,
}

/// Calls of a function as gmon measured them.
#[derive(Default)]
struct Said {
    counted: u64,
    timed: u64,
    without_end: u64,
    total_ns: u64,
    longest_ns: u64,
    buckets: BTreeMap<usize, u64>,
}

/// A kind of program.
struct Kind<'a> {
    gmon: &'a Path,
    name: &'a str,
    program: PathBuf,
    names: FunctionNames,
    folder: PathBuf,
    /// End and output of a run without gmon.
    alone: Option<(ExitStatus, Vec<u8>)>,
    /// Names of functions, for `--times`.
    list: String,
    /// Calls may lose their ends: others cover them, they end in other threads, or by a jump to another function.
    may_lose: bool,
    /// Calls that exceptions leave have an end, too.
    thrown_end: bool,
    sums: Sums,
}

/// Sums over the runs of a kind.
#[derive(Default)]
struct Sums {
    runs: u64,
    crashes: u64,
    calls: u64,
    timed: u64,
    without_end: u64,
    wrong_counts: u64,
    wrong_times: u64,
}

impl<'a> Kind<'a> {
    fn new(gmon: &'a Path, folder: &Path, way: &str, name: &'a str, program: &Path) -> Self {
        let folder = folder.join(format!("{name}.{way}.runs"));
        let names = FunctionNames::read(program);
        let program = program.to_owned();
        let thrown_end = way == "times";
        let may_lose = ["greenlet", "boost-threads", "coroutines"].contains(&name);
        Self {
            gmon,
            name,
            program,
            names,
            folder,
            alone: None,
            list: String::new(),
            may_lose,
            thrown_end,
            sums: Sums::default(),
        }
    }

    /// Runs the program once, with random numbers of its own.
    fn run(&mut self, number: u64) -> io::Result<()> {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder)?;
        let seed = number.to_string();
        let words = [self.name, &seed, "own"];
        if number % BY_COMMAND == 1 {
            let mut alone = Command::new(PATIENCE[0]);
            alone.arg(PATIENCE[1]).arg(&self.program).args(words).current_dir(&self.folder);
            let output = output_of(alone.env("GMON_OPTIONS", "off"));
            self.alone = Some((output.status, output.stdout));
            let list = self.functions()?.into_keys().chain(OTHERS.map(str::to_owned));
            self.list = list.collect::<Vec<_>>().join(",");
        }
        let by_command = number % BY_COMMAND == 0;
        let mut run = Command::new(PATIENCE[0]);
        run.arg(PATIENCE[1]).current_dir(&self.folder).env_remove("GMON_OPTIONS");
        match by_command {
            true => run.arg(self.gmon).args(["run", "--times", &self.list]),
            false => run.env("GMON_OPTIONS", format!("stacks,times={},out=%p.out", self.list)),
        };
        let output = output_of(run.arg(&self.program).args(words));
        self.sums.runs += 1;
        if self
            .alone
            .as_ref()
            .is_none_or(|alone| (alone.0, &alone.1) != (output.status, &output.stdout))
        {
            self.sums.crashes += 1;
            let said = String::from_utf8_lossy(&output.stderr);
            println!("  {} {number}: {}, alone {:?}: {said}", self.name, output.status, self.alone);
            return Ok(());
        }
        let own = self.functions()?;
        let said = if by_command { self.exported()? } else { self.profiles()? };
        for (function, own) in &own {
            let said = said.iter().filter(|(name, _)| is_of(name, function));
            self.compare(number, function, own, said.map(|(_, said)| said).sum());
        }
        Ok(())
    }

    /// Reads what the program has measured.
    fn functions(&self) -> io::Result<BTreeMap<String, Own>> {
        const LEN: usize = 48;
        let bytes = fs::read(self.folder.join("own"))?;
        let word = |at: usize| {
            bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |it| i64::from_ne_bytes(*it))
        };
        let mut functions = BTreeMap::<_, Own>::new();
        for at in (0..word(0) as usize).map(|place| 8 + place * LEN) {
            let name = String::from_utf8_lossy(&bytes[at..at + 24]);
            let own = functions.entry(name.trim_end_matches('\0').to_owned()).or_default();
            let [inner, outer] = [word(at + 32), word(at + 40)];
            own.calls += 1;
            if outer >= 0 || outer < -1 && self.thrown_end {
                own.ended.push([inner.unsigned_abs(), outer.unsigned_abs()]);
            }
        }
        Ok(functions)
    }

    /// Reads the profiles of all processes, by linker names.
    fn profiles(&self) -> io::Result<BTreeMap<String, Said>> {
        let mut all = BTreeMap::<String, Said>::new();
        for file in fs::read_dir(&self.folder)? {
            let path = file?.path();
            if path.extension().is_some_and(|end| end == "out") {
                let counts = Counts::read(&self.names, &path);
                for (function, calls) in counts.all_calls() {
                    all.entry(function.to_owned()).or_default().counted += calls;
                }
            } else if path.extension().is_some_and(|end| end == "full") {
                let bytes = fs::read(path)?;
                let live = Live::new(&bytes).map_err(io::Error::other)?;
                let bias = live.header().placement.bias;
                for timing in live.times() {
                    let name = self.names.at(FilePc(timing.function.0.wrapping_sub(bias)));
                    all.entry(name).or_default().add(&timing);
                }
            }
        }
        Ok(all)
    }

    /// Reads them by `gmon export`.
    fn exported(&self) -> io::Result<BTreeMap<String, Said>> {
        let mut export = Command::new(self.gmon);
        export.args(["export", "--format", "json"]).arg(&self.program);
        let output = output_of(export.current_dir(&self.folder));
        let profile: Value = serde_json::from_slice(&output.stdout)?;
        let list = |name: &str| profile[name].as_array().cloned().unwrap_or_default();
        let functions = list("functions");
        let name = |id: &Value| {
            let function = id.as_u64().and_then(|id| functions.get(id as usize));
            function.and_then(|it| it["name"].as_str()).unwrap_or_default().to_owned()
        };
        let mut all = BTreeMap::<String, Said>::new();
        for function in &functions {
            let calls = function["calls"].as_u64().unwrap_or(0);
            all.entry(name(&function["id"])).or_default().counted += calls;
        }
        for entry in list("call_times") {
            let times = &entry["times"];
            let number = |column: &str| times[column].as_u64().unwrap_or(0);
            let said = all.entry(name(&entry["function"])).or_default();
            said.timed += number("timed");
            said.without_end += number("without_end");
            said.total_ns += number("total_ns");
            said.longest_ns = said.longest_ns.max(number("longest_ns"));
            for (bucket, calls) in times["buckets"].as_object().into_iter().flatten() {
                let bucket = bucket.parse().map_err(io::Error::other)?;
                *said.buckets.entry(bucket).or_default() += calls.as_u64().unwrap_or(0);
            }
        }
        Ok(all)
    }

    fn compare(&mut self, number: u64, function: &str, own: &Own, said: Said) {
        self.sums.calls += own.calls;
        self.sums.timed += said.timed;
        self.sums.without_end += said.without_end;
        let ended = own.ended.len() as u64;
        let is_whole = said.timed == ended || self.may_lose && said.timed < ended;
        // What nobody came back from may still be known as a call that goes on.
        let is_counted = said.counted == own.calls && said.timed + said.without_end <= own.calls;
        if !is_whole || !is_counted {
            self.sums.wrong_counts += 1;
            println!(
                "  {} {number}, {function}: {} calls, {ended} ended; {} counted, {} timed, {} without end",
                self.name, own.calls, said.counted, said.timed, said.without_end
            );
        }
        let mut wrong = said.without_calls(&own.ended);
        let outer: u64 = own.ended.iter().map(|[_, outer]| most(*outer)).sum();
        let inner: u64 = own.ended.iter().map(|[inner, _]| least(*inner)).sum();
        let longest = own.ended.iter().map(|[_, outer]| most(*outer)).max().unwrap_or(0);
        let is_all = said.timed == ended;
        if said.total_ns > outer || said.longest_ns > longest || is_all && said.total_ns < inner {
            wrong.push(said.longest_ns);
        }
        if !wrong.is_empty() {
            self.sums.wrong_times += wrong.len() as u64;
            println!(
                "  {} {number}, {function}: no call took {wrong:?} ns; {} ns in all, the program says {inner} to {outer}",
                self.name, said.total_ns
            );
        }
    }
}

/// Returns `true` if a linker name is that of a function, of a part of it, or of C++.
fn is_of(name: &str, function: &str) -> bool {
    let first = name.split('.').next().unwrap_or(name);
    first == function
        || first.starts_with("_Z") && first.contains(&format!("{}{function}", function.len()))
}

/// What a call took at least and at most by the program's clock, by gmon's: the rates of two clocks differ by 1 part in 2,000.
fn least(ns: u64) -> u64 {
    (ns - ns / 1000).saturating_sub(CLOCK)
}
fn most(ns: u64) -> u64 {
    ns + ns / 1000 + CLOCK
}
/// Nanoseconds by which two readings of clocks may be out of order.
const CLOCK: u64 = 30;

impl Said {
    fn add(&mut self, timing: &Timing<'_>) {
        self.timed += timing.timed;
        self.without_end += timing.without_end;
        self.total_ns += timing.total_ns;
        self.longest_ns = self.longest_ns.max(timing.longest_ns);
        for (bucket, calls) in timing.buckets() {
            *self.buckets.entry(bucket).or_default() += u64::from(calls);
        }
    }

    /// Times for which there is no call. Of the calls that can have taken a time, from the shortest on, each takes the one
    /// that can have taken the least, at most: who finds none then finds none at all.
    fn without_calls(&self, ended: &[[u64; 2]]) -> Vec<u64> {
        let mut calls: Vec<_> = ended
            .iter()
            .map(|[inner, outer]| {
                [Timing::bucket_of(least(*inner)), Timing::bucket_of(most(*outer))]
            })
            .collect();
        calls.sort_unstable_by_key(|[_, last]| *last);
        let mut wrong = Vec::new();
        for (bucket, count) in &self.buckets {
            for _ in 0..*count {
                match calls.iter().position(|[first, last]| (first..=last).contains(&bucket)) {
                    Some(place) => _ = calls.remove(place),
                    None => wrong.push(Timing::bounds_of(*bucket).0),
                }
            }
        }
        wrong
    }
}

impl<'a> std::iter::Sum<&'a Said> for Said {
    fn sum<I: Iterator<Item = &'a Said>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, it| {
            sum.counted += it.counted;
            sum.timed += it.timed;
            sum.without_end += it.without_end;
            sum.total_ns += it.total_ns;
            sum.longest_ns = sum.longest_ns.max(it.longest_ns);
            for (bucket, calls) in &it.buckets {
                *sum.buckets.entry(*bucket).or_default() += calls;
            }
            sum
        })
    }
}

fn main() -> ExitCode {
    let words: Vec<_> = env::args().skip(1).collect();
    let [gmon, folder, runs, way, kinds @ ..] = &words[..] else {
        eprintln!("usage: upstream_times GMON FOLDER RUNS WAY (KIND PROGRAM)...");
        return ExitCode::from(2);
    };
    let runs = runs.parse().expect("a number of runs");
    let mut is_well = true;
    for pair in kinds.chunks_exact(2) {
        let mut kind =
            Kind::new(Path::new(gmon), Path::new(folder), way, &pair[0], Path::new(&pair[1]));
        for number in 1..=runs {
            kind.run(number).expect("files of a run");
        }
        let sums = &kind.sums;
        println!(
            "{:14} {way:8} {:5} runs, {:2} crashes, {:2} wrong counts, {:2} wrong times of {:8}; {:8} calls, {:7} without end",
            kind.name,
            sums.runs,
            sums.crashes,
            sums.wrong_counts,
            sums.wrong_times,
            sums.timed,
            sums.calls,
            sums.without_end
        );
        is_well &= sums.crashes + sums.wrong_counts + sums.wrong_times == 0;
    }
    ExitCode::from(u8::from(!is_well))
}

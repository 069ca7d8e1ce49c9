//! How often `gmon diff` is wrong, and what it finds: `cargo bench --bench diff [-- --check]`.
//!
//! Builds of a program, in which `copy` takes longer or not, run by turns. From their recorded runs we draw sides at
//! random, many times: two sides of one build, of which no limit may be exceeded, and sides of two builds, of which the
//! difference should be found. Runs are drawn by themselves, and in pairs of one turn. The draws share runs, so they are
//! not as many independent trials. With `--check` a bound that does not hold fails the run; those of what is found hold on
//! a machine with nothing else to do. Without `--bench`, which cargo passes when benchmarking, few short runs are made, to
//! show that it works.

use std::path::Path;
use std::process::{Command, ExitCode};

use gmon_analyzer::Model;
use gmon_analyzer::diff::{Change, Comparison, Design, Limit, SHOWN};

/// So many times sides are drawn.
const DRAWS: u32 = 200;

type Result<T, E = String> = std::result::Result<T, E>;

/// Two builds of a program, of which the second takes longer in `copy`.
struct Experiment {
    /// By how much longer.
    percent: u32,
    /// Its time in the first build; all other functions together take 80 such parts.
    copy: u32,
    /// How often each function is called.
    rounds: u32,
    /// How often each build runs.
    runs: u32,
}

/// The runs of both builds.
struct Runs {
    base: Vec<Model>,
    slower: Vec<Model>,
}

fn main() -> ExitCode {
    let is_asked_for = |option: &str| std::env::args().any(|argument| argument == option);
    match run(is_asked_for("--bench")) {
        Ok(wrong) if is_asked_for("--check") && wrong > 0 => {
            eprintln!("diff: {wrong} of the bounds do not hold");
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("diff: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and prints; returns how many bounds do not hold.
fn run(is_full: bool) -> Result<u32> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut wrong = 0;
    // A run takes half a second, and `copy` a fifth of it.
    let (rounds, number) = if is_full { (50_000, 40) } else { (2_000, 20) };
    let percents: &[u32] = if is_full { &[5, 10, 20] } else { &[20] };
    for &percent in percents {
        let usual = Experiment { percent, copy: 20, rounds, runs: number };
        wrong += usual.measure(folder.path(), percent == 20)?;
    }
    // A small change is found where the function has much of the time: two thirds of two seconds.
    let small = Experiment { percent: 5, copy: 160, rounds: 3 * rounds / 2, runs: number };
    Ok(wrong + small.measure(folder.path(), true)?)
}

/// Sides of one build, which must not differ.
fn false_alarms(runs: &[Model], size: usize, in_pairs: bool) -> Result<u32> {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut calls, mut times, mut shown) = (0, 0, 0);
    // Runs of one build that followed each other.
    let pairs = runs.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()));
    let (one, other): (Vec<_>, Vec<_>) = pairs.unzip();
    for _ in 0..DRAWS {
        let comparison = draw(&mut random, [&one, &other], size, in_pairs)?;
        calls += u32::from(is_exceeded("calls:~0", &comparison)?);
        times += u32::from(is_exceeded("self:+5%", &comparison)?);
        let is_change = |it| matches!(it, Change::Slower | Change::Faster);
        shown += u32::from(comparison.tested().any(|it| is_change(it.own.change(SHOWN))));
    }
    println!(
        "one build, {size} + {size} runs{}, {DRAWS} draws: calls:~0 exceeded {calls} times, self:+5% {times} times; some \
         function shown as changed {shown} times",
        words(in_pairs)
    );
    Ok(u32::from(calls > 0) + u32::from(times > 2))
}

fn words(in_pairs: bool) -> &'static str {
    if in_pairs { " in pairs" } else { "" }
}

fn is_exceeded(limit: &str, comparison: &Comparison) -> Result<bool> {
    let limit: Limit = limit.parse()?;
    // The level of `gmon diff --alpha`, if nobody says another.
    let judged = limit.judge(comparison, 0.01).map_err(|why| why.to_string())?;
    Ok(!judged.exceeded.is_empty())
}

/// Compares so many runs of each side, of which none is drawn twice.
fn draw(
    random: &mut fastrand::Rng,
    sides: [&[Model]; 2],
    size: usize,
    in_pairs: bool,
) -> Result<Comparison> {
    let mut order = |side: &[Model]| random.choose_multiple(0..side.len(), size);
    let first = order(sides[0]);
    let second = if in_pairs { first.clone() } else { order(sides[1]) };
    let take = |side: &[Model], order: Vec<usize>| -> Vec<Model> {
        order.into_iter().map(|run| side[run].clone()).collect()
    };
    let design = Design { turns: in_pairs, shares: false };
    Comparison::by(design, &take(sides[0], first), &take(sides[1], second))
}

impl Experiment {
    /// Runs both builds and draws sides of their runs; returns how many bounds do not hold. The number of draws in which
    /// the change is found has one if that `is_bounded`.
    fn measure(&self, folder: &Path, is_bounded: bool) -> Result<u32> {
        let runs = self.take(folder)?;
        let mut wrong = 0;
        for in_pairs in [false, true] {
            for size in [5, 10] {
                wrong += false_alarms(&runs.base, size, in_pairs)?;
            }
            for size in [5, 10, 20] {
                let found = self.power(&runs, size, in_pairs)?;
                wrong += u32::from(is_bounded && size == 10 && 4 * found < 3 * DRAWS);
            }
        }
        Ok(wrong)
    }

    /// Draws sides of so many runs of each build; returns in how many the function that takes longer is found.
    fn power(&self, runs: &Runs, size: usize, in_pairs: bool) -> Result<u32> {
        let mut random = fastrand::Rng::with_seed(7);
        let (mut found, mut limited, mut blamed, mut detectable) = (0, 0, 0, 0.0);
        let share = f64::from(self.copy) / f64::from(self.copy + 80);
        for _ in 0..DRAWS {
            let comparison = draw(&mut random, [&runs.base, &runs.slower], size, in_pairs)?;
            detectable += comparison.detectable(share).unwrap_or(1.0) / f64::from(DRAWS);
            limited += u32::from(is_exceeded("self(copy):+0", &comparison)?);
            let mut is_blamed = false;
            for function in comparison.tested() {
                match (function.own.change(SHOWN), function.name.as_str()) {
                    (Change::Slower, "copy") => found += 1,
                    (Change::Slower | Change::Faster, _) => is_blamed = true,
                    _ => {}
                }
            }
            blamed += u32::from(is_blamed);
        }
        println!(
            "copy {} % slower, {size} + {size} runs{}, {DRAWS} draws: shown as slower {found} times, self(copy):+0 exceeded \
             {limited} times; another function shown as changed {blamed} times; could have seen {:.1} %",
            self.percent,
            words(in_pairs),
            100.0 * detectable
        );
        Ok(found)
    }

    /// Builds both sides and runs them by turns.
    fn take(&self, folder: &Path) -> Result<Runs> {
        let build = |name: &str, percent: u32| {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/diff/shares.c");
            let (copy, slower) = (format!("-DCOPY={}", self.copy), format!("-DSLOWER={percent}"));
            let words = ["cc", "cc", "-O2", &copy, &slower, "-o", name, &source.to_string_lossy()];
            gmon(folder, &words)?;
            Ok::<_, String>(format!("./{name} {}", self.rounds))
        };
        let (base, slower) = (build("base", 0)?, build("slower", self.percent)?);
        let kept = folder.join(format!("kept-{}-{}", self.percent, self.copy));
        let (number, place) = (self.runs.to_string(), kept.to_string_lossy().into_owned());
        let words = ["diff", "--runs", &number, "--warmup", "1", "-d", &place];
        gmon(folder, &[&words[..], &["--base-run", &base, "--new-run", &slower]].concat())?;
        let runs = Runs { base: read(&kept.join("base"))?, slower: read(&kept.join("new"))? };
        let samples: u64 = runs.base.iter().map(|run| run.sampling.samples).sum();
        // What can be found is the change that these runs had, not the one that the builds were made for.
        let all = Comparison::new(&runs.base, &runs.slower)?;
        let copy = all.tested().find(|it| it.name == "copy").ok_or("no samples are in copy")?;
        let [base, new] = copy.own.per_run_ns;
        let half = (copy.own.interval_ns[1] - copy.own.delta_ns) / base;
        println!(
            "{} runs of each build by turns, {} samples a run; copy took {:.1} ± {:.1} % longer",
            self.runs,
            samples / u64::from(self.runs),
            100.0 * (new / base - 1.0),
            100.0 * half
        );
        Ok(runs)
    }
}

fn read(folder: &Path) -> Result<Vec<Model>> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<_> = paths.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    // In the order of the turns.
    paths.sort_unstable();
    paths.iter().map(|path| Model::read(path).map_err(|error| error.to_string())).collect()
}

fn gmon(folder: &Path, words: &[&str]) -> Result<()> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gmon"));
    let output = command.args(words).current_dir(folder).env_remove("GMON_OPTIONS").output();
    let output = output.map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(format!("gmon {words:?}: {said}")) }
}

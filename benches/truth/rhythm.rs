//! Programs with a rhythm: eight functions by turns, whose rounds take from 0.3 to 20 ms, and which say how much time each
//! had. How often intervals hold that, and how often two runs of the same program look different.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::launcher::{Result, compile};
use crate::ours;

/// Microseconds of a round: parts and multiples of a period of 1 ms, and others.
const ROUNDS: [u32; 16] = [
    300, 370, 500, 667, 750, 1_000, 1_333, 1_500, 2_000, 2_200, 3_000, 4_000, 5_000, 7_000, 10_000,
    20_000,
];

/// Milliseconds of a run.
const LENGTH: &str = "1000";

/// A function in a run: its share in truth, as measured, and half of the interval.
#[derive(Clone, Copy)]
struct Share {
    truth: f64,
    measured: f64,
    error: f64,
}

/// Number of cases that held, and of all.
#[derive(Clone, Copy, Default)]
struct Held {
    held: usize,
    all: usize,
}

impl Held {
    fn note(&mut self, holds: bool) {
        self.held += usize::from(holds);
        self.all += 1;
    }

    fn percent(self) -> f64 {
        100.0 * self.held as f64 / self.all.max(1) as f64
    }
}

/// Measures `runs` of each round; how many limits do not hold.
pub(crate) fn measure(folder: &Path, runs: usize) -> Result<usize> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = root.join("tests/suite/samplers/rhythm.c");
    compile([source.as_os_str()], &["-g"], &folder.join("rhythm"))?;
    let (mut intervals, mut pairs) = (Held::default(), Held::default());
    for round in ROUNDS {
        let (mut here, mut before) = (Held::default(), None::<Vec<Share>>);
        for _ in 0..runs {
            let run = run(folder, round)?;
            for share in &run {
                here.note((share.measured - share.truth).abs() <= share.error);
            }
            match before.take() {
                None => before = Some(run),
                // Each run is in one pair.
                Some(before) => before.iter().zip(&run).for_each(|(a, b)| {
                    // What they truly differ in is no alarm.
                    let differ = (a.measured - b.measured) - (a.truth - b.truth);
                    pairs.note(differ.abs() <= a.error.hypot(b.error));
                }),
            }
        }
        println!(
            "  rounds of {:6.3} ms: {:5.1} % of {}",
            f64::from(round) / 1e3,
            here.percent(),
            here.all
        );
        intervals = Held { held: intervals.held + here.held, all: intervals.all + here.all };
    }
    println!(
        "rhythms: intervals hold the truth in {:.1} % of {} cases",
        intervals.percent(),
        intervals.all
    );
    println!(
        "rhythms: two runs of one program differ in {:.1} % of {}",
        100.0 - pairs.percent(),
        pairs.all
    );
    Ok(usize::from(!(93.0..=98.5).contains(&intervals.percent()))
        + usize::from(pairs.percent() < 93.0))
}

/// The functions of a run.
fn run(folder: &Path, round: u32) -> Result<Vec<Share>> {
    let mut command: Command = ours::gmon(folder);
    command.args(["run", "--report", "summary", "--top", "100", "--", "./rhythm"]);
    command.arg(round.to_string()).arg(LENGTH).stdout(Stdio::piped());
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let used: Vec<(String, f64)> = printed
        .lines()
        .filter_map(|line| {
            let (name, used) = line.split_once(' ')?;
            Some((name.to_owned(), used.parse().ok()?))
        })
        .collect();
    let all: f64 = used.iter().map(|(_, used)| used).sum();
    let rows =
        ours::rows(&ours::read(&folder.join("summary"))?).ok_or("a summary without CPU time")?;
    let measured: f64 = used.iter().filter_map(|(name, _)| rows.get(name)).map(|row| row.0).sum();
    Ok(used
        .iter()
        .map(|(name, used)| {
            let (total, error) = rows.get(name).copied().unwrap_or_default();
            Share { truth: 100.0 * used / all, measured: 100.0 * total / measured, error }
        })
        .collect())
}

//! Looks keep no step with a program that has a rhythm, so that shares are true and `±` holds. How well, in figures:
//! `cargo bench --bench truth -- rhythm`.

use super::{build, texts};
use support::{suite::printed, tools::skip_anywhere};

/// Shares of the functions, in truth and as counted, and the number of counts.
struct Run {
    shares: Vec<(f64, f64)>,
    samples: f64,
}

/// Squared difference of a share, by what chance alone makes of it: about 1 on average.
fn surprise(run: &Run) -> f64 {
    let each = run
        .shares
        .iter()
        .map(|(truth, share)| (share - truth).powi(2) * run.samples / (truth * (1.0 - truth)));
    each.sum::<f64>() / run.shares.len() as f64
}

#[test]
fn no_rhythm_of_the_program_is_taken_for_its_time() {
    /// In step, all samples are one function's or two's: more than a hundred. A machine that does other work makes it a few.
    const MOST: f64 = 20.0;
    let program = build("rhythm.c");
    let names: Vec<_> = (1..=8).map(|number| format!("part{number}")).collect();
    for (hz, milliseconds, rounds) in
        [(1_000, "300", [500, 1_000]), (100, "1000", [10_000, 20_000])]
    {
        for round in rounds {
            let options = format!("stacks,hz={hz}");
            let output =
                program.run(&[&round.to_string(), milliseconds], &[("GMON_OPTIONS", &options)]);
            let (text, _) = texts(&output);
            let profile = support::stacks::FullProfile::read(&program.path("gmon.out.full"));
            if hz == 1_000 && profile.facts["clock"] != "perf task-clock" {
                skip_anywhere("the kernel grants no exact clock: looks come at its ticks");
                break;
            }
            let counts = program.counts("gmon.out");
            let used: Vec<f64> =
                names.iter().map(|name| printed(&text, name).parse().unwrap()).collect();
            let seconds: Vec<f64> = names.iter().map(|name| counts.seconds(name)).collect();
            let sum = |times: &[f64]| times.iter().sum::<f64>();
            let (all_used, all_seconds) = (sum(&used), sum(&seconds));
            assert!(
                (all_seconds - all_used).abs() < 0.1 * all_used + 0.05,
                "{hz} Hz: {all_seconds} s of {all_used}"
            );
            let shares = used
                .iter()
                .zip(&seconds)
                .map(|(used, seconds)| (used / all_used, seconds / all_seconds));
            let run = Run { shares: shares.collect(), samples: all_seconds * f64::from(hz) };
            assert!(surprise(&run) < MOST, "{hz} Hz, rounds of {round} us: {:.3?}", run.shares);
        }
    }
}

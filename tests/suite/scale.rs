//! Numbers that do not fit: more calls than a lock or a 32-bit field would keep, more samples than a
//! 16-bit bin holds.

use std::{fs, path::Path};

use gmon_format::{Encoding, Record, Records};
use support::{
    compilers::GCC,
    example::Example,
    modes::MODES,
    program::Builder,
    tools,
    trial::{self, Outcome},
};

/// Builds a program of `tests/suite/programs` in the mode of this name, runs it, and checks what it
/// states about itself.
fn run(program: &str, mode: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/programs");
    let example = Example::read(folder.join(program).with_extension("c"));
    let mode = MODES.iter().find(|known| known.name == mode).expect("a mode of this name");
    let mut builder = Builder::new(GCC, &example.source, &example.flags);
    let outcome = trial::run(&example, mode, &mut builder, arguments, variables);
    assert!(
        outcome.differences.is_empty(),
        "{program} {arguments:?}:\n{}",
        outcome.differences.join("\n")
    );
    outcome
}

#[test]
fn no_call_of_any_thread_is_lost() {
    for threads in ["1", "2", "4", "64"] {
        for &mode in tools::shared_out(&["default", "fentry", "preloaded"], "modes") {
            run("shared_by_threads", mode, &[threads, "10000000"], &[]);
        }
    }
}

#[test]
fn no_call_is_lost_while_tables_grow_and_alarms_interrupt() {
    for &mode in tools::shared_out(&["default", "fentry", "preloaded"], "modes") {
        run("growth_under_alarms", mode, &["100", "2000"], &[]);
    }
}

#[test]
fn more_calls_of_one_arc_than_32_bits_hold() {
    if tools::is_left_to_ci("it makes 4,294,967,306 calls") {
        return;
    }
    run("many_calls", "fentry", &["4294967306"], &[]);
}

/// The file's bins hold 65,535 samples each. Two places get 140,000 and 30,000; had the first
/// wrapped around, it would be left with 8,928. The sampler is the one that takes every SIGPROF for
/// a tick.
#[test]
fn more_samples_in_one_bin_than_16_bits_hold() {
    let arguments = ["140000", "30000"];
    let outcome = run("many_ticks", "static", &arguments, &[("GMON_OPTIONS", "sampler=itimer")]);

    let bytes = fs::read(outcome.program.data()).expect("a data file");
    let (mut histograms, mut samples, mut rate) = (0, 0, 0);
    for record in Records::new(&bytes, Encoding::NATIVE).expect("a header") {
        if let Record::Histogram(histogram) = record.expect("a record") {
            histograms += 1;
            samples += histogram.bins.iter().map(u64::from).sum::<u64>();
            rate = histogram.header.rate;
        }
    }
    assert!(histograms >= 3, "140,000 samples of one place in {histograms} histograms");
    assert!(samples >= 170_000, "{samples} samples of 170,000 and a few");

    assert_eq!(outcome.reports.len(), 1 + usize::from(tools::find("gprof").is_some()));
    for (reader, report) in &outcome.reports {
        let seconds: f64 = report.flat.iter().map(|line| line.seconds).sum();
        let expected = samples as f64 / f64::from(rate);
        assert!((seconds - expected).abs() < 0.05, "{reader}: {seconds} of {expected} s");
        let shares: Vec<f64> = report.flat.iter().map(|line| line.percent).take(2).collect();
        let differ = |share: f64, of: f64| (share - of).abs() > 0.2;
        let wrong = differ(shares[0], 100.0 * 14.0 / 17.0) || differ(shares[1], 100.0 * 3.0 / 17.0);
        assert!(!wrong, "{reader}: {shares:?} %");
    }
}

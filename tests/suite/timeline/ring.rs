//! The ring in a live file: never a sample that was not taken, never more memory than asked for.

use std::collections::HashSet;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use gmon_format::live::{Live, Sample};

use super::SUITE;
use support::command::{gmon, output_of, text_of};
use support::tools;

/// The nodes with samples, by their numbers, and their weights together.
fn nodes(live: &Live<'_>) -> (HashSet<u64>, u64) {
    let (mut numbers, mut weight) = (HashSet::new(), 0);
    for forest in live.stacks() {
        for (position, node) in forest.iter() {
            numbers.insert(forest.first() + u64::from(position));
            weight += node.weight;
        }
    }
    (numbers, weight)
}

/// Kills programs at many moments, and looks at what is left.
#[test]
fn every_sample_is_whole_whenever_the_program_is_killed() {
    let rounds = tools::rounds(40);
    let program = SUITE.build("phases.c", "default", &[]);
    let mut found = 0;
    for round in 0..rounds {
        program.clear();
        let mut command = program.command();
        command.arg("20000").env("GMON_OPTIONS", "live=profile.live,record=1,hz=10000");
        let mut child = command.spawn().expect("a program");
        std::thread::sleep(Duration::from_millis(20 + u64::from(280 * round / rounds)));
        child.kill().expect("a living program");
        child.wait().expect("a dead program");
        let Ok(bytes) = fs::read(program.path("profile.live")) else { continue };
        let Ok(live) = Live::new(&bytes) else { continue };
        let (numbers, weight) = nodes(&live);
        let samples: Vec<Sample> = live.samples().collect();
        let timed: u64 = samples.iter().map(|sample| u64::from(sample.weight)).sum();
        for sample in &samples {
            assert!(numbers.contains(&u64::from(sample.node)), "{sample:?}");
            assert!(sample.at_us < 60_000_000, "{sample:?}");
        }
        // The last one may be counted and not have its time yet.
        assert!(timed <= weight, "{timed} of {weight}");
        let looks = live.stacks().flat_map(|forest| forest.iter());
        let looks: u64 = looks.map(|(_, node)| u64::from(node.samples)).sum();
        let timed = samples.iter().filter(|sample| sample.is_look).count() as u64;
        assert!(looks - timed <= 1, "{timed} of {looks}");
        found += timed;
    }
    assert!(found > 0);
}

/// A recovered live file has the last time of the program; older samples made room.
#[test]
fn the_last_seconds_are_in_a_live_file() {
    let program = SUITE.build("phases.c", "default", &[]);
    program.clear();
    let mut command = program.command();
    // A tenth of a second for each 64 KB: the limit comes soon.
    command.arg("700").env("GMON_OPTIONS", "live=profile.live,record=1,hz=10000,sampler=wall");
    let mut child = command.spawn().expect("a program");
    std::thread::sleep(Duration::from_millis(1500));
    child.kill().expect("a living program");
    child.wait().expect("a dead program");
    let bytes = fs::read(program.path("profile.live")).expect("a live file");
    let live = Live::new(&bytes).expect("a live file");
    let places: usize = live.sample_places().map(|place| place.len()).sum();
    assert!(places <= 1 << 20, "{places} bytes of samples");

    let mut recover = gmon();
    recover.args(["recover", "--last", "0.2s"]).arg(program.path("profile.live")).arg("-o");
    text_of(recover.arg(program.path("last")));
    let sums = [&["--last", "150ms"][..], &[]].map(|options| {
        let (_, sum) = super::samples(&program, &["last"], options);
        sum
    });
    assert!(sums[0] > 0 && sums[0] <= sums[1], "{sums:?}");

    let mut recover = gmon();
    recover.arg("recover").arg(program.path("profile.live")).arg("-o");
    text_of(recover.arg(program.path("gmon.out")));
    let mut report = gmon();
    report.args(["report", "--last", "100ms"]).arg(&program.executable);
    let output = output_of(report.arg(program.path("gmon.out")));
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\nthe last 0.1 s\n"), "{text}");
    let mut report = gmon();
    report.arg("report").arg(&program.executable);
    let text = text_of(report.arg(program.path("gmon.out")));
    let (_, weight) = nodes(&live);
    let timed: u64 = live.samples().map(|sample| u64::from(sample.weight)).sum();
    let has_dropped = (weight - timed) * 100 > weight;
    assert_eq!(text.contains("made room"), has_dropped, "{text}");
    let (_, all) = super::samples(&program, &["gmon.out"], &[]);
    assert!(sums[1] < all, "{} of {all}", sums[1]);
}

/// A program that runs is asked for its last time, and goes on.
#[test]
fn a_snapshot_is_of_the_last_time() {
    let program = SUITE.build("phases.c", "default", &[]);
    program.clear();
    let mut command = program.command();
    command.arg("1000").env("GMON_OPTIONS", "live=profile.live,record=60s,hz=1000");
    let mut child = command.stdout(Stdio::null()).spawn().expect("a program");
    std::thread::sleep(Duration::from_millis(1500));
    let mut ctl = gmon();
    ctl.arg("ctl").arg(program.path("profile.live")).args(["snapshot", "--last", "300ms", "-o"]);
    text_of(ctl.arg(program.path("last")));
    assert!(child.wait().expect("an end").success());
    let (_, last) = super::samples(&program, &["last"], &[]);
    let (_, all) = super::samples(&program, &["gmon.out"], &[]);
    assert!(0 < last && last < all, "{last} of {all}");
    let mut ctl = gmon();
    ctl.arg("ctl").arg(program.path("profile.live")).args(["status", "--last", "300ms"]);
    let output = output_of(&mut ctl);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

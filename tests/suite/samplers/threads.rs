//! Every thread is seen, and by its own time.

use std::{fs::Permissions, os::unix::fs::PermissionsExt};

use assert_cmd::prelude::*;

use nix::unistd::Uid;

use super::{SUITE, build, run, texts};
use support::{
    program::Program,
    suite::{USUAL_MODES, all_printed, printed},
    summary, tools,
    workplace::Workplace,
};

/// Checks that the profile gives functions the time that the program says they have used, but for a
/// part, which for a function is at least some samples' worth.
#[track_caller]
fn check(program: &Program, printed_text: &str, functions: &[&str], part: f64) {
    let counts = program.counts("gmon.out");
    for function in functions {
        let used: f64 = printed(printed_text, function).parse().expect("seconds");
        let seconds = counts.seconds(function);
        assert!((seconds - used).abs() <= part * used + 0.04, "{function}: {seconds} s of {used}");
    }
}

const FOUR: [&str; 4] = ["shortest", "shorter", "longer", "longest"];

/// How far the times of the four threads in the last run's profile are from what they have used: that
/// of the worst thread, and all together, as parts of what was used. A period more or less is rounding, and so is what
/// a thread did behind the last of the scheduler's ticks.
fn errors(program: &Program, printed_text: &str) -> (f64, f64) {
    /// The longest tick of any machine, in seconds.
    const TICK: f64 = 0.01;
    let counts = program.counts("gmon.out");
    let rounding = TICK + 1.0 / f64::from(counts.unit.0);
    let used = FOUR.map(|function| printed(printed_text, function).parse().expect("seconds"));
    let seconds = FOUR.map(|function| counts.seconds(function));
    let error = |seconds: f64, used: f64| ((seconds - used).abs() - rounding).max(0.0) / used;
    let threads = seconds.iter().zip(used).map(|(seconds, used)| error(*seconds, used));
    (threads.fold(0.0, f64::max), error(seconds.iter().sum(), used.iter().sum()))
}

#[test]
fn every_thread_has_its_time_at_every_rate() {
    /// A machine that does other work, or whose host does, may spoil a run: a sample that falls into
    /// the C library is missing, and stands for all the time that the host took away there. Most runs are good.
    const ATTEMPTS: usize = 12;
    let program = build("threads.c");
    for hz in tools::shared_out(&["1000", "100", "250", "10000"], "rates") {
        let options = format!("hz={hz}");
        let mut attempts = (0..ATTEMPTS).map(|_| {
            let (text, _) = texts(&program.run(&["400"], &[("GMON_OPTIONS", &options)]));
            assert_eq!(
                program.counts("gmon.out").unit,
                (hz.parse().unwrap(), "seconds".to_owned())
            );
            errors(&program, &text)
        });
        let is_good = |(thread, total): &(f64, f64)| *thread <= 0.1 && *total <= 0.05;
        let mut bad = Vec::new();
        let good = attempts.find(|errors| {
            is_good(errors) || {
                bad.push(*errors);
                false
            }
        });
        assert!(good.is_some(), "{hz} Hz: errors of the worst thread and of all: {bad:?}");
    }
}

#[test]
fn every_thread_is_seen_however_the_runtime_comes_in() {
    for &mode in tools::shared_out(&USUAL_MODES, "modes") {
        let program = SUITE.build("threads.c", mode, &["-pthread"]);
        let (text, _) = texts(&program.run(&["100"], &[]));
        check(&program, &text, &FOUR, 0.2);
    }
}

#[test]
fn rate_is_what_the_interval_timer_came_to() {
    // Scheduler ticks are no more than 1,000 a second: a rate of 10,000 is never reached.
    let program = build("threads.c");
    let (text, _) = run(&program, "sampler=itimer,hz=10000");
    let counts = program.counts("gmon.out");
    assert!(counts.unit.0 < 5_000, "{:?}", counts.unit);
    let used: f64 = FOUR.iter().map(|name| printed(&text, name).parse::<f64>().unwrap()).sum();
    let seconds = counts.ticks as f64 / f64::from(counts.unit.0);
    assert!((seconds - used).abs() < 0.25 * used, "{seconds} s of {used}");
}

#[test]
fn threads_without_hooks_are_seen_while_others_wait() {
    let program = build("no_hooks.c");
    let (text, _) = run(&program, "");
    assert_eq!(program.counts("gmon.out").calls("unhooked"), 0);
    check(&program, &text, &["unhooked"], 0.25);
}

/// They tell nobody that they have begun, and are over before a look at the list of threads would be due.
#[test]
fn short_threads_without_hooks_are_seen_from_their_beginning() {
    const HALF: f64 = 36.0 * 0.015;
    let place = Workplace::new();
    place.write("halves.c", include_str!("halves.c"));
    place.write("cpu_time.h", include_str!("cpu_time.h"));
    place.must("cc -O1 -pthread halves.c -o halves");
    for options in ["", "--wall "] {
        let run = place.gmon(&format!("run {options}./halves")).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let rows = summary::rows(&said);
        let seconds = |name| {
            let row = rows.iter().find(|row| row.name == name);
            row.and_then(|row| row.number("self")).unwrap_or(0.0)
        };
        for name in ["first", "second"] {
            let fair = 0.6 * HALF..if options.is_empty() { 1.6 * HALF } else { f64::INFINITY };
            assert!(fair.contains(&seconds(name)), "{name}: {} s of {HALF}\n{said}", seconds(name));
        }
    }
}

#[test]
fn threads_shorter_than_a_period_are_not_overlooked() {
    let program = build("short_threads.c");
    for hz in [100, 1_000] {
        let (text, _) = run(&program, &format!("hz={hz}"));
        check(&program, &text, &["briefly"], 0.35);
    }
}

#[test]
fn paused_time_is_not_sampled_and_the_rest_is() {
    let program = build("pauses.c");
    for sampler in ["thread", "perf"] {
        let (text, _) = run(&program, &format!("sampler={sampler}"));
        check(&program, &text, &["wanted"], 0.25);
        assert_eq!(program.counts("gmon.out").samples("unwanted"), 0, "{sampler}");
    }
}

/// Nor is it charged to threads that ended meanwhile.
#[test]
fn paused_time_of_threads_that_end_is_nobodys() {
    let program = build("paused_threads.c");
    let (text, _) = run(&program, "");
    check(&program, &text, &["wanted"], 0.5);
    assert_eq!(program.counts("gmon.out").samples("unwanted"), 0);
}

/// Samples that a sampler holds at a reset are of the time before it.
#[test]
fn time_before_a_reset_is_in_no_sample() {
    let program = build("reset.c");
    for sampler in ["thread", "itimer", "profil", "perf", "wall"] {
        let (text, _) = run(&program, &format!("sampler={sampler}"));
        assert_eq!(program.counts("gmon.out").samples("before"), 0, "{sampler}");
        // What the C library's profil(3) loses on a busy machine nobody knows, and the clock on the wall goes on there.
        if !["profil", "wall"].contains(&sampler) {
            check(&program, &text, &["after"], 0.5);
        }
    }
}

#[test]
fn forked_child_is_sampled_by_itself() {
    // What the C library's profil(3) loses on a busy machine nobody knows: it says 100 Hz.
    for (sampler, least) in [("thread", 0.5), ("itimer", 0.5), ("profil", 0.1), ("perf", 0.5)] {
        let program = build("child.c");
        let (text, _) = run(&program, &format!("sampler={sampler}"));
        let child = all_printed(&text, "child").next().expect("a child");
        let (parent, child) =
            (program.counts("gmon.out"), program.counts(&format!("gmon.out.{child}")));
        for (counts, function, other) in
            [(&parent, "in_parent", "in_child"), (&child, "in_child", "in_parent")]
        {
            let used: f64 = printed(&text, function).parse().expect("seconds");
            let (seconds, all) = (counts.seconds(function), least * used..1.7 * used);
            assert!(all.contains(&seconds), "{sampler}: {function} {seconds} s of {used}");
            assert_eq!(counts.samples(other), 0, "{sampler}: {other}");
        }
    }
}

/// Even if nobody has told of it, and the first that it does is to fail to execute a program.
#[test]
fn child_of_a_system_call_is_sampled_after_it_failed_to_execute_a_program() {
    let program = build("child_exec.c");
    let (text, _) = run(&program, "");
    let child = all_printed(&text, "child").next().expect("a child");
    let used: f64 = printed(&text, "in_child").parse().expect("seconds");
    let seconds = program.counts(&format!("gmon.out.{child}")).seconds("in_child");
    assert!((0.5 * used..1.7 * used).contains(&seconds), "{seconds} s of {used}");
}

/// More often than there is a sample, too.
#[test]
fn program_that_forks_often_is_sampled() {
    let program = build("forks.c");
    for sampler in ["thread", "itimer", "profil", "perf"] {
        let (text, _) = run(&program, &format!("sampler={sampler}"));
        let used: f64 = printed(&text, "work").parse().expect("seconds");
        let seconds = program.counts("gmon.out").seconds("work");
        assert!((0.3 * used..1.7 * used).contains(&seconds), "{sampler}: {seconds} s of {used}");
    }
}

#[test]
fn ticks_in_the_hooks_have_the_names_that_users_know() {
    for &mode in tools::shared_out(&["default", "static", "fentry"], "modes") {
        let program = SUITE.build("calls.c", mode, &[]);
        run(&program, "hz=1000");
        let counts = program.counts("gmon.out");
        let own = ["mcount", "_mcount", "__mcount_internal", "__fentry__"];
        let hooks: u64 = own[..2].iter().map(|name| counts.samples(name)).sum();
        assert!(hooks > counts.ticks / 10, "{mode}: {hooks} of {}", counts.ticks);
        assert_eq!(counts.samples("__fentry__"), 0, "{mode}");
        let strangers = counts.sampled().filter(|name| name.contains("gmon"));
        assert_eq!(strangers.collect::<Vec<_>>(), [""; 0], "{mode}");
    }
}

/// Each exact clock serves for a few looks at a distance by chance. Where another cannot be had any more, the old one would
/// count its distance for a period.
#[test]
fn what_a_process_gives_up_changes_no_times() {
    const PHASES: [&str; 4] = ["before", "after", "before_in_thread", "after_in_thread"];
    let program = build("gives_up.c");
    let folder = Permissions::from_mode(0o777);
    std::fs::set_permissions(program.path(""), folder).expect("my own folder");
    for what in ["files", "effective", "user"] {
        if what != "files" && !Uid::effective().is_root() {
            return tools::skip_anywhere("only root may become somebody else");
        }
        for sampler in ["thread,hz=1000", "thread", "perf", "itimer"] {
            let options = format!("sampler={sampler}");
            let (text, _) = texts(&program.run(&[what], &[("GMON_OPTIONS", &options)]));
            check(&program, &text, &PHASES, 0.3);
        }
    }
}

/// They end before anybody would look for them. Beside a thread that runs all the time they are found by chance alone.
#[test]
fn brief_threads_without_hooks_are_sampled() {
    let program = SUITE.build("brief.c", "preloaded", &["-pthread"]);
    let (text, _) = texts(&program.run(&["200", "3"], &[("GMON_OPTIONS", "stacks,hz=1000")]));
    let used: f64 = printed(&text, "briefly").parse().expect("seconds");
    let profile = support::stacks::FullProfile::read(&program.path("gmon.out.full"));
    let seconds = profile.inclusive("briefly") as f64 / 1e3;
    // A third of it on a machine that does much else.
    let all = 0.33 * used..1.5 * used;
    assert!(all.contains(&seconds), "{seconds} s of {used}\n{}", profile.listing());
}

/// The C library knows none of our threads, so it changes only the rights of others.
#[test]
fn threads_of_ours_give_up_rights_with_the_program() {
    if !Uid::effective().is_root() {
        return tools::skip_anywhere("only root may become somebody else");
    }
    let program = build("rights.c");
    let folder = Permissions::from_mode(0o777);
    std::fs::set_permissions(program.path(""), folder).expect("my own folder");
    for sampler in ["wall", "perf"] {
        let (text, stderr) = run(&program, &format!("sampler={sampler}"));
        // Ours is one of them, unless another sampler takes its place.
        let threads = if stderr.contains("cannot sample") { "1" } else { "2" };
        for what in ["start", "effective", "regained", "kept", "user"] {
            assert_eq!(printed(&text, what), threads, "{sampler}, {what}: {text}{stderr}");
        }
    }
}

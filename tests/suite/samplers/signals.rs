//! Samplers do not disturb the program: its waits, its own SIGPROF, the programs it executes.

use super::{build, run, texts};
use support::suite::printed;

#[test]
fn no_wait_is_interrupted() {
    let program = build("sleeps.c");
    for options in ["", "hz=1", "hz=1000", "hz=10000", "sampler=perf"] {
        let (text, _) = run(&program, options);
        assert_eq!(printed(&text, "interrupted"), "0", "{options}");
    }
}

#[test]
fn program_that_handles_sigprof_keeps_it() {
    let program = build("own_sigprof.c");
    for sampler in ["thread", "itimer", "profil"] {
        for early in [&[("EARLY", "1")][..], &[]] {
            let options = format!("sampler={sampler}");
            let variables = [&[("GMON_OPTIONS", options.as_str())], early].concat();
            let (text, stderr) = texts(&program.run(&[], &variables));
            let said =
                format!("gmon: cannot sample by `{sampler}`: the program handles SIGPROF itself; ");
            let lines: Vec<_> = stderr.lines().filter(|line| line.starts_with(&said)).collect();
            assert_eq!(lines.len(), 1, "{stderr}");
            assert_eq!(printed(&text, "before"), "default");
            // 0.6 seconds at 20 Hz; ours would be 60 more.
            let ticks: u32 = printed(&text, "ticks").parse().expect("a number");
            assert!((1..40).contains(&ticks), "{sampler}: {ticks}");
            let counts = program.counts("gmon.out");
            if !lines[0].ends_with("no samples are taken") {
                assert!(counts.seconds("main") > 0.2, "{sampler}: {}", counts.seconds("main"));
            }
        }
    }
}

#[test]
fn timers_do_not_outlive_the_program() {
    let program = build("exec.c");
    for options in ["", "hz=10000", "sampler=perf"] {
        let (text, _) = texts(&program.run(&["again"], &[("GMON_OPTIONS", options)]));
        assert_eq!(printed(&text, "alive"), "yes", "{options}");
    }
}

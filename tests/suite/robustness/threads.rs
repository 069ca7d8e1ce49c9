//! Many threads, and threads that are not in the place where they began.

use super::{SUITE, run};
use support::{
    crowds::check_thread_storm,
    suite::{USUAL_MODES, printed},
};

#[test]
fn ten_thousand_threads_count_exactly() {
    for program in SUITE.in_modes("thread_storm.c", &USUAL_MODES) {
        let text = run(&mut program.command());
        check_thread_storm(&program, &text, 10_000);
    }
}

/// The first call of a thread is made on a stack of one page, with samples as fast as they come. The interval timer's
/// signal is the whole process's and may come right before that call, on a stack which has no room for it: it is to be
/// a rare one.
#[test]
fn stacks_of_one_page_are_large_enough() {
    for program in SUITE.in_modes("small_stacks.c", &["default", "fentry", "static", "preloaded"]) {
        for options in [
            "hz=10000,sampler=thread",
            "hz=10,sampler=itimer",
            "hz=10000,sampler=wall",
            "sampler=none",
        ] {
            program.clear();
            run(program.command().env("GMON_OPTIONS", options));
            program.counts("gmon.out").are(
                "<outside> -> main 1
                <outside> -> body 8
                body -> step 16000
                step -> work 32000000",
            );
        }
    }
}

/// Not in static programs, whose `pthread_cancel` wants a shared library.
#[test]
fn threads_that_are_cancelled_or_leave_keep_their_counts() {
    for program in SUITE.in_modes("ended_threads.c", &["default", "fentry", "preloaded"]) {
        for sampler in ["hz=10000", "hz=10000,sampler=wall", "sampler=none"] {
            program.clear();
            let text = run(program.command().env("GMON_OPTIONS", sampler));
            let [before, after] = ["before", "after"].map(|name| printed(&text, name).parse());
            let (before, after): (u64, u64) = (before.unwrap(), after.unwrap());
            let counts = program.counts("gmon.out");
            let [called, rare] = ["from_place", "rare"].map(|name| counts.calls(name));
            assert!((after..=before).contains(&called), "{called} of {after} to {before} calls");
            assert!((after..=called).contains(&rare), "{rare} of {after} to {called} calls");
            counts.are(&format!(
                "<outside> -> main 1
                <outside> -> leaver 60
                <outside> -> cancelled 60
                leaver -> cleanup 60
                cancelled -> cleanup 60
                leaver -> call_one_that_leaves 60
                call_one_that_leaves -> leave 60
                cancelled -> from_place {called}
                from_place -> rare {rare}"
            ));
        }
    }
}

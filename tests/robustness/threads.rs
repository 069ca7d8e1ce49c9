//! Many threads, and threads that are not in the place where they began.

use crate::{
    SUITE, run,
    support::suite::{USUAL_MODES, printed},
};

#[test]
fn ten_thousand_threads_count_exactly() {
    for program in SUITE.in_modes("thread_storm.c", &USUAL_MODES) {
        let text = run(&mut program.command());
        program.counts("gmon.out").are(&format!(
            "<outside> -> main 1
            <outside> -> counter 2
            <outside> -> visitor 10000
            <outside> -> destroy 10000
            visitor -> work 40000
            destroy -> work 10000
            counter -> work {}",
            printed(&text, "counter work"),
        ));
    }
}

/// The first call of a thread is made on a stack of one page, with samples as fast as they come.
#[test]
fn stacks_of_one_page_are_large_enough() {
    for program in SUITE.in_modes("small_stacks.c", &["default", "fentry", "static", "preloaded"]) {
        for sampler in ["thread", "itimer", "none"] {
            program.clear();
            let options = format!("hz=10000,sampler={sampler}");
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

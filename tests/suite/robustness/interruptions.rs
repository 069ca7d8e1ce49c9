//! Signals in the middle of hooks, jumps and exceptions out of them.

use super::{SUITE, run};
use support::{
    compilers::GCC,
    suite::{USUAL_MODES, all_printed, printed},
    tools,
};

/// Both kinds of hook, in the program and outside of it.
const MODES: [&str; 4] = ["default", "fentry", "static", "preloaded"];

/// Instructions from one signal to the next.
fn stride() -> u64 {
    const MOST: u32 = 5;
    u64::from(MOST / tools::rounds(MOST))
}

#[test]
fn signals_every_hundred_microseconds_lose_no_call() {
    for program in SUITE.in_modes("signal_storm.c", &MODES) {
        let expected = run(&mut program.command());
        program.counts("gmon.out").are(&expected);
    }
}

#[test]
fn signal_at_every_instruction_of_a_first_call_loses_nothing() {
    for program in SUITE.in_modes("every_instruction.c", &["default"]) {
        let stride = stride();
        let text = run(program.command().args(["thread", &stride.to_string()]));
        let rounds: u64 = printed(&text, "rounds").parse().expect("a number");
        assert!(rounds * stride > 100, "only {rounds} times {stride} instructions");
        // The last round is the one in which the handler came too late.
        let signals = rounds - 1;
        program.counts("gmon.out").are(&format!(
            "<outside> -> main 1
            step -> interrupted {rounds}
            on_trap -> act {signals}
            act -> work {signals}
            act -> from_place {signals}
            from_place -> rare {signals}"
        ));
    }
}

#[test]
fn signal_at_every_instruction_of_a_growth_loses_nothing() {
    in_children("growth", 255, "in_child -> from_place 255");
}

#[test]
fn signal_at_every_instruction_of_a_childs_first_call_loses_nothing() {
    in_children("fork", 0, "");
}

/// Checks every child in which the handler acted, of a kind that calls from so many more places.
fn in_children(how: &str, places: u64, more: &str) {
    for program in SUITE.in_modes("every_instruction.c", &["default"]) {
        let stride = stride();
        let text = run(program.command().args([how, &stride.to_string()]));
        let children: Vec<&str> = all_printed(&text, "child").collect();
        let instructions = children.len() as u64 * stride;
        assert!(instructions > 100, "only {instructions} instructions");
        for child in children {
            program.counts(&format!("gmon.out.{child}")).are(&format!(
                "step -> interrupted 1
                on_trap -> act 1
                act -> work 1
                act -> from_place 1
                from_place -> rare {}
                {more}",
                places + 1,
            ));
        }
    }
}

#[test]
fn children_under_signals_count_exactly() {
    let all = tools::rounds(400);
    let flag = format!("-DCHILDREN={all}");
    for program in SUITE.in_modes_with("fork_under_signals.c", &USUAL_MODES, &[&flag]) {
        let text = run(&mut program.command());
        let children: Vec<&str> = all_printed(&text, "child").collect();
        assert_eq!(children.len(), all as usize);
        for child in children {
            let (pid, signals) = child.split_once(' ').expect("a process and its signals");
            let counts = program.counts(&format!("gmon.out.{pid}"));
            let found = [counts.of("child", "work"), counts.of("on_signal", "work")];
            assert_eq!(found, [1000, signals.parse().expect("a number")], "{pid}");
        }
    }
}

#[test]
fn jumps_out_of_hooks_lose_nothing_else() {
    for program in SUITE.in_modes("jumps.c", &MODES) {
        let text = run(&mut program.command());
        let [begun, finished, jumps] = ["begun", "finished", "jumps"]
            .map(|name| printed(&text, name).parse::<u64>().expect("a number"));
        let counts = program.counts("gmon.out");
        for (what, calls) in [
            ("calls of from_place", counts.of("run", "from_place")),
            ("calls of rare", counts.of("from_place", "rare")),
        ] {
            assert!((finished..=begun).contains(&calls), "{calls} {what} of {finished}..={begun}");
        }
        assert_eq!(counts.calls("on_alarm"), jumps);
        assert_eq!(counts.calls("main"), 1);
    }
}

#[test]
fn exceptions_pass_and_every_instruction_of_a_hook_can_be_unwound() {
    if tools::find(GCC.cxx).is_none() {
        return;
    }
    for program in SUITE.in_modes("exceptions.cc", &MODES) {
        let text = run(&mut program.command());
        assert_eq!((printed(&text, "cleaned"), printed(&text, "failed")), ("42000", "0"));
        let instructions: u64 = printed(&text, "instructions").parse().expect("a number");
        assert!(instructions > 100, "only {instructions} instructions");
        let counts = program.counts("gmon.out");
        let found = ["catcher", "rethrower", "thrower", "twice"].map(|name| counts.calls(name));
        assert_eq!(found, [4, 2000, 42_000, 1]);
        // Near, far and while all is well.
        assert_eq!(counts.calls("work"), 42_000 + 2000 + 2000 + 2);
    }
}

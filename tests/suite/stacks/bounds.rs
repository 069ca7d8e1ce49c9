//! What bounds there are: to the error of a time, to the memory of the tree, and to what a program may do to its threads
//! and libraries meanwhile.

use support::{
    command::{gmon, text_of},
    crowds::check_thread_storm,
    program::Program,
    stacks::FullProfile,
    suite::{Suite, printed},
    summary, tools,
};

use super::{SUITE, profile};

/// The intervals of most runs hold what the program itself has measured. 95 of 100 should: of 24 that is at least 21 in
/// 97 of 100 series, and at least 17 in all but one of 100,000. Where the host takes time away from this machine all
/// runs of a series may be bad, and those of another one good.
#[test]
fn intervals_hold_the_truth() {
    let program = SUITE.build("split.c", "default", &["-fno-optimize-sibling-calls"]);
    assert!((0..3).any(|_| most_intervals_hold(&program)), "in three series");
}

/// Runs the program many times; whether its intervals hold what it has measured, and are not wider than they need be.
fn most_intervals_hold(program: &Program) -> bool {
    const RUNS: usize = 24;
    let (mut misses, mut widths) = (Vec::new(), Vec::new());
    for seed in 0..RUNS {
        program.clear();
        let mut command = program.command();
        command.args([&seed.to_string(), "300"]).env("GMON_OPTIONS", "stacks,hz=1000");
        let truth = text_of(&mut command);
        let report = text_of(gmon().arg("report").arg(&program.executable).arg(program.data()));
        let rows = summary::rows(&report);
        let row = rows.iter().find(|row| row.name == "seventy");
        let number = |title| row.and_then(|row| row.number(title));
        // Less than five looks have no interval.
        let (Some(total), Some(error)) = (number("total"), number("±")) else {
            misses.push(report);
            continue;
        };
        let [thirty, seventy]: [f64; 2] =
            ["thirty", "seventy"].map(|name| printed(&truth, name).parse().expect("nanoseconds"));
        widths.push(error / ((thirty + seventy) / 1e9));
        if (total - seventy / 1e9).abs() > error {
            misses.push(format!("{total} ± {error}, not {seventy} ns"));
        }
    }
    // An interval of everything would hold the truth, too. Some hundred looks make it a seventh of all, ten the half.
    widths.sort_by(f64::total_cmp);
    let middle = widths.get(widths.len() / 2);
    println!("{} of {RUNS}, {middle:?} wide: {misses:?}", RUNS - misses.len());
    misses.len() <= 7 && middle.is_some_and(|width| *width < 0.5)
}

/// However many stacks there are, they get no more memory than they may have, and no tick is lost for that: not even
/// those of a thread that begins when all is taken.
#[test]
fn at_the_limit_of_memory_all_time_is_there() {
    const MEGABYTE: u32 = 1 << 20;
    /// What each of four threads has in any case, generously.
    const SMALL: f64 = 4.0 * 8192.0;
    let flags = ["-pthread", "-fno-optimize-sibling-calls", "-Wl,--eh-frame-hdr"];
    let program = SUITE.build("chains.c", "static", &flags);
    let reaches = |limit: u32, milliseconds: &str| {
        let options = format!("stacks={limit},hz=1000");
        let profile = profile(&program, &[milliseconds], &options);
        let number = |key: &str| profile.facts[key].parse::<f64>().expect("a number");
        // Nearly all code is the program's, so that both count the tick. A tick may be late, and stand for many.
        let (total, counted) = (profile.total(), profile.histogram);
        assert!(counted <= total && total - counted <= 10 + total / 20, "{total}, {counted}");
        let seconds = total as f64 / number("hz_reached");
        let used = number("cpu_ns") / 1e9;
        assert!((seconds - used).abs() < 0.1 + 0.1 * used, "{seconds} of {used}");
        let late = profile.inclusive("late");
        assert!(late > 100, "{late}: {:?}", profile.functions());
        let most = f64::from(limit * MEGABYTE) + SMALL;
        assert!(number("tree_bytes") <= most, "{:?}", profile.facts);
        println!("{limit} MB, {milliseconds} ms: {} bytes", number("tree_bytes"));
        profile.facts["incomplete"].contains("no memory left for stacks:")
    };
    // How soon depends on how fast stacks are followed.
    for (limit, times) in [(1, ["300", "1000", "4000"]), (64, ["1500", "6000", "24000"])] {
        assert!(times.iter().any(|milliseconds| reaches(limit, milliseconds)), "{limit}");
    }
}

/// However deep calls are, a stack is followed for a bounded time, which is a small part of all: a recursion that repeats
/// to its start, and of one that does not the innermost thousand frames.
#[test]
fn deep_recursion_costs_no_more_and_is_whole_or_says_that_it_is_not() {
    const DEEPER: &str = "[deeper than is kept]";
    for &mode in tools::shared_out(&["default", "preloaded", "static"], "modes") {
        let flags = ["-fno-optimize-sibling-calls", "-Wl,--eh-frame-hdr"];
        let program = SUITE.build("deep.c", mode, &flags);
        // The part of the time in a function whose stacks are whole.
        let whole = |profile: &FullProfile, function: &str| {
            let has = |path: &[String], name: &str| path.iter().any(|it| it == name);
            let of_function = profile.stacks.iter().filter(|(path, _)| has(path, function));
            let (mut all, mut cut) = (0, 0);
            for (path, weight) in of_function {
                all += weight;
                cut += if has(path, DEEPER) { *weight } else { 0 };
            }
            assert!(all > 20, "{mode}, {function}: {}", profile.listing());
            1.0 - cut as f64 / all as f64
        };
        for (depth, same_is_whole, mixed_is_whole) in
            [("200", true, true), ("10000", true, false), ("20000", false, false)]
        {
            let profile = profile(&program, &[depth, "400"], "stacks,hz=1000");
            for (function, is_whole) in [("same", same_is_whole), ("mixed", mixed_is_whole)] {
                let part = whole(&profile, function);
                // A few samples are on the way down or up.
                assert!(if is_whole { part > 0.99 } else { part < 0.1 }, "{mode}, {depth}: {part}");
                let called = profile.called(function, "work");
                assert!(called * 10 > profile.inclusive(function) * 9, "{mode}, {depth}");
            }
            if same_is_whole {
                assert_eq!(profile.called("main", "same"), profile.inclusive("same"), "{mode}");
            }
            let longest = profile.stacks.iter().map(|(path, _)| path.len()).max();
            assert!(longest.is_some_and(|len| len <= 1024 + 3), "{mode}, {depth}: {longest:?}");
            // 2 % and ten milliseconds, and the last walk; all walks would take most of the time.
            let number = |key: &str| profile.facts[key].parse::<f64>().expect("a number");
            let (walks, used) = (number("walk_ns"), number("cpu_ns"));
            println!("{mode}, {depth}: {} walks, {walks} of {used} ns", profile.facts["walks"]);
            assert!(walks * 5.0 < used, "{mode}, {depth}: {walks} of {used} ns");
        }
    }
}

/// Ten thousand threads, a few at a time, with samples as fast as they come.
#[test]
fn ten_thousand_threads_have_stacks() {
    const THREADS: u64 = 10_000;
    for &mode in tools::shared_out(&["default", "static", "preloaded"], "modes") {
        let program = Suite("robustness").build("thread_storm.c", mode, &["-Wl,--eh-frame-hdr"]);
        let text = text_of(program.command().env("GMON_OPTIONS", "stacks,hz=10000"));
        check_thread_storm(&program, &text, THREADS as u32);
        let profile = FullProfile::read(&program.path("gmon.out.full"));
        let calls = ["visitor", "destroy"].map(|name| profile.calls(name));
        assert_eq!(calls, [THREADS; 2], "{mode}");
        let (work, counter) = (profile.inclusive("work"), profile.called("counter", "work"));
        assert!(counter * 2 > work && counter > 100, "{mode}: {counter} of {work}");
        let cpu: f64 = profile.facts["cpu_ns"].parse().expect("a number");
        let seconds = profile.total() as f64 / 1e4;
        println!(
            "{mode}: {seconds} of {} s, {} threads, {}",
            cpu / 1e9,
            profile.threads.len(),
            profile.complete()
        );
        assert!((seconds - cpu / 1e9).abs() < 0.2 + 0.5 * seconds, "{seconds} of {cpu} ns");
        assert!(profile.complete() > 0.5, "{mode}: {:?}", profile.facts);
    }
}

/// Stacks of one page: who is on them has called each other in the only way there is.
#[test]
fn coroutines_on_one_page_have_stacks() {
    for &mode in tools::shared_out(&["default", "fentry", "static", "preloaded"], "modes") {
        let program = Suite("robustness").build("small_stacks.c", mode, &["-Wl,--eh-frame-hdr"]);
        for sampler in ["thread", "itimer", "wall"] {
            let options = format!("stacks,hz=10000,sampler={sampler}");
            // The first look at a thread may be too early for its callers, and stand for most of its time.
            let is_right = (0..4).any(|_| are_followed(&program, &options));
            assert!(is_right, "{mode}, {sampler}");
        }
    }
}

/// Runs the coroutines; whether nearly all time has its callers.
fn are_followed(program: &Program, options: &str) -> bool {
    program.clear();
    text_of(program.command().env("GMON_OPTIONS", options));
    program.counts("gmon.out").are(
        "<outside> -> main 1
        <outside> -> body 8
        body -> step 16000
        step -> work 32000000",
    );
    let profile = FullProfile::read(&program.path("gmon.out.full"));
    [("step", "work"), ("body", "step")].iter().all(|(caller, function)| {
        let (all, known) = (profile.inclusive(function), profile.called(caller, function));
        let is_right = all > 0 && known * 10 >= all * 9;
        if !is_right {
            println!("{options}: {known} of {all} of {function}:\n{}", profile.listing());
        }
        is_right
    })
}

/// Of such a process the kernel tells less.
#[test]
fn stacks_are_there_after_the_end_of_the_first_thread() {
    for &mode in tools::shared_out(&["default", "static", "preloaded"], "modes") {
        let program = SUITE.build("first_ends.c", mode, &["-pthread"]);
        let profile = profile(&program, &[], "stacks");
        assert!(profile.called("work_on", "work") > 0, "{mode}:\n{}", profile.listing());
        let path = program.executable.to_string_lossy();
        assert_eq!([&profile.facts["program"], &profile.facts["command"]], [&*path; 2], "{mode}");
    }
}

//! What Cortex-M has of its own: its models, small memories, clang, the library.

use support::tools;

use crate::machine::{CORTEX, CORTEX_M0, CORTEX_M3, those_that_are_there};

#[test]
fn example_is_counted_exactly_and_sampled_on_every_cortex() {
    // So much memory that bins are smaller than functions.
    let settings = [("CFLAGS", "-O2 -g -DPROFILE_MEMORY=65536")];
    for board in those_that_are_there(CORTEX) {
        super::example_is_right(board, &settings, "timer_handler");
    }
}

/// 16 KB of RAM in all, half of them for the profile.
#[test]
fn small_board_is_counted_exactly_too() {
    if !CORTEX_M0.is_there() {
        return;
    }
    let run = CORTEX_M0.run(&[]);
    let counts = run.counts();
    assert_eq!(counts.ticks, run.number("ticks: "));
    assert_eq!(counts.of("filter", "smooth"), 189_000);
    assert_eq!(counts.of("send_frame", "checksum"), 192_000);
    assert_eq!(counts.of("timer_handler", "timer_tick"), counts.ticks);
    run.reports_are_the_same();
}

#[test]
fn clang_is_counted_exactly_on_a_cortex_too() {
    if !CORTEX_M3.is_there() || tools::find("clang").is_none() || tools::find("ld.lld").is_none() {
        return;
    }
    let clang = "clang --target=thumbv7m-none-eabi -fuse-ld=lld -Xclang -pg";
    let cc = format!("{} cc {clang}", env!("CARGO_BIN_EXE_gmon"));
    let run = CORTEX_M3.run(&[("CC", &cc), ("LIBGCC", "")]);
    let counts = run.counts();
    assert_eq!(counts.of("filter", "smooth"), 189_000);
    assert_eq!(counts.of("send_frame", "checksum"), 192_000);
    assert_eq!(counts.calls("timer_tick"), run.number("ticks: "));
    run.reports_are_the_same();
}

#[test]
fn library_for_cortex_asks_for_the_board_alone_and_leaves_floating_point_alone() {
    for board in those_that_are_there(CORTEX) {
        super::asks_for_the_board_alone(&board.say_of_library("nm", "-u"));
        let code = board.say_of_library("objdump", "-d");
        let instructions = code.lines().filter_map(|line| line.split('\t').nth(2));
        let forbidden: Vec<_> =
            instructions.filter(|name| name.starts_with('v') || *name == "svc").collect();
        assert!(forbidden.is_empty(), "{}: {forbidden:?}", board.target);
        let has_exclusive_loads = code.contains("ldrex");
        assert_eq!(has_exclusive_loads, !board.target.contains("v6m"), "{}", board.target);
    }
}

//! What Cortex-M has of its own: its models, its interrupts and stacks, C libraries, debuggers.

use support::{
    command::{quiet, text_of},
    tools,
};

use crate::machine::{Board, CORTEX, CORTEX_M0, CORTEX_M3, RISCV, Run};

fn those_that_are_there() -> impl Iterator<Item = &'static Board> {
    CORTEX.iter().copied().filter(|board| board.is_there())
}

#[test]
fn example_is_counted_exactly_and_sampled_on_every_cortex() {
    // So much memory that bins are smaller than functions.
    let settings = [("CFLAGS", "-O2 -g -DPROFILE_MEMORY=65536")];
    for board in those_that_are_there() {
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

/// What each caller has called of the functions that all call.
fn calls(run: &Run, caller: &str) -> Vec<u64> {
    let counts = run.counts();
    (0..8).map(|i| counts.of(caller, &format!("f{i}"))).collect()
}

#[test]
fn interrupts_that_interrupt_each_other_lose_no_call() {
    for board in [CORTEX_M3, CORTEX_M0].into_iter().filter(|board| board.is_there()) {
        let run = board.run(&[("PROGRAM", "nested.c")]);
        let (ticks, others) = (run.number("ticks: "), run.number("others: "));
        assert!(ticks > 100 && others == ticks, "{}", run.printed);
        assert_eq!(calls(&run, "all"), [20_000 + 2 * ticks + others; 8]);
        let counts = run.counts();
        let of_all = ["work", "timer_tick", "interrupt_0"].map(|name| counts.of(name, "all"));
        assert_eq!(of_all, [20_000, 2 * ticks, others]);
        assert_eq!((counts.calls("timer_tick"), counts.calls("interrupt_0")), (ticks, others));
        run.reports_are_the_same();
    }
}

#[test]
fn tasks_with_stacks_of_their_own_lose_no_call() {
    for board in [CORTEX_M3, CORTEX_M0].into_iter().filter(|board| board.is_there()) {
        let run = board.run(&[("PROGRAM", "stacks.c")]);
        let switches = run.number("switches: ");
        assert!(switches > 20, "{}", run.printed);
        let counts = run.counts();
        assert_eq!((counts.of("main", "work"), counts.of("second_task", "work")), (1, 1));
        assert_eq!(calls(&run, "work"), [2 * 20_000; 8]);
        assert_eq!(counts.of("pendsv", "other_stack"), switches);
        assert_eq!(counts.of("other_stack", "f0"), switches);
        run.reports_are_the_same();
    }
}

/// A count of 2³² is more than half of an entry holds.
#[test]
fn counts_grow_beyond_32_bits() {
    for board in [CORTEX_M3, CORTEX_M0].into_iter().filter(|board| board.is_there()) {
        let run = board.run(&[("PROGRAM", "large.c")]);
        let counts = run.counts();
        assert_eq!(counts.of("main", "border"), (1 << 32) + 5, "{}", run.printed);
        assert_eq!(counts.of("main", "half"), (1 << 31) + 5, "{}", run.printed);
    }
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
fn programs_with_a_c_library_are_counted() {
    if !CORTEX_M3.is_there() {
        return;
    }
    let mut find = quiet("arm-none-eabi-gcc");
    let picolibc = text_of(find.arg("-print-file-name=picolibc.specs"));
    for library in ["newlib", "picolibc"] {
        if library == "picolibc" && !picolibc.starts_with('/') && !tools::in_ci() {
            eprintln!("SKIPPED: there is no picolibc for arm-none-eabi-gcc");
            continue;
        }
        let run = CORTEX_M3.run(&[("SINK", "stdio"), ("LIBC", library)]);
        assert_eq!(run.counts().of("filter", "smooth"), 189_000, "{library}");
        run.reports_are_the_same();
    }
}

#[test]
fn debugger_takes_the_profile_out_of_memory() {
    if !CORTEX_M3.is_there() || tools::find("gdb-multiarch").is_none() {
        return;
    }
    let run = CORTEX_M3.build(&[("SINK", "memory")]);
    let dump = "dump binary memory gmon.out gmon_out gmon_out_end";
    run.debug("qemu-system-arm -M mps2-an385", &["break power_off", "continue", dump, "kill"]);
    assert!(run.data().exists());
    assert_eq!(run.counts().of("filter", "smooth"), 189_000);
    run.reports_are_the_same();
}

/// By SEGGER's RTT; a script reads what a board's debugger would.
#[test]
fn profile_comes_through_a_ring_that_a_debugger_empties() {
    if tools::find("gdb-multiarch").is_none() {
        return;
    }
    for (board, emulator) in
        [(CORTEX_M3, "qemu-system-arm -M mps2-an385"), (CORTEX_M0, "qemu-system-arm -M microbit")]
    {
        if board.is_there() {
            let run = board.build(&[("SINK", "rtt")]);
            run.debug(emulator, &["source rtt.gdb"]);
            assert_eq!(run.counts().of("filter", "smooth"), 189_000);
            run.reports_are_the_same();
        }
    }
}

#[test]
fn profile_is_recovered_from_a_copy_of_memory() {
    if tools::find("gdb-multiarch").is_none() {
        return;
    }
    // The profile's memory alone, or all that the program uses.
    let own = "dump binary value memory profile_memory";
    let all = "dump binary memory memory 0x20000003 0x20020000";
    for (board, emulator, copies) in [
        (CORTEX_M3, "qemu-system-arm -M mps2-an385", &[own, all][..]),
        (CORTEX_M0, "qemu-system-arm -M microbit", &[own]),
        (RISCV, "qemu-system-riscv64 -M virt -bios none", &[own]),
    ] {
        for copy in copies.iter().filter(|_| board.is_there()) {
            board.build(&[]).is_in_memory(emulator, copy);
        }
    }
}

#[test]
fn library_for_cortex_asks_for_the_board_alone_and_leaves_floating_point_alone() {
    for board in those_that_are_there() {
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

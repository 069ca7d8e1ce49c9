//! Profiles of programs that run on no system: emulated boards, of RISC-V and Cortex-M, with a timer, a serial line
//! and a debugger. They need the libraries for them in the command under test (`GMON_TARGETS`, see
//! docs/bare-metal.md).

mod cortex;
mod firmware;
mod interrupts;
mod machine;
mod sinks;

use machine::{
    Board, CORTEX_M3, RISCV, RISCV32, RISCV32_WITHOUT_ATOMICS, RISCVS, Settings,
    those_that_are_there,
};
use support::tools;

#[test]
fn example_is_counted_exactly_and_sampled_where_it_runs() {
    for board in those_that_are_there(RISCVS) {
        example_is_right(board, &[], "interrupt");
    }
}

/// Checks a run of the example, whose handler of the timer's interrupt has this name.
fn example_is_right(board: &Board, settings: Settings<'_>, handler: &str) {
    let run = board.run(settings);
    let ticks = run.number("ticks: ");
    let counts = run.counts();
    counts.are(&format!(
        "main -> start_timer 1
         main -> stop_timer 1
         main -> filter 3000
         main -> send_frame 3000
         filter -> smooth 189000
         send_frame -> checksum 192000
         {handler} -> timer_tick {ticks}"
    ));
    // All ticks are there, and most of them where most instructions are.
    assert_eq!(counts.ticks, ticks, "{}", board.target);
    assert_eq!(counts.unit, (1000, "seconds".to_owned()));
    let [checksum, mcount] = ["checksum", "mcount"].map(|name| counts.samples(name));
    assert!(checksum * 100 >= ticks * 60 && mcount * 100 < ticks * 35, "{checksum}, {mcount}");
    run.reports_are_the_same();
}

#[test]
fn clang_is_counted_exactly_too() {
    if tools::find("clang").is_none() || tools::find("ld.lld").is_none() {
        return;
    }
    for (board, target, machine) in [
        (RISCV, "riscv64", "-march=rv64gc -mabi=lp64d"),
        (RISCV32, "riscv32", "-march=rv32imac -mabi=ilp32"),
    ] {
        if !board.is_there() {
            continue;
        }
        let clang = format!("clang --target={target}-unknown-elf -fuse-ld=lld -Xclang -pg");
        let cc = format!("{} cc {clang}", env!("CARGO_BIN_EXE_gmon"));
        let machine = format!("{machine} -mcmodel=medany -fno-pic");
        let run = board.run(&[("CC", &cc), ("MACHINE", &machine)]);
        let counts = run.counts();
        assert_eq!(
            (counts.of("filter", "smooth"), counts.of("send_frame", "checksum")),
            (189_000, 192_000)
        );
        assert_eq!(counts.of("interrupt", "timer_tick"), run.number("ticks: "));
        run.reports_are_the_same();
    }
}

#[test]
fn program_says_what_is_counted_and_written() {
    for board in those_that_are_there(&[RISCV, RISCV32, RISCV32_WITHOUT_ATOMICS, CORTEX_M3]) {
        let run = board.run(&[("PROGRAM", "controls.c")]);
        let expected = "before the start: not written
gmon: gmon_board's write did not take the profile
without a sink: not written
paused: written
finished: not written
again: written
";
        assert_eq!(run.printed, expected);
        let counts = run.counts();
        assert_eq!((counts.of("main", "work"), counts.of("work", "work")), (2, 6));
    }
}

#[test]
fn harts_and_interrupt_handlers_lose_no_call() {
    for board in those_that_are_there(&[RISCV, RISCV32]) {
        let emulator = format!("{} -nographic -semihosting -smp 4", board.emulator);
        let run = board.run(&[("PROGRAM", "harts.c"), ("EMULATOR", &emulator)]);
        let counts = run.counts();
        assert_eq!((counts.of("main", "work"), counts.of("other_hart", "work")), (1, 3));
        for i in 0..20 {
            assert_eq!(counts.of("work", &format!("f{i}")), 4 * 20_000, "f{i}");
        }
        let ticks = run.number("ticks: ");
        assert_eq!(
            (counts.of("interrupt", "timer_tick"), counts.of("timer_tick", "f0")),
            (ticks, ticks)
        );
    }
}

#[test]
fn full_memory_keeps_what_it_has_and_says_what_it_lost() {
    if !RISCV.is_there() {
        return;
    }
    let flags = "CFLAGS=-O2 -g -ffreestanding -DPROFILE_MEMORY=";
    let (name, value) = flags.split_once('=').expect("a name and a value");
    let with_memory =
        |bytes: &str| RISCV.run(&[("PROGRAM", "many_arcs.c"), (name, &(value.to_owned() + bytes))]);

    let run = with_memory("4096");
    assert!(run.printed.ends_with("\nwritten\n"), "{}", run.printed);
    let lost = run.number("gmon: ");
    assert!(run.printed.contains(" calls were not counted: "), "{}", run.printed);
    let counts = run.counts();
    let calls = |caller: &str| -> Vec<u64> {
        let functions = (1..=6).flat_map(|ten| (0..10).map(move |one| format!("f{ten}{one}")));
        functions.map(|function| counts.of(caller, &function)).filter(|count| *count != 0).collect()
    };
    let kept = [calls("first"), calls("second")].concat();
    // An arc is counted from its first call on, or not at all.
    assert!(kept.len() >= 20 && kept.iter().all(|count| *count == 10), "{kept:?}");
    let callers = ["first", "second"].map(|name| counts.of("main", name));
    let counted = kept.iter().chain(&callers).sum::<u64>();
    assert_eq!(counted + lost, 2 * 60 * 10 + 2 * 10);
    run.reports_are_the_same();

    let run = with_memory("512");
    assert!(run.printed.contains("memory of 512 bytes is too small"), "{}", run.printed);
    assert!(run.printed.ends_with("\nnot written\n"), "{}", run.printed);
}

#[test]
fn library_asks_for_the_board_alone() {
    for board in those_that_are_there(RISCVS) {
        asks_for_the_board_alone(&board.say_of_library("nm", "-u"));

        let code = board.say_of_library("objdump", "-d");
        let instructions = code.lines().filter_map(|line| line.split('\t').nth(2));
        let forbidden: Vec<_> = instructions
            .filter(|name| name.starts_with('f') && !name.starts_with("fence") || *name == "ecall")
            .collect();
        assert!(forbidden.is_empty(), "system calls or floating point: {forbidden:?}");
        // Hooks add by an instruction, or with interrupts disabled.
        let has_atomics = board.target != RISCV32_WITHOUT_ATOMICS.target;
        let is_there = |name: &&str| code.contains(&format!("\t{name}"));
        let atomic: Vec<_> =
            ["amoadd.", "amo", "lr.", "sc."].into_iter().filter(is_there).collect();
        assert_eq!(atomic.contains(&"amoadd."), has_atomics, "{}", board.target);
        assert!(has_atomics || atomic.is_empty(), "{}: {atomic:?}", board.target);
        let masks = board.say_of_library("nm", "-a").contains(" __gmon_mask_interrupts\n");
        assert_eq!(masks, !has_atomics, "{}", board.target);
    }
}

/// Checks the names that a library does not define, as `nm -u` shows them.
fn asks_for_the_board_alone(undefined: &str) {
    let names: Vec<&str> =
        undefined.lines().filter_map(|line| line.trim().strip_prefix("U ")).collect();
    let others: Vec<_> = names
        .iter()
        .filter(|name| **name != "gmon_board" && !name.starts_with("__gmon_"))
        .collect();
    assert!(names.contains(&"gmon_board"), "{undefined}");
    assert!(others.iter().all(|name| **name == "_mcleanup"), "{others:?}");
}

//! Counts are exact in interrupts, in tasks and beyond 32 bits, by each way in which hooks count: by an instruction that
//! adds, by exclusive loads, with interrupts disabled.

use crate::machine::{
    Board, CORTEX_M0, CORTEX_M3, RISCV, RISCV32, RISCV32_WITHOUT_ATOMICS, Run, those_that_are_there,
};

/// A board for each way; the first has 64 bits.
const EVERY_HOOK: &[&Board] = &[RISCV, RISCV32, RISCV32_WITHOUT_ATOMICS, CORTEX_M3, CORTEX_M0];

/// What each caller has called of the functions that all call.
fn calls(run: &Run, caller: &str) -> Vec<u64> {
    let counts = run.counts();
    (0..8).map(|i| counts.of(caller, &format!("f{i}"))).collect()
}

#[test]
fn interrupts_that_interrupt_each_other_lose_no_call() {
    for board in those_that_are_there(EVERY_HOOK) {
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
    for board in those_that_are_there(EVERY_HOOK) {
        let run = board.run(&[("PROGRAM", "stacks.c")]);
        let switches = run.number("switches: ");
        assert!(switches > 20, "{}", run.printed);
        let counts = run.counts();
        assert_eq!((counts.of("main", "work"), counts.of("second_task", "work")), (1, 1));
        assert_eq!(calls(&run, "work"), [2 * 20_000; 8]);
        assert_eq!(counts.calls("other_stack"), switches);
        assert_eq!(counts.of("other_stack", "f0"), switches);
        run.reports_are_the_same();
    }
}

/// A count of 2³² is more than half of an entry holds, where addresses have 32 bits.
#[test]
fn counts_grow_beyond_32_bits() {
    for board in those_that_are_there(&EVERY_HOOK[1..]) {
        let run = board.run(&[("PROGRAM", "large.c")]);
        let counts = run.counts();
        assert_eq!(counts.of("main", "border"), (1 << 32) + 5, "{}", run.printed);
        assert_eq!(counts.of("main", "half"), (1 << 31) + 5, "{}", run.printed);
    }
}

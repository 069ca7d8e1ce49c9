//! The program `callers.c`, whose work is called in every way there is, and what its profile must say of the callers.

use super::{
    command::{gmon, text_of},
    compilers::Compiler,
    modes::mode,
    program::Program,
    stacks::FullProfile,
    suite::Suite,
};

/// How much work there is: enough for some samples in each function, under an emulator and without. A walk that has to
/// search may use up what walks may take of the next 50 ms, so that a function wants several times as much.
const EMULATED: [&str; 2] = ["600000", "27"];
/// For emulators that are several times faster.
const EMULATED_FAST: [&str; 2] = ["4500000", "27"];
const NATIVE: [&str; 2] = ["5000000", "33"];

/// Runs until each caller was seen.
const ATTEMPTS: usize = 5;

/// The callers of `work`, which spend equal times there, each with what calls it; nothing if that is the C library.
const CALLERS: [(&str, &str); 9] = [
    ("compare", ""),
    ("dear", "main"),
    ("handler", ""),
    ("handler_with_info", ""),
    ("recurse", "main"),
    ("thread", ""),
    ("through_pointer", "main"),
    ("with_array", "main"),
    ("with_large_frame", "main"),
];

/// Functions that `main` calls, and that are to be found on no other stack.
const CALLED_BY_MAIN: [&str; 10] = [
    "dear",
    "leaf",
    "recurse",
    "signalled",
    "signalled_elsewhere",
    "sort",
    "through_pointer",
    "tiny",
    "with_array",
    "with_large_frame",
];

/// Builds the program in the mode of this name, with more flags, and runs it with stacks: again if no look fell on one of the
/// callers, as where the host of this machine took the time of one away.
///
/// # Panics
///
/// If it does not do what it should.
pub fn run(compiler: &Compiler, name: &str, flags: &[&str]) -> Program {
    // The code of the C library that binds names when they are first used has rules that are wrong on some processors.
    let usual = ["-pthread", "-fno-optimize-sibling-calls", "-Wl,-z,now"];
    let flags = [&usual, flags].concat();
    let program = Suite("stacks").build_by(compiler, "callers.c", mode(name), &flags);
    let work = match (compiler.target.emulator, compiler.target.architecture) {
        ("", _) => NATIVE,
        (_, "mips64" | "powerpc64") => EMULATED_FAST,
        _ => EMULATED,
    };
    for _ in 0..ATTEMPTS {
        let output = program.run(&work, &[("GMON_OPTIONS", "stacks,hz=1000")]);
        assert!(output.status.success() && output.stdout == b"done\n", "{output:?}");
        let profile = FullProfile::read(&program.path("gmon.out.full"));
        if CALLERS.iter().all(|(function, _)| profile.called(function, "work") > 0) {
            break;
        }
    }
    program
}

/// Where all code has rules, every frame of every stack is right. Rules that are for exceptions only, as 32-bit ARM's
/// are, do not hold in the first and last instructions of functions: there a few samples in a hundred may be wrong.
///
/// # Panics
///
/// If one is not.
pub fn check_stacks(program: &Program) {
    let profile = FullProfile::read(&program.path("gmon.out.full"));
    let stacks = profile.listing();
    let wrong = if program.target.architecture == "arm" { profile.total() / 50 } else { 0 };
    // Wherever a function is on a stack, its caller is there, too.
    let is_called = |by_callers: u64, function: &str| {
        assert!(by_callers > 0, "{function}: {stacks}");
        let all = profile.inclusive(function);
        assert!(by_callers.abs_diff(all) <= wrong, "{function}: {by_callers} of {all}: {stacks}");
    };
    for (function, caller) in CALLERS {
        let work = profile.called(function, "work");
        assert!(work > 0, "{function} calls no work: {stacks}");
        if !caller.is_empty() {
            is_called(profile.called(caller, function), function);
        }
    }
    let of_work = CALLERS.map(|(function, _)| profile.called(function, "work"));
    let of_cheap = profile.called("cheap", "work");
    is_called(of_work.iter().sum::<u64>() + of_cheap, "work");
    for function in CALLED_BY_MAIN {
        is_called(profile.called("main", function), function);
    }
    let deep = profile.called("recurse", "work");
    assert!(profile.called("recurse", "recurse") + wrong >= deep, "{stacks}");
    let of_handlers = ["handler", "handler_with_info"].map(|name| profile.inclusive(name));
    let signalled = ["signalled", "signalled_elsewhere"].map(|name| profile.inclusive(name));
    for (of_handler, signalled) in of_handlers.into_iter().zip(signalled) {
        assert!(of_handler <= signalled + wrong, "{of_handler} of {signalled}: {stacks}");
    }
    // An emulated program takes some hundred samples, of which one or two say more than half a percent.
    let least = if program.target.emulator.is_empty() { 0.995 } else { 0.99 };
    assert!(profile.complete() >= least, "{} {stacks}", profile.complete());
}

/// What the report says: guesses that cannot be are left out there, so that it is right without rules as well.
///
/// # Panics
///
/// If it is not.
pub fn check_report(program: &Program) {
    let mut report = gmon();
    report.arg("report").arg(&program.executable).arg(program.data());
    // Where next to nothing was seen, text has a bound.
    let text = text_of(report.args(["--calls", "work", "--format", "csv"]));
    let total = |name: &str| -> f64 {
        let is_callers =
            |cells: &[&str]| cells.get(2) == Some(&"caller") && cells.get(8) == Some(&name);
        let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let cell = rows.filter(|cells| is_callers(cells)).find_map(|cells| cells[3].parse().ok());
        cell.unwrap_or(0.0)
    };
    let all: f64 = CALLERS.map(|(function, _)| total(function)).iter().sum();
    for (function, _) in CALLERS {
        assert!(total(function) > 0.04 * all, "{function}: {text}");
    }
    assert!(total("cheap") < 0.02 * all, "{text}");
}

//! Programs for other machines, run by their emulators: the counts of every example are those that it
//! states, in our report and in the machine's GNU gprof, which must be the same text; and the time is
//! where it was spent.
//!
//! The machines are those whose libraries the command under test carries (`GMON_TARGETS`, see
//! docs/porting.md). One test is one program on one machine:
//! `cargo test --test ports -- "cycle on riscv64"` runs one.

#[path = "../support/mod.rs"]
mod support;

mod environment;
mod shape;

use libtest_mimic::{Arguments, Failed, Trial};

use support::{
    command::{gmon, output_of},
    compilers::Compiler,
    example::Example,
    modes::MODES,
    program::Builder,
    targets::{PORTS, Target},
    tools, trial,
};

/// Compilers for the ports, each with the modes that it is tested in.
const COMPILERS: &[(Compiler, &[&str])] = &[
    (gcc("aarch64-linux-gnu-gcc", &PORTS[0]), MOST),
    (clang(&["--target=aarch64-linux-gnu"], &PORTS[0]), FEW),
    (gcc("riscv64-linux-gnu-gcc", &PORTS[1]), MOST),
    (clang(&["--target=riscv64-linux-gnu"], &PORTS[1]), FEW),
    (gcc("sparc64-linux-gnu-gcc", &PORTS[2]), MOST),
];

const MOST: &[&str] = &["default", "static, own start", "preloaded"];

/// Before version 20 clang tells its hooks less than gcc.
const FEW: &[&str] = &["default"];

const fn gcc(driver: &'static str, target: &'static Target) -> Compiler {
    Compiler { name: "gcc", c: driver, cxx: driver, options: &[], target }
}

const fn clang(options: &'static [&'static str], target: &'static Target) -> Compiler {
    Compiler { name: "clang", c: "clang", cxx: "clang++", options, target }
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (compiler, modes) in COMPILERS {
        if !can_be_tested(compiler) {
            continue;
        }
        let target = compiler.target;
        let machine = format!("on {} by {}", target.architecture, compiler.name);
        for example in Example::all() {
            let is_c = example.source.extension().is_some_and(|suffix| suffix == "c");
            if is_c && example.suits(compiler) {
                let name = format!("{} {machine}", example.name);
                trials.push(Trial::test(name, move || in_modes(&example, compiler, modes)));
            }
        }
        if compiler.name == "gcc" {
            trials.push(Trial::test(format!("time {machine}"), move || shape::check(compiler)));
            let check = move || environment::check(compiler, modes);
            trials.push(Trial::test(format!("environment {machine}"), check));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Whether all is there that programs of the compiler need. In CI it has to be.
fn can_be_tested(compiler: &Compiler) -> bool {
    let target = compiler.target;
    let is_carried = || {
        let carries = output_of(gmon().args(["config", "--libs", "--target", target.triple]));
        let is_carried = carries.status.success();
        assert!(is_carried || !tools::in_ci(), "GMON_TARGETS lacks {}", target.triple);
        if !is_carried {
            eprintln!("SKIPPED: {}", String::from_utf8_lossy(&carries.stderr).trim_end());
        }
        is_carried
    };
    is_carried()
        && [compiler.c, target.emulator, target.gprof].iter().all(|t| tools::find(t).is_some())
}

fn in_modes(example: &Example, compiler: &Compiler, modes: &[&str]) -> Result<(), Failed> {
    let mut builder = Builder::new(compiler, &example.source, &example.flags);
    let mut failures = Vec::new();
    for mode in MODES.iter().filter(|mode| modes.contains(&mode.name) && example.suits_mode(mode)) {
        let differences = trial::run(example, mode, &mut builder, &[], &[]).differences;
        failures.extend(differences.into_iter().map(|text| format!("{}: {text}", mode.name)));
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

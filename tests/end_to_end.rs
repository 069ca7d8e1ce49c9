//! Every example, built by every compiler in every link mode, must show exactly the counts that it
//! states, in our report and in GNU gprof's, which must be the same text.
//!
//! One test is one example with one compiler: `cargo test --test end_to_end -- cycle` runs one. On a
//! desk one mode stands for all with the same runtime; with `CI=1` a test takes all.

use libtest_mimic::{Arguments, Failed, Trial};

use support::{
    compilers::{Compiler, installed_for},
    example::Example,
    modes::{DORMANT, MODES, Mode},
    program::Builder,
    tools, trial,
};

fn main() {
    let arguments = Arguments::from_args();
    if !tools::in_ci() && !arguments.list {
        tools::skip("one mode stands for all with the same runtime; CI=1 takes all");
    }
    let mut trials = Vec::new();
    for compiler in installed_for("a.c") {
        let can_build = |example: &Example| {
            example.suits(compiler) && compiler.is_installed_for(&example.source)
        };
        for example in Example::all().into_iter().filter(can_build) {
            let name = format!("{} by {}", example.name, compiler.name);
            trials.push(Trial::test(name, move || in_every_mode(&example, compiler)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn in_every_mode(example: &Example, compiler: &Compiler) -> Result<(), Failed> {
    let mut builder = Builder::new(compiler, &example.source, &example.flags);
    let mut failures = Vec::new();
    let dormant = if cfg!(target_arch = "x86_64") { DORMANT } else { &[] };
    let suits = |mode: &&Mode| example.suits_mode(mode) && mode.suits(compiler);
    let mut modes: Vec<&Mode> = MODES.iter().chain(dormant).filter(suits).collect();
    if !tools::in_ci() {
        modes.dedup_by_key(|mode| mode.runtime);
    }
    for mode in modes {
        let differences = trial::run(example, mode, &mut builder, &[], &[]).differences;
        failures.extend(differences.into_iter().map(|text| format!("{}: {text}", mode.name)));
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

//! Every example, built by every compiler in every link mode, must show exactly the counts that it
//! states, in our report and in GNU gprof's, which must be the same text.
//!
//! One test is one example with one compiler: `cargo test --test end_to_end -- cycle` runs one.

use libtest_mimic::{Arguments, Failed, Trial};

use support::{
    compilers::{COMPILERS, Compiler},
    example::Example,
    modes::{DORMANT, MODES, Mode},
    program::Builder,
    tools, trial,
};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for compiler in COMPILERS.iter().filter(|compiler| tools::find(compiler.c).is_some()) {
        for example in Example::all().into_iter().filter(|example| example.suits(compiler)) {
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
    for mode in MODES.iter().chain(dormant).filter(suits) {
        let differences = trial::run(example, mode, &mut builder, &[], &[]).differences;
        failures.extend(differences.into_iter().map(|text| format!("{}: {text}", mode.name)));
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

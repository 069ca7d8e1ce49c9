//! Where the time of a program is, whose shape is known.

use support::{
    command::gmon_gprof, compilers::Compiler, modes::mode, program::Program, report::Report,
    suite::Suite,
};

/// The sampler that is taken by itself, and the other that every system has.
const SAMPLERS: [&str; 2] = ["thread", "itimer"];

pub(crate) fn check(compiler: &Compiler) {
    let program = Suite("samplers").build_by(compiler, "shape.c", mode("default"), &[]);
    for sampler in SAMPLERS {
        compiler.target.check_with_signals(|| check_by(sampler, &program));
    }
}

/// The function of three quarters of the time comes first. A busy machine's emulator has it with less or more of a
/// hundred samples, but neither with half of them nor with all.
fn check_by(sampler: &str, program: &Program) {
    let run = program.run(&[], &[("GMON_OPTIONS", &format!("sampler={sampler}"))]);
    assert!(run.status.success(), "{run:?}");
    let report = Report::parse(&gmon_gprof(&program.executable, &program.data()));
    let first = report.flat.first().expect("a function in the flat profile");
    let ticks: f64 = report.flat.iter().map(|line| line.seconds * 100.0).sum();
    let is_right = first.name == "often" && (50.0..=95.0).contains(&first.percent);
    let what = format!("by {sampler}, {} has {} % of {ticks} ticks", first.name, first.percent);
    assert!(is_right && ticks >= 10.0, "{what}");
}

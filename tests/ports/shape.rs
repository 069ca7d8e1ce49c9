//! Where the time of a program is, whose shape is known.

use libtest_mimic::Failed;

use support::{
    command::gmon_gprof, compilers::Compiler, modes::mode, report::Report, suite::Suite,
};

/// The sampler that is taken by itself, and the other that every system has.
const SAMPLERS: [&str; 2] = ["thread", "itimer"];

/// The function of three quarters of the time comes first. A busy machine's emulator has it with less or more of a
/// hundred samples, but neither with half of them nor with all.
pub(crate) fn check(compiler: &Compiler) -> Result<(), Failed> {
    let program = Suite("samplers").build_by(compiler, "shape.c", mode("default"), &[]);
    for sampler in SAMPLERS {
        let run = program.run(&[], &[("GMON_OPTIONS", &format!("sampler={sampler}"))]);
        if !run.status.success() {
            return Err(format!("ended with {}", run.status).into());
        }
        let report = Report::parse(&gmon_gprof(&program.executable, &program.data()));
        let first = report.flat.first().ok_or("nothing in the flat profile")?;
        let ticks: f64 = report.flat.iter().map(|line| line.seconds * 100.0).sum();
        if first.name != "often" || !(50.0..=95.0).contains(&first.percent) || ticks < 10.0 {
            let of = format!("{} has {} % of {ticks} ticks", first.name, first.percent);
            return Err(format!("by {sampler}, {of}").into());
        }
    }
    Ok(())
}

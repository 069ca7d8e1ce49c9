//! How many instructions a hook takes on each port: `cargo bench --bench instructions`.
//!
//! An emulator tells each instruction that a static program runs. From one call of a function to the next,
//! in a loop, it runs those of the call, the function and its hook; what the same program takes without
//! hooks is subtracted. So the result is what one call that was counted before costs, with what `-pg` adds
//! to the function itself. Where hooks can sleep, it is measured, too, what one costs asleep and awake.
//!
//! A port whose compiler, emulator or runtime (`GMON_TARGETS`, see docs/porting.md) is not here is named
//! and left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use gmon_format::dormant::Processor;
use support::targets::{PORTS, Port};

/// One line for the user: what went wrong, with which program.
type Result<T> = std::result::Result<T, String>;

/// The name of the function that is called.
const CALLEE: &str = "callee";

fn main() -> ExitCode {
    println!("instructions for a call that was counted before\n");
    println!("{:40}{:>12}{:>8}{:>8}{:>8}", "", "C library", "gmon", "asleep", "awake");
    let mut measured = 0;
    for machine in PORTS.iter().filter(|port| port.system == "linux") {
        match costs(machine) {
            Ok(([theirs, ours], dormant)) => {
                let [asleep, awake] = dormant.map_or(["", ""].map(str::to_owned), |costs| {
                    costs.map(|instructions| instructions.to_string())
                });
                println!("{:40}{theirs:>12}{ours:>8}{asleep:>8}{awake:>8}", machine.name);
                measured += 1;
            }
            Err(message) => println!("{:40}left out: {message}", machine.name),
        }
    }
    if measured > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What the hooks of the C library and ours cost; and ours asleep and awake, where hooks can sleep.
fn costs(machine: &Port<'_>) -> Result<([usize; 2], Option<[usize; 2]>)> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let of_call = |driver: &[&str], hooks: &[&str], options: &str| {
        let program = build(machine, folder.path(), driver, hooks)?;
        instructions(machine, &program, options)
    };
    let gmon = env!("CARGO_BIN_EXE_gmon");
    let plain = of_call(&[], &[], "")?;
    let theirs = of_call(&[], &["-pg"], "")?;
    let ours = of_call(&[gmon, "cc"], &[], "")?;
    let dormant = match Processor::of(machine.processor) {
        None => None,
        Some(_) => {
            let of_dormant = |options| of_call(&[gmon, "cc", "--dormant"], &[], options);
            Some([of_dormant("")? - plain, of_dormant(",hooks=*")? - plain])
        }
    };
    Ok(([theirs - plain, ours - plain], dormant))
}

/// Builds the program by the machine's compiler, which `driver` calls.
fn build(machine: &Port<'_>, folder: &Path, driver: &[&str], hooks: &[&str]) -> Result<PathBuf> {
    let program = folder.join("program");
    let words = [driver, &machine.gcc].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).args(["-O2", "-static"]).args(hooks);
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions/c/calls.c"));
    command.arg("-o").arg(&program);
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", words[0]))?;
    if output.status.success() {
        return Ok(program);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(text.lines().next().unwrap_or("its compiler says nothing").to_owned())
}

/// The instructions that the program runs from one call to the next, most of the time.
fn instructions(machine: &Port<'_>, program: &Path, options: &str) -> Result<usize> {
    let log = program.with_extension("log");
    let mut command = Command::new(machine.emulator);
    command.args(["-singlestep", "-d", "exec,nochain", "-D"]).arg(&log).arg(program);
    // Some emulators fail to call handlers of samples; the first one is to come late. How the program
    // ends does not matter.
    command.env("GMON_OPTIONS", format!("sampler=itimer,hz=1{options}"));
    let run = command.current_dir(program.parent().unwrap_or(Path::new("."))).output();
    run.map_err(|error| format!("cannot run {}: {error}", machine.emulator))?;
    let log = fs::read(&log).map_err(|error| format!("{}: {error}", log.display()))?;

    let mut between = distances(&String::from_utf8_lossy(&log));
    between.sort_unstable();
    between.get(between.len() / 2).copied().ok_or_else(|| "the emulator tells no calls".to_owned())
}

/// The numbers of instructions between one call and the next.
fn distances(log: &str) -> Vec<usize> {
    // Trace 0: 0x7fe2c80c8680 [0000000000000000/0000000000010910/00207600/00000201] callee
    let instructions = log.lines().filter_map(|line| line.strip_prefix("Trace "));
    let calls = instructions.enumerate().filter_map(|(number, line)| {
        let (place, name) = line.split_once("] ")?;
        let pc = place.split('/').nth(1)?;
        (name == CALLEE).then_some((number, pc))
    });
    let calls: Vec<_> = calls.collect();
    let first = calls.first().map(|(_, pc)| *pc);
    let entries: Vec<_> = calls.iter().filter(|(_, pc)| Some(*pc) == first).collect();
    entries.windows(2).map(|pair| pair[1].0 - pair[0].0).collect()
}

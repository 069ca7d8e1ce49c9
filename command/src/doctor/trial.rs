//! Profiles a short program, this command itself, from its start to its data file.

use std::env;
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use gmon_analyzer::records;
use gmon_format::{names, options};

use crate::carried::{self, Port};
use crate::temporary;

/// Time that the program computes.
const TIME: Duration = Duration::from_millis(50);

/// Work of the program.
pub(super) fn work() {
    let end = Instant::now() + TIME;
    let mut number = 1u64;
    while Instant::now() < end {
        for _ in 0..1_000 {
            number = black_box(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        }
    }
}

/// Number of signals that sampled it.
///
/// # Errors
///
/// The program could not be run, or left no profile.
pub(super) fn samples() -> Result<u64> {
    let folder = temporary::folder()?;
    let library = carried::unpack(Port::host())?.shared()?;
    let program = env::current_exe().context("the path of gmon")?;
    let status = Command::new(program)
        .args(["doctor", "--trial"])
        .env(options::VARIABLE, "hz=1000,stacks")
        .env("LD_PRELOAD", library)
        .env_remove("GMON_OUT_PREFIX")
        .current_dir(&folder)
        .stdin(Stdio::null())
        .status()
        .context("cannot start it")?;
    if !status.success() {
        bail!("it ended with {status}");
    }
    let data = folder.path().join(format!("{}{}", names::DATA_FILE, names::FULL));
    let records = records::load_full(data)?;
    Ok(records.threads().iter().map(|thread| thread.signals).sum())
}

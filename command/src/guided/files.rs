//! Makes them of a measurement, and reads the one that is text.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use gmon_analyzer::Measurement;
use gmon_analyzer::export::{CodeProfile, FunctionOrder, ProfiledBy};

use crate::naming::Naming;
use crate::open::{Door, Samples};

/// Bytes within which the first function of a text has its line.
const START: u64 = 1 << 16;

/// Returns `true` if a file is a profile in LLVM's text form.
pub(crate) fn is_text(path: &Path) -> bool {
    let mut start = Vec::new();
    // A pipe could be read only once.
    let file = path.is_file().then(|| File::open(path)?.take(START).read_to_end(&mut start));
    file.is_some_and(|read| read.is_ok()) && CodeProfile::begins(&start)
}

/// Reads a profile in LLVM's text form.
///
/// # Errors
///
/// The file cannot be read, or is something else.
pub(crate) fn read_text(path: &Path) -> Result<CodeProfile> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    CodeProfile::parse(&bytes).map_err(|line| {
        let path = path.display();
        anyhow!(
            "{path}: line {line} is not LLVM's text of a sample profile; make it again with gmon export --format llvm-prof"
        )
    })
}

/// Reads how often the code of a program ran off its data files.
///
/// # Errors
///
/// A file cannot be read, is of another program, or tells nothing.
pub(crate) fn measured(
    program: &Path,
    data: &[PathBuf],
    compiler: ProfiledBy,
) -> Result<CodeProfile> {
    let name = || data.first().unwrap_or(&program.to_owned()).display().to_string();
    let measurement = open(program, data)?;
    CodeProfile::measured(&measurement, compiler).with_context(name)
}

/// The order in which a program's functions ran first, of its data files.
///
/// # Errors
///
/// A file cannot be read, or no calls were counted.
pub(crate) fn order(program: &Path, data: &[PathBuf]) -> Result<FunctionOrder> {
    let order = FunctionOrder::measured(&open(program, data)?);
    if order.is_empty() {
        let program = program.display();
        bail!("{program}: no calls were counted, so there is no order; build it with gmon cc");
    }
    Ok(order)
}

fn open(program: &Path, data: &[PathBuf]) -> Result<Measurement> {
    let samples = &Samples::default();
    let door = Door { program, data, naming: Naming::Plain, any_build: false, samples };
    Ok(door.open()?.measurement)
}

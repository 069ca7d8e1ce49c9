//! Gains that measurements bring to compilers and linkers: `cargo bench --bench pgo`.
//!
//! Well-known programs in C, and one in C++ with virtual calls, are built by clang and gcc, and ripgrep by rustc: as always, with gmon's
//! profile, and with that of the compiler's own instrumentation. All run by turns; shown is the least CPU time of each, and the part of
//! the instrumented build's gain that gmon's profile has. Then a program of many functions, of which a tenth run, is linked by each linker without and with
//! the order of first calls: page faults and resident memory at its end.
//!
//! `-- order` or a program's name leaves out the rest. Without `--bench`, which cargo passes when benchmarking, small things run once, to
//! show that all still works.

#[path = "../launcher/mod.rs"]
mod launcher;
mod order;
mod profiles;
#[path = "../registry/mod.rs"]
mod registry;
mod ripgrep;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode, Output};

use launcher::{Result, is_wanted};

fn main() -> ExitCode {
    launcher::bench("pgo", |is_full| {
        profiles::run(is_full)?;
        if is_full && is_wanted("ripgrep") {
            ripgrep::run()?;
        }
        if is_wanted("order") { order::run(is_full) } else { Ok(0) }
    })
}

/// Runs a command in a folder, and gives what it prints.
fn must(folder: &Path, words: &[impl AsRef<OsStr>], variables: &[(&str, &str)]) -> Result<Output> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(folder).envs(variables.iter().copied());
    let output =
        command.output().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().last().unwrap_or_default();
    Err(format!("{:?}: {}: {last}", command.get_program(), output.status))
}

/// Output of a command that runs in a folder.
fn printed(folder: &Path, words: &[&str]) -> Result<String> {
    must(folder, words, &[]).map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
}

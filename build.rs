//! Builds the two libraries that the `gmon` command carries inside itself, `libgmon.a` and, where there is a
//! loader, `libgmon.so`, from the `gmon-archive` crate with the cargo and rustc that build the command: for the
//! machine that the command will run on, and for every target that `GMON_TARGETS` names.
//!
//! ```text
//! gmon-archive ─cargo→ static library ─ld -r→ one object ─objcopy→ one object, only ┬ar→ libgmon.a
//! (no_std, LTO)                        (needed members)            exports global   └cc→ libgmon.so
//! asm/members/MEMBER.S ─cc→ objects of their own ───────────────────────────────────┘
//! ```
//!
//! A single object, so that a static link takes all of the runtime from us and none of it from libc;
//! only the documented names global, so that the archive can stand next to any other Rust library.
//!
//! Nothing here uses the network or writes outside `OUT_DIR`: it works from a checkout, from cargo's
//! read-only registry folder and from vendored sources. The sources it needs are on the disk in each
//! of them because `gmon-archive` is a build-dependency of the command. One exception: a Rust of up to 1.88
//! that lacks `core` for a target compiles it with a package of the registry (`build/core_library.rs`).

#[path = "build/compilation.rs"]
mod compilation;
#[path = "build/core_library.rs"]
mod core_library;
#[path = "build/environment.rs"]
mod environment;
#[path = "build/exports.rs"]
mod exports;
#[path = "build/libraries.rs"]
mod libraries;
#[path = "build/ports.rs"]
mod ports;
#[path = "build/table.rs"]
mod table;
#[path = "build/target.rs"]
mod target;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use gmon_archive::PORTS;

use environment::{failure, name_compiler, variable, watch_sources};
use libraries::Libraries;
use table::Table;
use target::Target;

/// A line for the user: what went wrong and what to do.
type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<()> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    watch_sources();
    name_compiler()?;
    let package = compilation::write_package(&out.join("package"))?;
    let ports = ports::read(PORTS)?;
    let mut table = Table::of(&ports);
    let targets = Target::all(&ports)?;
    for (target, libraries) in targets.iter().zip(make_all(&package, &targets, &out)) {
        table.add(target, &libraries?)?;
    }
    table.write(&out)
}

/// Targets that are built at one time at most: each of them builds for itself what all share.
const MOST_BUILDERS: usize = 4;

/// Makes the libraries of all targets, several at a time. Most of the time a single thread optimizes the whole runtime.
fn make_all(package: &Path, targets: &[Target], out: &Path) -> Vec<Result<Libraries>> {
    let jobs = variable("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let builders = MOST_BUILDERS.min(jobs).clamp(1, targets.len());
    // Cargo locks its folder, so each builder has one.
    let build = |builder: usize| {
        let folder = out.join(format!("target-{builder}"));
        let own = targets.iter().skip(builder).step_by(builders);
        own.map(|target| make(package, target, out, &folder)).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let build = &build;
        let started: Vec<_> =
            (0..builders).map(|builder| scope.spawn(move || build(builder))).collect();
        let mut made: Vec<_> = started
            .into_iter()
            .map(|builder| builder.join().expect("a builder that does not panic").into_iter())
            .collect();
        (0..targets.len()).filter_map(|at| made[at % builders].next()).collect()
    })
}

fn make(package: &Path, target: &Target, out: &Path, cargo: &Path) -> Result<Libraries> {
    let folder = out.join(&target.name);
    fs::create_dir_all(&folder).map_err(|error| failure(&folder, &error))?;
    let compiled = compilation::compile(package, target, cargo)?;
    libraries::make(&compiled, target, &folder)
}

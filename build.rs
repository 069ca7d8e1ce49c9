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
use std::path::PathBuf;
use std::process::ExitCode;

use gmon_archive::PORTS;

use environment::{failure, name_compiler, variable, watch_sources};
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
    for target in Target::all(&ports)? {
        let folder = out.join(&target.name);
        fs::create_dir_all(&folder).map_err(|error| failure(&folder, &error))?;
        let compiled = compilation::compile(&package, &target, &out.join("target"))?;
        table.add(&target, &libraries::make(&compiled, &target, &folder)?)?;
    }
    table.write(&out)
}

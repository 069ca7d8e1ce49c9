//! Builds the two libraries that the `gmon` command carries inside itself, `libgmon.a` and, where there is a
//! loader, `libgmon.so`, from the `gmon-archive` crate with the cargo and rustc that build the command: for the
//! machine that the command will run on, and for every target that `GMON_TARGETS` names.
//!
//! ```text
//! gmon-archive ─cargo→ static library ─ld -r→ one object ─objcopy→ one object, only ┬ar→ libgmon.a
//! (no_std, LTO)                        (needed members)            exports global   └cc→ libgmon.so
//! asm/ARCHITECTURE.MEMBER.S ─cc→ objects of their own ──────────────────────────────┘
//! ```
//!
//! One object, so that a static link takes all of the runtime from us and none of it from libc; only
//! the documented names global, so that the archive can stand next to any other Rust library.
//!
//! Nothing here uses the network or writes outside `OUT_DIR`: it works from a checkout, from cargo's
//! read-only registry folder and from vendored sources. The sources it needs are on the disk in each
//! of them because `gmon-archive` is a build-dependency of the command.

mod compilation;
mod exports;
mod libraries;
mod target;

use std::env;
use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use gmon_archive::{HEADER, MANIFEST_DIR};

use libraries::Libraries;
use target::Target;

/// One line for the user: what went wrong and what to do.
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
    let package = compilation::write_package(&out.join("package"))?;

    let mut table = String::from("&[\n");
    let mut hasher = DefaultHasher::new();
    for target in Target::all()? {
        let folder = out.join(&target.name);
        fs::create_dir_all(&folder).map_err(|error| failure(&folder, &error))?;
        let compiled = compilation::compile(&package, &target, &out.join("target"))?;
        let Libraries { archive, shared } = libraries::make(&compiled, &target, &folder)?;
        for library in [&archive].into_iter().chain(&shared) {
            hasher.write(&fs::read(library).map_err(|error| failure(library, &error))?);
        }
        let Target { name, architecture, .. } = &target;
        let shared = match shared {
            Some(shared) => format!("Some(include_bytes!({shared:?}))"),
            None => "None".to_owned(),
        };
        _ = writeln!(
            table,
            "Port {{ target: {name:?}, architecture: {architecture:?}, \
             archive: include_bytes!({archive:?}), shared: {shared} }},"
        );
    }
    table.push(']');
    for (name, text) in [("ports.rs", table.as_str()), ("gmon.h", HEADER)] {
        let file = out.join(name);
        fs::write(&file, text).map_err(|error| failure(&file, &error))?;
    }
    println!("cargo::rustc-env=GMON_LIBRARIES_HASH={:016x}", hasher.finish());
    Ok(())
}

/// Tells cargo what the libraries are made of.
fn watch_sources() {
    println!("cargo::rerun-if-changed=build");
    let archive = Path::new(MANIFEST_DIR);
    println!("cargo::rerun-if-changed={}", archive.display());
    // In a checkout only: in a registry a changed source is another version.
    let runtime = archive.with_file_name("");
    for folder in ["src", "asm", "Cargo.toml", "../format/src", "../format/Cargo.toml"] {
        if let Ok(path) = runtime.join(folder).canonicalize() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
}

/// Runs a tool to its end and gives what it prints; its own messages are shown only if it does not
/// succeed.
fn run(command: &mut Command, remedy: &str) -> Result<String> {
    let program = Path::new(command.get_program()).display().to_string();
    let output =
        command.output().map_err(|error| format!("cannot run {program}: {error}; {remedy}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    eprintln!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    Err(format!(
        "{program} did not build the profiling runtime ({}); see above, or {remedy}",
        output.status
    ))
}

/// A variable that cargo sets.
fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|error| format!("{name}: {error}; the build script is run by cargo"))
}

/// A variable that the user may set.
fn setting(name: &str) -> Option<String> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn failure(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

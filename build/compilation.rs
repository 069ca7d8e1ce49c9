//! The runtime as a static library, by a nested cargo.

use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use gmon_archive::MANIFEST_DIR;

use crate::environment::{NEIGHBOURS, failure, run, variable, write};
use crate::target::Target;
use crate::{Result, core_library};

/// Compiles `gmon-archive` for a target, and returns the static library.
///
/// The runtime is compiled as the dependency of the tiny `package`. The environment and the
/// configuration that shape the user's build (flags, profiles, lints, wrappers) must not shape the
/// runtime.
pub(crate) fn compile(package: &Path, target: &Target, folder: &Path) -> Result<PathBuf> {
    let mut cargo = nested_cargo(package, target, folder)?;
    cargo.arg("--offline");
    let mut flags = code_flags(target);
    if let Some(source) = &target.core_source {
        flags.push(format!(
            "--sysroot={}",
            core_library::compile(source, target, folder)?.display()
        ));
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    run(&mut cargo, "reinstall the Rust toolchain")?;
    Ok(folder.join(&target.name).join("release/libgmon_carried.a"))
}

/// A release build of a package for a target, apart from the environment that shapes the user's.
pub(crate) fn nested_cargo(package: &Path, target: &Target, folder: &Path) -> Result<Command> {
    let mut cargo = Command::new(variable("CARGO")?);
    cargo.args(["build", "--release", "--target", &target.name]);
    cargo.arg("--manifest-path").arg(package.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(folder);
    for (name, _) in env::vars_os() {
        let Some(name) = name.to_str() else { continue };
        let location = ["CARGO_HOME", "CARGO_MAKEFLAGS"].contains(&name)
            || ["CARGO_NET_", "CARGO_SOURCE_", "CARGO_REGISTR"].iter().any(|p| name.starts_with(p));
        let shapes_code = name.starts_with("CARGO_") || name.ends_with("RUSTFLAGS");
        let wraps_rustc = name.starts_with("RUSTC_") && name.ends_with("WRAPPER");
        if (shapes_code && !location) || wraps_rustc {
            cargo.env_remove(name);
        }
    }
    // The hooks are assembly, so on a board the rest may be slow but should be small.
    let optimization = if target.is_bare() { "opt-level='s'" } else { "opt-level=3" };
    for setting in [
        "panic='abort'",
        "lto='fat'",
        "codegen-units=1",
        optimization,
        "debug=false",
        "strip=false",
        "overflow-checks=false",
        "debug-assertions=false",
        "incremental=false",
    ] {
        cargo.args(["--config", &format!("profile.release.{setting}")]);
    }
    cargo.env("RUSTC", &target.rustc);
    if target.port.needs_unstable_asm {
        cargo.env("RUSTC_BOOTSTRAP", "1");
    }
    Ok(cargo)
}

/// Options of rustc beside the profile. Handed over in the environment, even an empty list keeps the flags
/// of the user's configuration files out.
pub(crate) fn code_flags(target: &Target) -> Vec<String> {
    let mut flags = vec![format!("--remap-path-prefix={}=gmon", sources().display())];
    if !target.is_bare() {
        flags.push("-Crelocation-model=pic".to_owned());
    }
    flags.extend(target.port.rustflags.iter().map(|flag| (*flag).to_owned()));
    flags
}

/// The folder that has the sources of the runtime, of all crates: that of a checkout, or a registry's.
fn sources() -> &'static Path {
    Path::new(MANIFEST_DIR).ancestors().nth(2).unwrap_or(Path::new("/"))
}

/// Writes the package that depends on `gmon-archive` and is nothing else: cargo wants to write a lock
/// file next to the manifest it builds.
///
/// The sources are seen through a link within the package. Cargo makes the names of symbols from where crates are
/// as seen from the workspace: so they are the same wherever the sources and the package are.
pub(crate) fn write_package(package: &Path) -> Result<PathBuf> {
    const LINK: &str = "sources";
    let version = env!("CARGO_PKG_VERSION");
    let linked =
        |folder: &Path| Path::new(LINK).join(folder.strip_prefix(sources()).unwrap_or(folder));
    let mut manifest = format!(
        "[package]\nname = \"gmon-carried\"\nversion = \"{version}\"\nedition = \"2024\"\n\
         [lib]\ncrate-type = [\"staticlib\"]\n\
         [workspace]\nexclude = [{LINK:?}]\n\
         [dependencies]\ngmon-archive = {{ path = {:?} }}\n\
         [patch.crates-io]\n",
        linked(Path::new(MANIFEST_DIR))
    );
    // In a checkout the crates know each other's folders. Unpacked from a registry or vendored
    // they are neighbours, and named so here no index is asked for them.
    for name in ["runtime"].iter().chain(&NEIGHBOURS).map(|name| format!("gmon-{name}")) {
        let neighbour = [format!("{name}-{version}"), name.clone()]
            .into_iter()
            .map(|folder| Path::new(MANIFEST_DIR).with_file_name(folder))
            .find(|folder| folder.join("Cargo.toml").is_file());
        if let Some(folder) = neighbour {
            manifest += &format!("{name} = {{ path = {:?} }}\n", linked(&folder));
        }
    }

    write(&package.join("Cargo.toml"), manifest.as_bytes())?;
    let link = package.join(LINK);
    if fs::read_link(&link).ok().as_deref() != Some(sources()) {
        // One of an earlier build, from elsewhere.
        _ = fs::remove_file(&link);
        symlink(sources(), &link).map_err(|error| failure(&link, &error))?;
    }
    write(&package.join("src/lib.rs"), b"#![no_std]\nuse gmon_archive as _;\n")?;
    // The versions that the command itself was resolved to; cargo drops what is not needed.
    let lock = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("Cargo.lock");
    match fs::read(&lock) {
        Ok(text) => write(&package.join("Cargo.lock"), &text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failure(&lock, &error)),
    }
    Ok(package.to_owned())
}

//! Rust's `core`, for a target of which the compiler has no library but the source of one.
//!
//! Cargo's own way, `-Z build-std=core`, resolves all that `std` depends on for any system, and wants those
//! packages on the disk although none of them is compiled. `core` and the functions that compiled code calls
//! (`compiler_builtins`) depend on nothing, so here they are the dependencies of a package of their own. The
//! runtime is then compiled against a folder that holds the two as a toolchain does.

use std::fs;
use std::path::{Path, PathBuf};

use crate::environment::{failure, run, write};
use crate::target::Target;
use crate::{Result, compilation};

/// The crates, in the order in which they need each other.
const CRATES: [&str; 2] = ["core", "compiler_builtins"];

/// Compiles them from the sources of the standard library, and returns what rustc calls a sysroot.
pub(crate) fn compile(source: &Path, target: &Target, folder: &Path) -> Result<PathBuf> {
    let folder = folder.join(format!("{}-core", target.name));
    let package = folder.join("package");
    let builtins = Builtins::find(source)?;
    write(&package.join("Cargo.toml"), manifest(source, &builtins).as_bytes())?;
    write(&package.join("src/lib.rs"), b"")?;

    let mut cargo = compilation::nested_cargo(&package, target, &folder.join("target"))?;
    cargo.args(CRATES.map(|name| format!("-p{name}")));
    if builtins.is_on_disk() {
        cargo.arg("--offline");
    }
    let mut flags = compilation::code_flags(target);
    // The bitcode is for the optimization of the whole runtime. What is unstable in these crates stays so for
    // the crates that use them.
    flags.extend(["-Cembed-bitcode=yes", "-Zforce-unstable-if-unmarked"].map(str::to_owned));
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    // A compiler of a stable release compiles its own `core` only if it is asked like this.
    cargo.env("RUSTC_BOOTSTRAP", "1");
    run(&mut cargo, "install the library itself, for instance by `rustup target add`")?;

    let sysroot = folder.join("sysroot");
    let libraries = sysroot.join("lib/rustlib").join(&target.name).join("lib");
    fs::create_dir_all(&libraries).map_err(|error| failure(&libraries, &error))?;
    for name in CRATES {
        let name = format!("lib{name}.rlib");
        let compiled = folder.join("target").join(&target.name).join("release").join(&name);
        fs::copy(&compiled, libraries.join(&name)).map_err(|error| failure(&compiled, &error))?;
    }
    Ok(sysroot)
}

fn manifest(source: &Path, builtins: &Builtins) -> String {
    let core = source.join("core");
    // As many units as it has functions: each becomes a member that is linked only if something calls it.
    let mut manifest = format!(
        "[package]\nname = \"gmon-core\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
         [workspace]\n\
         [profile.release.package.compiler_builtins]\ncodegen-units = 10000\n\
         [dependencies]\ncore = {{ path = {core:?} }}\n"
    );
    match builtins {
        Builtins::Beside(path) => {
            manifest += &format!(
                "compiler_builtins = {{ path = {path:?}, features = [\"compiler-builtins\"] }}\n"
            );
        }
        Builtins::Published(version) => {
            let stand_in = source.join("rustc-std-workspace-core");
            manifest += &format!(
                "compiler_builtins = {{ version = \"={version}\", features = [\"rustc-dep-of-std\"] }}\n\
                 [patch.crates-io]\nrustc-std-workspace-core = {{ path = {stand_in:?} }}\n"
            );
        }
    }
    manifest
}

/// Place of `compiler_builtins`.
enum Builtins {
    /// Among the sources.
    Beside(PathBuf),
    /// In the registry only, in this version: up to Rust 1.88.
    Published(String),
}

impl Builtins {
    fn find(source: &Path) -> Result<Self> {
        let beside = source.join("compiler-builtins/compiler-builtins");
        if beside.is_dir() {
            return Ok(Self::Beside(beside));
        }
        let lock = source.join("Cargo.lock");
        let text = fs::read_to_string(&lock).map_err(|error| failure(&lock, &error))?;
        let version = text
            .split_once("name = \"compiler_builtins\"\nversion = \"")
            .and_then(|(_, rest)| rest.split('"').next())
            .ok_or_else(|| format!("{}: does not name compiler_builtins", lock.display()))?;
        Ok(Self::Published(version.to_owned()))
    }

    fn is_on_disk(&self) -> bool {
        matches!(self, Self::Beside(_))
    }
}

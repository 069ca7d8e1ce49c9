//! ripgrep, built by rustc with each kind of profile.

use std::fs;
use std::path::{Path, PathBuf};

use crate::launcher::{Launcher, Result};
use crate::profiles::{ROUNDS, compare};
use crate::registry::{self, LARGE};
use crate::{must, printed};

/// Flags of all builds: those that `cargo gmon pgo` gives, too.
const FLAGS: &str = "-Ccodegen-units=1 -Cdebuginfo=1 -Csymbol-mangling-version=v0";

/// Bytes of text that is searched.
const TEXT: usize = 16 << 20;

/// Measures and prints.
pub(crate) fn run() -> Result<()> {
    let Some(source) = LARGE.source() else { return Ok(()) };
    let rustc = |words: &[&str]| printed(&source, &[&["rustc"], words].concat());
    let about = rustc(&["-vV"])?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let tools = format!("lib/rustlib/{host}/bin/llvm-profdata");
    let profdata = Path::new(rustc(&["--print", "sysroot"])?.trim()).join(tools);
    if !profdata.exists() {
        println!(
            "ripgrep is left out: there is no {}; rustup component add llvm-tools",
            profdata.display()
        );
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let at = |name: &str| folder.path().join(name);
    let work = at("work");
    let text = registry::text_of(&source, TEXT)?;
    fs::write(&work, text).map_err(|error| format!("{}: {error}", work.display()))?;
    let search = |program: PathBuf| LARGE.command(program, &["--no-mmap"], &work);

    let built = |flags: String, name: &str| {
        let target = at(name);
        let mut build = registry::build(&[env!("CARGO"), "build"], &source, &target);
        build.extend(["--target", host].map(Into::into));
        let flags = format!("{FLAGS} {flags}");
        must(&source, &build, &[("RUSTFLAGS", &flags)])?;
        registry::find(&target, LARGE.binary)
    };
    let plain = built(String::new(), "plain")?;

    let gmon = [env!("CARGO_BIN_EXE_cargo-gmon"), "gmon", "pgo", "run", "--runs", "0"];
    let mut build = registry::build(&gmon, &source, &at("ours"));
    build.extend(["--bin", LARGE.binary, "--"].map(Into::into));
    build.extend(search(PathBuf::new()).into_iter().skip(1));
    must(&source, &build, &[])?;
    let ours = registry::find(&at("ours/gmon/pgo/guided"), LARGE.binary)?;

    let (raw, profile) = (at("raw"), at("profile"));
    let counting = built(format!("-Cprofile-generate={}", raw.display()), "counting")?;
    must(&source, &search(counting), &[])?;
    let words = ["merge".as_ref(), "-o".as_ref(), profile.as_os_str(), raw.as_os_str()];
    must(&source, &[&[profdata.as_os_str()], &words[..]].concat(), &[])?;
    let theirs = built(format!("-Cprofile-use={}", profile.display()), "instrumented")?;

    let launcher = Launcher::new(folder.path())?;
    let commands = [plain, ours, theirs].map(search);
    compare(&launcher, ROUNDS, "ripgrep", "rustc", &commands)
}

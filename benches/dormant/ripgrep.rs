//! Cost of hooks that sleep in a program in Rust, ripgrep: `cargo bench --bench dormant -- --ripgrep [--check]`.
//!
//! ripgrep is built by cargo, with what `cargo gmon` sets besides hooks, and by `cargo gmon --dormant`. Where the linker happens to
//! put functions makes a difference of several in a hundred, more than hooks do. So both are linked many times, each time with
//! their functions in another order by chance. A search works on a text in one thread, by turns with all programs. Of each
//! pair of programs the result is the ratio of the least CPU times; of all pairs, the one in the middle. The noise is what
//! programs without hooks differ by among themselves.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::launcher::{Earlier, Launcher, Middle, Result};
use super::registry::{self, LARGE};
use super::show;

/// Flags that `cargo gmon` gives rustc for all crates, with hooks or without.
const FLAGS: &str = "-Cstrip=none -Ccodegen-units=1 -Cdebuginfo=line-tables-only \
                     -Csymbol-mangling-version=v0";

/// Linker driver that keeps what it links in the program, and with which arguments, in a folder.
const KEEPER: &str = r#"#!/bin/bash
export PATH=$SYSTEM_PATH
case " $*" in *" -o "*/"$BINARY"-*) ;; *) exec cc "$@" ;; esac
rm -rf "$KEEP" && mkdir -p "$KEEP" || exit
arguments=()
for argument; do
  case $argument in
  *.o | *.rlib)
    kept=$KEEP/${#arguments[@]}.${argument##*.}
    cp "$argument" "$kept" || exit
    argument=$kept ;;
  esac
  arguments+=("$argument")
done
printf '%s\0' "${arguments[@]}" > "$KEEP/arguments"
exec cc "$@"
"#;

/// Amount of work.
struct Size {
    orders: usize,
    turns: usize,
    /// Bytes of text.
    text: usize,
}

/// Measures and prints; returns how many limits do not hold.
pub(super) fn run(full: bool) -> Result<usize> {
    let size = match full {
        true => Size { orders: 100, turns: 12, text: 8 << 20 },
        false => Size { orders: 1, turns: 2, text: 1 << 16 },
    };
    let Some(source) = LARGE.source() else { return Ok(0) };
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ripgrep");
    let kinds = build(&source, &place)?;
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let launcher = Launcher::new(folder.path())?;
    let work = folder.path().join("work");
    let text = registry::text_of(&source, size.text)?;
    fs::write(&work, text).map_err(|error| format!("{}: {error}", work.display()))?;
    let mut pairs = Vec::new();
    for order in 0..size.orders {
        let [plain, asleep] = kinds.each_ref().map(|kind| kind.link(order, folder.path()));
        pairs.push([plain?, asleep?].map(|program| LARGE.command(program, &["--no-mmap"], &work)));
    }
    let mut least = vec![[f64::INFINITY; 2]; size.orders];
    for turn in 0..size.turns {
        for (pair, least) in pairs.iter().zip(&mut least) {
            let first = turn % 2;
            let ordered = [first, 1 - first].map(|which| pair[which].clone());
            let runs = launcher.launch(1, Earlier::Removed, &ordered, &[])?;
            for (which, run) in [first, 1 - first].into_iter().zip(runs) {
                least[which] = least[which].min(run.cpu as f64);
            }
        }
    }
    let noise = least.iter().zip(least.iter().cycle().skip(1)).map(|(one, next)| next[0] / one[0]);
    let asleep = least.iter().map(|[plain, asleep]| asleep / plain);
    let Size { orders, turns, text } = size;
    println!(
        "CPU time of rg --no-mmap {} with {text} bytes, {orders} orders of functions, {turns} turns, by that without hooks:",
        LARGE.arguments.join(" ")
    );
    Ok(show(
        "without hooks, another order",
        &Middle::of(noise.collect()),
        &Middle::of(asleep.collect()),
    ))
}

/// The link of a program, to be done again.
struct Linked {
    /// Name of its folder, as long as the other's: the stack of a process begins below its path.
    name: &'static str,
    /// Words that link it.
    words: Vec<OsString>,
}

impl Linked {
    /// Links it with its functions in an order of that number; by the first they stay as they are.
    fn link(&self, order: usize, folder: &Path) -> Result<PathBuf> {
        let program = folder.join(format!("{order:03}")).join(self.name).join(LARGE.binary);
        let failed = |what: &dyn std::fmt::Display| format!("{}: {what}", program.display());
        fs::create_dir_all(program.with_file_name("")).map_err(|error| failed(&error))?;
        let mut link = Command::new(&self.words[0]);
        let mut is_output = false;
        for word in &self.words[1..] {
            link.arg(if is_output { program.as_os_str() } else { word });
            is_output = word == "-o";
        }
        // There is memory for many without debug information.
        link.arg("-Wl,--strip-debug");
        if order > 0 {
            link.arg(format!("-Wl,--shuffle-sections=.text*={order}"));
        }
        let status = link.status().map_err(|error| failed(&error))?;
        status.success().then_some(()).ok_or_else(|| failed(&status))?;
        Ok(program)
    }
}

/// Builds the programs, to be linked again and again.
fn build(source: &Path, place: &Path) -> Result<[Linked; 2]> {
    let bin = place.join("bin");
    let keeper = bin.join("cc");
    let made = fs::create_dir_all(&bin)
        .and_then(|()| fs::write(&keeper, KEEPER))
        .and_then(|()| fs::set_permissions(&keeper, fs::Permissions::from_mode(0o755)));
    made.map_err(|error| format!("{}: {error}", keeper.display()))?;
    let system_path = std::env::var_os("PATH").unwrap_or_default();
    let mut path = OsString::from(format!("{}:", bin.display()));
    path.push(&system_path);
    let gmon = [env!("CARGO_BIN_EXE_gmon"), "cc", "--dormant", "cc"];
    let built = |name, words: &[&str], flags: Option<&str>, linker: &[&str]| {
        let command = registry::build(words, source, &place.join(name).join("target"));
        let kept = place.join(name).join("link");
        let mut build = Command::new(&command[0]);
        build.args(&command[1..]).current_dir(source);
        build.env("KEEP", &kept).env("BINARY", LARGE.binary);
        build.env("SYSTEM_PATH", &system_path).env("PATH", &path);
        if let Some(flags) = flags {
            build.env("RUSTFLAGS", flags);
        }
        let status = build.status().map_err(|error| format!("{command:?}: {error}"))?;
        if !status.success() {
            return Err(format!("{command:?}: {status}"));
        }
        let arguments = kept.join("arguments");
        let arguments =
            fs::read(&arguments).map_err(|error| format!("{}: {error}", arguments.display()))?;
        let arguments = arguments.split(|byte| *byte == 0).filter(|word| !word.is_empty());
        let arguments = arguments.map(|word| OsStr::from_bytes(word).to_owned());
        Ok(Linked { name, words: linker.iter().map(OsString::from).chain(arguments).collect() })
    };
    let cargo_gmon = [env!("CARGO_BIN_EXE_cargo-gmon"), "gmon", "build", "--dormant"];
    Ok([
        built("plain", &[env!("CARGO"), "build"], Some(FLAGS), &["cc"])?,
        built("sleep", &cargo_gmon, None, &gmon)?,
    ])
}

//! Programs built with each kind of profile.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use support::{sources, tools};

use crate::launcher::{Earlier, Launcher, Result, is_wanted};
use crate::must;

/// Turns of which the least counts.
pub(crate) const ROUNDS: u32 = 20;

/// A program: what the compiler needs for it, and its arguments.
struct Subject {
    name: &'static str,
    /// Ending of the compiler's name for it: `++` for C++.
    language: [&'static str; 2],
    words: Vec<String>,
    arguments: Vec<String>,
}

/// Measures and prints the programs that are wanted.
pub(crate) fn run(is_full: bool) -> Result<()> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let launcher = Launcher::new(folder.path())?;
    let rounds = if is_full { ROUNDS } else { 1 };
    println!(
        "{:10} {:8} {:>8} {:>8} {:>12} {:>8}",
        "CPU time", "", "plain", "gmon", "instrumented", "of gain"
    );
    for subject in subjects(is_full, folder.path())? {
        for (number, kind) in ["clang", "gcc"].into_iter().enumerate() {
            let compiler = subject.language[number];
            if tools::find_all([compiler, "llvm-profdata"]).is_none() {
                continue;
            }
            let place = folder.path().join(format!("{}-{kind}", subject.name));
            fs::create_dir(&place).map_err(|error| error.to_string())?;
            let built = || -> Result<[PathBuf; 3]> {
                Ok([
                    plain(&subject, compiler, &place)?,
                    ours(&subject, compiler, kind, &place)?,
                    instrumented(&subject, compiler, kind, &place)?,
                ])
            };
            // gcc 12 fails with some profiles.
            let programs = match built() {
                Ok(programs) => programs,
                Err(why) => {
                    println!("{:10} {kind:8} {why}", subject.name);
                    continue;
                }
            };
            let commands = programs.map(|program| {
                let words = [OsString::from(program)].into_iter();
                words.chain(subject.arguments.iter().map(OsString::from)).collect::<Vec<_>>()
            });
            compare(&launcher, rounds, subject.name, kind, &commands)?;
        }
    }
    Ok(())
}

/// Runs a plain build, gmon's and the instrumented one by turns, and prints the part of the last one's gain that gmon's has.
pub(crate) fn compare(
    launcher: &Launcher,
    rounds: u32,
    name: &str,
    kind: &str,
    commands: &[Vec<OsString>; 3],
) -> Result<()> {
    let runs = launcher.launch(rounds, Earlier::Removed, commands, &[])?;
    let [plain, ours, theirs] = [0, 1, 2].map(|side| runs[side].cpu as f64 / 1e9);
    // Where instrumentation brings nothing, there is no part of it.
    let part = match plain - theirs {
        gain if gain < plain * 0.01 => "-".to_owned(),
        gain => format!("{:.0} %", (plain - ours) * 100.0 / gain),
    };
    println!("{name:10} {kind:8} {plain:8.3} {ours:8.3} {theirs:12.3} {part:>8}");
    Ok(())
}

fn subjects(is_full: bool, folder: &Path) -> Result<Vec<Subject>> {
    const C: [&str; 2] = ["clang", "gcc"];
    const CXX: [&str; 2] = ["clang++", "g++"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = |path: &str| root.join(path).display().to_string();
    let rounds = if is_full { "3000" } else { "1" };
    let mut subjects = vec![Subject {
        name: "virtual",
        language: CXX,
        words: vec![own("benches/pgo/virtual.cc")],
        arguments: vec![rounds.to_owned()],
    }];
    if is_full {
        let sqlite = sources::folder_of("libsqlite3-sys").join("sqlite3");
        let text = sqlite.join("sqlite3.c").display().to_string();
        let flags = ["-w", "-DSQLITE_OMIT_LOAD_EXTENSION", "-pthread", "-lm"].map(str::to_owned);
        let include = format!("-I{}", sqlite.display());
        let driver = own("tests/suite/conformance/programs/sqlite.c");
        subjects.push(Subject {
            name: "SQLite",
            language: C,
            words: [include, driver, text.clone()].into_iter().chain(flags).collect(),
            arguments: vec!["200000".to_owned()],
        });
        let lua = sources::folder_of("lua-src").join("lua-5.4.9");
        let flags = ["-w".to_owned(), "-DLUA_USE_POSIX".to_owned(), format!("-I{}", lua.display())];
        let files =
            c_files(&lua)?.into_iter().chain([own("benches/workloads/lua.c"), "-lm".to_owned()]);
        subjects.push(Subject {
            name: "Lua",
            language: C,
            words: flags.into_iter().chain(files).collect(),
            arguments: vec![own("benches/workloads/work.lua")],
        });
        let place = folder.join("sources");
        if let Some(zstd) = sources::program("zstd-sys", "2.0.16+zstd.1.5.7", &place) {
            let lib = zstd.join("zstd/lib");
            let include = format!("-I{}", lib.display());
            let flags = ["-w", "-DZSTD_DISABLE_ASM"].map(str::to_owned).into_iter();
            let own = [include, own("benches/pgo/zstd.c")];
            let parts = ["common", "compress", "decompress"].map(|part| c_files(&lib.join(part)));
            let parts = parts.into_iter().collect::<Result<Vec<_>>>()?.concat();
            subjects.push(Subject {
                name: "zstd",
                language: C,
                words: flags.chain(own).chain(parts).collect(),
                arguments: vec![text.clone(), "8".to_owned()],
            });
        }
        if let Some(bzip2) = sources::program("bzip2-sys", "0.1.13+1.0.8", &place) {
            let all = [
                "blocksort",
                "bzip2",
                "bzlib",
                "compress",
                "crctable",
                "decompress",
                "huffman",
                "randtable",
            ];
            let file =
                |name: &str| bzip2.join(format!("bzip2-1.0.8/{name}.c")).display().to_string();
            subjects.push(Subject {
                name: "bzip2",
                language: C,
                words: ["-w".to_owned()].into_iter().chain(all.map(file)).collect(),
                arguments: vec!["-k".to_owned(), "-c".to_owned(), text],
            });
        }
    }
    subjects.retain(|subject| is_wanted(subject.name));
    Ok(subjects)
}

fn c_files(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.flatten().map(|entry| entry.path());
    let files = paths.filter(|path| path.extension().is_some_and(|ending| ending == "c"));
    Ok(files.map(|path| path.display().to_string()).collect())
}

/// Compiles a program in a folder with these words before and flags behind.
fn compile(
    subject: &Subject,
    folder: &Path,
    words: &[&str],
    flags: &[&str],
    name: &str,
) -> Result<PathBuf> {
    let own = words.iter().chain(&["-O2", "-g"]).map(|word| (*word).to_owned());
    let behind = flags.iter().copied().chain(["-o", name]).map(str::to_owned);
    let words: Vec<String> = own.chain(subject.words.iter().cloned()).chain(behind).collect();
    must(folder, &words, &[])?;
    Ok(folder.join(name))
}

fn plain(subject: &Subject, compiler: &str, folder: &Path) -> Result<PathBuf> {
    compile(subject, folder, &[compiler], &[], "plain")
}

fn ours(subject: &Subject, compiler: &str, kind: &str, folder: &Path) -> Result<PathBuf> {
    const GMON: &str = env!("CARGO_BIN_EXE_gmon");
    let (parts, run): (&[&str], &[&str]) = match kind {
        "clang" => (&["-fpseudo-probe-for-profiling"], &["--steps"]),
        _ => (&[], &["--rate", "4000"]),
    };
    compile(subject, folder, &[GMON, "cc", compiler], parts, "measured")?;
    let words = [&[GMON, "run", "--order"], run, &["./measured"]].concat();
    let words = words.into_iter().map(str::to_owned);
    let words: Vec<String> = words.chain(subject.arguments.iter().cloned()).collect();
    must(folder, &words, &[])?;
    compile(subject, folder, &[GMON, "cc", "--use-profile", "gmon.out", compiler], &[], "ours")
}

/// Builds a program for instrumented profiling and with its profile, under one name: gcc names the profile by it.
fn instrumented(subject: &Subject, compiler: &str, kind: &str, folder: &Path) -> Result<PathBuf> {
    let is_clang = kind == "clang";
    let make = if is_clang { "-fprofile-instr-generate" } else { "-fprofile-generate" };
    compile(subject, folder, &[compiler], &[make], "instrumented")?;
    let words = ["./instrumented".to_owned()].into_iter().chain(subject.arguments.iter().cloned());
    must(folder, &words.collect::<Vec<_>>(), &[("LLVM_PROFILE_FILE", "raw")])?;
    let with: &[&str] = if is_clang {
        must(folder, &["llvm-profdata", "merge", "-o", "profile", "raw"], &[])?;
        &["-fprofile-instr-use=profile"]
    } else {
        &["-fprofile-use", "-Wno-missing-profile"]
    };
    compile(subject, folder, &[compiler], with, "instrumented")
}

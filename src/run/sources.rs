//! Compiles C and C++ sources into a program that is ready to be profiled.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::carried::{self, Port};
use crate::cc::{blocks, start_files};

/// What sources are compiled with, before what the command line adds.
const FLAGS: &[&str] = &["-O2", "-g", "-pg"];

/// What sources are compiled with where each block of the program has to be one of its source.
const FLAGS_FOR_BLOCKS: &[&str] = &["-O0", "-pg"];

const C: &[&str] = &["c", "i"];
const CXX: &[&str] = &["cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii"];

/// Whether an argument is a C or C++ source by its ending.
pub(super) fn is_source(word: &OsStr) -> bool {
    has_ending(word, C) || has_ending(word, CXX)
}

/// What to do about a source that we do not compile ourselves; `None` if the file is not known to be one.
pub(super) fn other_language(path: &Path) -> Option<&'static str> {
    const FORTRAN: &str = "compile Fortran first, gmon cc gfortran -O2 -g FILE -o PROGRAM, then gmon run \
                           ./PROGRAM";
    const LANGUAGES: &[(&[&str], &str)] = &[
        (&["f", "F", "for", "f77", "f90", "F90", "f95", "F95", "f03", "f08"], FORTRAN),
        (
            &["rs"],
            "Rust programs are built and run by cargo gmon run, in the folder of their Cargo.toml",
        ),
        (&["adb", "ads"], "compile Ada first, gnatmake -pg -g FILE, then gmon run ./PROGRAM"),
        (&["d"], "compile D first, gmon cc gdc -O2 -g FILE -o PROGRAM, then gmon run ./PROGRAM"),
        (
            &["m", "mm"],
            "compile Objective-C first, gmon cc gcc -O2 -g FILE -lobjc -o PROGRAM, then gmon run \
                        ./PROGRAM",
        ),
        (
            &["s", "S", "o", "a"],
            "link it first, gmon cc gcc FILE -o PROGRAM, then gmon run ./PROGRAM",
        ),
        (&["h", "hpp", "hh"], "a header is no program; name the sources to compile"),
        (&["py"], "name the interpreter, gmon run python3 FILE; what it starts is profiled"),
    ];
    let ending = path.extension()?.to_str()?;
    LANGUAGES.iter().find(|(endings, _)| endings.contains(&ending)).map(|(_, advice)| *advice)
}

/// Compiles the words up to `--`, sources and whatever else the compiler is to know, to `output`; with
/// hooks for its `blocks`, or without. Returns the words after it, which are the program's.
pub(super) fn compile(
    mut words: Vec<OsString>,
    output: &Path,
    counts_blocks: bool,
) -> Result<Vec<OsString>> {
    let arguments = match words.iter().position(|word| word == "--") {
        Some(at) => words.split_off(at).split_off(1),
        None => Vec::new(),
    };
    let is_cxx = words.iter().any(|word| has_ending(word, CXX));
    let (variable, default) = if is_cxx { ("CXX", "c++") } else { ("CC", "cc") };
    let compiler = env::var_os(variable).unwrap_or_default();
    let compiler = compiler.as_bytes().split(u8::is_ascii_whitespace);
    let compiler = compiler.filter(|word| !word.is_empty());
    let mut compiler: Vec<OsString> = compiler.map(|w| OsStr::from_bytes(w).into()).collect();
    if compiler.is_empty() {
        compiler.push(default.into());
    }

    let carried = carried::unpack(Port::host())?;
    let mut command = Command::new(&compiler[0]);
    carried.offer_headers(&mut command);
    command.args(&compiler[1..]);
    if counts_blocks {
        let has_sanitizer = words.iter().any(|word| word.as_bytes().starts_with(b"-fsanitize="));
        command.args(blocks::options(&compiler, has_sanitizer)).args(FLAGS_FOR_BLOCKS);
    } else {
        command.args(FLAGS);
    }
    command.args(start_files::option(&compiler, &words, &carried));
    for word in words {
        // The C++ compiler takes .c for C++.
        let is_c = is_cxx && has_ending(&word, C);
        if is_c {
            command.args(["-x", "c"]);
        }
        command.arg(word);
        if is_c {
            command.args(["-x", "none"]);
        }
    }
    command.arg("-Xlinker").arg(carried.archive()).arg("-o").arg(output);

    let program = Path::new(&compiler[0]).display();
    let status = command.status().with_context(|| {
        format!("cannot run the compiler {program} (install it, or set {variable})")
    })?;
    if !status.success() {
        bail!("{program} did not compile the program ({status}); nothing was run");
    }
    Ok(arguments)
}

fn has_ending(word: &OsStr, endings: &[&str]) -> bool {
    let ending = Path::new(word).extension().and_then(OsStr::to_str);
    let is_option = word.as_bytes().starts_with(b"-");
    !is_option && ending.is_some_and(|ending| endings.contains(&ending))
}

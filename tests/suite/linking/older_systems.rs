//! What a program asks of the C library: with the runtime in it no newer one than before.

use std::{collections::BTreeSet, path::Path};

use super::SUITE;
use support::{
    command::{quiet, shared_library, text_of},
    compilers::{GCC, installed_for},
    modes::{MODES, Mode, Runtime, linked},
    program::Program,
};

/// Newest of the versions of glibc that the archive asks for, by the names that it uses where they
/// are there. From 2012: Rust's own programs ask for a newer one.
const NEWEST: Version = [2, 16, 0];

type Version = [u32; 3];

/// The versions of glibc that a file asks for.
fn versions(file: &Path) -> BTreeSet<Version> {
    let needs = text_of(quiet("readelf").arg("-VW").arg(file));
    needs.split_whitespace().filter_map(|word| version(word.trim_matches(['(', ')']))).collect()
}

/// `GLIBC_2.2.5`
fn version(word: &str) -> Option<Version> {
    let mut parts = word.strip_prefix("GLIBC_")?.split('.').map(str::parse);
    let mut next = || parts.next().unwrap_or(Ok(0)).ok();
    Some([next()?, next()?, next()?])
}

/// What a program's versions are without a profile, and with the runtime linked.
fn before_and_after(program: impl Fn(&Mode) -> Program, mode: &Mode) -> [BTreeSet<Version>; 2] {
    let without = Mode { hooks: &[], runtime: Runtime::None, ..*mode };
    [without, Mode { ..*mode }].map(|mode| versions(&program(&mode).executable))
}

#[test]
fn programs_ask_for_no_newer_c_library() {
    for compiler in installed_for("a.c") {
        for name in ["default", "no-pie, own start"] {
            let mode = MODES.iter().find(|mode| mode.name == name).expect("a mode of this name");
            let program = |mode: &Mode| SUITE.build_by(compiler, "fork.c", mode, &[]);
            let [before, after] = before_and_after(program, mode);
            assert!(after.len() > 2, "{after:?}");
            assert_eq!(before.last(), after.last(), "{}, {name}", compiler.name);
        }
    }
}

/// The functions that a program asks for in a version of glibc newer than [`NEWEST`].
fn asked_of_newer(file: &Path) -> BTreeSet<String> {
    let symbols = text_of(quiet("readelf").args(["--dyn-syms", "-W"]).arg(file));
    let versioned = symbols.split_whitespace().filter_map(|word| word.split_once('@'));
    let newer = versioned.filter(|(_, of)| version(of.trim_matches('@')) > Some(NEWEST));
    newer.map(|(name, _)| name.to_owned()).collect()
}

/// Start files ask for the version of today's systems. A program without them, whatever it was
/// linked on, shows what the archive alone asks for.
#[test]
fn the_archive_asks_for_nothing_that_is_not_old() {
    let end = "-DEND=exit(0)";
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/runtime/include");
    let mode = linked("no start files", &[], &["-nostartfiles"]);
    let program = |mode: &Mode| SUITE.build_by(GCC, "bare_start.c", mode, &[end, include]);
    let [before, after] = before_and_after(program, &mode);
    assert_eq!(before, BTreeSet::from([[2, 2, 5]]));
    assert!(after.contains(&NEWEST), "{after:?}");
    assert_eq!(asked_of_newer(&program(&mode).executable), BTreeSet::new());
}

/// So it serves every glibc, and musl, which has no versions.
#[test]
fn the_shared_library_asks_for_no_versions() {
    assert_eq!(versions(&shared_library()), BTreeSet::new());
    let dynamic = text_of(quiet("readelf").arg("-dW").arg(shared_library()));
    let needed: Vec<&str> = dynamic.lines().filter(|line| line.contains("(NEEDED)")).collect();
    assert!(needed.len() == 1 && needed[0].contains("[libc.so.6]"), "{dynamic}");
}

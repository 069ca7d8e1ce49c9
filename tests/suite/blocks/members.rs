//! Hooks of blocks are in a program only if its code calls them, and one of its own comes first.

use super::builds::hooks;
use support::{
    command::{libraries, quiet, text_of},
    compilers::GCC,
    modes::{MODES, OTHER_HOOKS},
    suite::{Suite, printed},
    targets::HOST,
};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/blocks/own_hooks.c");

/// Where `counted.h` is.
const INCLUDE: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/examples/c");

#[test]
fn programs_without_these_hooks_do_not_contain_them() {
    for mode in ["default", "static"] {
        let mode = MODES.iter().find(|known| known.name == mode).expect("a mode of this name");
        let program = Suite("instrument").build_by(GCC, "calls.c", mode, &[]);
        let symbols = text_of(quiet("nm").arg(&program.executable));
        assert!(symbols.contains(" T mcount"), "{symbols}");
        for name in ["__sanitizer_cov", "__bb_"] {
            assert!(!symbols.contains(name), "{symbols}");
        }
    }
    for hooks in hooks() {
        let program = hooks.build("instrument", "calls.c", "default, own start", &[]);
        let symbols = text_of(quiet("nm").arg(&program.executable));
        assert!(symbols.contains(" T __sanitizer_cov_trace_pc"), "{symbols}");
        assert!(!symbols.contains("__bb_"), "{symbols}");
    }
}

/// A sanitizer's runtime defines these hooks as well, some of them weakly.
#[test]
fn program_keeps_hooks_of_its_own() {
    for hooks in hooks() {
        for link in OTHER_HOOKS.into_iter().filter(|link| *link != "preloaded") {
            let mode = MODES.iter().find(|known| known.name == link).expect("a mode of this name");
            let folder = tempfile::tempdir().expect("a temporary folder");
            let objects = [&["-DHOOKS"], hooks.flags].map(|flags| {
                let object = folder.path().join(format!("{}.o", flags[0]));
                let mut compile = quiet(hooks.compiler.c);
                compile.args(["-O2", "-c"]).args(flags).args(mode.compile).args([INCLUDE, SOURCE]);
                text_of(compile.arg("-o").arg(&object));
                object
            });
            let program = folder.path().join("program");
            let mut link = quiet(hooks.compiler.c);
            link.args(mode.link).args(objects).args(libraries(HOST)).arg("-o").arg(&program);
            text_of(&mut link);
            let text = text_of(quiet(&program).current_dir(&folder));
            let tables = if hooks.has_table { "1" } else { "0" };
            let found = ["blocks", "tables", "units"].map(|name| printed(&text, name));
            assert_eq!(found, ["1", tables, "1"], "{:?} {}", hooks.flags, mode.name);
        }
    }
}

//! musl, which has no `mcount` and no `gcrt1.o`: everything is the runtime's own.

use std::{path::Path, process::Output};

use support::{
    command::{output_of, quiet, shared_library, text_of},
    compilers::MUSL,
    counts::{Counts, FunctionNames},
    example::Example,
    modes::{Mode, linked},
    program::Builder,
    suite::printed,
    tools, trial,
};

const EXAMPLES: [&str; 4] = ["callbacks", "constructors", "signals", "threads"];

const FORMS: &[Mode] = &[
    linked("default", &[], &["-pg"]),
    linked("no-pie", &["-fno-pie"], &["-no-pie"]),
    linked("static", &["-fno-pie"], &["-static", "-pg"]),
    linked("fentry", &["-mfentry"], &[]),
    linked("fentry, static", &["-mfentry", "-fno-pie"], &["-static"]),
    linked("LTO", &["-flto"], &["-flto", "-pg"]),
    linked("gold", &[], &["-fuse-ld=gold"]),
    linked("gold, static", &["-fno-pie"], &["-fuse-ld=gold", "-static"]),
];

/// musl-gcc names a dynamic linker even for static programs, which lld takes at its word.
const FORMS_OF_LLD: &[Mode] = &[
    linked("lld", &[], &["-fuse-ld=lld"]),
    linked("lld, static", &[], &["-fuse-ld=lld", "-static", "-Wl,--no-dynamic-linker"]),
];

#[test]
fn examples_are_counted_in_every_form() {
    if tools::find(MUSL.c).is_none() {
        return;
    }
    let lld: &[Mode] = if tools::find("ld.lld").is_some() { FORMS_OF_LLD } else { &[] };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c");
    let mut differences = Vec::new();
    for name in EXAMPLES {
        let example = Example::read(folder.join(name).with_extension("c"));
        let mut builder = Builder::new(MUSL, &example.source, &example.flags);
        for mode in FORMS.iter().chain(lld).filter(|mode| example.suits_mode(mode)) {
            let found = trial::run(&example, mode, &mut builder, &[], &[]).differences;
            differences.extend(found.iter().map(|text| format!("{name}, {}: {text}", mode.name)));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// One `libgmon.so` serves both C libraries. musl has no hooks of its own, so that another library
/// has to stand for them at the link.
#[test]
fn the_library_for_glibc_can_be_preloaded() {
    if tools::find(MUSL.c).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let run = run_preloaded(folder.path(), "linking/ends.c", &["exit"]);
    assert!(run.status.code() == Some(3) && run.stderr.is_empty(), "{run:?}");
    let counts = Counts::read(&FunctionNames::read(&path("program")), &path("gmon.out"));
    assert_eq!((counts.calls("main"), counts.of("main", "work")), (1, 3));

    // musl forks twice for a daemon.
    let run = run_preloaded(folder.path(), "processes/daemon.c", &["1", "1"]);
    assert!(run.status.success() && run.stderr.is_empty(), "{run:?}");
    let (names, child) =
        (FunctionNames::read(&path("program")), String::from_utf8_lossy(&run.stdout));
    let data = path(&format!("gmon.out.{}", printed(&child, "child")));
    assert_eq!(Counts::read(&names, &path("gmon.out")).of("main", "work"), 17);
    assert_eq!(Counts::read(&names, &data).of("main", "background_work"), 5);
}

/// Builds a program whose hooks are in a library that does nothing, and runs it with ours.
fn run_preloaded(folder: &Path, source: &str, arguments: &[&str]) -> Output {
    let path = |name: &str| folder.join(name);
    std::fs::write(path("hooks.c"), "void mcount(void) {}\n").expect("a source file");
    let mut library = quiet(MUSL.c);
    text_of(library.args(["-shared", "-fPIC", "-o"]).args([path("libhooks.so"), path("hooks.c")]));
    let mut link = quiet(MUSL.c);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(source);
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/examples/c");
    link.args(["-O2", "-pg", include]).arg(source).arg("-o");
    text_of(link.args([path("program"), path("libhooks.so")]));
    let mut program = quiet(path("program"));
    output_of(program.args(arguments).env("LD_PRELOAD", shared_library()).current_dir(folder))
}

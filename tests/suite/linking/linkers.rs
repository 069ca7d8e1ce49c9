//! Compilers and linkers: each pair links the same examples in all forms that it knows.

use std::path::Path;

use support::{
    compilers::{COMPILERS, Compiler},
    example::Example,
    modes::{Mode, linked},
    program::Builder,
    tools, trial,
};

/// Callers outside the program, and many threads at once.
const EXAMPLES: [&str; 2] = ["callbacks", "threads"];

/// A form of linking, and the linkers that know it.
struct Form {
    mode: Mode,
    linkers: &'static [&'static str],
}

const ALL: &[&str] = &["bfd", "gold", "lld"];
/// gold cannot link static position-independent programs, and knows no `-z separate-code`.
const NOT_GOLD: &[&str] = &["bfd", "lld"];

const FORMS: &[Form] = &[
    Form { mode: linked("default", &[], &["-pg"]), linkers: ALL },
    Form { mode: linked("own start", &[], &[]), linkers: ALL },
    Form { mode: linked("no-pie", &["-fno-pie"], &["-no-pie"]), linkers: ALL },
    Form { mode: linked("static", &["-fno-pie"], &["-static", "-pg"]), linkers: ALL },
    Form { mode: linked("static, own start", &["-fno-pie"], &["-static"]), linkers: ALL },
    Form { mode: linked("static-pie", &["-fPIE"], &["-static-pie"]), linkers: NOT_GOLD },
    Form { mode: linked("CET", &["-fcf-protection=full"], &[]), linkers: ALL },
    Form {
        mode: linked("sections", &["-ffunction-sections"], &["-Wl,--gc-sections"]),
        linkers: ALL,
    },
    Form {
        mode: linked("sections, static", SECTIONS, &["-Wl,--gc-sections", "-static"]),
        linkers: ALL,
    },
    Form {
        mode: linked("folded", &["-ffunction-sections"], &["-Wl,--icf=all"]),
        linkers: &["gold", "lld"],
    },
    Form { mode: linked("now", &[], &["-Wl,-z,now,-z,relro"]), linkers: ALL },
    Form { mode: linked("separate code", &[], &["-Wl,-z,separate-code"]), linkers: NOT_GOLD },
    Form { mode: linked("mixed code", &[], &["-Wl,-z,noseparate-code"]), linkers: NOT_GOLD },
    Form {
        mode: Mode { not_with: CLANG, ..linked("LTO", LTO, &["-flto", "-O2", "-pg"]) },
        linkers: &["bfd", "gold"],
    },
    Form {
        mode: Mode { not_with: CLANG, ..linked("LTO, static", LTO, &["-flto", "-static", "-pg"]) },
        linkers: &["bfd"],
    },
    Form { mode: Mode { not_with: GCC, ..linked("LTO", LTO, &["-flto"]) }, linkers: &["lld"] },
    Form {
        mode: Mode { not_with: GCC, ..linked("thin LTO", &["-flto=thin"], &["-flto=thin"]) },
        linkers: &["lld"],
    },
];

const SECTIONS: &[&str] = &["-ffunction-sections", "-fno-pie"];
const LTO: &[&str] = &["-flto"];
const GCC: &[(&str, &str)] = &[("gcc", "lld does not read its intermediate code")];
const CLANG: &[(&str, &str)] = &[("clang", "its intermediate code is for lld")];

/// Checks the counts of the examples in every form that suits the pair.
fn check(compiler: &str, linker: &'static str) {
    let compiler = COMPILERS.iter().find(|known| known.name == compiler).expect("a compiler");
    let is_there = [compiler.c, &format!("ld.{linker}")].map(tools::find);
    if is_there.contains(&None) {
        return;
    }
    let modes: Vec<Mode> = FORMS
        .iter()
        .filter(|form| form.linkers.contains(&linker) && form.mode.suits(compiler))
        .map(|form| by(linker, &form.mode))
        .collect();
    assert!(modes.len() > 8, "{} forms", modes.len());
    let differences: Vec<String> =
        EXAMPLES.iter().flat_map(|example| differences(example, compiler, &modes)).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The mode with the linker named at the link. Lives as long as the tests, as other modes do.
fn by(linker: &'static str, mode: &Mode) -> Mode {
    let name: &'static str = format!("-fuse-ld={linker}").leak();
    let mut link = vec![name];
    link.extend(mode.link);
    Mode { link: link.leak(), ..*mode }
}

fn differences(example: &str, compiler: &Compiler, modes: &[Mode]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c");
    let example = Example::read(folder.join(example).with_extension("c"));
    let mut builder = Builder::new(compiler, &example.source, &example.flags);
    let mut all = Vec::new();
    for mode in modes {
        let found = trial::run(&example, mode, &mut builder, &[], &[]).differences;
        all.extend(found.iter().map(|text| format!("{}, {}: {text}", example.name, mode.name)));
    }
    all
}

#[test]
fn gcc_with_bfd() {
    check("gcc", "bfd");
}

#[test]
fn gcc_with_gold() {
    check("gcc", "gold");
}

#[test]
fn gcc_with_lld() {
    check("gcc", "lld");
}

#[test]
fn clang_with_bfd() {
    check("clang", "bfd");
}

#[test]
fn clang_with_gold() {
    check("clang", "gold");
}

#[test]
fn clang_with_lld() {
    check("clang", "lld");
}

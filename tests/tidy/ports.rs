//! Every port of the table has all that a port needs, and the documents and CI know it.

use std::process::Command;

use support::targets::{PORTS, Port, read};

use crate::{assert_none, read as text_of, root};

#[test]
fn ports_have_all_that_a_port_needs() {
    let missing = PORTS.iter().flat_map(missing);
    assert_none(missing.collect(), "missing for ports of runtime/archive/ports.txt");
}

/// The test names every file that a new row lacks.
#[test]
fn missing_files_of_a_new_port_are_named() {
    let mut row = String::from(
        "target: loongarch64-unknown-linux-gnu\nprocessor: loongarch64\nsystem: linux\n\
         bits: 64\nmacros: __loongarch__\nname: LoongArch, 64 bits\n\
         triple: loongarch64-linux-gnu\ngcc: loongarch64-linux-gnu-gcc\n\
         emulator: qemu-loongarch64\n",
    );
    let error = read(&row).expect_err("an incomplete row");
    let named = "ports.txt: the port `loongarch64-unknown-linux-gnu` lacks its gprof";
    assert_eq!(error, named);
    row += "gprof: loongarch64-linux-gnu-gprof\n";
    let ports = read(&row).expect("a complete row");
    let missing = missing(&ports[0]);
    for needed in [
        "asm/loongarch64/hooks.S",
        "asm/loongarch64/macros.S",
        "asm/loongarch64/linux.S",
        "system/src/arch/loongarch64.rs",
        "unwind/src/processor/loongarch64.rs",
        "`target_arch = \"loongarch64\"` in unwind/src/processor/mod.rs",
        "a row `LoongArch, 64 bits` in docs/porting.md",
    ] {
        let is_named = missing.iter().any(|one| one == &format!("LoongArch, 64 bits: {needed}"));
        assert!(is_named, "{needed} is not among {missing:#?}");
    }
    let error = read(&row.replace("gcc:", "cc:")).expect_err("an unknown field");
    assert!(error.contains("line 8: `cc: loongarch64-linux-gnu-gcc` is no field"), "{error}");
}

/// The tools by which programs of other machines are tested.
pub(crate) fn tools() -> impl Iterator<Item = String> {
    let others = PORTS.iter().filter(|port| port.processor != "x86_64");
    others.flat_map(|port| {
        let emulator = Some(port.emulator).filter(|_| port.native.is_empty());
        [Some(port.gcc[0]), emulator, Some(port.gprof)].into_iter().flatten().map(str::to_owned)
    })
}

/// What there has to be for a port and is not, each behind the port's name.
fn missing(port: &Port<'_>) -> Vec<String> {
    let (processor, is_linux) = (port.processor, port.system == "linux");
    let mut files = Vec::from(["hooks", "macros"].map(|kind| format!("asm/{processor}/{kind}.S")));
    files.push(format!("system/src/arch/{processor}.rs"));
    let mut words = Vec::new();
    if is_linux {
        files.push(format!("asm/{processor}/linux.S"));
        // Both widths of SPARC are one there.
        let unwinder = if processor == "sparc64" { "sparc" } else { processor };
        files.push(format!("unwind/src/processor/{unwinder}.rs"));
        let attribute = format!("target_arch = \"{processor}\"");
        let place = format!("`{attribute}` in unwind/src/processor/mod.rs");
        words.push((1, attribute, place));
        let row = format!("a row `{}` in docs/porting.md", port.name);
        words.push((1, format!("\n| {}", port.name), row));
    } else {
        let target = format!("`{}`", port.target);
        words.push((1, target.clone(), format!("{target} in docs/bare-metal.md")));
    }
    let files = files.into_iter().filter(|file| !root().join(file).exists());
    let words = words.into_iter().filter(|(times, word, place)| {
        let (_, file) = place.rsplit_once(" in ").expect("a file");
        text_of(file).matches(word).count() < *times
    });
    let missing = files.chain(words.map(|(_, _, place)| place));
    missing.map(|missing| format!("{}: {missing}", port.name)).collect()
}

/// Files of a port, at most: assembly, facts for the runtime, unwinder, stub for calls into libraries, sleeping hooks.
const MOST_FILES: usize = 7;

#[test]
fn a_port_has_few_files() {
    let mut many = Vec::new();
    for port in PORTS.iter() {
        let own = files_of(port.processor);
        if own.len() > MOST_FILES {
            many.push(format!("{}: {own:?}", port.name));
        }
    }
    assert_none(many, "ports with many files");
    // One with all that a port can have.
    assert_eq!(files_of("aarch64").len(), MOST_FILES, "{:?}", files_of("aarch64"));
}

/// The files of the product that are a processor's, by its name or by that of their folder.
fn files_of(processor: &str) -> Vec<String> {
    let places = [
        "asm",
        "runtime/src",
        "system/src",
        "stacks/src",
        "unwind/src",
        "interpose/src",
        "format/src",
    ];
    let mut folders: Vec<_> = places.iter().map(|place| root().join(place)).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            let is_its = path.file_stem() == Some(processor.as_ref())
                || path.parent().and_then(|folder| folder.file_name()) == Some(processor.as_ref());
            if path.is_dir() {
                folders.push(path);
            } else if is_its {
                files.push(path.display().to_string());
            }
        }
    }
    files
}

/// Rustfmt finds no module that the build declares.
#[test]
fn files_that_the_build_names_are_formatted() {
    let files = root().join("system/src/arch").read_dir().expect("a folder");
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition=2024", "--config-path"]).arg(root());
    rustfmt.args(files.map(|entry| entry.expect("a file").path()).filter(|path| {
        // These have modules below them, which `cargo fmt` finds.
        path.file_name().is_some_and(|name| name != "mod.rs")
    }));
    let output = rustfmt.output().expect("rustfmt");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

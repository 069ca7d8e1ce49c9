//! Every port of the table has all that a port needs, and the documents and CI know it.

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
        "asm/loongarch64.S",
        "asm/loongarch64.macros.S",
        "asm/loongarch64.linux.S",
        "asm/loongarch64.sancov.S",
        "runtime/src/arch/loongarch64.rs",
        "`loongarch64.rs` in runtime/src/arch/mod.rs",
        "runtime/src/linux/machine/loongarch64.rs",
        "`loongarch64.rs` in runtime/src/linux/machine/mod.rs",
        "unwind/src/processor/loongarch64.rs",
        "`target_arch = \"loongarch64\"` in unwind/src/processor/mod.rs",
        "`target_arch = \"loongarch64\"` in runtime/src/lib.rs",
        "2 rows `LoongArch, 64 bits` in docs/porting.md",
        "`loongarch64-linux-gnu` in .ci/run",
        "`qemu-loongarch64` in .ci/run",
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

/// What rustc calls the processor; Cortex-M has files of its own.
fn architecture<'t>(port: &Port<'t>) -> &'t str {
    if port.processor.starts_with("thumb") { "arm" } else { port.processor }
}

/// What there has to be for a port and is not, each behind the port's name.
fn missing(port: &Port<'_>) -> Vec<String> {
    let (processor, is_linux) = (port.processor, port.system == "linux");
    let own = ["", "macros."].map(|kind| format!("asm/{processor}.{kind}S"));
    let mut files = Vec::from(own);
    files.push(format!("runtime/src/arch/{processor}.rs"));
    let members =
        members(port).filter(|name| !root().join(format!("asm/shared.{name}.S")).exists());
    files.extend(members.map(|member| format!("asm/{processor}.{member}.S")));
    let row = format!("{processor}.rs");
    let mut words = vec![
        (1, format!("\"{row}\""), format!("`{row}` in runtime/src/arch/mod.rs")),
        (
            1,
            format!("target_arch = \"{}\"", architecture(port)),
            format!("`target_arch = \"{}\"` in runtime/src/lib.rs", architecture(port)),
        ),
    ];
    if is_linux {
        files.push(format!("asm/{processor}.linux.S"));
        files.push(format!("runtime/src/linux/machine/{processor}.rs"));
        let place = format!("`{row}` in runtime/src/linux/machine/mod.rs");
        words.push((1, format!("\"{row}\""), place));
        // Both widths of SPARC are one there.
        let unwinder = processor.trim_end_matches("sparc64");
        let unwinder = if unwinder.is_empty() { "sparc" } else { unwinder };
        files.push(format!("unwind/src/processor/{unwinder}.rs"));
        let place = "unwind/src/processor/mod.rs";
        let attribute = format!("target_arch = \"{processor}\"");
        words.push((1, attribute.clone(), format!("`{attribute}` in {place}")));
        let rows = format!("2 rows `{}` in docs/porting.md", port.name);
        words.push((2, format!("\n| {}", port.name), rows));
    } else {
        let target = format!("`{}`", port.target);
        words.push((1, target.clone(), format!("{target} in docs/bare-metal.md")));
    }
    // CI runs on x86-64, which needs no other compiler and no emulator.
    if processor != "x86_64" {
        let prefix = port.gcc[0].trim_end_matches("-gcc");
        words.push((1, prefix.to_owned(), format!("`{prefix}` in .ci/run")));
        if port.native.is_empty() {
            let emulator = port.emulator;
            words.push((1, emulator.to_owned(), format!("`{emulator}` in .ci/run")));
        }
    }
    let files = files.into_iter().filter(|file| !root().join(file).exists());
    let words = words.into_iter().filter(|(times, word, place)| {
        let (_, file) = place.rsplit_once(" in ").expect("a file");
        text_of(file).matches(word).count() < *times
    });
    let missing = files.chain(words.map(|(_, _, place)| place));
    missing.map(|missing| format!("{}: {missing}", port.name)).collect()
}

/// The members that the archive of a port has beside the runtime.
fn members(port: &Port<'_>) -> impl Iterator<Item = String> {
    let exports = text_of("runtime/archive/exports.txt");
    let its = |line: &str| {
        let (line, only) = line.split_once(" on ").unwrap_or((line, port.processor));
        let (member, _) = line.split_once(": ").filter(|_| !line.starts_with('#'))?;
        (only == port.processor || only == port.system).then(|| member.to_owned())
    };
    let mut members: Vec<_> = exports.lines().map(str::trim).filter_map(its).collect();
    members.sort();
    members.dedup();
    members.into_iter()
}

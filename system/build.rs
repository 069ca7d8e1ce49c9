//! Finds the file of the processor that the runtime is compiled for, by the table of ports (`ports.txt`), so that nobody
//! keeps a list of them: the one of its name in `src/arch/`. Tells the build script of `gmon-runtime` which processor that is.

use std::path::Path;
use std::{env, fs};

/// The fields of a port that matter here.
#[derive(Clone, Copy, Default)]
struct Port<'t> {
    target: &'t str,
    processor: &'t str,
    system: &'t str,
    unstable: &'t str,
}

fn main() {
    let table = include_str!("ports.txt");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=ports.txt");
    let target = variable("TARGET");
    let Some(port) = find(table, &target) else {
        println!(
            "cargo::error=there is no profiling runtime for {target}: see the ports in docs/porting.md"
        );
        return;
    };
    let sources = Path::new(&variable("CARGO_MANIFEST_DIR")).join("src");
    let processor = port.processor;
    println!("cargo::metadata=processor={processor}");
    println!("cargo::metadata=unstable={}", port.unstable);
    write("arch.rs", &sources.join(format!("arch/{processor}.rs")));
}

/// The port of this target, or of its processor and system.
fn find<'t>(table: &'t str, target: &str) -> Option<Port<'t>> {
    let (processor, system) = (variable("CARGO_CFG_TARGET_ARCH"), variable("CARGO_CFG_TARGET_OS"));
    let is_little = variable("CARGO_CFG_TARGET_ENDIAN") == "little";
    let ports = table.split("\n\n").map(Port::read);
    let ports = ports.filter(|port| port.system == system);
    let same = |port: &Port<'_>| port.target == target;
    // Names such as powerpc64le and mips64el say that only this order of bytes is known.
    let alike = |port: &Port<'_>| {
        let first = port.target.split('-').next().unwrap_or_default();
        port.processor == processor && (is_little || !["el", "le"].contains(&last(first, 2)))
    };
    ports.clone().find(same).or_else(|| ports.clone().find(alike))
}

/// The last characters of a name.
fn last(name: &str, len: usize) -> &str {
    name.get(name.len().saturating_sub(len)..).unwrap_or_default()
}

impl<'t> Port<'t> {
    fn read(paragraph: &'t str) -> Self {
        let mut port = Self::default();
        for (field, value) in paragraph.lines().filter_map(|line| line.split_once(": ")) {
            match field {
                "target" => port.target = value,
                "processor" => port.processor = value,
                "system" => port.system = value,
                "unstable" => port.unstable = value,
                _ => {}
            }
        }
        port
    }
}

/// Writes the declaration of a module `this` that lies elsewhere.
fn write(name: &str, file: &Path) {
    let declaration = format!("#[path = {:?}]\nmod this;\n", file.display().to_string());
    let path = Path::new(&variable("OUT_DIR")).join(name);
    fs::write(path, declaration).expect("cargo's folder for the build can be written");
}

fn variable(name: &str) -> String {
    env::var(name).expect("cargo sets its variables")
}

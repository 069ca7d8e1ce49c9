//! The compilers that are there, and the libraries that the command carries.

use std::process::{Command, Stdio};

use super::finding::Findings;
use crate::carried::{self, Port};

/// Tools, what each is for, and the package of Debian that has it.
const TOOLS: &[(&str, &str, &str)] = &[
    ("gcc", "compiles C for gmon run FILE.c", "gcc"),
    ("clang", "is another compiler of C and C++", "clang"),
    ("cargo", "builds Rust programs for cargo gmon", "cargo, or https://rustup.rs"),
];

/// Looks for them.
pub(super) fn examine(findings: &mut Findings) {
    findings.begin("tools", None);
    for (tool, purpose, package) in TOOLS {
        match version(tool) {
            Some(version) => findings.ok(version),
            None => findings
                .note(format!("there is no {tool}, which {purpose}"), format!("install {package}")),
        }
    }
    match carried::unpack(Port::host()) {
        Ok(layout) => {
            findings.ok(format!("the runtime libraries are in {}", layout.prefix().display()))
        }
        Err(error) => findings.problem(
            format!("{error:#}"),
            "set XDG_CACHE_HOME to a folder that only you can write",
        ),
    }
}

/// The first line of what a tool says of its version.
fn version(tool: &str) -> Option<String> {
    let output = Command::new(tool)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or(tool).to_owned())
}

//! What the whole-system tests share: compilers, link modes, the examples with their expectations,
//! and a reader of the reports.

mod abilities;
pub mod browser;
pub mod call_times;
pub mod callers;
pub mod callgrind;
pub mod command;
pub mod common_ground;
pub mod compilers;
pub mod counts;
pub mod crowds;
pub mod debugger;
pub mod disassembly;
pub mod example;
pub mod exclusive;
pub mod executable;
pub mod expectation;
pub mod library_calls;
pub mod modes;
pub mod ports;
pub mod program;
pub mod python;
pub mod random;
pub mod report;
pub mod rust_library;
pub mod sources;
pub mod stacks;
pub mod stubs;
pub mod suite;
pub mod summary;
pub mod switches;
pub mod targets;
pub mod tools;
pub mod trial;
pub mod workplace;

use std::path::{Path, PathBuf};

/// The folder of the whole project.
pub fn root() -> &'static Path {
    let support = Path::new(env!("CARGO_MANIFEST_DIR"));
    support.ancestors().nth(2).expect("a folder of tests in the project")
}

/// A folder beside the programs under test, which stays from one run of the tests to the next.
pub fn lasting_folder() -> PathBuf {
    built("tmp")
}

/// A file that cargo has built with the running test: `target/PROFILE/NAME`.
fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a path of the test");
    test.ancestors().nth(2).expect("target/PROFILE/deps/TEST").join(name)
}

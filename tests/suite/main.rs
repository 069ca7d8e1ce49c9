//! The whole system, as its users meet it: the command, the programs that it links and runs, and what they
//! leave. One module tests one side; its programs lie in a folder with its name.
//!
//! Other test programs have the tests that are made of lists: every example in every way to link it (`end_to_end`),
//! and on every machine (`ports`); and those on no system (`bare`), of the libraries (`archive`) and of the
//! sources (`tidy`).

mod attach;
mod bad_input;
mod blocks;
mod cargo;
mod command;
mod conformance;
mod coverage;
mod data_files;
mod diff;
mod documented;
mod ends;
mod export;
mod instrument;
mod libcalls;
mod linking;
mod live;
mod made;
mod output;
mod page;
mod processes;
mod python;
mod report;
mod robustness;
mod samplers;
mod scale;
mod stacks;
mod steps;
mod timeline;
mod top;

/// The command under test.
const GMON: &str = env!("CARGO_BIN_EXE_gmon");

//! What the whole-system tests share: compilers, link modes, the examples with their expectations,
//! and a reader of the reports. Each test program uses its own part of it.

#![allow(dead_code, reason = "every test program compiles this module and uses its own part")]

pub(crate) mod callgrind;
pub(crate) mod command;
pub(crate) mod common_ground;
pub(crate) mod compilers;
pub(crate) mod counts;
pub(crate) mod disassembly;
pub(crate) mod example;
pub(crate) mod expectation;
pub(crate) mod modes;
pub(crate) mod ports;
pub(crate) mod program;
pub(crate) mod report;
pub(crate) mod rust_library;
pub(crate) mod sources;
pub(crate) mod suite;
pub(crate) mod targets;
pub(crate) mod tools;
pub(crate) mod trial;

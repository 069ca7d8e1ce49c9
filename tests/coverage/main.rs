//! Executions of source lines: compared with what the compilers' own coverage counts, and shown.

#[path = "../support/mod.rs"]
mod support;

mod annotate;
mod examples;
mod lcov;
mod ports;
mod tracefile;
mod workshop;

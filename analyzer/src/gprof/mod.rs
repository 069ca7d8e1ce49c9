//! The command line of GNU gprof: its options, its messages, its exit status.
//!
//! Nothing else in this crate knows how an option is spelled.

mod annotate;
mod command;
mod debug;
mod effect;
mod environment;
mod file_format;
mod flags;
mod getopt;
mod help;
mod messages;
mod options;
mod outputs;
mod print;
mod reading;
mod request;
mod run;
mod stop;
mod words;

pub use command::main;
pub use help::{Spelling, options};

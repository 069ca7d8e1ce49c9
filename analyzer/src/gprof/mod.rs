//! The command line of GNU gprof: its options, its messages, its exit status.
//!
//! Nothing else in this crate knows how an option is spelled.

mod command;
mod file_format;
mod flags;
mod getopt;
mod help;
mod messages;
mod options;
mod reading;

pub use command::main;

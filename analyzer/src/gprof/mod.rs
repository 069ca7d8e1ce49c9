//! The command line of GNU gprof: its options, its messages, its exit status.
//!
//! Nothing else in this crate knows how an option is spelled.

mod command;
mod flags;
mod getopt;
mod help;
mod messages;
mod options;

pub use command::main;

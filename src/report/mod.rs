//! What was measured, in words: the summary of a program, and the list of the processes of a run.

mod command;
mod list;
mod output;
mod rows;
mod summary;

pub(crate) use command::{command, run};
pub(crate) use list::ProcessList;
pub(crate) use output::Output;
pub(crate) use summary::{Summary, View};

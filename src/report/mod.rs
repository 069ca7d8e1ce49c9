//! What was measured, in words: the summary of a program, what its call stacks tell, and the list of the
//! processes of a run.

mod apportioned;
mod command;
mod full;
mod html;
mod list;
mod measured;
mod output;
mod part;
mod rows;
mod show;
mod summary;

pub(crate) use command::{command, run};
pub(crate) use full::beside as full_beside;
pub(crate) use full::full_profiles;
pub(crate) use html::Html;
pub(crate) use list::ProcessList;
pub(crate) use output::Output;
pub(crate) use show::write_pages;
pub(crate) use summary::{Summary, View};

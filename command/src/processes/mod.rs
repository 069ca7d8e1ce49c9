//! The processes of a run: what each used, which are wanted, and the programs that they ran.

mod files;
mod folder;
mod narrowing;
mod notebook;
mod process;
mod profiled;

pub(crate) use files::{Files, part_of_name};
pub(crate) use folder::{LIST, of_folder, of_own_run};
pub(crate) use narrowing::Narrowing;
pub(crate) use notebook::{is_only_here, namespace, notebooks};
pub(crate) use process::{Process, Seen, Usage};
pub(crate) use profiled::Profiled;

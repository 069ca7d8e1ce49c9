//! Measurements in words: the summary of a program, what its call stacks tell, and the list of the
//! processes of a run.

mod apart;
mod apportioned;
mod command;
mod files;
mod html;
pub(crate) mod inlines;
mod list;
mod measured;
mod nameless;
mod neighbours;
mod output;
mod part;
mod python;
mod rows;
mod sheet;
mod show;
mod spread;
mod subject;
mod summary;
mod view;

pub(crate) use command::{command, run};
pub(crate) use html::{
    DIFFERENCE, Heading, Html, Module, Names, Page, PageFile, Tree, escaped, shown,
};
pub(crate) use list::ProcessList;
pub(crate) use output::Output;
pub(crate) use part::Part;
pub(crate) use show::{Shown, show, write_pages};
pub(crate) use spread::Spread;
pub(crate) use view::View;

//! A profile as a page: one file for any browser, which makes no network requests.
//!
//! ```text
//! model ─┬→ data: functions, calls, lines, as lists of numbers ─┐
//!        ├→ tree: the stacks in preorder ───────────────────────┼→ page ─→ file ─→ browser
//!        ├→ over_time: samples in steps of time, tracks beside ──┤
//!        ├→ call_times: pictures of how long calls took ─────────┤
//!        ├→ source: the text of hot functions ──────────────────┤
//!        └→ unscripted: the first figures, without JavaScript ──┘
//! ```
//!
//! `page/` has what the browser runs, `page/difference/` what the page of a difference (`gmon diff --html`) has of its
//! own. No build step makes it, and it uses no library. Nothing that looks like a
//! flame graph is ever drawn from counts of calls alone.

mod browser;
mod call_times;
mod data;
mod facts;
mod file;
mod names;
mod options;
mod over_time;
mod page;
mod profile;
mod source;
mod tracks;
mod tree;
mod unscripted;

pub(crate) use file::PageFile;
pub(crate) use names::{Module, Names, shown};
pub(crate) use options::Html;
pub(crate) use page::{DIFFERENCE, Heading, Page};
pub(crate) use tree::Tree;
pub(crate) use unscripted::escaped;

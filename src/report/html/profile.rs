//! The page of a profile.

use anyhow::Result;
use gmon_analyzer::Model;

use super::data::Data;
use super::facts::in_short;
use super::page::{Heading, PROFILE, Page};
use super::source::{Choice, pieces};
use super::tree::Tree;
use super::unscripted::table;

/// The page of a profile, with what one must know before one trusts it.
///
/// # Errors
///
/// The data cannot be written as JSON.
pub(super) fn page(
    model: &Model,
    title: Option<&str>,
    source: Choice,
    warnings: &[String],
) -> Result<Page> {
    let tree = Tree::new(model);
    let pieces = pieces(model, source);
    let data = Data::new(model, tree.as_ref(), &pieces, warnings);
    let name = model.program.rsplit('/').next().unwrap_or_default();
    let heading =
        Heading { title: title.unwrap_or(name), facts: &in_short(model), unscripted: table(model) };
    Page::new(PROFILE, heading, &data)
}

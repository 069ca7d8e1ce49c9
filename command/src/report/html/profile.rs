//! The page of a profile.

use anyhow::Result;
use gmon_analyzer::Model;

use super::data::Data;
use super::facts::in_short;
use super::over_time::OverTime;
use super::page::{Heading, PROFILE, Page, View};
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
    let tree = Tree::of_profile(model);
    let pieces = pieces(model, source);
    let over_time = tree.as_ref().and_then(|tree| OverTime::new(model, &tree.places));
    let data = Data::new(model, tree.as_ref(), over_time.as_ref(), &pieces, warnings);
    let name = model.program.rsplit('/').next().unwrap_or_default();
    let heading =
        Heading { title: title.unwrap_or(name), facts: &in_short(model), unscripted: table(model) };
    let is_parallel =
        !model.ranks.is_empty() || !model.regions.is_empty() || model.sampling.openmp_waiting > 0;
    let views = [
        (View::Time, over_time.is_some()),
        (View::Waits, model.sampling.waiting.is_some()),
        (View::Parallel, is_parallel),
    ];
    let views = views.into_iter().filter(|(_, is_there)| *is_there).map(|(view, _)| view);
    Ok(Page::new(PROFILE, heading, &data)?.with(views.collect()))
}

//! Choices of the reader of the reports.

use super::symspec::{Selector, Symspec};

/// Things that the reader wants to see, and things not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Only these, if any.
    pub include: Vec<Selector>,
    /// Not these, unless they are asked for.
    pub exclude: Vec<Selector>,
}

/// Things to show, and not to show, in each report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// In the flat profile: `-p` and `-P`.
    pub flat_profile: Choice,
    /// In the call graph: `-q` and `-Q`, `-f`, `-F`, `-e` and `-E`.
    pub graph: Choice,
    /// Whose time counts in the call graph: `-n`, `-N`, `-F`, `-E`.
    pub time: Choice,
    /// Arcs that are read at all: `-q`, `-Q`, and `-k` with a slash.
    pub arcs: Choice,
    /// In annotated sources: `-A` and `-J`.
    pub annotated_source: Choice,
    /// In the execution counts: `-C` and `-Z`.
    pub exec_counts: Choice,
    /// Functions without calls and time too (`-z`).
    pub unused: bool,
}

impl Choices {
    /// Returns `true` if any of them is about source files or lines.
    #[must_use]
    pub fn name_sources(&self) -> bool {
        self.symspecs().any(Symspec::names_source)
    }

    /// All symspecs, of either side of a selector.
    pub(super) fn symspecs(&self) -> impl Iterator<Item = &Symspec> {
        let Self { flat_profile, graph, time, arcs, annotated_source, exec_counts, unused: _ } =
            self;
        [flat_profile, graph, time, arcs, annotated_source, exec_counts]
            .into_iter()
            .flat_map(|choice| choice.include.iter().chain(&choice.exclude))
            .flat_map(|selector| [Some(&selector.symbols), selector.callees.as_ref()])
            .flatten()
    }
}

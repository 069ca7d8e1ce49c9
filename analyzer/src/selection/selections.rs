//! Wishes of the reader of the reports, resolved to the symbols of a program.

use gmon_format::hooks;

use super::arcs::ArcFilter;
use super::choice::Choices;
use super::filter::Filter;
use super::matches::Matches;
use super::symspec::Symspec;
use crate::symbols::{Sources, SymbolTable};

/// The [`Choices`] of the user, resolved to the symbols of a program.
#[derive(Clone, Debug)]
pub struct Selections {
    /// Functions in the flat profile; the time of others is left out everywhere.
    pub flat: Filter,
    /// Functions whose time is passed on to callers.
    pub time: Filter,
    /// Functions with an entry in the call graph.
    pub graph: Filter,
    /// Functions in the execution counts.
    pub exec_counts: Filter,
    /// Functions whose source is annotated.
    pub annotated_source: Filter,
    /// Arcs that count at all.
    pub arcs: ArcFilter,
    /// Functions without calls and time too.
    pub unused: bool,
    /// Symspecs that match nothing in the program, each once.
    pub unmatched: Vec<Symspec>,
}

impl Selections {
    /// Finds the chosen symbols. `sources` are needed only if the choices [name any](Choices::name_sources).
    #[must_use]
    pub fn new(choices: &Choices, symbols: &SymbolTable, sources: &Sources) -> Self {
        // No report on time shows these.
        let runtime: Vec<_> = hooks::OF_RUNTIMES.iter().copied().map(Symspec::function).collect();
        let matches = Matches::new(choices.symspecs().chain(&runtime), symbols, sources);
        let mut unmatched: Vec<Symspec> = Vec::new();
        for symspec in choices.symspecs().filter(|symspec| matches.of(symspec).is_empty()) {
            if !unmatched.contains(symspec) {
                unmatched.push(symspec.clone());
            }
        }
        let filter = |choice, unwanted| Filter::new(choice, unwanted, &matches, symbols);
        Self {
            flat: filter(&choices.flat_profile, &runtime),
            time: filter(&choices.time, &runtime),
            graph: filter(&choices.graph, &runtime),
            exec_counts: filter(&choices.exec_counts, &[]),
            annotated_source: filter(&choices.annotated_source, &[]),
            arcs: ArcFilter::new(&choices.arcs, &matches, symbols),
            unused: choices.unused,
            unmatched,
        }
    }

    /// Default of reports: everything but the profiling runtime.
    #[must_use]
    pub fn everything(symbols: &SymbolTable) -> Self {
        Self::new(&Choices::default(), symbols, &Sources::default())
    }
}

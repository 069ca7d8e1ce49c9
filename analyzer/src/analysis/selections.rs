//! What the reader of the reports wants to see.

use gmon_format::hooks;

use crate::symbols::{ArcFilter, Choice, Filter, Matches, Sources, SymbolTable, Symspec};

/// What the reader asks to see, and not to see, in each report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// In the flat profile: `-p` and `-P`.
    pub flat_profile: Choice,
    /// In the call graph: `-q` and `-Q`, `-f`, `-F`, `-e` and `-E`.
    pub graph: Choice,
    /// Whose time counts in the call graph: `-n`, `-N`, `-F`, `-E`.
    pub time: Choice,
    /// Which arcs are read at all: `-q`, `-Q`, and `-k` with a slash.
    pub arcs: Choice,
    /// In annotated sources: `-A` and `-J`.
    pub annotated_source: Choice,
    /// In the execution counts: `-C` and `-Z`.
    pub exec_counts: Choice,
    /// Functions without calls and time too (`-z`).
    pub unused: bool,
}

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
}

impl Choices {
    /// Whether any of them is about source files or lines.
    #[must_use]
    pub fn name_sources(&self) -> bool {
        self.symspecs().any(Symspec::names_source)
    }

    fn symspecs(&self) -> impl Iterator<Item = &Symspec> {
        let Self { flat_profile, graph, time, arcs, annotated_source, exec_counts, unused: _ } =
            self;
        [flat_profile, graph, time, arcs, annotated_source, exec_counts]
            .into_iter()
            .flat_map(|choice| choice.include.iter().chain(&choice.exclude))
            .flat_map(|selector| [Some(&selector.symbols), selector.callees.as_ref()])
            .flatten()
    }
}

impl Selections {
    /// Finds the chosen symbols. `sources` are needed only if the choices [name any](Choices::name_sources).
    #[must_use]
    pub fn new(choices: &Choices, symbols: &SymbolTable, sources: &Sources) -> Self {
        // No report on time shows these.
        let runtime: Vec<_> = hooks::OF_RUNTIMES.iter().copied().map(Symspec::function).collect();
        let matches = Matches::new(choices.symspecs().chain(&runtime), symbols, sources);
        let filter = |choice, unwanted| Filter::new(choice, unwanted, &matches, symbols);
        Self {
            flat: filter(&choices.flat_profile, &runtime),
            time: filter(&choices.time, &runtime),
            graph: filter(&choices.graph, &runtime),
            exec_counts: filter(&choices.exec_counts, &[]),
            annotated_source: filter(&choices.annotated_source, &[]),
            arcs: ArcFilter::new(&choices.arcs, &matches, symbols),
            unused: choices.unused,
        }
    }

    /// What reports show by default: everything but the profiling runtime.
    #[must_use]
    pub fn everything(symbols: &SymbolTable) -> Self {
        Self::new(&Choices::default(), symbols, &Sources::default())
    }
}

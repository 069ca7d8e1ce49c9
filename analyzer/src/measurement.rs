//! A program and what was measured of it, as one value that can be kept, shared and compared.
//!
//! A measurement owns all its data and borrows nothing: two of them, of two builds perhaps, lie
//! side by side, and threads can ask one at the same time. Nothing is computed before somebody
//! asks, and nothing twice.

use std::path::Path;
use std::sync::{Arc as Shared, OnceLock};

use crate::analysis::{CallGraph, SourceCosts};
use crate::error::Error;
use crate::modules::Modules;
use crate::profile::{Contexts, Executions, Grain, Profile, StaticCalls};
use crate::program::{Program, ProgramOptions};
use crate::records::{Loader, Records, Stretches, Watch};
use crate::report::{NameStyle, Names};
use crate::selection::Selections;

/// No files at all.
const NO_FILES: [&str; 0] = [];

/// A program and the sum of its data files.
#[derive(Debug)]
pub struct Measurement {
    program: Shared<Program>,
    records: Shared<Records>,
    selections: OnceLock<Shared<Selections>>,
    static_calls: StaticCalls,
    profile: OnceLock<Shared<Profile>>,
    graph: OnceLock<CallGraph>,
    executions: OnceLock<Executions>,
    source_costs: OnceLock<SourceCosts>,
    modules: OnceLock<Modules>,
    contexts: OnceLock<Contexts>,
}

impl Measurement {
    /// Reads the executable `program` by the [standard](ProgramOptions::standard) options, and its data
    /// files, which are added up.
    ///
    /// # Errors
    /// If one of the files cannot be read or is not what it should be.
    pub fn open(program: impl AsRef<Path>, data: &[impl AsRef<Path>]) -> Result<Self, Error> {
        Self::open_by(program, &ProgramOptions::standard(), data, &mut ())
    }

    /// Reads the executable `program` by other options, and its data files, which are added up. `watch` follows
    /// the reading of these.
    ///
    /// # Errors
    /// If one of the files cannot be read or is not what it should be.
    pub fn open_by(
        program: impl AsRef<Path>,
        options: &ProgramOptions,
        data: &[impl AsRef<Path>],
        watch: &mut impl Watch,
    ) -> Result<Self, Error> {
        Self::open_full(program, options, data, &NO_FILES, watch)
    }

    /// Reads the executable `program` by other options, and of its data files, which are added up, only what the
    /// program counted itself, even if one is a full profile.
    ///
    /// # Errors
    /// If one of the files cannot be read or is not what it should be.
    pub fn open_counts(
        program: impl AsRef<Path>,
        options: &ProgramOptions,
        data: &[impl AsRef<Path>],
        watch: &mut impl Watch,
    ) -> Result<Self, Error> {
        let opened = Self::open_by(program, options, data, watch)?;
        let records = Shared::unwrap_or_clone(opened.records).without_full();
        Ok(Self::new(opened.program, records))
    }

    /// Reads the executable `program` by other options, with full profiles of some of its processes and the data
    /// files of others, which were not sampled, and so wrote no full profile.
    ///
    /// # Errors
    /// If one of the files cannot be read or is not what it should be.
    pub fn open_full(
        program: impl AsRef<Path>,
        options: &ProgramOptions,
        full: &[impl AsRef<Path>],
        counts: &[impl AsRef<Path>],
        watch: &mut impl Watch,
    ) -> Result<Self, Error> {
        let program = Program::open(program, options)?;
        let loader = Loader::for_program(program.image());
        let loader = if options.any_build { loader.any_build() } else { loader };
        let loader = loader.suspicious(program.image()).each_once();
        let files: Vec<&Path> =
            full.iter().map(AsRef::as_ref).chain(counts.iter().map(AsRef::as_ref)).collect();
        let mut records = loader.load(&files, watch)?;
        if !counts.is_empty() {
            records.add_counts_to_full(&loader.load(counts, watch)?);
        }
        Ok(Self::new(program, records))
    }

    /// Joins a program with the records of its data files.
    #[must_use]
    pub fn new(program: impl Into<Shared<Program>>, records: impl Into<Shared<Records>>) -> Self {
        Self {
            program: program.into(),
            records: records.into(),
            selections: OnceLock::new(),
            static_calls: StaticCalls::default(),
            profile: OnceLock::new(),
            graph: OnceLock::new(),
            executions: OnceLock::new(),
            source_costs: OnceLock::new(),
            modules: OnceLock::new(),
            contexts: OnceLock::new(),
        }
    }

    /// Looks at parts of it only.
    #[must_use]
    pub fn selecting(self, selections: impl Into<Shared<Selections>>) -> Self {
        let selections = OnceLock::from(selections.into());
        Self { selections, profile: OnceLock::new(), graph: OnceLock::new(), ..self }
    }

    /// Looks only at the samples of stretches of time, whose times full profiles know; there are no counts then.
    #[must_use]
    pub fn during(self, stretches: &Stretches) -> Self {
        let records = self.records.during(stretches);
        Self::new(self.program, records).with_modules(self.modules)
    }

    /// Takes modules that are open already.
    fn with_modules(self, modules: OnceLock<Modules>) -> Self {
        Self { modules, ..self }
    }

    /// Adds arcs of no call for calls in the code that were never made.
    #[must_use]
    pub fn with_static_calls(self, static_calls: StaticCalls) -> Self {
        Self { static_calls, profile: OnceLock::new(), graph: OnceLock::new(), ..self }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Shared<Program> {
        &self.program
    }

    /// Contents of its data files.
    #[must_use]
    pub fn records(&self) -> &Shared<Records> {
        &self.records
    }

    /// Selections: everything, unless somebody chose.
    #[must_use]
    pub fn selections(&self) -> &Shared<Selections> {
        self.selections.get_or_init(|| Selections::everything(self.program.symbols()).into())
    }

    /// The calls between functions.
    #[must_use]
    pub fn profile(&self) -> &Shared<Profile> {
        self.profile.get_or_init(|| {
            let (symbols, records) = (self.program.symbols().clone(), self.records.clone());
            let arcs = &self.selections().arcs;
            Profile::selected(symbols, records, arcs, &self.static_calls).into()
        })
    }

    /// The call graph: self times, cycles, and the time that each function passes on to its callers.
    #[must_use]
    pub fn graph(&self) -> &CallGraph {
        let selections = || self.selections().clone();
        self.graph.get_or_init(|| CallGraph::new(self.profile().clone(), selections()))
    }

    /// Executions of each stretch of code.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn executions(&self) -> Result<&Executions, Error> {
        if let Some(known) = self.executions.get() {
            return Ok(known);
        }
        let program = &self.program;
        let executions = Executions::new(program.image(), program.symbols(), &self.records)?;
        Ok(self.executions.get_or_init(|| executions))
    }

    /// Executions of each source line, as the standard of debug information tells lines.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn source_costs(&self) -> Result<&SourceCosts, Error> {
        let executions = self.executions()?;
        Ok(self.source_costs.get_or_init(|| {
            let program = &self.program;
            SourceCosts::new(program.image(), program.symbols(), executions)
        }))
    }

    /// The program and its libraries, as far as a full profile names them and their files are there.
    #[must_use]
    pub fn modules(&self) -> &Modules {
        self.modules.get_or_init(|| Modules::open(self.records.full(), &self.program))
    }

    /// The stacks of a full profile as contexts of functions; none of other data.
    #[must_use]
    pub fn contexts(&self) -> &Contexts {
        self.contexts
            .get_or_init(|| Contexts::joined(self.records.full(), self.modules(), Grain::Functions))
    }

    /// The stacks by line.
    pub(crate) fn contexts_by_line(&self) -> Contexts {
        self.modules().decode_lines();
        Contexts::joined(self.records.full(), self.modules(), Grain::Lines)
    }

    /// The names of the functions.
    #[must_use]
    pub fn names(&self, style: NameStyle) -> Names<'_> {
        Names::new(self.program.symbols(), self.program.lines()).styled(style)
    }
}

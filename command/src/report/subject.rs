//! Subject of a report: a profile, where it comes from, and what of it is asked for.

use std::fmt::{self, Write};
use std::path::Path;

use anyhow::{Result, bail};
use gmon_analyzer::model::{Function, FunctionId, ModuleId};
use gmon_analyzer::signature::without_parameters;
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, TableFormat};
use gmon_analyzer::wrapping::wrapped;
use gmon_analyzer::{Measurement, Model};

use super::apportioned::Apportioned;
use super::files::Files;
use super::measured::Measured;
use super::sheet::Sheet;
use super::summary::Summary;
use super::{Output, Part, View};
use crate::dormant;
use crate::named::{find, name_of};
use crate::open::{Samples, needs_call_times, needs_stacks};
use crate::processes::Usage;
use crate::text::{counted, grouped, harmless, quoted, short};

/// A profile that is shown.
pub(super) struct Subject<'a> {
    pub(super) model: Model,
    pub(super) source: Source<'a>,
    /// Ticks of all samples, if the profile is one of some time.
    pub(super) whole: Option<u64>,
    /// Number of processes that the profile is of, and what these used, if that is known.
    pub(super) processes: Option<(usize, Usage)>,
    pub(super) view: View,
    pub(super) part: &'a Part,
    /// The columns of the terminal, if there is one.
    pub(super) width: Option<usize>,
}

/// Files that the profile was read from.
pub(super) enum Source<'a> {
    /// A program and its data files.
    Data {
        program: &'a Path,
        /// The measurement that was read of them.
        measurement: &'a Measurement,
        files: Files,
        /// Why there are no call stacks, if there are none.
        why_no_stacks: Option<String>,
    },
    /// An exported profile.
    Exported(&'a Path),
}

/// The columns of a function.
pub(super) const FUNCTION: &[Column] = &[
    Column::text("function", Placing::Last),
    Column::text("inlined", Placing::Behind("(", ")")),
    Column::text("module", Placing::Behind("[", "]")),
];

/// The cells of a row that is no function, in place of those.
pub(super) fn words(words: &str) -> Vec<Cell> {
    vec![Cell::text(words), Cell::Unknown, Cell::Unknown]
}

/// The cells of a row that stands for so many functions which are left out.
pub(super) fn more_functions(number: usize) -> Vec<Cell> {
    let more = format!("... and {}", counted(number as u64, "more function"));
    let less = format!("... and {} more", grouped(number as u64));
    left_out([more, less])
}

/// The cells of a row that stands for what is left out, in words for much room and for little.
pub(super) fn left_out(forms: [String; 2]) -> Vec<Cell> {
    vec![Cell::Name(forms.to_vec()), Cell::Unknown, Cell::Unknown]
}

impl Subject<'_> {
    /// Shows what is asked for of these samples: measured by call stacks, or else as gprof computes it.
    ///
    /// # Errors
    ///
    /// The profile does not have it.
    pub(super) fn show(self, samples: &Samples, output: &mut Output) -> Result<()> {
        let program = self.program();
        if self.model.has_stacks() || samples.option().is_some() {
            return output.present(Some(&program), Measured::new(self, samples)?.sheet());
        }
        match self.part {
            Part::Functions => {
                let summary = Summary::new(self);
                output.present(Some(&program), Sheet::of(|f| summary.write(f)))
            }
            Part::Calls(name) => {
                let functions = self.find(name)?;
                let guesses = Apportioned::new(self, functions);
                output.present(Some(&program), Sheet::of(|f| guesses.write(f)))
            }
            // They need no samples.
            Part::Times { .. } => Err(needs_call_times(self.part.option())),
            Part::Tree { .. }
            | Part::BottomUp { .. }
            | Part::Threads
            | Part::Modules
            | Part::By(_) => {
                let option = self.part.option();
                match &self.source {
                    Source::Data { files, why_no_stacks, .. } => {
                        let why = why_no_stacks.as_deref().unwrap_or_default();
                        Err(needs_stacks(option, why, files.paths()))
                    }
                    Source::Exported(_) => bail!(
                        "{option} needs call stacks, which this profile does not have; gmon run records them"
                    ),
                }
            }
        }
    }

    /// Some of its samples.
    ///
    /// # Errors
    ///
    /// There are none of these.
    pub(super) fn narrowed(self, samples: &Samples) -> Result<Self> {
        let programs = match self.source {
            Source::Data { measurement, .. } => Some(measurement),
            Source::Exported(_) => None,
        };
        Ok(Self { model: samples.narrow(self.model, programs)?, ..self })
    }

    /// The program, as it is shown.
    pub(super) fn program(&self) -> String {
        harmless(&short(Path::new(&self.model.program)).to_string_lossy()).into_owned()
    }

    /// Why there are no calls, and what to do where there is something.
    pub(super) fn why_no_calls(&self) -> (&'static str, Option<&'static str>) {
        match self.source {
            Source::Data { program, .. } => dormant::why_no_calls(program),
            Source::Exported(_) => ("no calls were counted", None),
        }
    }

    /// Tells if the program's hooks were asleep.
    pub(super) fn is_dormant(&self) -> bool {
        matches!(self.source, Source::Data { program, .. } if dormant::is_dormant(program))
    }

    /// The files in words: for people, and what follows `gmon report` for a shell.
    pub(super) fn files(&self) -> (String, String) {
        match &self.source {
            Source::Data { program, files, .. } => {
                let program = short(program);
                let (words, data) = files.words(program);
                (words, format!("{} {data}", quoted(program)))
            }
            Source::Exported(file) => {
                (harmless(&file.to_string_lossy()).into_owned(), quoted(file))
            }
        }
    }

    /// The functions that a user calls so.
    ///
    /// # Errors
    ///
    /// There is none.
    pub(super) fn find(&self, name: &str) -> Result<Vec<FunctionId>> {
        let found = find(&self.model, name);
        if !found.is_empty() {
            return Ok(found);
        }
        let program = self.program();
        if self.model.run.left_alone.iter().any(|it| it == name) {
            bail!(
                "calls of {name} were not counted, as {program} uses its address, too, and no stack has it"
            );
        }
        if self.model.has_stacks() {
            bail!("no function {name} was called or seen on a stack of {program}");
        }
        bail!(
            "no function {name} was called or seen by a sample; gmon report without --calls lists those that were"
        )
    }

    pub(super) fn function(&self, id: FunctionId) -> &Function {
        &self.model.functions[id.index()]
    }

    /// The library of a function; none for one of the program, nor where the function is all of it, as `[kernel]`.
    pub(super) fn library(&self, function: &Function) -> Option<&str> {
        let module = function.module.filter(|module| *module != ModuleId(0))?;
        let module = &self.model.modules[module.index()];
        (function.name != module.path).then(|| module.name())
    }

    /// The name of a function in the words of its source.
    pub(super) fn readable(&self, function: &Function) -> String {
        name_of(function, self.view.naming(self.width.is_some()))
    }

    /// The name of a function for programs, and the shorter one where it stands beside others.
    pub(super) fn forms(&self, function: &Function) -> Vec<String> {
        let short = name_of(function, self.view.naming(true));
        vec![self.readable(function), without_parameters(&short).to_owned()]
    }

    /// The cells of a function's name, of whether it was inlined, and of its module if that is not the program.
    pub(super) fn named(&self, id: FunctionId, is_inlined: bool) -> Vec<Cell> {
        let (names, module) = self.names(id);
        let inlined = if is_inlined { "inlined" } else { "" };
        vec![Cell::Name(names), Cell::text(inlined), Cell::text(module.unwrap_or_default())]
    }

    /// The forms of a function's name, and its module if that is not the program.
    pub(super) fn names(&self, id: FunctionId) -> (Vec<String>, Option<&str>) {
        let function = self.function(id);
        let module = self.library(function).filter(|name| {
            // What is named by its address says it, and what no file has.
            function.name != *name && !self.model.is_nameless(function)
        });
        let fuller = self.width.map(|_| name_of(function, self.view.naming(false)));
        (fuller.into_iter().chain([self.readable(function)]).collect(), module)
    }

    /// A function's name as a line.
    pub(super) fn title(&self, id: FunctionId, is_inlined: bool) -> String {
        let mut table = Table::new(FUNCTION);
        table.rows.push(Row::of(self.named(id, is_inlined)));
        TableFormat::PLAIN.written(&[table], self.width).lines().skip(1).collect()
    }

    /// Writes a sentence, in as many lines as a terminal wants.
    pub(super) fn say(&self, sentence: &str, f: &mut Sheet) -> fmt::Result {
        let width = self.width.unwrap_or(usize::MAX);
        wrapped(sentence, width).try_for_each(|line| writeln!(f, "{line}"))
    }

    /// Says what the first version of exported profiles does not have.
    pub(super) fn say_what_lacks(&self, f: &mut Sheet) -> fmt::Result {
        if !self.model.is_first_version {
            return Ok(());
        }
        self.say(
            "gmon-profile/1 does not tell waits, CPU time of threads, parallel regions, ranks, nor what gprof guesses",
            f,
        )
    }
}

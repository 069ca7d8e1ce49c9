//! `--only` and `--without`: which samples are looked at, by what their stacks hold.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Arg, ArgAction, ArgMatches};
use gmon_analyzer::Measurement;
use gmon_analyzer::profile::{StackChoice, StackPattern};
use gmon_analyzer::selection::Selector;

use super::files::Files;
use super::measured::Measured;
use super::part::Part;
use super::view::View;

/// What the stacks of samples are to hold, and not to hold, as the user wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Samples {
    only: Vec<String>,
    without: Vec<String>,
}

impl Samples {
    /// The options that choose them.
    pub(crate) fn arguments() -> [Arg; 2] {
        let option = |name, help| {
            let option = Arg::new(name).long(name).value_name("SYMSPEC").help(help);
            option.action(ArgAction::Append)
        };
        [
            option(
                "only",
                "Take only samples with such a function anywhere on the stack; repeat it for others",
            ),
            option("without", "Take no samples with such a function anywhere on the stack"),
        ]
    }

    /// What these options choose.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Self {
        let all = |name| arguments.get_many(name).into_iter().flatten().cloned().collect();
        Self { only: all("only"), without: all("without") }
    }

    /// The first option that was given; nothing if all samples are looked at.
    pub(crate) fn option(&self) -> Option<&'static str> {
        match (self.only.as_slice(), self.without.as_slice()) {
            ([], []) => None,
            ([], _) => Some("--without"),
            _ => Some("--only"),
        }
    }

    /// Does nothing if all samples are looked at.
    ///
    /// # Errors
    ///
    /// Some are chosen: of a profile that was exported, in this file, none can be.
    pub(crate) fn refuse_exported(&self, file: &Path) -> Result<()> {
        match self.option() {
            Some(option) => {
                bail!("{option} needs the full profile; {} is an exported one", file.display())
            }
            None => Ok(()),
        }
    }

    /// What the stacks hold, in words.
    pub(super) fn words(&self) -> String {
        let with = (!self.only.is_empty()).then(|| format!("with {}", self.only.join(" or ")));
        let without = self.without.join(" or ");
        let without = (!without.is_empty()).then(|| format!("without {without}"));
        let words: Vec<_> = with.into_iter().chain(without).collect();
        format!("stacks {}", words.join(", "))
    }

    /// Looks only at the samples of a measurement that are meant.
    ///
    /// # Errors
    ///
    /// There is no such function on any stack, or a program is damaged.
    pub(crate) fn narrow(
        &self,
        measurement: Measurement,
        (program, data): (&Path, &[PathBuf]),
        view: View,
    ) -> Result<Measurement> {
        if self.option().is_none() {
            return Ok(measurement);
        }
        let files = Files::new(data);
        let of = (&files, None);
        let all = Measured::new(program, &measurement, of, (&Part::Functions, view), None)?;
        let choice = self.choose(&measurement, &all)?;
        Ok(measurement.of_stacks(&choice))
    }

    /// The stacks of a measurement that are meant; `all` shows the whole of it.
    ///
    /// # Errors
    ///
    /// There is no such function on any stack, or a program is damaged.
    pub(super) fn choose(
        &self,
        measurement: &Measurement,
        all: &Measured<'_>,
    ) -> Result<StackChoice> {
        let pattern = |text: &String| -> Result<StackPattern> {
            // What names a function for --calls does so here.
            let functions = all.find(text);
            if !functions.is_empty() {
                return Ok(StackPattern {
                    functions: functions.into_iter().collect(),
                    callees: None,
                });
            }
            let selector = Selector::parse(text.as_bytes());
            let functions = measurement.stacked_functions(&selector.symbols)?;
            let callees = selector.callees.as_ref();
            let callees = callees.map(|it| measurement.stacked_functions(it)).transpose()?;
            if functions.is_empty() || callees.as_ref().is_some_and(|it| it.is_empty()) {
                bail!("nothing that {text} names was called or seen on a stack");
            }
            Ok(StackPattern { functions, callees })
        };
        let patterns = |texts: &[String]| texts.iter().map(pattern).collect::<Result<Vec<_>>>();
        Ok(StackChoice { only: patterns(&self.only)?, without: patterns(&self.without)? })
    }
}

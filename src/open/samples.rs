//! `--only` and `--without`: which samples are looked at, by what their stacks hold.

use std::path::Path;

use anyhow::{Result, bail};
use clap::{Arg, ArgAction, ArgMatches};
use gmon_analyzer::Measurement;
use gmon_analyzer::profile::{StackChoice, StackPattern};
use gmon_analyzer::selection::Selector;

use crate::named::find;
use crate::naming::Naming;

/// Functions that the stacks of samples are to hold, and not to hold, as the user wrote them.
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

    /// Choice in these options.
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

    /// Description of what the stacks hold.
    pub(crate) fn words(&self) -> String {
        let with = (!self.only.is_empty()).then(|| format!("with {}", self.only.join(" or ")));
        let without = self.without.join(" or ");
        let without = (!without.is_empty()).then(|| format!("without {without}"));
        let words: Vec<_> = with.into_iter().chain(without).collect();
        format!("stacks {}", words.join(", "))
    }

    /// The stacks of a measurement that are meant.
    ///
    /// # Errors
    ///
    /// There is no such function on any stack, or a program is damaged.
    pub(super) fn choose(&self, measurement: &Measurement, naming: Naming) -> Result<StackChoice> {
        let pattern = |text: &String| -> Result<StackPattern> {
            // What names a function for --calls does so here.
            let functions = find(measurement, text, naming.style());
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

//! `--only`, `--without`, `--slower` and the options of [`When`]: which samples are looked at, by what their stacks hold and when they were
//! taken.

use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgAction, ArgMatches};
use gmon_analyzer::model::{Contrast, StackChoice, StackPattern};
use gmon_analyzer::records::{FullRecords, Stretches};
use gmon_analyzer::selection::{Selector, Symspec};
use gmon_analyzer::{Measurement, Model};

use super::slow::Slower;
use super::when::{Times, When};
use crate::command_line::option;
use crate::named::find;

/// Functions that the stacks of samples are to hold, and not to hold, as the user wrote them, and when they were taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Samples {
    only: Vec<String>,
    without: Vec<String>,
    when: When,
    slower: Option<Slower>,
}

impl Samples {
    /// The options that choose them.
    pub(crate) fn arguments() -> [Arg; 7] {
        let [from, to, last, phase] = When::arguments();
        let symbols = |name, help| {
            let option = option(name, "SYMSPEC", help);
            option.action(ArgAction::Append).allow_hyphen_values(true)
        };
        [
            symbols(
                "only",
                "Take only samples with such a function anywhere on the stack; repeat it for others",
            ),
            symbols("without", "Take no samples with such a function anywhere on the stack"),
            from,
            to,
            last,
            phase,
            Slower::argument(),
        ]
    }

    /// Choice in these options.
    pub(crate) fn asked_for(arguments: &ArgMatches) -> Self {
        let all = |name| arguments.get_many(name).into_iter().flatten().cloned().collect();
        let when = When::asked_for(arguments);
        let slower = Slower::asked_for(arguments);
        Self { only: all("only"), without: all("without"), when, slower }
    }

    /// The first option that was given; nothing if all samples are looked at.
    pub(crate) fn option(&self) -> Option<&'static str> {
        let slower = || self.slower.as_ref().map(|_| "--slower");
        self.option_of_stacks().or_else(|| self.when.option()).or_else(slower)
    }

    /// The first option that chooses by stacks.
    pub(super) fn option_of_stacks(&self) -> Option<&'static str> {
        match (self.only.as_slice(), self.without.as_slice()) {
            ([], []) => None,
            ([], _) => Some("--without"),
            _ => Some("--only"),
        }
    }

    /// The option that chooses those of the last time, where there is no other.
    pub(crate) fn last_argument(help: &'static str) -> Arg {
        When::last_argument(help)
    }

    /// The samples that such an option asks for.
    pub(crate) fn last_asked_for(arguments: &ArgMatches) -> Self {
        Self { when: When::last_asked_for(arguments), ..Self::default() }
    }

    /// The interval of their time, if not all of it is meant.
    ///
    /// # Errors
    ///
    /// There are no times, or no sample of that time.
    pub(crate) fn interval_of(&self, records: &FullRecords) -> Result<Option<Stretches>> {
        self.when().map(|when| when.interval(&Times::of_records(records))).transpose()
    }

    /// The samples between two times.
    pub(crate) fn between((from, to): (u64, u64)) -> Self {
        Self { when: When::between(from, to), ..Self::default() }
    }

    /// Takes those of the same stretch of any program of a run, which has these data files: their clock is one.
    pub(crate) fn of_run<'d>(&self, data: impl Iterator<Item = &'d Path>) -> Self {
        Self { when: self.when.of_run(data), ..self.clone() }
    }

    /// The option that chooses those of a phase, where there is no other.
    pub(crate) fn phase_argument(help: &'static str) -> Arg {
        When::phase_argument(help)
    }

    /// The samples of the phases of a name.
    pub(crate) fn in_phase(name: &str) -> Self {
        Self { when: When::in_phase(name), ..Self::default() }
    }

    /// The time of which they are, if not of all.
    pub(super) fn when(&self) -> Option<&When> {
        self.when.option().map(|_| &self.when)
    }

    /// Why nothing is known of calls.
    pub(crate) fn why_no_calls(&self) -> &'static str {
        match self.option_of_stacks() {
            Some(_) => "calls are counted without stacks",
            None => "calls are counted without times",
        }
    }

    /// Description of when they were taken, and what the stacks hold.
    pub(crate) fn words(&self) -> String {
        let with = (!self.only.is_empty()).then(|| format!("with {}", self.only.join(" or ")));
        let without = self.without.join(" or ");
        let without = (!without.is_empty()).then(|| format!("without {without}"));
        let words: Vec<_> = with.into_iter().chain(without).collect();
        let stacks = (!words.is_empty()).then(|| format!("stacks {}", words.join(", ")));
        let when = self.when.words().or_else(|| self.slower.as_ref().map(Slower::words));
        let parts: Vec<_> = when.into_iter().chain(stacks).collect();
        parts.join(", ")
    }

    /// Reads an exported profile, and takes the samples of the time that is meant, as a [`Door`](super::Door) does of data files. If
    /// that is not all, the number of all samples stands beside it.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is not what it should be, or has no sample of that time.
    pub(crate) fn read(&self, file: &Path) -> Result<(Model, Option<u64>)> {
        let model = Model::read(file)?;
        let Some(when) = self.when() else { return Ok((model, None)) };
        let interval = when.interval(&Times::of_model(&model))?;
        let whole = model.sampling.samples;
        Ok((model.during(&interval).unwrap_or(model), Some(whole)))
    }

    /// The samples of a model that have such stacks; all of them if the user chose none. `programs` are those that it was made of, if
    /// they were read.
    ///
    /// # Errors
    ///
    /// There is no such function on any stack, or no stack at all, or a program is damaged.
    pub(crate) fn narrow(&self, model: Model, programs: Option<&Measurement>) -> Result<Model> {
        let model = match &self.slower {
            Some(slower) => slower.samples(&model)?,
            None => model,
        };
        let Some(option) = self.option_of_stacks() else { return Ok(model) };
        if !model.has_stacks() {
            bail!(
                "{option} needs call stacks, which this profile does not have; gmon run records them"
            );
        }
        let choice = self.choose(&model, programs)?;
        Ok(model.narrowed(&choice))
    }

    /// Time in slow calls beside that in others, if these are asked for and nothing else is.
    ///
    /// # Errors
    ///
    /// There are none, or nothing is known of them.
    pub(crate) fn contrast(&self, model: &Model) -> Result<Option<Contrast>> {
        let slower = self.slower.as_ref().filter(|_| self.option_of_stacks().is_none());
        slower.map(|slower| Ok(slower.calls(model)?.contrast())).transpose()
    }

    fn choose(&self, model: &Model, programs: Option<&Measurement>) -> Result<StackChoice> {
        let selected = |text: &str, spec: &Symspec| {
            let Some(programs) = programs else {
                return model.selected(spec).with_context(|| {
                    format!(
                        "{text}: an exported profile does not tell which functions a line belongs to; name a function, or \
                         the program and its data"
                    )
                });
            };
            Ok(model.selected_by(spec, programs)?)
        };
        // What names a function for --calls does so here.
        let named = |text: &str, side: &str, spec: &Symspec| {
            let found = find(model, side);
            if found.is_empty() { selected(text, spec) } else { Ok(found.into_iter().collect()) }
        };
        let pattern = |text: &String| -> Result<StackPattern> {
            let functions = find(model, text);
            if !functions.is_empty() {
                return Ok(StackPattern {
                    functions: functions.into_iter().collect(),
                    callees: None,
                });
            }
            let selector = Selector::parse(text.as_bytes());
            let (caller, callee) = text.split_once('/').unwrap_or((text, ""));
            let functions = named(text, caller, &selector.symbols)?;
            let callees =
                selector.callees.as_ref().map(|it| named(text, callee, it)).transpose()?;
            if functions.is_empty() || callees.as_ref().is_some_and(|it| it.is_empty()) {
                bail!("nothing that {text} names was called or seen on a stack");
            }
            Ok(StackPattern { functions, callees })
        };
        let patterns = |texts: &[String]| texts.iter().map(pattern).collect::<Result<Vec<_>>>();
        Ok(StackChoice { only: patterns(&self.only)?, without: patterns(&self.without)? })
    }
}

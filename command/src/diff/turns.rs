//! `--base-run` and `--new-run`: the commands of both sides, run by turns, so that whatever slows the machine down for
//! a while hits both.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches};
use gmon_analyzer::Model;
use gmon_analyzer::progress::ProgressLine;

use crate::command_line::{option, path_option};
use crate::naming::Naming;
use crate::run::{Repeated, Repetition, Sampling, SeriesFolder};

/// The options.
pub(super) fn arguments() -> Vec<Arg> {
    let side = |name, other, help| {
        option(name, "COMMAND", help)
            .requires_all([other, "runs"])
            .conflicts_with_all(["files", "base", "new"])
    };
    let [runs, warmup] = Repetition::arguments();
    let mut list = vec![
        side(
            "base-run",
            "new-run",
            "Run the base's command, by turns with the new one; its output is dropped",
        ),
        side("new-run", "base-run", "The command of the new side"),
        runs.help("Run each side N times").requires("base-run"),
        warmup.help("Run each side N times before that, without keeping profiles"),
        path_option("data", "FOLDER", "Keep the profiles in FOLDER/base and FOLDER/new")
            .short('d')
            .requires("base-run"),
    ];
    list.extend(Sampling::arguments().map(|option| option.requires("base-run")));
    list
}

/// Two commands to be run by turns.
pub(super) struct Turns {
    commands: [String; 2],
    repetition: Repetition,
    folder: Option<PathBuf>,
    sampling: Sampling,
    naming: Naming,
}

impl Turns {
    /// Turns that the options ask for, if they do.
    pub(super) fn asked_for(arguments: &ArgMatches) -> Option<Self> {
        let command = |name| arguments.get_one::<String>(name).cloned();
        Some(Self {
            commands: [command("base-run")?, command("new-run")?],
            repetition: Repetition::asked_for(arguments)?,
            folder: arguments.get_one::<PathBuf>("data").cloned(),
            sampling: Sampling::asked_for(arguments),
            naming: Naming::asked_for(arguments),
        })
    }

    /// Runs both, and gives the profiles of each. Every other round begins with the other side.
    ///
    /// # Errors
    ///
    /// A run fails, or leaves no profile.
    pub(super) fn take(&self) -> Result<[Vec<Model>; 2]> {
        const NAMES: [&str; 2] = ["base", "new"];
        let Repetition { runs, warmup } = self.repetition;
        let mut folders = Vec::new();
        if let Some(folder) = &self.folder {
            for name in NAMES {
                folders.push(SeriesFolder::new(&folder.join(name), runs)?);
            }
        }
        let [base, new] = &self.commands;
        let side = |text| Repeated::of_shell(text, self.sampling.clone(), self.naming);
        let (mut commands, mut models) = ([side(base)?, side(new)?], [Vec::new(), Vec::new()]);
        let mut progress = ProgressLine::new("gmon: runs of each side");
        for round in 0..warmup + runs {
            progress.update(round as usize, (warmup + runs) as usize);
            for turn in 0..2 {
                let side = (turn + round as usize) % 2;
                let which = || {
                    format!(
                        "run {} of the {} side ({})",
                        round + 1,
                        NAMES[side],
                        self.commands[side]
                    )
                };
                let (model, code) = commands[side].once().with_context(which)?;
                if code != ExitCode::SUCCESS {
                    bail!("{} failed, so nothing is compared", which());
                }
                let Some(run) = (round + 1).checked_sub(warmup).filter(|run| *run > 0) else {
                    continue;
                };
                if let Some(folder) = folders.get(side) {
                    folder.keep(run, &model)?;
                }
                models[side].push(model);
            }
        }
        Ok(models)
    }
}

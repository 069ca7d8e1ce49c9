//! Things to compare: the files of each side, and the profiles in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgAction, ArgMatches};
use gmon_analyzer::Model;

use crate::command_line::{option, path_operand, path_option};
use crate::naming::Naming;
use crate::open::{Door, Samples, any_build, program_of, reading, stretch, unknown};

/// The arguments that name them.
pub(super) fn arguments() -> [Arg; 10] {
    let side = |name, help| path_option(name, "FILE", help).num_args(1..).action(ArgAction::Append);
    let time = |name, help| option(name, "TIME..TIME", help).value_parser(stretch);
    [
        path_operand("files", "FILE", "The base and the new profile").num_args(0..).hide(true),
        side("base", "The base's profiles, each a run").conflicts_with("files").requires("new"),
        side("new", "The new profiles, each a run").conflicts_with("files").requires("base"),
        path_option(
            "base-program",
            "PROGRAM",
            "The program of the base's data files [default: found by their names]",
        ),
        path_option("new-program", "PROGRAM", "The program of the new data files"),
        time("at", "Compare this stretch of one run, as 2s..3s, as the new side")
            .requires("against")
            .conflicts_with_all(["base", "new"]),
        time("against", "The stretch of the same run that is the base").requires("at"),
        Samples::phase_argument("Compare the phases of this name, which the programs marked")
            .conflicts_with_all(["at", "against", "base-run"]),
        option("against-phase", "NAME", "The phases of the same run that are the base")
            .requires("phase")
            .conflicts_with_all(["base", "new"]),
        any_build(),
    ]
}

/// The files of both sides.
pub(super) struct Files {
    sides: [Side; 2],
}

/// The files of a side.
struct Side {
    files: Vec<PathBuf>,
    program: Option<PathBuf>,
    /// The option that names the program.
    option: &'static str,
    any_build: bool,
    samples: Samples,
}

impl Files {
    /// The sides that the arguments name.
    ///
    /// # Errors
    ///
    /// They do not name two sides.
    pub(super) fn asked_for(arguments: &ArgMatches) -> Result<Self> {
        let list = |name: &str| -> Vec<PathBuf> {
            arguments.get_many(name).into_iter().flatten().cloned().collect()
        };
        let commands_only = ["runs", "warmup", "data", "rate"];
        let only = commands_only.into_iter().find(|name| arguments.contains_id(name));
        if let Some(option) = only.filter(|_| !arguments.contains_id("base-run")) {
            bail!("--{option} is for --base-run and --new-run; these profiles are there already");
        }
        let time = |name: &str| arguments.get_one::<(u64, u64)>(name).copied();
        if let (Some((from, to)), Some((at, end))) = (time("against"), time("at")) {
            if from < end && at < to {
                bail!(
                    "the stretches of --against and --at overlap; name two that have no time in common"
                );
            }
        }
        let phase = |name: &str| arguments.get_one::<String>(name).map(|it| Samples::in_phase(it));
        let between = |name| time(name).map(Samples::between);
        let new_part = between("at").or_else(|| phase("phase"));
        let base_part = between("against").or_else(|| phase("against-phase"));
        let is_one = base_part.is_some();
        // One phase is the same in both profiles.
        let base_part = base_part.or_else(|| new_part.clone());
        let [base, new] = match list("files").as_slice() {
            [only] if is_one => [vec![only.clone()], vec![only.clone()]],
            _ if arguments.contains_id("at") => bail!("--at and --against need one profile"),
            _ if is_one => bail!("--against-phase needs one profile"),
            [_] if new_part.is_some() => {
                bail!("say --against-phase NAME, too, or gmon diff --phase NAME BASE NEW")
            }
            [] if arguments.contains_id("base-run") => [Vec::new(), Vec::new()],
            [] if arguments.contains_id("base") => [list("base"), list("new")],
            [base, new] => [vec![base.clone()], vec![new.clone()]],
            [] | [_] => bail!("say gmon diff BASE NEW; see gmon diff --help"),
            _ => bail!("say --base FILE... --new FILE... for several runs of a side"),
        };
        let side = |files, option, samples: Option<Samples>| Side {
            files,
            program: arguments.get_one::<PathBuf>(option).cloned(),
            option,
            any_build: arguments.get_flag("any-build"),
            samples: samples.unwrap_or_default(),
        };
        let base = side(base, "base-program", base_part);
        Ok(Self { sides: [base, side(new, "new-program", new_part)] })
    }

    /// A file that both sides name.
    pub(super) fn on_both_sides(&self) -> Option<&Path> {
        let [base, new] = &self.sides;
        if base.samples != new.samples {
            return None;
        }
        let same = |file: &PathBuf| {
            let real = |path: &Path| fs::canonicalize(path).ok();
            new.files.iter().any(|other| real(file).is_some() && real(other) == real(file))
        };
        base.files.iter().map(PathBuf::as_path).find(|file| same(&file.to_path_buf()))
    }

    /// The stretch of its runs that each side is, in words.
    pub(super) fn stretches(&self) -> [Option<String>; 2] {
        self.sides.each_ref().map(|it| Some(it.samples.words()).filter(|words| !words.is_empty()))
    }

    /// Reads the runs of both sides.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is not what it should be.
    pub(super) fn read(&self, naming: Naming) -> Result<[Vec<Model>; 2]> {
        let [base, new] = &self.sides;
        Ok([base.read(naming)?, new.read(naming)?])
    }
}

impl Side {
    fn read(&self, naming: Naming) -> Result<Vec<Model>> {
        let mut files = Vec::new();
        for file in &self.files {
            if file.is_dir() {
                files.extend(profiles_in(file)?);
            } else {
                files.push(file.clone());
            }
        }
        let real: Vec<_> = files.iter().map(|file| fs::canonicalize(file).ok()).collect();
        let (mut runs, mut progress) = (Vec::with_capacity(files.len()), reading());
        for file in &files {
            progress.update(runs.len(), files.len());
            let run = if Model::is_in(file) {
                self.samples.narrow(self.samples.read(file)?.0, None)?
            } else {
                self.measured(file, naming)?
            };
            check(&run, &runs)
                .and_then(|()| check_named_once(&real[runs.len()], &real[..runs.len()]))
                .with_context(|| file.display().to_string())?;
            runs.push(run);
        }
        Ok(runs)
    }

    /// The profile of a data file, with the call stacks in the full profile beside it.
    fn measured(&self, file: &PathBuf, naming: Naming) -> Result<Model> {
        let shown = file.display();
        fs::metadata(file).with_context(|| shown.to_string())?;
        let Some(program) = self.program.clone().or_else(|| program_of(file)) else {
            let advice = format!("--{} PROGRAM", self.option);
            return Err(unknown(file, &shown.to_string(), &advice));
        };
        let (data, samples) = (slice::from_ref(file), &self.samples);
        let door = Door { program: &program, data, naming, any_build: self.any_build, samples };
        let measurement = door.open()?.measurement;
        Model::new(&measurement, naming.style()).with_context(|| format!("cannot read {shown}"))
    }
}

/// Refuses a run of another program than those before it, and one that was there already: as several runs it would
/// pretend that runs do not differ.
fn check(run: &Model, before: &[Model]) -> Result<()> {
    if let Some(process) = before.iter().find_map(|one| run.process_in_both(one)) {
        bail!("{process} is on this side already; each run counts once");
    }
    let name = run.program_name();
    if let Some(first) = before.first().map(Model::program_name).filter(|first| *first != name) {
        bail!(
            "a profile of {name}, where those before are of {first}; the runs of a side are of one program"
        );
    }
    Ok(())
}

/// Refuses a file that was named already, whatever is known of its process.
fn check_named_once(real: &Option<PathBuf>, before: &[Option<PathBuf>]) -> Result<()> {
    if real.is_some() && before.contains(real) {
        bail!("this file is named twice for one side; each run counts once");
    }
    Ok(())
}

/// The profiles of a series of runs, in their order.
fn profiles_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut profiles = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| folder.display().to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".json") || name.ends_with(".json.gz") {
            profiles.push(path);
        }
    }
    profiles.sort_unstable();
    if profiles.is_empty() {
        bail!(
            "{}: no profiles in JSON are in this folder; gmon run --runs makes such folders",
            folder.display()
        );
    }
    Ok(profiles)
}

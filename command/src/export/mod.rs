//! `gmon export`: a profile in the format of another program, or in our own.
//!
//! ```text
//! options ─→ format, view ─┐
//! input ─→ model ──────────┴→ writer ─→ destination
//! ```

mod destination;
mod fleet;
mod input;
mod options;
mod refusal;

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::{ArgMatches, Command};
use gmon_analyzer::Measurement;
use gmon_analyzer::export::{FORMATS, Need, Threads, View, Writer};
use gmon_analyzer::records::{CodePlace, ModuleId};
use gmon_format::SelfPc;

use crate::naming::Naming;
use crate::open::{self, Samples};
use destination::Destination;
use input::Input;
use options::Wanted;
use refusal::refusal;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("export")
        .display_name("gmon export")
        .about("Writes a profile in the format of another program")
        .override_usage(
            "gmon export [OPTIONS] [PROGRAM] [DATA]...\n       gmon export [OPTIONS] PROFILE.json",
        )
        .args(options::arguments())
        .arg(Naming::argument("plain"))
        .args(open::arguments())
        .args(Samples::arguments())
        .after_help(after_help())
}

fn after_help() -> String {
    let list = FORMATS.iter().map(|format| format!("  {:<16} {}", format.name, format.help));
    format!(
        "Formats:\n{}\n\ngmon export also reads the call stacks in DATA.full beside DATA. folded and speedscope need them; in other \
         formats they replace guesses at the time of callers by measured times. --only and --without need them, too; SYMSPEC is as for \
         gmon report.\n\n\
         Programs built with gmon cc --blocks or gmon run --blocks count executions:\n\
         \n    gmon export --format lcov ./prog > prog.info && genhtml -o html prog.info",
        list.collect::<Vec<_>>().join("\n")
    )
}

/// Reads the profile and writes it.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let wanted = match Wanted::asked_for(arguments) {
        Ok(wanted) => wanted,
        Err(error) => return usage(&error),
    };
    let Wanted { format, view, anonymous, output, .. } = &wanted;
    let fleet = output.as_deref().filter(|path| fleet::is_folder(path));
    if let Some(folder) = fleet.filter(|_| format.name != "jsonl") {
        return usage(&anyhow!(
            "{}: a folder, into which only jsonl goes; name a file",
            folder.display()
        ));
    }
    let destination = Destination::new(output.clone(), format);
    if format.files.by_thread && view.threads == Threads::Split && output.is_none() {
        return usage(&anyhow!("{} has a file for each thread; say -o FILE", format.name));
    }
    if let Some(error) = destination.unsuitable() {
        return usage(&error);
    }
    let input = Input::new(arguments, format)?;
    if let Some(need) = input.missing(format)? {
        bail!("{}: {}", input.name(), refusal(need));
    }
    match format.writer {
        Writer::OfCounts(write) => {
            let measurement = input.measurement()?;
            destination.write(|out| write(measurement, out))?;
        }
        Writer::OfMeasurement(write) => {
            let measurement = input.measurement()?;
            destination.write(|out| write(measurement, out))?;
            say_left_out(measurement);
        }
        Writer::OfModel(write) => {
            let name = input.name();
            let (naming, samples) = (Naming::asked_for(arguments), Samples::asked_for(arguments));
            let mut model = input.into_model(naming.style(), &samples)?;
            if let Some(need) = format.missing_of_model(&model) {
                if samples.option().is_some() && model.sampling.samples == 0 {
                    bail!("{name}: there are no samples of {}", samples.words());
                }
                bail!("{name}: {}", refusal(need));
            }
            let by_thread = format.files.by_thread && view.threads == Threads::Split;
            if by_thread && !model.has_stacks() {
                bail!("{name}: {}", refusal(Need::Stacks));
            }
            if *anonymous {
                model = model.anonymous();
            }
            if let Some(folder) = fleet {
                let path = fleet::place(&model, folder, view.run.as_deref())?;
                let parent = path.parent().unwrap_or(folder);
                fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
                Destination::new(Some(path), format).write(|out| write(&model, view, out))?;
            } else if by_thread {
                for thread in model.sampled_threads() {
                    let view = View { thread: Some(thread), ..view.clone() };
                    let model = model.of_thread(thread);
                    destination.numbered(thread.0 + 1).write(|out| write(&model, &view, out))?;
                }
            } else {
                destination.write(|out| write(&model, view, out))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Says which libraries' functions were called: compilers and linkers get those of the program alone.
fn say_left_out(measurement: &Measurement) {
    let full = measurement.records().full();
    let is_called = |module| {
        let is_its =
            |SelfPc(place)| matches!(place, CodePlace::Module(its, _) if its == ModuleId(module));
        full.program() != Some(ModuleId(module)) && full.arcs().any(|(_, callee, _)| is_its(callee))
    };
    let called = (0..).zip(full.modules()).filter(|(module, _)| is_called(*module));
    let names = called.map(|(_, module)| String::from_utf8_lossy(&module.path));
    let names = names.map(|path| path.rsplit('/').next().unwrap_or_default().to_owned());
    let names: Vec<String> = names.collect();
    if !names.is_empty() {
        let names = names.join(", ");
        crate::say(&anyhow!("the functions of {names} are not in it, only those of the program"));
    }
}

/// Says why the options make no sense.
fn usage(error: &anyhow::Error) -> Result<ExitCode> {
    crate::say(error);
    Ok(ExitCode::from(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clap would begin the rest of a longer line below the name of the format.
    #[test]
    fn each_format_has_one_line_of_help() {
        let help = after_help();
        let (list, _) = help.split_once("\n\n").unwrap();
        assert_eq!(list.lines().count(), 1 + FORMATS.len());
        for line in list.lines() {
            assert!(line.len() <= 80, "{line}");
        }
    }
}

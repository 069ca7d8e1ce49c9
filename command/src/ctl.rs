//! `gmon ctl`: switches the profile of a running program on and off, and looks at it, by way of its live file.

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::builder::NonEmptyStringValueParser;
use clap::{ArgMatches, Command, value_parser};
use gmon_analyzer::records::LiveFile;
use gmon_format::live::{Action, Switch};
use gmon_format::names;

use crate::attached::{self, Attached, Reply};
use crate::command_line::{operand, option, path_operand, path_option};
use crate::dormant;
use crate::open::{Samples, check_output};
use crate::recover::recover_some;
use crate::say;
use crate::text::{counted, grouped};

/// The fastest rate that the runtime takes.
const FASTEST: i64 = 10_000;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("ctl")
        .display_name("gmon ctl")
        .about("Switches the profile of a running program on and off")
        .args([
            path_operand(
                "target",
                "PID|PROGRAM|LIVEFILE",
                "A process, a program by its name, or the file that GMON_OPTIONS=live=FILE named",
            )
            .required(true),
            operand("action", "ACTION", "on, off, snapshot, reset, rate or status")
                .required(true)
                .hide_possible_values(true)
                .value_parser(["on", "off", "snapshot", "reset", "rate", "status"]),
            operand("number", "N", "For rate: samples per second, 1 to 10000")
                .value_parser(value_parser!(u32).range(1..=FASTEST)),
            path_option(
                "output",
                "OUT",
                "For snapshot: write the profile to OUT, replacing it [default: gmon.out, unless it exists]",
            )
            .short('o'),
            Samples::last_argument(
                "For snapshot: take only samples of so much time before the last one",
            ),
            option(
                "hooks",
                "PATTERN,...",
                "For on and off: count calls of these functions, or no longer",
            )
            .allow_hyphen_values(true)
            .value_parser(NonEmptyStringValueParser::new()),
            option(
                "times",
                "PATTERN,...",
                "For on and off: time calls of these functions, or no longer",
            )
            .allow_hyphen_values(true)
            .conflicts_with("hooks")
            .value_parser(NonEmptyStringValueParser::new()),
            option("wait", "SECONDS", "How long to wait until the program has done it")
                .default_value("1")
                .value_parser(value_parser!(u64)),
        ])
        .after_help(
            "The program must have a live file: start it with GMON_OPTIONS=stacks,live=FILE. With \
             GMON_OPTIONS=paused,stacks,live=FILE it counts nothing until gmon ctl PID on.\n\
             \n\
             \u{20} on, off   count, or count no longer; counts stay\n\
             \u{20} snapshot  write the profile so far; the program goes on and need not know;\n\
             \u{20}           --last 10s: of the last ten seconds, with GMON_OPTIONS=record=60s\n\
             \u{20} reset     set all counts to zero\n\
             \u{20} rate N    take N samples a second, and set all counts to zero\n\
             \u{20} status    say whether it counts, and what it has counted\n\
             \n\
             Functions of a program that was built with gmon cc --dormant or cargo gmon --dormant count no calls until \
             on --hooks 'parse_*,mycrate::lex' names them, by linker names or those of the source (* is any text, ? one character); that switches the \
             program on, too. off --hooks lets them sleep again and leaves the program on. on --times 'handle' also takes \
             the time of each call, as gmon run --times does, also in a program built with gmon cc --times; gmon report --times shows them. A call that runs while times \
             are switched has no time.\n\
             \n\
             The program gets no signal. It looks for requests whenever it is sampled: at least once in 50 \
             milliseconds of CPU time. One that only waits does what is asked as soon as it goes on; gmon ctl then \
             says so and ends well. You can steer your own processes only.",
        )
}

/// Does what is asked for.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let target = arguments.get_one::<PathBuf>("target").cloned().unwrap_or_default();
    let word = arguments.get_one::<String>("action").map_or("", String::as_str);
    let number = arguments.get_one::<u32>("number").copied();
    let output = arguments.get_one::<PathBuf>("output");
    output.map_or(Ok(()), |path| check_output(path))?;
    let hooks = arguments.get_one::<String>("hooks");
    match (word, number) {
        ("rate", None) => return refuse("gmon ctl rate needs a number: gmon ctl PID rate 1000"),
        (_, Some(_)) if word != "rate" => {
            return refuse(&format!("gmon ctl {word} takes no number"));
        }
        _ if hooks.is_some() && !["on", "off"].contains(&word) => {
            return refuse("--hooks is for gmon ctl on and off");
        }
        _ if arguments.contains_id("times") && !["on", "off"].contains(&word) => {
            return refuse("--times is for gmon ctl on and off");
        }
        _ if output.is_some() && word != "snapshot" => {
            return refuse("-o is for gmon ctl snapshot");
        }
        _ if arguments.contains_id("last") && word != "snapshot" => {
            return refuse("--last is for gmon ctl snapshot");
        }
        _ => {}
    }
    let attached = find(&target)?;
    let action = match word {
        "on" => Action::On,
        "off" => Action::Off,
        "reset" => Action::Reset,
        "rate" => Action::Rate(number.unwrap_or_default()),
        "snapshot" => {
            let samples = Samples::last_asked_for(arguments);
            return snapshot(&attached, output.map(PathBuf::as_path), &samples);
        }
        _ => return status(&attached),
    };
    let patience = arguments.get_one::<u64>("wait").copied().unwrap_or_default();
    let patience = Duration::from_secs(patience);
    if let Some(hooks) = hooks {
        return switch_functions(&attached, (Functions::Hooks, hooks), action, patience);
    }
    if let Some(times) = arguments.get_one::<String>("times") {
        return switch_functions(&attached, (Functions::Times, times), action, patience);
    }
    let title = attached.title();
    match attached::ask(&attached, action, patience)? {
        Reply::Done => {
            let rate = number.map_or(String::new(), |rate| format!(" {}", grouped(rate.into())));
            writeln!(io::stdout(), "{title}: {word}{rate}")?;
        }
        Reply::Refused => bail!("{title}: its sampler cannot do that; see gmon ctl --help"),
        Reply::Pending => say_pending(&title, word),
    }
    Ok(ExitCode::SUCCESS)
}

fn say_pending(title: &str, word: &str) {
    say(&anyhow!("{}", pending(title, word)));
}

/// Message about a program that has not looked yet.
pub(crate) fn pending(title: &str, word: &str) -> String {
    format!("{title} is idle: {word} takes effect as soon as it uses CPU time")
}

/// A part of functions that is switched.
#[derive(Clone, Copy)]
enum Functions {
    /// Their hooks.
    Hooks,
    /// Times of their calls.
    Times,
}

/// Wakes the hooks of functions, or times their calls, and switches the program on; or ends that.
fn switch_functions(
    attached: &Attached,
    (what, patterns): (Functions, &str),
    action: Action,
    patience: Duration,
) -> Result<ExitCode> {
    let title = attached.title();
    let Some(process) = attached.process else { bail!("{title}: its hooks have gone with it") };
    let (patterns, on) = (dormant::patterns(patterns), action == Action::On);
    let done = match what {
        Functions::Hooks => {
            let functions = dormant::functions(process, &title, &patterns)?;
            say_switched(attached, &functions, on, patience)
        }
        Functions::Times => {
            let functions = dormant::timed(process, &title, &patterns)?;
            say_timed(attached, &functions, on, patience)
        }
    };
    match done? {
        Some(done) => writeln!(io::stdout(), "{done}")?,
        None => say_pending(&title, if on { "on" } else { "off" }),
    }
    Ok(ExitCode::SUCCESS)
}

/// Wakes the hooks of these functions, by their addresses in the program's file, or puts them to sleep: what to say when it is
/// done, or `None` if the program has not looked yet.
///
/// # Errors
/// If it cannot be done.
pub(crate) fn say_switched(
    attached: &Attached,
    functions: &[u32],
    wake: bool,
    patience: Duration,
) -> Result<Option<String>> {
    let reply = attached::ask_hooks(attached, functions, wake, patience)?;
    let why = "the system does not let it change its code";
    say_done(attached, reply, wake, ("hooks", functions.len()), why)
}

/// Times the calls of these functions, or no longer, and says so as [`say_switched`] does.
pub(crate) fn say_timed(
    attached: &Attached,
    functions: &[Range<u32>],
    on: bool,
    patience: Duration,
) -> Result<Option<String>> {
    let reply = attached::ask_times(attached, functions, on, patience)?;
    let why = "the system does not let it change its code, or the processor's clock does not run at one rate";
    say_done(attached, reply, on, ("times", functions.len()), why)
}

fn say_done(
    attached: &Attached,
    reply: Reply,
    on: bool,
    (what, functions): (&str, usize),
    why_refused: &str,
) -> Result<Option<String>> {
    let title = attached.title();
    let word = if on { "on" } else { "off" };
    match reply {
        Reply::Done => {
            let functions = counted(functions as u64, "function");
            Ok(Some(format!("{title}: {word}, {what} of {functions}")))
        }
        Reply::Refused => bail!("{title}: {why_refused}"),
        Reply::Pending => Ok(None),
    }
}

/// Usage that clap does not know to be wrong.
fn refuse(why: &str) -> Result<ExitCode> {
    say(&anyhow!("{why}"));
    Ok(ExitCode::from(2))
}

/// The one program that a word names.
fn find(word: &Path) -> Result<Attached> {
    let mut found = attached::by_word(word)?;
    if let [_, _, ..] = found.as_slice() {
        let ids = found.iter().filter_map(|it| it.process).map(|id| id.to_string());
        let ids = ids.collect::<Vec<_>>().join(", ");
        bail!("several processes are called {}; name one by its number: {ids}", word.display());
    }
    found.pop().ok_or_else(|| anyhow!("{}: no such program", word.display()))
}

/// Writes the profile so far. It is all in the file: the program need not know.
fn snapshot(attached: &Attached, output: Option<&Path>, samples: &Samples) -> Result<ExitCode> {
    let path = output.unwrap_or(Path::new(names::DATA_FILE));
    let contents = recover_some(&attached.path, path, output.is_some(), samples)?;
    writeln!(io::stdout(), "{}: {contents}", path.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Says whether a program counts, and what it has counted.
fn status(attached: &Attached) -> Result<ExitCode> {
    let control = attached::control(attached)?;
    let state = match control.switch {
        _ if attached.process.is_none() => "ended".to_owned(),
        Switch::On => format!("on, {} a second", counted(control.rate.into(), "sample")),
        Switch::Off => "off".to_owned(),
        Switch::Deaf => "on, no samples; cannot be switched off".to_owned(),
    };
    let records = LiveFile::open(&attached.path)?.records()?;
    let calls = records.arcs().iter().fold(0u64, |sum, arc| sum.saturating_add(arc.count));
    let bins = records.histograms().list().iter().flat_map(|histogram| &histogram.bins);
    let samples = bins.fold(0u64, |sum, count| sum.saturating_add(*count));
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {state}", attached.title())?;
    writeln!(
        out,
        "counted  {}, {} in its own code",
        counted(calls, "call"),
        counted(samples, "sample")
    )?;
    if control.hooks != 0 {
        writeln!(out, "hooks    {} awake that sleep otherwise", grouped(control.hooks))?;
    }
    if let Some(timed) = control.timed.filter(|timed| *timed != 0) {
        writeln!(out, "times    of {}", counted(timed.into(), "function"))?;
    }
    writeln!(out, "profile  {}", attached.path.display())?;
    Ok(ExitCode::SUCCESS)
}

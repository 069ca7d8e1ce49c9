//! Wakes the hooks of functions and puts them to sleep, and times their calls, as `gmon ctl --hooks` and `--times` do.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::picture::Process;
use super::subjects::Subject;
use crate::{attached, ctl, dormant};

/// Time that the screen waits until the program has done it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Wakes the hooks of all functions that fit patterns, or puts them to sleep; returns what there is to say.
pub(super) fn switch<'p>(
    processes: impl Iterator<Item = &'p Process>,
    patterns: &str,
    wake: bool,
) -> String {
    let patterns = dormant::patterns(patterns);
    all(processes, |process| {
        let id = process.id.context("the program has ended")?;
        let functions = dormant::functions(id, &process.title(), &patterns)?;
        ask(process, &functions, wake)
    })
}

/// Wakes the hook of a function, or puts it to sleep if it is awake; returns what there is to say.
pub(super) fn switch_one<'p>(
    processes: impl Iterator<Item = &'p Process>,
    subject: &Subject,
) -> String {
    all(processes, |process| {
        let title = process.title();
        let Some(hooks) = &process.hooks else {
            bail!("{title} was not built with --dormant: it has no hooks that sleep");
        };
        let own = own_functions(process, subject)?;
        let functions: Vec<u32> =
            own.iter().map(|(_, address)| *address).filter(|it| hooks.all.has(*it)).collect();
        if functions.is_empty() {
            bail!("{} has no hook: it was not compiled with --dormant", subject.name);
        }
        let is_awake = hooks.functions.iter().any(|it| own.iter().any(|(own, _)| own == it));
        ask(process, &functions, !is_awake)
    })
}

/// Times the calls of a function from now on, or no longer; returns what there is to say.
pub(super) fn time_one<'p>(
    processes: impl Iterator<Item = &'p Process>,
    subject: &Subject,
    on: bool,
) -> String {
    all(processes, |process| {
        let (id, title) = (process.id.context("the program has ended")?, process.title());
        let own = own_functions(process, subject)?;
        let mut functions = dormant::timed(id, &title, &["*"])?;
        functions.retain(|function| own.iter().any(|(_, address)| *address == function.start));
        if functions.is_empty() {
            bail!(
                "{} cannot be timed: build the program with gmon cc --dormant or --times",
                subject.name
            );
        }
        let attached = attached::by_process(id)?;
        let done = ctl::say_timed(&attached, &functions, on, PATIENCE)?;
        let Some(done) = done else { return Ok(ctl::pending(&attached.title(), word(on))) };
        Ok(if on { format!("{done}; l shows them") } else { done })
    })
}

/// Positions and addresses of the program's own functions that are meant.
fn own_functions(process: &Process, subject: &Subject) -> Result<Vec<(u32, u32)>> {
    let Subject { name, module } = subject;
    if !module.is_empty() {
        bail!("{name} is in {module}: only hooks of the program itself can be woken");
    }
    let all = (0..).zip(process.functions.iter());
    let own = all.filter(|(_, function)| function.is_own && function.name == *name);
    let addresses =
        own.filter_map(|(position, it)| Some((position, u32::try_from(it.address?.0).ok()?)));
    Ok(addresses.collect())
}

fn ask(process: &Process, functions: &[u32], wake: bool) -> Result<String> {
    let attached = attached::by_process(process.id.context("the program has ended")?)?;
    let done = ctl::say_switched(&attached, functions, wake, PATIENCE)?;
    Ok(done.unwrap_or_else(|| ctl::pending(&attached.title(), word(wake))))
}

fn word(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// Does something with each process, and says what each time.
fn all<'p>(
    processes: impl Iterator<Item = &'p Process>,
    act: impl Fn(&Process) -> Result<String>,
) -> String {
    let said = processes.map(|process| act(process).unwrap_or_else(|error| format!("{error:#}")));
    said.collect::<Vec<_>>().join("; ")
}

//! Wakes the hooks of functions and puts them to sleep, as `gmon ctl --hooks` does.

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
        let (title, Subject { name, module }) = (process.title(), subject);
        let Some(hooks) = &process.hooks else {
            bail!("{title} was not built with --dormant: it has no hooks that sleep");
        };
        if !module.is_empty() {
            bail!("{name} is in {module}: only hooks of the program itself can be woken");
        }
        let is_it = |position: &u32| {
            let function = process.functions.get(*position as usize);
            function.is_some_and(|function| function.is_own && function.name == *name)
        };
        let positions = (0..process.functions.len() as u32).filter(is_it);
        let addresses = positions.filter_map(|it| process.functions[it as usize].address);
        let addresses = addresses.filter_map(|address| u32::try_from(address.0).ok());
        let functions: Vec<u32> = addresses.filter(|address| hooks.all.has(*address)).collect();
        if functions.is_empty() {
            bail!("{name} has no hook: it was not compiled with --dormant");
        }
        ask(process, &functions, !hooks.functions.iter().any(is_it))
    })
}

fn ask(process: &Process, functions: &[u32], wake: bool) -> Result<String> {
    let attached = attached::by_process(process.id.context("the program has ended")?)?;
    let done = ctl::say_switched(&attached, functions, wake, PATIENCE)?;
    let word = if wake { "on" } else { "off" };
    Ok(done.unwrap_or_else(|| ctl::pending(&attached.title(), word)))
}

/// Does something with each process, and says what each time.
fn all<'p>(
    processes: impl Iterator<Item = &'p Process>,
    act: impl Fn(&Process) -> Result<String>,
) -> String {
    let said = processes.map(|process| act(process).unwrap_or_else(|error| format!("{error:#}")));
    said.collect::<Vec<_>>().join("; ")
}

//! Asks a program to do something, and waits until it has.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use gmon_format::Encoding;
use gmon_format::live::{Action, Control, Request, Switch};
use nix::fcntl::{Flock, FlockArg};

use super::find::Attached;

/// Result of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The request was carried out.
    Done,
    /// The program's way of sampling cannot do it.
    Refused,
    /// The program has not looked yet: it uses no CPU time.
    Pending,
}

/// The program's account of itself.
///
/// # Errors
/// If it says nothing, or cannot hear.
pub(crate) fn control(attached: &Attached) -> Result<Control> {
    let title = attached.title();
    let control = attached.control();
    control.ok_or_else(|| anyhow!("{title} was built with an older gmon, which cannot be steered"))
}

/// Asks for an action and waits so long for the answer.
///
/// # Errors
/// If the program has ended, is another user's, or does not listen.
pub(crate) fn ask(attached: &Attached, action: Action, patience: Duration) -> Result<Reply> {
    ask_with(attached, action, &[], patience)
}

/// Wakes the hooks of functions, by their addresses in the program's file, or puts them to sleep, and waits so long for
/// each answer.
///
/// # Errors
/// As [`ask`], or if it was done for a part of the functions only.
pub(crate) fn ask_hooks(
    attached: &Attached,
    functions: &[u32],
    wake: bool,
    patience: Duration,
) -> Result<Reply> {
    let functions: Vec<[u32; 1]> = functions.iter().map(|it| [*it]).collect();
    ask_listed(attached, &functions, if wake { Action::Wake } else { Action::Sleep }, patience)
}

/// Times the calls of functions, by the first and the last of their addresses in the program's file, or times them no longer, and
/// waits so long for each answer.
///
/// # Errors
/// As [`ask_hooks`], or if the program's runtime cannot do it.
pub(crate) fn ask_times(
    attached: &Attached,
    functions: &[Range<u32>],
    on: bool,
    patience: Duration,
) -> Result<Reply> {
    if control(attached)?.timed.is_none() {
        bail!(
            "{} records no call stacks, without which there are no times: start it with \
             GMON_OPTIONS=stacks,live=FILE. Was it built with an older gmon? Then build it again",
            attached.title()
        );
    }
    let functions: Vec<[u32; 2]> = functions.iter().map(|it| [it.start, it.end]).collect();
    ask_listed(attached, &functions, if on { Action::Time } else { Action::Untime }, patience)
}

/// Does something with functions, each of which is so many numbers of a list, and waits so long for each answer.
fn ask_listed<const NUMBERS: usize>(
    attached: &Attached,
    functions: &[[u32; NUMBERS]],
    action: fn(u32) -> Action,
    patience: Duration,
) -> Result<Reply> {
    let mut done = 0;
    for part in functions.chunks(Control::MOST_LISTED / NUMBERS) {
        let list = part.as_flattened();
        match ask_with(attached, action(list.len() as u32), list, patience)? {
            Reply::Done => done += part.len(),
            Reply::Pending if part.len() < functions.len() => bail!(
                "{} is idle: {done} of {} functions are done; ask again, with a larger --wait",
                attached.title(),
                functions.len()
            ),
            reply => return Ok(reply),
        }
    }
    Ok(Reply::Done)
}

fn ask_with(
    attached: &Attached,
    action: Action,
    list: &[u32],
    patience: Duration,
) -> Result<Reply> {
    let title = attached.title();
    let file = attached.for_requests()?;
    // One at a time. The kernel opens the lock if we are killed.
    let file = Flock::lock(file, FlockArg::LockExclusive)
        .map_err(|(_, error)| anyhow!(error))
        .with_context(|| attached.path.display().to_string())?;
    let encoding = attached.header.encoding;
    heard(attached)?;
    let number = next_number(&file, encoding)?;
    let ask = |word: u64| {
        file.write_all_at(&encoding.u64_bytes(word), Control::REQUEST_AT as u64)
            .with_context(|| attached.path.display().to_string())
    };
    if !list.is_empty() {
        // Nobody is to read one request's list for another one.
        ask(0)?;
        let bytes: Vec<u8> = list.iter().flat_map(|entry| encoding.u32_bytes(*entry)).collect();
        file.write_all_at(&bytes, Control::LIST_AT as u64)
            .with_context(|| attached.path.display().to_string())?;
    }
    ask(Request { number, action }.word())?;
    let begun = Instant::now();
    loop {
        match heard(attached)?.answer {
            answer if answer.number != number => {}
            answer if answer.is_refused => return Ok(Reply::Refused),
            _ => return Ok(Reply::Done),
        }
        if begun.elapsed() >= patience {
            return Ok(Reply::Pending);
        }
        if !attached.is_running() {
            bail!("{title} has ended");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Account of itself of a program that looks for requests. One that is just starting may not know yet that it does
/// not.
fn heard(attached: &Attached) -> Result<Control> {
    let control = control(attached)?;
    if control.switch == Switch::Deaf {
        bail!(
            "{} looks for requests when it is sampled, and takes no samples; start it without \
             GMON_OPTIONS=sampler=none or sampler=profil",
            attached.title()
        );
    }
    Ok(control)
}

/// A number that neither the last request nor the last answer has.
fn next_number(file: &File, encoding: Encoding) -> Result<u32> {
    let mut start = [0; Control::END];
    file.read_exact_at(&mut start, 0)?;
    let asked = Control::request(&start, encoding).map_or(0, |request| request.number);
    let answered = Control::decode(&start, encoding).map_or(0, |control| control.answer.number);
    Ok(asked.max(answered).checked_add(1).unwrap_or(1))
}

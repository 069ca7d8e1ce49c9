//! Looks at the processes again and again, on a thread of its own, and hands each picture to whoever draws it.

use std::path::{Path, PathBuf};
use std::sync::Arc as Shared;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use gmon_analyzer::follow::{Follower, Function};
use gmon_analyzer::records::LiveView;
use gmon_format::FilePc;
use gmon_format::live::Switch;
use rustix::time::{ClockId, clock_gettime};

use super::board::Board;
use super::pace::Pace;
use super::picture::{AwakeHooks, Picture, Process, State, Thread};
use super::strip::Past;
use crate::attached::{self, Attached};
use crate::dormant::Hooks;
use crate::naming::Naming;
use crate::outside::{self, Watch, Watched};

/// Time between questions whether a process still runs.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// A process that is followed.
pub(super) struct Followed {
    attached: Attached,
    follower: Follower,
    executable: PathBuf,
    naming: Naming,
    is_running: bool,
    asked: Instant,
    /// Functions of the last picture, which the next one shares if they are still the same.
    functions: Shared<[Function]>,
    hooks: Option<AwakeHooks>,
    /// Number of hooks awake, and the last request that was carried out, when we saw which are awake.
    switched: Option<(u64, u32)>,
    /// Sampler of a program that does not sample itself.
    watched: Option<Watched>,
    past: Past,
}

/// Samples per second of a program that nobody has prepared.
const RATE: u32 = 1000;

impl Followed {
    /// Begins to follow a program. Its executable is that of the process, unless the user names another.
    pub(super) fn new(attached: Attached, program: Option<&Path>, naming: Naming) -> Result<Self> {
        let (executable, root) = match (program, attached.process) {
            (Some(program), _) => (program.to_owned(), None),
            // Also where it was removed, or lies in a container.
            (None, Some(process)) => {
                let folder = outside::folder_of(process);
                (folder.join("exe"), Some(folder.join("root")))
            }
            (None, None) => (PathBuf::from(&attached.name), None),
        };
        let view = LiveView::new(&attached.path, attached.file.try_clone()?);
        let follower = Follower::new(view, &executable, root.as_deref(), naming.style())?;
        let hooks = attached.process.and_then(Hooks::of);
        let hooks = hooks.map(|hooks| AwakeHooks {
            all: hooks.into(),
            count: 0,
            functions: Shared::default(),
        });
        Ok(Self {
            is_running: attached.process.is_some(),
            attached,
            follower,
            executable,
            naming,
            asked: Instant::now(),
            functions: Shared::new([]),
            hooks,
            switched: None,
            watched: None,
            past: Past::default(),
        })
    }

    /// Begins to sample a program that nobody has prepared.
    pub(super) fn from_outside(process: u32, naming: Naming) -> Result<Self> {
        let watched = Watched::new(process, RATE)?;
        let (file, path) = watched.file()?;
        let attached = Attached::of_file(Some(process), path, file)?;
        let followed = Self::new(attached, None, naming)?;
        Ok(Self { watched: Some(watched), ..followed })
    }

    /// Puts what was sampled into the file that is followed.
    fn look_from_outside(&mut self) {
        let watch = self.watched.as_mut().map_or(Ok(Watch::Running), Watched::write);
        let process = self.attached.process.filter(|_| matches!(watch, Ok(Watch::Replaced)));
        match process.map(|process| Self::from_outside(process, self.naming)) {
            Some(Ok(again)) => self.follow(again),
            _ => self.is_running = matches!(watch, Ok(Watch::Running)),
        }
    }

    /// Looks again. What cannot be read any more stays as it was.
    fn look(&mut self) {
        if self.watched.is_some() {
            if self.is_running {
                self.look_from_outside();
            }
        } else if self.is_running && self.asked.elapsed() >= ASK_AGAIN {
            self.asked = Instant::now();
            self.is_running = self.attached.is_running();
            // Another program may have taken its place.
            let again = self.attached.process.filter(|_| !self.is_running);
            let again = again.and_then(|process| attached::by_process(process).ok());
            let again = again.and_then(|it| Self::new(it, None, self.naming).ok());
            if let Some(again) = again {
                self.follow(again);
            }
        }
        if self.follower.look().is_err() {
            self.is_running = false;
        }
        let used = self.follower.all().now.own as f64 / f64::from(self.follower.rate().max(1));
        self.past.add(self.follower.elapsed(), used);
        self.look_at_hooks();
    }

    /// Follows what has taken the place of the program.
    fn follow(&mut self, again: Self) {
        *self = Self { past: std::mem::take(&mut self.past), ..again };
    }

    /// Looks which hooks are awake, if there may be others.
    fn look_at_hooks(&mut self) {
        let control = self.follower.control();
        let Some((hooks, control)) = self.hooks.as_mut().zip(control) else { return };
        let state = (control.hooks, control.answer.number);
        if !self.is_running || self.switched.replace(state) == Some(state) {
            return;
        }
        hooks.count = control.hooks;
        let bias = self.attached.header.placement.bias;
        let awake = if hooks.count == 0 { Ok(Vec::new()) } else { hooks.all.awake(bias) };
        let awake = awake.unwrap_or_default().into_iter();
        let function = |address: u32| self.follower.function_at(FilePc(address.into()));
        hooks.functions = awake.map(function).collect();
    }

    /// Picture of what is known now.
    fn picture(&mut self) -> Process {
        let switch = self.follower.control().map(|control| control.switch);
        let state = match switch {
            _ if !self.is_running => State::Ended,
            Some(Switch::Off) => State::Off,
            _ => State::On,
        };
        if self.follower.functions().len() != self.functions.len() {
            self.functions = self.follower.functions().into();
        }
        let threads = self.follower.threads().iter().map(|thread| Thread {
            name: match thread.name.as_str() {
                "" => format!("thread {}", thread.id).into(),
                name => format!("{name} ({})", thread.id).into(),
            },
            change: thread.change,
        });
        Process {
            id: self.attached.process,
            name: self.attached.name.clone(),
            state,
            rate: self.follower.rate(),
            elapsed: self.follower.elapsed(),
            has_stacks: self.follower.has_stacks(),
            functions: self.functions.clone(),
            calls: self.follower.calls().clone(),
            counted: self.follower.counted().clone(),
            threads: threads.collect(),
            times: self.follower.times().clone(),
            hooks: self.hooks.clone(),
            all: self.follower.all(),
            past: self.past.clone(),
            live: self.attached.path.clone(),
            executable: self.executable.clone(),
        }
    }
}

/// Looks at all of them, for the picture of this number.
fn look(followed: &mut [Followed], number: u64) -> Picture {
    followed.iter_mut().for_each(Followed::look);
    Picture { processes: followed.iter_mut().map(Followed::picture).collect(), number }
}

/// Looks each `interval`, or as rarely as it must for pictures not to cost more than their share, until the board is closed.
pub(super) fn read(board: &Board, followed: &mut [Followed], interval: Duration) {
    let mut pace = Pace::new(interval, Instant::now());
    let mut used = None;
    for number in 1.. {
        let begun = Instant::now();
        let picture = look(followed, number);
        // With drawing the one before. The first look reads all that was counted until then, and nobody waits for that.
        let before = used.replace(used_by_process());
        let cost = used.zip(before).map_or(Duration::ZERO, |(now, before)| now - before);
        if !board.show(picture, pace.next(begun, cost)) {
            return;
        }
    }
}

/// The CPU time of all threads.
fn used_by_process() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().unwrap_or_default()
}

/// Two looks with some time in between.
pub(super) fn look_twice(followed: &mut [Followed], interval: Duration) -> Picture {
    look(followed, 1);
    thread::sleep(interval);
    look(followed, 2)
}

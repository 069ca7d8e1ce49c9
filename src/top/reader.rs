//! Looks at the processes again and again, on a thread of its own, and hands each picture to whoever draws it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc as Shared;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use gmon_analyzer::follow::{Change, Follower, Function};
use gmon_analyzer::records::LiveView;
use gmon_format::live::Switch;
use parking_lot::{Condvar, Mutex};

use super::picture::{Picture, Process, State, Thread};
use crate::attached::{self, Attached};
use crate::naming::Naming;

/// The part of a processor that looking may take: one of so many.
const SHARE: u32 = 50;

/// How often it is asked whether a process still runs.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// A process that is followed.
pub(super) struct Followed {
    attached: Attached,
    follower: Follower,
    executable: PathBuf,
    naming: Naming,
    is_running: bool,
    asked: Instant,
    /// The functions of the last picture, which the next one shares if there are no more.
    functions: Shared<[Function]>,
}

/// What reader and screen share.
#[derive(Default)]
pub(super) struct Board {
    state: Mutex<BoardState>,
    changed: Condvar,
}

#[derive(Default)]
struct BoardState {
    picture: Shared<Picture>,
    is_closed: bool,
}

impl Followed {
    /// Begins to follow a program. Its executable is that of the process, unless the user names another.
    pub(super) fn new(attached: Attached, program: Option<&Path>, naming: Naming) -> Result<Self> {
        let (executable, root) = match (program, attached.process) {
            (Some(program), _) => (program.to_owned(), None),
            // Also where it was removed, or lies in a container.
            (None, Some(process)) => {
                let folder = Path::new("/proc").join(process.to_string());
                (folder.join("exe"), Some(folder.join("root")))
            }
            (None, None) => (PathBuf::from(&attached.name), None),
        };
        let view = LiveView::new(&attached.path, attached.file.try_clone()?);
        let follower = Follower::new(view, &executable, root.as_deref(), naming.style())?;
        Ok(Self {
            is_running: attached.process.is_some(),
            attached,
            follower,
            executable,
            naming,
            asked: Instant::now(),
            functions: Shared::new([]),
        })
    }

    /// Looks again. What cannot be read any more stays as it was.
    fn look(&mut self) {
        if self.is_running && self.asked.elapsed() >= ASK_AGAIN {
            self.asked = Instant::now();
            self.is_running = self.attached.is_running();
            // Another program may have taken its place.
            let again = self.attached.process.filter(|_| !self.is_running);
            let again = again.and_then(|process| attached::by_process(process).ok());
            let again = again.and_then(|it| Self::new(it, None, self.naming).ok());
            if let Some(again) = again {
                *self = again;
            }
        }
        if self.follower.look().is_err() {
            self.is_running = false;
        }
    }

    fn picture(&mut self) -> Process {
        let switch = self.follower.control().map(|control| control.switch);
        let state = match switch {
            _ if !self.is_running => State::Ended,
            Some(Switch::Off) => State::Off,
            _ => State::On,
        };
        let (functions, changes): (Vec<&Function>, Vec<Change>) = self.follower.functions().unzip();
        if functions.len() != self.functions.len() {
            self.functions = functions.into_iter().cloned().collect();
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
            changes,
            calls: self.follower.calls().to_vec(),
            threads: threads.collect(),
            all: self.follower.all(),
            live: self.attached.path.clone(),
            executable: self.executable.clone(),
        }
    }
}

/// Looks at all of them, for the picture of this number.
pub(super) fn look(followed: &mut [Followed], number: u64) -> Picture {
    followed.iter_mut().for_each(Followed::look);
    Picture { processes: followed.iter_mut().map(Followed::picture).collect(), number }
}

impl Board {
    /// The last picture.
    pub(super) fn picture(&self) -> Shared<Picture> {
        self.state.lock().picture.clone()
    }

    /// Has the reader end.
    pub(super) fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Looks each `interval`, or as rarely as it must not to cost more than its share, until the board is closed.
    pub(super) fn read(&self, followed: &mut [Followed], interval: Duration) {
        for number in 1.. {
            let (begun, used) = (Instant::now(), used());
            let picture = look(followed, number).into();
            let cost = match (used, self::used()) {
                (Some(before), Some(after)) => after.saturating_sub(before),
                _ => begun.elapsed(),
            };
            let mut state = self.state.lock();
            state.picture = picture;
            let next = begun + interval.max(cost * SHARE);
            while !state.is_closed && !self.changed.wait_until(&mut state, next).timed_out() {}
            if state.is_closed {
                return;
            }
        }
    }
}

/// The CPU time of this thread.
fn used() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Two looks with some time in between.
pub(super) fn look_twice(followed: &mut [Followed], interval: Duration) -> Picture {
    look(followed, 1);
    thread::sleep(interval);
    look(followed, 2)
}

//! A process that a thread of its own samples while others look at what was found.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::{Arc as Shared, Weak};
use std::thread;

use anyhow::{Context, Result};
use parking_lot::Mutex;

use super::bells::Bells;
use super::file::LiveFile;
use super::session::{Sampler, Wanted};

/// A process that is sampled until this is dropped.
#[derive(Debug)]
pub(crate) struct Watched {
    sampler: Shared<Mutex<Sampler>>,
    live: LiveFile,
    /// Handle of the same file for readers.
    file: File,
    process: u32,
}

/// State of a process that is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    Running,
    /// Another program has taken its place.
    Replaced,
    Ended,
}

impl Watched {
    /// Begins to sample a process.
    ///
    /// # Errors
    ///
    /// If it is not there, or may not be sampled.
    pub(crate) fn new(process: u32, rate: u32) -> Result<Self> {
        let sampler = Sampler::new(&[process], Wanted { rate, children: false, python: true })?;
        let bells = sampler.bells();
        let sampler = Shared::new(Mutex::new(sampler));
        let file = tempfile::tempfile().context("cannot make a temporary file")?;
        let live = LiveFile::new(file.try_clone()?);
        let weak = Shared::downgrade(&sampler);
        thread::Builder::new().name("sampler".to_owned()).spawn(move || sample(&weak, bells))?;
        let mut watched = Self { sampler, live, file, process };
        watched.write().context("cannot write a temporary file")?;
        Ok(watched)
    }

    /// Puts what was found until now into the file.
    pub(crate) fn write(&mut self) -> io::Result<Watch> {
        let mut sampler = self.sampler.lock();
        sampler.drain();
        let mut processes = std::mem::take(&mut sampler.processes);
        let first = processes.iter_mut().find(|process| process.id == self.process);
        let written = first.map(|process| {
            let watch = match (process.is_replaced, process.ended) {
                (true, _) => Watch::Replaced,
                (false, 0) => Watch::Running,
                _ => Watch::Ended,
            };
            self.live.write(process, &sampler, false).map(|()| watch)
        });
        sampler.processes = processes;
        let is_over = sampler.is_over();
        match written.unwrap_or(Ok(Watch::Ended))? {
            Watch::Running if is_over => Ok(Watch::Ended),
            watch => Ok(watch),
        }
    }

    /// The file, to be read, and a path that leads there as long as this is not dropped.
    pub(crate) fn file(&self) -> io::Result<(File, PathBuf)> {
        let path = format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd());
        Ok((self.file.try_clone()?, path.into()))
    }
}

/// Takes samples out of the kernel's hands until nobody wants them any more.
fn sample(sampler: &Weak<Mutex<Sampler>>, mut bells: Bells) {
    while let Some(sampler) = sampler.upgrade() {
        let pause = {
            let mut sampler = sampler.lock();
            sampler.drain();
            sampler.pause()
        };
        drop(sampler);
        bells.wait(None, pause);
    }
}

//! Names of code that a process made while it was looked at.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use gmon_analyzer::records::NamedCode;

use super::times::{Ticks, now};
use crate::attached::numbers_of;
use crate::made::{Looks, Place, Sources};

/// The maps and dumps of a process.
#[derive(Debug)]
pub(super) struct MadeCode {
    place: Place,
    /// True if our folder of temporary files is the one of the process, too.
    is_here: bool,
    sources: Sources,
    looks: Looks,
    /// Number of addresses, and lengths of the files, when names were given last.
    given: Option<(usize, [Option<u64>; 2])>,
}

impl MadeCode {
    /// Notes all that can be said now of a process, before it ends.
    pub(super) fn of_process(process: u32) -> Self {
        let proc = PathBuf::from(format!("/proc/{process}"));
        let same = |name: &str| {
            let of = |proc: &Path| fs::read_link(proc.join(name)).ok();
            of(&proc).is_some_and(|it| Some(it) == of(Path::new("/proc/self")))
        };
        let user = fs::metadata(&proc).map(|it| it.uid());
        Self {
            is_here: same("root") && same("ns/mnt"),
            place: Place {
                folders: vec![proc.join("root/tmp"), proc.join("cwd/.")],
                process: numbers_of(process).pop().unwrap_or(process.into()),
                user: user.unwrap_or(u32::MAX),
                begun: Ticks::of_process(process).map_or(0, |ticks| ticks.started),
            },
            sources: Sources::default(),
            looks: Vec::new(),
            given: None,
        }
    }

    /// Looks how much the process has told until now.
    pub(super) fn look(&mut self) {
        self.sources.open(&self.place);
        let [Some(len), _] = self.sources.lens() else { return };
        match self.looks.last_mut() {
            Some((time, known)) if *known == len => *time = now(),
            _ => self.looks.push((now(), len)),
        }
    }

    /// The code at these addresses, in ascending order, of a profile that began at a time; none if it was given before.
    pub(super) fn code(&mut self, addresses: &[u64], begun: u64) -> Vec<NamedCode> {
        self.look();
        if self.sources.are_none() && self.is_here {
            // It has ended before we looked.
            self.place.folders = vec![PathBuf::from("/tmp")];
            self.look();
        }
        let now = (addresses.len(), self.sources.lens());
        if self.sources.are_none() || self.given.replace(now) == Some(now) {
            return Vec::new();
        }
        self.sources.code(addresses, &self.looks, begun)
    }
}

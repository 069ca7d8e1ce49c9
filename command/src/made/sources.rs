//! The maps and dumps of a process, and what they say of addresses.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::anyhow;
use gmon_analyzer::records::{Jitdump, Made, NamedCode, needed, perf_map};
use gmon_format::live::CodeKind;
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};

use super::believed::{self, MOST};
use crate::say;

/// Folders in which a process leaves its files, and its number and user there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The folder of maps, and others in which there may be a dump.
    pub(crate) folders: Vec<PathBuf>,
    /// Its number, as it knows it.
    pub(crate) process: u64,
    /// Its user.
    pub(crate) user: u32,
    /// When it began, in nanoseconds since the system started: older files are of an earlier process of this number.
    pub(crate) begun: u64,
}

/// When a map was seen last at a length, by the monotonic clock: what stands behind that was made later.
pub(crate) type Looks = Vec<(u64, u64)>;

/// The files of a process, as far as there are some.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    map: Option<File>,
    dump: Option<File>,
}

impl Sources {
    /// Opens what is there and is not known yet. Says what is there and cannot be believed.
    pub(crate) fn open(&mut self, place: &Place) {
        let Place { folders, process, .. } = place;
        // The root of others is not ours, and a link would lead to our files.
        let is_folder = |path: &&PathBuf| path.symlink_metadata().is_ok_and(|it| !it.is_symlink());
        let mut folders = folders.iter().filter(is_folder);
        if self.map.is_none() {
            let name = format!("perf-{process}.map");
            self.map = folders.clone().next().and_then(|folder| open(&folder.join(name), place));
        }
        if self.dump.is_none() {
            let name = format!("jit-{process}.dump");
            self.dump = folders.find_map(|folder| open(&folder.join(&name), place));
        }
    }

    /// True if there are none.
    pub(crate) fn are_none(&self) -> bool {
        self.map.is_none() && self.dump.is_none()
    }

    /// Lengths of map and dump now.
    pub(crate) fn lens(&self) -> [Option<u64>; 2] {
        [&self.map, &self.dump].map(|file| Some(file.as_ref()?.metadata().ok()?.len()))
    }

    /// The code at these addresses, in ascending order, of a profile that began at a time by the monotonic clock. `looks`
    /// tells what the map had when.
    pub(crate) fn code(&self, addresses: &[u64], looks: &Looks, begun: u64) -> Vec<NamedCode> {
        let read = |file: &Option<File>| file.as_ref().map(believed::read).unwrap_or_default();
        let (map, dump) = (read(&self.map), read(&self.dump));
        let named = |made, addresses: &[u64], kind| {
            let found = needed(made, addresses).into_iter();
            found.map(move |it| NamedCode::new(&it, kind, begun)).collect::<Vec<_>>()
        };
        let dumped = Jitdump::new(&dump).map(|dump| {
            let code: Box<dyn Iterator<Item = Made<'_>>> = Box::new(dump.code());
            named(code, addresses, CodeKind::Jitdump)
        });
        let mut all = dumped.unwrap_or_default();
        let is_known = |pc: &u64| all.iter().any(|it| (it.start..it.end).contains(pc));
        let rest: Vec<u64> = addresses.iter().copied().filter(|pc| !is_known(pc)).collect();
        let mut looks = looks.iter().peekable();
        let mut since = looks.peek().map(|_| 0);
        let mapped = perf_map(&map).map(|(end, made)| {
            while let Some((time, _)) = looks.next_if(|(_, len)| *len < end as u64) {
                since = Some(*time);
            }
            Made { from: since, ..made }
        });
        let mapped: Box<dyn Iterator<Item = Made<'_>>> = Box::new(mapped);
        all.extend(named(mapped, &rest, CodeKind::PerfMap));
        all
    }
}

/// Opens a file of a process, unless it is an earlier one's.
fn open(path: &Path, place: &Place) -> Option<File> {
    match believed::open(path, place.user) {
        Ok(file) => {
            let facts = file.as_ref()?.metadata().ok()?;
            if facts.len() > MOST {
                say(&anyhow!(
                    "warning: {} is longer than {} MB; names behind these are not read",
                    path.display(),
                    MOST >> 20
                ));
            }
            // Clocks of file systems are coarse.
            file.filter(|_| facts.mtime() > since_1970(place.begun).saturating_sub(2))
        }
        Err(error) => {
            say(&error);
            None
        }
    }
}

/// The user of a file.
pub(super) fn user_of(path: &Path) -> Option<u32> {
    Some(fs::metadata(path).ok()?.uid())
}

/// A time since the system started, in nanoseconds, as whole seconds since 1970.
fn since_1970(time: u64) -> i64 {
    let ago = clock(ClockId::CLOCK_BOOTTIME).saturating_sub(time);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(Duration::from_nanos(ago)).as_secs() as i64
}

/// A time since the system started as one by the monotonic clock, which stands still while the system sleeps.
pub(super) fn monotonic(time: u64) -> u64 {
    let all = clock(ClockId::CLOCK_BOOTTIME);
    time.saturating_sub(all.saturating_sub(clock(ClockId::CLOCK_MONOTONIC)))
}

fn clock(clock: ClockId) -> u64 {
    clock_gettime(clock).map_or(0, |time| time.num_nanoseconds().unsigned_abs())
}

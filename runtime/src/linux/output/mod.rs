//! The output file: where it goes, what it is called, and that it appears whole or not at all.
//!
//! *Context:* `begin` startup or hook; the rest exit, on the writer's stack.

mod home;
mod occasion;
mod place;
mod whole_file;

use core::sync::atomic::{AtomicI32, Ordering};

use gmon_system::message;
use gmon_system::path::Path;
use gmon_system::platform::{self, Errno, File};

use crate::linux::ledger;
use place::{Outcome, Place};

pub(crate) use home::{Home, begin, path as start_directory};
pub(crate) use occasion::Occasion;
pub(crate) use whole_file::withdraw;

/// A file that was written.
pub(crate) struct Written {
    place: Place,
    name: Path,
}

impl Written {
    /// Its name as the user can find it.
    pub(crate) fn shown(&self) -> Path {
        self.place.shown(&self.name)
    }

    /// Writes the full profile beside this one, under its name with `.full` behind it. Says so if it cannot. A
    /// device has nothing beside it.
    pub(crate) fn write_beside(
        &self,
        occasion: Occasion,
        mut fill: impl FnMut(&mut File) -> Result<(), Errno>,
    ) {
        let Some(beside) = self.beside() else { return };
        let home = Home::find();
        let result = self.place.directory(&home, &beside.name).and_then(|directory| {
            whole_file::replace_beside(directory, &self.name, &beside.name, occasion, &mut fill)
        });
        if let Err(error) = result {
            say_failed(&beside, error, &[]);
        }
    }

    /// Removes the full profile beside this one, which is of an earlier run.
    pub(crate) fn remove_beside(&self) {
        let Some(beside) = self.beside() else { return };
        if let Ok(directory) = self.place.directory(&Home::find(), &beside.name) {
            whole_file::remove(directory, &beside.name);
        }
    }

    fn beside(&self) -> Option<Self> {
        let name = Path::new(&[self.name.bytes(), whole_file::BESIDE]).ok()?;
        Some(Self { place: self.place, name })
    }
}

/// Writes a file by `fill`, which is called again if a place does not take it. Says so if the file is not where
/// it should be, with the place that took it instead; `None` if none did. Then `instead` says what there
/// is to do.
pub(crate) fn write(
    occasion: Occasion,
    instead: &[&[u8]],
    mut fill: impl FnMut(&mut File) -> Result<(), Errno>,
) -> Option<Written> {
    let home = Home::find();
    let mut failed: Option<(Written, Errno)> = None;
    for place in Place::ALL {
        let Some(mut name) = place.name(&home, occasion) else { continue };
        match place.write(&home, &mut name, occasion, &mut fill) {
            Ok(Outcome::Taken) => {}
            Ok(Outcome::Written) => {
                let written = Written { place, name };
                ledger::written(|| written.shown());
                if let Some((failed, error)) = failed {
                    say_failed(&failed, error, &[b"; the profile is in ", written.shown().bytes()]);
                }
                return Some(written);
            }
            Err(error) => failed = failed.or(Some((Written { place, name }, error))),
        }
    }
    ledger::written(Path::default);
    if let Some((failed, error)) = failed {
        say_failed(&failed, error, instead);
    }
    None
}

/// Says why a file is not where it should be: once for each process, whatever it writes again and again.
#[cold]
#[inline(never)]
fn say_failed(failed: &Written, error: Errno, rest: &[&[u8]]) {
    static SAID_BY: AtomicI32 = AtomicI32::new(0);
    let process = platform::process_id();
    if SAID_BY.swap(process, Ordering::Relaxed) != process {
        message::say_failed("cannot write", failed.shown().bytes(), error, rest);
    }
}

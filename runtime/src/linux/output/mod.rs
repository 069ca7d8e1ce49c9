//! The output file: where it goes, what it is called, and that it appears whole or not at all.
//!
//! *Context:* `begin` startup or hook; the rest exit, on the writer's stack.

mod home;
mod place;
mod whole_file;

use crate::linux::ledger;
use crate::linux::message;
use crate::linux::path::Path;
use crate::linux::platform::{Errno, File};
use place::Place;
use whole_file::Fill;

pub(crate) use home::{Home, begin};
pub(crate) use place::expand;
pub(crate) use whole_file::withdraw;

/// Why the file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// The profile ends, or is wanted as it is now: the same file is replaced each time.
    Profile,
    /// The process is about to become another program, which may write the file of that name too.
    Exec,
}

/// Writes a file by `fill`, which is called again if a place does not take it. What fails is told
/// on the standard error stream, with the place that took it instead. False if none did.
pub(crate) fn write(
    occasion: Occasion,
    mut fill: impl FnMut(&mut File) -> Result<(), Errno>,
) -> bool {
    let home = Home::find();
    let mut places = Place::ALL.as_slice();
    while let Some((place, later)) = places.split_first() {
        if let Some(written) = write_to(*place, later, &home, occasion, &mut fill) {
            return written;
        }
        places = later;
    }
    false
}

/// Writes the file to a place, or, if that does not take it, to a later one; `None` if the place is not
/// for this file.
fn write_to(
    place: Place,
    later: &[Place],
    home: &Home,
    occasion: Occasion,
    fill: &mut Fill<'_>,
) -> Option<bool> {
    let name = place.name(home, occasion)?;
    let result = place.write(home, &name, occasion, fill);
    Some(match result {
        Ok(written) => {
            ledger::written(place.shown(&written).bytes());
            true
        }
        Err(error) => write_elsewhere((place, &name), error, later, home, occasion, fill),
    })
}

/// Writes the file to the first place of `later` that takes it, and tells where it is and why it is not
/// where it was to be.
#[cold]
#[inline(never)]
fn write_elsewhere(
    (failed, name): (Place, &Path),
    error: Errno,
    later: &[Place],
    home: &Home,
    occasion: Occasion,
    fill: &mut Fill<'_>,
) -> bool {
    for place in later {
        let Some(other) = place.name(home, occasion) else { continue };
        if let Ok(written) = place.write(home, &other, occasion, fill) {
            let other = place.shown(&written);
            ledger::written(other.bytes());
            say_failed(&failed.shown(name), error, &[b"; the profile is in ", other.bytes()]);
            return true;
        }
    }
    ledger::written(b"");
    let advice = b"; set GMON_OUT_PREFIX to a path that can be written";
    say_failed(&failed.shown(name), error, &[advice]);
    false
}

fn say_failed(path: &Path, error: Errno, rest: &[&[u8]]) {
    message::say_failed("cannot write", path.bytes(), error, rest);
}

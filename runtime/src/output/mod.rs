//! The output file: where it goes, what it is called, and that it appears whole or not at all.
//!
//! *Context:* `begin` startup or hook; the rest exit, on the writer's stack.

mod home;
mod place;
mod whole_file;

use crate::message;
use crate::path::Path;
use crate::platform::{Errno, File};
use place::Place;

pub(crate) use home::{begin, directory};
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
    let home = directory();
    let mut failed: Option<(Path, Errno)> = None;
    for place in Place::ALL {
        let Some(name) = place.name(home, occasion) else { continue };
        match place.write(home, &name, occasion, &mut fill) {
            Ok(()) => {
                if let Some((failed, error)) = failed {
                    let name = place.shown(&name);
                    say_failed(&failed, error, &[b"; the profile is in ", name.bytes()]);
                }
                return true;
            }
            Err(error) => failed = failed.or_else(|| Some((place.shown(&name), error))),
        }
    }
    if let Some((failed, error)) = failed {
        say_failed(&failed, error, &[b"; set GMON_OUT_PREFIX to a path that can be written"]);
    }
    false
}

fn say_failed(path: &Path, error: Errno, rest: &[&[u8]]) {
    message::say_failed("cannot write", path.bytes(), error, rest);
}

//! The names of this process's files, which follow the rules of [`gmon_format::names`].
//!
//! *Context:* any.

use gmon_format::names::{self, Part, Pattern};

use crate::decimal::Decimal;
use crate::linux::path::Path;
use crate::linux::platform::{self, Errno};
use crate::linux::program::Program;

/// This process's number in decimal.
pub(crate) fn process() -> Decimal {
    Decimal::new(platform::process_id().unsigned_abs().into())
}

/// The name that a pattern stands for.
pub(crate) fn expand(pattern: Pattern<'_>) -> Result<Path, Errno> {
    let mut path = Path::default();
    for part in pattern.parts() {
        match part {
            Part::Text(text) => path.push(text)?,
            Part::Process => path.push(process().as_bytes())?,
            Part::Program => path.push(Program::get().map_or(b"", |program| program.name))?,
        }
    }
    Ok(path)
}

/// The name of this process's own that comes of a base.
pub(crate) fn own(base: &[u8]) -> Result<Path, Errno> {
    Path::new(&names::own(base, process().as_bytes()))
}

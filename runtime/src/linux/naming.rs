//! The names of this process's files, which follow the rules of [`gmon_format::names`].
//!
//! *Context:* any.

use gmon_format::names::{self, Part, Pattern};
use gmon_system::decimal::Decimal;
use gmon_system::environment;
use gmon_system::path::Path;
use gmon_system::platform::{self, Errno};
use gmon_system::program::Program;

/// This process's number in decimal.
pub(crate) fn process() -> Decimal {
    Decimal::new(platform::process_id().unsigned_abs().into())
}

/// This process's rank in a parallel program, in decimal; none if no launcher says that it is in one.
pub(crate) fn rank() -> Option<&'static [u8]> {
    names::rank(|name| environment::variable(name.as_bytes()))
}

/// The name of a data file if nobody says otherwise. Ranks have one each, since they run in one directory at a time.
pub(crate) fn usual() -> Result<Path, Errno> {
    match rank() {
        Some(rank) => Path::new(&names::own(names::DATA_FILE.as_bytes(), rank)),
        None => Path::new(&[names::DATA_FILE.as_bytes()]),
    }
}

/// Appends the name of the machine, as far as it may be in that of a file.
fn push_host(path: &mut Path) -> Result<(), Errno> {
    let mut buffer = [0; 64];
    let file = platform::open(c"/proc/sys/kernel/hostname");
    let len = file.and_then(|mut file| file.read(&mut buffer)).unwrap_or(0);
    let host = buffer.get(..len).unwrap_or_default();
    let end = host.iter().position(|byte| matches!(byte, b'\n' | b'/' | 0));
    path.push(host.get(..end.unwrap_or(len)).unwrap_or_default())
}

/// The name that a pattern stands for.
pub(crate) fn expand(pattern: Pattern<'_>) -> Result<Path, Errno> {
    let mut path = Path::default();
    for part in pattern.parts() {
        match part {
            Part::Text(text) => path.push(text)?,
            Part::Process => path.push(process().as_bytes())?,
            Part::Rank => path.push(rank().unwrap_or(b"0"))?,
            Part::Host => push_host(&mut path)?,
            Part::Variable(name) => path.push(environment::variable(name).unwrap_or_default())?,
            Part::Program => path.push(Program::get().map_or(b"", |program| program.name))?,
        }
    }
    Ok(path)
}

/// The name of this process's own that comes of a base.
pub(crate) fn own(base: &[u8]) -> Result<Path, Errno> {
    Path::new(&names::own(base, process().as_bytes()))
}

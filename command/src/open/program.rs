//! Finds the program that wrote a data file.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gmon_format::live::Live;

use super::sources::full_of;

/// The name that compilers give a program if nobody says otherwise.
const PROGRAM: &str = "a.out";

/// Tells if a file is an ELF file.
pub(crate) fn is_program(path: &Path) -> bool {
    const MAGIC: [u8; 4] = *b"\x7fELF";
    let mut start = [0; MAGIC.len()];
    let read = path.is_file().then(|| File::open(path)?.read_exact(&mut start));
    read.is_some_and(|read| read.is_ok()) && start == MAGIC
}

/// The program that a data file is of, as its full profile says or by its name, if that is there.
pub(crate) fn program_of(data: &Path) -> Option<PathBuf> {
    if let Some(program) = named_in(data) {
        return Some(program);
    }
    let name = data.file_name()?.to_string_lossy();
    let beside = |name: &str| data.with_file_name(name);
    let named = name.strip_prefix("gmon.out.").or(name.strip_suffix(".gmon.out")).map(beside);
    let numbered = name.rsplit_once('.').map(|(name, _)| beside(name));
    let candidates = named.into_iter().chain(numbered).chain([beside(PROGRAM), PROGRAM.into()]);
    candidates.into_iter().find(|path| is_program(path))
}

/// The program that the full profile of a run names, if it is still there: from the current folder on where it lies in that.
pub(super) fn named_in(data: &Path) -> Option<PathBuf> {
    let bytes = fs::read(full_of(data)?).ok()?;
    let live = Live::new(&bytes).ok()?;
    let start = live.header().placement.text.start;
    let module = live.modules().find(|module| module.contains(start))?;
    let program = PathBuf::from(OsStr::from_bytes(module.path));
    let here = env::current_dir().ok()?;
    let program = program.strip_prefix(here).map(Path::to_owned).unwrap_or(program);
    is_program(&program).then_some(program)
}

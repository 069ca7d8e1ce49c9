//! Finds the program that wrote a data file.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow, bail};
use gmon_analyzer::records::LiveFile;
use gmon_format::live::Live;

use super::sources::{full_of, is_full};

/// The name that compilers give a program if nobody says otherwise.
const PROGRAM: &str = "a.out";

/// Tells if a file is an ELF file.
pub(crate) fn is_program(path: &Path) -> bool {
    const MAGIC: [u8; 4] = *b"\x7fELF";
    let mut start = [0; MAGIC.len()];
    let read = path.is_file().then(|| File::open(path)?.read_exact(&mut start));
    read.is_some_and(|read| read.is_ok()) && start == MAGIC
}

/// True for the word by which users name the standard output.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Refuses a file that is not to be written: a program, named by a slip, or the standard output.
///
/// # Errors
///
/// The message says so.
pub(crate) fn check_output(path: &Path) -> Result<()> {
    if is_standard_output(path) {
        bail!("this is written to a file only; ./- is one that is called -");
    }
    if is_program(path) {
        bail!("{} is a program, and stays as it is; name another file to write", path.display());
    }
    Ok(())
}

/// The program that a data file is of, as its full profile says or by its name, if that is there.
pub(crate) fn program_of(data: &Path) -> Option<PathBuf> {
    if let Some(program) = recorded_in(data).filter(|path| is_program(path)) {
        return Some(program);
    }
    let name = data.file_name()?.to_string_lossy();
    let beside = |name: &str| data.with_file_name(name);
    let named = name.strip_prefix("gmon.out.").or(name.strip_suffix(".gmon.out")).map(beside);
    let numbered = name.rsplit_once('.').map(|(name, _)| beside(name));
    let candidates = named.into_iter().chain(numbered).chain([beside(PROGRAM), PROGRAM.into()]);
    candidates.into_iter().find(|path| is_program(path))
}

/// Says that the program of a data file is not there, with its path if a full profile has that.
pub(crate) fn gone(data: &Path) -> String {
    let path = recorded_in(data).map(|path| format!(" ({})", path.display()));
    format!("the program that wrote it is not there any more{}", path.unwrap_or_default())
}

/// Says that nobody knows the program of a data file, and `advice` on how to name one; or that the file is damaged, which no
/// program would mend.
pub(crate) fn unknown(data: &Path, shown: &str, advice: &str) -> Error {
    let read = || LiveFile::open(data).and_then(|file| file.live().map(drop));
    if let Some(Err(damage)) = is_full(data).then(read) {
        return damage.into();
    }
    match recorded_in(data) {
        Some(_) => anyhow!("{shown}: {}; if it has moved, say {advice}", gone(data)),
        None => anyhow!("which program wrote {shown}? Say {advice}"),
    }
}

/// The program that the full profile of a run names: from the current folder on where it lies in that.
pub(super) fn recorded_in(data: &Path) -> Option<PathBuf> {
    let bytes = fs::read(full_of(data)?).ok()?;
    let live = Live::new(&bytes).ok()?;
    let start = live.header().placement.text.start;
    let module = live.modules().find(|module| module.contains(start))?;
    let program = PathBuf::from(OsStr::from_bytes(module.path));
    let here = env::current_dir().ok()?;
    Some(program.strip_prefix(here).map(Path::to_owned).unwrap_or(program))
}

//! Names code in the full profile of a process that has ended.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use gmon_analyzer::records::{LiveFile, nameless};
use gmon_analyzer::sum::{replace_private_file, with_code};
use gmon_format::live::Form;

use super::sources::{Place, Sources, monotonic, user_of};

/// Puts the names of code that was made at run time into a full profile, as far as its process has left a map or a dump.
///
/// # Errors
///
/// The profile cannot be read or written.
pub(crate) fn name_code(profile: &Path) -> Result<()> {
    let is_whole = LiveFile::header_of(profile).is_some_and(|it| it.form == Form::Finished);
    let Some(user) = user_of(profile).filter(|_| is_whole) else { return Ok(()) };
    let file = LiveFile::open(profile)?;
    let live = file.live()?;
    let addresses = nameless(&live);
    if addresses.is_empty() {
        return Ok(());
    }
    let fact = |key| live.facts().find_map(|facts| facts.get(key));
    // Who looks from outside has found more.
    if fact("sampler").is_some_and(|it| it.bytes().eq(*b"outside")) {
        return Ok(());
    }
    let begun = fact("origin").and_then(|origin| origin.number()).unwrap_or(0);
    let directory = fact("directory").map(|path| OsString::from_vec(path.bytes().collect()));
    let folders = [PathBuf::from("/tmp")].into_iter().chain(directory.map(PathBuf::from));
    let process = live.header().process;
    let mut sources = Sources::default();
    sources.open(&Place { folders: folders.collect(), process, user, begun });
    if sources.are_none() {
        return Ok(());
    }
    let code = sources.code(&addresses, &Vec::new(), monotonic(begun));
    if !code.is_empty() {
        let bytes = with_code(file.bytes(), &live, &code);
        replace_private_file(profile, |out| out.write_all(&bytes))?;
    }
    Ok(())
}

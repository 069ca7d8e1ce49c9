//! Makes hooks that sleep of the room that compilers have left for them.
//!
//! Compilers fill it with instructions that do nothing. Those of a hook cost less, and a switch needs to change but one of
//! them. Only now it is known how far `__fentry__` is.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::file::ProgramFile;
use crate::say;
use crate::text::counted;

/// Changes a program that was just linked. What is none, as what `configure` links, stays as it is.
pub(crate) fn put_to_sleep(path: &Path) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let what = || format!("{}: cannot put its hooks to sleep", path.display());
    let data = fs::read(path).with_context(what)?;
    let Some(program) = ProgramFile::read(&data).with_context(what)? else { return Ok(()) };
    let file = OpenOptions::new().write(true).open(path).with_context(what)?;
    let len = program.processor.len;
    let unusual = program.unusual().with_context(what)?;
    let mut too_far = 0;
    for address in program.room().with_context(what)? {
        let is_room = program.code(address).is_some_and(|code| program.processor.is_room(&code));
        let place = program.place(address, len).filter(|_| is_room && !unusual.contains(&address));
        let Some(place) = place else { continue };
        match program.processor.code(address, program.fentry, false) {
            Some(code) => file.write_all_at(&code[..len], place as u64).with_context(what)?,
            None => too_far += 1,
        }
    }
    if too_far != 0 {
        say(&anyhow!(
            "{}: no hooks in {}: the runtime is too far away",
            path.display(),
            counted(too_far, "function")
        ));
    }
    file.write_all_at(&1u32.to_le_bytes(), program.note_at as u64).with_context(what)
}

//! Makes hooks that sleep of the room that compilers have left for them.
//!
//! gcc fills five bytes with five instructions that do nothing; one that is as long costs less, and needs no change of
//! the other bytes when the hook wakes. Only now it is known how far `__fentry__` is.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use anyhow::{Context, Result};
use gmon_format::dormant::{LEN, asleep};

use super::file::ProgramFile;

/// Changes a program that was just linked. What is none, as what `configure` links, stays as it is.
pub(crate) fn put_to_sleep(path: &Path) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let what = || format!("{}: cannot put its hooks to sleep", path.display());
    let data = fs::read(path).with_context(what)?;
    let Some(program) = ProgramFile::read(&data).with_context(what)? else { return Ok(()) };
    let file = OpenOptions::new().write(true).open(path).with_context(what)?;
    for address in program.room().with_context(what)? {
        let Some(place) = program.place(address, LEN) else { continue };
        let is_room = program.code(address).is_some_and(is_room);
        if let Some(hook) = asleep(address, program.fentry).filter(|_| is_room) {
            file.write_all_at(&hook, place as u64).with_context(what)?;
        }
    }
    file.write_all_at(&1u32.to_le_bytes(), program.note_at as u64).with_context(what)
}

/// Whether nothing stands there yet: five times `nop` by gcc, one `nopl` by clang.
fn is_room(bytes: [u8; LEN]) -> bool {
    bytes == [0x90; LEN] || bytes.starts_with(&[0x0f, 0x1f, 0x44, 0x00])
}

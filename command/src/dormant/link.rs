//! Makes hooks that sleep of the room that compilers have left for them.
//!
//! Compilers fill it with instructions that do nothing. Those of a hook cost less, and a switch needs to change but one of
//! them. Only now it is known how far `__fentry__` is.
//!
//! Exits are jumps to a function that takes the time and returns, or room for such. Asleep they return by themselves.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use gmon_format::dormant::{Exits, Processor, RETURN};
use object::{Architecture, Object, ObjectKind, ObjectSection, ObjectSymbol, SectionKind};

use super::file::ProgramFile;
use crate::say;
use crate::text::counted;

/// Changes a program that was just linked, or the exits of a shared library. What is none, as what `configure` links, stays
/// as it is.
pub(crate) fn put_to_sleep(path: &Path) -> Result<()> {
    if !path.exists() {
        bail!("no {} was linked: its hooks cannot be put to sleep", path.display());
    }
    if !path.is_file() {
        return Ok(());
    }
    let what = || format!("{}: cannot put its hooks to sleep", path.display());
    let data = fs::read(path).with_context(what)?;
    let Some(program) = ProgramFile::read(&data).with_context(what)? else {
        return of_library(path, &data).with_context(what);
    };
    let file = OpenOptions::new().write(true).open(path).with_context(what)?;
    if let Some((Exits { exit, .. }, target)) = program.exits() {
        for address in program.exit_rooms() {
            let Some(place) = program.place(address, exit.len) else { continue };
            // One that is too far from the runtime goes on as it is, and is none.
            let Some(code) = exit.code(address, target, false) else { continue };
            file.write_all_at(&code[..exit.len], place as u64).with_context(what)?;
        }
    }
    let hook = &program.processor.hook;
    let unusual = program.unusual().with_context(what)?;
    let mut too_far = 0;
    for address in program.room().with_context(what)? {
        let is_room = program.code(address).is_some_and(|code| program.processor.is_room(&code));
        let place =
            program.place(address, hook.len).filter(|_| is_room && !unusual.contains(&address));
        let Some(place) = place else { continue };
        match hook.code(address, program.fentry, false) {
            Some(code) => file.write_all_at(&code[..hook.len], place as u64).with_context(what)?,
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

/// Has the exits of a shared library return by themselves for good: there is no runtime in it that could wake them. In one
/// that was stripped they stay jumps to what returns.
fn of_library(path: &Path, data: &[u8]) -> Result<()> {
    let Ok(library) = object::File::parse(data) else { return Ok(()) };
    if library.kind() != ObjectKind::Dynamic || library.architecture() != Architecture::X86_64 {
        return Ok(());
    }
    let (Some(exits), Some(target)) =
        (Processor::X86_64.exits, library.symbols().find(|it| it.name() == Ok(RETURN)))
    else {
        return Ok(());
    };
    let file = OpenOptions::new().write(true).open(path)?;
    for section in library.sections().filter(|section| section.kind() == SectionKind::Text) {
        let (Some((at, _)), start) = (section.file_range(), section.address()) else { continue };
        for address in exits.places(section.data()?, start, target.address()) {
            let Some(code) = exits.exit.code(address, target.address(), false) else { continue };
            file.write_all_at(&code[..exits.exit.len], at + (address - start))?;
        }
    }
    Ok(())
}

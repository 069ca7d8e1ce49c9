//! Finds the files that debug information was moved to.
//!
//! A program names its file in two ways (GDB manual, "Debugging Information in Separate Files"): by a
//! number that the linker gave the program, under which distributions install such files, and by a
//! file name with a checksum.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use object::Object;

use super::file::DebugFile;

/// Where distributions install debug information.
const SYSTEM: &str = "/usr/lib/debug";

/// The file with the debug information of the program at `path`.
pub(super) fn find(path: &Path, program: &[u8]) -> Option<DebugFile> {
    find_below(Path::new(SYSTEM), path, program)
}

/// The same with another directory in the place of [`SYSTEM`].
fn find_below(system: &Path, path: &Path, program: &[u8]) -> Option<DebugFile> {
    let elf = object::File::parse(program).ok()?;
    let has_sections = |bytes: &Vec<u8>| object::File::parse(&**bytes).is_ok();
    if let Ok(Some(id)) = elf.build_id() {
        let file = read(by_build_id(system, id)?, |bytes| has_build_id(bytes, id));
        if file.is_some() {
            return file;
        }
    }
    let (name, checksum) = elf.gnu_debuglink().ok()??;
    let name = Path::new(OsStr::from_bytes(name));
    let path = fs::canonicalize(path).ok()?;
    let directory = path.parent()?;
    let places = [
        directory.join(name),
        directory.join(".debug").join(name),
        system.join(directory.strip_prefix("/").ok()?).join(name),
    ];
    places
        .into_iter()
        .filter(|place| *place != path)
        .find_map(|place| read(place, |bytes| crc32(bytes) == checksum && has_sections(bytes)))
}

/// The file that `file` at `path` shares debug information with.
pub(super) fn find_supplement(path: &Path, file: &[u8]) -> Option<DebugFile> {
    let elf = object::File::parse(file).ok()?;
    let (name, id) = elf.gnu_debugaltlink().ok()??;
    let path = fs::canonicalize(path).ok()?;
    let beside = path.parent()?.join(OsStr::from_bytes(name));
    let places = [Some(beside), by_build_id(Path::new(SYSTEM), id)];
    places.into_iter().flatten().find_map(|place| read(place, |bytes| has_build_id(bytes, id)))
}

/// The place of the file for a program of this number.
fn by_build_id(system: &Path, id: &[u8]) -> Option<PathBuf> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (first, rest) = id.split_first()?;
    Some(system.join(".build-id").join(hex(&[*first])).join(hex(rest) + ".debug"))
}

/// Reads a file, if there is one and it is the right one.
fn read(path: PathBuf, is_right: impl Fn(&Vec<u8>) -> bool) -> Option<DebugFile> {
    // A pipe could make this wait forever.
    let is_file = fs::metadata(&path).is_ok_and(|file| file.is_file());
    let bytes = is_file.then(|| fs::read(&path).ok()).flatten().filter(is_right)?;
    Some(DebugFile::new(path, bytes))
}

fn has_build_id(bytes: &[u8], id: &[u8]) -> bool {
    object::File::parse(bytes).is_ok_and(|elf| elf.build_id() == Ok(Some(id)))
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

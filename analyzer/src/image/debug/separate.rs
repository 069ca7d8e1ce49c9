//! Finds the files that debug information was moved to.
//!
//! A program names its file in two ways (GDB manual, "Debugging Information in Separate Files"): by a
//! number that the linker gave the program, under which distributions install such files, and by a
//! file name with a checksum. They are looked for where GNU gprof looks, and beside the program itself
//! if it was called by a symbolic link.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use gimli::{EndianSlice, LittleEndian, Reader as _};
use object::{Object, ObjectSection as _};

use super::file::DebugFile;

/// Places to look for debug information that was split off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::image) enum DebugPlaces {
    /// Places of GNU gprof.
    Gnu,
    /// Also what debuginfod's client fetched earlier.
    All,
}

/// Folders in which distributions install debug information.
const SYSTEM: [&str; 2] = ["/usr/lib/debug", "/usr/lib/debug/usr"];

/// The file with the debug information of the program at `path`.
pub(super) fn find(path: &Path, program: &[u8], wanted: DebugPlaces) -> Option<DebugFile> {
    let elf = object::File::parse(program).ok()?;
    let id = elf.build_id().ok().flatten();
    let linked = || {
        let (name, checksum) = elf.gnu_debuglink().ok()??;
        let is_right =
            |bytes: &[u8]| crc32(bytes) == checksum && object::File::parse(bytes).is_ok();
        places(path, name).into_iter().find_map(|place| read(place, is_right))
    };
    let fetched = || match wanted {
        DebugPlaces::Gnu => None,
        DebugPlaces::All => fetched(&fetched_files()?, id?),
    };
    id.and_then(by_build_id).or_else(linked).or_else(fetched)
}

/// The folder in which debuginfod's client keeps what it fetched (manual page `debuginfod_find_debuginfo`, "CACHE").
fn fetched_files() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    folder("DEBUGINFOD_CACHE_PATH")
        .or_else(|| Some(folder("XDG_CACHE_HOME")?.join("debuginfod_client")))
        .or_else(|| Some(folder("HOME")?.join(".cache/debuginfod_client")))
}

/// The file for a program of this number among those that were fetched.
fn fetched(files: &Path, id: &[u8]) -> Option<DebugFile> {
    read(files.join(hex(id)).join("debuginfo"), |bytes| has_build_id(bytes, id))
}

/// The file that `file` at `path` shares debug information with.
pub(super) fn find_supplement(path: &Path, file: &[u8]) -> Option<DebugFile> {
    let elf = object::File::parse(file).ok()?;
    if let Some(link) = Supplement::of(file).filter(|link| !link.is_itself) {
        let is_right = |bytes: &[u8]| {
            Supplement::of(bytes).is_some_and(|it| it.is_itself && it.checksum == link.checksum)
        };
        return places(path, link.name).into_iter().find_map(|place| read(place, is_right));
    }
    let (name, id) = elf.gnu_debugaltlink().ok()??;
    let mut places = places(path, name).into_iter();
    places
        .find_map(|place| read(place, |bytes| has_build_id(bytes, id)))
        .or_else(|| by_build_id(id))
}

/// The section `.debug_sup` (DWARF 5, 7.3.6).
struct Supplement<'a> {
    /// True in the file that others share.
    is_itself: bool,
    /// That file.
    name: &'a [u8],
    checksum: &'a [u8],
}

impl<'a> Supplement<'a> {
    fn of(file: &'a [u8]) -> Option<Self> {
        let elf = object::File::parse(file).ok()?;
        let bytes = elf.section_by_name(".debug_sup")?.data().ok()?;
        // It has no numbers in the order of the machine but the version.
        let mut rest = EndianSlice::new(bytes.get(2..)?, LittleEndian);
        let is_itself = rest.read_u8().ok()? == 1;
        let name = rest.read_null_terminated_slice().ok()?.slice();
        let len = usize::try_from(rest.read_uleb128().ok()?).ok()?;
        Some(Self { is_itself, name, checksum: rest.slice().get(..len)? })
    }
}

/// The places of the file that the program at `path` names.
fn places(path: &Path, name: &[u8]) -> Vec<PathBuf> {
    let name = Path::new(OsStr::from_bytes(name));
    let beside = |path: &Path| {
        let directory = path.parent().unwrap_or(path);
        [directory.join(name), directory.join(".debug").join(name)]
    };
    let Ok(canonical) = fs::canonicalize(path) else { return Vec::new() };
    let below = canonical.strip_prefix("/").unwrap_or(&canonical);
    let system = SYSTEM.map(|system| Path::new(system).join(below).with_file_name(name));
    let places = [beside(path), system, beside(&canonical)].concat();
    // A program that names itself has none.
    places.into_iter().filter(|place| *place != path && *place != canonical).collect()
}

/// The file for a program of this number.
fn by_build_id(id: &[u8]) -> Option<DebugFile> {
    let (first, rest) = id.split_first()?;
    let name = Path::new(".build-id").join(hex(&[*first])).join(hex(rest) + ".debug");
    // The first two are in the current directory, not in that of the program.
    let directories = ["", ".debug"].into_iter().chain(SYSTEM);
    let mut places = directories.map(|directory| Path::new(directory).join(&name));
    places.find_map(|place| read(place, |bytes| has_build_id(bytes, id)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a file, if there is one and it is the right one.
fn read(path: PathBuf, is_right: impl Fn(&[u8]) -> bool) -> Option<DebugFile> {
    // A pipe could make this wait forever.
    let is_file = fs::metadata(&path).is_ok_and(|file| file.is_file());
    let bytes = is_file.then(|| fs::read(&path).ok()).flatten()?;
    is_right(&bytes).then(|| DebugFile::new(path, bytes))
}

fn has_build_id(bytes: &[u8], id: &[u8]) -> bool {
    object::File::parse(bytes).is_ok_and(|elf| elf.build_id() == Ok(Some(id)))
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

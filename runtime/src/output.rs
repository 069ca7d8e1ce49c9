//! The output file: where it goes, what it is called, and that it appears whole or not at all.
//!
//! The directory is opened when the profile starts: a program may change its directory, its root or
//! its rights before it ends.
//!
//! *Context:* `begin` startup or hook; `write` exit, on the writer's stack.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64, Ordering};

use once_cell::race::OnceRef;

use crate::environment;
use crate::message::{self, Decimal};
use crate::options::Options;
use crate::path::Path;
use crate::platform::{self, Directory, Errno, File, Identity};
use crate::process;
use crate::program::Program;
use crate::region::Region;

/// Why the file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// The profile ends, or is wanted as it is now: the same file is replaced each time.
    Profile,
    /// The process is about to become another program, which may write the file of that name too.
    Exec,
}

/// Where the profile started.
struct Start {
    path: Option<Path>,
    identity: Option<Identity>,
    /// By the clock that dates files.
    time: i128,
}

static START: OnceRef<'static, Start> = OnceRef::new();

/// The open directory, which the program may close behind our back.
static DIRECTORY: AtomicI32 = AtomicI32::new(Directory::NONE.0);

/// Inode of the file that this process wrote last; 0 before it did.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Opens the directory that the file will be written to. Once is enough.
pub(crate) fn begin() {
    if START.get().is_some() {
        return;
    }
    let Some(region) = Region::map(size_of::<Start>()) else { return };
    let directory = Directory::open(c".").unwrap_or(Directory::NONE);
    DIRECTORY.store(directory.0, Ordering::Release);
    let start = region.place(Start {
        path: Path::current_directory(),
        identity: directory.identity().ok(),
        time: platform::file_time(),
    });
    _ = START.set(start);
}

/// The directory that the profile started in, or, if it cannot be reached any more, the current.
fn directory() -> Directory {
    let Some(start) = START.get() else { return Directory::CURRENT };
    let opened = Directory(DIRECTORY.load(Ordering::Acquire));
    // A program that closes all descriptors closes ours too, and may have got its number again for
    // something else.
    if opened.identity().ok().is_some_and(|identity| Some(identity) == start.identity) {
        return opened;
    }
    let again = start.path.as_ref().and_then(|path| Directory::open(path.as_c_str()).ok());
    if let Some(again) = again {
        DIRECTORY.store(again.0, Ordering::Release);
    }
    again.unwrap_or(Directory::CURRENT)
}

/// The places for a file, in the order in which they are tried.
#[derive(Clone, Copy)]
enum Choice {
    /// What the user named: by the option `out`, or by glibc's `GMON_OUT_PREFIX`.
    Named,
    /// The directory that the profile started in.
    Home,
    /// The current directory.
    Current,
    /// The directory for temporary files.
    Temporary,
}

/// Writes a file by `fill`, which is called again if a place does not take it. What fails is told
/// on the standard error stream, with the place that took it instead. False if none did.
pub(crate) fn write(
    occasion: Occasion,
    mut fill: impl FnMut(&mut File) -> Result<(), Errno>,
) -> bool {
    let home = directory();
    let mut failed = None;
    for choice in [Choice::Named, Choice::Home, Choice::Current, Choice::Temporary] {
        let Some(name) = choice.name(home, occasion) else { continue };
        let directory = choice.directory(home);
        let written = match occasion {
            Occasion::Profile => replace(directory, &name, &mut fill),
            Occasion::Exec => add(directory, &name, &mut fill),
        };
        match (written, failed) {
            (Ok(()), None) => return true,
            (Ok(()), Some((failed, error))) => {
                let name = choice.shown(&name);
                say_failed(&failed, error, &[b"; the profile is in ", name.bytes()]);
                return true;
            }
            (Err(error), first) => failed = first.or(Some((choice.shown(&name), error))),
        }
    }
    if let Some((failed, error)) = failed {
        say_failed(&failed, error, &[b"; set GMON_OUT_PREFIX to a path that can be written"]);
    }
    false
}

impl Choice {
    fn directory(self, home: Directory) -> Directory {
        match self {
            Self::Named | Self::Home => home,
            Self::Current | Self::Temporary => Directory::CURRENT,
        }
    }

    /// The name of the file there; `None` if there is nothing to try.
    fn name(self, home: Directory, occasion: Occasion) -> Option<Path> {
        let pid = Decimal::new(platform::process_id().unsigned_abs().into());
        let pid = pid.as_bytes();
        match self {
            Self::Named => {
                let pattern = Options::get().out.bytes();
                if !pattern.is_empty() {
                    return expand(pattern, pid).ok();
                }
                let prefix = environment::variable(b"GMON_OUT_PREFIX")?;
                Path::new(&[prefix, b".", pid]).ok()
            }
            Self::Home if occasion == Occasion::Profile && is_free(home) => Path::new(&[NAME]).ok(),
            Self::Current if Directory::CURRENT.identity() == home.identity() => None,
            Self::Home | Self::Current => Path::new(&[NAME, b".", pid]).ok(),
            Self::Temporary => Path::new(&[b"/tmp/", NAME, b".", pid]).ok(),
        }
    }

    /// A name as the user can find it.
    fn shown(self, name: &Path) -> Path {
        let directory = match self {
            _ if name.bytes().starts_with(b"/") => None,
            Self::Named | Self::Home => START.get().and_then(|start| start.path.as_ref()),
            Self::Current | Self::Temporary => None,
        };
        let current = Path::current_directory();
        let directory = directory.or(current.as_ref().filter(|_| !name.bytes().starts_with(b"/")));
        let parts = directory.map_or([&b""[..], b"", name.bytes()], |directory| {
            [directory.bytes(), b"/", name.bytes()]
        });
        Path::new(&parts).unwrap_or_default()
    }
}

/// What the file is called if nobody says otherwise.
const NAME: &[u8] = b"gmon.out";

/// Whether `gmon.out` is this process's to write: not that of a process whose child this is, and
/// not one that another process has written since this one started.
fn is_free(home: Directory) -> bool {
    if process::is_child() || process::parent_is_profiled() {
        return false;
    }
    let Ok(existing) = platform::status(home, c"gmon.out") else { return true };
    let started = START.get().map_or(i128::MAX, |start| start.time);
    existing.written <= started || existing.identity.inode == WRITTEN.load(Ordering::Acquire)
}

/// Replaces in a pattern `%p` by the process id, `%e` by the name of the program's file and `%%`
/// by `%`.
fn expand(pattern: &[u8], pid: &[u8]) -> Result<Path, Errno> {
    let mut path = Path::default();
    let mut bytes = pattern.iter();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.as_slice().first()) {
            (b'%', Some(b'p')) => path.push(pid)?,
            (b'%', Some(b'e')) => path.push(Program::get().map_or(b"", |program| program.name))?,
            (b'%', Some(b'%')) => path.push(b"%")?,
            _ => {
                path.push(&[*byte])?;
                continue;
            }
        }
        bytes.next();
    }
    Ok(path)
}

/// Writes the file under a temporary name and renames it, so that no reader ever sees half of it
/// and a symbolic link is replaced, not followed. Where the directory takes no new file, an
/// existing file is written in place.
fn replace(
    directory: Directory,
    path: &Path,
    fill: &mut impl FnMut(&mut File) -> Result<(), Errno>,
) -> Result<(), Errno> {
    match Temporary::write(directory, path, fill) {
        Ok(temporary) => temporary.publish(path, false),
        Err(error @ Errno(libc::EACCES | libc::EROFS | libc::EPERM)) => {
            let mut file =
                platform::create(directory, path.as_c_str(), libc::O_TRUNC).map_err(|_| error)?;
            fill(&mut file)?;
            file.close()
        }
        Err(error) => Err(error),
    }
}

/// Writes the file under the first of the names `path.exec1`, `path.exec2`… that is free.
fn add(
    directory: Directory,
    path: &Path,
    fill: &mut impl FnMut(&mut File) -> Result<(), Errno>,
) -> Result<(), Errno> {
    const TRIES: u64 = 1000;
    let temporary = Temporary::write(directory, path, fill)?;
    let mut result = Err(Errno(libc::EEXIST));
    for n in 1..=TRIES {
        let name = Path::new(&[path.bytes(), b".exec", Decimal::new(n).as_bytes()])?;
        result = temporary.publish(&name, true);
        if result != Err(Errno(libc::EEXIST)) {
            remember(directory, name);
            break;
        }
    }
    result
}

/// The file that [`add`] wrote last.
static ADDED: AtomicPtr<(Directory, Path)> = AtomicPtr::new(null_mut());

fn remember(directory: Directory, name: Path) {
    if let Some(region) = Region::map(size_of::<(Directory, Path)>()) {
        let added = core::ptr::from_ref(region.place((directory, name))).cast_mut();
        ADDED.store(added, Ordering::Release);
    }
}

/// Removes the file that was written for [`Occasion::Exec`]: the program was not replaced.
pub(crate) fn withdraw() {
    let added = ADDED.swap(null_mut(), Ordering::AcqRel);
    // SAFETY: null, or what `remember` placed in memory that is never unmapped.
    if let Some((directory, name)) = unsafe { added.as_ref() } {
        platform::unlink(*directory, name.as_c_str());
    }
}

/// A whole file whose name is not its last. Without [`publish`](Self::publish) it is removed.
struct Temporary {
    directory: Directory,
    name: Path,
}

impl Temporary {
    fn write(
        directory: Directory,
        path: &Path,
        fill: &mut impl FnMut(&mut File) -> Result<(), Errno>,
    ) -> Result<Self, Errno> {
        let pid = Decimal::new(platform::process_id().unsigned_abs().into());
        let name = Path::new(&[path.bytes(), b".", pid.as_bytes(), b".tmp"])?;
        // What lies there is a leftover of an earlier process of this number.
        platform::unlink(directory, name.as_c_str());
        let mut file = platform::create(directory, name.as_c_str(), libc::O_EXCL)?;
        let temporary = Self { directory, name };
        fill(&mut file)?;
        file.close()?;
        Ok(temporary)
    }

    fn publish(&self, path: &Path, keep: bool) -> Result<(), Errno> {
        let status = platform::status(self.directory, self.name.as_c_str())?;
        platform::rename(self.directory, self.name.as_c_str(), path.as_c_str(), keep)?;
        WRITTEN.store(status.identity.inode, Ordering::Release);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After `publish` nothing has this name any more.
        platform::unlink(self.directory, self.name.as_c_str());
    }
}

fn say_failed(path: &Path, error: Errno, rest: &[&[u8]]) {
    message::say_failed("cannot write", path.bytes(), error, rest);
}

//! The file of a live profile: its name, its descriptor and the space it has.
//!
//! *Context:* `create` on the writer's stack; the rest any.

use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use gmon_format::names::{self, Pattern};
use gmon_system::atomic::AtomicU64;
use gmon_system::decimal::Decimal;
use gmon_system::message;
use gmon_system::path::Path;
use gmon_system::platform::{self, Errno, Identity, MappedFile};
use gmon_system::region::Region;

use crate::linux::naming;
use crate::linux::options::Options;
use crate::linux::output::Home;
use crate::linux::process;

/// A file that was made for the profile of this process.
pub(super) struct LiveFile {
    name: Path,
    identity: Identity,
    /// Closed by some programs behind our back.
    descriptor: AtomicI32,
    /// Start of the space that nobody has asked for.
    end: AtomicU64,
    is_full: AtomicBool,
}

impl LiveFile {
    /// Makes the file that the user named, or, where something has that name, another. `None`, and a
    /// line that tells why, if there can be none.
    pub(super) fn create() -> Option<&'static Self> {
        let mut name = Path::default();
        let created = create_named(&mut name).and_then(|file| {
            let identity = file.identity().inspect_err(|_| file.close())?;
            let region = Region::map(size_of::<Self>()).ok_or(Errno(libc::ENOMEM))?;
            Ok((file, identity, region))
        });
        let (file, identity, region) = created.map_err(|error| say_failed(&name, error)).ok()?;
        Some(region.place(Self {
            name,
            identity,
            descriptor: AtomicI32::new(file.0),
            end: AtomicU64::new(0),
            is_full: AtomicBool::new(false),
        }))
    }

    /// Maps the next `len` bytes of the file, zeroed and backed by disk space; and where they are in
    /// it. What it cannot do once it does not try again, and tells in a line.
    pub(super) fn extend(&self, len: usize) -> Option<(NonNull<u8>, u64)> {
        if self.is_full.load(Ordering::Relaxed) {
            return None;
        }
        let extended = platform::without_signals(|| self.try_extend(len));
        match extended {
            Ok(memory) => Some(memory),
            Err(error) => {
                if !self.is_full.swap(true, Ordering::Relaxed) {
                    self.say_failed(error);
                }
                None
            }
        }
    }

    fn try_extend(&self, len: usize) -> Result<(NonNull<u8>, u64), Errno> {
        let file = self.opened()?;
        let offset = self.end.fetch_add(len as u64, Ordering::Relaxed);
        file.reserve(offset, len).inspect_err(|_| file.release(offset, len))?;
        let base = NonNull::new(file.map(offset, len)?).ok_or(Errno(libc::ENOMEM))?;
        Ok((base, offset))
    }

    /// Makes `len` bytes of memory, which are those of another file, part of this one, at the same
    /// offset. The first `used` of them may differ from zero. What is written to them meanwhile is
    /// lost.
    ///
    /// # Safety
    /// They must be a mapping of a live file.
    pub(super) unsafe fn adopt(
        &self,
        base: NonNull<u8>,
        offset: u64,
        len: usize,
        used: usize,
    ) -> Result<(), Errno> {
        let file = self.opened()?;
        self.end.fetch_max(offset + len as u64, Ordering::Relaxed);
        file.reserve(offset, len)?;
        // SAFETY: the caller lends the mapping, of which so many bytes are in use.
        unsafe { file.write_at(offset, base.as_ptr(), used) }?;
        // SAFETY: a mapping of the runtime's; this part has just got what was counted there, and the
        // rest is zero in both.
        unsafe { file.map_over(base.as_ptr(), offset, len) }
    }

    /// Tells why the file cannot be used any more.
    pub(super) fn say_failed(&self, error: Errno) {
        say_failed(&self.name, error);
    }

    /// The name by which the user can find the file.
    pub(super) fn name(&self) -> &[u8] {
        self.name.bytes()
    }

    /// Removes the file. What is mapped of it stays.
    pub(super) fn remove(&self) {
        let home = Home::find();
        let path = self.name.as_c_str();
        // What others have put there in the meantime is theirs.
        let directory = home.base(&self.name);
        let status = directory.and_then(|directory| platform::status(directory, path));
        if status.is_ok_and(|status| status.identity == self.identity) {
            _ = directory.and_then(|directory| platform::unlink(directory, path));
        }
        self.close();
    }

    /// Closes the descriptor. What is mapped of the file stays.
    pub(super) fn close(&self) {
        let file = MappedFile(self.descriptor.swap(-1, Ordering::Relaxed));
        if file.identity() == Ok(self.identity) {
            file.close();
        }
    }

    /// The open file. A program that closes all descriptors closes ours too, and may have got its
    /// number again for something else.
    fn opened(&self) -> Result<MappedFile, Errno> {
        let file = MappedFile(self.descriptor.load(Ordering::Relaxed));
        if file.identity() == Ok(self.identity) {
            return Ok(file);
        }
        let again = MappedFile::open(Home::find().base(&self.name)?, self.name.as_c_str())?;
        if again.identity() != Ok(self.identity) {
            again.close();
            return Err(Errno(libc::ENOENT));
        }
        self.descriptor.store(again.0, Ordering::Relaxed);
        Ok(again)
    }
}

/// The mode of the file, which may hold the arguments of the program.
const PRIVATE: u32 = 0o600;

/// Makes the first file that was not there before, of `PATH` (unless a process that started this one
/// may have it), `PATH.PID`, `PATH.PID.2` and so on, and gives its name. What is there is the profile of another
/// process, or of one that was killed: it is left alone.
fn create_named(name: &mut Path) -> Result<MappedFile, Errno> {
    const TRIES: u64 = 1000;
    let pattern = Pattern(Options::get().live);
    let path = naming::expand(pattern)?;
    let own = naming::own(path.bytes())?;
    let is_others =
        !pattern.names_process() && (process::is_child() || process::parent_is_profiled());

    let home = Home::find();
    for n in u64::from(is_others)..TRIES {
        *name = match n {
            0 => path.copy()?,
            1 => own.copy()?,
            _ => Path::new(&names::own(own.bytes(), Decimal::new(n).as_bytes()))?,
        };
        let created = home
            .base(name)
            .and_then(|directory| MappedFile::create(directory, name.as_c_str(), PRIVATE));
        if created != Err(Errno(libc::EEXIST)) {
            return created;
        }
    }
    Err(Errno(libc::EEXIST))
}

fn say_failed(name: &Path, error: Errno) {
    const REST: &[u8] = b": what is counted from now on is lost if the program is killed";
    message::say_failed("cannot write the live file", name.bytes(), error, &[REST]);
}

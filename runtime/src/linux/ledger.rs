//! What `gmon run` wants to know of every process that it started, down to the last: which program it
//! ran, how much CPU time it used and where its profile is.
//!
//! Each process appends lines to the ledger, a file that the environment names; [`gmon_format::ledger`]
//! has the format. It opens the file when its profile begins: later it may have another root or other
//! rights. Without the variable this module does nothing.
//!
//! *Context:* `begin` startup or hook; the rest exit.

use core::ffi::CStr;
use core::sync::atomic::{AtomicI32, Ordering};

use gmon_format::ledger::{self, Line, Moment, Samples, VARIABLE};
use once_cell::race::OnceRef;

use crate::histogram;
use crate::linux::output::Occasion;
use crate::linux::path::{PATH_LEN, Path};
use crate::linux::platform::{self, CpuClock, Errno, Identity, Journal};
use crate::linux::program::Program;
use crate::linux::region::{Region, Scratch};
use crate::linux::{environment, process, sampler};

/// The file of the lines.
struct Ledger {
    path: &'static CStr,
    /// Bytes of the path that are its folder, with the slash.
    folder: usize,
    /// The process that made it.
    maker: i32,
    identity: Identity,
}

static LEDGER: OnceRef<'static, Ledger> = OnceRef::new();

/// The open file, which the program may close behind our back.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(Journal::NONE.0);

/// Notes that the profile of this process begins.
pub(crate) fn begin() {
    if LEDGER.get().is_none() {
        let Some(ledger) = environment::variable(VARIABLE.as_bytes()).and_then(Ledger::open) else {
            return;
        };
        _ = LEDGER.set(ledger);
    }
    let Some(ledger) = LEDGER.get() else { return };
    let mut path = Scratch::new(PATH_LEN);
    let path = path.as_deref_mut().and_then(|place| platform::program_path(place).ok());
    let program = path.unwrap_or_else(|| Program::get().map_or(b"", |program| program.name));
    let parent = platform::parent_id().unsigned_abs().into();
    let program = ledger::Path::Plain(program);
    ledger.tell(&Line::Begin { moment: now(), parent, program });
}

/// Notes that the profile was written to a file, or, without a name, that no file took it. Only a ledger makes
/// it worth asking for the name.
pub(crate) fn written(file: impl FnOnce() -> Path) {
    if LEDGER.get().is_none() {
        return;
    }
    let file = file();
    let samples = Samples {
        inside: histogram::inside(),
        outside: histogram::outside(),
        hooks: histogram::in_hooks(),
        time: sampler::sampled_time().unsigned_abs(),
    };
    tell(&Line::End { moment: now(), samples, file: ledger::Path::Plain(file.bytes()) });
}

/// Notes that another program is about to replace this one.
pub(crate) fn exec() {
    tell(&Line::Exec { moment: now() });
}

/// Takes that back.
pub(crate) fn stay() {
    tell(&Line::Stay { process: now().process });
}

/// Notes that this process ends and did no work itself.
pub(crate) fn forget() {
    tell(&Line::Forget { process: now().process });
}

/// The folder for the profile of this process, with a slash at the end, unless this is the process that
/// `gmon run` started itself. Before `exec` it is for all.
pub(crate) fn folder(occasion: Occasion) -> Option<&'static [u8]> {
    let ledger = LEDGER.get()?;
    if occasion == Occasion::Exec {
        return ledger.path.to_bytes().get(..ledger.folder);
    }
    let is_first = !process::is_child() && platform::parent_id() == ledger.maker;
    if is_first { None } else { ledger.path.to_bytes().get(..ledger.folder) }
}

fn tell(line: &Line<'_>) {
    if let Some(ledger) = LEDGER.get() {
        ledger.tell(line);
    }
}

fn now() -> Moment {
    Moment {
        process: platform::process_id().unsigned_abs().into(),
        cpu: CpuClock::PROCESS.nanoseconds().unwrap_or(0).unsigned_abs(),
        time: platform::uptime().unsigned_abs(),
    }
}

impl Ledger {
    /// Opens what the variable's value names.
    fn open(value: &[u8]) -> Option<&'static Self> {
        let mut halves = value.splitn(2, |byte| *byte == b':');
        let maker = core::str::from_utf8(halves.next()?).ok()?.parse().ok()?;
        let name = halves.next()?;
        let place = Region::map(name.len() + 1)?.into_bytes();
        place.iter_mut().zip(name).for_each(|(place, byte)| *place = *byte);
        let path = CStr::from_bytes_until_nul(place).ok()?;
        let folder = name.iter().rposition(|byte| *byte == b'/')? + 1;
        let journal = Journal::open(path).ok()?;
        let identity = journal.identity().ok()?;
        DESCRIPTOR.store(journal.0, Ordering::Release);
        let region = Region::map(size_of::<Self>())?;
        Some(region.place(Self { path, folder, maker, identity }))
    }

    /// Appends a line. If that fails nothing can be done about it: `gmon run` sees a process that says
    /// nothing.
    fn tell(&self, line: &Line<'_>) {
        /// A byte of a path takes up to three, and the numbers fit in what is left.
        const LEN: usize = 4 * PATH_LEN;
        let Some(mut buffer) = Scratch::new(LEN) else { return };
        let (Some(line), Ok(journal)) = (line.encode(&mut buffer), self.opened()) else { return };
        platform::without_signals(|| journal.append(line));
    }

    /// The open file. A program that closes all descriptors closes ours too, and may have got its
    /// number again for something else.
    fn opened(&self) -> Result<Journal, Errno> {
        let journal = Journal(DESCRIPTOR.load(Ordering::Acquire));
        if journal.identity() == Ok(self.identity) {
            return Ok(journal);
        }
        let again = Journal::open(self.path)?;
        if again.identity() != Ok(self.identity) {
            again.close();
            return Err(Errno(libc::ENOENT));
        }
        DESCRIPTOR.store(again.0, Ordering::Release);
        Ok(again)
    }
}

//! The words of this process to `gmon run`, which wants to know of every process that it started, down to the last:
//! which program it ran, how much CPU time it used and where its profile is.
//!
//! Each process has a [notebook](Notebook) in the ledger, the folder that the environment names;
//! [`gmon_format::ledger`] has the format. Without the variable this module does nothing.
//!
//! *Context:* `begin` and `begin_again` startup or hook; the rest exit.

mod notebook;

use gmon_format::ledger::{self, Line, Moment, NOTEBOOK_LEN, Samples, VARIABLE};
use gmon_system::environment;
use gmon_system::path::{PATH_LEN, Path};
use gmon_system::platform::{self, CpuClock};
use gmon_system::program::Program;
use gmon_system::region::{Region, Scratch};
use once_cell::race::OnceRef;

use crate::histogram;
use crate::linux::output::Occasion;
use crate::linux::process;
use crate::linux::sampler;
use notebook::Notebook;

/// The folder of the notebooks.
struct Ledger {
    /// Its path, with a slash at the end.
    folder: &'static [u8],
    /// The process that made it.
    maker: i32,
}

static LEDGER: OnceRef<'static, Ledger> = OnceRef::new();

/// Notes that a profile of this process begins.
pub(crate) fn begin() {
    begin_at(now());
}

fn begin_at(moment: Moment) {
    if LEDGER.get().is_none() {
        let ledger = environment::variable(VARIABLE.as_bytes()).and_then(Ledger::read);
        // The run may have ended before this process began.
        let Some(ledger) = ledger.filter(|it| Notebook::begin(it.folder)) else { return };
        _ = LEDGER.set(ledger);
    }
    let mut path = Scratch::new(PATH_LEN);
    let path = path.as_deref_mut().and_then(|place| platform::program_path(place).ok());
    let name = Program::get().map_or(&b""[..], |program| program.name);
    tell(&Line::Begin {
        moment,
        parent: platform::parent_id().unsigned_abs().into(),
        namespace: platform::process_namespace().unwrap_or(0),
        program: ledger::Path::Plain(path.unwrap_or(name)),
        name: ledger::Path::Plain(name),
    });
}

/// The folder of the notebooks, which no other run has.
pub(crate) fn name_of_run() -> Option<&'static [u8]> {
    LEDGER.get().map(|ledger| ledger.folder)
}

/// Notes that the profile of a forked child begins. All of its CPU time is its own, although it may have used some before
/// anybody noticed: no function of the C library may have forked it.
pub(crate) fn begin_again() {
    _ = LEDGER.get().map(|ledger| Notebook::begin(ledger.folder));
    begin_at(Moment { cpu: 0, ..now() });
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
        return Some(ledger.folder);
    }
    let is_first = !process::is_child() && platform::parent_id() == ledger.maker;
    if is_first { None } else { Some(ledger.folder) }
}

/// True for a file in the ledger. There another process may have had this one's number: numbers are used
/// again, and each PID namespace has its own.
pub(crate) fn has(file: &Path) -> bool {
    LEDGER.get().is_some_and(|ledger| file.bytes().starts_with(ledger.folder))
}

/// Adds a line to the notebook. If that fails nothing can be done about it: `gmon run` sees a process that says
/// nothing.
fn tell(line: &Line<'_>) {
    let Some(notebook) = Notebook::get() else { return };
    // Most lines have room in little, which is there where the system grants no memory.
    let mut small = [0; 512];
    let mut large = Scratch::new(NOTEBOOK_LEN);
    let buffer = large.as_deref_mut().unwrap_or(&mut small);
    if let Some(text) = line.encode(buffer) {
        notebook.add(text, matches!(line, Line::End { .. }));
    }
}

fn now() -> Moment {
    Moment {
        process: platform::process_id().unsigned_abs().into(),
        cpu: CpuClock::PROCESS.nanoseconds().unwrap_or(0).unsigned_abs(),
        time: platform::since_boot().unsigned_abs(),
    }
}

impl Ledger {
    /// Reads the variable's value.
    fn read(value: &[u8]) -> Option<&'static Self> {
        let mut halves = value.splitn(2, |byte| *byte == b':');
        let maker = core::str::from_utf8(halves.next()?).ok()?.parse().ok()?;
        let path = halves.next().filter(|path| path.starts_with(b"/"))?;
        let folder = Region::map(path.len() + 1)?.into_bytes().get_mut(..=path.len())?;
        folder.iter_mut().zip(path.iter().chain(b"/")).for_each(|(to, from)| *to = *from);
        Some(Region::map(size_of::<Self>())?.place(Self { folder, maker }))
    }
}

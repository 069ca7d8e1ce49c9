//! Processes that do the same piece of work again and again, and say what each piece took.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use crate::launcher::{Result, compile};
use crate::workloads::{bzip2_sources, compile_bzip2, compile_lua, compile_sqlite, source};

/// Builder of a program; returns `false` if its sources are out of reach.
type Build = fn(&Path) -> Result<bool>;

/// All programs.
pub(crate) const ALL: [(&str, Build); 4] =
    [("SQLite", sqlite), ("bzip2", bzip2), ("Lua", lua), ("Rust", rust)];

fn sqlite(program: &Path) -> Result<bool> {
    with("work/sqlite.c", |driver| compile_sqlite(&[], driver, program)).map(|()| true)
}

fn bzip2(program: &Path) -> Result<bool> {
    let kept = support::lasting_folder().join("workloads");
    let Some(sources) = bzip2_sources(&kept) else { return Ok(false) };
    with("work/bzip2.c", |driver| compile_bzip2(&sources, driver, program)).map(|()| true)
}

fn lua(program: &Path) -> Result<bool> {
    with("work/lua.c", |driver| compile_lua(driver, program)).map(|()| true)
}

fn rust(program: &Path) -> Result<bool> {
    let library = program.with_extension("a");
    let mut rustc = Command::new("rustc");
    rustc.args(["--crate-type=staticlib", "--edition=2024", "-O", "-g", "-o"]).arg(&library);
    rustc.arg(source("benches/attach/work/rust.rs"));
    let status = rustc.status().map_err(|error| format!("rustc: {error}"))?;
    if !status.success() {
        return Err(format!("{rustc:?}: {status}"));
    }
    let steady = source("benches/attach/steady.c");
    let inputs = [steady.as_os_str(), library.as_os_str(), OsStr::new("-lm")];
    compile(inputs, &["-g", "-pthread", "-ldl"], program).map(|()| true)
}

/// Builds from the file with a piece of work, and the one that repeats it.
fn with(work: &str, build: impl FnOnce(&[&OsStr]) -> Result<()>) -> Result<()> {
    let files = [source("benches/attach/steady.c"), source("benches/attach").join(work)];
    build(&files.each_ref().map(|file| file.as_os_str()))
}

/// A process that works until it is dropped.
pub(crate) struct Process {
    child: Child,
    pieces: PathBuf,
}

impl Process {
    /// Starts a program, and lets it come to its pace.
    pub(crate) fn start(program: &Path) -> Result<Self> {
        const BEGIN: Duration = Duration::from_secs(1);
        let pieces = program.with_extension("pieces");
        let child = Command::new(program).arg(&pieces).stdout(Stdio::null()).spawn();
        let child = child.map_err(|error| format!("{}: {error}", program.display()))?;
        thread::sleep(BEGIN);
        Ok(Self { child, pieces })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The mean CPU time of a piece of work in each stretch of a window, in nanoseconds.
    pub(crate) fn stretches(&self, window: &Window) -> Result<Vec<f64>> {
        /// CPU time of a stretch, in nanoseconds.
        const LEN: u64 = 50_000_000;
        let file = fs::read(&self.pieces);
        let file = file.map_err(|error| format!("{}: {error}", self.pieces.display()))?;
        let words = file.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_ne_bytes));
        let words: Vec<u64> = words.collect();
        let (count, pieces) = words.split_first().ok_or("no piece of work")?;
        let pieces = pieces.chunks_exact(2).map(|piece| (piece[0], piece[1])).take(*count as usize);
        let inside = pieces.skip_while(|(ended, _)| *ended < window.begun);
        // The first began before the window.
        let inside = inside.take_while(|(ended, _)| *ended <= window.ended).skip(1);
        let (mut stretches, mut sum, mut number) = (Vec::new(), 0, 0);
        for (_, time) in inside {
            (sum, number) = (sum + time, number + 1);
            if sum >= LEN {
                stretches.push(sum as f64 / number as f64);
                (sum, number) = (0, 0);
            }
        }
        Ok(stretches)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// A stretch of time, in nanoseconds of the clock that processes note.
pub(crate) struct Window {
    begun: u64,
    ended: u64,
}

impl Window {
    pub(crate) fn begin() -> Self {
        Self { begun: now(), ended: u64::MAX }
    }

    pub(crate) fn end(self) -> Self {
        Self { ended: now(), ..self }
    }

    pub(crate) fn seconds(&self) -> f64 {
        (self.ended - self.begun) as f64 / 1e9
    }
}

fn now() -> u64 {
    let time = clock_gettime(ClockId::CLOCK_MONOTONIC);
    time.map_or(0, |time| time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64)
}

//! Finds the live file of a process, and the process of a live file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use gmon_analyzer::system_message;
use gmon_format::live::{Control, Form, Header};
use gmon_format::mapping::path_of_file;
use nix::unistd::geteuid;

use super::maps;

/// A program and the file that its profile lives in.
#[derive(Debug)]
pub(crate) struct Attached {
    /// The number of the process; `None` if none counts in the file any more.
    pub(crate) process: Option<u32>,
    /// The name of the program.
    pub(crate) name: String,
    /// A path of the file that leads to it for as long as the process runs.
    pub(crate) path: PathBuf,
    /// The file, to be read.
    pub(crate) file: File,
    /// Head of the file when it was found.
    pub(crate) header: Header,
}

/// Subject of a word: a process by its number, a file, or else the processes of a program.
pub(crate) fn by_word(word: &Path) -> Result<Vec<Attached>> {
    let text = word.to_string_lossy();
    if let Ok(process) = text.parse() {
        return by_process(process).map(|attached| vec![attached]);
    }
    if word.is_file() && LiveStart::read(word).is_ok_and(|start| start.is_some()) {
        return by_file(word).map(|attached| vec![attached]);
    }
    if text.contains('/') {
        return by_file(word).map(|attached| vec![attached]);
    }
    let found = by_name(&text);
    if found.is_empty() {
        bail!(
            "no running program is called {text} and has a live file; start it with GMON_OPTIONS=stacks,live=FILE"
        );
    }
    Ok(found)
}

/// The profiles of all processes of a program, of those that this user may look at.
pub(crate) fn by_name(name: &str) -> Vec<Attached> {
    let found = called(name);
    found.into_iter().filter_map(|process| live_file_of(process).ok().flatten()).collect()
}

/// The processes that a word names where these have no live file.
pub(crate) fn unprepared(word: &Path) -> Vec<u32> {
    let text = word.to_string_lossy();
    match text.parse() {
        Ok(process) => vec![process].into_iter().filter(|it| is_there(*it)).collect(),
        Err(_) if text.contains('/') => Vec::new(),
        Err(_) => called(&text),
    }
}

fn is_there(process: u32) -> bool {
    Path::new(&format!("/proc/{process}")).exists()
}

/// The processes of a program, by the name of its file or of the process; not this one. No program has an empty name: what cannot
/// be read is as empty.
pub(crate) fn called(name: &str) -> Vec<u32> {
    let is_called = |process: &u32| {
        let program = fs::read_link(format!("/proc/{process}/exe")).unwrap_or_default();
        let file = path_of_file(program.file_name().unwrap_or_default().as_encoded_bytes());
        let task = fs::read(format!("/proc/{process}/comm")).unwrap_or_default();
        !name.is_empty() && [file, task.trim_ascii_end()].contains(&name.as_bytes())
    };
    let own = std::process::id();
    processes().filter(|process| *process != own).filter(is_called).collect()
}

/// The profile of a process.
///
/// # Errors
/// If there is no such process, it is another user's, or it has no live file.
pub(crate) fn by_process(process: u32) -> Result<Attached> {
    if !is_there(process) {
        bail!("there is no process {process}");
    }
    match live_file_of(process) {
        Ok(Some(attached)) => Ok(attached),
        Ok(None) => bail!(
            "process {process} has no live file; start the program with GMON_OPTIONS=stacks,live=FILE"
        ),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            if is_ours(process) {
                bail!(
                    "process {process} cannot be looked at from here: the system forbids it, as in containers"
                );
            }
            bail!("process {process} is another user's; run gmon as that user")
        }
        Err(error) => bail!("process {process}: {}", system_message(&error)),
    }
}

/// True if no other user could look at a process where we cannot.
fn is_ours(process: u32) -> bool {
    let owner = fs::metadata(format!("/proc/{process}")).map(|it| it.uid());
    geteuid().is_root() || owner.is_ok_and(|owner| owner == geteuid().as_raw())
}

/// The profile in a file, and the process that counts there, if one does.
///
/// # Errors
/// If the file cannot be read, or is no live file.
fn by_file(path: &Path) -> Result<Attached> {
    let start = LiveStart::read(path).with_context(|| path.display().to_string())?;
    let Some(LiveStart { file, header }) = start else {
        bail!("{}: not the file of a live profile", path.display());
    };
    let metadata = file.metadata().with_context(|| path.display().to_string())?;
    let counts_there = |process: &u32| maps::has_mapped(*process, &metadata);
    // In a container processes have other numbers.
    let told = u32::try_from(header.process).ok().filter(counts_there);
    let process = told.or_else(|| processes().find(counts_there));
    Ok(Attached::new(process, path.to_owned(), file, header))
}

/// All processes.
fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The live file that a process counts in.
fn live_file_of(process: u32) -> io::Result<Option<Attached>> {
    let numbers = numbers_of(process);
    let found = |path: PathBuf, shown: PathBuf| {
        let LiveStart { file, header } = LiveStart::read(&path).ok().flatten()?;
        if !numbers.contains(&header.process) {
            return None;
        }
        // The path that users know is better in messages, if it leads there.
        let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
        let is_there = fs::metadata(&shown).ok().zip(file.metadata().ok());
        let path = if is_there.is_some_and(|(a, b)| same(a, b)) { shown } else { path };
        Some(Attached::new(Some(process), path, file, header))
    };
    // The descriptor leads to the file even where it was removed, or lies in a container.
    for entry in fs::read_dir(format!("/proc/{process}/fd"))?.flatten() {
        let shown = fs::read_link(entry.path()).unwrap_or_default();
        if let Some(attached) = found(entry.path(), shown) {
            return Ok(Some(attached));
        }
    }
    // Some programs close all descriptors that they do not know.
    let files = maps::shared_files(process)?;
    Ok(files.into_iter().find_map(|mapped| {
        let inside = format!("/proc/{process}/root{}", mapped.path.display());
        [mapped.path.clone(), inside.into()].into_iter().find_map(|path| {
            let attached = found(path.clone(), path)?;
            maps::has_mapped(process, &attached.file.metadata().ok()?).then_some(attached)
        })
    }))
}

/// The numbers of a process, in each container that it is in; the innermost comes last.
pub(crate) fn numbers_of(process: u32) -> Vec<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
    let inner = line.unwrap_or_default().split_whitespace().filter_map(|word| word.parse().ok());
    [process.into()].into_iter().chain(inner).collect()
}

/// A file that begins as a live one does.
struct LiveStart {
    file: File,
    header: Header,
}

impl LiveStart {
    /// Reads the start of a file; `None` if it is no live file.
    fn read(path: &Path) -> io::Result<Option<Self>> {
        // Opening a pipe would wait for somebody to write.
        if !fs::metadata(path)?.is_file() {
            return Ok(None);
        }
        let file = File::open(path)?;
        let mut start = [0; Header::LEN];
        if file.read_exact_at(&mut start, 0).is_err() {
            return Ok(None);
        }
        let header = Header::decode(&start).ok().filter(|header| header.form == Form::Live);
        Ok(header.map(|header| Self { file, header }))
    }
}

impl Attached {
    /// A process, and the file in which somebody else counts for it.
    ///
    /// # Errors
    /// If it is no live file.
    pub(crate) fn of_file(process: Option<u32>, path: PathBuf, file: File) -> Result<Self> {
        let mut start = [0; Header::LEN];
        file.read_exact_at(&mut start, 0).with_context(|| path.display().to_string())?;
        let header = Header::decode(&start).with_context(|| path.display().to_string())?;
        Ok(Self::new(process, path, file, header))
    }

    fn new(process: Option<u32>, path: PathBuf, file: File, header: Header) -> Self {
        let name = String::from_utf8_lossy(header.program_text()).into_owned();
        Self { process, name, path, file, header }
    }

    /// The program and its process, for showing.
    pub(crate) fn title(&self) -> String {
        let name = self.name.escape_default();
        match self.process {
            Some(process) => format!("{name} ({process})"),
            None => format!("{name} (ended)"),
        }
    }

    /// Returns `true` if the process still counts in the file.
    pub(crate) fn is_running(&self) -> bool {
        let metadata = self.file.metadata();
        let process = self.process.zip(metadata.ok());
        process.is_some_and(|(process, metadata)| maps::has_mapped(process, &metadata))
    }

    /// The program's account of itself; `None` if it was built with a gmon that had none.
    pub(crate) fn control(&self) -> Option<Control> {
        let mut start = [0; Control::END];
        self.file.read_exact_at(&mut start, 0).ok()?;
        Control::decode(&start, self.header.encoding)
    }

    /// The file, to be written as well.
    ///
    /// # Errors
    /// If it is another user's, or no process counts there.
    pub(super) fn for_requests(&self) -> Result<File> {
        let shown = self.path.display();
        if !self.is_running() {
            bail!("no running program counts in {shown}; gmon recover makes gmon.out of it");
        }
        let owner = self.file.metadata().with_context(|| shown.to_string())?.uid();
        if owner != geteuid().as_raw() {
            bail!("{shown} is another user's; run gmon as that user");
        }
        let file = OpenOptions::new().read(true).write(true).open(&self.path);
        let file = file.with_context(|| shown.to_string())?;
        let identity = |file: &File| file.metadata().map(|it| (it.dev(), it.ino())).ok();
        if identity(&file) != identity(&self.file) {
            bail!("{shown} was replaced by another file; name the process");
        }
        Ok(file)
    }
}

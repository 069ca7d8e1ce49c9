//! Hands LLVM the list of the functions of a crate that get hooks.
//!
//! The list lies in a folder that is rustc's standard input. So it has the same name in each call, and what is compiled
//! does not depend on where the folder is.
//!
//! Usually the list is a pipe. Before LLVM opens it, LLVM writes the functions of the crate into the folder, in its own
//! language; we read them while LLVM waits at the pipe, and answer. So rustc compiles each crate once. In link-time
//! optimisation LLVM would write the functions of all crates. There the list is a file, and somebody else knows what
//! it says.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result};
use nix::libc;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use tempfile::TempDir;

use super::functions;
use crate::temporary;

/// The list's name in the folder.
const LIST: &str = "list";

/// The option of rustc that names the list.
pub(super) const OPTION: &str = "-Cllvm-args=-forceattrs-csv-path=/proc/self/fd/0/list";

/// The name in the folder of a profile for LLVM.
const PROFILE: &str = "profile";

/// A profile that was [offered](Handover::offer). Options of LLVM have no spaces, which the profile's own path may have.
pub(super) const OFFERED_PROFILE: &str = "/proc/self/fd/0/profile";

/// The options by which LLVM writes the functions into the folder before it reads the list.
pub(super) const WRITE_FUNCTIONS: [&str; 2] =
    ["-Cllvm-args=-print-before=forceattrs", "-Cllvm-args=-ir-dump-directory=/proc/self/fd/0"];

/// A list for one call of rustc.
pub(super) struct Handover {
    folder: TempDir,
    answer: Option<JoinHandle<Result<()>>>,
    is_over: Arc<AtomicBool>,
}

impl Handover {
    /// Hands over a list of functions that are known before rustc runs, with their attributes.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub(super) fn of(functions: &BTreeSet<String>, attributes: &[&str]) -> Result<Self> {
        let this = Self::new()?;
        write(&this.folder.path().join(LIST), functions, attributes)?;
        Ok(this)
    }

    /// Makes the list when LLVM asks for it. rustc needs [`WRITE_FUNCTIONS`].
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub(super) fn while_compiling(attributes: &'static [&'static str]) -> Result<Self> {
        let mut this = Self::new()?;
        let folder = this.folder.path().to_owned();
        mkfifo(&folder.join(LIST), Mode::S_IRUSR | Mode::S_IWUSR).context("cannot make a pipe")?;
        let is_over = Arc::clone(&this.is_over);
        this.answer = Some(thread::spawn(move || answer(&folder, attributes, &is_over)));
        Ok(this)
    }

    fn new() -> Result<Self> {
        let folder = temporary::folder()?;
        Ok(Self { folder, answer: None, is_over: Arc::default() })
    }

    /// Standard input of rustc.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub(super) fn standard_input(&self) -> io::Result<Stdio> {
        File::open(self.folder.path()).map(Stdio::from)
    }

    /// The functions that LLVM has written into the folder, if nobody else has taken them.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub(super) fn written(&self) -> Result<BTreeSet<String>> {
        functions::take_from(self.folder.path())
    }

    /// Offers LLVM a profile.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub(super) fn offer(&self, profile: &Path) -> io::Result<()> {
        symlink(profile, self.folder.path().join(PROFILE))
    }

    /// The functions on the list, once rustc has read it.
    pub(super) fn names(&self) -> Vec<String> {
        let list = self.folder.path().join(LIST);
        // Where LLVM asked for none, it is still a pipe.
        let text = list.is_file().then(|| fs::read_to_string(list).ok()).flatten();
        let lines = text.as_deref().unwrap_or_default().lines();
        lines.filter_map(|line| Some(line.split_once(',')?.0.to_owned())).collect()
    }

    /// Ends it after rustc.
    ///
    /// # Errors
    ///
    /// LLVM asked for a list and got none.
    pub(super) fn end(self) -> Result<()> {
        let Some(answer) = self.answer else { return Ok(()) };
        self.is_over.store(true, Ordering::Release);
        // If rustc never came to LLVM, the thread still waits for a reader.
        let mut reader = OpenOptions::new();
        reader.read(true).custom_flags(libc::O_NONBLOCK);
        let _reader = reader.open(self.folder.path().join(LIST));
        answer.join().expect("the thread does not panic")
    }
}

/// Waits until LLVM opens the list, and writes it.
fn answer(folder: &Path, attributes: &[&str], is_over: &AtomicBool) -> Result<()> {
    let list = folder.join(LIST);
    // Wherever this function fails it closes the pipe: LLVM then reads an empty list and goes on.
    let mut pipe = OpenOptions::new().write(true).open(&list)?;
    if is_over.load(Ordering::Acquire) {
        return Ok(());
    }
    let functions = functions::take_from(folder)?;
    // Whoever opens the list again does not wait.
    let copy = folder.join("copy");
    write(&copy, &functions, attributes)?;
    fs::rename(&copy, &list)?;
    match io::copy(&mut File::open(&list)?, &mut pipe) {
        // rustc was killed.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        copied => Ok(copied.map(|_| ())?),
    }
}

/// Writes what LLVM is to do with each function.
fn write(path: &Path, functions: &BTreeSet<String>, attributes: &[&str]) -> io::Result<()> {
    let mut list = BufWriter::new(File::create(path)?);
    for name in functions {
        for attribute in attributes {
            writeln!(list, "{name},{attribute}")?;
        }
    }
    list.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATTRIBUTES: &[&str] = &["fentry-call=true"];

    #[test]
    fn what_llvm_has_written_is_on_the_list_each_time_it_is_read() {
        let handover = Handover::while_compiling(ATTRIBUTES).unwrap();
        let folder = handover.folder.path();
        fs::write(folder.join("1.ll"), "define void @b() {\ndefine void @a() {\n").unwrap();
        for _ in 0..3 {
            let list = fs::read_to_string(folder.join(LIST)).unwrap();
            assert_eq!(list, "a,fentry-call=true\nb,fentry-call=true\n");
        }
        assert!(!folder.join("1.ll").exists());
        handover.end().unwrap();
    }

    #[test]
    fn a_crate_that_never_comes_to_llvm_is_not_waited_for() {
        Handover::while_compiling(ATTRIBUTES).unwrap().end().unwrap();
    }

    #[test]
    fn llvm_goes_on_without_functions() {
        let handover = Handover::while_compiling(ATTRIBUTES).unwrap();
        assert_eq!(fs::read_to_string(handover.folder.path().join(LIST)).unwrap(), "");
        let error = handover.end().unwrap_err().to_string();
        assert_eq!(error, "rustc does not list its functions");
    }
}

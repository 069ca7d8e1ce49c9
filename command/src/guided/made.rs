//! Files that are made of a profile once, beside it, for all calls of compilers that follow.
//!
//! They have the profile's own time, by which one sees whether they were made of it: another profile that is moved into its
//! place may be older than they are.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use gmon_analyzer::export::ProfiledBy;
use gmon_analyzer::sum::replace_file;
use gmon_analyzer::{Model, records};

use super::files::{is_text, measured, order, read_text};
use super::orders::ORDERS;
use crate::open::{gone, program_of};
use crate::text::{joined, quoted};

/// Beginning of gcc's files: `gcda`, the lower bytes first.
const GCC: &[u8] = b"adcg";

/// Files for compiler and linker.
#[derive(Debug)]
pub(crate) struct Made {
    /// The profile for the compiler.
    pub(crate) profile: PathBuf,
    /// Copy in LLVM's text form; none if a file for gcc is all that there is.
    pub(crate) text: Option<PathBuf>,
    /// The order of functions in the formats of [`ORDERS`]; none where calls are unknown.
    pub(crate) orders: Option<[PathBuf; 3]>,
}

impl Made {
    /// Makes the files of a profile for a compiler, unless they are there already.
    ///
    /// # Errors
    ///
    /// The profile cannot be read or tells nothing, or the files cannot be written.
    pub(crate) fn of(profile: &Path, compiler: ProfiledBy) -> Result<Self> {
        let shown = profile.display();
        let metadata = fs::metadata(profile).with_context(|| profile.display().to_string())?;
        let ending = match compiler {
            ProfiledBy::Llvm => "prof",
            ProfiledBy::Gcc => "afdo",
        };
        let orders = ORDERS.map(|order| beside(profile, order.format));
        let known = |files: &[PathBuf; 3]| files.iter().all(|file| file.is_file());
        let is_gccs = fs::read(profile).is_ok_and(|bytes| bytes.starts_with(GCC));
        let given = match compiler {
            ProfiledBy::Llvm => is_text(profile),
            ProfiledBy::Gcc => is_gccs,
        };
        if given {
            let orders = Some(orders).filter(known);
            let text = Some(profile.to_owned()).filter(|_| !is_gccs);
            return Ok(Self { profile: profile.to_owned(), text, orders });
        }
        if is_gccs {
            bail!(
                "{shown}: a profile for gcc, which this compiler does not read; name the data that it was made of"
            );
        }
        let text = match (is_text(profile), compiler) {
            (true, _) => profile.to_owned(),
            (false, ProfiledBy::Llvm) => beside(profile, ending),
            (false, ProfiledBy::Gcc) => beside(profile, "gcc.prof"),
        };
        let made =
            Self { profile: beside(profile, ending), text: Some(text), orders: Some(orders) };
        let written = metadata.modified().context("the time of a file")?;
        let is_made = |file: &Path| {
            fs::metadata(file).is_ok_and(|it| it.modified().is_ok_and(|it| it == written))
        };
        if is_text(profile) {
            if !is_made(&made.profile) {
                let text = read_text(profile)?;
                if text.is_by_probes() {
                    bail!(
                        "{shown}: a profile by clang's pseudo probes, which this compiler does not have; name the data that it was made of"
                    );
                }
                write(&made.profile, |out| text.write_gcc(out).map_err(Into::into))?;
                set_time(&made.profile, written)?;
            }
            return Ok(Self { orders: made.orders.filter(known), ..made });
        }
        if Model::is_in(profile) {
            bail!(
                "{shown}: an exported profile does not say how often lines ran; export it as llvm-prof where its program is \
                 (gmon merge adds several up), and name that file"
            );
        }
        if !is_made(&made.profile) {
            made.make(profile, compiler)?;
            // Last, since it says that all are there.
            set_time(&made.profile, written)?;
        }
        Ok(Self { orders: made.orders.filter(known), ..made })
    }

    fn make(&self, data: &Path, compiler: ProfiledBy) -> Result<()> {
        let Some(program) = program_of(data) else {
            // Of a file that is no profile nobody looks for the program.
            records::load_raw(&[data], None, &mut ())?;
            bail!(
                "{0}: {1}, which a profile for a compiler needs once; build it \
                 again, run it, and make the files before you build anew: gmon cc --use-profile {0} COMPILER --version",
                quoted(data),
                gone(data)
            );
        };
        let list = [data.to_owned()];
        let profile = measured(&program, &list, compiler)?;
        let order = order(&program, &list);
        for file in self.orders.iter().flatten().filter(|_| order.is_err()) {
            // Of an earlier profile, if it is there.
            let _ = fs::remove_file(file);
        }
        if let (Some(files), Ok(order)) = (&self.orders, order) {
            for (file, linker) in files.iter().zip(ORDERS) {
                write(file, |out| (linker.write)(&order, out).map_err(Into::into))?;
            }
        }
        if let Some(text) = &self.text {
            write(text, |out| profile.write_llvm(out).map_err(Into::into))?;
        }
        match compiler {
            ProfiledBy::Llvm => Ok(()),
            ProfiledBy::Gcc => {
                write(&self.profile, |out| profile.write_gcc(out).map_err(Into::into))
            }
        }
    }
}

/// The file of an ending beside a profile.
fn beside(profile: &Path, ending: &str) -> PathBuf {
    joined(profile, format!(".{ending}")).into()
}

/// Gives a file that was made the time of what it was made of.
fn set_time(path: &Path, time: SystemTime) -> Result<()> {
    let set = File::open(path).and_then(|file| file.set_modified(time));
    set.with_context(|| path.display().to_string())
}

/// Writes a file whole or not at all: several compilers may want it at the same time.
fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    replace_file(path, |out| write(out).map_err(io::Error::other))
        .with_context(|| path.display().to_string())
}

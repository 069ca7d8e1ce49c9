//! Results of the measured run, in files for the compiler and the linker.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};
use gmon_analyzer::export::{CodeProfile, FunctionOrder, ProfiledBy};
use gmon_format::names::FULL;

use super::{link, tell};
use crate::guided::{self, Matched, ORDERS};
use crate::open::program_of;

/// Ending of the profile for the compiler.
const PROFILE: &str = "prof";

/// A profile and an order of the functions of all programs that ran.
pub(super) struct Results {
    profile: CodeProfile,
    order: FunctionOrder,
}

/// The profile for the compiler, of those that begin so.
pub(super) fn profile(results: &OsStr) -> std::ffi::OsString {
    link::file(results, PROFILE)
}

impl Results {
    /// Reads the profiles of the programs below the folder `built`.
    ///
    /// # Errors
    ///
    /// There are none, or they tell nothing.
    pub(super) fn read(profiles: &Path, built: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for entry in fs::read_dir(profiles).with_context(|| profiles.display().to_string())? {
            let path = entry.with_context(|| profiles.display().to_string())?.path();
            files.extend(Some(path).filter(|path| !path.to_string_lossy().ends_with(FULL)));
        }
        files.sort_unstable();
        let built = fs::canonicalize(built).with_context(|| built.display().to_string())?;
        let (mut each, mut order) = (Vec::new(), FunctionOrder::default());
        let mut why: Option<Error> = None;
        for file in files {
            let program = program_of(&file).and_then(|program| fs::canonicalize(program).ok());
            let Some(program) = program.filter(|program| program.starts_with(&built)) else {
                continue;
            };
            match Self::of(&program, file) {
                Ok(one) => {
                    each.push(one.profile);
                    order.add(one.order);
                }
                // One of several programs may end before it is sampled.
                Err(error) => why = why.or(Some(error)),
            }
        }
        // LLVM reads no mix. Programs that are not optimised have no probes, and no use of a profile.
        if each.iter().any(CodeProfile::is_by_probes) {
            each.retain(CodeProfile::is_by_probes);
        }
        let mut profile = CodeProfile::default();
        each.into_iter().for_each(|one| profile.add(one));
        match (profile.functions().count(), why) {
            (0, Some(why)) => Err(why),
            (0, None) => bail!(
                "no program that was built has left a profile in {}; run one that calls its functions and takes some time",
                profiles.display()
            ),
            _ => Ok(Self { profile, order }),
        }
    }

    fn of(program: &Path, data: PathBuf) -> Result<Self> {
        let data = [data];
        let profile = guided::measured(program, &data, ProfiledBy::Llvm)?;
        Ok(Self { profile, order: guided::order(program, &data)? })
    }

    /// Writes the profile and the order, in files that begin so.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    pub(super) fn write(&self, start: &Path) -> Result<()> {
        let start = start.as_os_str();
        write(&profile(start), |out| self.profile.write_llvm(out))?;
        for order in ORDERS {
            write(&link::file(start, order.format), |out| (order.write)(&self.order, out))?;
        }
        Ok(())
    }

    /// Says how many functions of the profile the second build has. Those of the standard library are compiled in neither.
    ///
    /// # Errors
    ///
    /// There are none of them.
    pub(super) fn say_matched(&self, measured: &Path, guided: &Path) -> Result<()> {
        let (before, after) = (names(measured)?, names(guided)?);
        let matched = Matched::new(&self.profile, |name| before.contains(name), &after);
        if matched.found == 0 {
            bail!(
                "the second build has none of the {} functions of the profile that the first one compiled, so the profile \
                 did nothing; build both with the same sources and flags",
                matched.functions
            );
        }
        tell(&format!("the second build has {matched} of those that were compiled"))
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (functions, all) = (self.profile.functions().count(), self.profile.names().count());
        let ordered = self.order.len();
        write!(
            f,
            "a profile of {functions} functions ({all} with those inlined into them), an order of {ordered}"
        )
    }
}

/// The names in all files of a folder.
fn names(folder: &Path) -> Result<BTreeSet<Vec<u8>>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry.with_context(|| folder.display().to_string())?.path();
        let text = fs::read(&path).with_context(|| path.display().to_string())?;
        names.extend(text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec));
    }
    Ok(names)
}

fn write(path: &OsStr, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let shown = || Path::new(path).display().to_string();
    let mut out = BufWriter::new(File::create(path).with_context(shown)?);
    write(&mut out).and_then(|()| out.flush()).with_context(shown)
}

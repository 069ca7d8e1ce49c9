//! Reads full profiles for what they hold beside the data of one program: of any builds, in all modules.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use gmon_format::FilePc;
use gmon_format::live::Form;
use gmon_format::names::FULL;

use super::facts::RunFacts;
use super::parts::{CodePlace, Origin};
use super::timeline::ORIGIN;
use super::total::FullRecords;
use crate::error::{Conflict, Error, ErrorKind};
use crate::records::{LiveFile, Watch};

/// Returns `true` if a file is a full profile: a finished one, or a live one with a list of
/// modules.
#[must_use]
pub fn is_full(path: &Path) -> bool {
    // A pipe could be read only once.
    let header = path.is_file().then(|| LiveFile::header_of(path)).flatten();
    header.is_some_and(|header| {
        let has_modules =
            |file: &LiveFile| file.live().is_ok_and(|it| it.modules().next().is_some());
        header.form == Form::Finished || LiveFile::open(path).is_ok_and(|file| has_modules(&file))
    })
}

/// Reads the full profile of one run, finished or live, with each of its threads.
///
/// # Errors
/// If it cannot be read, or has no list of modules.
pub fn load_full(path: impl AsRef<Path>) -> Result<FullRecords, Error> {
    let mut records = FullRecords::default();
    add(&mut records, path.as_ref())?;
    Ok(records)
}

/// Reads full profiles of one program, of any runs and builds, and adds them up. Those of one run keep their threads; of
/// several, threads of one name are one.
///
/// # Errors
/// If one cannot be read or has no list of modules, is of another program than those before it, or has another
/// clock.
pub fn merge_full(
    paths: &[impl AsRef<Path>],
    watch: &mut impl Watch,
) -> Result<FullRecords, Error> {
    let (mut sum, mut is_one_run) = (FullRecords::default(), true);
    for (path, number) in paths.iter().zip(1..) {
        let mut records = FullRecords::default();
        add(&mut records, path.as_ref())?;
        if let (Some(first), Some(second)) = (sum.origin(), records.origin()) {
            let names = [program_name(&sum), program_name(&records)];
            let agreed = agree(first, second, names)
                .and_then(|()| agree_in_code(&sum, &records))
                .and_then(|()| Ok(sum.check_clock(&records)?))
                .and_then(|()| sum.check_members(&records));
            agreed.map_err(|kind| Error::new(path.as_ref(), kind))?;
        }
        if is_one_run && number > 1 && !sum.is_of_run_of(&records) {
            is_one_run = false;
            let first = std::mem::take(&mut sum);
            sum.absorb_run(first);
        }
        if is_one_run {
            sum.absorb(records)
        } else {
            sum.absorb_run(records)
        }
        watch.progress(number, paths.len());
    }
    Ok(sum)
}

/// Tells if a full profile can be of the run that wrote the data file beside which it lies.
#[must_use]
pub fn is_of_same_run(data: &Path, full: &Path) -> bool {
    let written = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    // A run writes the full profile last.
    written(data).zip(written(full)).is_some_and(|(before, after)| before <= after)
}

/// When the profile in a file began, in microseconds since the system started; `None` if it is no full one, or does not tell.
#[must_use]
pub fn began_us(path: &Path) -> Option<u64> {
    let file = LiveFile::open(path).ok()?;
    let facts = RunFacts::of(&file.live().ok()?);
    Some(facts.number(ORIGIN)? / 1000)
}

/// The files that name each process once: without full profiles beside data files that are named, too.
#[must_use]
pub fn once_each(paths: &[impl AsRef<Path>]) -> Vec<&Path> {
    let paths: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let named: HashSet<&Path> = paths.iter().copied().collect();
    let is_named_twice = |full: &Path| {
        let name = full.as_os_str().as_encoded_bytes().strip_suffix(FULL.as_bytes());
        let data = name.map(|name| Path::new(OsStr::from_bytes(name)));
        data.is_some_and(|data| named.contains(data) && is_of_same_run(data, full) && is_full(full))
    };
    paths.into_iter().filter(|path| !is_named_twice(path)).collect()
}

fn add(records: &mut FullRecords, path: &Path) -> Result<(), Error> {
    let file = LiveFile::open(path)?;
    let is_full = add_live(records, &file)?;
    is_full.then_some(()).ok_or_else(|| Error::new(path, ErrorKind::NotFull))
}

/// Adds a file with a list of modules; false if it has none.
fn add_live(records: &mut FullRecords, file: &LiveFile) -> Result<bool, Error> {
    let live = file.live()?;
    let is_full = live.modules().next().is_some();
    if is_full {
        records.add(&live);
    }
    Ok(is_full)
}

impl LiveFile {
    /// The full profile of the moment at which the file was read; none if it has no list of modules.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn full(&self) -> Result<Option<FullRecords>, Error> {
        let mut records = FullRecords::default();
        Ok(add_live(&mut records, self)?.then_some(records))
    }
}

/// The name of the program's file. A script was executed by another name than that of its interpreter.
fn program_name(records: &FullRecords) -> &[u8] {
    let module = records.program().and_then(|program| records.modules().get(program.index()));
    let name = module.and_then(|module| module.path.rsplit(|byte| *byte == b'/').next());
    name.or(records.origin().map(|origin| origin.name.as_slice())).unwrap_or_default()
}

/// Refuses a profile of another build than the first one, if neither build ids nor paths keep them apart.
fn agree_in_code(first: &FullRecords, second: &FullRecords) -> Result<(), ErrorKind> {
    fn code(records: &FullRecords) -> Option<(&[u8], [FilePc; 2])> {
        let text = &records.origin()?.text;
        let (CodePlace::Module(id, start), CodePlace::Module(_, end)) = (text.start, text.end)
        else {
            return None;
        };
        let module = records.modules().get(id.index()).filter(|it| it.build_id.is_empty())?;
        Some((&module.path, [start, end]))
    }
    let differ = code(first)
        .zip(code(second))
        .is_some_and(|(first, second)| first.0 == second.0 && first.1 != second.1);
    if differ { Err(ErrorKind::OtherCode) } else { Ok(()) }
}

/// Refuses a profile that makes no sense together with another.
fn agree(first: &Origin, second: &Origin, names: [&[u8]; 2]) -> Result<(), ErrorKind> {
    let (a, b) = (&first.sampling, &second.sampling);
    if first.encoding != second.encoding {
        return Err(ErrorKind::OtherEncoding { found: second.encoding, expected: first.encoding });
    }
    if names[0] != names[1] || first.call_offset != second.call_offset {
        let (found, expected) = (names[1].to_vec(), names[0].to_vec());
        return Err(ErrorKind::OtherProgram { found, expected });
    }
    if a.dimension != b.dimension {
        let [first, second] = [a.dimension.to_vec(), b.dimension.to_vec()];
        return Err(Conflict::Dimension { first, second }.into());
    }
    if a.rate != b.rate { Err(Conflict::Rate.into()) } else { Ok(()) }
}

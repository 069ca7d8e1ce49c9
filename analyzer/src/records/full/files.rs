//! Reads full profiles for what they hold beside the data of one program: of any builds, in all modules.

use std::path::Path;

use gmon_format::live::Form;

use super::parts::Origin;
use super::total::FullRecords;
use crate::error::{Conflict, Error, ErrorKind};
use crate::records::{LiveFile, Watch};

/// Whether a file is a full profile: a finished one, or a live one with a list of modules.
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

/// Reads full profiles of one program, of any runs and builds, and adds them up; threads of one name are one.
///
/// # Errors
/// If one cannot be read or has no list of modules, is of another program than those before it, or has another
/// clock.
pub fn merge_full(
    paths: &[impl AsRef<Path>],
    watch: &mut impl Watch,
) -> Result<FullRecords, Error> {
    let mut sum = FullRecords::default();
    for (path, number) in paths.iter().zip(1..) {
        let mut records = FullRecords::default();
        add(&mut records, path.as_ref())?;
        if let (Some(first), Some(second)) = (sum.origin(), records.origin()) {
            let names = [program_name(&sum), program_name(&records)];
            agree(first, second, names).map_err(|kind| Error::new(path.as_ref(), kind))?;
        }
        sum.absorb_run(records);
        watch.progress(number, paths.len());
    }
    Ok(sum)
}

fn add(records: &mut FullRecords, path: &Path) -> Result<(), Error> {
    let file = LiveFile::open(path)?;
    let live = file.live()?;
    if live.modules().next().is_none() {
        return Err(Error::new(path, ErrorKind::NotFull));
    }
    records.add(&live);
    Ok(())
}

/// The name of the program's file. A script was executed by another name than that of its interpreter.
fn program_name(records: &FullRecords) -> &[u8] {
    let module = records.program().and_then(|program| records.modules().get(program.index()));
    let name = module.and_then(|module| module.path.rsplit(|byte| *byte == b'/').next());
    name.or(records.origin().map(|origin| origin.name.as_slice())).unwrap_or_default()
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

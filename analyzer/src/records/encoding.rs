//! Reads data files without the program that wrote them: their encoding must be guessed.

use std::fs;
use std::path::Path;

use gmon_format::{Accepted, DataFile, Encoding};

use super::load::Loader;
use super::total::Records;
use super::watch::Watch;
use crate::error::{Error, ErrorKind};

/// Reads and sums the files at `paths`, of which `-` is the standard input, and tells their
/// encoding. If that is not known, it is the one in which the files make sense, that of this
/// machine if they hold too little to tell.
///
/// # Errors
/// If a file cannot be read, breaks the format, has another encoding than the others or the given
/// one, or contradicts one before it.
pub fn load_raw(
    paths: &[impl AsRef<Path>],
    encoding: Option<Encoding>,
    watch: &mut impl Watch,
) -> Result<(Records, Encoding), Error> {
    let encoding = encoding.unwrap_or_else(|| guess(paths.iter().map(AsRef::as_ref)));
    let mut records = Loader::new(encoding).load(paths, watch).map_err(|error| {
        match bytes(error.path()).and_then(|bytes| only_encoding(&bytes)) {
            Some(found) if found != encoding => {
                let kind = ErrorKind::OtherEncoding { found, expected: encoding };
                Error::new(error.path(), kind)
            }
            _ => error,
        }
    })?;
    records.unite();
    Ok((records, encoding))
}

/// The encoding of the first of the files that tells it. Normally that is the first file.
fn guess<'a>(paths: impl Iterator<Item = &'a Path>) -> Encoding {
    for bytes in paths.filter_map(bytes) {
        if let Some(encoding) = only_encoding(&bytes).or_else(|| encoding_of_start(&bytes)) {
            return encoding;
        }
    }
    Encoding::NATIVE
}

/// The bytes of a file that can be read twice.
fn bytes(path: &Path) -> Option<Vec<u8>> {
    let is_file = path != Path::new("-") && fs::metadata(path).is_ok_and(|it| it.is_file());
    is_file.then(|| fs::read(path).ok()).flatten()
}

/// The only encoding in which a whole file makes sense.
fn only_encoding(bytes: &[u8]) -> Option<Encoding> {
    let mut encodings = DataFile::encodings(bytes);
    encodings.next().filter(|_| encodings.next().is_none())
}

/// The encoding in which a damaged file makes sense for longer than in any other, so that its defect
/// can be told.
fn encoding_of_start(bytes: &[u8]) -> Option<Encoding> {
    if DataFile::encodings(bytes).next().is_some() {
        return None;
    }
    let sense = |encoding: &Encoding| match DataFile::open(bytes, *encoding, Accepted::Gnu) {
        Ok(DataFile::Gnu(records)) => records.take_while(Result::is_ok).count() + 1,
        _ => 0,
    };
    let best = Encoding::ALL.into_iter().max_by_key(sense)?;
    (sense(&best) > 0).then_some(best)
}

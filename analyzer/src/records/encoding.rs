//! Reads data files without the program that wrote them: their encoding must be guessed.

use std::fs;
use std::path::Path;

use gmon_format::{DataFile, Encoding};

use super::bb_out::BbOut;
use super::live::LiveFile;
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
    let told = |path: &Path| {
        if let Some(header) = LiveFile::header_of(path) {
            return Some(header.encoding);
        }
        // A text has the numbers of any program.
        let bytes = bytes(path).filter(|bytes| !BbOut::begins(bytes))?;
        let mut encodings = DataFile::encodings(&bytes);
        match (encodings.next(), encodings.next()) {
            (Some(only), None) => Some(only),
            (Some(_), Some(_)) => None,
            // It is damaged. In its own encoding the reader can say more exactly how.
            (None, _) => DataFile::encoding_of_start(&bytes),
        }
    };
    paths.filter(|path| can_be_read_twice(path)).find_map(told).unwrap_or(Encoding::NATIVE)
}

/// The bytes of a file that can be read twice.
fn bytes(path: &Path) -> Option<Vec<u8>> {
    can_be_read_twice(path).then(|| fs::read(path).ok()).flatten()
}

fn can_be_read_twice(path: &Path) -> bool {
    path != Path::new("-") && fs::metadata(path).is_ok_and(|it| it.is_file())
}

/// The only encoding in which a whole file makes sense.
fn only_encoding(bytes: &[u8]) -> Option<Encoding> {
    let mut encodings = DataFile::encodings(bytes);
    encodings.next().filter(|_| encodings.next().is_none())
}

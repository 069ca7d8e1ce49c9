//! Guessing the word size and byte order of a file, which does not state them.
//!
//! Only the right ones make sense of a whole file, but for files with next to nothing in them.

use super::{BsdFile, DataFile, Records};
use crate::{Accepted, Encoding, Error, Record};

/// Bytes of code for each bin that a program may reasonably ask for.
const BIN_SIZES: core::ops::RangeInclusive<u64> = 1..=1 << 16;

impl DataFile<'_> {
    /// The encodings in which `bytes` makes sense as a whole data file: normally exactly one, none
    /// if the file is damaged, and more if it holds too little to tell.
    pub fn encodings(bytes: &[u8]) -> impl Iterator<Item = Encoding> + '_ {
        Encoding::ALL.into_iter().filter(|&encoding| {
            match DataFile::open(bytes, encoding, Accepted::Any) {
                Ok(DataFile::Gnu(mut records)) => records.all(|record| makes_sense(&record)),
                Ok(DataFile::Bsd(file)) => bsd_file_makes_sense(&file),
                Err(_) => false,
            }
        })
    }

    /// The encoding in which the start of a damaged GNU file makes sense for longest, in which
    /// its defect can be described; none if it makes no sense at all.
    #[must_use]
    pub fn encoding_of_start(bytes: &[u8]) -> Option<Encoding> {
        let sensible = |encoding: Encoding| {
            let records = Records::new(bytes, encoding).ok()?;
            Some((records.take_while(makes_sense).count(), encoding))
        };
        let found = Encoding::ALL.into_iter().filter_map(sensible);
        found.max_by_key(|(records, _)| *records).map(|(_, encoding)| encoding)
    }
}

fn makes_sense(record: &Result<Record<'_>, Error>) -> bool {
    match record {
        Ok(Record::Histogram(histogram)) => {
            histogram.is_whole() && histogram.header.low_pc <= histogram.header.high_pc
        }
        Ok(_) => true,
        Err(_) => false,
    }
}

fn bsd_file_makes_sense(file: &BsdFile<'_>) -> bool {
    let header = file.header();
    let range = header.high_pc.0.saturating_sub(header.low_pc.0);
    let bin_size = range.checked_div(header.bins.into());
    file.bins().is_ok()
        && file.ends_whole()
        && bin_size.is_some_and(|size| BIN_SIZES.contains(&size))
}

//! Guessing the word size and byte order of a file, which does not state them.
//!
//! Only the right ones make sense of a whole file, but for files with next to nothing in them.

use super::{BsdFile, DataFile, Records};
use crate::{Accepted, Encoding, Record};

/// Bytes of code for each bin that a program may reasonably ask for.
const BIN_SIZES: core::ops::RangeInclusive<u64> = 1..=1 << 16;

impl DataFile<'_> {
    /// The encodings in which `bytes` makes sense as a whole data file: normally exactly one, none
    /// if the file is damaged, and more if it holds too little to tell.
    pub fn encodings(bytes: &[u8]) -> impl Iterator<Item = Encoding> + '_ {
        Encoding::ALL.into_iter().filter(|&encoding| {
            match DataFile::open(bytes, encoding, Accepted::Any) {
                Ok(DataFile::Gnu(records)) => records_make_sense(records),
                Ok(DataFile::Bsd(file)) => bsd_file_makes_sense(&file),
                Err(_) => false,
            }
        })
    }
}

fn records_make_sense(mut records: Records<'_>) -> bool {
    records.all(|record| match record {
        Ok(Record::Histogram(histogram)) => histogram.header.low_pc <= histogram.header.high_pc,
        Ok(_) => true,
        Err(_) => false,
    })
}

fn bsd_file_makes_sense(file: &BsdFile<'_>) -> bool {
    let header = file.header();
    let range = header.high_pc.saturating_sub(header.low_pc);
    let bin_size = range.checked_div(header.bins.into());
    file.bins().is_ok()
        && file.ends_whole()
        && bin_size.is_some_and(|size| BIN_SIZES.contains(&size))
}

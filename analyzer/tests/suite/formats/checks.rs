//! What must hold of any bytes that are read as a data file. The fuzz targets check the same.

use std::path::Path;

use gmon_analyzer::Records;
use gmon_analyzer::records::{BbOut, Jitdump, Loader, Made, needed, perf_map};
use gmon_analyzer::sum::{Sum, write_blocks};
use gmon_format::{Accepted, DataFile, Encoding, Record};

/// Reads a file by the format crate alone: it cannot hold more items than bytes.
pub(crate) fn reads(file: &[u8], encoding: Encoding) {
    for accepted in [Accepted::Any, Accepted::Gnu, Accepted::Bsd, Accepted::Bsd44] {
        let held = DataFile::open(file, encoding, accepted).map_or(0, |file| items(&file));
        assert!(held <= file.len(), "{held} items in {} bytes", file.len());
    }
}

fn items(file: &DataFile<'_>) -> usize {
    match file {
        DataFile::Gnu(records) => records
            .clone()
            .map(|record| match record {
                Ok(Record::Histogram(histogram)) => histogram.bins.iter().count(),
                Ok(Record::Blocks(blocks)) => blocks.iter().count(),
                Ok(Record::Arc(_)) | Err(_) => 1,
            })
            .sum(),
        DataFile::Bsd(file) => {
            file.bins().map_or(0, |bins| bins.iter().count()) + file.arcs().count()
        }
    }
}

/// Reads a file into sums, and writes these: what is read back must be the same.
pub(crate) fn sums(file: &[u8], encoding: Encoding) {
    let loader = Loader::new(encoding);
    let mut records = Records::default();
    if loader.add_bytes(Path::new("data"), file, &mut records).is_err() {
        return;
    }
    let bins = records.histograms().list().iter().map(|histogram| histogram.bins.len());
    let held = bins.sum::<usize>() + records.arcs().len() + records.blocks().len();
    assert!(held <= file.len(), "{held} counts from {} bytes", file.len());
    // Wider counts, which only a file of BSD can have, are written in many records.
    if records.arcs().iter().any(|arc| arc.count > 1 << 40) {
        return;
    }
    let mut written = Vec::new();
    let sum = Sum::raw(&records);
    sum.write_gnu(encoding, &mut written).expect("room in memory");
    let mut again = Records::default();
    loader.add_bytes(Path::new("sum"), &written, &mut again).expect("a good file");
    assert_eq!(again.histograms().list(), records.histograms().list());
    assert_eq!(calls(&again), calls(&records));
    assert_eq!(again.blocks(), records.blocks());
    // This has room for less, and says so.
    _ = sum.write_bsd(encoding, true, &mut std::io::sink());
}

fn calls(records: &Records) -> u64 {
    records.arcs().iter().fold(0, |sum, arc| sum.saturating_add(arc.count))
}

/// Reads a text of basic blocks and converts it.
pub(crate) fn converts(text: &[u8], encoding: Encoding) {
    let Ok(blocks) = BbOut::read(text, encoding) else { return };
    let mut file = Vec::new();
    write_blocks([&blocks], encoding, &mut file).expect("room in memory");
    let mut records = Records::default();
    Loader::new(encoding).add_bytes(Path::new("data"), &file, &mut records).expect("a good file");
    let count = |blocks: &[gmon_format::Block]| {
        blocks.iter().fold(0_u64, |sum, block| sum.saturating_add(block.count))
    };
    assert_eq!(count(records.blocks()), count(&blocks.files.concat()));
}

/// Reads bytes as a map and as a dump of code that was made at run time: what is found at some addresses never overlaps.
pub(crate) fn finds_code(bytes: &[u8]) {
    let dump = Jitdump::new(bytes).into_iter().flat_map(Jitdump::code);
    for code in [perf_map(bytes).map(|(_, made)| made).collect(), dump.collect::<Vec<_>>()] {
        assert!(code.len() <= bytes.len(), "{} pieces in {} bytes", code.len(), bytes.len());
        let ends = |made: &Made<'_>| [made.start, made.end - 1, made.start / 2 + made.end / 2];
        let mut addresses: Vec<u64> = code.iter().flat_map(ends).collect();
        addresses.sort_unstable();
        addresses.dedup();
        addresses.truncate(100);
        let found = needed(code.into_iter(), &addresses);
        for (at, a) in found.iter().enumerate() {
            assert!(a.made.start < a.made.end && a.to.is_none_or(|to| a.made.from < Some(to)));
            for b in &found[at + 1..] {
                let is_apart = a.made.end <= b.made.start || b.made.end <= a.made.start;
                let follows = |a: Option<u64>, b: Option<u64>| a.is_some() && a <= b;
                let is_later = follows(a.to, b.made.from) || follows(b.to, a.made.from);
                assert!(is_apart || is_later, "{a:?} and {b:?}");
            }
        }
    }
}

//! Damaged data files: whatever is in them, the readers answer with a result or an error, and never
//! with more than a small multiple of what was read.
//!
//! The same readers are fuzzed from `fuzz/`; this is what can be tried in seconds.
//! `GMON_MUTATIONS=N` tries N files instead of 100,000.

use std::path::Path;

use gmon_analyzer::Records;
use gmon_analyzer::records::Loader;
use gmon_analyzer::sum::Sum;
use gmon_format::{Accepted, DataFile, Encoding, Record};

use super::bytes;
use super::mixing::{at, data};
use crate::random::Random;

/// Small whole files of every format and encoding.
fn seeds(random: &mut Random) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for encoding in Encoding::ALL {
        let mut data = data(random, 100);
        data.histograms[0].bins.truncate(20);
        data.histograms[0].high = at(0) + 40;
        seeds.push(bytes::bsd(&data, encoding, false));
        seeds.push(bytes::bsd(&data, encoding, true));
        let mut gnu = data.bytes(encoding);
        gnu.extend(bytes::blocks(&[(at(0), 1), (at(1), 2)], encoding));
        let mut version_0 = data.bytes(encoding);
        version_0[4..8].fill(0);
        version_0.push(2);
        version_0.extend(encoding.u32_bytes(1));
        version_0.extend(b"module\0 count, pc: 16 bytes file\0function\0line");
        seeds.extend([gnu, version_0]);
    }
    seeds
}

fn mutate(random: &mut Random, file: &mut Vec<u8>) {
    const ODD: [u64; 6] = [0, 1, 0x7f, 0x80, 0xff, u64::MAX];
    for _ in 0..1 + random.below(4) {
        let len = file.len() as u64;
        let place = random.below(len) as usize;
        match random.below(6) {
            0 => file[place] = random.next() as u8,
            1 => file[place] ^= 1 << random.below(8),
            2 => file[place..].iter_mut().take(4).for_each(|byte| *byte = 0xff),
            3 => {
                let odd = random.pick(&ODD).to_le_bytes();
                file[place..].iter_mut().zip(odd).for_each(|(byte, odd)| *byte = odd);
            }
            4 if len > 1 => file.truncate(place.max(1)),
            _ => {
                let part = file[place..].to_vec();
                file.extend(part.into_iter().take(64));
            }
        }
    }
}

/// Reads a file by the format crate alone and counts what it holds.
fn count(file: &[u8], encoding: Encoding, accepted: Accepted) -> Option<usize> {
    match DataFile::open(file, encoding, accepted).ok()? {
        DataFile::Gnu(records) => Some(
            records
                .map(|record| match record {
                    Ok(Record::Histogram(histogram)) => histogram.bins.iter().count(),
                    Ok(Record::Blocks(blocks)) => blocks.iter().count(),
                    Ok(Record::Arc(_)) | Err(_) => 1,
                })
                .sum(),
        ),
        DataFile::Bsd(file) => {
            Some(file.bins().map_or(0, |bins| bins.iter().count()) + file.arcs().count())
        }
    }
}

/// Reads a file into sums, and writes and reads these.
fn sum(file: &[u8], encoding: Encoding) {
    let loader = Loader::new(encoding);
    let mut records = Records::default();
    if loader.add_bytes(Path::new("data"), file, &mut records).is_err() {
        return;
    }
    let sums = records.histograms().list().iter().map(|histogram| histogram.bins.len());
    let held = sums.sum::<usize>() + records.arcs().len() + records.blocks().len();
    assert!(held <= file.len(), "{held} counts from {} bytes", file.len());
    // Wider counts are written in many records, which takes long.
    if records.arcs().iter().any(|arc| arc.count > 1 << 40) {
        return;
    }
    let mut written = Vec::new();
    Sum::raw(&records).write_gnu(encoding, &mut written).unwrap();
    let mut again = Records::default();
    loader.add_bytes(Path::new("sum"), &written, &mut again).unwrap();
    assert_eq!(again.histograms().list(), records.histograms().list());
    let calls = |records: &Records| {
        records.arcs().iter().fold(0_u64, |sum, arc| sum.saturating_add(arc.count))
    };
    assert_eq!(calls(&again), calls(&records));
    assert_eq!(again.blocks(), records.blocks());
}

#[test]
fn damaged_files_are_read_without_panic_and_excess() {
    let cases = std::env::var("GMON_MUTATIONS").ok().and_then(|cases| cases.parse().ok());
    let mut random = Random::new(20);
    let seeds = seeds(&mut random);
    for _ in 0..cases.unwrap_or(100_000) {
        let mut file = seeds[random.below(seeds.len() as u64) as usize].clone();
        mutate(&mut random, &mut file);
        for encoding in Encoding::ALL {
            for accepted in [Accepted::Any, Accepted::Gnu, Accepted::Bsd, Accepted::Bsd44] {
                let held = count(&file, encoding, accepted);
                assert!(held.unwrap_or(0) <= file.len());
            }
        }
        for encoding in DataFile::encodings(&file) {
            sum(&file, encoding);
        }
        let encoding = random.pick(&Encoding::ALL);
        sum(&file, encoding);
    }
}

//! Damaged data files: whatever is in them, the readers answer with a result or an error, and never
//! with more than a small multiple of what was read.
//!
//! The targets in `fuzz/` fuzz these readers, too; this is what can be tried in seconds.
//! `GMON_MUTATIONS=N` tries N files instead of 100,000.

use gmon_format::{DataFile, Encoding};

use super::checks;
use super::mixing::{at, data};
use crate::bytes;
use crate::damage::damage;
use crate::random::{Random, mutations};

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

#[test]
fn damaged_files_are_read_without_panic_and_excess() {
    let mut random = Random::new(20);
    let seeds = seeds(&mut random);
    for _ in 0..mutations(100_000) {
        let mut file = seeds[random.below(seeds.len() as u64) as usize].clone();
        damage(&mut random, &mut file);
        Encoding::ALL.into_iter().for_each(|encoding| checks::reads(&file, encoding));
        DataFile::encodings(&file).for_each(|encoding| checks::sums(&file, encoding));
        checks::sums(&file, random.pick(&Encoding::ALL));
    }
}

#[test]
fn damaged_texts_are_converted_without_panic() {
    const TEXT: &[u8] = b"File a.c, 2 basic blocks\n\
        Block #1: executed   5 time(s) address= 0x401004 function= main line= 3 file= a.c\n\
        Block #2: executed  12 time(s) address= 0x401044 function= work line= 9 file= a.c\n";
    let mut random = Random::new(21);
    for _ in 0..10_000 {
        let mut text = TEXT.to_vec();
        damage(&mut random, &mut text);
        checks::converts(&text, random.pick(&Encoding::ALL));
    }
}

#[test]
fn damaged_maps_and_dumps_are_read_without_panic() {
    const MAP: &[u8] =
        b"7f0000001000 200 JS:~fib /a.js:1:2\n0x7f0000001100 0x80 work\n7f0000001000 40 late\n";
    let mut random = Random::new(22);
    let dump = bytes::jitdump();
    for _ in 0..20_000 {
        for seed in [MAP, &dump] {
            let mut file = seed.to_vec();
            damage(&mut random, &mut file);
            checks::finds_code(&file);
        }
    }
}

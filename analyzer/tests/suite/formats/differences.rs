//! Where we read and write data files otherwise than GNU gprof: one test for each row of the table
//! in `docs/gprof.md`.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use gmon_analyzer::records::Loader;
use gmon_analyzer::sum::replace_file;
use gmon_analyzer::{Image, Records};
use gmon_format::{Accepted, Block, Encoding, FilePc, WordSize};

use super::mixing::{at, data, exe};
use crate::bytes;
use crate::comparison::Comparison;
use crate::data::{Data, Histogram};
use crate::elf::{self, Elf};
use crate::gnu;
use crate::random::Random;

fn native_exe() -> Elf {
    exe(elf::LITTLE_64, 62)
}

/// A histogram of two bins in `f0`.
fn small() -> Histogram {
    Histogram::new(at(0), at(0) + 4, vec![1, 2])
}

fn gnu_file(histograms: &[Histogram]) -> Vec<u8> {
    Data { histograms: histograms.to_vec(), arcs: vec![] }.bytes(elf::LITTLE_64)
}

fn bsd_file(histogram: &Histogram, has_rate: bool) -> Vec<u8> {
    let data = Data { histograms: vec![histogram.clone()], arcs: vec![] };
    bytes::bsd(&data, elf::LITTLE_64, has_rate)
}

/// Checks that the files are refused with this message, in which `0` stands for the first file and
/// `1` for the second.
fn assert_refused(files: &[Vec<u8>], options: &str, message: &str) {
    let comparison = Comparison::new(&native_exe(), files);
    let (outcome, sum) = comparison.ours(options);
    let path = |name: &str| comparison.path(name).display().to_string();
    let message = message.replace("FILE0", &path("0")).replace("FILE1", &path("1"));
    assert_eq!((outcome.stderr, outcome.status), (message + "\n", 1));
    assert_eq!(sum, None);
}

fn load(comparison: &Comparison, file: &[u8]) -> Records {
    let image = Image::open(comparison.path("exe")).unwrap();
    let loader = Loader::for_program(&image).accept(Accepted::Any);
    let mut records = Records::default();
    loader.add_bytes("data".as_ref(), file, &mut records).unwrap();
    records
}

#[test]
fn a_bin_of_more_than_16_bits_keeps_its_value_in_the_sum() {
    let wide = Histogram { bins: vec![60_000, 1], ..small() };
    let comparison = Comparison::new(&native_exe(), &[gnu_file(&[wide.clone(), wide])]);
    let (_, sum) = comparison.ours("-s");
    assert_eq!(load(&comparison, &sum.unwrap()).histograms().list()[0].bins, [120_000, 2]);
}

#[test]
fn an_arc_of_more_than_32_bits_keeps_its_count_in_the_sum() {
    let arc = (at(0), at(1), u64::from(u32::MAX));
    let file = Data { histograms: vec![], arcs: vec![arc, arc] }.bytes(elf::LITTLE_64);
    let comparison = Comparison::new(&native_exe(), &[file]);
    let (_, sum) = comparison.ours("-s");
    let records = load(&comparison, &sum.unwrap());
    assert_eq!(records.arcs().iter().map(|arc| arc.count).sum::<u64>(), 2 * arc.2);
}

#[test]
fn a_bin_that_bsd_has_no_room_for_is_refused() {
    let full = bsd_file(&Histogram { bins: vec![65_535, 1], ..small() }, false);
    let message = "gmon.sum: 131070 ticks in a bin are more than the format of BSD has room for; \
                   without -O the sum is written in the GNU format";
    assert_refused(&[full.clone(), full.clone()], "-s -Ob", message);
    let rated = bsd_file(&Histogram { bins: vec![65_535, 1], ..small() }, true);
    assert_refused(&[rated.clone(), rated], "-s -O4", message);
    let comparison = Comparison::new(&native_exe(), &[full.clone(), full]);
    assert_eq!(comparison.ours("-s").0.status, 0);
}

/// Only a file of BSD can have such counts, of eight bytes each.
#[test]
fn an_arc_that_would_take_too_many_records_is_refused() {
    let most = 1 << 48;
    let file = |count| {
        let arcs = vec![(at(0), at(1), count)];
        bytes::bsd(&Data { histograms: vec![small()], arcs }, elf::LITTLE_64, false)
    };
    let message = "gmon.sum: 281474976710657 calls along one arc are more than the GNU format has \
                   room for";
    assert_refused(&[file(most + 1)], "-s", message);
    let comparison = Comparison::new(&native_exe(), &[file(most + 1)]);
    assert_eq!(comparison.ours("-s -Ob").1.unwrap(), file(most + 1));
    let comparison = Comparison::new(&native_exe(), &[file(most)]);
    let records = load(&comparison, &comparison.ours("-s").1.unwrap());
    assert_eq!(records.arcs().iter().map(|arc| arc.count).sum::<u64>(), most);
}

#[test]
fn a_symbol_may_have_any_number_of_blocks() {
    let pairs: Vec<_> = (0..64).map(|number| (at(0) + number, number + 1)).collect();
    let file = [gnu_file(&[]), bytes::blocks(&pairs, elf::LITTLE_64)].concat();
    let comparison = Comparison::new(&native_exe(), std::slice::from_ref(&file));
    let (_, sum) = comparison.ours("-s");
    assert_eq!(sum.unwrap(), file);
}

#[test]
fn blocks_of_either_byte_order_are_read() {
    let pairs = [(at(0), 5), (at(1) + 4, 7)];
    for (encoding, machine) in
        [(elf::LITTLE_64, 62), (elf::BIG_64, 43), (elf::LITTLE_32, 3), (elf::BIG_32, 2)]
    {
        let file = [Data::default().bytes(encoding), bytes::blocks(&pairs, encoding)].concat();
        let comparison = Comparison::new(&exe(encoding, machine), std::slice::from_ref(&file));
        assert_eq!(comparison.ours("-s").1.unwrap(), file);
    }
}

#[test]
fn blocks_of_version_0_have_the_encoding_of_the_program() {
    let file = |encoding: Encoding| {
        let word = |value: u64| match encoding.word {
            WordSize::Four => encoding.u32_bytes(value as u32).to_vec(),
            WordSize::Eight => encoding.u64_bytes(value).to_vec(),
        };
        let mut file = Data::default().bytes(encoding);
        file[4..8].fill(0);
        file.push(2);
        file.extend(encoding.u32_bytes(1));
        file.extend(b"module\0");
        file.extend([word(5), word(at(1)), b"file.c\0f\0".to_vec()].concat());
        file.extend(encoding.u32_bytes(77));
        file
    };
    for (encoding, machine) in
        [(elf::LITTLE_64, 62), (elf::BIG_64, 43), (elf::LITTLE_32, 3), (elf::BIG_32, 2)]
    {
        let comparison = Comparison::new(&exe(encoding, machine), &[file(encoding)]);
        let records = load(&comparison, &file(encoding));
        assert_eq!(records.blocks(), [Block { pc: FilePc(at(1)), count: 5 }]);
    }
    // A program of this machine is what GNU gprof can read.
    let comparison = Comparison::new(&native_exe(), &[file(elf::LITTLE_64)]);
    if gnu::is_here("blocks_of_version_0_have_the_encoding_of_the_program") {
        comparison.assert_same("version 0", "-i");
        comparison.assert_same("version 0", "-s");
    }
}

#[test]
fn blocks_cut_short_are_reported_as_blocks() {
    let file = [gnu_file(&[]), bytes::blocks(&[(at(0), 1), (at(1), 1)], elf::LITTLE_64)].concat();
    let message = "gprof: FILE0: unexpected end of file after 1 of 2 basic blocks";
    assert_refused(&[file[..file.len() - 1].to_vec()], "-s", message);
}

#[test]
fn histograms_of_different_rates_are_not_mixed() {
    let slow = gnu_file(&[small()]);
    let fast = gnu_file(&[Histogram { rate: 1000, ..small() }]);
    let message = "FILE1: profiling rate incompatible with first gmon file";
    assert_refused(&[slow, fast.clone()], "-s", message);
    // The old format has the rate of the system's clock.
    assert_refused(&[bsd_file(&small(), false), fast], "-s", message);
}

#[test]
fn histograms_of_a_range_with_different_numbers_of_bins_are_not_mixed() {
    let bins = |count: usize| Histogram::new(at(0), at(0) + 2_000_000, vec![0; count]);
    let file = gnu_file(&[bins(1_000_000), bins(1_000_001)]);
    assert_refused(&[file], "-s", "gprof: different scales in histogram records");
}

#[test]
fn a_file_of_bsd_does_not_take_the_blocks_away() {
    let with_blocks = [gnu_file(&[]), bytes::blocks(&[(at(1), 3)], elf::LITTLE_64)].concat();
    let comparison = Comparison::new(&native_exe(), &[with_blocks, bsd_file(&small(), false)]);
    let (_, sum) = comparison.ours("-s");
    assert_eq!(load(&comparison, &sum.unwrap()).blocks(), [Block { pc: FilePc(at(1)), count: 3 }]);
}

/// GNU gprof clears 17 GB for these 61 bytes, and 4 GB for the text.
#[test]
fn bins_are_counted_before_there_is_room_for_them() {
    let mut gnu = gnu_file(&[Histogram { bins: vec![], ..small() }]);
    gnu[37..41].fill(0xff);
    let message = "gprof: FILE0: unexpected EOF after reading 0 of 4294967295 samples";
    assert_refused(&[gnu], "-s", message);
    let mut bsd = bsd_file(&small(), false);
    bsd[16..20].fill(0xff);
    let message = "gprof: unexpected EOF after reading 1/2147483637 bins";
    assert_refused(&[bsd], "-s", message);
}

#[test]
fn only_data_of_the_program_is_taken_for_the_old_format() {
    let message = "gprof: FILE0: not a data file: it does not begin with `gmon`, and read in the format of BSD \
                   it would be of another program (-O bsd reads it anyway)";
    assert_refused(&[b"an elf, an elf: as an example of a text".to_vec()], "", message);
    let elsewhere = Histogram { low: 0x9000_0000, high: 0x9000_0004, ..small() };
    assert_refused(&[bsd_file(&elsewhere, false)], "", message);
    for (file, options) in [
        (bsd_file(&elsewhere, false), "-Ob -i"),
        (bsd_file(&elsewhere, true), "-i"),
        (bsd_file(&small(), false), "-i"),
    ] {
        assert_eq!(Comparison::new(&native_exe(), &[file]).ours(options).0.status, 0, "{options}");
    }
    // Behind another file, GNU gprof finds only that the histograms differ.
    let files = [gnu_file(&[small()]), b"some text that is no profile".to_vec()];
    let message = "gprof: file 'FILE1' does not appear to be in gmon.out format";
    assert_refused(&files, "", message);
}

#[test]
fn histograms_that_make_no_sense_are_refused() {
    let backwards = Histogram { low: at(1), high: at(0), ..small() };
    let message = "gprof: FILE0: histogram ends before it starts";
    assert_refused(&[gnu_file(&[backwards])], "-s", message);
    let stopped = Histogram { rate: 0, ..small() };
    let message = "gprof: FILE0: histogram with a profiling rate of 0";
    assert_refused(&[gnu_file(std::slice::from_ref(&stopped))], "-s", message);
    // A file of 4.4BSD without a rate has the first one's, or the clock's.
    let fast = bsd_file(&Histogram { rate: 1000, ..small() }, true);
    let comparison = Comparison::new(&native_exe(), &[fast, bsd_file(&stopped, true)]);
    assert!(comparison.ours("-b -p").0.stdout.contains("counts as 0.001 seconds"));
    let comparison = Comparison::new(&native_exe(), &[bsd_file(&stopped, true)]);
    assert!(comparison.ours("-b -p").0.stdout.contains("counts as 0.01 seconds"));
}

#[test]
fn an_empty_range_without_bins_says_nothing_about_the_size_of_bins() {
    let empty = Histogram { low: at(3), high: at(3), bins: vec![], ..small() };
    let comparison = Comparison::new(&native_exe(), &[gnu_file(&[empty.clone(), small(), empty])]);
    let (outcome, _) = comparison.ours("-b -p");
    let alone = Comparison::new(&native_exe(), &[gnu_file(&[small()])]).ours("-b -p").0;
    assert_eq!(outcome, alone);
    let other = Histogram { low: at(1), high: at(2), ..small() };
    let empty = Histogram { low: at(3), high: at(3), bins: vec![], ..small() };
    let message = "gprof: different scales in histogram records";
    assert_refused(&[gnu_file(&[empty, small(), other])], "-s", message);
}

#[test]
fn messages_are_printable_lines() {
    let other = Histogram { dimension: "a\x1b[31m", ..small() };
    let message = "gprof: dimension unit changed between histogram records\n\
                   gprof: from 'seconds'\ngprof: to 'a\\x1b[31m'";
    assert_refused(&[gnu_file(&[small(), other])], "-s", message);
    let wider = Histogram { low: at(1), high: at(2), ..small() };
    let message = "gprof: different scales in histogram records";
    assert_refused(&[gnu_file(&[small(), wider])], "-s", message);
}

#[test]
fn the_sum_is_the_same_every_time() {
    let mut random = Random::new(3);
    let mut file = data(&mut random, 100).bytes(elf::LITTLE_64);
    let dimension = 20 + 1 + 16 + 8;
    assert_eq!(&file[dimension..dimension + 7], b"seconds");
    // Whatever follows the name is not part of it.
    file[dimension + 8] = b'x';
    let comparison = Comparison::new(&native_exe(), &[file]);
    let sum = comparison.ours("-s").1.unwrap();
    assert_eq!(sum[8..20], [0; 12]);
    assert_eq!(sum[dimension + 7..dimension + 15], [0; 8]);
    assert_eq!(comparison.ours("-s").1.unwrap(), sum);
}

#[test]
fn a_sum_that_cannot_be_written_is_an_error() {
    let comparison = Comparison::new(&native_exe(), &[gnu_file(&[small()])]);
    let full = |dir: &Path| symlink("/dev/full", dir.join("gmon.sum")).unwrap();
    let (outcome, _) = comparison.ours_beside("-s", full);
    let message = "gmon.sum: No space left on device\n";
    assert_eq!((outcome.stderr.as_str(), outcome.status), (message, 1));
    let folder = |dir: &Path| fs::create_dir(dir.join("gmon.sum")).unwrap();
    let (outcome, _) = comparison.ours_beside("-s", folder);
    assert_eq!((outcome.stderr.as_str(), outcome.status), ("gmon.sum: Is a directory\n", 1));
}

#[test]
fn a_sum_that_fails_leaves_the_old_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("gmon.sum");
    fs::write(&path, "old").unwrap();
    let link = dir.path().join("link");
    symlink("gmon.sum", &link).unwrap();
    for path in [&path, &link] {
        let failed = replace_file(path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read(path).unwrap(), b"old");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    replace_file(&link, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

//! Files of all formats, told apart and mixed in one run, as GNU gprof does.

use gmon_format::{ByteOrder, Encoding};

use crate::bytes;
use crate::comparison::Comparison;
use crate::data::{Data, Histogram};
use crate::elf::{self, Elf};
use crate::gnu;
use crate::random::Random;

pub(crate) const TEXT: u64 = 0x40_1000;
const SIZE: u64 = 64;
const FUNCTIONS: u64 = 6;

/// Functions `f0` to `f5`, each of 64 bytes, and two more: GNU gprof gives the last one no time.
pub(crate) fn exe(encoding: Encoding, machine: u16) -> Elf {
    let mut exe = Elf { encoding, machine, ..Elf::new(TEXT, (FUNCTIONS + 2) * SIZE) };
    for number in 0..FUNCTIONS + 2 {
        exe.function(&format!("f{number}"), at(number));
    }
    exe
}

/// The start of a function.
pub(crate) fn at(number: u64) -> u64 {
    TEXT + number * SIZE
}

/// Two bytes per bin, some samples and some calls.
pub(crate) fn data(random: &mut Random, rate: u32) -> Data {
    let bins = (0..FUNCTIONS * SIZE / 2).map(|_| random.below(20).saturating_sub(15)).collect();
    let call = |random: &mut Random| {
        let caller = at(random.below(FUNCTIONS)) + random.below(SIZE);
        (caller, at(random.below(FUNCTIONS)), random.below(1000))
    };
    Data {
        histograms: vec![Histogram { rate, ..Histogram::new(TEXT, at(FUNCTIONS), bins) }],
        arcs: (0..random.below(12)).map(|_| call(random)).collect(),
    }
}

const MACHINES: [(Encoding, u16); 4] =
    [(elf::LITTLE_64, 62), (elf::BIG_64, 43), (elf::LITTLE_32, 3), (elf::BIG_32, 2)];

/// A file of any format, perhaps without some kind of record or of another range or rate.
fn file(random: &mut Random, encoding: Encoding, rate: u32) -> Vec<u8> {
    let mut data = data(random, rate);
    if random.once_in(12) {
        data.histograms[0].bins.pop();
    }
    if random.once_in(12) {
        data.histograms[0].high += SIZE;
    }
    let has_rate = random.once_in(2);
    match random.below(4) {
        // Files of the old format have the rate of the clock, and files of different rates are
        // another matter.
        0 | 1 => bytes::bsd(&data, encoding, rate != 100 || has_rate),
        _ => {
            if random.once_in(4) {
                data.histograms.clear();
            }
            let mut file = data.bytes(encoding);
            // GNU gprof cannot read blocks of a program of the other byte order.
            if encoding.order == ByteOrder::Little && random.once_in(4) {
                let pairs: Vec<_> = (0..random.below(6))
                    .map(|_| (at(random.below(FUNCTIONS)) + random.below(SIZE), random.below(99)))
                    .collect();
                file.extend(bytes::blocks(&pairs, encoding));
            }
            file
        }
    }
}

#[test]
fn mixed_files_give_the_output_of_gnu_gprof() {
    if !gnu::is_here("mixed_files_give_the_output_of_gnu_gprof") {
        return;
    }
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let (encoding, machine) = random.pick(&MACHINES);
        let rate = random.pick(&[100, 100, 1000]);
        let files: Vec<_> =
            (0..1 + random.below(4)).map(|_| file(&mut random, encoding, rate)).collect();
        let comparison = Comparison::new(&exe(encoding, machine), &files);
        let is_bsd = files.iter().all(|file| !file.starts_with(b"gmon"));
        // As a file of BSD, one of the GNU format announces so many bins that GNU gprof takes
        // gigabytes of memory.
        let formats = if is_bsd { ["", "-O auto", "-Ob"] } else { ["", "-O auto", "-Om"] };
        let format = random.pick(&formats);
        for options in ["-b -i", "-b", "-b -p", "-i -p -q -b"] {
            comparison.assert_same(&format!("seed {seed}"), &format!("{options} {format}"));
        }
    }
}

#[test]
fn a_file_cut_anywhere_has_the_message_of_gnu_gprof() {
    if !gnu::is_here("a_file_cut_anywhere_has_the_message_of_gnu_gprof") {
        return;
    }
    for (seed, (encoding, machine)) in (1..).zip(MACHINES) {
        let mut random = Random::new(seed);
        let mut data = data(&mut random, 100);
        data.histograms[0].bins = vec![3; 6];
        data.histograms[0].high = TEXT + 12;
        data.arcs.truncate(2);
        let mut other_unit = data.clone();
        other_unit.histograms[0].dimension = "misses";
        let files = [
            data.bytes(encoding),
            bytes::bsd(&data, encoding, false),
            bytes::bsd(&data, encoding, true),
        ];
        for file in files {
            for cut in (0..file.len()).filter(|_| random.once_in(3)) {
                let comparison = Comparison::new(&exe(encoding, machine), &[file[..cut].to_vec()]);
                comparison.assert_same(&format!("{encoding}, cut at {cut}"), "-i");
            }
        }
        // A contradiction in the header is found before the end of the file.
        let mut cut = other_unit.bytes(encoding);
        cut.truncate(20 + 1 + 2 * encoding.word.bytes() + 24 + 5);
        let files = [data.bytes(encoding), cut];
        Comparison::new(&exe(encoding, machine), &files).assert_same("cut and contradicting", "-i");
    }
}

#[test]
fn formats_are_named_as_gnu_gprof_wants() {
    if !gnu::is_here("formats_are_named_as_gnu_gprof_wants") {
        return;
    }
    let mut random = Random::new(7);
    let data = data(&mut random, 100);
    let encoding = elf::LITTLE_64;
    for file in [
        data.bytes(encoding),
        bytes::bsd(&data, encoding, false),
        bytes::bsd(&data, encoding, true),
        b"gmon\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
        b"gmon\0\0\0\x80\0\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
    ] {
        let is_gnu = file.starts_with(b"gmon");
        let comparison = Comparison::new(&exe(encoding, 62), &[file]);
        for name in ["a", "auto", "magic", "mx", "4", "4.4bsd", "prof", "A", "x", "44"] {
            comparison.assert_same("-O", &format!("-i -O{name}"));
        }
        // GNU gprof would take gigabytes for the bins that it reads out of `gmon`.
        if !is_gnu {
            comparison.assert_same("-O", "-i -Obsd");
        }
        comparison.assert_same("-O", "-Op -Om -i");
        comparison.assert_same("-O", "-Om -Oz -h");
    }
}

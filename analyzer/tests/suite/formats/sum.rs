//! `gprof -s`: the sum of data files as a data file.

use std::fs;

use gmon_format::ByteOrder;

use super::mixing::{at, data, exe};
use crate::bytes;
use crate::comparison::Comparison;
use crate::data::{Data, Histogram};
use crate::elf;
use crate::gnu;
use crate::random::Random;

#[test]
fn sums_are_those_of_gnu_gprof() {
    if !gnu::is_here("sums_are_those_of_gnu_gprof") {
        return;
    }
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let machines =
            [(elf::LITTLE_64, 62), (elf::BIG_64, 43), (elf::LITTLE_32, 3), (elf::BIG_32, 2)];
        let (encoding, machine) = random.pick(&machines);
        let mut files = Vec::new();
        for _ in 0..1 + random.below(3) {
            let mut data = data(&mut random, 100);
            // What is in no symbol is left out.
            data.arcs.extend([(1, at(0), 5), (at(0), 1, 5), (at(2), at(1) + 7, 5)]);
            let second = Histogram::new(at(6), at(7), vec![1; 32]);
            match random.below(4) {
                0 => files.push(bytes::bsd(&data, encoding, false)),
                1 => files.push(bytes::bsd(&data, encoding, true)),
                2 => {
                    data.histograms.push(second);
                    files.push(data.bytes(encoding));
                }
                // GNU gprof cannot read blocks of a program of the other byte order.
                _ if encoding.order == ByteOrder::Big => files.push(data.bytes(encoding)),
                _ => {
                    let blocks = |random: &mut Random| {
                        (0..4)
                            .map(|_| (at(random.below(6)) + random.below(9), 7))
                            .collect::<Vec<_>>()
                    };
                    let mut file = data.bytes(encoding);
                    file.extend(bytes::blocks(&blocks(&mut random), encoding));
                    file.extend(bytes::blocks(&[(3, 9)], encoding));
                    files.push(file);
                }
            }
        }
        // GNU gprof forgets blocks when it reads a file of BSD.
        files.sort_by_key(|file| file.starts_with(b"gmon"));
        let comparison = Comparison::new(&exe(encoding, machine), &files);
        for options in ["-s", "-s -i", "-s -Om", "-s -b -p"] {
            comparison.assert_same(&format!("seed {seed}"), options);
        }
        files.retain(|file| !file.starts_with(b"gmon"));
        if !files.is_empty() {
            let comparison = Comparison::new(&exe(encoding, machine), &files);
            for options in ["-s -Ob", "-s -O4"] {
                comparison.assert_same(&format!("seed {seed}"), options);
            }
        }
    }
}

#[test]
fn the_sum_is_written_before_anything_is_missed() {
    if !gnu::is_here("the_sum_is_written_before_anything_is_missed") {
        return;
    }
    let mut only_time = data(&mut Random::new(1), 100);
    only_time.arcs.clear();
    let comparison = Comparison::new(&exe(elf::LITTLE_64, 62), &[only_time.bytes(elf::LITTLE_64)]);
    comparison.assert_same("no arcs", "-s -q");
    assert!(comparison.ours("-s -q").1.is_some());
}

#[test]
fn a_sum_can_be_summed_again() {
    let data = data(&mut Random::new(2), 100);
    let comparison = Comparison::new(&exe(elf::LITTLE_64, 62), &[data.bytes(elf::LITTLE_64)]);
    let (_, once) = comparison.ours("-s");
    let sum = comparison.path("sum");
    fs::write(&sum, once.as_ref().unwrap()).unwrap();
    let words = ["-s".into(), comparison.path("exe").into(), sum.into()];
    let (outcome, twice) = comparison.ours_on(&words);
    assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0));
    // The arcs of a caller were written newest first, so they now come the other way round.
    let (_, thrice) = {
        fs::write(comparison.path("sum"), twice.as_ref().unwrap()).unwrap();
        comparison.ours_on(&words)
    };
    assert_eq!(once, thrice);
    assert_eq!(once.map(|sum| sum.len()), twice.map(|sum| sum.len()));
}

#[test]
fn wide_values_come_back_from_the_sum() {
    let wide = Data {
        histograms: vec![Histogram::new(at(0), at(1), vec![60_000; 32])],
        arcs: vec![(at(0), at(1), u32::MAX.into())],
    };
    for (encoding, machine) in [(elf::LITTLE_64, 62), (elf::BIG_32, 2)] {
        let file = wide.bytes(encoding);
        let comparison =
            Comparison::new(&exe(encoding, machine), &[file.clone(), file.clone(), file]);
        let (outcome, sum) = comparison.ours("-s");
        assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0));
        let summed = Comparison::new(&exe(encoding, machine), &[sum.unwrap()]);
        let (direct, _) = comparison.ours("-b");
        assert_eq!(summed.ours("-b").0, direct);
        assert!(direct.stdout.contains(" 12884901885 "), "{}", direct.stdout);
        assert!(direct.stdout.contains(" 57600.00 "), "{}", direct.stdout);
        if gnu::is_here("wide_values_come_back_from_the_sum") {
            assert_eq!(summed.gnu("-b").0, direct);
        }
    }
}

//! The GNU format.

use gmon_format::{
    Arc, Block, Encoding, Error, ErrorKind, FilePc, HistogramHeader, Record, Records, WordSize,
    Writer,
};

use crate::file::{self, File};

fn block(pc: u64, count: u64) -> Block {
    Block { pc: FilePc(pc), count }
}

pub(crate) const HEADER: HistogramHeader = HistogramHeader {
    low_pc: FilePc(0x1000),
    high_pc: FilePc(0x1010),
    bins: 4,
    rate: 100,
    dimension: HistogramHeader::SECONDS,
    abbreviation: b's',
};

fn fill(writer: &mut Writer<'_, File>) -> Result<(), std::convert::Infallible> {
    writer.histogram(&HEADER, [(0, 1), (2, 140_000), (3, 65_535)].into_iter())?;
    writer.arc(Arc::new(0x1004, 0x1008, 5))?;
    writer.arc(Arc::new(0x1005, 0x100c, (1 << 33) + 7))?;
    writer.blocks([block(0x1001, 9), block(0x1002, 3)].into_iter())
}

pub(crate) fn sample(encoding: Encoding) -> Vec<u8> {
    file::gnu(encoding, 4096, fill)
}

#[test]
fn everything_comes_back_in_every_encoding() {
    for encoding in Encoding::ALL {
        let bytes = sample(encoding);
        let (mut bins, mut arcs, mut blocks) = ([0u64; 4], Vec::new(), Vec::new());
        for record in Records::new(&bytes, encoding).unwrap() {
            match record.unwrap() {
                Record::Histogram(histogram) => {
                    assert_eq!(histogram.header, HEADER);
                    for (sum, bin) in bins.iter_mut().zip(histogram.bins.iter()) {
                        *sum += u64::from(bin);
                    }
                }
                Record::Arc(arc) => arcs.push(arc),
                Record::Blocks(pairs) => blocks.extend(pairs.iter()),
            }
        }
        assert_eq!(bins, [1, 0, 140_000, 65_535]);
        assert_eq!(arcs[0], Arc::new(0x1004, 0x1008, 5));
        let wide: u64 = arcs[1..].iter().map(|arc| arc.count).sum();
        assert_eq!((arcs.len(), wide), (4, (1 << 33) + 7));
        assert_eq!(blocks, [block(0x1001, 9), block(0x1002, 3)]);
    }
}

#[test]
fn size_of_the_buffer_does_not_change_the_file() {
    for encoding in Encoding::ALL {
        for size in [1, 3, 64] {
            assert_eq!(file::gnu(encoding, size, fill), sample(encoding));
        }
    }
}

#[test]
fn a_block_count_that_is_too_wide_is_written_in_parts() {
    let wide = [block(0x1001, (1 << 32) + 8), block(0x1002, 0)];
    for encoding in Encoding::ALL {
        let bytes = file::gnu(encoding, 64, |writer| writer.blocks(wide.into_iter()));
        let record = Records::new(&bytes, encoding).unwrap().next().unwrap().unwrap();
        let Record::Blocks(blocks) = record else { panic!("{record:?}") };
        let counts: Vec<_> = blocks.iter().map(|block| (block.pc.0, block.count)).collect();
        match encoding.word {
            WordSize::Four => {
                assert_eq!(counts, [(0x1001, (1 << 32) - 1), (0x1001, 9), (0x1002, 0)])
            }
            WordSize::Eight => assert_eq!(counts, [(0x1001, (1 << 32) + 8), (0x1002, 0)]),
        }
    }
}

/// Count, address, file, function, line.
fn version_0_block(encoding: Encoding, count: u64, pc: u64, names: &[u8]) -> Vec<u8> {
    let word = |value: u64| match encoding.word {
        WordSize::Four => encoding.u32_bytes(value as u32).to_vec(),
        WordSize::Eight => encoding.u64_bytes(value).to_vec(),
    };
    [word(count), word(pc), names.to_vec(), encoding.u32_bytes(12).to_vec()].concat()
}

#[test]
fn blocks_of_version_0_are_read_whole_or_not_at_all() {
    for encoding in Encoding::ALL {
        let mut bytes = file::gnu(encoding, 64, |_| Ok(()));
        bytes[4..8].copy_from_slice(&encoding.u32_bytes(0));
        bytes.push(2);
        bytes.extend(encoding.u32_bytes(2));
        bytes.extend(b"module\0");
        let first = bytes.len();
        bytes.extend(version_0_block(encoding, 5, 0x1004, b"file.c\0main\0"));
        let second = bytes.len();
        bytes.extend(version_0_block(encoding, 7, 0x1008, b"\0\0"));
        let whole = bytes.len();
        bytes.push(9);
        let mut records = Records::new(&bytes, encoding).unwrap();
        assert_eq!(records.version(), 0);
        let Some(Ok(Record::Blocks(blocks))) = records.next() else { panic!("no blocks") };
        let found: Vec<_> = blocks.iter().collect();
        assert_eq!(found, [block(0x1004, 5), block(0x1008, 7)]);
        let error = records.next().unwrap().unwrap_err();
        assert_eq!(error, Error { kind: ErrorKind::BadTag(9), offset: whole });
        for len in 25..whole {
            let error = Records::new(&bytes[..len], encoding).unwrap().next().unwrap().unwrap_err();
            let read = u32::from(len >= second);
            assert_eq!(error.kind, ErrorKind::BlocksCutShort { read, announced: 2 }, "{len}");
            assert!(len < whole && first < second);
        }
    }
}

#[test]
fn every_truncation_is_an_error_or_ends_between_records() {
    for encoding in Encoding::ALL {
        let bytes = sample(encoding);
        let whole = Records::new(&bytes, encoding).unwrap().count();
        for len in 0..bytes.len() {
            match Records::new(&bytes[..len], encoding) {
                Err(error) => assert_eq!((error.kind, len < 20), (ErrorKind::TooShort, true)),
                Ok(records) => {
                    let read: Vec<_> = records.collect();
                    let errors = read.iter().filter(|record| record.is_err()).count();
                    assert!(errors == 1 || read.len() < whole, "{len} bytes read as a whole file");
                    assert!(errors <= 1, "reading went on after an error");
                }
            }
        }
    }
}

#[test]
fn a_histogram_cut_short_is_given_before_the_error() {
    for encoding in Encoding::ALL {
        let bytes = sample(encoding);
        let bins_start = 21 + HistogramHeader::len(encoding.word);
        let mut records = Records::new(&bytes[..bins_start + 5], encoding).unwrap();
        let Some(Ok(Record::Histogram(histogram))) = records.next() else { panic!("none") };
        assert_eq!((histogram.header, histogram.bins.iter().len()), (HEADER, 2));
        let error = records.next().unwrap().unwrap_err();
        let kind = ErrorKind::BinsCutShort { read: 2, announced: 4 };
        assert_eq!(error, Error { kind, offset: 20 });
        assert!(records.next().is_none());
    }
}

#[test]
fn defects_are_reported_with_their_offset() {
    let encoding = Encoding::ALL[2];
    let mut bytes = sample(encoding);
    bytes[20] = 9;
    let error = Records::new(&bytes, encoding).unwrap().next().unwrap().unwrap_err();
    assert_eq!(error, Error { kind: ErrorKind::BadTag(9), offset: 20 });
    bytes[4] = 2;
    let error = Records::new(&bytes, encoding).unwrap_err();
    assert_eq!(error.kind, ErrorKind::UnsupportedVersion(2));
    bytes[0] = b'G';
    assert_eq!(Records::new(&bytes, encoding).unwrap_err().kind, ErrorKind::BadMagic);
}

//! What the writer of a live file puts there comes back in every encoding, and no byte of a damaged
//! one makes the reader panic, loop or read what is not there.

mod blocks;
mod checks;
mod full;

use std::ops::Range;

use fastrand::Rng;
use gmon_format::live::{ALIGNMENT, Block, Content, Form, Header, Live, LiveError, Sampling};
use gmon_format::{
    Arc, ByteOrder, Encoding, FilePc, HistogramHeader, LoadedPc, Placement, WordSize,
};

const ENCODINGS: [Encoding; 4] = [
    Encoding { word: WordSize::Four, order: ByteOrder::Little },
    Encoding { word: WordSize::Four, order: ByteOrder::Big },
    Encoding { word: WordSize::Eight, order: ByteOrder::Little },
    Encoding { word: WordSize::Eight, order: ByteOrder::Big },
];

const BIAS: u64 = 0x5000_0000;
const TEXT: Range<u64> = BIAS + 0x1000..BIAS + 0x2000;

fn header(encoding: Encoding) -> Header {
    Header {
        encoding,
        form: Form::Live,
        process: 4711,
        placement: Placement {
            bias: BIAS,
            text: LoadedPc(TEXT.start)..LoadedPc(TEXT.end),
            external_caller: LoadedPc(TEXT.start),
            call_offset: 1,
        },
        reserved: 4 * ALIGNMENT as u64,
        histogram_at: 3 * ALIGNMENT as u64,
        sampling: Sampling { rate: 250, dimension: *b"cache-misses\0\0\0", abbreviation: b'm' },
        program: Header::program_name(b"program"),
    }
}

fn word(encoding: Encoding, value: u64) -> Vec<u8> {
    match encoding.word {
        WordSize::Four => encoding.u32_bytes(value as u32).to_vec(),
        WordSize::Eight => encoding.u64_bytes(value).to_vec(),
    }
}

/// selfpc, frompc, count, in an entry of 32 bytes. The count was set to zero once.
fn entry(encoding: Encoding, (self_pc, from_pc, count): (u64, u64, u64)) -> Vec<u8> {
    let words = [self_pc, from_pc].map(|value| word(encoding, value)).concat();
    const FORGOTTEN: u64 = 5;
    let counts = [count + FORGOTTEN, FORGOTTEN].map(|value| encoding.u64_bytes(value));
    let mut entry = [&words[..], counts.as_flattened()].concat();
    entry.resize(32, 0xee);
    entry
}

fn put(file: &mut [u8], offset: usize, bytes: &[u8]) {
    file[offset..offset + bytes.len()].copy_from_slice(bytes);
}

/// Two tables, each with `table` arcs, and a histogram of 64-bit counts, on a page each.
fn file(encoding: Encoding, arcs: &[(u64, u64, u64)]) -> Vec<u8> {
    let mut file = vec![0; 4 * ALIGNMENT];
    put(&mut file, 0, &header(encoding).encode());
    let entries: Vec<u8> = arcs.iter().flat_map(|arc| entry(encoding, *arc)).collect();
    let table = Block {
        content: Content::Arcs,
        len: ALIGNMENT as u64,
        entries_at: 96,
        entries: arcs.len() as u64,
        entry_len: 32,
    };
    for page in [1, 2] {
        put(&mut file, page * ALIGNMENT, &table.encode(encoding));
        put(&mut file, page * ALIGNMENT + 96, &entries);
    }
    let histogram = Block {
        content: Content::Histogram { low_pc: LoadedPc(TEXT.start), bin_len: 4 },
        len: 100,
        entries_at: 72,
        entries: 3,
        entry_len: 8,
    };
    put(&mut file, 3 * ALIGNMENT, &histogram.encode(encoding));
    for (i, count) in [(0, 7), (2, 1 << 40)] {
        put(&mut file, 3 * ALIGNMENT + 72 + 8 * i, &encoding.u64_bytes(count));
    }
    file
}

const ARCS: &[(u64, u64, u64)] = &[
    (BIAS + 0x1100, BIAS + 0x1205, 3),
    // Free; being filled; never called.
    (0, 0, 0),
    (1, BIAS + 0x1205, 9),
    (BIAS + 0x1100, BIAS + 0x1206, 0),
    // A caller outside the program; the return address past its last instruction; a callee outside.
    (BIAS + 0x1300, 0x7000_0000, 1 << 33),
    (BIAS + 0x1301, TEXT.end, 1),
    (TEXT.end, BIAS + 0x1205, 5),
];

/// What a reader gets of them from each table.
const TOLD: [Arc; 3] =
    [Arc::new(0x1204, 0x1100, 3), Arc::new(0x1000, 0x1300, 1 << 33), Arc::new(0x1fff, 0x1301, 1)];

#[test]
fn everything_comes_back_in_every_encoding() {
    for encoding in ENCODINGS {
        let bytes = file(encoding, ARCS);
        let live = Live::new(&bytes).unwrap();
        assert_eq!(live.header(), &header(encoding));
        assert_eq!(live.arcs().collect::<Vec<_>>(), [TOLD, TOLD].concat());
        let histogram = live.histogram().unwrap();
        let expected = HistogramHeader {
            low_pc: FilePc(0x1000),
            high_pc: FilePc(0x100c),
            bins: 3,
            rate: 250,
            dimension: *b"cache-misses\0\0\0",
            abbreviation: b'm',
        };
        assert_eq!(histogram.header, expected);
        assert_eq!(histogram.counts().collect::<Vec<_>>(), [(0, 7), (2, 1 << 40)]);
    }
}

#[test]
fn long_names_of_programs_are_cut() {
    let name = [b'x'; 1000];
    assert_eq!(Header::program_name(&name), [b'x'; Header::PROGRAM_LEN]);
}

#[test]
fn a_file_without_blocks_is_an_empty_profile() {
    let mut header = header(Encoding::NATIVE);
    (header.reserved, header.histogram_at) = (0, 0);
    let bytes = header.encode();
    let live = Live::new(&bytes).unwrap();
    assert!(live.arcs().next().is_none() && live.histogram().is_none());
}

#[test]
fn holes_between_blocks_are_passed_over() {
    let bytes = file(Encoding::NATIVE, ARCS);
    let mut header = header(Encoding::NATIVE);
    header.reserved *= 5;
    header.histogram_at = 18 * ALIGNMENT as u64;
    let mut spread = vec![0; 20 * ALIGNMENT];
    put(&mut spread, 0, &header.encode());
    for (page, place) in [(1, 9), (2, 4), (3, 18)] {
        let page = &bytes[page * ALIGNMENT..][..ALIGNMENT];
        put(&mut spread, place * ALIGNMENT, page);
    }
    let live = Live::new(&spread).unwrap();
    assert_eq!(live.arcs().count(), 2 * TOLD.len());
    assert!(live.histogram().is_some());
}

#[test]
fn files_of_version_1_are_read() {
    for encoding in ENCODINGS {
        let mut bytes = file(encoding, ARCS);
        put(&mut bytes, 8, &encoding.u32_bytes(1));
        bytes[14] = 0;
        let live = Live::new(&bytes).unwrap();
        assert_eq!(live.header(), &header(encoding));
        assert_eq!(live.arcs().count(), 2 * TOLD.len());
    }
}

#[test]
fn blocks_with_unknown_content_are_passed_over() {
    let mut bytes = file(Encoding::NATIVE, ARCS);
    put(&mut bytes, ALIGNMENT + 8, &99u32.to_ne_bytes());
    let live = Live::new(&bytes).unwrap();
    assert_eq!(live.arcs().collect::<Vec<_>>(), TOLD);
    // But they must not lie about their size.
    let first = LiveError::BadBlock { offset: ALIGNMENT };
    put(&mut bytes, ALIGNMENT + 16, &u64::MAX.to_ne_bytes());
    assert_eq!(Live::new(&bytes).unwrap_err(), first);
}

#[test]
fn every_truncation_is_an_error() {
    for encoding in ENCODINGS {
        let bytes = file(encoding, ARCS);
        for len in 0..bytes.len() {
            let expected = match len {
                0..Header::LEN => LiveError::TooShort,
                _ => LiveError::CutShort { expected: bytes.len() as u64 },
            };
            assert_eq!(Live::new(&bytes[..len]).unwrap_err(), expected, "{len} bytes");
        }
    }
}

/// Changes `file` by `change` and gives the error.
fn error(change: impl Fn(&mut Vec<u8>)) -> LiveError {
    let mut bytes = file(Encoding::NATIVE, ARCS);
    change(&mut bytes);
    Live::new(&bytes).unwrap_err()
}

#[test]
fn damage_is_reported() {
    assert_eq!(error(|file| file[0] = 0), LiveError::NotLive);
    assert_eq!(error(|file| put(file, 0, b"gmon\x01")), LiveError::NotLive);
    assert_eq!(error(|file| put(file, 8, &3u32.to_ne_bytes())), LiveError::UnsupportedVersion(3));
    assert_eq!(error(|file| file[12] = 5), LiveError::BadHeader);
    assert_eq!(error(|file| file[13] = 0), LiveError::BadHeader);
    // Blocks begin at no such multiples.
    assert_eq!(error(|file| file[14] = 7), LiveError::BadHeader);
    let second = LiveError::BadBlock { offset: 2 * ALIGNMENT };
    // Size of an entry, size of the block, first entry, number of entries
    assert_eq!(error(|file| put(file, 2 * ALIGNMENT + 12, &3u32.to_ne_bytes())), second);
    assert_eq!(error(|file| put(file, 2 * ALIGNMENT + 16, &u64::MAX.to_ne_bytes())), second);
    assert_eq!(error(|file| put(file, 2 * ALIGNMENT + 24, &8u64.to_ne_bytes())), second);
    assert_eq!(error(|file| put(file, 2 * ALIGNMENT + 32, &u64::MAX.to_ne_bytes())), second);
    // A histogram that is none, or nowhere.
    let at = Header::HISTOGRAM_AT_AT;
    let first = LiveError::BadBlock { offset: ALIGNMENT };
    assert_eq!(error(|file| put(file, at, &(ALIGNMENT as u64).to_ne_bytes())), first);
    let nowhere = LiveError::BadBlock { offset: usize::MAX };
    assert_eq!(error(|file| put(file, at, &u64::MAX.to_ne_bytes())), nowhere);
}

#[test]
fn messages_say_what_is_wrong() {
    for (error, text) in [
        (LiveError::TooShort, "too short to be a live profile"),
        (LiveError::NotLive, "not a live profile"),
        (LiveError::BadBlock { offset: 8 }, "a live profile with a damaged block at offset 8"),
        (LiveError::CutShort { expected: 9 }, "a live profile cut short: it had 9 bytes"),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn no_damage_makes_the_reader_fail_in_another_way() {
    let mut random = Rng::with_seed(1);
    let values = [0, 1, 2, 0x7f, 0x80, 0xff];
    let mut read = 0;
    for round in 0..40_000 {
        let mut bytes = file(ENCODINGS[round % 4], ARCS);
        for _ in 0..1 + random.usize(..4) {
            // Where the fields are, more often than elsewhere.
            let page = random.usize(..4) * ALIGNMENT;
            let width = if random.usize(..4) == 0 { ALIGNMENT } else { 160 };
            let at = page + random.usize(..width);
            bytes[at] = values[random.usize(..values.len())];
        }
        bytes.truncate(bytes.len() - random.usize(..3) * random.usize(..5000));
        read += usize::from(checks::reads(&bytes));
    }
    assert!(read > 1000, "nearly everything was refused");
}

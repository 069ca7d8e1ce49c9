//! Writes what the library's writers do not, and reads what they wrote, byte by byte.

use gmon_format::{Encoding, WordSize};

use super::data::Data;

/// The version that a header of 4.4BSD states.
const BSD44: u32 = 0x0005_1879;

fn word(encoding: Encoding, value: u64) -> Vec<u8> {
    match encoding.word {
        WordSize::Four => encoding.u32_bytes(value as u32).to_vec(),
        WordSize::Eight => encoding.u64_bytes(value).to_vec(),
    }
}

/// A file of BSD: the first histogram and the arcs, with the rate only if it is that of 4.4BSD.
pub(crate) fn bsd(data: &Data, encoding: Encoding, has_rate: bool) -> Vec<u8> {
    let histogram = &data.histograms[0];
    let header = 2 * encoding.word.bytes() + if has_rate { 24 } else { 4 };
    let size = header + 2 * histogram.bins.len();
    let mut bytes = [word(encoding, histogram.low), word(encoding, histogram.high)].concat();
    bytes.extend(encoding.u32_bytes(size as u32));
    if has_rate {
        bytes.extend(encoding.u32_bytes(BSD44));
        bytes.extend(encoding.u32_bytes(histogram.rate));
        bytes.extend([0; 12]);
    }
    for &bin in &histogram.bins {
        bytes.extend(encoding.u16_bytes(bin as u16));
    }
    for &(from, to, count) in &data.arcs {
        bytes.extend([from, to, count].map(|value| word(encoding, value)).concat());
    }
    bytes
}

/// A basic-block record of addresses and counts, to be put behind the others of a file.
pub(crate) fn blocks(pairs: &[(u64, u64)], encoding: Encoding) -> Vec<u8> {
    let mut bytes = vec![2];
    bytes.extend(encoding.u32_bytes(pairs.len() as u32));
    for &(pc, count) in pairs {
        bytes.extend([pc, count].map(|value| word(encoding, value)).concat());
    }
    bytes
}

/// Clears what GNU gprof leaves in the header from whatever was in memory.
pub(crate) fn clear_spare_bytes(file: &mut [u8]) {
    if file.starts_with(b"gmon") {
        file[8..20].fill(0);
    }
}

/// A dump of code that was made at run time: a piece with lines, another in its place, and one that moves.
pub(crate) fn jitdump() -> Vec<u8> {
    let words = |numbers: &[u64]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    };
    let record = |kind: u32, time: u64, body: &[u8]| {
        let len = 16 + body.len() as u32;
        [&kind.to_le_bytes()[..], &len.to_le_bytes(), &time.to_le_bytes(), body].concat()
    };
    let load = |start: u64, index: u64, name: &[u8]| {
        [&words(&[0, start, start, 0x20, index])[..], name, &[0; 0x21]].concat()
    };
    let lines = [&words(&[0x1000, 1, 0x1004, 7])[..], b"/a.js\0"].concat();
    let head = [0x4a69_5444_u32, 1, 40, 62, 0, 7].map(u32::to_le_bytes).concat();
    [
        head,
        words(&[1, 0]),
        record(2, 10, &lines),
        record(0, 10, &load(0x1000, 1, b"early")),
        record(0, 20, &load(0x1010, 2, b"late")),
        record(1, 30, &words(&[0, 0, 0x1000, 0x3000, 0x20, 1])),
    ]
    .concat()
}

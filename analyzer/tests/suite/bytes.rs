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

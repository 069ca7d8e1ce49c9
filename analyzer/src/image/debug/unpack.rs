//! Compressed sections. Sizes that they announce are only believed as far as the data can go.

use std::io::Read as _;

use object::{CompressedData, CompressionFormat};
use zune_inflate::{DeflateDecoder, DeflateOptions};

/// Bytes that one byte of data may stand for in a large section. Debug information gets ten to twenty
/// times smaller; zeros, which it has no use for, a thousand times and more.
const MOST_PER_BYTE: u64 = 100;
/// Up to this size, in bytes, a section is not large.
const SMALL: u64 = 1 << 20;
/// Decoded bytes that decoders keep at hand. RFC 8878 (3.1.1.1.2) asks writers not to demand more.
const LARGEST_WINDOW: u64 = 8 << 20;

/// The contents of a section; none if it is damaged.
pub(super) fn unpack(section: CompressedData<'_>) -> Option<Vec<u8>> {
    let CompressedData { format, data, uncompressed_size: size } = section;
    if size > SMALL && size / MOST_PER_BYTE > data.len() as u64 {
        return None;
    }
    let size = usize::try_from(size).ok()?;
    let contents = match format {
        CompressionFormat::Zlib => inflate(data, size)?,
        CompressionFormat::Zstandard if window(data)? <= LARGEST_WINDOW.max(size as u64) => {
            // Growing would hold some of it twice.
            let mut contents = Vec::with_capacity(size.checked_add(1)?);
            let decoder = ruzstd::decoding::StreamingDecoder::new(data).ok()?;
            decoder.take(size as u64 + 1).read_to_end(&mut contents).ok()?;
            contents
        }
        _ => return None,
    };
    (contents.len() == size).then_some(contents)
}

/// Inflates what zlib made of `size` bytes, without looking at its checksum.
fn inflate(data: &[u8], size: usize) -> Option<Vec<u8>> {
    let options =
        DeflateOptions::default().set_size_hint(size).set_limit(size).set_confirm_checksum(false);
    DeflateDecoder::new_with_options(data, options).decode_zlib().ok()
}

/// The window that a frame of Zstandard demands (RFC 8878, 3.1.1.1).
fn window(frame: &[u8]) -> Option<u64> {
    let (&descriptor, rest) = frame.get(4..)?.split_first()?;
    let is_single_segment = descriptor & 0x20 != 0;
    if !is_single_segment {
        let descriptor = *rest.first()?;
        let base = 1 << (10 + (descriptor >> 3));
        return Some(base + base / 8 * u64::from(descriptor & 7));
    }
    // All of the content, the size of which follows the number of a dictionary.
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = rest.get(dictionary..)?.get(..1 << (descriptor >> 6))?;
    Some(size.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn unpacked(format: CompressionFormat, data: &[u8], uncompressed_size: u64) -> Option<usize> {
        unpack(CompressedData { format, data, uncompressed_size }).map(|contents| contents.len())
    }

    #[test]
    fn announced_sizes_must_be_true() {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&[0; 1 << 20]).unwrap();
        let data = encoder.finish().unwrap();
        let zlib = CompressionFormat::Zlib;
        assert_eq!(unpacked(zlib, &data, 1 << 20), Some(1 << 20));
        for size in [0, (1 << 20) - 1, (1 << 20) + 1, 1 << 40, u64::MAX] {
            assert_eq!(unpacked(zlib, &data, size), None, "{size}");
        }
        assert_eq!(unpacked(zlib, &data[..50], 1 << 20), None);
        // True, but nothing that debug information holds.
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&[0; 1 << 23]).unwrap();
        assert_eq!(unpacked(zlib, &encoder.finish().unwrap(), 1 << 23), None);
    }

    #[test]
    fn a_small_section_cannot_take_much_memory() {
        // Blocks of 128 KiB in four bytes each.
        let block = |is_last: u8| [2 | is_last, 0, 0x10, 0];
        let frame = |header: &[u8], blocks: usize| {
            let blocks: Vec<_> = (1..=blocks).map(|it| block(u8::from(it == blocks))).collect();
            [&[0x28, 0xb5, 0x2f, 0xfd], header, blocks.as_flattened()].concat()
        };
        let zstd = CompressionFormat::Zstandard;
        let large = frame(&[0, 0x58], 1000);
        assert_eq!(window(&large), Some(2 << 20));
        assert_eq!(unpacked(zstd, &large, 1000 << 17), None);
        // In data that is long enough it is possible.
        let long = [large, vec![0; 1_310_000]].concat();
        assert_eq!(unpacked(zstd, &long, 1000 << 17), Some(1000 << 17));
        // A window, or content, of gigabytes.
        let long = |header| [frame(header, 1), vec![0; 1000]].concat();
        assert_eq!(unpacked(zstd, &long(&[0, 0x58]), 1 << 17), Some(1 << 17));
        assert_eq!(unpacked(zstd, &long(&[0, 0xf8]), 1 << 17), None);
        assert_eq!(unpacked(zstd, &long(&[0xa0, 0, 0, 0, 0x80]), 1 << 17), None);
        assert_eq!(unpacked(zstd, b"", 0), None);
    }
}

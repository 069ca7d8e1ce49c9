//! The key that tells the builds of a program apart: the build id or, if the linker made none, a hash of the code.

use crate::image::Image;

/// Mark before the hash of code.
const OF_CODE: &str = "text:";

/// The build id in hexadecimal digits, or `text:` and the hash of `.text`; `None` if there is neither.
pub(super) fn of_image(image: &Image) -> Option<String> {
    let of_code = || Some(format!("{OF_CODE}{:016x}", fnv_1a(image.text_bytes()?)));
    image.build_id().map(of_build_id).or_else(of_code)
}

/// A build id in hexadecimal digits.
pub(super) fn of_build_id(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns `true` if this is the linker's build id, by which others know the file, too.
pub(crate) fn is_build_id(key: &str) -> bool {
    !key.starts_with(OF_CODE)
}

/// The hash FNV-1a with 64 bits.
fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of its authors' own test program.
    #[test]
    fn hashes_are_those_of_fnv_1a() {
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            assert_eq!(fnv_1a(text.as_bytes()), hash, "{text}");
        }
    }
}

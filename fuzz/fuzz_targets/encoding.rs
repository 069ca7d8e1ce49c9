//! How the fuzzer chooses an encoding: by the first byte.

use gmon_format::Encoding;

/// The encoding, and the bytes that are to be read in it.
pub fn split(input: &[u8]) -> Option<(Encoding, &[u8])> {
    let (&first, rest) = input.split_first()?;
    Some((Encoding::ALL[usize::from(first) % Encoding::ALL.len()], rest))
}

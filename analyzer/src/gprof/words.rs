//! Words of a command line as bytes, which need not be text.

use std::ffi::{OsStr, OsString};

/// `word` without its first `len` bytes.
#[cfg(unix)]
pub(super) fn skip(word: &OsStr, len: usize) -> &OsStr {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(&word.as_bytes()[len..])
}

/// `word` without its first `len` bytes, or nothing if that would cut a character apart.
#[cfg(not(unix))]
pub(super) fn skip(word: &OsStr, len: usize) -> &OsStr {
    OsStr::new(word.to_str().and_then(|word| word.get(len..)).unwrap_or_default())
}

/// The word that consists of `bytes`.
#[cfg(unix)]
pub(super) fn from_bytes(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(bytes).to_owned()
}

/// The word that consists of `bytes`, as far as they are text.
#[cfg(not(unix))]
pub(super) fn from_bytes(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

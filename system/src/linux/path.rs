//! Paths, made without allocation.
//!
//! *Context:* any.

use core::ffi::CStr;

use crate::linux::platform::{self, Errno};
use crate::linux::region::Scratch;

/// Longest path the system takes, with its NUL, and room for a suffix.
pub const PATH_LEN: usize = 4096 + 64;

/// Bytes that most paths need, with the NUL: stacks may be small.
const SHORT: usize = 232;

/// A path with the NUL that the system wants.
pub struct Path {
    short: [u8; SHORT],
    /// Memory of a path that is not short.
    long: Option<Scratch>,
    /// Without the NUL.
    len: usize,
}

impl Path {
    /// The parts, one after the other.
    pub fn new(parts: &[&[u8]]) -> Result<Self, Errno> {
        let mut path = Self::default();
        for part in parts {
            path.push(part)?;
        }
        Ok(path)
    }

    /// A copy of the path, in memory of its own.
    pub fn copy(&self) -> Result<Self, Errno> {
        Self::new(&[self.bytes()])
    }

    /// The current directory; `None` if it has no path, or a longer one.
    pub fn current_directory() -> Option<Self> {
        let mut path = Self { long: Some(Scratch::new(PATH_LEN)?), ..Self::default() };
        let bytes = path.long.as_deref_mut()?;
        platform::current_directory(bytes).ok()?;
        path.len = CStr::from_bytes_until_nul(bytes).ok()?.count_bytes();
        Some(path)
    }

    /// Appends a part.
    pub fn push(&mut self, part: &[u8]) -> Result<(), Errno> {
        let (start, end) = (self.len, self.len + part.len());
        if end >= SHORT && self.long.is_none() {
            let mut long = Scratch::new(PATH_LEN).ok_or(Errno(libc::ENOMEM))?;
            long.iter_mut().zip(self.bytes()).for_each(|(place, byte)| *place = *byte);
            self.long = Some(long);
        }
        let place = self.long.as_deref_mut().unwrap_or(&mut self.short).get_mut(start..=end);
        let (nul, place) =
            place.and_then(<[u8]>::split_last_mut).ok_or(Errno(libc::ENAMETOOLONG))?;
        place.copy_from_slice(part);
        *nul = 0;
        self.len = end;
        Ok(())
    }

    fn with_nul(&self) -> &[u8] {
        let bytes = self.long.as_deref().unwrap_or(&self.short);
        bytes.get(..=self.len).unwrap_or_default()
    }

    /// The bytes, without the NUL.
    pub fn bytes(&self) -> &[u8] {
        self.with_nul().split_last().map_or(b"", |(_nul, bytes)| bytes)
    }

    /// The path as the system takes it.
    pub fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(self.with_nul()).unwrap_or_default()
    }
}

impl Default for Path {
    /// The empty path.
    fn default() -> Self {
        Self { short: [0; SHORT], long: None, len: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_and_too_much_is_refused() {
        let path = Path::new(&[b"/tmp/", b"x", b".1"]).unwrap_or_else(|_| unreachable!());
        assert_eq!((path.bytes(), path.as_c_str()), (&b"/tmp/x.1"[..], c"/tmp/x.1"));
        assert!(Path::new(&[&[b'x'; PATH_LEN]]).is_err());
    }

    #[test]
    fn paths_of_every_length_keep_their_bytes() {
        let bytes = [b'x'; PATH_LEN];
        for len in [0, 1, SHORT - 2, SHORT - 1, SHORT, SHORT + 1, PATH_LEN - 1] {
            let path = Path::new(&[b"", &bytes[..len / 2], &bytes[len / 2..len]]);
            let path = path.unwrap_or_else(|_| unreachable!());
            assert_eq!((path.bytes(), path.as_c_str().to_bytes()), (&bytes[..len], &bytes[..len]));
        }
    }

    #[test]
    fn current_directory_is_the_one_that_the_standard_library_finds() {
        let path = Path::current_directory().unwrap();
        assert_eq!(path.bytes(), std::env::current_dir().unwrap().as_os_str().as_encoded_bytes());
    }
}

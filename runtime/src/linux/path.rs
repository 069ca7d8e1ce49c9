//! Paths, made without allocation.
//!
//! *Context:* any with some kilobytes of stack.

use core::ffi::CStr;

use arrayvec::ArrayVec;

use crate::platform::{self, Errno};

/// Longest path the system takes, with its NUL, and room for a suffix.
pub(crate) const PATH_LEN: usize = 4096 + 64;

/// A path with the NUL that the system wants. Memory that it does not need is not touched.
#[derive(Default)]
pub(crate) struct Path(ArrayVec<u8, PATH_LEN>);

impl Path {
    /// The parts, one after the other.
    pub(crate) fn new(parts: &[&[u8]]) -> Result<Self, Errno> {
        let mut path = Self::default();
        for part in parts {
            path.push(part)?;
        }
        Ok(path)
    }

    /// The current directory; `None` if it has no path, or a longer one.
    pub(crate) fn current_directory() -> Option<Self> {
        let mut buffer = [0; PATH_LEN];
        platform::current_directory(&mut buffer).ok()?;
        Self::new(&[CStr::from_bytes_until_nul(&buffer).ok()?.to_bytes()]).ok()
    }

    /// Appends a part.
    pub(crate) fn push(&mut self, part: &[u8]) -> Result<(), Errno> {
        self.0.pop();
        let pushed =
            self.0.try_extend_from_slice(part).and_then(|()| self.0.try_extend_from_slice(b"\0"));
        pushed.map_err(|_| Errno(libc::ENAMETOOLONG))
    }

    /// The bytes, without the NUL.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.split_last().map_or(b"", |(_nul, bytes)| bytes)
    }

    /// The path as the system takes it.
    pub(crate) fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_and_too_much_is_refused() {
        let path = Path::new(&[b"/tmp/", b"x", b".1"]).unwrap_or_else(|_| unreachable!());
        assert_eq!((path.bytes(), path.as_c_str()), (&b"/tmp/x.1"[..], c"/tmp/x.1"));
        assert!(Path::new(&[&[b'x'; PATH_LEN - 1]]).is_ok());
        assert!(Path::new(&[&[b'x'; PATH_LEN]]).is_err());
    }
}

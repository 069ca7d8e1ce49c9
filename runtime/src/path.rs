//! Paths, made without allocation.
//!
//! *Context:* any with some kilobytes of stack.

use core::ffi::CStr;

use crate::platform::{self, Errno};

/// Longest path the system takes, with its NUL, and room for a suffix.
pub(crate) const PATH_LEN: usize = 4096 + 64;

/// A path with the NUL that the system wants.
pub(crate) struct Path {
    bytes: [u8; PATH_LEN],
    len: usize,
}

impl Default for Path {
    fn default() -> Self {
        Self { bytes: [0; PATH_LEN], len: 0 }
    }
}

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
        let mut path = Self::default();
        platform::current_directory(&mut path.bytes).ok()?;
        path.len = path.as_c_str().count_bytes();
        Some(path)
    }

    /// Appends a part.
    pub(crate) fn push(&mut self, part: &[u8]) -> Result<(), Errno> {
        let end = self.len + part.len();
        // The last byte stays NUL.
        let room = self.bytes.get_mut(..PATH_LEN - 1).and_then(|room| room.get_mut(self.len..end));
        room.ok_or(Errno(libc::ENAMETOOLONG))?.copy_from_slice(part);
        self.len = end;
        Ok(())
    }

    /// The bytes, without the NUL.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// The path as the system takes it.
    pub(crate) fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
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

//! Addresses, with a type for each thing that an address can be.
//!
//! Two questions decide the type. *In whose terms is it?* The loader moves code, so an address in a
//! process ([`LoadedPc`]) is another number than that of the same code in its file ([`FilePc`]).
//! *What does it stand for?* A hook knows where its function returns to ([`ReturnPc`]), which is just
//! behind the call and may belong to the next function; data files name an address inside the call
//! ([`CallSite`]), and one in the function called ([`SelfPc`]).
//!
//! ```text
//! ReturnPc ──call_site──→ CallSite<LoadedPc> ──Placement::arc──→ CallSite
//!                         SelfPc<LoadedPc>   ──Placement::arc──→ SelfPc
//!                         LoadedPc ──in_file, Placement::pc────→ FilePc
//! ```

use core::fmt;

/// An address in a process, where the loader put the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoadedPc(pub u64);

/// An address in the terms of a file: of the executable or, in full profiles, of a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePc(pub u64);

/// Address that a call returns to in the process: the instruction behind the call, which belongs to
/// another function if the caller ends with the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReturnPc(pub LoadedPc);

/// An address that finds the caller: gmon takes one inside the call. Data files of other runtimes have
/// the return address here, or one near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSite<A = FilePc>(pub A);

/// An address in the function called: where that called its hook, or where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SelfPc<A = FilePc>(pub A);

impl LoadedPc {
    /// The address of the same code in its file. `bias` is what the loader added to the file's.
    #[must_use]
    pub const fn in_file(self, bias: u64) -> FilePc {
        FilePc(self.0.wrapping_sub(bias))
    }
}

impl FilePc {
    /// The address in a process that has the file's code so much higher.
    #[must_use]
    pub const fn loaded(self, bias: u64) -> LoadedPc {
        LoadedPc(self.0.wrapping_add(bias))
    }
}

impl FilePc {
    /// The lowest address.
    pub const MIN: Self = Self(0);
    /// The highest address.
    pub const MAX: Self = Self(u64::MAX);

    /// The address so many bytes on, or the last one there is.
    #[must_use]
    pub const fn saturating_add(self, bytes: u64) -> Self {
        Self(self.0.saturating_add(bytes))
    }

    /// The address so many bytes on, if there is one.
    #[must_use]
    pub const fn checked_add(self, bytes: u64) -> Option<Self> {
        match self.0.checked_add(bytes) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }

    /// The bytes from `start` to this address; `None` if `start` is the higher one.
    #[must_use]
    pub const fn checked_distance(self, start: Self) -> Option<u64> {
        self.0.checked_sub(start.0)
    }
}

/// The bytes from the address on the right, which must not be the higher one, to that on the left.
impl core::ops::Sub for FilePc {
    type Output = u64;

    fn sub(self, start: Self) -> u64 {
        self.0 - start.0
    }
}

impl ReturnPc {
    /// An address inside the call, `call_offset` bytes before the one that it returns to.
    #[must_use]
    pub const fn call_site(self, call_offset: u64) -> CallSite<LoadedPc> {
        CallSite(LoadedPc(self.0.0.wrapping_sub(call_offset)))
    }
}

impl fmt::LowerHex for LoadedPc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

impl fmt::LowerHex for FilePc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

//! The layout of an interpreter: where in its structures everything lies.

use gmon_unwind::Memory;

use crate::{described, tables};

/// A version of CPython that is known: 3 and this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u8);

impl Version {
    /// The oldest and the newest version that is known.
    pub const OLDEST: Self = Self(8);
    /// The newest.
    pub const NEWEST: Self = Self(14);

    /// The version of a number as `PY_VERSION_HEX` has it; `None` if it is not known.
    #[must_use]
    pub const fn of_hex(hex: u64) -> Option<Self> {
        match (hex >> 24, hex >> 16 & 0xff) {
            (3, minor) => Self::of_minor(minor),
            _ => None,
        }
    }

    /// The version 3 and this; `None` if it is not known.
    #[must_use]
    pub const fn of_minor(minor: u64) -> Option<Self> {
        match minor {
            8..=14 => Some(Self(minor as u8)),
            _ => None,
        }
    }

    /// The version of an interpreter too old to say it, by the size of its `_PyRuntime` as C compilers lay it out for x86-64.
    #[must_use]
    pub const fn of_size(bytes: u64) -> Option<Self> {
        match bytes {
            1464 => Some(Self(8)),
            656 => Some(Self(9)),
            672 => Some(Self(10)),
            _ => None,
        }
    }

    /// The number behind 3.
    #[must_use]
    pub const fn minor(self) -> u8 {
        self.0
    }

    /// Returns `true` if the interpreter describes its structures itself.
    #[must_use]
    pub const fn is_described(self) -> bool {
        self.0 >= 13
    }
}

/// Layout of an interpreter that lies at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(crate) version: Version,
    /// Address of `_PyRuntime`.
    pub(crate) runtime: u64,
    pub(crate) offsets: Offsets,
}

/// Offsets of what is read, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offsets {
    /// In the runtime: the first interpreter.
    pub(crate) interpreters: u64,
    pub(crate) interpreter: Interpreter,
    pub(crate) thread: Thread,
    pub(crate) control: Option<Control>,
    pub(crate) frame: Frame,
    pub(crate) code: Code,
    pub(crate) bytes: Bytes,
    pub(crate) text: Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interpreter {
    pub(crate) next: u64,
    /// The first of its threads.
    pub(crate) threads: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) prev: u64,
    pub(crate) next: u64,
    pub(crate) interpreter: u64,
    /// Its name in the C library.
    pub(crate) id: u64,
    /// Number by which the kernel knows it, since 3.11.
    pub(crate) native_id: Option<u64>,
    /// The innermost frame, or the control frame.
    pub(crate) frame: u64,
}

/// Control frames, which 3.11 and 3.12 have on the C stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Control {
    pub(crate) frame: u64,
    pub(crate) previous: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) code: u64,
    pub(crate) previous: u64,
    pub(crate) instruction: Instruction,
    pub(crate) entry: Entry,
}

/// The instruction that a frame executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instruction {
    /// A 32-bit offset, in units of so many bytes.
    Offset { at: u64, unit: u32 },
    /// An address.
    Address { at: u64 },
}

/// The frame with which a run of the evaluator ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Each.
    Each,
    /// The one that has a mark, where the owner is at another offset.
    Marked { at: u64, owner: u64 },
    /// A frame that is no function's: it has an owner of this number, or a greater one.
    Owned { owner: u64, from: u8 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) file: u64,
    pub(crate) name: u64,
    /// With the names of what it stands in, since 3.11.
    pub(crate) qualified_name: Option<u64>,
    pub(crate) lines: u64,
    pub(crate) first_line: u64,
    /// The first instruction, since 3.11.
    pub(crate) instructions: u64,
    /// Number of the first instruction that users see, since 3.11.
    pub(crate) first_traceable: Option<u64>,
    /// A number that no other code of the process has, since 3.12.
    pub(crate) version: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes {
    pub(crate) len: u64,
    pub(crate) data: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) len: u64,
    pub(crate) hash: u64,
    pub(crate) state: u64,
    /// The characters, if all are ASCII.
    pub(crate) ascii: u64,
    /// The characters if others are there, too.
    pub(crate) others: u64,
}

/// The type of an object, and the name of a type.
pub(crate) const TYPE_AT: u64 = 8;
pub(crate) const TYPE_NAME_AT: u64 = 24;

impl Layout {
    /// The layout of the interpreter whose `_PyRuntime` is at an address. `version` is what else is known of its version: one
    /// that describes itself needs nothing. `None` if it is of no version that is known, or was built without the global lock.
    pub fn new(memory: &mut impl Memory, runtime: u64, version: Option<Version>) -> Option<Self> {
        if let Some((version, offsets)) = described::offsets(memory, runtime) {
            return Some(Self { version, runtime, offsets });
        }
        let version = version?;
        Some(Self { version, runtime, offsets: *tables::of(version)? })
    }

    /// Returns `true` if each run of the evaluator has a place on the stack, and threads the numbers of the kernel: since 3.11.
    #[must_use]
    pub const fn has_places(&self) -> bool {
        self.offsets.thread.native_id.is_some()
    }

    /// Version of the interpreter.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_that_are_known() {
        for (hex, minor) in [
            (0x0308_12f0, Some(8)),
            (0x030e_0af0, Some(14)),
            (0x030f_00a0, None),
            (0x0307_10f0, None),
            (0x0208_00f0, None),
            (u64::MAX, None),
        ] {
            assert_eq!(Version::of_hex(hex).map(Version::minor), minor, "{hex:#x}");
        }
        assert_eq!(Version::of_size(656), Version::of_minor(9));
        assert!(Version::NEWEST.is_described() && !Version::OLDEST.is_described());
    }
}

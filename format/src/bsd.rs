//! The header of the files that BSD and its relatives write: the range of the one histogram, the
//! size of header and bins in bytes and, since 4.4BSD, a version and the profiling rate.
//!
//! The bins follow, 16 bits each, then arcs until the end of the file: from, self, count, each of
//! the size of an address. The file says nowhere what kind of file it is.

use crate::{Encoding, FilePc, WordSize};

/// Header before the bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BsdHeader {
    /// Lowest address covered.
    pub low_pc: FilePc,
    /// First address past the covered range.
    pub high_pc: FilePc,
    /// Number of bins, which divide the range evenly.
    pub bins: u32,
    /// Ticks per second; none in the old format, which leaves it to the clock of the system.
    pub rate: Option<u32>,
}

impl BsdHeader {
    /// The version that the header of 4.4BSD states.
    pub const VERSION: u32 = 0x0005_1879;

    /// Ticks per second of the clock where the old format does not say: that of Linux and of most
    /// of its contemporaries.
    pub const CLOCK_RATE: u32 = 100;

    /// The largest number of bins whose size in bytes the header can state.
    pub const MOST_BINS: u32 = (u32::MAX - Self::LONGEST) / 2;

    const LONGEST: u32 = 40;

    /// Size in bytes of the old header: two addresses and a size.
    #[must_use]
    pub const fn old_len(word: WordSize) -> usize {
        2 * word.bytes() + 4
    }

    /// Size in bytes of the header of 4.4BSD, of which the last 12 are spare.
    #[must_use]
    pub const fn new_len(word: WordSize) -> usize {
        Self::old_len(word) + 20
    }

    /// Size in bytes of this header in a file.
    #[must_use]
    pub const fn len(&self, word: WordSize) -> usize {
        if self.rate.is_some() { Self::new_len(word) } else { Self::old_len(word) }
    }
}

/// Size in bytes of an arc.
#[must_use]
pub const fn arc_len(encoding: Encoding) -> usize {
    3 * encoding.word.bytes()
}

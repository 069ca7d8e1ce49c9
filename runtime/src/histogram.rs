//! Samples of the program counter, in bins of two bytes of text, of four where there is much text, or of more
//! where memory is short.
//!
//! Bins have 32 bits: 16, as in the file, are full after 11 minutes in one loop.
//!
//! *Context:* `cover` startup or hook; `add` signal; the rest exit.

use core::ops::{Range, RangeInclusive};
use core::ptr::null_mut;
use core::sync::atomic::Ordering;

use gmon_format::LoadedPc;
use gmon_format::live::{Block, Content, LiveHistogram};
use gmon_system::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize};
use gmon_system::charge::BYTES_PER_BIN;
use gmon_system::message;
use gmon_system::region::Region;

/// A text of up to so many bytes is small, the runtime's own code included. It has bins of half the width, which
/// tell its instructions apart better, and its file is no larger than its text.
const SMALL_TEXT: usize = 512 * 1024;

/// Bytes of text that a bin covers, as powers of two: from the finest to what tells nothing any more.
fn shifts(text: &Range<usize>) -> RangeInclusive<u32> {
    let finest = if text.len() <= SMALL_TEXT { BYTES_PER_BIN / 2 } else { BYTES_PER_BIN };
    finest.trailing_zeros()..=12
}

/// A page of bins, which share a mark: zero until one of them is counted, and another number after each count.
const BINS_PER_MARK: usize = LiveHistogram::<LoadedPc>::BINS_PER_MARK;

/// The range being sampled. In memory the bins follow it, and then the marks of the blocks of bins.
pub(crate) struct Histogram {
    low_pc: usize,
    len: usize,
    /// The bytes of text that one bin covers, as a power of two.
    shift: u32,
}

/// Meaning of a histogram's counts, as its record states it.
pub(crate) use gmon_format::live::Sampling as Unit;

static CURRENT: AtomicPtr<Histogram> = AtomicPtr::new(null_mut());

/// The range that was asked for last, for a forked child, whose histogram is gone.
static LOW_PC: AtomicUsize = AtomicUsize::new(0);
static HIGH_PC: AtomicUsize = AtomicUsize::new(0);

/// Samples outside the range.
static OUTSIDE: AtomicU64 = AtomicU64::new(0);

/// Samples in the hooks and in the runtime behind them, wherever these lie.
static IN_HOOKS: AtomicU64 = AtomicU64::new(0);

/// Starts counting samples of the given text from zero.
pub(crate) fn cover(text: Range<usize>) {
    OUTSIDE.store(0, Ordering::Relaxed);
    IN_HOOKS.store(0, Ordering::Relaxed);
    LOW_PC.store(text.start, Ordering::Relaxed);
    HIGH_PC.store(text.end, Ordering::Relaxed);
    // The file's field is a signed 32-bit number.
    if text.is_empty() || i32::try_from(text.len() / BYTES_PER_BIN + 2).is_err() {
        message::say(&[b"the range to sample is empty or too large: no samples are taken"]);
        return;
    }
    if current().is_some_and(|current| current.covers(&text)) {
        return reset();
    }
    match Histogram::place(&text) {
        Some(histogram) => {
            CURRENT.store(core::ptr::from_ref(histogram).cast_mut(), Ordering::Release);
        }
        None => message::say(&[b"no memory to count samples in: no samples are taken"]),
    }
}

/// Forgets the parent's, in a forked child: its memory was wiped, or is left alone.
pub(crate) fn forget() {
    CURRENT.store(null_mut(), Ordering::Release);
}

/// Covers the same range again from zero, in a forked child.
pub(crate) fn cover_again() {
    cover(LOW_PC.load(Ordering::Relaxed)..HIGH_PC.load(Ordering::Relaxed));
}

/// Sets all counts to zero.
pub(crate) fn reset() {
    OUTSIDE.store(0, Ordering::Relaxed);
    IN_HOOKS.store(0, Ordering::Relaxed);
    if let Some(histogram) = current() {
        histogram.touched().for_each(|(_, bin)| bin.store(0, Ordering::Relaxed));
    }
}

/// Returns `true` if no sample was counted in the range.
pub(crate) fn is_empty() -> bool {
    current().is_none_or(|histogram| histogram.counts().next().is_none())
}

/// The samples counted in the range.
pub(crate) fn inside() -> u64 {
    current().map_or(0, |histogram| histogram.counts().map(|(_, count)| count).sum())
}

/// The samples counted outside the range.
pub(crate) fn outside() -> u64 {
    OUTSIDE.load(Ordering::Relaxed)
}

/// The samples counted in the hooks and in the runtime.
pub(crate) fn in_hooks() -> u64 {
    IN_HOOKS.load(Ordering::Relaxed)
}

/// Notes that `weight` samples, which are [`add`]ed too, were taken in hooks or in the runtime.
pub(crate) fn note_hooks(weight: u32) {
    IN_HOOKS.fetch_add(weight.into(), Ordering::Relaxed);
}

/// Counts `weight` samples at `pc`.
pub(crate) fn add(pc: usize, weight: u32) {
    let place = current().and_then(|histogram| {
        let index = pc.wrapping_sub(histogram.low_pc) >> histogram.shift;
        histogram.bins().get(index).zip(histogram.marks().get(index / BINS_PER_MARK))
    });
    let Some((bin, mark)) = place else {
        OUTSIDE.fetch_add(weight.into(), Ordering::Relaxed);
        return;
    };
    bin.fetch_add(weight, Ordering::Relaxed);
    // Who reads a live file looks at the mark before the bins. One that comes round to zero would say that none was counted.
    if mark.fetch_add(1, Ordering::Release) == u32::MAX {
        mark.fetch_add(1, Ordering::Release);
    }
}

/// The histogram being taken, if there is one.
pub(crate) fn current() -> Option<&'static Histogram> {
    // SAFETY: `cover` stores nothing but placed histograms, which stay mapped for ever.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

impl Histogram {
    /// Bins of `1 << shift` bytes for a text.
    const fn of(text: &Range<usize>, shift: u32) -> Self {
        // Bounds on bin borders: high - low is exactly the bins' bytes, as readers expect.
        let low_pc = text.start >> shift << shift;
        let len = match text.end.saturating_sub(low_pc) {
            0 => 0,
            bytes => ((bytes - 1) >> shift) + 1,
        };
        Self { low_pc, len, shift }
    }

    /// Makes the finest that there is memory for.
    fn place(text: &Range<usize>) -> Option<&'static Self> {
        shifts(text).find_map(|shift| {
            let histogram = Self::of(text, shift);
            let size = Self::size(histogram.len);
            Some(Region::map_for_process(size, &histogram.content())?.place(histogram))
        })
    }

    /// Returns `true` if it is the histogram of a text.
    fn covers(&self, text: &Range<usize>) -> bool {
        let same = Self::of(text, self.shift);
        (self.low_pc, self.len) == (same.low_pc, same.len)
    }

    /// The addresses covered, as they are in this process.
    pub(crate) fn range(&self) -> Range<usize> {
        self.low_pc..self.low_pc + (self.len << self.shift)
    }

    /// The number of bins.
    pub(crate) fn len(&self) -> u32 {
        self.len as u32
    }

    /// The bins that are not zero, by ascending index.
    pub(crate) fn counts(&'static self) -> impl Iterator<Item = (u32, u64)> + Clone {
        self.touched()
            .map(|(i, bin)| (i, bin.load(Ordering::Relaxed).into()))
            .filter(|(_, count)| *count != 0)
    }

    /// The bins of the blocks in which something was counted: memory that was never written is not
    /// read either, or a page would be made for it.
    fn touched(&'static self) -> impl Iterator<Item = (u32, &'static AtomicU32)> + Clone {
        let blocks =
            self.bins().chunks(BINS_PER_MARK).zip(self.marks()).zip((0..).step_by(BINS_PER_MARK));
        blocks
            .filter(|((_, mark), _)| mark.load(Ordering::Relaxed) != 0)
            .flat_map(|((bins, _), first)| (first..).zip(bins))
    }

    /// Bytes of memory that a histogram of `len` bins takes.
    const fn size(len: usize) -> usize {
        size_of::<Self>() + (len + len.div_ceil(BINS_PER_MARK)) * size_of::<AtomicU32>()
    }

    /// Description of its memory for readers of a live file.
    const fn content(&self) -> Block {
        Block {
            content: Content::Histogram {
                low_pc: LoadedPc(self.low_pc as u64),
                bin_len: 1 << self.shift,
            },
            len: Self::size(self.len) as u64,
            entries_at: size_of::<Self>() as u64,
            entries: self.len as u64,
            entry_len: size_of::<AtomicU32>() as u32,
        }
    }

    /// Address of the bins, and how many bytes of text one covers, as a power of two.
    #[cfg(target_os = "none")]
    pub(crate) fn place_of_bins(&'static self) -> (usize, u32) {
        (self.bins().as_ptr() as usize, self.shift)
    }

    fn bins(&'static self) -> &'static [AtomicU32] {
        let first = core::ptr::from_ref(self).wrapping_add(1).cast::<AtomicU32>();
        // SAFETY: `place`, the only maker, mapped `size(len)` zeroed bytes, aligned for a histogram and
        // so for bins, of which so many follow it; they stay mapped for ever, and bins are atomic.
        unsafe { core::slice::from_raw_parts(first, self.len) }
    }

    /// A mark for each block of bins.
    fn marks(&'static self) -> &'static [AtomicU32] {
        let first = self.bins().as_ptr_range().end;
        // SAFETY: the marks follow the bins, in the memory that `place` mapped.
        unsafe { core::slice::from_raw_parts(first, self.len.div_ceil(BINS_PER_MARK)) }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn samples_fall_into_bins_of_two_bytes_or_outside() {
        cover(0x1002..0x1009);
        let histogram = current().unwrap();
        assert_eq!(histogram.range(), 0x1002..0x100a);
        for pc in [0, 0x1001, 0x1002, 0x1003, 0x1004, 0x1009, 0x100a, usize::MAX] {
            add(pc, 2);
        }
        let bins: Vec<_> = histogram.bins().iter().map(|bin| bin.load(Ordering::Relaxed)).collect();
        assert_eq!(bins, [4, 2, 0, 2]);
        assert_eq!(OUTSIDE.load(Ordering::Relaxed), 8);
        let marks = || histogram.marks().iter().map(|mark| mark.load(Ordering::Relaxed));
        assert_eq!(marks().collect::<Vec<_>>(), [4]);
        histogram.marks()[0].store(u32::MAX, Ordering::Relaxed);
        add(0x1002, 0);
        assert_eq!(marks().collect::<Vec<_>>(), [1]);
        cover(0x1002..0x1009);
        assert!(current().unwrap().bins().iter().all(|bin| bin.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn bins_of_much_text_are_as_wide_as_those_of_the_c_library() {
        assert_eq!(shifts(&(0x1000..0x1000 + SMALL_TEXT)), 1..=12);
        assert_eq!(shifts(&(0x1000..0x1001 + SMALL_TEXT)), 2..=12);
    }

    #[test]
    fn coarser_bins_are_fewer_and_cover_the_text() {
        for (shift, range, len) in [
            (2, 0x1000..0x1014, 5),
            (3, 0x1000..0x1018, 3),
            (4, 0x1000..0x1020, 2),
            (12, 0x1000..0x2000, 1),
        ] {
            let histogram = Histogram::of(&(0x1002..0x1011), shift);
            assert_eq!((histogram.range(), histogram.len()), (range, len));
        }
    }
}

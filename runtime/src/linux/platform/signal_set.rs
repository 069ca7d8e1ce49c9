//! Sets of signals.
//!
//! *Context:* any.

/// Signals, as the kernel and the C library have them: a bit for each, in words of the system's size, the
/// first of which has the first signals.
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub(crate) struct SignalSet([usize; Self::LEN / size_of::<usize>()]);

impl SignalSet {
    /// Its size in bytes.
    pub(super) const LEN: usize = size_of::<u64>();

    /// The set of a bit for each signal, that of signal 1 the lowest.
    pub(crate) fn new(bits: u64) -> Self {
        let mut words = Self::default().0;
        for (i, word) in (0u32..).zip(&mut words) {
            *word = (bits >> (i * usize::BITS)) as usize;
        }
        Self(words)
    }

    /// What [`new`](Self::new) makes the set of.
    pub(crate) fn bits(self) -> u64 {
        let words = (0u32..).zip(self.0);
        words.fold(0, |bits, (i, word)| bits | (word as u64) << (i * usize::BITS))
    }
}

//! Sets of signals.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicUsize, Ordering};

/// A bit for each signal, that of signal 1 the lowest.
#[cfg(not(target_arch = "mips64"))]
pub type Signals = u64;
/// MIPS has twice as many signals as others.
#[cfg(target_arch = "mips64")]
pub type Signals = u128;

/// The highest number of a signal. It fits into seven bits, as the status of a process has it.
pub const LAST_SIGNAL: i32 =
    if Signals::BITS < 128 { Signals::BITS as i32 } else { Signals::BITS as i32 - 1 };

/// Signals, as the kernel and the C library have them: a bit for each, in words of the system's size, the
/// first of which has the first signals.
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub struct SignalSet([usize; WORDS]);

/// The bit of a signal in sets; 0 for what is no signal.
pub fn signal_bit(signal: i32) -> Signals {
    Signals::from(1u8).checked_shl(signal.wrapping_sub(1) as u32).unwrap_or(0)
}

const WORDS: usize = SignalSet::LEN / size_of::<usize>();

impl SignalSet {
    /// Its size in bytes.
    pub(super) const LEN: usize = size_of::<Signals>();

    /// The set of these signals.
    pub fn new(bits: Signals) -> Self {
        let mut words = Self::default().0;
        for (i, word) in (0u32..).zip(&mut words) {
            *word = (bits >> (i * usize::BITS)) as usize;
        }
        Self(words)
    }

    /// Bits of which [`new`](Self::new) makes the set.
    pub fn bits(self) -> Signals {
        let words = (0u32..).zip(self.0);
        words.fold(0, |bits, (i, word)| bits | (word as Signals) << (i * usize::BITS))
    }
}

/// A set that threads share.
pub struct SharedSignalSet([AtomicUsize; WORDS]);

impl SharedSignalSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self([const { AtomicUsize::new(0) }; WORDS])
    }

    /// The signals that are in it now.
    pub fn get(&self) -> SignalSet {
        SignalSet(self.0.each_ref().map(|word| word.load(Ordering::Relaxed)))
    }

    /// Replaces all signals.
    pub fn set(&self, signals: SignalSet) {
        let words = self.0.iter().zip(signals.0);
        words.for_each(|(place, word)| place.store(word, Ordering::Relaxed));
    }

    /// Adds a signal.
    pub fn add(&self, signal: i32) {
        self.words_of(signal).for_each(|(place, word)| _ = place.fetch_or(word, Ordering::Relaxed));
    }

    /// Takes a signal out.
    pub fn remove(&self, signal: i32) {
        self.words_of(signal)
            .for_each(|(place, word)| _ = place.fetch_and(!word, Ordering::Relaxed));
    }

    /// Each word, with what the signal is in it.
    fn words_of(&self, signal: i32) -> impl Iterator<Item = (&AtomicUsize, usize)> {
        self.0.iter().zip(SignalSet::new(signal_bit(signal)).0)
    }

    /// Returns `true` if a signal is in it.
    pub fn has(&self, signal: i32) -> bool {
        self.get().bits() & signal_bit(signal) != 0
    }
}

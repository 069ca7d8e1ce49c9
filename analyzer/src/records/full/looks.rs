//! Things that signals looked at.

/// Samples: how many signals there were, and the time that they stand for.
///
/// A signal may stand for several periods of the clock, so the two differ; how exact a figure is follows
/// from the number of signals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// Signals.
    pub samples: u64,
    /// Time, in ticks of the histogram.
    pub weight: u64,
    /// The part of that time in which threads waited, where these were sampled too.
    pub waiting: u64,
}

impl Looks {
    /// Ticks in which threads ran.
    #[must_use]
    pub fn running(self) -> u64 {
        self.weight.saturating_sub(self.waiting)
    }
}

impl std::ops::AddAssign for Looks {
    fn add_assign(&mut self, other: Self) {
        self.samples = self.samples.saturating_add(other.samples);
        self.weight = self.weight.saturating_add(other.weight);
        self.waiting = self.waiting.saturating_add(other.waiting);
    }
}

impl std::ops::SubAssign for Looks {
    fn sub_assign(&mut self, other: Self) {
        self.samples = self.samples.saturating_sub(other.samples);
        self.weight = self.weight.saturating_sub(other.weight);
        self.waiting = self.waiting.saturating_sub(other.waiting);
    }
}

impl std::iter::Sum for Looks {
    fn sum<I: Iterator<Item = Self>>(looks: I) -> Self {
        looks.fold(Self::default(), |mut sum, looks| {
            sum += looks;
            sum
        })
    }
}

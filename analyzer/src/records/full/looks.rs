//! Things that signals looked at.

use gmon_format::live::Kernel;

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
    /// The part in which the kernel worked at system calls.
    pub system: u64,
    /// The part in which it brought pages.
    pub faults: u64,
}

impl Looks {
    /// A look, or time that was found later for one, of this weight.
    #[must_use]
    pub fn timed(is_look: bool, weight: u64, waits: bool, kernel: Option<Kernel>) -> Self {
        let part = |is_it: bool| if is_it { weight } else { 0 };
        Self {
            samples: is_look.into(),
            weight,
            waiting: part(waits),
            system: part(kernel == Some(Kernel::Call)),
            faults: part(kernel == Some(Kernel::Fault)),
        }
    }

    /// Ticks in which threads ran.
    #[must_use]
    pub fn running(self) -> u64 {
        self.weight.saturating_sub(self.waiting)
    }

    /// Ticks in which the kernel worked for the program.
    #[must_use]
    pub fn kernels(self) -> u64 {
        self.system.saturating_add(self.faults)
    }
}

impl std::ops::AddAssign for Looks {
    fn add_assign(&mut self, other: Self) {
        self.samples = self.samples.saturating_add(other.samples);
        self.weight = self.weight.saturating_add(other.weight);
        self.waiting = self.waiting.saturating_add(other.waiting);
        self.system = self.system.saturating_add(other.system);
        self.faults = self.faults.saturating_add(other.faults);
    }
}

impl std::ops::SubAssign for Looks {
    fn sub_assign(&mut self, other: Self) {
        self.samples = self.samples.saturating_sub(other.samples);
        self.weight = self.weight.saturating_sub(other.weight);
        self.waiting = self.waiting.saturating_sub(other.waiting);
        self.system = self.system.saturating_sub(other.system);
        self.faults = self.faults.saturating_sub(other.faults);
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

//! Figures that tell how long calls took.

use super::times::Times;

/// A figure of the times of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// The mean.
    Mean,
    /// The time that half of the calls do not exceed.
    P50,
    /// The time that nine of ten do not exceed.
    P90,
    /// The time that 99 of 100 do not exceed.
    P99,
    /// The time that 999 of 1,000 do not exceed.
    P999,
    /// The longest.
    Longest,
}

impl Figure {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Mean, Self::P50, Self::P90, Self::P99, Self::P999, Self::Longest];

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::P50 => "p50",
            Self::P90 => "p90",
            Self::P99 => "p99",
            Self::P999 => "p99.9",
            Self::Longest => "max",
        }
    }

    /// The name for programs.
    #[must_use]
    pub const fn key(self) -> &'static str {
        if matches!(self, Self::P999) { "p999" } else { self.name() }
    }

    /// The figure with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| name == it.name() || name == it.key())
    }

    /// The part of all calls that do not exceed it; `None` of the mean and the longest.
    const fn part(self) -> Option<f64> {
        match self {
            Self::P50 => Some(0.5),
            Self::P90 => Some(0.9),
            Self::P99 => Some(0.99),
            Self::P999 => Some(0.999),
            Self::Mean | Self::Longest => None,
        }
    }

    /// The figure of these times, in nanoseconds; `None` without calls, or if they could not be counted.
    #[must_use]
    pub fn of(self, times: &Times) -> Option<u64> {
        match self {
            Self::Mean => times.mean_ns(),
            Self::Longest => (times.timed > 0).then_some(times.longest_ns),
            _ => times.quantile_ns(self.part()?),
        }
    }

    /// Returns `true` if it is known only as well as buckets are narrow.
    #[must_use]
    pub const fn is_of_buckets(self) -> bool {
        self.part().is_some()
    }
}

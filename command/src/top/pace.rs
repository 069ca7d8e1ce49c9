//! Pace of looks: as often as asked for, as long as that does not take more than its share of a processor.

use std::time::{Duration, Instant};

/// The part of a processor that looking and drawing may take: one of so many.
const SHARE: u32 = 50;

/// Longest time to wait for that. Where new stacks alone cost more, waiting does not help.
const LONGEST: Duration = Duration::from_secs(2);

/// For so long a time its share may be used later: one look takes longer than another.
const CREDIT: Duration = Duration::from_millis(500);

/// When to look.
#[derive(Debug)]
pub(super) struct Pace {
    interval: Duration,
    /// When the last look was to begin.
    due: Instant,
    /// The time until which all that was used is no more than its share.
    paid: Instant,
}

impl Pace {
    pub(super) fn new(interval: Duration, now: Instant) -> Self {
        Self { interval, due: now, paid: now }
    }

    /// When the next look is to begin, after one that began `now`; `used` is the CPU time since the one before. One that begins
    /// late does not make others late.
    pub(super) fn next(&mut self, now: Instant, used: Duration) -> Instant {
        let earliest = now.checked_sub(CREDIT).unwrap_or(now);
        self.paid = (self.paid.max(earliest) + (used * SHARE)).min(now + LONGEST);
        self.due = (self.due + self.interval).max(self.paid).max(now);
        self.due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_millis(100);

    /// Number of looks in a minute, if each costs what the function says of its number, and their cost.
    fn looks(cost: impl Fn(u32) -> Duration) -> (u32, Duration) {
        let begun = Instant::now();
        let (mut pace, mut now, mut all) = (Pace::new(INTERVAL, begun), begun, Duration::ZERO);
        for number in 0.. {
            if now >= begun + Duration::from_secs(60) {
                return (number, all);
            }
            all += cost(number);
            // Later than asked for.
            now = pace.next(now, cost(number)) + Duration::from_micros(300);
        }
        unreachable!("a minute is over once")
    }

    #[test]
    fn looks_are_as_many_as_asked_for_if_all_together_cost_little() {
        assert_eq!(looks(|_| Duration::from_micros(1900)).0, 600);
        let uneven = |number| Duration::from_micros(if number % 4 == 3 { 5000 } else { 900 });
        assert_eq!(looks(uneven).0, 600);
    }

    #[test]
    fn looks_take_no_more_than_their_share() {
        for cost in [2500, 12_000, 35_000].map(Duration::from_micros) {
            let (_, all) = looks(|_| cost);
            assert!(all <= (Duration::from_secs(60) + CREDIT) / SHARE + cost, "{cost:?}: {all:?}");
        }
        // However much they cost, the user does not wait longer.
        assert_eq!(looks(|_| Duration::from_secs(1)).0, 30);
    }

    #[test]
    fn looks_that_were_missed_are_not_made_up_for() {
        let begun = Instant::now();
        let mut pace = Pace::new(INTERVAL, begun);
        let later = begun + Duration::from_secs(3600);
        assert_eq!(pace.next(later, Duration::ZERO), later);
        assert_eq!(pace.next(later, Duration::ZERO), later + INTERVAL);
    }
}

//! The last minutes as a line of bars: how much of a processor was used.

use std::collections::VecDeque;
use std::time::Duration;

/// The least time of a bar. Where looks are rarer, bars are longer.
const BAR: Duration = Duration::from_secs(3);
/// Bars that are kept, as many as a wide screen shows.
const KEPT: usize = 200;
/// Columns of the words before the bars.
const WORDS: usize = 27;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A process's recent use of processors.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    bars: VecDeque<Bar>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Bar {
    time: Duration,
    /// Seconds of processors.
    used: f64,
}

impl Past {
    /// Adds what was used since the look before.
    pub(super) fn add(&mut self, time: Duration, used: f64) {
        if self.bars.back().is_none_or(|bar| bar.time >= BAR) {
            self.bars.push_back(Bar::default());
        }
        if self.bars.len() > KEPT {
            self.bars.pop_front();
        }
        if let Some(bar) = self.bars.back_mut() {
            (bar.time, bar.used) = (bar.time + time, bar.used + used);
        }
    }
}

/// The last minutes of processes that were looked at together, in so many columns; the newest on the right. The highest bar is the most
/// that was used, or one processor.
pub(super) fn strip<'p>(processes: impl Iterator<Item = &'p Past>, columns: usize) -> String {
    // From the newest back.
    let mut shares: Vec<f64> = Vec::new();
    let mut length = Duration::ZERO;
    for Past { bars } in processes {
        let bars = || bars.iter().rev().take(columns.saturating_sub(WORDS));
        length = length.max(bars().map(|bar| bar.time).sum());
        shares.resize(shares.len().max(bars().count()), 0.0);
        for (share, bar) in shares.iter_mut().zip(bars()) {
            *share += bar.used / bar.time.as_secs_f64().max(1e-9);
        }
    }
    if shares.is_empty() {
        return String::new();
    }
    let most = shares.iter().fold(1.0, |most: f64, share| most.max(*share));
    let highest = (BARS.len() - 1) as f64;
    let bars = shares.iter().rev().map(|share| BARS[(share / most * highest).round() as usize]);
    let seconds = length.as_secs();
    let time = match seconds {
        0..100 => format!("{seconds} s"),
        _ => format!("{:.1} min", length.as_secs_f64() / 60.0),
    };
    let words = format!("last {time}, {} = {:.0} %", BARS[BARS.len() - 1], most * 100.0);
    format!("{words:<width$} {}", bars.collect::<String>(), width = WORDS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(shares: &[f64]) -> Past {
        let mut past = Past::default();
        for share in shares {
            // Looks of a second.
            (0..3).for_each(|_| past.add(Duration::from_secs(1), *share));
        }
        past
    }

    #[test]
    fn bars_show_what_was_used_and_the_newest_is_on_the_right() {
        let one = past(&[0.0, 0.5, 1.0]);
        assert_eq!(strip([&one].into_iter(), 80), "last 9 s, █ = 100 %        ▁▅█");
        // Several add up, from the newest back.
        let other = past(&[2.0, 3.0]);
        let both = || [&one, &other].into_iter();
        assert_eq!(strip(both(), 80), "last 9 s, █ = 400 %        ▁▅█");
        assert_eq!(strip(both(), WORDS + 2), "last 6 s, █ = 400 %        ▅█");
        assert_eq!(strip([&Past::default()].into_iter(), 80), "");
        for columns in 0..WORDS + 1 {
            assert!(strip(both(), columns).chars().count() <= WORDS + 1);
        }
    }

    #[test]
    fn minutes_fill_a_screen() {
        let long = past(&[1.0; 500]);
        for columns in [60, 80, 500] {
            let strip = strip([&long].into_iter(), columns);
            assert_eq!(strip.matches('█').count(), 1 + KEPT.min(columns - WORDS), "{strip}");
        }
        assert!(strip([&long].into_iter(), 60).starts_with("last 99 s, "));
        assert!(strip([&long].into_iter(), 80).starts_with("last 2.6 min, "));
    }
}

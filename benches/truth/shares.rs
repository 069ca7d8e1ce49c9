//! Which part of a program's time each of its functions has, itself and with what it calls.

use std::collections::{BTreeMap, BTreeSet};

/// What one function has, in percent or in samples.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    pub(crate) own: f64,
    pub(crate) total: f64,
}

/// Samples by function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares {
    functions: BTreeMap<String, Share>,
    samples: f64,
}

/// How far two measurements are apart, in points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Difference {
    pub(crate) functions: usize,
    /// Of the functions' own times, and of their inclusive ones.
    pub(crate) mean: Share,
    /// The largest of the inclusive ones, and whose.
    pub(crate) largest: (f64, String),
}

impl Shares {
    /// Adds samples that found these functions on the stack, the outermost first.
    pub(crate) fn add(&mut self, path: &[String], samples: f64) {
        self.samples += samples;
        if let Some(leaf) = path.last() {
            self.functions.entry(leaf.clone()).or_default().own += samples;
        }
        // However often a function is on the stack, it counts once.
        for name in path.iter().collect::<BTreeSet<_>>() {
            self.functions.entry(name.clone()).or_default().total += samples;
        }
    }

    /// Adds another run, which counts as much as each of those before.
    pub(crate) fn add_run(&mut self, run: &Self) {
        self.samples += 1.0;
        for name in run.functions.keys() {
            let (share, sum) = (run.of(name), self.functions.entry(name.clone()).or_default());
            sum.own += share.own / 100.0;
            sum.total += share.total / 100.0;
        }
    }

    /// In percent.
    pub(crate) fn of(&self, name: &str) -> Share {
        let share = self.functions.get(name).copied().unwrap_or_default();
        let percent = |samples: f64| 100.0 * samples / self.samples;
        Share { own: percent(share.own), total: percent(share.total) }
    }

    /// How many samples there are.
    pub(crate) fn samples(&self) -> f64 {
        self.samples
    }

    /// Compares all functions that have at least one percent of the time here.
    pub(crate) fn difference(&self, others: &Self) -> Difference {
        let mut sum = Difference::default();
        for name in self.functions.keys().filter(|name| self.of(name).total >= 1.0) {
            let (here, there) = (self.of(name), others.of(name));
            let total = (here.total - there.total).abs();
            sum.functions += 1;
            sum.mean.own += (here.own - there.own).abs();
            sum.mean.total += total;
            if total > sum.largest.0 {
                sum.largest = (total, name.clone());
            }
        }
        let count = sum.functions.max(1) as f64;
        sum.mean = Share { own: sum.mean.own / count, total: sum.mean.total / count };
        sum
    }
}

/// A function's name without what compilers append where they split it or make a copy.
pub(crate) fn whole(name: &str) -> &str {
    let marks = [".part.", ".cold", ".isra.", ".constprop.", ".lto_priv.", ".llvm."];
    let end = marks.into_iter().filter_map(|mark| name.find(mark)).min();
    &name[..end.unwrap_or(name.len())]
}

//! What the runtime says of the walks of a run, by its own clock.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

use gmon_format::live::Live;

use crate::launcher::Result;

/// The walks of a run.
pub(crate) struct Walks {
    count: u64,
    nanoseconds: f64,
    cpu: f64,
    incomplete: String,
    tree: u64,
}

impl Walks {
    /// Those of a full profile.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let live = Live::new(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        let fact = |key| live.facts().find_map(|facts| facts.get(key)?.number()).unwrap_or(0);
        let text = live.facts().find_map(|facts| Some(facts.get("incomplete")?.bytes().collect()));
        let [count, nanoseconds, cpu, tree] =
            ["walks", "walk_ns", "cpu_ns", "tree_bytes"].map(fact);
        let incomplete = String::from_utf8_lossy(&text.unwrap_or_else(Vec::new)).into_owned();
        let (nanoseconds, cpu) = (nanoseconds as f64, cpu.max(1) as f64);
        Ok(Self { count, nanoseconds, cpu, incomplete, tree })
    }

    /// Time that one of them takes in the mean, in microseconds.
    pub(crate) fn mean_us(&self) -> f64 {
        self.nanoseconds / self.count.max(1) as f64 / 1e3
    }
}

impl Display for Walks {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} walks of {:.1} us, {:.2} % of CPU time by their own clock; {} KB of stacks; incomplete: {}",
            self.count,
            self.mean_us(),
            100.0 * self.nanoseconds / self.cpu,
            self.tree / 1024,
            if self.incomplete.is_empty() { "none" } else { &self.incomplete }
        )
    }
}

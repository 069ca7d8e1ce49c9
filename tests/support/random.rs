//! Random numbers that are the same on every run.

use std::env;
use std::ops::Range;

use super::tools::rounds;

/// The seeds of random cases: `GMON_SEEDS=N` tries N of them instead of the usual [`rounds`], `GMON_SEED=S` one.
pub fn seeds(usual: u32) -> Range<u64> {
    match number("GMON_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("GMON_SEEDS").unwrap_or_else(|| rounds(usual).into()),
    }
}

/// Damaged inputs to try: `GMON_MUTATIONS=N` tries N of them instead of the usual [`rounds`].
pub fn mutations(usual: u32) -> u64 {
    number("GMON_MUTATIONS").unwrap_or_else(|| rounds(usual).into())
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// A generator with its own seed (splitmix64, by Vigna).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        // Not a multiple of the step, or else each seed would give the numbers of the one before.
        Self(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// Any number of 64 bits.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.number() % end
    }

    /// Whether something happens that happens once in `times`.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of `choices`.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

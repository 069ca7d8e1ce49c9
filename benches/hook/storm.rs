//! Threads that call the same functions at once: how many calls a second, and how many are kept.

use crate::programs::Programs;
use crate::sides::{Form, Hook, Side};
use crate::{Effort, Result};

/// As many threads as the smallest machine that can show contention has processors.
const THREADS: [usize; 2] = [1, 2];

const SIDES: [Side; 5] = [
    Side::PLAIN,
    Side { form: Form::Mcount, hook: Hook::Glibc },
    Side { form: Form::Mcount, hook: Hook::Ours },
    Side { form: Form::Fentry, hook: Hook::Glibc },
    Side { form: Form::Fentry, hook: Hook::Ours },
];

/// One side at one number of threads.
pub(crate) struct Storm {
    pub(crate) side: Side,
    pub(crate) threads: usize,
    /// The most calls per second that a run made, all threads together.
    pub(crate) calls_per_second: f64,
    /// The part of the calls that a profile kept, in the run furthest from keeping just all of them;
    /// `None` without a profile.
    pub(crate) kept: Option<f64>,
}

/// Measures all sides by turns.
pub(crate) fn measure(programs: &Programs, effort: &Effort) -> Result<Vec<Storm>> {
    let mut storms: Vec<Storm> = THREADS
        .into_iter()
        .flat_map(|threads| {
            SIDES.map(|side| Storm { side, threads, calls_per_second: 0.0, kept: None })
        })
        .collect();
    let calls = effort.storm_calls.to_string();
    for _ in 0..effort.storms {
        for storm in &mut storms {
            let run = programs.run("storm", storm.side, [&storm.threads.to_string(), &calls])?;
            let made = run.calls as f64;
            storm.calls_per_second = storm.calls_per_second.max(made / run.nanoseconds * 1e9);
            if let Some(counted) = run.counted {
                let kept = counted as f64 / made;
                let error = |kept: f64| (kept - 1.0).abs();
                let worst = storm.kept.filter(|&worst| error(worst) >= error(kept));
                storm.kept = Some(worst.unwrap_or(kept));
            }
        }
    }
    Ok(storms)
}

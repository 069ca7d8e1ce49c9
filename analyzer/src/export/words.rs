//! Numbers for people.

use crate::model::{Model, Sampling};
use crate::numbers::places;
pub(super) use crate::numbers::{counted, grouped};

/// The module of callers outside of all functions.
pub(super) const EXTERNAL_MODULE: &str = "[external]";

/// A time in seconds.
pub(super) fn amount(sampling: &Sampling, nanoseconds: u64) -> String {
    format!("{:.*}", places(sampling.rate_hz), nanoseconds as f64 / 1e9)
}

/// [`amount`] with its unit: `s` for seconds.
pub(super) fn amount_with_unit(sampling: &Sampling, nanoseconds: u64) -> String {
    let unit = if sampling.is_time() { "s" } else { &sampling.unit };
    format!("{} {unit}", amount(sampling, nanoseconds))
}

/// The part that a time is of the program's own; a part of all calls where nothing was sampled.
pub(super) fn share(model: &Model, nanoseconds: u64, calls: Option<u64>) -> f64 {
    let sampling = &model.sampling;
    match sampling.time(sampling.own()) {
        0 => calls.unwrap_or(0) as f64 / model.calls().max(1) as f64,
        all => nanoseconds as f64 / all as f64,
    }
}

/// The part that a time is of all, with the profiler's own work.
pub(super) fn share_of_all(model: &Model, nanoseconds: u64) -> f64 {
    nanoseconds as f64 / model.sampling.time(model.sampling.samples) as f64
}

/// Time of the profiler's own work, which is in no share, if it took any.
pub(super) fn hooks(model: &Model) -> Option<String> {
    let hooks = model.hooks()?;
    let percent = 100.0 * share_of_all(model, hooks.self_ns);
    let time = amount_with_unit(&model.sampling, hooks.self_ns);
    Some(format!("{}: {time}, {percent:.1} % of all; shares are of the rest", hooks.display))
}

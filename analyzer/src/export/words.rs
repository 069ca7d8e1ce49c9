//! Numbers for people.

use crate::model::{Model, Sampling};
pub(super) use crate::numbers::grouped;

/// `1` and `call` as `1 call`.
pub(super) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A time in seconds, with as many places as the period needs: 2 for 100 samples each second, 3 for 500.
pub(super) fn amount(sampling: &Sampling, nanoseconds: u64) -> String {
    let digits = (sampling.rate_hz.max(100) - 1).ilog10() + 1;
    format!("{:.*}", digits.min(6) as usize, nanoseconds as f64 / 1e9)
}

/// [`amount`] with its unit: `s` for seconds.
pub(super) fn amount_with_unit(sampling: &Sampling, nanoseconds: u64) -> String {
    let unit = if sampling.is_time() { "s" } else { &sampling.unit };
    format!("{} {unit}", amount(sampling, nanoseconds))
}

/// The part that a time is of all; a part of all calls where nothing was sampled.
pub(super) fn share(model: &Model, nanoseconds: u64, calls: Option<u64>) -> f64 {
    let sampling = &model.sampling;
    match sampling.time(sampling.samples) {
        0 => calls.unwrap_or(0) as f64 / model.calls().max(1) as f64,
        all => nanoseconds as f64 / all as f64,
    }
}

//! The functions of several runs of one program, each with what every run says of it.

use super::side::{Entity, Side};
use crate::model::Model;

/// A function in several runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRuns {
    /// The name for people.
    pub display: String,
    /// The last part of its module's path; empty for the program, and outside of all modules.
    pub module: String,
    /// Its own samples in each run.
    pub samples: Vec<u64>,
    /// Its calls in each run; `None` if a run did not count them.
    pub calls: Option<Vec<u64>>,
}

/// The functions of several runs that any run called or met.
#[must_use]
pub fn across_runs(runs: &[Model]) -> Vec<FunctionRuns> {
    let side = Side::new(runs);
    let is_seen = |entity: &&Entity| {
        let is_met = |samples: &[u64]| samples.iter().any(|it| *it > 0);
        entity.is_counted() || is_met(&entity.samples) || is_met(&entity.inclusive)
    };
    let function = side.entities.iter().filter(is_seen).map(|entity| {
        let calls = side.calls(Some(entity), entity.is_of_program());
        FunctionRuns {
            module: entity.module_for_people().to_owned(),
            display: entity.display.clone(),
            samples: entity.samples.clone(),
            calls: (entity.is_counted() && !calls.is_empty()).then_some(calls),
        }
    });
    function.collect()
}

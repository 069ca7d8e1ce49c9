//! The functions of several runs of one program, each with what every run says of it.

use super::side::Side;
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
    /// Its calls in each run; `None` if no run counted them.
    pub calls: Option<Vec<u64>>,
}

/// All functions of several runs.
#[must_use]
pub fn across_runs(runs: &[Model]) -> Vec<FunctionRuns> {
    let entities = Side::new(runs).entities.into_iter();
    let function = entities.map(|entity| {
        let is_counted = entity.calls.iter().any(Option::is_some);
        let calls = entity.calls.iter().map(|calls| calls.unwrap_or(0)).collect();
        FunctionRuns {
            module: entity.module_for_people().to_owned(),
            display: entity.display,
            samples: entity.samples,
            calls: is_counted.then_some(calls),
        }
    });
    function.collect()
}

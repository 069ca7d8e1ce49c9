//! Share of a profile that the next build can use: compilers say nothing of functions that they do not find in it.

use std::collections::BTreeSet;
use std::fmt;

use gmon_analyzer::export::CodeProfile;

/// The functions of a profile, and those that a build has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matched {
    pub(crate) functions: usize,
    pub(crate) found: usize,
    /// Executions of their code.
    executions: u64,
    found_executions: u64,
}

impl Matched {
    /// Looks for the functions of a profile that are `wanted` among those of a build.
    pub(crate) fn new(
        profile: &CodeProfile,
        wanted: impl Fn(&[u8]) -> bool,
        built: &BTreeSet<Vec<u8>>,
    ) -> Self {
        let mut matched = Self::default();
        for (name, executions) in profile.functions().filter(|(name, _)| wanted(name)) {
            matched.functions += 1;
            matched.executions = matched.executions.saturating_add(executions);
            if built.contains(name) {
                matched.found += 1;
                matched.found_executions = matched.found_executions.saturating_add(executions);
            }
        }
        matched
    }

    /// The share of executions that the build can use, in percent.
    pub(crate) fn share(&self) -> f64 {
        match self.executions {
            0 => 0.0,
            all => self.found_executions as f64 * 100.0 / all as f64,
        }
    }
}

impl fmt::Display for Matched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { functions, found, .. } = self;
        write!(f, "{found} of {functions} functions, with {:.1} % of the executions", self.share())
    }
}

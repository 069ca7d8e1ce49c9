//! Time that is not the program's own. It has rows apart, with shares of all time; all other shares are of the program's
//! own time.

pub(super) use gmon_analyzer::profile::HOOKS;

/// CPU time that no sample stands for.
pub(super) const NOT_SAMPLED: &str = "[not sampled]";

/// CPU time while profiling was off.
pub(super) const PAUSED: &str = "[while profiling was off]";

/// Tells if a row of this name stands apart.
pub(super) fn is_apart(name: &str) -> bool {
    [HOOKS, NOT_SAMPLED, PAUSED].contains(&name)
}

/// A sentence that says what shares are of; none if there are no rows apart.
pub(super) fn what_shares_are<'n>(rows: impl Iterator<Item = &'n str>) -> Option<String> {
    let names = rows.filter(|name| is_apart(name)).collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("%: of the program's own time; {names}: of all time"))
}

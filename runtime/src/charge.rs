//! Place at which a sample is charged.
//!
//! *Context:* any.

use crate::arch;
use crate::histogram::BYTES_PER_BIN;

/// Returns `true` if an address is among the hooks or in the runtime behind them.
pub(crate) fn is_cost_of_profiling(pc: usize) -> bool {
    arch::hooks().contains(&pc) || arch::runtime_text().contains(&pc)
}

/// The address to which a sample is charged: among the hooks `mcount`, in the runtime behind them
/// `__mcount_internal`, elsewhere the one where it was taken.
///
/// Users of gprof know these names for the cost of profiling. What is preloaded lies outside the
/// program in any case.
pub(crate) fn charged_pc(pc: usize) -> usize {
    let hooks = arch::hooks();
    if hooks.contains(&pc) {
        hooks.start
    } else if arch::runtime_text().contains(&pc) {
        // The first bin that is all its own: functions need not begin where bins do.
        arch::miss().next_multiple_of(BYTES_PER_BIN)
    } else {
        pc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_charged_to_the_first_of_them() {
        let hooks = arch::hooks();
        assert!(!hooks.is_empty());
        for (pc, charged) in [
            (hooks.start, hooks.start),
            (hooks.start + 40, hooks.start),
            (hooks.end - 1, hooks.start),
            (hooks.end, hooks.end),
            (7, 7),
        ] {
            assert_eq!(charged_pc(pc), charged);
        }
    }
}

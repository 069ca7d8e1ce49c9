//! Place at which a sample is charged.
//!
//! *Context:* any.

use crate::arch;

/// Bytes of text that one bin of the histogram covers, as in glibc's files, if the text is not small and there is memory
/// for so many bins.
pub const BYTES_PER_BIN: usize = 4;

/// Returns `true` if an address is among the hooks or in the runtime behind them.
pub fn is_cost_of_profiling(pc: usize) -> bool {
    arch::hooks().contains(&pc) || arch::runtime_text().contains(&pc)
}

/// The address to which a sample is charged: among the hooks `mcount`, in the runtime behind them
/// `__mcount_internal`, elsewhere the one where it was taken.
///
/// Users of gprof know these names for the cost of profiling. What is preloaded lies outside the
/// program in any case.
pub fn charged_pc(pc: usize) -> usize {
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

//! The kernel's part of the time.

use super::document::{Function, Kind, Model};

/// The name of the kernel's row in profiles of processes that were sampled from outside.
pub const KERNEL: &str = "[kernel]";

impl Function {
    /// The part of its own time in which the kernel worked.
    #[must_use]
    pub fn self_kernel_ns(&self) -> u64 {
        self.self_system_ns.saturating_add(self.self_faults_ns)
    }
}

impl Model {
    /// Function that stands for the kernel's work, as the system counts it: its samples were no looks at stacks.
    #[must_use]
    pub fn kernel(&self) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == KERNEL)
    }

    /// True if the kernel worked in so much of the time that it is worth a column: in 3 % or more.
    #[must_use]
    pub fn has_much_of_the_kernel(&self) -> bool {
        let own = self.functions.iter().filter(|function| function.kind != Kind::Hooks);
        let sums = own.fold((0_u128, 0_u128), |(kernel, all), function| {
            (kernel + u128::from(function.self_kernel_ns()), all + u128::from(function.self_ns))
        });
        sums.0 > 0 && sums.0 * 100 >= sums.1 * 3
    }
}

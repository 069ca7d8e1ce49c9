//! Work of the kernel for a thread.

/// Work at which a look found the kernel, on behalf of the innermost frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// A system call that the frame made.
    Call,
    /// A page that was not there, and that the frame wanted.
    Fault,
}

/// The parts of a weight in which the kernel worked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelWeight {
    /// For system calls.
    pub calls: u32,
    /// For pages that were not there.
    pub faults: u32,
}

//! Changes of code that all threads see.
//!
//! *Context:* any.

#[cfg(not(target_arch = "riscv64"))]
use super::call::call;
#[cfg(target_arch = "riscv64")]
use super::call::make;

/// Has processors that do not look into their data caches for code find what was just written at an address.
#[cfg(target_arch = "aarch64")]
pub fn publish_code(place: usize) {
    // SAFETY: the address is one of the caller's memory. Linux lets programs clean and invalidate their own lines.
    unsafe {
        core::arch::asm!(
            "dc cvau, {0}",
            "dsb ish",
            "ic ivau, {0}",
            "dsb ish",
            in(reg) place,
            options(nostack, preserves_flags)
        );
    }
}

/// Others do, or [`renew_code`] tells them.
#[cfg(not(target_arch = "aarch64"))]
pub fn publish_code(_place: usize) {}

/// Returns when every thread of the process executes code as it is now: what a processor has read ahead is void
/// (membarrier(2), `PRIVATE_EXPEDITED_SYNC_CORE`). False if the kernel cannot do it, as before 4.16.
#[cfg(not(target_arch = "riscv64"))]
pub fn renew_code() -> bool {
    const SYNC_CORE: i32 = 1 << 5;
    const REGISTER: i32 = 1 << 6;
    // SAFETY: the call changes nothing that a program could see.
    let command = |command: i32| unsafe { call!(SYS_membarrier, command, 0, 0) }.is_ok();
    // A process has to register first, and again after exec.
    command(SYNC_CORE) || command(REGISTER) && command(SYNC_CORE)
}

/// Returns when every thread of the process executes code as it is now (riscv_flush_icache(2), of Linux for RISC-V from its
/// first day on; membarrier learnt it years later). False if the kernel cannot do it.
#[cfg(target_arch = "riscv64")]
pub fn renew_code() -> bool {
    const SYS_RISCV_FLUSH_ICACHE: libc::c_long = 259;
    const ALL_THREADS: usize = 0;
    // SAFETY: the call changes nothing that a program could see. The range is all of memory, and Linux does not look at it.
    unsafe { make(SYS_RISCV_FLUSH_ICACHE, [0usize.into(), usize::MAX.into(), ALL_THREADS.into()]) }
        .is_ok()
}

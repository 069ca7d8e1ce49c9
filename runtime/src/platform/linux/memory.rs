//! Memory straight from the kernel.

use super::check;
use crate::arch::syscall;

/// Maps `len` bytes of zeroed memory, private and uncommitted.
pub(crate) fn map(len: usize) -> Option<*mut u8> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let args = [0, len, protection as usize, flags as usize, usize::MAX, 0];
    check(syscall(libc::SYS_mmap, args)).ok().map(|address| address as *mut u8)
}

/// Unmaps what [`map`] mapped.
///
/// # Safety
/// Nobody may use the memory any more.
pub(crate) unsafe fn unmap(base: *mut u8, len: usize) {
    syscall(libc::SYS_munmap, [base as usize, len, 0, 0, 0, 0]);
}

/// Has a forked child find the mapping zeroed. Linux before 4.14 cannot; then the child finds its
/// parent's bytes.
pub(crate) fn wipe_on_fork(base: *mut u8, len: usize) {
    syscall(libc::SYS_madvise, [base as usize, len, libc::MADV_WIPEONFORK as usize, 0, 0, 0]);
}

/// Maps zeroed memory like [`map`], at an address that nobody has taken yet.
pub(crate) fn map_at(address: usize, len: usize) -> Option<*mut u8> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    let args = [address, len, protection as usize, flags as usize, usize::MAX, 0];
    let mapped = check(syscall(libc::SYS_mmap, args)).ok()?;
    // Linux before 4.17 takes the address for a hint.
    (mapped == address).then_some(mapped as *mut u8)
}

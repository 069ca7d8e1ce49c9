//! Memory straight from the kernel.

use core::ffi::CStr;

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

/// Maps a page that nothing can be done with, at the lowest address that is allowed to programs: so
/// `/proc/PID/maps` begins with it, and its name, `/memfd:NAME`, is read there at once. It stays
/// for as long as the process runs this program.
pub(crate) fn map_named_first(name: &CStr) {
    const LOWEST: usize = 0x1_0000;
    let args = [name.as_ptr() as usize, libc::MFD_CLOEXEC as usize, 0, 0, 0, 0];
    if let Ok(descriptor) = check(syscall(libc::SYS_memfd_create, args)) {
        let flags = (libc::MAP_PRIVATE | libc::MAP_FIXED_NOREPLACE) as usize;
        syscall(libc::SYS_mmap, [LOWEST, 1, libc::PROT_NONE as usize, flags, descriptor, 0]);
        syscall(libc::SYS_close, [descriptor, 0, 0, 0, 0, 0]);
    }
}

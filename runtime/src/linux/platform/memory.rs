//! Memory straight from the kernel.

use super::Errno;
use super::offsets::map_pages;
use crate::linux::machine::syscall;

/// Maps `len` bytes of zeroed memory, private and uncommitted.
pub(crate) fn map(len: usize) -> Option<*mut u8> {
    map_by(libc::MAP_NORESERVE, 0, len).ok()
}

/// Maps zeroed memory like [`map`], at an address that nobody has taken yet.
pub(crate) fn map_at(address: usize, len: usize) -> Option<*mut u8> {
    let mapped = map_by(libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE, address, len).ok()?;
    // Linux before 4.17 takes the address for a hint.
    (mapped as usize == address).then_some(mapped)
}

/// Maps zeroed memory like [`map`] in the place of what is mapped there.
///
/// # Safety
/// It must be a mapping of the runtime's, whose users can do with zeros.
pub(crate) unsafe fn map_over(base: *mut u8, len: usize) {
    _ = map_by(libc::MAP_NORESERVE | libc::MAP_FIXED, base as usize, len);
}

fn map_by(how: i32, address: usize, len: usize) -> Result<*mut u8, Errno> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | how;
    map_pages(address, len, protection, flags, usize::MAX, 0).map(|address| address as *mut u8)
}

/// Unmaps what [`map`] mapped.
///
/// # Safety
/// Nobody may use the memory any more.
pub(crate) unsafe fn unmap(base: *mut u8, len: usize) {
    syscall(libc::SYS_munmap, [base as usize, len, 0, 0, 0, 0]);
}

/// Makes the pages of a mapping at once, which costs a third of making each when it is touched. Linux
/// before 5.14 cannot; then they are made as ever.
pub(crate) fn populate(base: *mut u8, len: usize) {
    syscall(libc::SYS_madvise, [base as usize, len, libc::MADV_POPULATE_WRITE as usize, 0, 0, 0]);
}

/// Has a forked child find the mapping zeroed. Linux before 4.14 cannot; then the child finds its
/// parent's bytes.
pub(crate) fn wipe_on_fork(base: *mut u8, len: usize) {
    syscall(libc::SYS_madvise, [base as usize, len, libc::MADV_WIPEONFORK as usize, 0, 0, 0]);
}

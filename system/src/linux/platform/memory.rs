//! Memory straight from the kernel.

use super::Errno;
use super::call::{Fd, call};
use super::offsets::map_pages;
use super::thread::process_id;

/// In place of a descriptor.
const NO_FILE: Fd = Fd(-1);

/// Maps `len` bytes of zeroed memory, private and uncommitted.
pub fn map(len: usize) -> Option<*mut u8> {
    // SAFETY: the kernel chooses an address where nothing is.
    unsafe { map_by(libc::MAP_NORESERVE, 0, len) }.ok()
}

/// Maps zeroed memory like [`map`], at an address that nobody has taken yet.
pub fn map_at(address: usize, len: usize) -> Option<*mut u8> {
    let how = libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: by the flag, and in old kernels without another, nothing is replaced.
    let mapped = unsafe { map_by(how, address, len) }.ok()?;
    // Linux before 4.17 takes the address for a hint.
    (mapped as usize == address).then_some(mapped)
}

/// Maps zeroed memory like [`map`], with at least `margin` bytes before and behind it that nobody can use.
pub fn map_apart(len: usize, margin: usize) -> Option<*mut u8> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let whole = len + 2 * margin;
    // SAFETY: the kernel chooses an address where nothing is.
    let start = unsafe { map_pages(0, whole, libc::PROT_NONE, flags, NO_FILE, 0) }.ok()?;
    let how = libc::MAP_NORESERVE | libc::MAP_FIXED;
    // SAFETY: in the middle of what was just mapped and nobody knows.
    unsafe { map_by(how, start + margin, len) }.ok()
}

/// Maps zeroed memory like [`map`] in the place of what is mapped there.
///
/// # Safety
/// `base` must be one of the runtime's mappings, and its users must tolerate it turning to zeros.
pub unsafe fn map_over(base: *mut u8, len: usize) {
    // SAFETY: that what is replaced may become zeros is the caller's promise.
    _ = unsafe { map_by(libc::MAP_NORESERVE | libc::MAP_FIXED, base as usize, len) };
}

/// # Safety
/// If `how` has `MAP_FIXED`, what is mapped there must be the caller's to replace.
unsafe fn map_by(how: i32, address: usize, len: usize) -> Result<*mut u8, Errno> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | how;
    // SAFETY: fresh zeros; the caller answers for what they replace.
    unsafe { map_pages(address, len, protection, flags, NO_FILE, 0) }
        .map(|address| address as *mut u8)
}

/// Keeps a range of addresses from being used, if nothing lies there.
pub fn reserve(address: usize, len: usize) -> bool {
    let how = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let flags = how | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: the flag keeps the kernel from replacing a mapping. An old kernel, which maps elsewhere then, replaces
    // none either.
    let mapped = unsafe { map_pages(address, len, libc::PROT_NONE, flags, NO_FILE, 0) };
    if let Ok(other) = mapped {
        if other != address {
            // SAFETY: it was mapped just now, and nobody knows of it.
            unsafe { unmap(other as *mut u8, len) };
        }
    }
    mapped == Ok(address)
}

/// Sets what may be done with some pages; whether the system allows it.
///
/// # Safety
/// Whoever uses the pages must be able to do with that.
pub unsafe fn protect(address: usize, len: usize, protection: i32) -> bool {
    // SAFETY: the call changes no byte; about the rest the caller has promised.
    unsafe { call!(SYS_mprotect, address, len, protection) }.is_ok()
}

/// The bytes at an address, if they can be read: the kernel copies them as it would another process's.
pub fn copy<const LEN: usize>(address: usize) -> Option<[u8; LEN]> {
    let mut bytes = [0; LEN];
    copy_to(&mut bytes, address).then_some(bytes)
}

/// Fills a place with the bytes at an address in the same way; whether all of them could be read.
pub fn copy_to(place: &mut [u8], address: usize) -> bool {
    let len = place.len();
    let [to, from] = [place.as_mut_ptr() as usize, address]
        .map(|place| libc::iovec { iov_base: place as *mut libc::c_void, iov_len: len });
    let (to, from) = (Some(&to), Some(&from));
    // SAFETY: process_vm_readv(2) writes these bytes, and copes with any address to read.
    let copied = unsafe { call!(SYS_process_vm_readv, process_id(), to, 1, from, 1, 0) };
    copied == Ok(len)
}

/// Unmaps what [`map`] mapped.
///
/// # Safety
/// Nobody may use the memory any more.
pub unsafe fn unmap(base: *mut u8, len: usize) {
    // SAFETY: these pages are the caller's to give up.
    _ = unsafe { call!(SYS_munmap, base, len) };
}

/// Makes the pages of a mapping at once, which costs a third of making each when it is touched. Linux
/// before 5.14 cannot; then they are made as ever.
///
/// # Safety
/// They must be pages of the runtime's.
pub unsafe fn populate(base: *mut u8, len: usize) {
    // SAFETY: the call changes no byte of them.
    _ = unsafe { call!(SYS_madvise, base, len, libc::MADV_POPULATE_WRITE) };
}

/// Has a forked child find the mapping zeroed. Linux before 4.14 cannot; then the child finds its
/// parent's bytes.
///
/// # Safety
/// They must be pages of the runtime's, whose users can do with zeros in a forked child.
pub unsafe fn wipe_on_fork(base: *mut u8, len: usize) {
    // SAFETY: in this process the call changes no byte; the caller answers for children.
    _ = unsafe { call!(SYS_madvise, base, len, libc::MADV_WIPEONFORK) };
}

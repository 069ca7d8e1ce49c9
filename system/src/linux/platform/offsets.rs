//! System calls that take places in files, which have 64 bits everywhere. Where words have 32, the
//! calls have other names, or take a number as two words, in the order of its bytes in memory.
//!
//! *Context:* any.

use super::Errno;
use super::call::{Fd, call};

/// The unit in which the kernel takes the offset of a mapping, in bytes.
const MAP_UNIT: u64 = if usize::BITS == 64 { 1 } else { 4096 };

/// mmap(2).
///
/// # Safety
/// If the flags have `MAP_FIXED`, what is mapped there must be the caller's to replace.
pub(super) unsafe fn map_pages(
    address: usize,
    len: usize,
    protection: i32,
    flags: i32,
    descriptor: Fd,
    offset: u64,
) -> Result<usize, Errno> {
    let offset = (offset / MAP_UNIT) as usize;
    #[cfg(target_arch = "s390x")]
    let mapped = {
        // The arguments come in memory there.
        let arguments =
            [address, len, protection as usize, flags as usize, descriptor.0 as usize, offset];
        // SAFETY: a new mapping harms nobody; the caller answers for one that it replaces.
        unsafe { call!(SYS_mmap, Some(&arguments)) }
    };
    #[cfg(all(target_pointer_width = "64", not(target_arch = "s390x")))]
    // SAFETY: a new mapping harms nobody; the caller answers for one that it replaces.
    let mapped = unsafe { call!(SYS_mmap, address, len, protection, flags, descriptor, offset) };
    #[cfg(target_pointer_width = "32")]
    // SAFETY: a new mapping harms nobody; the caller answers for one that it replaces.
    let mapped = unsafe { call!(SYS_mmap2, address, len, protection, flags, descriptor, offset) };
    mapped
}

/// pwrite(2). By pwritev(2): processors differ in whether two words have to begin at an even argument,
/// and that call takes them in one order, the low one first.
///
/// # Safety
/// There must be `len` readable bytes at `from`. Others may write them meanwhile.
pub(super) unsafe fn write_at(
    descriptor: Fd,
    from: *const u8,
    len: usize,
    offset: u64,
) -> Result<usize, Errno> {
    let part = [from as usize, len];
    let (low, high) = (offset as usize, (offset >> 32) as usize);
    let high = if usize::BITS == 64 { 0 } else { high };
    // SAFETY: one part, whose bytes the caller lends.
    unsafe { call!(SYS_pwritev, descriptor, Some(&part), 1, low, high) }
}

/// fallocate(2).
pub(super) fn allocate(descriptor: Fd, how: i32, offset: u64, len: u64) -> Result<(), Errno> {
    #[cfg(target_pointer_width = "64")]
    let ([a, b], [c, d]) = ([offset as usize, len as usize], [0usize; 2]);
    #[cfg(target_pointer_width = "32")]
    let ([a, b], [c, d]) = (words(offset), words(len));
    // SAFETY: numbers only, for a file.
    unsafe { call!(SYS_fallocate, descriptor, how, a, b, c, d) }.map(drop)
}

/// lseek(2) from the current place.
pub(super) fn go_on(descriptor: Fd, count: u64) -> Result<(), Errno> {
    #[cfg(target_pointer_width = "64")]
    // SAFETY: numbers only, for a file.
    let result = unsafe { call!(SYS_lseek, descriptor, count as usize, libc::SEEK_CUR) };
    #[cfg(target_pointer_width = "32")]
    let result = {
        // The high word first everywhere.
        let (high, low) = ((count >> 32) as usize, count as usize);
        let mut place = 0u64;
        let to = Some(&mut place);
        // SAFETY: the kernel writes the place where it is then, a number of 64 bits.
        unsafe { call!(SYS__llseek, descriptor, high, low, to, libc::SEEK_CUR) }
    };
    result.map(drop)
}

#[cfg(target_pointer_width = "32")]
fn words(number: u64) -> [usize; 2] {
    let (high, low) = ((number >> 32) as usize, number as usize);
    if cfg!(target_endian = "big") { [high, low] } else { [low, high] }
}

//! System calls that take places in files, which have 64 bits everywhere. Where words have 32, the
//! calls have other names, or take a number as two words, in the order of its bytes in memory.
//!
//! *Context:* any.

use super::{Errno, check};
use crate::linux::machine::syscall;

#[cfg(target_pointer_width = "64")]
use libc::SYS_mmap as MAP;
#[cfg(target_pointer_width = "32")]
use libc::SYS_mmap2 as MAP;

/// What the offset of a mapping is told in.
const MAP_UNIT: u64 = if usize::BITS == 64 { 1 } else { 4096 };

/// mmap(2).
pub(super) fn map_pages(
    address: usize,
    len: usize,
    protection: i32,
    flags: i32,
    descriptor: usize,
    offset: u64,
) -> Result<usize, Errno> {
    let offset = (offset / MAP_UNIT) as usize;
    let args = [address, len, protection as usize, flags as usize, descriptor, offset];
    check(syscall(MAP, args))
}

/// pwrite(2). By pwritev(2): processors differ in whether two words have to begin at an even argument,
/// and that call takes them in one order, the low one first.
pub(super) fn write_at(
    descriptor: usize,
    from: *const u8,
    len: usize,
    offset: u64,
) -> Result<usize, Errno> {
    let part = [from as usize, len];
    let (low, high) = (offset as usize, (offset >> 32) as usize);
    let high = if usize::BITS == 64 { 0 } else { high };
    let args = [descriptor, core::ptr::from_ref(&part) as usize, 1, low, high, 0];
    check(syscall(libc::SYS_pwritev, args))
}

/// fallocate(2).
pub(super) fn allocate(descriptor: usize, how: i32, offset: u64, len: u64) -> Result<(), Errno> {
    let how = how as usize;
    #[cfg(target_pointer_width = "64")]
    let args = [descriptor, how, offset as usize, len as usize, 0, 0];
    #[cfg(target_pointer_width = "32")]
    let args = {
        let ([a, b], [c, d]) = (words(offset), words(len));
        [descriptor, how, a, b, c, d]
    };
    check(syscall(libc::SYS_fallocate, args)).map(drop)
}

/// lseek(2) from the current place.
pub(super) fn go_on(descriptor: usize, count: u64) -> Result<(), Errno> {
    let from_here = libc::SEEK_CUR as usize;
    #[cfg(target_pointer_width = "64")]
    let result = syscall(libc::SYS_lseek, [descriptor, count as usize, from_here, 0, 0, 0]);
    #[cfg(target_pointer_width = "32")]
    let result = {
        // The high word first everywhere.
        let (high, low) = ((count >> 32) as usize, count as usize);
        let mut place = 0u64;
        let place = core::ptr::from_mut(&mut place) as usize;
        syscall(libc::SYS__llseek, [descriptor, high, low, place, from_here, 0])
    };
    check(result).map(drop)
}

#[cfg(target_pointer_width = "32")]
fn words(number: u64) -> [usize; 2] {
    let (high, low) = ((number >> 32) as usize, number as usize);
    if cfg!(target_endian = "big") { [high, low] } else { [low, high] }
}

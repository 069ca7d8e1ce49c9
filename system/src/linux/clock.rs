//! The time of the system, without a call into the kernel where that brings a function for it.
//!
//! *Context:* `begin` startup or hook; the rest any.

use core::sync::atomic::{AtomicUsize, Ordering};

use gmon_interpose::elf::{Headers, Image};
use gmon_interpose::{Dynamic, Symbols};

use crate::linux::memory::Memory;
use crate::linux::{c_library, libc, platform};

/// The kernel's function that reads a clock; 0 if there is none.
static READ: AtomicUsize = AtomicUsize::new(0);

/// `struct timespec`.
#[repr(C)]
struct Time {
    seconds: i64,
    nanoseconds: i64,
}

type Read = extern "C" fn(i32, &mut Time) -> i32;

/// Looks for the kernel's function.
pub fn begin() {
    // Elsewhere it takes other times, or the address of a function is none of code.
    let is_known = cfg!(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "riscv64",
        target_arch = "loongarch64"
    ));
    if is_known && READ.load(Ordering::Relaxed) == 0 {
        READ.store(find().unwrap_or(0), Ordering::Relaxed);
    }
}

fn find() -> Option<usize> {
    const NAMES: [&[u8]; 2] = [b"__vdso_clock_gettime", b"__kernel_clock_gettime"];
    let start = c_library::auxiliary_value(libc::AT_SYSINFO_EHDR)? as usize;
    if start == 0 {
        return None;
    }
    let mut memory = Memory::new();
    let headers = Headers::at(start, |place, at| memory.fill(place, at))?;
    // SAFETY: the kernel has mapped it there, for as long as the process is.
    let image = unsafe { Image::loaded(&headers, start) }?;
    let dynamic = Dynamic::read(&image).ok()?;
    let symbols = Symbols { image: &image, dynamic: &dynamic };
    NAMES
        .into_iter()
        .find_map(|name| symbols.named(name))
        .map(|found| start.wrapping_add(found.value))
}

/// Nanoseconds since the system started.
pub fn monotonic() -> i64 {
    let read = READ.load(Ordering::Relaxed);
    if read == 0 {
        return platform::monotonic();
    }
    // SAFETY: the address of the kernel's function, which has this signature on the systems for which it is looked for.
    let read: Read = unsafe { core::mem::transmute(read) };
    let mut now = Time { seconds: 0, nanoseconds: 0 };
    match read(libc::CLOCK_MONOTONIC, &mut now) {
        0 => now.seconds * platform::SECOND + now.nanoseconds,
        _ => platform::monotonic(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_tell_one_time() {
        begin();
        for _ in 0..1000 {
            let (before, now, after) = (platform::monotonic(), monotonic(), platform::monotonic());
            assert!(before <= now && now <= after, "{before} {now} {after}");
        }
    }
}

//! The library that no file has: the kernel maps it into every process, for calls such as `clock_gettime`.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;

/// The kernel's name for it in the list of a process's mappings.
pub(crate) const NAME: &str = "[vdso]";

/// The bytes of the kernel's library as they are in this process. Those of others, on the same kernel, are equal.
#[must_use]
pub fn read() -> Option<Vec<u8>> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.ends_with(NAME))?;
    let (start, end) = line.split_once(' ')?.0.split_once('-')?;
    let [start, end] = [start, end].map(|address| u64::from_str_radix(address, 16).ok());
    let mut bytes = vec![0; usize::try_from(end?.checked_sub(start?)?).ok()?];
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, start?).ok()?;
    Some(bytes)
}

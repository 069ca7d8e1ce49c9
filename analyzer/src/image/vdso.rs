//! The library that no file has: the kernel maps it into every process, for calls such as `clock_gettime`.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;

use gmon_format::mapping::Mapping;

/// The kernel's name for it in the list of a process's mappings.
pub(crate) const NAME: &str = "[vdso]";

/// The bytes of the kernel's library as they are in this process. Those of others, on the same kernel, are equal.
#[must_use]
pub fn read() -> Option<Vec<u8>> {
    let maps = fs::read("/proc/self/maps").ok()?;
    let is_it = |mapping: &Mapping<'_>| mapping.path == NAME.as_bytes();
    let Mapping { start, end, .. } = Mapping::each(&maps).find(is_it)?;
    let mut bytes = vec![0; usize::try_from(end.checked_sub(start)?).ok()?];
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, start).ok()?;
    Some(bytes)
}

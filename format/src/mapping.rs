//! Mappings of a process, as `/proc/PID/maps` lists them.

/// Returns `true` of executable memory that no file stands behind, by its path and inode: what is in it was made at run time.
/// The kernel's own pages are none of that.
#[must_use]
pub fn is_made(path: &[u8], inode: u64) -> bool {
    const KERNELS: [&[u8]; 2] = [b"[vdso]", b"[vsyscall]"];
    /// Files that are memory under a name.
    const MEMORY: [&[u8]; 3] = [b"/memfd:", b"/dev/zero", b"/SYSV"];
    let is_file = path.starts_with(b"/") && inode != 0;
    let is_memory = MEMORY.iter().any(|start| path.starts_with(start));
    !KERNELS.contains(&path) && (!is_file || is_memory)
}

#[cfg(test)]
mod tests {
    use super::is_made;

    #[test]
    fn memory_has_no_file_whatever_it_is_called() {
        for (path, inode, expected) in [
            (&b""[..], 0, true),
            (b"[heap]", 0, true),
            (b"[vdso]", 0, false),
            (b"[vsyscall]", 0, false),
            (b"/lib/a.so", 7, false),
            (b"/memfd:code (deleted)", 7, true),
            (b"/dev/zero (deleted)", 7, true),
        ] {
            assert_eq!(is_made(path, inode), expected, "{path:?}");
        }
    }
}

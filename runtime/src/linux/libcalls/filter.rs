//! Functions that are counted: all, or those that the user's patterns fit. And those that never are.
//!
//! *Context:* startup, hook.

use gmon_format::glob::fits;
use gmon_format::options::{self, Key};

use gmon_interpose::{Native, Processor, Registers};

/// Functions whose calls are not counted, with the reasons. All others may be, `setjmp` and `vfork` too: a stub does
/// nothing when the function returns, and it keeps registers and stack.
const PASSED: [(&[u8], &str); 16] = [
    (b"mcount", HOOK),
    (b"_mcount", HOOK),
    (b"__fentry__", HOOK),
    (b"__gnu_mcount_nc", HOOK),
    (b"__mcount_internal", HOOK),
    (b"__gmon_*", HOOK),
    (b"__cyg_profile_func_*", HOOK),
    (b"__sanitizer_cov_*", HOOK),
    (b"__bb_init_func", HOOK),
    (b"_mcleanup", HOOK),
    (b"mcleanup", HOOK),
    (b"__monstartup", HOOK),
    (b"monstartup", HOOK),
    (b"moncontrol", HOOK),
    (b"__morestack*", "takes its arguments in registers that a stub needs"),
    (b"__gmon_start__", "no function of a library"),
];

const HOOK: &str = "a part of the profiler";

/// Hooks, by which a module is known that counts its own calls.
const HOOKS: [&[u8]; 5] =
    [b"mcount", b"_mcount", b"__fentry__", b"__gnu_mcount_nc", b"__cyg_profile_func_enter"];

/// Functions that compilers call by themselves, and so often that what is left in registers of arguments matters: none
/// of them has more than three.
const OF_THREE: [&[u8]; 6] = [b"memcpy", b"memmove", b"memset", b"memcmp", b"bcmp", b"strlen"];

/// The registers in which a function may get arguments.
pub(super) fn arguments_of(name: &[u8]) -> Registers {
    if OF_THREE.contains(&name) { Native::FIRST_ARGUMENTS } else { Native::ARGUMENTS }
}

/// Returns `true` if calls of a function are never counted.
pub(super) fn is_passed(name: &[u8]) -> bool {
    PASSED.iter().any(|(pattern, _)| fits(*pattern, name))
}

/// Returns `true` if a function is a hook.
pub(super) fn is_hook(name: &[u8]) -> bool {
    HOOKS.contains(&name)
}

/// Returns `true` if the user wants the calls of a function of a library, by the list of options.
pub(super) fn is_wanted(list: &[u8], library: &[u8], function: &[u8]) -> bool {
    let patterns = options::pairs(list).filter(|pair| pair.key == Some(Key::LibraryCalls));
    let mut patterns =
        patterns.map(|pair| pair.value).filter(|pattern| !pattern.is_empty() && *pattern != b"1");
    let mut rest = patterns.clone();
    rest.next().is_none()
        || patterns.any(|pattern| {
            let mut halves = pattern.splitn(2, |byte| *byte == b':');
            match (halves.next(), halves.next()) {
                (Some(own), Some(name)) => fits(own, library) && fits(name, function),
                _ => fits(pattern, function),
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_choose_libraries_and_functions() {
        for (list, library, function, does) in [
            ("libcalls", "libc.so.6", "malloc", true),
            ("libcalls=1", "libc.so.6", "malloc", true),
            ("libcalls=libssl*:SSL_*", "libssl.so.3", "SSL_read", true),
            ("libcalls=libssl*:SSL_*", "libc.so.6", "SSL_read", false),
            ("libcalls=libssl*:SSL_*,libz*:*,hz=9", "libz.so.1", "inflate", true),
            ("libcalls=libssl*:SSL_*,libz*:*", "libc.so.6", "malloc", false),
            ("libcalls=malloc,libcalls=free", "libc.so.6", "free", true),
            ("libcalls=malloc", "libc.so.6", "free", false),
        ] {
            let names = (library.as_bytes(), function.as_bytes());
            assert_eq!(is_wanted(list.as_bytes(), names.0, names.1), does, "{list} {function}");
        }
        assert!(is_passed(b"__fentry__") && is_passed(b"__gmon_count") && !is_passed(b"setjmp"));
    }
}

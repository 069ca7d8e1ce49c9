//! Rights of threads: users, groups and capabilities. The kernel keeps them for each thread, and the C library has all that it knows
//! change theirs at once.
//!
//! *Context:* a thread that [`start_thread`](super::start_thread) started.

use core::ffi::CStr;

use arrayvec::ArrayVec;

use super::call::call;
use super::file;
use crate::linux::libc;

/// Groups that are followed. Of more, the rest is given up.
const GROUPS: usize = 64;

/// Rights of a thread, by its file `status`, see proc_pid_status(5).
#[derive(PartialEq, Eq)]
struct Rights {
    /// Real, effective and saved.
    users: [u32; 3],
    groups: [u32; 3],
    others: ArrayVec<u32, GROUPS>,
    /// Inheritable, permitted and effective.
    capabilities: [u64; 3],
}

/// Has the calling thread have the rights of the first one, if it has others.
#[inline(never)]
pub fn follow_rights() {
    let read = |path| Rights::read(path, &mut [0; 4096]);
    let Some(wanted) = read(c"/proc/self/status") else { return };
    if read(c"/proc/thread-self/status").is_some_and(|own| own != wanted) {
        // To give up users may be to give up the right to change groups, and to regain them the only way to it.
        wanted.take_groups();
        wanted.take_users();
        wanted.take_groups();
        wanted.take_capabilities();
    }
}

impl Rights {
    fn read(path: &CStr, buffer: &mut [u8]) -> Option<Self> {
        let len = file::open(path).and_then(|mut file| file.read(buffer)).ok()?;
        Self::parse(buffer.get(..len)?)
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let line = |name: &[u8]| {
            let line =
                text.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(name))?;
            core::str::from_utf8(line).ok()
        };
        let numbers = |name: &[u8]| {
            let words = line(name)?.split_ascii_whitespace();
            Some(
                words
                    .map_while(|word| word.parse().ok())
                    .take(GROUPS)
                    .collect::<ArrayVec<u32, GROUPS>>(),
            )
        };
        let three = |name: &[u8]| numbers(name)?.first_chunk().copied();
        let set = |name: &[u8]| u64::from_str_radix(line(name)?.trim_ascii(), 16).ok();
        Some(Self {
            users: three(b"Uid:")?,
            groups: three(b"Gid:")?,
            others: numbers(b"Groups:")?,
            capabilities: [set(b"CapInh:")?, set(b"CapPrm:")?, set(b"CapEff:")?],
        })
    }

    fn take_groups(&self) {
        let [real, effective, saved] = self.groups;
        // SAFETY: setgroups(2) reads so many numbers, and neither changes anything but the rights of this thread.
        unsafe {
            _ = call!(SYS_setgroups, self.others.len(), self.others.as_ptr());
            _ = call!(SYS_setresgid, real, effective, saved);
        }
    }

    fn take_users(&self) {
        let [real, effective, saved] = self.users;
        // Another user's capabilities would go, of which the program may have kept some.
        // SAFETY: prctl(2) and setresuid(2) change nothing but the rights of this thread.
        unsafe {
            _ = call!(SYS_prctl, libc::PR_SET_KEEPCAPS, 1);
            _ = call!(SYS_setresuid, real, effective, saved);
        }
    }

    fn take_capabilities(&self) {
        /// The third version of the call, of the calling thread.
        const HEADER: [u32; 2] = [0x2008_0522, 0];
        let [inheritable, permitted, effective] = self.capabilities;
        let part = |shift| [effective, permitted, inheritable].map(|set| (set >> shift) as u32);
        let sets = [part(0), part(32)];
        // SAFETY: capset(2) reads the header and two parts of three words, and changes nothing but the rights of this thread.
        _ = unsafe { call!(SYS_capset, Some(&HEADER), Some(&sets)) };
    }
}

#[cfg(test)]
mod tests {
    use std::{format, string::String};

    use super::*;

    fn status(groups: &str) -> String {
        format!(
            "Name:\tgmon\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nGroups:\t{groups} \nCapInh:\t0000000000000000\n\
             CapPrm:\t000001ffffffffff\nCapEff:\t0000000000000001\nCapBnd:\t000001ffffffffff\n"
        )
    }

    #[test]
    fn rights_are_those_that_the_system_tells() {
        let rights = Rights::parse(status("9 10").as_bytes()).expect("rights");
        assert_eq!((rights.users, rights.groups), ([1, 2, 3], [5, 6, 7]));
        assert_eq!(rights.others.as_slice(), [9, 10]);
        assert_eq!(rights.capabilities, [0, 0x1ff_ffff_ffff, 1]);
        let many = Rights::parse(status(&"11 ".repeat(99)).as_bytes()).expect("rights");
        assert_eq!(many.others.len(), GROUPS);
        assert!(Rights::parse(b"Uid:\t1\t2\n").is_none());
    }
}

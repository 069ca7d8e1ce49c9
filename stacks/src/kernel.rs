//! System calls, by the instruction at which a signal found the thread.
//!
//! A signal that comes while the kernel works for a thread is delivered when it goes back to the program. After a system call
//! that is behind its instruction, or at it if the call begins again.
//!
//! *Context:* signal.

use gmon_system::memory::{PAGE, WalkMemory};
use gmon_unwind::Memory as _;

/// Bytes that are looked at before and at an address.
const BEFORE: usize = 4;

/// Returns `true` if the thread was at a system call when it was interrupted at `pc`.
pub(super) fn is_at_call(memory: &mut WalkMemory, pc: usize) -> bool {
    let code = pc.checked_sub(BEFORE).and_then(|first| code_at(memory, first));
    code.is_some_and(|code| {
        let (before, at) = code.split_at(BEFORE);
        ends_with_call(before) || begins_with_call(at)
    })
}

/// The code around the interrupted instruction.
fn code_at(memory: &mut WalkMemory, first: usize) -> Option<[u8; 2 * BEFORE]> {
    // A thread's own code stays while it stands there. The next page may be anybody's.
    if first % PAGE > PAGE - 2 * BEFORE {
        memory.doubt();
    }
    memory.bytes(first as u64)
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod instructions {
    /// `syscall`, `sysenter` and `int 0x80`.
    const CALLS: [[u8; 2]; 3] = [[0x0f, 0x05], [0x0f, 0x34], [0xcd, 0x80]];

    pub(super) fn ends_with_call(code: &[u8]) -> bool {
        CALLS.iter().any(|call| code.ends_with(call))
    }

    pub(super) fn begins_with_call(code: &[u8]) -> bool {
        CALLS.iter().any(|call| code.starts_with(call))
    }
}

#[cfg(target_arch = "s390x")]
mod instructions {
    /// `svc`, before a number.
    const CALL: u8 = 0x0a;

    pub(super) fn ends_with_call(code: &[u8]) -> bool {
        code.get(2) == Some(&CALL)
    }

    pub(super) fn begins_with_call(code: &[u8]) -> bool {
        code.first() == Some(&CALL)
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "x86", target_arch = "s390x")))]
mod instructions {
    /// The bits that tell a system call, and their values.
    const CALL: Option<(u32, u32)> = if cfg!(target_arch = "aarch64") {
        Some((0xffe0_001f, 0xd400_0001))
    } else if cfg!(target_arch = "arm") {
        Some((0x0f00_0000, 0x0f00_0000))
    } else if cfg!(any(target_arch = "riscv64", target_arch = "riscv32")) {
        Some((u32::MAX, 0x73))
    } else if cfg!(any(target_arch = "powerpc", target_arch = "powerpc64")) {
        Some((u32::MAX, 0x4400_0002))
    } else if cfg!(any(target_arch = "mips", target_arch = "mips64")) {
        Some((0xfc00_003f, 0xc))
    } else if cfg!(target_arch = "loongarch64") {
        Some((0xffff_8000, 0x2b_0000))
    } else {
        None
    };

    pub(super) fn ends_with_call(code: &[u8]) -> bool {
        let word = code.first_chunk().copied().map(u32::from_ne_bytes);
        CALL.zip(word).is_some_and(|((mask, value), word)| word & mask == value)
    }

    pub(super) fn begins_with_call(code: &[u8]) -> bool {
        ends_with_call(code)
    }
}

use instructions::{begins_with_call, ends_with_call};

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn calls_are_known_by_their_instructions() {
        assert!(ends_with_call(&[0xb8, 0x01, 0x0f, 0x05]) && begins_with_call(&[0xcd, 0x80, 0, 0]));
        assert!(
            !ends_with_call(&[0x0f, 0x05, 0x90, 0x90]) && !begins_with_call(&[0x90, 0x0f, 0x05])
        );
        let code: [u8; 12] =
            [0x90, 0x90, 0x90, 0x90, 0x90, 0x0f, 0x05, 0x90, 0x90, 0x90, 0x90, 0x90];
        let at = code.as_ptr() as usize;
        let mut memory = WalkMemory::new();
        let mut is_at_call = |pc| is_at_call(&mut memory, pc);
        assert!([5, 7].into_iter().all(|place| is_at_call(at + place)));
        assert!([at + 6, at + 8, 8, 3, usize::MAX - 2].into_iter().all(|pc| !is_at_call(pc)));
    }
}

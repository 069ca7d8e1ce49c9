//! A thread that is stopped for a moment, and followed instruction by instruction.
//!
//! Processors of laptops and clouds keep no record of branches that programs may read. But the kernel lets one instruction run at a
//! time, and so tells how often the code of a loop or of a branch runs, which samples of time do not.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::ptr;

/// Status with which a thread ended, as wait(2) has it.
pub type WaitStatus = i32;

/// True where the kernel can step through programs of this processor.
pub const CAN_FOLLOW: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// The longest instruction whose first bytes matter.
const CODE_LEN: usize = 4;

/// Request after which a thread stops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Interruption,
    Step,
}

/// State in which a thread was found.
enum Stop {
    /// Before the next instruction, since it has run one or obeyed our interruption.
    AtInstruction,
    /// Before a signal that it is to get.
    AtSignal(i32),
    /// Stopped for as long as all threads of its process.
    WithOthers,
    Ended(WaitStatus),
}

/// Stops a thread and lets it run at most `most` instructions, each of which `seen` gets the address of before it runs. The thread
/// then goes on as if nothing had been, unless it ends meanwhile: then its status is returned, which nobody else gets.
///
/// The way ends before instructions that enter the kernel or ask whether somebody steps, before a signal, and before pairs of
/// instructions that never succeed one by one. So it takes no longer than its instructions do.
///
/// # Errors
/// The thread may not be followed, or has ended: `ESRCH`. One of a program for another processor is `Unsupported`.
pub fn follow(thread: u32, most: u32, mut seen: impl FnMut(u64)) -> io::Result<Option<WaitStatus>> {
    if !CAN_FOLLOW {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let thread = thread as i32;
    request(libc::PTRACE_SEIZE, thread, ptr::null_mut(), 0)?;
    match step(thread, most, &mut seen) {
        // The thread was killed. Until we take notice of that, nobody else learns of it, not even its parent.
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => loop {
            if let Stop::Ended(status) = wait(thread, Before::Interruption)? {
                return Ok(Some(status));
            }
        },
        result => result,
    }
}

/// Stops a thread that is ours, lets it run and lets go of it.
fn step(thread: i32, most: u32, seen: &mut impl FnMut(u64)) -> io::Result<Option<WaitStatus>> {
    request(libc::PTRACE_INTERRUPT, thread, ptr::null_mut(), 0)?;
    let memory = File::open(format!("/proc/{thread}/mem"));
    let mut stop = wait(thread, Before::Interruption)?;
    let mut result = Ok(None);
    let mut last = None;
    let mut left = if can_be_told(thread) { most } else { 0 };
    let signal = loop {
        match stop {
            Stop::AtInstruction if left > 0 => {}
            Stop::AtInstruction | Stop::WithOthers => break 0,
            Stop::AtSignal(signal) => break signal,
            Stop::Ended(status) => return Ok(Some(status)),
        }
        left -= 1;
        let pc = match program_counter(thread) {
            Ok(pc) => pc,
            Err(error) => {
                result = Err(error);
                break 0;
            }
        };
        // An instruction that repeats itself stops each time.
        if last.replace(pc) != Some(pc) {
            seen(pc);
        }
        let mut code = [0; CODE_LEN];
        let is_read = memory.as_ref().is_ok_and(|memory| memory.read_at(&mut code, pc).is_ok());
        if !is_read || ends_the_way(code) {
            break 0;
        }
        request(libc::PTRACE_SINGLESTEP, thread, ptr::null_mut(), 0)?;
        stop = wait(thread, Before::Step)?;
    };
    request(libc::PTRACE_DETACH, thread, ptr::null_mut(), signal)?;
    result
}

/// Returns `true` if a thread neither blocks nor ignores the signal of steps: else the kernel would change that for good. Only
/// calls of the kernel and other signals can do so later, and the way ends there.
fn can_be_told(thread: i32) -> bool {
    const SIGNAL: u64 = 1 << (libc::SIGTRAP - 1);
    let status = fs::read_to_string(format!("/proc/{thread}/status")).unwrap_or_default();
    let mask = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        u64::from_str_radix(line.unwrap_or_default().trim(), 16).unwrap_or(SIGNAL)
    };
    (mask("SigBlk:") | mask("SigIgn:")) & SIGNAL == 0
}

/// Waits until the thread stops or ends, after it was asked for one of these.
fn wait(thread: i32, before: Before) -> io::Result<Stop> {
    let mut status = 0;
    loop {
        // SAFETY: the status is ours, and the kernel writes nothing else.
        if unsafe { libc::waitpid(thread, &raw mut status, libc::__WALL) } == thread {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    if !libc::WIFSTOPPED(status) {
        return Ok(Stop::Ended(status));
    }
    let (signal, event) = (libc::WSTOPSIG(status), status >> 16);
    Ok(match (signal, event) {
        (libc::SIGTRAP, libc::PTRACE_EVENT_STOP) => Stop::AtInstruction,
        (_, libc::PTRACE_EVENT_STOP) => Stop::WithOthers,
        (libc::SIGTRAP, _) if before == Before::Step && is_of_step(thread)? => Stop::AtInstruction,
        _ => Stop::AtSignal(signal),
    })
}

/// Returns `true` if a thread's signal says that it ran one instruction. A program may have use for the same signal.
fn is_of_step(thread: i32) -> io::Result<bool> {
    const TRAP_TRACE: i32 = 2;
    /// Some virtual machines now and then do not say that it was a step. It is no breakpoint, since the way ends before these.
    const TRAP_BRKPT: i32 = 1;
    // SAFETY: zeros are a value of this structure of numbers.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let place = (&raw mut info).cast::<libc::c_void>();
    // SAFETY: the kernel writes such a structure, which is ours.
    let result =
        unsafe { libc::ptrace(libc::PTRACE_GETSIGINFO, thread, ptr::null_mut::<u8>(), place) };
    if result == -1 {
        Err(io::Error::last_os_error())
    } else {
        Ok([TRAP_TRACE, TRAP_BRKPT].contains(&info.si_code))
    }
}

/// The address of the instruction that a stopped thread runs next.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn program_counter(thread: i32) -> io::Result<u64> {
    const GENERAL: usize = 1;
    // SAFETY: zeros are a value of this structure of numbers.
    let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    let len = size_of_val(&registers);
    let mut part = libc::iovec { iov_base: (&raw mut registers).cast(), iov_len: len };
    let place = (&raw mut part).cast::<libc::c_void>();
    // SAFETY: the kernel writes no more registers than there is room for, and all of it is ours.
    let result = unsafe { libc::ptrace(libc::PTRACE_GETREGSET, thread, GENERAL, place) };
    if result == -1 {
        return Err(io::Error::last_os_error());
    }
    // Programs of 32 bits have fewer.
    if part.iov_len != len {
        return Err(io::ErrorKind::Unsupported.into());
    }
    #[cfg(target_arch = "x86_64")]
    return Ok(registers.rip);
    #[cfg(target_arch = "aarch64")]
    return Ok(registers.pc);
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn program_counter(_: i32) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns `true` of an instruction that enters the kernel, saves the flag by which the processor steps, or begins a pair that an
/// interruption makes fail.
fn ends_the_way(code: [u8; CODE_LEN]) -> bool {
    if cfg!(target_arch = "aarch64") {
        let code = u32::from_le_bytes(code);
        let is_exception = code & 0xff00_0000 == 0xd400_0000;
        let is_exclusive = code & 0x3f80_0000 == 0x0800_0000;
        return is_exception || is_exclusive;
    }
    matches!(
        code,
        // syscall, sysenter, int, int3, int1, pushf
        [0x0f, 0x05 | 0x34, ..] | [0xcd | 0xcc | 0xf1 | 0x9c, ..] | [0x66, 0x9c, ..]
    )
}

/// Asks the kernel something of a thread for which no memory of ours is needed.
fn request(
    what: libc::c_uint,
    thread: i32,
    address: *mut libc::c_void,
    signal: i32,
) -> io::Result<()> {
    // SAFETY: none of these requests reads or writes memory of ours.
    let result = unsafe { libc::ptrace(what, thread, address, signal as libc::c_ulong) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::process::{Child, Command};

    use super::*;

    const PERMISSION: i32 = libc::EPERM;

    fn shell(script: &str) -> Child {
        let child = Command::new("sh").args(["-c", script]).spawn().unwrap();
        // Time for it to begin the script.
        std::thread::sleep(std::time::Duration::from_millis(100));
        child
    }

    #[test]
    fn threads_go_on_after_their_steps() {
        let mut child = shell("while :; do :; done");
        let mut seen = BTreeSet::new();
        for _ in 0..20 {
            match follow(child.id(), 100, |pc| _ = seen.insert(pc)) {
                Err(error) if !CAN_FOLLOW || error.raw_os_error() == Some(PERMISSION) => {
                    eprintln!("SKIPPED: no thread can be followed here: {error}");
                    break;
                }
                result => assert_eq!(result.unwrap(), None),
            }
            assert!(child.try_wait().unwrap().is_none());
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!CAN_FOLLOW || seen.len() != 1, "{seen:x?}");
    }

    #[test]
    fn nobody_steps_where_the_signal_is_ignored() {
        let mut child = shell("trap '' TRAP; while :; do :; done");
        let mut seen = 0;
        _ = follow(child.id(), 100, |_| seen += 1);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(seen, 0);
    }

    #[test]
    fn threads_that_are_gone_are_errors() {
        let mut child = shell("exit");
        let thread = child.id();
        child.wait().unwrap();
        assert!(follow(thread, 100, |_| ()).is_err());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn ways_end_before_the_kernel_and_the_flags() {
        for code in [
            [0x0f, 0x05, 0, 0],
            [0xcd, 0x80, 0, 0],
            [0xcc, 0, 0, 0],
            [0x9c, 0, 0, 0],
            [0x66, 0x9c, 0, 0],
        ] {
            assert!(ends_the_way(code), "{code:x?}");
        }
        for code in [[0x0f, 0x1f, 0x40, 0], [0xc3, 0, 0, 0], [0x66, 0x90, 0, 0]] {
            assert!(!ends_the_way(code), "{code:x?}");
        }
    }
}

//! Threads and processes.

use core::sync::atomic::{AtomicBool, Ordering};

use core::ffi::{CStr, c_char};

use arrayvec::ArrayVec;

use super::call::{call, check};
use super::file::{Directory, File, open_at};
use super::timer::Time;
use super::{Errno, without_signals};
use crate::decimal::Decimal;
use crate::linux::machine;

/// The kernel's id of the calling thread.
pub fn thread_id() -> i32 {
    // SAFETY: gettid(2) only tells a number.
    unsafe { call!(SYS_gettid) }.unwrap_or(0) as i32
}

/// The id of this process.
pub fn process_id() -> i32 {
    // SAFETY: getpid(2) only tells a number.
    unsafe { call!(SYS_getpid) }.unwrap_or(0) as i32
}

/// Returns `true` if a thread of this process has the given id. In doubt, it has.
pub fn thread_lives(tid: i32) -> bool {
    // SAFETY: tgkill(2) of no signal only looks whether the thread is there.
    let looked = unsafe { call!(SYS_tgkill, process_id(), tid, 0) };
    looked != Err(Errno(libc::ESRCH))
}

/// Calls `visit` with the id of every thread of the process. `buffer` takes the answers of the
/// system; a few hundred bytes will do. Threads that start meanwhile may be left out.
pub fn each_thread(buffer: &mut [u8], mut visit: impl FnMut(i32)) -> Result<(), Errno> {
    let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
    let descriptor = open_at(Directory::CURRENT, c"/proc/self/task", flags, 0)?;
    let folder = File { descriptor };
    loop {
        let room = buffer.len();
        // SAFETY: getdents64(2) writes at most `room` bytes of the buffer.
        match unsafe { call!(SYS_getdents64, folder.descriptor, &mut *buffer, room) } {
            Ok(0) => return Ok(()),
            Ok(len) => numeric_names(buffer.get(..len).unwrap_or_default(), &mut visit),
            Err(error) => return Err(error),
        }
    }
}

/// The names that are numbers in a list of `struct linux_dirent64`.
fn numeric_names(mut entries: &[u8], visit: &mut impl FnMut(i32)) {
    const LEN: usize = 16;
    const NAME: usize = 19;
    while let (Some(&low), Some(&high)) = (entries.get(LEN), entries.get(LEN + 1)) {
        let len = usize::from(u16::from_ne_bytes([low, high]));
        let (Some(name), Some(rest)) = (entries.get(NAME..len), entries.get(len..)) else {
            return;
        };
        let digits = name.iter().take_while(|byte| byte.is_ascii_digit());
        let number = digits.fold(0i32, |number, digit| {
            number.wrapping_mul(10).wrapping_add(i32::from(digit - b'0'))
        });
        if number > 0 {
            visit(number);
        }
        entries = rest;
    }
}

/// Starts a thread that the C library does not know, and which no signal reaches. Only code that
/// needs no thread-local storage may run in it, and it must never return.
///
/// # Safety
/// `stack` must be the end of memory, aligned to 16 bytes, that nobody else uses as long as the
/// thread runs.
pub unsafe fn start_thread(stack: *mut u8, entry: extern "C" fn() -> !) -> Result<i32, Errno> {
    let flags = libc::CLONE_VM
        | libc::CLONE_FS
        | libc::CLONE_FILES
        | libc::CLONE_SIGHAND
        | libc::CLONE_THREAD
        | libc::CLONE_SYSVSEM;
    // The thread inherits the signal mask.
    // SAFETY: the stack is the caller's promise; the flags make a thread of this process.
    let result = without_signals(|| unsafe { machine::clone(flags as usize, stack, entry) });
    check(result).map(|tid| tid as i32)
}

/// Gives the calling thread, which [`start_thread`] started, a name that debuggers show.
pub fn name_thread(name: &CStr) {
    // SAFETY: prctl(2) reads the name.
    _ = unsafe { call!(SYS_prctl, libc::PR_SET_NAME, name) };
}

/// The kernel's facts about a thread.
pub struct ThreadStatus {
    /// Its name, padded with NUL.
    pub name: [u8; 16],
    /// Nanoseconds since it began, to a hundredth of a second.
    pub age: i64,
}

/// The file of the calling thread for [`thread_status`].
pub const OWN_STATUS: &CStr = c"/proc/thread-self/stat";

/// The kernel's facts about a thread in its file `stat`, see proc_pid_stat(5).
#[inline(never)]
pub fn thread_status(path: &CStr) -> Option<ThreadStatus> {
    /// The time when the thread began, counted from the field behind its name.
    const START: usize = 19;
    const TICK: i64 = super::SECOND / 100;
    let mut line = [0; 256];
    let len = super::open(path).and_then(|mut file| file.read(&mut line)).ok()?;
    let line = line.get(..len)?;
    let opened = line.iter().position(|byte| *byte == b'(')?;
    let closed = line.iter().rposition(|byte| *byte == b')')?;
    let mut name = [0; 16];
    name.iter_mut().zip(line.get(opened + 1..closed)?).for_each(|(to, from)| *to = *from);
    let mut fields = line.get(closed + 1..)?.split(|byte| *byte == b' ').skip(1);
    let start = core::str::from_utf8(fields.nth(START)?).ok()?.parse::<i64>().ok()?;
    Some(ThreadStatus { name, age: super::timer::since_boot() - start.saturating_mul(TICK) })
}

/// State of a thread of this process, by proc_pid_stat(5)'s letter: `R` if it runs or could, `Z` if it has ended.
pub fn thread_state(tid: i32) -> Option<u8> {
    let mut line = [0; 64];
    let line = read(&thread_file(tid, b"/stat\0")?, &mut line)?;
    // Behind the name, which can have any letters.
    let name_end = line.iter().rposition(|byte| *byte == b')')?;
    line.get(name_end + 2).copied()
}

/// Place at which a thread waits in the kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Blocked {
    /// The number of the system call; -1 if it waits elsewhere, as for a page.
    call: libc::c_long,
    /// The thread's stack pointer.
    pub stack_pointer: usize,
    /// Address behind the system call.
    pub pc: usize,
}

impl Blocked {
    /// Returns `true` if it waits for signals, by sigtimedwait(2).
    pub fn waits_for_signals(&self) -> bool {
        /// The number of the call that has a larger time, where words have 32 bits.
        const WITH_LARGE_TIME: libc::c_long = 421;
        [libc::SYS_rt_sigtimedwait, WITH_LARGE_TIME].contains(&self.call)
    }
}

/// Place at which a thread of this process waits, if it does and the kernel tells.
pub fn blocked(tid: i32) -> Option<Blocked> {
    // The number of the call, six arguments, the stack pointer and the address; see proc_pid_syscall(5).
    let mut line = [0; 256];
    let line = read(&thread_file(tid, b"/syscall\0")?, &mut line)?;
    let line = core::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let mut words = line.split(' ');
    let call = words.next()?.parse::<libc::c_long>().ok()?;
    let address = |word: &str| usize::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let pc = address(words.next_back()?)?;
    Some(Blocked { call, stack_pointer: address(words.next_back()?)?, pc })
}

/// The path of a file about a thread of this process.
pub struct ThreadFile(ArrayVec<u8, 48>);

/// The path of a file about a thread of this process, whose name ends in NUL.
pub fn thread_file(tid: i32, name: &[u8]) -> Option<ThreadFile> {
    let number = Decimal::new(tid.unsigned_abs().into());
    let mut path = ArrayVec::new();
    for part in [b"/proc/self/task/", number.as_bytes(), name] {
        path.try_extend_from_slice(part).ok()?;
    }
    Some(ThreadFile(path))
}

impl ThreadFile {
    pub fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.0).unwrap_or_default()
    }
}

/// The beginning of a file.
fn read<'b>(path: &ThreadFile, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    let len = super::open(path.as_c_str()).and_then(|mut file| file.read(buffer)).ok()?;
    buffer.get(..len)
}

/// The name of the calling thread, padded with NUL.
pub fn thread_name() -> [u8; 16] {
    let mut name = [0; 16];
    // SAFETY: prctl(2) writes 16 bytes.
    _ = unsafe { call!(SYS_prctl, libc::PR_GET_NAME, Some(&mut name)) };
    name
}

/// Returns `true` if a debugger or the like traces the process; in doubt none does.
pub fn is_traced() -> bool {
    // In a handler, perhaps on a small stack. What is asked for comes early.
    let mut text = [0; 256];
    let len = super::open(c"/proc/self/status").and_then(|mut file| file.read(&mut text));
    let text = text.get(..len.unwrap_or(0)).unwrap_or_default();
    let tracer = text.split(|byte| *byte == b'\n').find_map(|l| l.strip_prefix(b"TracerPid:\t"));
    tracer.is_some_and(|number| number != b"0")
}

/// The number of processors that the calling thread may run on.
pub fn processors() -> usize {
    let mut mask = [0u8; 1024];
    let size = mask.len();
    // SAFETY: sched_getaffinity(2) writes at most so many bytes.
    _ = unsafe { call!(SYS_sched_getaffinity, 0, size, Some(&mut mask)) };
    mask.iter().map(|word| word.count_ones() as usize).sum::<usize>().max(1)
}

/// Lets another thread run.
pub fn yield_cpu() {
    // SAFETY: sched_yield(2) changes nothing but who runs.
    _ = unsafe { call!(SYS_sched_yield) };
}

/// Runs `action` while a flag is set, which says that something is in use, if that can be had soon; else all the same.
pub fn hold<R>(is_busy: &AtomicBool, action: impl FnOnce() -> R) -> R {
    const PATIENCE: usize = 100;
    let is_ours = (0..PATIENCE).any(|_| {
        let is_ours = !is_busy.swap(true, Ordering::Acquire);
        if !is_ours {
            yield_cpu();
        }
        is_ours
    });
    let result = action();
    if is_ours {
        is_busy.store(false, Ordering::Release);
    }
    result
}

/// The id of the process that started this one, or took it over.
pub fn parent_id() -> i32 {
    // SAFETY: getppid(2) only tells a number.
    unsafe { call!(SYS_getppid) }.unwrap_or(0) as i32
}

/// The job of the process: its process group.
pub fn job() -> i32 {
    // SAFETY: getpgid(2) only tells a number.
    unsafe { call!(SYS_getpgid, 0) }.unwrap_or(0) as i32
}

/// Nanoseconds by which the kernel may wake the calling thread late; threads and processes that it
/// starts inherit the number, also through `exec`. `None` if the kernel does not tell.
pub fn timer_slack() -> Option<usize> {
    // SAFETY: prctl(2) only tells this number.
    unsafe { call!(SYS_prctl, libc::PR_GET_TIMERSLACK) }.ok()
}

/// Sets the number that [`timer_slack`] gives.
pub fn set_timer_slack(nanoseconds: usize) {
    // It stays as it is where the kernel refuses.
    // SAFETY: prctl(2) takes this number.
    _ = unsafe { call!(SYS_prctl, libc::PR_SET_TIMERSLACK, nanoseconds) };
}

/// Ends the calling thread, and, if it is the last, the process.
pub fn exit_thread(status: i32) -> ! {
    loop {
        // SAFETY: the thread ends here: nothing of it is used any more.
        _ = unsafe { call!(SYS_exit, status) };
    }
}

/// Lets the calling thread rest.
pub fn sleep_milliseconds(milliseconds: i64) {
    sleep(milliseconds * 1_000_000);
}

/// Lets the calling thread rest for some nanoseconds, if these are more than none.
pub fn sleep(nanoseconds: i64) {
    let time = Time::new(nanoseconds.max(0));
    let left: Option<&mut Time> = None;
    // SAFETY: nanosleep(2) reads the time.
    _ = unsafe { call!(SYS_nanosleep, Some(&time), left) };
}

/// Makes the process the first of a session of its own, without a terminal.
pub fn begin_session() -> Result<(), Errno> {
    // SAFETY: setsid(2) takes no memory; the program has asked for it.
    unsafe { call!(SYS_setsid) }.map(drop)
}

/// Ends the process, at once and in silence.
pub fn exit(status: i32) -> ! {
    loop {
        // SAFETY: the process ends here: nothing of it is used any more.
        _ = unsafe { call!(SYS_exit_group, status) };
    }
}

/// Tells whether the process may execute a file of a path that is relative to a directory. The system looks
/// at the path, which need not be one.
pub fn may_execute(directory: i32, path: *const c_char) -> Result<(), Errno> {
    // SAFETY: faccessat(2) reads the path, and fails where it cannot.
    unsafe { call!(SYS_faccessat, directory, path, libc::X_OK) }.map(drop)
}

/// Replaces the program of the process; returns only if that fails. The system looks at the arguments.
pub fn execute(
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> Errno {
    // SAFETY: execve(2) reads the path and both lists, and fails where it cannot.
    let result = unsafe { call!(SYS_execve, path, arguments, environment) };
    result.err().unwrap_or(Errno(0))
}

/// Like [`execute`], for a path that is relative to a directory.
pub fn execute_at(
    directory: i32,
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    flags: i32,
) -> Errno {
    // SAFETY: execveat(2) reads the path and both lists, and fails where it cannot.
    let result = unsafe { call!(SYS_execveat, directory, path, arguments, environment, flags) };
    result.err().unwrap_or(Errno(0))
}

/// A thread that waits, and what ends it.
#[cfg(test)]
pub(super) fn waiting_thread() -> (i32, impl FnOnce()) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        sender.send(thread_id()).unwrap();
        _ = ended.recv();
    });
    let end = move || {
        drop(end);
        thread.join().unwrap();
    };
    (receiver.recv().unwrap(), end)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn every_thread_is_listed_also_by_small_pieces() {
        const THREADS: usize = 40;
        let barrier = Barrier::new(THREADS + 1);
        std::thread::scope(|scope| {
            let started: Vec<_> = (0..THREADS)
                .map(|_| {
                    let (sender, receiver) = std::sync::mpsc::channel();
                    let barrier = &barrier;
                    scope.spawn(move || {
                        sender.send(thread_id()).unwrap();
                        barrier.wait();
                    });
                    receiver
                })
                .collect();
            let tids: Vec<i32> = started.iter().map(|thread| thread.recv().unwrap()).collect();
            let mut listed = Vec::new();
            assert!(each_thread(&mut [0; 128], |tid| listed.push(tid)).is_ok());
            barrier.wait();
            assert!(tids.iter().all(|tid| listed.contains(tid)), "{tids:?} {listed:?}");
            assert!(listed.contains(&thread_id()));
        });
    }

    #[test]
    fn a_thread_runs_or_waits() {
        assert_eq!(thread_state(thread_id()), Some(b'R'));
        let (tid, end) = waiting_thread();
        while thread_state(tid) != Some(b'S') {
            yield_cpu();
        }
        end();
        while thread_lives(tid) {
            yield_cpu();
        }
        assert_eq!(thread_state(tid), None);
    }
}

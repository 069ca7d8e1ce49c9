//! Clocks and the timers that run on them.

use super::Errno;
use super::call::call;
use crate::linux::libc;

/// Nanoseconds in a second.
pub const SECOND: i64 = 1_000_000_000;

/// The kernel's `struct __kernel_old_timespec`. The calls that take it exist on every system; that of
/// 32 bits holds 68 years, which is enough for CPU time and for the time since the system started.
#[repr(C)]
#[derive(Default)]
pub(super) struct Time {
    seconds: isize,
    nanoseconds: isize,
}

impl Time {
    pub(super) fn new(nanoseconds: i64) -> Self {
        Self {
            seconds: isize::try_from(nanoseconds / SECOND).unwrap_or(isize::MAX),
            nanoseconds: (nanoseconds % SECOND) as isize,
        }
    }

    fn nanoseconds(&self) -> i64 {
        self.seconds as i64 * SECOND + self.nanoseconds as i64
    }
}

/// Times that timers take and give.
#[repr(C)]
#[derive(Default)]
struct Schedule {
    period: Time,
    first: Time,
}

/// A clock that counts the CPU time of a thread, or of all threads of the process.
#[derive(Clone, Copy)]
pub struct CpuClock(i32);

impl CpuClock {
    /// All threads of the process, ended ones included.
    pub const PROCESS: Self = Self(libc::CLOCK_PROCESS_CPUTIME_ID);
    /// The calling thread.
    pub const THREAD: Self = Self(libc::CLOCK_THREAD_CPUTIME_ID);

    /// A thread of this process.
    pub fn of_thread(tid: i32) -> Self {
        /// "Of one thread" and "as the scheduler counts it" (`CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED`
        /// in linux/posix-timers_types.h): what `pthread_getcpuclockid` makes.
        const KIND: i32 = 4 | 2;
        Self((!tid << 3) | KIND)
    }

    /// The time in nanoseconds; `None` if the thread has ended.
    pub fn nanoseconds(self) -> Option<i64> {
        now(self.0)
    }
}

/// Nanoseconds of a clock; `None` if there is none of this number.
fn now(clock: i32) -> Option<i64> {
    let mut now = Time::default();
    // SAFETY: clock_gettime(2) writes the time.
    let read = unsafe { call!(SYS_clock_gettime, clock, Some(&mut now)) };
    read.ok().map(|_| now.nanoseconds())
}

/// Nanoseconds since the system started, in scheduler ticks: cheaply read.
pub fn uptime() -> i64 {
    now(libc::CLOCK_MONOTONIC_COARSE).unwrap_or(0)
}

/// Nanoseconds since the system started.
pub fn monotonic() -> i64 {
    now(libc::CLOCK_MONOTONIC).unwrap_or(0)
}

/// Nanoseconds since the system started, those in which it was suspended too.
pub fn since_boot() -> i64 {
    now(libc::CLOCK_BOOTTIME).unwrap_or(0)
}

/// Nanoseconds since 1970, UTC.
pub fn wall_clock() -> i64 {
    now(libc::CLOCK_REALTIME).unwrap_or(0)
}

/// Usage of the process.
pub struct Usage {
    /// Nanoseconds in the program, and in the kernel for it.
    pub user: i64,
    pub system: i64,
    /// The most memory that it had, in kilobytes.
    pub most_memory: usize,
    /// Pages that it had to wait for, from memory and from the disk.
    pub faults: usize,
    /// Number of times that it gave up the processor, or lost it.
    pub switches: usize,
}

/// The kernel's `struct __kernel_old_timeval`.
#[repr(C)]
#[derive(Default)]
struct OldTime {
    seconds: isize,
    microseconds: Microseconds,
}

/// The kernel's `__kernel_suseconds_t`: a word, but on 64-bit SPARC.
#[cfg(target_arch = "sparc64")]
type Microseconds = i32;
#[cfg(not(target_arch = "sparc64"))]
type Microseconds = isize;

impl OldTime {
    fn nanoseconds(&self) -> i64 {
        self.seconds as i64 * SECOND + i64::from(self.microseconds as i32) * 1000
    }
}

/// Usage of the process until now.
pub fn usage() -> Usage {
    /// The kernel's `struct rusage`.
    #[repr(C)]
    #[derive(Default)]
    struct Resources {
        user: OldTime,
        system: OldTime,
        words: [usize; 14],
    }
    let mut used = Resources::default();
    // SAFETY: getrusage(2) writes two times and so many words.
    _ = unsafe { call!(SYS_getrusage, libc::RUSAGE_SELF, Some(&mut used)) };
    let [most_memory, _, _, _, minor, major, .., voluntary, involuntary] = used.words;
    Usage {
        user: used.user.nanoseconds(),
        system: used.system.nanoseconds(),
        most_memory,
        faults: minor.wrapping_add(major),
        switches: voluntary.wrapping_add(involuntary),
    }
}

/// Seconds since the system started, cheaply read.
pub fn uptime_seconds() -> u64 {
    (uptime() / SECOND) as u64
}

/// Nanoseconds between two looks of the scheduler at a running thread (1/CONFIG_HZ). It is then that
/// timers on CPU clocks go off; `clock_getres` of these clocks says 1 ns all the same.
pub fn scheduler_tick() -> i64 {
    let mut tick = Time::default();
    // SAFETY: clock_getres(2) writes a time.
    _ = unsafe { call!(SYS_clock_getres, libc::CLOCK_MONOTONIC_COARSE, Some(&mut tick)) };
    tick.nanoseconds()
}

/// Has SIGPROF sent each time the process has used another `period` microseconds of CPU time; 0
/// stops it.
pub fn set_profiling_timer(period: u32) -> Result<(), Errno> {
    let interval = || OldTime {
        seconds: (period / 1_000_000) as isize,
        microseconds: (period % 1_000_000) as Microseconds,
    };
    // The period, and the time until it goes off first.
    let timer = [interval(), interval()];
    let before: Option<&mut [OldTime; 2]> = None;
    // SAFETY: setitimer(2) reads the period and the time, laid out as in its `struct itimerval`. SIGPROF
    // has a handler of ours, or of the C library's profil(3).
    unsafe { call!(SYS_setitimer, libc::ITIMER_PROF, Some(&timer), before) }.map(drop)
}

/// setitimer(2), for the program.
///
/// # Safety
/// Each pointer is null or valid.
pub unsafe fn set_interval_timer(
    which: i32,
    new: *const libc::itimerval,
    old: *mut libc::itimerval,
) -> Result<(), Errno> {
    // SAFETY: the kernel reads and writes what the caller answers for.
    unsafe { call!(SYS_setitimer, which, new as usize, old as usize) }.map(drop)
}

/// getitimer(2), for the program.
///
/// # Safety
/// The pointer is null or valid.
pub unsafe fn interval_timer(which: i32, now: *mut libc::itimerval) -> Result<(), Errno> {
    // SAFETY: the kernel writes what the caller answers for.
    unsafe { call!(SYS_getitimer, which, now as usize) }.map(drop)
}

/// A kernel timer that sends a signal. It ends with [`delete`](Self::delete) or with the program;
/// a forked child does not have it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Timer(i32);

/// The kernel's `struct sigevent`.
#[repr(C)]
struct Event {
    value: usize,
    signal: i32,
    notify: i32,
    thread: i32,
    rest: [i32; 12],
}

impl Timer {
    /// Makes a timer that sends its signal to one thread, or to any thread of the process. The
    /// handler gets `value`; see [`timer_value`](super::timer_value).
    pub fn create(
        clock: CpuClock,
        receiver: Option<i32>,
        signal: i32,
        value: usize,
    ) -> Result<Self, Errno> {
        let notify = receiver.map_or(libc::SIGEV_SIGNAL, |_| libc::SIGEV_THREAD_ID);
        let thread = receiver.unwrap_or(0);
        let event = Event { value, signal, notify, thread, rest: [0; 12] };
        let mut id = 0i32;
        // SAFETY: timer_create(2) reads the event, laid out as its `struct sigevent`, and writes the number.
        let made = unsafe { call!(SYS_timer_create, clock.0, Some(&event), Some(&mut id)) };
        made.map(|_| Self(id))
    }

    /// Goes off after `first` nanoseconds, at least 1, and then every `period`.
    pub fn set(self, first: i64, period: i64) {
        let schedule = Schedule { period: Time::new(period), first: Time::new(first) };
        // SAFETY: timer_settime(2) reads the schedule, laid out as its `struct itimerspec`.
        _ = unsafe { call!(SYS_timer_settime, self.0, 0, Some(&schedule)) };
    }

    /// Does not go off until [`set`](Self::set) again.
    pub fn hold(self) {
        // Not stopped: that looks as if its thread had ended.
        self.set(i64::MAX / 2, 0);
    }

    /// Returns `true` if it can go off: false once the thread whose CPU time it counts has ended.
    pub fn runs(self) -> bool {
        let mut schedule = Schedule::default();
        // SAFETY: timer_gettime(2) writes the schedule, laid out as its `struct itimerspec`.
        _ = unsafe { call!(SYS_timer_gettime, self.0, Some(&mut schedule)) };
        schedule.first.nanoseconds() != 0
    }

    /// Ends the timer. A signal that it has sent may still arrive.
    pub fn delete(self) {
        // SAFETY: a number only: a timer of ours, or none.
        _ = unsafe { call!(SYS_timer_delete, self.0) };
    }

    /// The kernel's number of the timer.
    pub fn id(self) -> i32 {
        self.0
    }

    /// The timer of a number that [`id`](Self::id) gave.
    pub fn from_id(id: i32) -> Self {
        Self(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::platform::thread::waiting_thread;

    #[test]
    fn timer_of_a_thread_runs_as_long_as_the_thread() {
        let (tid, end) = waiting_thread();
        let clock = CpuClock::of_thread(tid);
        let timer = Timer::create(clock, Some(tid), libc::SIGPROF, 0).ok().unwrap();
        // So far in the future that it never goes off: the signal would end the tests.
        timer.set(1000 * SECOND, 1000 * SECOND);
        assert!(clock.nanoseconds().is_some() && timer.runs());
        timer.hold();
        assert!(timer.runs());
        end();
        while crate::linux::platform::thread_lives(tid) {
            std::thread::yield_now();
        }
        assert!(!timer.runs());
        timer.delete();
    }

    #[test]
    fn clocks_advance_and_ticks_are_between_one_and_ten_milliseconds() {
        let before = CpuClock::THREAD.nanoseconds().unwrap();
        let sum = (0..1_000_000u64).fold(0, |sum, i| std::hint::black_box(sum + i));
        assert!(sum > 0 && CpuClock::THREAD.nanoseconds().unwrap() > before);
        assert!(CpuClock::PROCESS.nanoseconds().is_some() && uptime() > 0);
        assert!((SECOND / 1000..=SECOND / 100).contains(&scheduler_tick()));
    }
}

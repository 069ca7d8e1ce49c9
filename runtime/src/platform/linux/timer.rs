//! Timers.

use crate::arch::syscall;

/// Has SIGPROF sent each time the process has used another `period` microseconds of CPU time; 0
/// stops it.
pub(crate) fn set_profiling_timer(period: u32) {
    let interval = libc::timeval {
        tv_sec: i64::from(period) / 1_000_000,
        tv_usec: i64::from(period) % 1_000_000,
    };
    let timer = libc::itimerval { it_interval: interval, it_value: interval };
    let timer = core::ptr::from_ref(&timer) as usize;
    syscall(libc::SYS_setitimer, [libc::ITIMER_PROF as usize, timer, 0, 0, 0, 0]);
}

/// Seconds since the system started, cheaply read.
pub(crate) fn uptime_seconds() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let place = core::ptr::from_mut(&mut now) as usize;
    syscall(libc::SYS_clock_gettime, [libc::CLOCK_MONOTONIC_COARSE as usize, place, 0, 0, 0, 0]);
    now.tv_sec as u64
}

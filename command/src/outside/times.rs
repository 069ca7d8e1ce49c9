//! The CPU time of processes and threads, as the system counts it.

use std::fs;

use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

/// Nanoseconds by the monotonic clock, which samples have, too.
pub(super) fn now() -> u64 {
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(0, |time| time.num_nanoseconds().unsigned_abs())
}

/// A time by the monotonic clock as one since the system started, in which it may have slept.
pub(super) fn since_start(time: u64) -> u64 {
    let clock = clock_gettime(ClockId::CLOCK_BOOTTIME);
    let uptime = clock.map_or(0, |time| time.num_nanoseconds().unsigned_abs());
    uptime.saturating_sub(now().saturating_sub(time))
}

/// Nanoseconds that all threads of a process have run, those that have ended included.
pub(super) fn of_process(process: u32) -> Option<u64> {
    let clock = clock_getcpuclockid(Pid::from_raw(process as i32)).ok()?;
    let time = clock_gettime(clock).ok()?;
    Some(time.num_nanoseconds().unsigned_abs())
}

/// Nanoseconds that a thread has run.
pub(super) fn of_thread(process: u32, thread: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Nanoseconds in user mode and in the kernel, by the system's ticks, and the age of the process or thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ticks {
    pub(super) user: u64,
    pub(super) system: u64,
    /// When it began, in nanoseconds since the system started.
    pub(super) started: u64,
}

impl Ticks {
    /// Ticks of a process, with all its threads.
    pub(super) fn of_process(process: u32) -> Option<Self> {
        Self::read(&format!("/proc/{process}/stat"))
    }

    /// Ticks of a thread.
    pub(super) fn of_thread(process: u32, thread: u32) -> Option<Self> {
        Self::read(&format!("/proc/{process}/task/{thread}/stat"))
    }

    fn read(path: &str) -> Option<Self> {
        Self::parse(&fs::read_to_string(path).ok()?)
    }

    /// Takes the line of proc_pid_stat(5), whose second field may hold anything.
    fn parse(line: &str) -> Option<Self> {
        /// Numbers of the fields behind the name, from the third one on.
        const USER: usize = 14 - 3;
        const SYSTEM: usize = 15 - 3;
        const STARTED: usize = 22 - 3;
        let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
        /// The unit of these fields is a hundredth of a second, whatever ticks the kernel itself has.
        const TICK: u64 = 10_000_000;
        let time = |at: usize| fields.get(at)?.parse::<u64>().ok()?.checked_mul(TICK);
        Some(Self { user: time(USER)?, system: time(SYSTEM)?, started: time(STARTED)? })
    }
}

/// CPU time by a clock that is looked at now and then. Before the first look and after the last, as of what has ended since,
/// samples say how much there was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looked {
    first: u64,
    last: u64,
    between: u64,
    before: u64,
    after: u64,
}

impl Looked {
    /// For a clock that was at its start at a time; `None` for one that nobody can look at.
    pub(super) fn since(first: Option<u64>) -> Self {
        let first = first.unwrap_or(u64::MAX);
        Self { first, last: first, between: 0, before: 0, after: 0 }
    }

    /// Notes a look, by which there was so much since the first.
    pub(super) fn look(&mut self, time: u64, used: u64) {
        (self.last, self.between, self.after) = (time, used, 0);
    }

    /// Notes a sample, which may come later than a look behind it.
    pub(super) fn add(&mut self, time: u64, period: u64) {
        if time < self.first {
            self.before += period;
        } else if time > self.last {
            self.after += period;
        }
    }

    /// Nanoseconds in all.
    pub(super) fn all(&self) -> u64 {
        self.before + self.between + self.after
    }
}

#[cfg(test)]
mod tests {
    use super::{Looked, Ticks};

    #[test]
    fn samples_count_where_nobody_has_looked() {
        let mut looked = Looked::since(Some(100));
        looked.add(90, 1);
        looked.add(150, 2);
        assert_eq!(looked.all(), 3);
        looked.look(200, 70);
        assert_eq!(looked.all(), 71);
        // One that was on its way.
        looked.add(190, 4);
        looked.add(210, 8);
        assert_eq!(looked.all(), 79);
        let mut hidden = Looked::since(None);
        hidden.add(5, 3);
        assert_eq!(hidden.all(), 3);
    }

    #[test]
    fn names_of_processes_do_not_move_fields() {
        let rest = "S 1 2 3 4 5 6 7 8 9 10 150 70 0 0 20 0 1 0 300 1 2";
        for name in ["a", "a b", ") 1 (", "((x)"] {
            let found = Ticks::parse(&format!("12 ({name}) {rest}"));
            let expected =
                Ticks { user: 1_500_000_000, system: 700_000_000, started: 3_000_000_000 };
            assert_eq!(found, Some(expected), "{name}");
        }
        assert_eq!(Ticks::parse("12 (a) S 1"), None);
    }
}

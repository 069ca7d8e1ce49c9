//! Facts about the run, as text.
//!
//! *Context:* exit.

use arrayvec::ArrayVec;
use gmon_format::Date;
use gmon_format::live::facts::escaped;
use gmon_stacks::Effort;
use gmon_system::decimal::Decimal;
use gmon_system::platform::{self, CpuClock, Own};

use crate::histogram::Unit;
use crate::linux::ledger;
use crate::linux::libcalls;
use crate::linux::naming;
use crate::linux::options::Options;
use crate::linux::sampler;

/// Room for all facts; the longest are cut.
const LEN: usize = 8192;

/// Room for one of them.
const VALUE: usize = 4096;

/// The text of the facts.
pub(super) struct Facts(ArrayVec<u8, LEN>);

impl Facts {
    /// All of them, of a program that started in a directory: names of sources and maps are relative to that, wherever it
    /// has gone since.
    pub(super) fn new(unit: &Unit, directory: &[u8]) -> Self {
        let mut facts = Self(ArrayVec::new());
        let mut buffer = [0; VALUE];
        facts.text(b"version", env!("CARGO_PKG_VERSION").as_bytes());
        facts.text(b"program", platform::program_path(&mut buffer).unwrap_or_default());
        if Options::get().command {
            facts.file(b"command", Own::CommandLine.path(), &mut buffer);
        }
        facts.text(b"directory", directory);
        facts.file(b"host", c"/proc/sys/kernel/hostname", &mut buffer);
        facts.file(b"kernel", c"/proc/sys/kernel/osrelease", &mut buffer);
        facts.number(b"pid", platform::process_id().unsigned_abs().into());
        facts.number(b"parent", platform::parent_id().unsigned_abs().into());
        if let Some(rank) = naming::rank() {
            facts.text(b"rank", rank);
        }
        let effort = Effort::of_now();
        facts.text(b"started", &date(effort.begun_at / platform::SECOND));
        facts.number(b"duration_ns", effort.duration);
        facts.number(b"cpu_ns", CpuClock::PROCESS.nanoseconds().unwrap_or(0).unsigned_abs());
        let usage = platform::usage();
        facts.number(b"user_ns", usage.user.unsigned_abs());
        facts.number(b"system_ns", usage.system.unsigned_abs());
        facts.number(b"max_rss_kb", usage.most_memory as u64);
        facts.number(b"faults", usage.faults as u64);
        facts.number(b"switches", usage.switches as u64);
        facts.text(b"sampler", sampler::name().as_bytes());
        facts.text(b"clock", sampler::clock().as_bytes());
        if let Some(signal) = sampler::signal_in_use() {
            facts.number(b"signal", signal.unsigned_abs().into());
        }
        facts.number(b"hz_asked", sampler::hz().into());
        facts.number(b"hz_reached", unit.rate.into());
        let name = unit.dimension.split(|byte| *byte == 0).next().unwrap_or_default();
        facts.text(b"unit", name);
        facts.number(b"walks", effort.walks);
        facts.number(b"walk_ns", effort.walk_time);
        facts.incomplete();
        facts.python();
        facts.number(b"limit_bytes", u64::from(Options::get().stacks) << 20);
        facts.number(b"tree_bytes", effort.bytes as u64);
        let left_alone = libcalls::left_alone();
        // A process without samples is of a run, too.
        if gmon_stacks::keep_times() {
            facts.number(b"origin", effort.origin.unsigned_abs());
            facts.run(effort.run);
            facts.number(b"record_bytes", effort.ring_bytes as u64);
        }
        if !left_alone.is_empty() {
            facts.text(b"left_alone", &left_alone);
        }
        facts.text(b"stacks", effort.possible.err().unwrap_or("yes").as_bytes());
        facts
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Counts of stacks that could not be followed, by the reason: `no unwind rules:12,unreadable stack:3`.
    #[inline(never)]
    fn incomplete(&mut self) {
        let mut list = ArrayVec::<u8, 512>::new();
        for (reason, weight) in gmon_stacks::incomplete() {
            let separator: &[u8] = if list.is_empty() { b"" } else { b"," };
            let number = Decimal::new(weight);
            for part in [separator, reason.as_bytes(), b":", number.as_bytes()] {
                _ = list.try_extend_from_slice(part);
            }
        }
        self.text(b"incomplete", &list);
    }

    /// The version of Python's interpreter, or that it is not known, and how many runs of its evaluator were replaced by
    /// functions.
    #[inline(never)]
    fn python(&mut self) {
        let Some(known) = gmon_stacks::python() else { return };
        match known.minor {
            Some(minor) => {
                let minor = Decimal::new(minor.into());
                let mut version = ArrayVec::<u8, 8>::new();
                for part in [b"3.", minor.as_bytes()] {
                    _ = version.try_extend_from_slice(part);
                }
                self.text(b"python", &version);
            }
            None => self.text(b"python", b"unknown"),
        }
        self.number(b"python_runs", known.replaced);
        self.number(b"python_runs_left", known.left);
    }

    /// The run that the process is of, whose processes have one clock: `gmon run` names it, else who was profiled first.
    #[inline(never)]
    fn run(&mut self, (process, origin): (i32, i64)) {
        if let Some(folder) = ledger::name_of_run() {
            return self.text(b"run", folder);
        }
        let numbers = [process.unsigned_abs().into(), origin.unsigned_abs()].map(Decimal::new);
        let mut name = ArrayVec::<u8, 64>::new();
        for part in [numbers[0].as_bytes(), b".", numbers[1].as_bytes()] {
            _ = name.try_extend_from_slice(part);
        }
        self.text(b"run", &name);
    }

    /// The contents of a small file, without the line end.
    #[inline(never)]
    fn file(&mut self, key: &[u8], path: &core::ffi::CStr, buffer: &mut [u8]) {
        let len = platform::open(path).and_then(|mut file| file.read(buffer)).unwrap_or(0);
        let text = buffer.get(..len).unwrap_or_default();
        let text = text.strip_suffix(b"\n").or(text.strip_suffix(b"\0")).unwrap_or(text);
        self.text(key, text);
    }

    #[inline(never)]
    fn number(&mut self, key: &[u8], value: u64) {
        self.text(key, Decimal::new(value).as_bytes());
    }

    /// Adds a fact, or none of it.
    #[inline(never)]
    fn text(&mut self, key: &[u8], value: &[u8]) {
        let start = self.0.len();
        let mut push = |bytes: &[u8]| self.0.try_extend_from_slice(bytes).is_ok();
        let fits = push(key)
            && push(b"=")
            && value.iter().all(|byte| push(escaped(*byte).as_bytes()))
            && push(b"\n");
        if !fits {
            self.0.truncate(start);
        }
    }
}

/// A time in seconds since 1970 as ISO 8601 has it.
fn date(seconds: i64) -> [u8; 20] {
    const DAY: i64 = 86_400;
    let second = seconds.rem_euclid(DAY);
    let Date { year, month, day } = Date::of_day(seconds.div_euclid(DAY));
    let mut text = *b"0000-00-00T00:00:00Z";
    let fields = [
        (0, 4, year),
        (5, 2, month),
        (8, 2, day),
        (11, 2, second / 3600),
        (14, 2, second / 60 % 60),
        (17, 2, second % 60),
    ];
    for (at, len, mut value) in fields {
        for place in text.iter_mut().skip(at).take(len).rev() {
            *place = b'0' + (value % 10) as u8;
            value /= 10;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, b"1970-01-01T00:00:00Z"),
            (951_782_399, b"2000-02-28T23:59:59Z"),
            (1_700_000_000, b"2023-11-14T22:13:20Z"),
        ] {
            assert_eq!(&date(seconds), text);
        }
    }
}

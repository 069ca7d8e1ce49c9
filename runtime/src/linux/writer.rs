//! The profile, written to its file.
//!
//! *Context:* exit. Threads that still run go on counting.

use core::ffi::CStr;

use gmon_system::decimal::Decimal;
use gmon_system::message;
use gmon_system::program::Program;
use gmon_system::region::Scratch;

use crate::histogram::{self, Unit};
use crate::linux::output::{self, Occasion, Written};
use crate::linux::{first_calls, full, live, sampler, threads, times};
use crate::{counts, records};

/// Writes the profile, and says what is missing from it. False if it was not written.
pub(crate) fn write(occasion: Occasion) -> bool {
    let Some(program) = Program::get() else {
        message::say(&[b"cannot find the program's load address: no gmon.out is written"]);
        return false;
    };
    let unit = sampler::unit();
    let instead: &[&[u8]] = match live::name() {
        Some(name) => &[b"; the profile is in ", name, b": `gmon recover` makes gmon.out of it"],
        None => &[b"; set GMON_OUT_PREFIX to a path that can be written"],
    };
    let written = output::write(occasion, instead, |file| {
        let mut small = [0; 512];
        let is_small = threads::used() <= counts::FEW && histogram::is_empty();
        let mut large = if is_small { None } else { Scratch::new(64 * 1024) };
        let buffer = large.as_deref_mut().unwrap_or(&mut small);
        records::write(file, buffer, program, &unit)
    });
    if let Some(written) = &written {
        if gmon_stacks::are_recorded() {
            write_full(written, occasion, program, &unit);
        }
        say_lost(written);
    }
    written.is_some()
}

/// Writes the full profile, unless the file that was written has all of it: writing another would take most of
/// the time of a short program. Then one of an earlier run goes, which would seem to belong to this one.
fn write_full(written: &Written, occasion: Occasion, program: &Program, unit: &Unit) {
    let has_more = first_calls::each().next().is_some() || times::each().next().is_some();
    if gmon_stacks::is_empty() && !counts::are_elsewhere(program) && !has_more {
        written.remove_beside();
    } else {
        let directory = output::start_directory().map_or(&b""[..], CStr::to_bytes);
        written.write_beside(occasion, |file| full::write(file, program, unit, directory));
    }
}

/// Says what is missing from a file that was written, unless an earlier message said so.
fn say_lost(written: &Written) {
    let calls = threads::take_lost();
    let sampler::Lost { samples, was_slow } = sampler::take_lost();
    if calls == 0 && samples == 0 && !was_slow {
        return;
    }
    let file = written.shown();
    let say = |number: u64, what: &[u8]| {
        message::say(&[file.bytes(), b": ", Decimal::new(number).as_bytes(), what]);
    };
    if calls != 0 {
        say(calls, b" calls are missing: there was no memory to count them in");
    }
    if samples != 0 {
        say(samples, b" samples are missing: there was no room for them in time");
    }
    if was_slow {
        message::say(&[
            file.bytes(),
            b": samples are missing: the kernel took fewer than it was asked for (see \
              /proc/sys/kernel/perf_event_max_sample_rate)",
        ]);
    }
}

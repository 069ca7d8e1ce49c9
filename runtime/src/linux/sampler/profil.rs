//! Samples by the C library's `profil(3)`, which does all of it: a timer, a handler of SIGPROF and
//! 16-bit counts.
//!
//! The counts are added to the histogram, which has more room, whenever the profile is read and when
//! a thread counts its first call. A count that comes to 65,536 in between begins again from zero:
//! at the library's 100 samples a second, after 11 minutes in one instruction.
//!
//! *Context:* as in [`sampler`](super), but calls the C library, which makes system calls and
//! nothing else.

use core::ops::Range;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU16, AtomicUsize, Ordering};

use gmon_system::charge::BYTES_PER_BIN;
use gmon_system::platform::{self, Context, Handler, Info};
use gmon_system::region::Region;
use gmon_system::{c_library, libc, message};

use super::{Sample, Sampler, deliver, signal};
use crate::histogram::{self, Unit};

pub(super) struct LibraryProfil;

/// Samples per second, whatever is asked for.
const HZ: u32 = 100;

/// 65,536 times the counts per two bytes of text.
const SCALE: u32 = (2 * 65_536 / BYTES_PER_BIN) as u32;

/// The counts and their number; a histogram of another size gets others.
static COUNTS: AtomicPtr<AtomicU16> = AtomicPtr::new(null_mut());
static LEN: AtomicUsize = AtomicUsize::new(0);

static RUNS: AtomicBool = AtomicBool::new(false);

impl Sampler for LibraryProfil {
    fn name(&self) -> &'static str {
        "profil"
    }

    fn start(&self, hz: u32) -> Result<(), &'static str> {
        let profil = c_library::profil().ok_or("this program's C library has no profil(3)")?;
        signal::check_sigprof()?;
        let histogram = histogram::current().ok_or("there is no code to sample")?;
        let Range { start: low_pc, end } = histogram.range();
        let len = (end - low_pc) / BYTES_PER_BIN;
        if LEN.load(Ordering::Relaxed) != len {
            let region = Region::map_wiped(len * size_of::<AtomicU16>());
            COUNTS.store(region.ok_or("no memory")?.base().as_ptr().cast(), Ordering::Relaxed);
            LEN.store(len, Ordering::Relaxed);
        }
        let counts = COUNTS.load(Ordering::Relaxed).cast();
        if profil(counts, len * size_of::<AtomicU16>(), low_pc, SCALE) != 0 {
            return Err("profil(3) refuses");
        }
        stand_before_library()?;
        RUNS.store(true, Ordering::Relaxed);
        static TOLD: AtomicBool = AtomicBool::new(false);
        if hz != HZ && !TOLD.swap(true, Ordering::Relaxed) {
            message::say(&[b"the sampler `profil` takes 100 samples per second, whatever hz is"]);
        }
        Ok(())
    }

    fn stop(&self) {
        if RUNS.swap(false, Ordering::Relaxed) {
            stop_library();
            signal::flush();
            deliver_counts();
        }
    }

    /// The library counts without atomic instructions, so it has to rest meanwhile.
    fn collect(&self) {
        if RUNS.load(Ordering::Relaxed) {
            self.stop();
            _ = self.start(HZ);
        }
    }

    fn enter_thread(&self) {
        self.collect();
    }

    /// The library's timer goes on, as `itimer`'s does.
    fn hold(&self) {
        if RUNS.load(Ordering::Relaxed) {
            signal::hold_sigprof();
        }
    }

    fn go_on(&self) {
        signal::let_sigprof_in();
    }

    /// The library does not know that the child has no timer.
    fn forget(&self) {
        if RUNS.swap(false, Ordering::Relaxed) {
            stop_library();
            counts().iter().for_each(|count| count.store(0, Ordering::Relaxed));
        }
    }

    fn listen(&self) -> Result<(), &'static str> {
        Ok(())
    }

    /// The library's handler knows nobody else.
    fn ticks(&self) -> bool {
        false
    }

    fn can_change_rate(&self) -> bool {
        false
    }

    fn clock(&self) -> &'static str {
        "CPU time of the process"
    }

    fn needs_interval_timer(&self) -> bool {
        true
    }

    fn unit(&self, _hz: u32) -> Unit {
        Unit::seconds(HZ)
    }
}

/// The library's handler.
static HANDLER: AtomicUsize = AtomicUsize::new(0);

/// Has our handler called, which calls the library's.
fn stand_before_library() -> Result<(), &'static str> {
    let library = platform::action(libc::SIGPROF).unwrap_or_default();
    // A handler without SA_SIGINFO gets no reason from the kernel, so it stays where it is.
    if !signal::is_ours(&library) && library.flags & libc::SA_SIGINFO as usize != 0 {
        HANDLER.store(library.handler, Ordering::Release);
        // SAFETY: a handler of ours.
        _ = unsafe { platform::set_action(libc::SIGPROF, &signal::ours()) };
        signal::handle_sigprof(on_tick)?;
    }
    Ok(())
}

fn on_tick(info: &Info, context: &Context) -> bool {
    let is_the_timers = platform::is_the_kernels(info);
    if is_the_timers && RUNS.load(Ordering::Relaxed) {
        let handler = HANDLER.load(Ordering::Acquire);
        // SAFETY: zero, or what the library has set as a handler of this kind.
        let handler = unsafe { core::mem::transmute::<usize, Option<Handler>>(handler) };
        if let Some(handler) = handler {
            handler(libc::SIGPROF, info, context);
        }
    }
    is_the_timers
}

fn stop_library() {
    if let Some(profil) = c_library::profil() {
        profil(null_mut(), 0, 0, 0);
    }
}

fn deliver_counts() {
    let low_pc = histogram::current().map_or(0, |histogram| histogram.range().start);
    for (i, count) in counts().iter().enumerate() {
        if count.load(Ordering::Relaxed) != 0 {
            let weight = count.swap(0, Ordering::Relaxed).into();
            let pc = low_pc + i * BYTES_PER_BIN;
            deliver(&Sample::new(pc, weight));
        }
    }
}

fn counts() -> &'static [AtomicU16] {
    let counts = COUNTS.load(Ordering::Relaxed);
    if counts.is_null() {
        return &[];
    }
    // SAFETY: `start` mapped LEN zeroed counts, which stay mapped for ever.
    unsafe { core::slice::from_raw_parts(counts, LEN.load(Ordering::Relaxed)) }
}

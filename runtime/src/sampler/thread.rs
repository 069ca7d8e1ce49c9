//! Samples by a timer on each thread's own CPU clock, whose SIGPROF goes to that thread.
//!
//! The kernel looks at such timers at its scheduler ticks only, some 100 to 1000 times a second.
//! So the handler asks the thread's clock how many periods have passed and gives the sample that
//! weight: the time is exact at every rate, and a signal more or less, or late, does no harm.
//! Since the clock stands still while a thread waits, no wait is ever interrupted.
//!
//! Rounding is fair, which matters where many threads live shorter than a period: each thread's
//! first period ends at another part of it, and begins half a scheduler tick early, because a thread
//! ends, on average, half a tick after the last look at it.
//!
//! *Context:* as in [`sampler`](super); `on_tick` signal.

use core::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, Ordering};

use super::roster::{self, Entry, FIRST_HANDLE};
use super::{Sample, Sampler, deliver, rounding, scout, sigprof};
use crate::platform::{self, Context, CpuClock, Errno, Info, SECOND, Timer};
use crate::{arch, snapshot};

pub(super) struct ThreadTimers;

/// Whether samples are wanted.
static WANTED: AtomicBool = AtomicBool::new(false);

/// Nanoseconds of CPU time for which a sample stands.
static PERIOD: AtomicI64 = AtomicI64::new(SECOND);

/// Half a scheduler tick in nanoseconds.
static HALF_TICK: AtomicI64 = AtomicI64::new(0);

/// The number of the timer that finds threads which count no calls, plus 1; 0 if there is none.
static SCOUT: AtomicI32 = AtomicI32::new(0);

impl Sampler for ThreadTimers {
    fn name(&self) -> &'static str {
        "thread"
    }

    fn start(&self, hz: u32) -> Result<(), &'static str> {
        sigprof::handle(on_tick)?;
        PERIOD.store(SECOND / i64::from(hz.max(1)), Ordering::Relaxed);
        HALF_TICK.store(platform::scheduler_tick() / 2, Ordering::Relaxed);
        WANTED.store(true, Ordering::SeqCst);
        if arm(platform::thread_id(), || 0).is_err() {
            self.stop();
            return Err("the system grants no timer");
        }
        scout::begin();
        start_scout();
        Ok(())
    }

    fn stop(&self) {
        WANTED.store(false, Ordering::SeqCst);
        if let Some(scout) = scout_timer() {
            SCOUT.store(0, Ordering::Relaxed);
            scout.delete();
        }
        for entry in roster::sampled() {
            disarm(entry);
        }
    }

    fn enter_thread(&self) {
        if !WANTED.load(Ordering::Relaxed) {
            return;
        }
        let tid = platform::thread_id();
        if let Some(entry) = roster::find(tid) {
            // Perhaps an ended thread had the same id.
            disarm_if_ended(entry);
        }
        if arm(tid, || 0) == Err(Errno(libc::EAGAIN)) {
            // Timers of ended threads count against the user's limit (RLIMIT_SIGPENDING).
            disarm_ended();
            _ = arm(tid, || 0);
        }
    }

    /// A `fork` that is interrupted begins again. That of a large process would never end.
    fn hold(&self) {
        if let Some((timer, _)) = own_timer() {
            timer.set(0, 0);
        }
        if let Some(scout) = scout_timer() {
            scout.set(0, 0);
        }
    }

    fn go_on(&self) {
        if let (Some((timer, entry)), Some(now)) = (own_timer(), CpuClock::THREAD.nanoseconds()) {
            let left = entry.clock.load(Ordering::Relaxed) - now;
            timer.set(left.max(1), PERIOD.load(Ordering::Relaxed));
        }
        if let Some(scout) = scout_timer() {
            scout.set(scout::INTERVAL, scout::INTERVAL);
        }
    }

    fn forget(&self) {
        roster::clear();
        scout::forget();
        SCOUT.store(0, Ordering::Relaxed);
    }
}

/// Begins sampling a thread unless it is sampled. Its next sample also stands for the `unseen` last
/// nanoseconds of its CPU time.
fn arm(tid: i32, unseen: impl FnOnce() -> i64) -> Result<(), Errno> {
    let claim = roster::claim(tid).ok_or(Errno(libc::EBUSY))?;
    let Some((index, entry)) = claim.entry().map_err(|_| Errno(libc::ENOMEM))? else {
        return Ok(());
    };
    let clock = CpuClock::of_thread(tid);
    let timer = Timer::create(clock, Some(tid), index).inspect_err(|_| entry.leave())?;
    let period = PERIOD.load(Ordering::Relaxed);
    let first = rounding::next_part(period) - HALF_TICK.load(Ordering::Relaxed) - unseen();
    // If the thread ended meanwhile, the timer never goes off.
    entry.clock.store(clock.nanoseconds().unwrap_or(0) + first, Ordering::Relaxed);
    timer.set(first.max(1), period);
    entry.set(timer.id() as usize + FIRST_HANDLE);
    if !WANTED.load(Ordering::SeqCst) {
        // Stopped meanwhile, perhaps without seeing this thread.
        disarm(entry);
    }
    Ok(())
}

fn disarm(entry: &Entry) {
    if let Some(handle) = entry.wait_and_take() {
        timer_of(handle).delete();
        entry.leave();
    }
}

fn disarm_if_ended(entry: &Entry) {
    if entry.handle().is_some_and(|handle| !timer_of(handle).runs()) {
        disarm(entry);
    }
}

fn disarm_ended() {
    roster::sampled().for_each(disarm_if_ended);
}

fn timer_of(handle: usize) -> Timer {
    Timer::from_id((handle - FIRST_HANDLE) as i32)
}

fn own_timer() -> Option<(Timer, &'static Entry)> {
    let entry = roster::find(platform::thread_id())?;
    Some((timer_of(entry.handle()?), entry))
}

fn scout_timer() -> Option<Timer> {
    Some(SCOUT.load(Ordering::Relaxed)).filter(|number| *number != 0).map(|n| Timer::from_id(n - 1))
}

/// Makes a timer on the process's CPU clock, for threads which no other timer looks at. Where the
/// kernel may send its signal to a thread that waits, there is none, and ticks of sampled threads
/// have to do.
fn start_scout() {
    /// Since then the thread whose CPU time it was gets the signal.
    const FAIR: (u32, u32) = (6, 4);
    if platform::kernel_version() < FAIR || scout_timer().is_some() {
        return;
    }
    if let Ok(timer) = Timer::create(CpuClock::PROCESS, None, usize::MAX) {
        timer.set(scout::INTERVAL, scout::INTERVAL);
        SCOUT.store(timer.id() + 1, Ordering::Relaxed);
    }
}

fn on_tick(info: &Info, context: &Context) {
    if !WANTED.load(Ordering::Relaxed) {
        return;
    }
    let entry = platform::timer_value(info).and_then(roster::at);
    // A signal may outlive its timer.
    let own = entry.filter(|entry| entry.is_of(platform::thread_id()));
    if let (Some(entry), Some(now)) = (own, CpuClock::THREAD.nanoseconds()) {
        let weight = periods_until(now, entry);
        if weight != 0 {
            deliver(&Sample { pc: arch::interrupted_pc(context), weight });
        }
    }
    if scout::is_due() {
        disarm_ended();
        scout::look(|tid| _ = arm(tid, || scout::unseen(tid)));
    }
    snapshot::on_tick();
}

/// How many periods have ended since the last call, and begins the next one.
fn periods_until(now: i64, entry: &Entry) -> u32 {
    let due = entry.clock.load(Ordering::Relaxed);
    let period = PERIOD.load(Ordering::Relaxed);
    let Some(ended) = (now - due).checked_div(period).filter(|_| now >= due) else {
        return 0;
    };
    entry.clock.store(due + (ended + 1) * period, Ordering::Relaxed);
    u32::try_from(ended + 1).unwrap_or(u32::MAX)
}

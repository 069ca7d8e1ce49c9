//! Samples by a timer on each thread's own CPU clock, whose signal goes to that thread.
//!
//! The kernel looks at such timers at its scheduler ticks only, some 100 to 1000 times a second. Where more samples
//! are wanted, and the kernel allows it, a [`beat`] sends signals instead.
//! In any case the handler asks the thread's clock how many periods have passed and gives the sample that
//! weight: the time is exact at every rate, and a signal more or less, or late, does no harm.
//! Each period has its look at another moment, by [`chance`], so that no program keeps step with the looks.
//! Since the clock stands still while a thread waits, no wait is ever interrupted.
//!
//! Rounding is fair, which matters where many threads live shorter than a period: each thread's
//! first look is at another part of it, and periods begin half a scheduler tick early, because a thread
//! ends, on average, half a tick after the last look at it.
//!
//! *Context:* as in [`sampler`](super::super); `on_tick` signal.

use core::sync::atomic::{AtomicBool, Ordering};

use gmon_system::brief;
use gmon_system::platform::{self, Beat, Context, CpuClock, Errno, Info, Timer};

use super::pace::{self, timer_of};
use super::roster::{self, Entry, FIRST_HANDLE};
use super::{alarm, beat, chance, rounding, scout, tails};
use crate::linux::sampler::{Sample, Sampler, signal, tick};

pub(in super::super) struct ThreadTimers;

/// True if samples are wanted.
static WANTED: AtomicBool = AtomicBool::new(false);

impl Sampler for ThreadTimers {
    fn name(&self) -> &'static str {
        "thread"
    }

    fn start(&self, hz: u32) -> Result<(), &'static str> {
        signal::handle_free(on_tick)?;
        chance::begin();
        rounding::begin();
        let is_other = pace::set(hz);
        WANTED.store(true, Ordering::SeqCst);
        roster::sampled().for_each(if is_other { pace::begin_anew } else { pace::resume });
        tails::begin(is_other);
        // Where somebody else is about to arm this thread, or, rarely, another, it need not be done here.
        let armed = arm_or_tidy(platform::thread_id(), || 0);
        if armed.is_err_and(|error| error != Errno(libc::EBUSY)) {
            self.quit();
            return Err("the system grants no timer");
        }
        scout::begin();
        alarm::start(pace::period(), 2 * pace::half_tick());
        Ok(())
    }

    fn stop(&self) {
        // A second time would take the time since the first for time that is sampled.
        if !WANTED.swap(false, Ordering::SeqCst) {
            return;
        }
        alarm::end();
        roster::sampled().for_each(pace::pause);
        tails::pause();
        signal::flush();
    }

    fn collect(&self) {
        charge_ended();
        roster::sampled().for_each(catch_up);
    }

    fn quit(&self) {
        WANTED.store(false, Ordering::SeqCst);
        alarm::end();
        roster::sampled().for_each(disarm);
    }

    fn enter_thread(&self) {
        if !WANTED.load(Ordering::Relaxed) {
            return;
        }
        // A thread that is cancelled in the middle would keep for ever what others want too.
        platform::without_cancellation(|| enter(platform::thread_id()));
        // Threads that leave the program's signals to others have blocked this one too.
        platform::unblock(signal::current());
    }

    fn meet_new_threads(&self) {
        if WANTED.load(Ordering::Relaxed) {
            scout::meet(|tid| _ = arm_or_tidy(tid, || scout::unseen(tid)));
        }
    }

    /// A `fork` that is interrupted begins again. That of a large process would never end.
    fn hold(&self) {
        alarm::hold();
        brief::hold();
        if let Some((timer, _)) = own_timer() {
            timer.hold();
        }
    }

    fn go_on(&self) {
        brief::go_on();
        if !WANTED.load(Ordering::SeqCst) {
            return;
        }
        alarm::put_off();
        if let (Some((timer, entry)), Some(now)) = (own_timer(), CpuClock::THREAD.nanoseconds()) {
            pace::run(timer, entry, now);
        }
    }

    fn clock(&self) -> &'static str {
        if beat::are_granted() { "perf task-clock" } else { "CPU time of threads" }
    }

    fn needs(&self, signal: i32) -> bool {
        signal == signal::current() || signal == Beat::SIGNAL && pace::may_beat()
    }

    fn go_without(&self, signal: i32) -> bool {
        if signal == Beat::SIGNAL {
            beat::leave();
            signal::discard(signal);
            pace::leave_to_timers();
        }
        signal == Beat::SIGNAL
    }

    fn forget(&self) {
        roster::clear();
        brief::forget();
        tails::forget();
        scout::forget();
        alarm::forget();
    }
}

/// Begins sampling a thread that has just begun.
fn enter(tid: i32) {
    if let Some(entry) = roster::find(tid) {
        // Perhaps an ended thread had the same id.
        disarm_if_ended(entry);
    }
    _ = arm_or_tidy(tid, || 0);
    if roster::wants_tidying() {
        charge_ended();
    }
}

/// [`arm`], after the timers of ended threads are gone if it takes that: they count against the user's limit
/// (RLIMIT_SIGPENDING).
fn arm_or_tidy(tid: i32, unseen: impl Fn() -> i64) -> Result<bool, Errno> {
    let armed = arm(tid, &unseen);
    if armed != Err(Errno(libc::EAGAIN)) {
        return armed;
    }
    charge_ended();
    arm(tid, unseen)
}

/// Begins sampling a thread; false if it is sampled already, `EBUSY` if somebody else is at it. Its next sample also
/// stands for the `unseen` last nanoseconds of its CPU time.
fn arm(tid: i32, unseen: impl FnOnce() -> i64) -> Result<bool, Errno> {
    let claim = roster::claim(tid).ok_or(Errno(libc::EBUSY))?;
    let Some((index, entry)) = claim.entry().map_err(|_| Errno(libc::ENOMEM))? else {
        return Ok(false);
    };
    let clock = CpuClock::of_thread(tid);
    let timer = Timer::create(clock, Some(tid), signal::current(), value_of(index))
        .inspect_err(|_| entry.leave())?;
    // If the thread ended meanwhile, the timer never goes off.
    let unseen = unseen();
    let now = clock.nanoseconds().unwrap_or(0);
    pace::begin(entry, now - unseen);
    entry.last_pc.store(0, Ordering::Relaxed);
    pace::run(timer, entry, now);
    entry.set(timer.id() as usize + FIRST_HANDLE);
    if !WANTED.load(Ordering::SeqCst) {
        // Stopped meanwhile, perhaps without seeing this thread.
        disarm(entry);
    }
    Ok(true)
}

fn disarm(entry: &Entry) {
    if let Some(handle) = entry.wait_and_take() {
        timer_of(handle).delete();
        beat::stop(entry);
        entry.leave();
    }
}

fn disarm_if_ended(entry: &Entry) {
    if entry.handle().is_some_and(|handle| !timer_of(handle).runs()) {
        disarm(entry);
    }
}

/// Ends the timers of threads that have ended and charges what they had left.
fn charge_ended() {
    /// Scheduler ticks that a thread may have run unseen. On a busy processor its turns may well begin
    /// right after a tick and end before the next, again and again.
    const TICKS: i64 = 50;
    let period = pace::period();
    let most = period + TICKS * 2 * pace::half_tick();
    tails::charge_ended(period, most, |entry| {
        let has_ended = |handle: &usize| !timer_of(*handle).runs();
        let ended = entry.handle().filter(has_ended).and_then(|_| entry.take());
        if let Some(handle) = ended {
            timer_of(handle).delete();
            beat::stop(entry);
            entry.end();
        }
        ended.is_some()
    });
    roster::note_tidied();
}

/// Charges the periods that a thread has used and nobody looked at where it was seen at its last sample.
fn catch_up(entry: &Entry) {
    let pc = entry.last_pc.load(Ordering::Relaxed);
    if let Some(used) = tails::used(entry).filter(|_| pc != 0) {
        let weight = pace::overdue_until(used, entry);
        if weight != 0 {
            tails::deliver_counted(
                &Sample { seat: Some(&entry.seat), ..Sample::new(pc, weight) },
                pace::period(),
            );
        }
    }
}

fn own_timer() -> Option<(Timer, &'static Entry)> {
    let entry = roster::find(platform::thread_id())?;
    Some((timer_of(entry.handle()?), entry))
}

/// Value in the timer of an entry: an address that no timer of the program's has a reason to say.
fn value_of(index: usize) -> usize {
    (on_tick as *const () as usize).wrapping_add(index)
}

/// The entry whose timer has sent a signal, or had, if it has another timer by now.
fn entry_of(info: &Info) -> Option<&'static Entry> {
    roster::at(platform::timer_value(info)?.wrapping_sub(value_of(0)))
}

fn on_tick(info: &Info, context: &Context) -> bool {
    let is_beat = Beat::has_sent(info);
    let own = || roster::find_again(platform::thread_id());
    let entry = if is_beat { own() } else { entry_of(info) };
    let is_alarm = alarm::has_sent(info);
    if !WANTED.load(Ordering::Relaxed) {
        return entry.is_some() || is_beat || is_alarm;
    }
    match entry {
        Some(entry) => {
            let periods = sample(entry, context, is_beat);
            match entry.handle().map(timer_of).filter(|_| !is_beat) {
                Some(timer) if beat::is_there(entry) => pace::watch(timer, entry, periods),
                Some(timer) => go_on_from(timer, entry),
                None => {}
            }
        }
        None if is_alarm => on_alarm(platform::thread_id(), context),
        // It may outlive its entry.
        None => return is_beat,
    }
    let now = platform::uptime();
    if scout::is_due(now) {
        look_for_threads();
    }
    alarm::note_tick(now);
    tick();
    true
}

/// Takes a sample of the calling thread: of how many periods.
fn sample(entry: &Entry, context: &Context, is_beat: bool) -> u32 {
    // A signal may outlive its timer.
    let is_own = entry.is_of(platform::thread_id());
    let Some(now) = CpuClock::THREAD.nanoseconds().filter(|_| is_own) else { return 0 };
    let weight = match is_beat && beat::is_there(entry) {
        true => pace::periods_of_beat(now, entry),
        false => pace::periods_of_timer(now, entry),
    };
    if weight != 0 {
        let pc = context.pc();
        entry.last_pc.store(pc, Ordering::Relaxed);
        let (context, seat) = (Some(context), Some(&entry.seat));
        let sample = Sample { context, seat, ..Sample::new(pc, weight) };
        tails::deliver_counted(&sample, pace::period());
    }
    weight
}

/// Has the calling thread's next sample come when it is due.
fn go_on_from(timer: Timer, entry: &Entry) {
    if !pace::quicken(timer, entry) {
        pace::proceed(timer, entry);
    }
}

/// The thread that runs is one that is not sampled yet, and may end soon; if not, the alarm may have woken the wrong one.
fn on_alarm(tid: i32, context: &Context) {
    match (arm_or_tidy(tid, || scout::unseen(tid)), roster::find_again(tid)) {
        (Ok(true), Some(entry)) => {
            alarm::note_found();
            sample(entry, context, false);
            if let Some(timer) = entry.handle().map(timer_of) {
                go_on_from(timer, entry);
            }
        }
        (Ok(false), _) => alarm::note_in_vain(),
        _ => {}
    }
}

fn look_for_threads() {
    charge_ended();
    let mut found = false;
    scout::look(|tid| found |= arm(tid, || scout::unseen(tid)) == Ok(true));
    gmon_stacks::look_at_switches();
    if found {
        // There may be others like it.
        alarm::start(pace::period(), 2 * pace::half_tick());
        alarm::note_found();
    }
}

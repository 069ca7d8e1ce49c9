//! The profile written while the program runs: on a signal, or every so many seconds.
//!
//! *Context:* `begin` startup or hook; `on_tick` signal.

use core::sync::atomic::Ordering;

use crate::atomic::AtomicU64;
use crate::linux::options::Options;
use crate::linux::platform::{self, Context, Info, SignalOwner};
use crate::linux::{control, life, live, message, sampler};

/// When the next file is due, in seconds since the system started; 0 before the first tick.
static DUE: AtomicU64 = AtomicU64::new(0);

/// Listens to the signal that the user chose, and to the sampler's ticks.
pub(crate) fn begin() {
    sampler::on_tick(&(on_tick as fn()));
    let signal = Options::get().snapshot;
    if signal != 0 && platform::handle(signal, on_signal) == SignalOwner::Program {
        message::say(&[
            b"the program handles the signal of `snapshot` itself: no snapshots are written",
        ]);
    }
}

extern "C" fn on_signal(_signal: i32, _info: &Info, _context: &Context) {
    life::snapshot();
}

/// Writes the file if it is due. Called with the samples: while the program uses no CPU time, what
/// a file would tell does not change.
fn on_tick() {
    live::on_tick();
    control::on_tick();
    let period = u64::from(Options::get().flush);
    if period == 0 {
        return;
    }
    let now = platform::uptime_seconds();
    let due = DUE.load(Ordering::Relaxed);
    if now < due {
        return;
    }
    let is_ours = DUE.compare_exchange(due, now + period, Ordering::Relaxed, Ordering::Relaxed);
    if is_ours.is_ok() && due != 0 {
        life::snapshot();
    }
}

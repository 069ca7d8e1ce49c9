//! A clock of the kernel that stops a thread each time it has run for so long: exactly then, where timers on CPU
//! clocks wait for the scheduler's next tick.
//!
//! It is a performance event of the kernel's software, which samples nothing, but sends the thread SIGTRAP when it
//! goes on in the program. So the signal finds it where it called the kernel, and no call is interrupted, as calls
//! are by the signal for a descriptor (`F_SETSIG`): by that, six of 20,000 short sleeps at 1,000 signals a second.
//! The first page of the event's ring keeps it alive, so that the descriptor is closed at once; see [`perf`].

use core::ptr::NonNull;

use super::file::File;
use super::memory::unmap;
use super::offsets::map_pages;
use super::perf::{self, Attributes};
use super::{Errno, Info, kernel_version};
use crate::linux::libc;

/// A thread's clock, by the address of its page.
pub struct Beat(NonNull<u8>);

impl Beat {
    /// The signal that it sends.
    pub const SIGNAL: i32 = libc::SIGTRAP;

    /// Starts a clock that stops the calling thread after each `period` nanoseconds in which it ran. In the kernel,
    /// too: else the time there would count where the thread is after it.
    pub fn start(period: i64, page: usize) -> Result<Self, Errno> {
        /// Since then the signal waits until the thread is back in the program.
        const FAIR: (u32, u32) = (6, 11);
        const TASK_CLOCK: u64 = 1;
        if kernel_version() < FAIR {
            return Err(Errno(libc::ENOSYS));
        }
        let attributes = Attributes::signalling(perf::SOFTWARE, TASK_CLOCK, period.unsigned_abs());
        const THIS_THREAD: i32 = 0;
        let event = File { descriptor: perf::open(&attributes, THIS_THREAD)? };
        let (protection, flags) = (libc::PROT_READ, libc::MAP_SHARED);
        // SAFETY: the kernel chooses an address where nothing is.
        let mapped = unsafe { map_pages(0, page, protection, flags, event.descriptor, 0) }?;
        perf::enable(&event);
        NonNull::new(mapped as *mut u8).map(Self).ok_or(Errno(libc::ENOMEM))
    }

    /// Returns `true` if such a clock has sent a signal.
    pub fn has_sent(info: &Info) -> bool {
        const TRAP_PERF: i32 = 6;
        info.si_signo == Self::SIGNAL && info.si_code == TRAP_PERF
    }

    /// The address that [`stop`](Self::stop) takes.
    pub fn into_address(self) -> usize {
        self.0.as_ptr() as usize
    }

    /// Ends a clock, if there is one at an address. A signal that it has sent may still arrive.
    ///
    /// # Safety
    /// `address` must be 0 or come from [`into_address`](Self::into_address), in this process, and nobody else may
    /// stop the clock.
    pub unsafe fn stop(address: usize, page: usize) {
        if address != 0 {
            // SAFETY: the page that `start` mapped, by the caller's promise.
            unsafe { unmap(address as *mut u8, page) };
        }
    }
}

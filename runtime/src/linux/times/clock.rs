//! The processor's clock, which counts at one rate whatever the processor does.
//!
//! *Context:* any; `calibrate` startup or hook.

use core::sync::atomic::{AtomicU64, Ordering};

use gmon_system::platform;

/// Nanoseconds of a tick, times 2^32; 0 until it is known.
static SCALE: AtomicU64 = AtomicU64::new(0);

/// Ticks until now.
pub(super) fn now() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of x86-64 has the instruction.
    unsafe {
        core::arch::x86_64::_rdtsc()
    }
    #[cfg(target_arch = "aarch64")]
    {
        let ticks;
        // SAFETY: Linux lets every program read the register, which the C library's clock does as well.
        unsafe {
            core::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack, preserves_flags));
        }
        ticks
    }
}

/// Nanoseconds of a tick, times 2^32.
pub(super) fn scale() -> u64 {
    SCALE.load(Ordering::Relaxed)
}

/// Nanoseconds of so many ticks.
pub(super) fn nanoseconds(ticks: u64) -> u64 {
    ((u128::from(ticks) * u128::from(scale())) >> 32) as u64
}

/// Ticks of so many nanoseconds; as many as there can be until the rate is known.
pub(super) fn ticks(nanoseconds: u64) -> u64 {
    let ticks = (u128::from(nanoseconds) << 32).checked_div(scale().into());
    ticks.and_then(|ticks| u64::try_from(ticks).ok()).unwrap_or(u64::MAX)
}

/// Finds how fast it counts; false if that changes.
pub(super) fn calibrate() -> bool {
    /// Long enough that the calls of the system make less than 1 part in 2,000 of it.
    const NANOSECONDS: i64 = 1_000_000;
    if scale() != 0 {
        return true;
    }
    if !is_invariant() {
        return false;
    }
    let (first, begun) = both();
    let (last, ended) = loop {
        let both = both();
        if both.1 - begun >= NANOSECONDS {
            break both;
        }
    };
    let ticks = last.wrapping_sub(first);
    let scale = ((ended - begun).unsigned_abs() << 32).checked_div(ticks).unwrap_or(0);
    SCALE.store(scale, Ordering::Relaxed);
    scale != 0
}

/// Both clocks at one time: of a few tries the one that took least.
fn both() -> (u64, i64) {
    const TRIES: usize = 5;
    let tries = (0..TRIES).map(|_| {
        let before = now();
        let nanoseconds = platform::monotonic();
        let after = now();
        (after.wrapping_sub(before), (before / 2 + after / 2, nanoseconds))
    });
    tries.min_by_key(|(took, _)| *took).map_or((0, 0), |(_, both)| both)
}

/// True if it counts at one rate. On AArch64 the architecture says so.
#[cfg(target_arch = "aarch64")]
fn is_invariant() -> bool {
    true
}

/// True if it counts at one rate ("Invariant TSC", AMD's manual, volume 3, CPUID function 8000_0007h; Intel's, volume 3,
/// 18.17.1).
#[cfg(target_arch = "x86_64")]
fn is_invariant() -> bool {
    use core::arch::x86_64::__cpuid;

    const LARGEST: u32 = 0x8000_0000;
    const POWER: u32 = 0x8000_0007;
    const INVARIANT: u32 = 1 << 8;
    __cpuid(LARGEST).eax >= POWER && __cpuid(POWER).edx & INVARIANT != 0
}

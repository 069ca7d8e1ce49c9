//! Role of this process: the one that started the profile, a child with a profile of its own to
//! begin, or a child that only borrows its parent's memory.
//!
//! All memory that a profile is in, and the mark kept here, is asked of the kernel to be zero in a
//! forked child. There a hook finds an empty table, misses, and comes to [`is_new_child`]; where the
//! C library runs fork handlers, the child begins its profile even before that. A child of `vfork`,
//! which runs in its parent's memory until it calls `exec`, finds the mark and another process id.
//!
//! *Context:* any; `begin` startup or hook.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, Ordering};

use arrayvec::ArrayVec;
use gmon_system::decimal::Decimal;
use gmon_system::libc;
use gmon_system::region::Region;
use gmon_system::{platform, reserve};

/// Points to [`OWNED`] in memory that a forked child finds zero; null before `begin`.
static MARK: AtomicPtr<AtomicU32> = AtomicPtr::new(null_mut());
const OWNED: u32 = 1;

/// Address of the profile's memory, which begins with the mark. By this other processes can tell that
/// this one is profiled: nothing else is mapped so low, so it stands in the first line of
/// `/proc/PID/maps`. A page begins here whatever its size.
const MARK_ADDRESS: usize = 0x7_0000;
const MARK_LINE: &[u8] = b"00070000-000b0000 rw-p";
const _: () = assert!(MARK_ADDRESS + reserve::LEN == 0xb_0000 && MARK_ADDRESS % 0x1_0000 == 0);

/// The process that the profile is of.
static PID: AtomicI32 = AtomicI32::new(0);

/// True if this process was forked from one that was profiled.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

/// True if a process that this one descends from may be profiled.
static MAY_DESCEND: AtomicBool = AtomicBool::new(false);

/// Notes that the profile is of this process.
pub(crate) fn begin() {
    if mark().is_none() {
        MAY_DESCEND.store(take_hint(), Ordering::Relaxed);
        reserve::begin(MARK_ADDRESS);
        let region = Region::map_wiped(size_of::<AtomicU32>());
        let mark = region.map_or(null_mut(), |region| {
            core::ptr::from_ref(region.place(AtomicU32::new(0))).cast_mut()
        });
        MARK.store(mark, Ordering::Release);
    }
    PID.store(platform::process_id(), Ordering::Release);
    if let Some(mark) = mark() {
        mark.store(OWNED, Ordering::Release);
    }
}

/// Returns `true` if it is worth asking [`is_new_child`].
pub(crate) fn may_be_new_child() -> bool {
    mark().is_some_and(|mark| mark.load(Ordering::Acquire) == 0)
}

/// Returns `true` if this process was forked and has not begun its own profile. True once for each
/// child: the caller that gets `true` must begin it.
pub(crate) fn is_new_child() -> bool {
    let forked = mark().is_some_and(|mark| {
        mark.compare_exchange(0, OWNED, Ordering::AcqRel, Ordering::Acquire).is_ok()
    });
    if forked {
        become_child();
    }
    forked
}

/// Notes that this process was forked, when the C library says so: true unless already known.
pub(crate) fn was_forked() -> bool {
    is_new_child() || {
        // The mark may be missing (no memory) or not wiped (an old kernel, a shared mapping).
        let forked = PID.load(Ordering::Acquire) != platform::process_id();
        if forked {
            become_child();
        }
        forked
    }
}

fn become_child() {
    IS_CHILD.store(true, Ordering::Release);
    PID.store(platform::process_id(), Ordering::Release);
}

/// Returns `true` if the profile in memory is this process's. It is not in a child of `vfork`.
pub(crate) fn owns_profile() -> bool {
    PID.load(Ordering::Acquire) == platform::process_id()
}

/// Returns `true` if this process was forked from one that was profiled.
pub(crate) fn is_child() -> bool {
    IS_CHILD.load(Ordering::Acquire)
}

/// Returns `true` if the process that started this one is being profiled as well, as far as can be
/// seen, or one before it in the same job: a shell may stand between them.
pub(crate) fn parent_is_profiled() -> bool {
    /// Longest line of ancestors that is looked at.
    const MOST: usize = 16;
    if !MAY_DESCEND.load(Ordering::Relaxed) {
        return false;
    }
    let job = platform::job();
    let mut pid = platform::parent_id();
    for _ in 0..MOST {
        let Some(ancestor) = Ancestor::read(pid).filter(|_| pid > 1) else { return false };
        // What is not prepared for signals needs no closer look.
        if ancestor.handles_signals && carries_mark(pid) {
            return true;
        }
        if ancestor.job != job {
            return false;
        }
        pid = ancestor.parent;
    }
    false
}

/// Returns `true` if there is a hint that a profiled process has started this one, or one before it;
/// leaves one to all that this process starts. It spares most programs a look at their ancestors,
/// which takes longer than to write the profile of a small program.
///
/// The hint is the lowest bit of the timer slack, which a process inherits: an even 50,000
/// nanoseconds unless somebody has chosen another (prctl(2), `PR_SET_TIMERSLACK`). One nanosecond does
/// nobody harm. A program that sets its own afterwards takes the hint away; its children may then
/// have `gmon.out` before it.
fn take_hint() -> bool {
    match platform::timer_slack() {
        Some(slack) if slack != 0 && slack % 2 == 0 => {
            platform::set_timer_slack(slack | 1);
            false
        }
        // There is one, or nobody knows: a real-time thread has no slack.
        _ => true,
    }
}

/// The status by which this process's first thread has ended; 0 before it has.
pub(crate) fn first_thread_status() -> i32 {
    // The last field, which is as wait(2) has it: proc_pid_stat(5).
    const STATUS: usize = 49;
    let mut buffer = [0; 1024];
    let text = read_about(platform::process_id(), b"stat", &mut buffer);
    let behind_name = text.rsplitn(2, |byte| *byte == b')').next().unwrap_or_default();
    let mut fields = behind_name.trim_ascii().split(|byte| *byte == b' ');
    let status =
        fields.nth(STATUS).and_then(|field| core::str::from_utf8(field).ok()?.parse().ok());
    status.map_or(0, |status: i32| status >> 8 & 0xff)
}

/// The system's facts about a process that this one descends from.
struct Ancestor {
    parent: i32,
    job: i32,
    /// True if it handles a signal that every profiled program handles, and few others do.
    handles_signals: bool,
}

impl Ancestor {
    /// `None` if the process cannot be seen.
    fn read(pid: i32) -> Option<Self> {
        // Which field stands where, behind the name, which stands in parentheses and may hold
        // anything: proc_pid_stat(5).
        const PARENT: usize = 2;
        const JOB: usize = 3;
        const CAUGHT: usize = 32;
        let mut buffer = [0; 512];
        let text = read_about(pid, b"stat", &mut buffer);
        let behind_name = text.rsplitn(2, |byte| *byte == b')').next()?;
        let field = |n| {
            let field = behind_name.split(|byte| *byte == b' ').nth(n)?;
            core::str::from_utf8(field).ok()?.parse::<u64>().ok()
        };
        let caught = field(CAUGHT)?;
        Some(Self {
            parent: field(PARENT)? as i32,
            job: field(JOB)? as i32,
            handles_signals: caught & (1 << (libc::SIGIO - 1)) != 0,
        })
    }
}

/// Returns `true` if the mark stands in the first line of a process's memory map.
fn carries_mark(pid: i32) -> bool {
    let mut line = [0; MARK_LINE.len()];
    read_about(pid, b"maps", &mut line) == MARK_LINE
}

/// The beginning of a file that the system keeps about a process.
fn read_about<'b>(pid: i32, file: &[u8], buffer: &'b mut [u8]) -> &'b [u8] {
    let mut path = ArrayVec::<u8, 32>::new();
    for part in [b"/proc/", Decimal::new(pid.unsigned_abs().into()).as_bytes(), b"/", file, b"\0"] {
        if path.try_extend_from_slice(part).is_err() {
            return &[];
        }
    }
    let opened = platform::open(CStr::from_bytes_until_nul(&path).unwrap_or_default());
    let len = opened.and_then(|mut file| file.read(buffer)).unwrap_or(0);
    buffer.get(..len).unwrap_or_default()
}

fn mark() -> Option<&'static AtomicU32> {
    // SAFETY: null, or what `begin` placed in memory that is never unmapped.
    unsafe { MARK.load(Ordering::Acquire).as_ref() }
}

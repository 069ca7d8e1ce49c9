//! `live=PATH`: the memory of the profile is a file, so that no end of the program loses a count.
//!
//! Tables and histogram lie in shared mappings of the file; a hook and a sample cost what they cost
//! in memory of the process. What was counted is in the file at once, whatever becomes of the
//! program, for the kernel writes it to the disk on its own. The format is that of
//! [`gmon_format::live`]; `gmon recover` makes `gmon.out` of it. A file whose profile was written in
//! the usual way is removed.
//!
//! A forked child must not count in its parent's file, and a shared mapping cannot be wiped for it.
//! But the word that every hook looks at first can: in the child it says that nothing is known yet,
//! so that the first hook comes to [`life`](crate::linux::life), which has the child [`leave`] the file and
//! begin its own, even where no fork handler was run.
//!
//! *Context:* `allocate`, `free` and `on_tick` any; the rest startup, hook, exit.

mod arena;
mod file;

use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use gmon_format::Encoding;
use gmon_format::live::{
    ALIGNMENT, Answer, Block, Content, Control, Form, Header, Request, Switch,
};
use gmon_system::atomic::AtomicU64;
use gmon_system::platform;
use gmon_system::program::Program;
use gmon_system::region::{self, Source};

use crate::counts;
use crate::linux::options::Options;
use crate::linux::{dormant, exclusive, sampler, threads, times};
use crate::phase::{self, Phase};
use crate::state::{self, State};
use file::LiveFile;

/// The file that the profile lives in; null if it does not.
static FILE: AtomicPtr<LiveFile> = AtomicPtr::new(null_mut());

fn file() -> Option<&'static LiveFile> {
    // SAFETY: null, or a record in memory that is never unmapped.
    unsafe { FILE.load(Ordering::Acquire).as_ref() }
}

/// Begins the file, if the user wants one; whatever was counted in an earlier file goes on in this
/// one. What is counted in tables meanwhile may be lost. False if the only copy of an earlier profile
/// is still in memory.
pub(crate) fn begin() -> bool {
    let wanted = !Options::get().live.is_empty();
    wanted && exclusive::run(open) || file().is_none()
}

fn open() -> bool {
    if let Some(earlier) = file() {
        earlier.close();
    }
    let Some(file) = LiveFile::create() else { return false };
    let is_first = arena::start().is_none();
    let moved = arena::move_to(file).map_err(|error| file.say_failed(error));
    let has_header = || !is_first || arena::take(file, ALIGNMENT).is_some();
    if moved.is_err() || !has_header() {
        file.remove();
        return false;
    }
    FILE.store(core::ptr::from_ref(file).cast_mut(), Ordering::Release);
    region::prefer(&Source { allocate, free });
    // Who asks for something until the sampler is there is answered then.
    describe_as(if phase::get() == Phase::Paused { Switch::Off } else { Switch::On });
    wipe_state_on_fork();
    if is_first {
        threads::renew_shared();
    }
    threads::gather_shared();
    true
}

/// Gives a profile that goes on after its end a file to live in, if it had one.
pub(crate) fn go_on() {
    if has_ended() {
        // Other threads count elsewhere while their tables are moved to another file.
        let before = state::get();
        state::set(State::Idle);
        begin();
        state::set(before);
    }
}

/// Has a forked child find [`State::Idle`].
fn wipe_state_on_fork() {
    /// Size and alignment of the word's memory, in which nothing else lies.
    const ALONE: usize = 4096;
    // SAFETY: the word's own memory, and zero is a state.
    unsafe { platform::wipe_on_fork(state::place(), ALONE) };
}

/// Ends the file, which is not needed any more: the profile was written.
pub(crate) fn end() {
    if let Some(file) = file() {
        FILE.store(null_mut(), Ordering::Release);
        file.remove();
    }
}

/// The name of the file, which has the profile also if that cannot be written.
pub(crate) fn name() -> Option<&'static [u8]> {
    file().map(LiveFile::name)
}

/// Returns `true` if there was a file that was ended.
fn has_ended() -> bool {
    file().is_none() && arena::start().is_some()
}

/// Leaves the file to the parent, in a forked child. What was mapped of it is zero from now on, as
/// memory is that was wiped.
pub(crate) fn leave() {
    if let Some(file) = file() {
        file.close();
    }
    FILE.store(null_mut(), Ordering::Release);
    // SAFETY: zeros are what a forked child expects to find.
    unsafe { arena::leave() };
}

/// Tells the reader of the file about the program and the samples. To be called again when there is
/// news of these.
pub(crate) fn describe() {
    describe_as(match phase::get() {
        _ if !sampler::ticks() => Switch::Deaf,
        Phase::Starting | Phase::Running => Switch::On,
        Phase::Paused => Switch::Off,
        _ => Switch::Deaf,
    });
}

fn describe_as(switch: Switch) {
    let (Some(_), Some(start), Some(program)) = (file(), arena::start(), Program::get()) else {
        return;
    };
    let unit = sampler::unit();
    let header = Header {
        encoding: Encoding::NATIVE,
        form: Form::Live,
        process: platform::process_id().unsigned_abs().into(),
        placement: counts::placement(program),
        reserved: word(start, Header::RESERVED_AT).load(Ordering::Relaxed),
        histogram_at: word(start, Header::HISTOGRAM_AT_AT).load(Ordering::Relaxed),
        sampling: unit,
        program: Header::program_name(program.name),
    };
    publish(start, &header.encode(), &[Header::RESERVED_AT, Header::HISTOGRAM_AT_AT]);
    let awake = dormant::awake() as u64;
    let words = Control::words(switch, sampler::hz(), awake, times::switchable());
    words.iter().rev().for_each(|(at, value)| word(start, *at).store(*value, Ordering::Release));
}

/// Request to the program, if it was not answered yet.
pub(crate) fn request() -> Option<Request> {
    let (_, start) = file().zip(arena::start())?;
    let asked = word(start, Control::REQUEST_AT).load(Ordering::Acquire);
    let answered = word(start, Control::ANSWER_AT).load(Ordering::Relaxed);
    Request::of_word(asked).filter(|request| request.number != Answer::of_word(answered).number)
}

/// The addresses that a request lists, of which there are so many.
pub(crate) fn listed(count: u32) -> impl Iterator<Item = u32> + Clone {
    let start = file().and_then(|_| arena::start());
    let count = (count as usize).min(Control::MOST_LISTED);
    let places = (Control::LIST_AT..).step_by(size_of::<u32>()).take(count);
    places.filter_map(move |at| {
        // SAFETY: the list ends with the header's page, which stays mapped, and is aligned as all numbers there are.
        let number = unsafe { start?.add(at).cast::<AtomicU32>().as_ref() };
        Some(number.load(Ordering::Relaxed))
    })
}

/// Says what became of a request.
pub(crate) fn answer(answer: Answer) {
    if let Some((_, start)) = file().zip(arena::start()) {
        word(start, Control::ANSWER_AT).store(answer.word(), Ordering::Release);
    }
}

/// Notes that all counts were set to zero.
pub(crate) fn note_reset() {
    if let Some((_, start)) = file().zip(arena::start()) {
        word(start, Control::RESETS_AT).fetch_add(1, Ordering::Release);
    }
}

/// Returns `true` if there is a file.
pub(crate) fn is_there() -> bool {
    file().is_some()
}

/// Describes the samples again from time to time: some samplers measure their rate.
pub(crate) fn on_tick() {
    /// The second of the last description.
    static DESCRIBED: AtomicU64 = AtomicU64::new(0);
    if file().is_some() {
        let now = platform::uptime_seconds();
        if DESCRIBED.swap(now, Ordering::Relaxed) != now {
            describe();
        }
    }
}

/// Memory in the file for `len` bytes, zeroed and aligned to 64, which `content` describes as if
/// they were a block of their own. `None` if the profile does not live in a file or there is no
/// space.
fn allocate(len: usize, content: &Block) -> Option<NonNull<u8>> {
    const FIRST: usize = Block::LEN;
    let file = file()?;
    let whole = len.checked_add(FIRST)?.checked_next_multiple_of(ALIGNMENT)?;
    let (base, offset) = arena::take(file, whole)?;
    let block = Block {
        len: (FIRST + len) as u64,
        entries_at: FIRST as u64 + content.entries_at,
        ..*content
    };
    let start = arena::start()?;
    word(start, Header::RESERVED_AT).fetch_max(offset + whole as u64, Ordering::Release);
    publish(base, &block.encode(Encoding::NATIVE), &[]);
    word(start, Control::BLOCKS_AT).fetch_add(1, Ordering::Release);
    if let Content::Histogram { .. } = content.content {
        word(start, Header::HISTOGRAM_AT_AT).store(offset, Ordering::Release);
    }
    // SAFETY: inside the block, which is larger.
    Some(unsafe { base.add(FIRST) })
}

/// Takes back what [`allocate`] gave: readers no longer see the block. Its space stays unused.
fn free(base: NonNull<u8>) {
    // SAFETY: inside the block that `allocate` made.
    let block = unsafe { base.sub(Block::LEN) };
    word(block, 0).store(0, Ordering::Release);
}

/// Puts bytes where readers look for them, word by word, the first last: it makes the others known.
/// Words in `keep` are left as they are.
fn publish(base: NonNull<u8>, bytes: &[u8], keep: &[usize]) {
    let words = (0..).step_by(8).zip(bytes.chunks_exact(8));
    let value = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().unwrap_or_default());
    for (offset, bytes) in words.clone().skip(1).filter(|(offset, _)| !keep.contains(offset)) {
        word(base, offset).store(value(bytes), Ordering::Relaxed);
    }
    if let Some((offset, bytes)) = words.into_iter().next() {
        word(base, offset).store(value(bytes), Ordering::Release);
    }
}

/// A 64-bit number in the file.
fn word(base: NonNull<u8>, offset: usize) -> &'static AtomicU64 {
    // SAFETY: the callers pass the start of the header or of a block and an offset in it, a multiple
    // of 8; both begin at multiples of a page in mappings that stay for ever.
    unsafe { base.add(offset).cast::<AtomicU64>().as_ref() }
}

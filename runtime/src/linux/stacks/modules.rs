//! The program and its libraries: whose code lies where, and where its unwind rules are.
//!
//! Every module that was seen has a record, which stays; those that are mapped now are in an index, which
//! is replaced as a whole. It is made when an address is met that is in no module, but not again and
//! again for code that is in none, and when the profile is written.
//!
//! *Context:* any.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use arrayvec::ArrayVec;
use gmon_format::live::{self, Block, Content};
use gmon_format::{Encoding, LoadedPc};

use super::elf::{BuildId, Image, Tables};
use super::{cache, maps, now};
use crate::atomic::{AtomicI64, AtomicU64};
use crate::linux::platform::{self, SECOND};
use crate::linux::program::Program;
use crate::linux::region::{self, Region};

/// A module that was seen.
pub(super) struct Module {
    start: usize,
    end: usize,
    bias: usize,
    eh_frame_hdr: usize,
    tables: Option<Tables>,
    build_id: BuildId,
    inode: u64,
    path: &'static [u8],
    generation: u32,
    loaded: u64,
    unloaded: AtomicU64,
    /// Whether the file of a live profile has it.
    is_told: AtomicBool,
    /// The look at the process's mappings that it was seen in last.
    seen: AtomicUsize,
    /// The module that was found before it.
    next: AtomicPtr<Module>,
}

/// The module that was found last.
static MODULES: AtomicPtr<Module> = AtomicPtr::new(null_mut());

/// Modules that are mapped, by their addresses.
struct Index {
    len: usize,
    first: *const &'static Module,
}

static INDEX: AtomicPtr<Index> = AtomicPtr::new(null_mut());

/// Whether somebody looks at the mappings.
static IS_LOOKING: AtomicBool = AtomicBool::new(false);

/// How often somebody did.
static LOOKS: AtomicUsize = AtomicUsize::new(0);

/// When a handler may look again.
static NOT_BEFORE: AtomicI64 = AtomicI64::new(0);

/// What is known of the code at an address.
pub(super) enum Code {
    /// Its module has rules.
    Of(Tables),
    /// Its module has none, or it is in none.
    WithoutRules,
    /// Its module may be about to be unloaded.
    Leaving,
    /// It is in no module that is known, but somebody looks for others just now.
    Awaited,
}

/// What is known of the code at an address. It looks for modules that were loaded meanwhile.
pub(super) fn code(pc: usize) -> Code {
    let has_looked = find(pc).is_some() || look_again();
    let module = find(pc);
    // What was there from the start stays.
    let may_leave = |module: &Module| module.loaded != 0 && may_leave();
    match module.map(|module| (may_leave(module), module.tables)) {
        Some((true, _)) => Code::Leaving,
        Some((false, Some(tables))) => Code::Of(tables),
        None if !has_looked => Code::Awaited,
        Some((false, None)) | None => Code::WithoutRules,
    }
}

/// Somebody is about to unload modules: so many are.
static PAUSES: AtomicUsize = AtomicUsize::new(0);

/// As long as it is there, the rules of modules that may be unloaded are not read.
pub(super) struct Pause;

/// Whether there is a pause.
pub(super) fn may_leave() -> bool {
    PAUSES.load(Ordering::Acquire) != 0
}

/// Begins a pause.
pub(super) fn pause() -> Pause {
    PAUSES.fetch_add(1, Ordering::AcqRel);
    Pause
}

impl Drop for Pause {
    fn drop(&mut self) {
        PAUSES.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Whether an address lies in a module.
pub(super) fn has(address: usize) -> bool {
    find(address).is_some()
}

fn find(address: usize) -> Option<&'static Module> {
    let index = index();
    let behind = index.partition_point(|module| module.start <= address);
    let module = index.get(behind.checked_sub(1)?)?;
    (address < module.end).then_some(*module)
}

fn index() -> &'static [&'static Module] {
    // SAFETY: null, or what `publish` stored: so many references, which stay.
    unsafe {
        let index = INDEX.load(Ordering::Acquire).as_ref();
        index.map_or(&[], |index| core::slice::from_raw_parts(index.first, index.len))
    }
}

/// Looks for new modules, but not too often: code that is made at run time is in none. False if somebody else looks
/// and does not end soon, perhaps because this handler has interrupted it.
fn look_again() -> bool {
    const PAUSE: i64 = SECOND / 4;
    const PATIENCE: usize = 100;
    let now = platform::uptime();
    if now >= NOT_BEFORE.load(Ordering::Acquire) && begin_look() {
        NOT_BEFORE.store(now + PAUSE, Ordering::Release);
        look_alone();
        return true;
    }
    // Whoever set the time has begun before, and knows more when it has ended.
    (0..PATIENCE).any(|_| {
        let has_looked = !IS_LOOKING.load(Ordering::Acquire);
        if !has_looked {
            platform::yield_cpu();
        }
        has_looked
    })
}

/// Looks once in a second, for a live profile: calls in a library can be counted long before a sample there.
pub(super) fn look_now_and_then() {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    if !region::has_source() {
        return;
    }
    let now = platform::uptime();
    if now >= NEXT.load(Ordering::Relaxed) {
        NEXT.store(now + SECOND, Ordering::Relaxed);
        look();
    }
}

/// Looks, even if somebody else just does so: what that one sees may be out of date. Not for a handler, which
/// may have interrupted the other.
pub(super) fn look_now() {
    const PATIENCE: usize = 1000;
    (0..PATIENCE).any(|_| {
        let has_looked = look();
        if !has_looked {
            platform::sleep_milliseconds(1);
        }
        has_looked
    });
}

/// Makes the records and the index those of the modules that are mapped now. False if somebody else does.
fn look() -> bool {
    let may_look = begin_look();
    if may_look {
        look_alone();
    }
    may_look
}

/// Whether nobody else looks, and nobody will until [`look_alone`] has ended.
fn begin_look() -> bool {
    !IS_LOOKING.swap(true, Ordering::Acquire)
}

#[inline(never)]
fn look_alone() {
    let look = LOOKS.fetch_add(1, Ordering::Relaxed) + 1;
    let newest = MODULES.load(Ordering::Relaxed);
    let mut candidate: Option<Candidate> = None;
    let mut has_changed = false;
    let has_looked = maps::each(|mapping| {
        if let Some(candidate) = &mut candidate {
            if candidate.takes(mapping) {
                return;
            }
        }
        has_changed |= candidate.take().is_some_and(|candidate| candidate.note(look));
        if let Some(known) = known(mapping) {
            known.seen.store(look, Ordering::Relaxed);
        } else {
            candidate = Candidate::new(mapping);
        }
    });
    has_changed |= candidate.is_some_and(|candidate| candidate.note(look));
    if has_looked {
        for module in index().iter().filter(|module| module.seen.load(Ordering::Relaxed) != look) {
            module.unloaded.store(now().max(1), Ordering::Relaxed);
            // Before anything else can be mapped there: memory for the index, to begin with.
            module.reserve();
            has_changed = true;
        }
    }
    if has_changed {
        publish(newest);
        cache::clear();
    }
    index().iter().for_each(|module| module.tell());
    IS_LOOKING.store(false, Ordering::Release);
}

/// The module that begins with a mapping, if it is known. Most looks find nothing else, and its headers say no more.
fn known(mapping: &maps::Mapping<'_>) -> Option<&'static Module> {
    let module = find(mapping.start).filter(|module| module.start == mapping.start)?;
    let path = mapping.path.get(..mapping.path.len().min(Candidate::PATH));
    let is_same = module.inode == mapping.inode && Some(module.path) == path;
    (mapping.offset == 0 && is_same).then_some(module)
}

/// A file that may be a module: it is one if some of it is code.
struct Candidate {
    image: Image,
    inode: u64,
    has_code: bool,
    path: [u8; Self::PATH],
    path_len: usize,
}

impl Candidate {
    /// The longest path that is kept.
    const PATH: usize = 1024;

    fn new(mapping: &maps::Mapping<'_>) -> Option<Self> {
        if mapping.offset != 0 || !mapping.is_readable || mapping.path.is_empty() {
            return None;
        }
        let image = Image::at(mapping.start)?;
        let mut path = [0; Self::PATH];
        path.iter_mut().zip(mapping.path).for_each(|(place, byte)| *place = *byte);
        let (inode, has_code) = (mapping.inode, mapping.is_code);
        Some(Self { image, inode, has_code, path, path_len: mapping.path.len().min(Self::PATH) })
    }

    /// Whether a mapping is another part of it.
    fn takes(&mut self, mapping: &maps::Mapping<'_>) -> bool {
        let is_inside = mapping.start >= self.image.start && mapping.start < self.image.end;
        if is_inside && mapping.inode == self.inode {
            self.has_code |= mapping.is_code;
        }
        // Between the parts there may be others, as memory that begins as zeros.
        is_inside && (mapping.inode == self.inode || mapping.inode == 0)
    }

    fn path(&self) -> &[u8] {
        self.path.get(..self.path_len).unwrap_or_default()
    }

    /// Notes the module; whether it is a new one.
    fn note(&self, look: usize) -> bool {
        let image = &self.image;
        if !self.has_code || image.start >= image.end {
            return false;
        }
        let overlaps = |module: &&Module| module.start < image.end && image.start < module.end;
        let may_overlap = HAS_GIVEN_UP.load(Ordering::Relaxed) || index().iter().any(&overlaps);
        let all = may_overlap.then(modules);
        let generation = all.into_iter().flatten().filter(overlaps).count() as u32;
        let size = size_of::<Module>() + self.path_len;
        let Some(memory) = take(size) else { return false };
        let Some((record, path)) = memory.split_at_mut_checked(size_of::<Module>()) else {
            return false;
        };
        let path = path.get_mut(..self.path_len).unwrap_or_default();
        path.iter_mut().zip(self.path()).for_each(|(place, byte)| *place = *byte);
        let record = record.as_mut_ptr().cast::<Module>();
        let module = Module {
            start: image.start,
            end: image.end,
            bias: image.bias,
            eh_frame_hdr: image.eh_frame_hdr,
            tables: image.tables,
            build_id: image.build_id,
            inode: self.inode,
            path,
            generation,
            loaded: if look == 1 { 0 } else { now() },
            unloaded: AtomicU64::new(0),
            is_told: AtomicBool::new(false),
            seen: AtomicUsize::new(look),
            next: AtomicPtr::new(MODULES.load(Ordering::Relaxed)),
        };
        // SAFETY: the memory is the record's alone, as large as it is, and aligned to 64.
        unsafe { record.write(module) };
        // Only the one who looks adds modules.
        MODULES.store(record, Ordering::Release);
        true
    }
}

/// Memory for a record, of a larger piece: a program may load a library again and again. Only for the one who
/// looks.
fn take(len: usize) -> Option<&'static mut [u8]> {
    const PIECE: usize = 16 * 1024;
    static FREE: AtomicPtr<u8> = AtomicPtr::new(null_mut());
    static LEFT: AtomicUsize = AtomicUsize::new(0);
    let len = len.checked_next_multiple_of(Region::ALIGNMENT)?;
    if LEFT.load(Ordering::Relaxed) < len {
        let size = PIECE.max(len);
        FREE.store(Region::map(size)?.base().as_ptr(), Ordering::Relaxed);
        LEFT.store(size, Ordering::Relaxed);
    }
    let start = FREE.load(Ordering::Relaxed);
    LEFT.fetch_sub(len, Ordering::Relaxed);
    FREE.store(start.wrapping_add(len), Ordering::Relaxed);
    // SAFETY: zeroed memory that stays, of which nobody else gets these bytes.
    Some(unsafe { core::slice::from_raw_parts_mut(start, len) })
}

/// Makes the index anew, of what it had that is still mapped, and the modules that were found after `newest`. The
/// old one may be in use and stays.
fn publish(newest: *mut Module) {
    let is_mapped = |module: &&'static Module| module.unloaded.load(Ordering::Relaxed) == 0;
    let found = modules().take_while(|module| !core::ptr::eq(*module, newest));
    let mapped = || found.clone().chain(index().iter().copied()).filter(is_mapped);
    let count = mapped().count();
    let size = size_of::<Index>() + count * size_of::<&Module>();
    let Some(memory) = take(size) else { return };
    let Some((place, list)) = memory.split_at_mut_checked(size_of::<Index>()) else { return };
    let first = list.as_mut_ptr().cast::<&'static Module>();
    let mut len = 0;
    // The sorts of the standard library can panic.
    for module in mapped().take(count) {
        // SAFETY: so many were written, and nobody else knows of them.
        let sorted = unsafe { core::slice::from_raw_parts(first, len) };
        let at = sorted.partition_point(|other| other.start < module.start);
        // SAFETY: there is room for `count`, aligned as the index is, of which `len` are taken.
        unsafe {
            first.add(at).copy_to(first.add(at + 1), len - at);
            first.add(at).write(module);
        }
        len += 1;
    }
    let place = place.as_mut_ptr().cast::<Index>();
    // SAFETY: the memory is the index's alone, as large as it is, and aligned to 64.
    unsafe { place.write(Index { len, first }) };
    INDEX.store(place, Ordering::Release);
}

/// Notes, in a forked child, that the file of a live profile has no modules yet, and that no thread looks for some:
/// one that did stayed in the parent.
pub(super) fn forget() {
    IS_LOOKING.store(false, Ordering::Release);
    modules().for_each(|module| module.is_told.store(false, Ordering::Relaxed));
}

/// All modules that were seen, the last one first.
pub(super) fn modules() -> impl Iterator<Item = &'static Module> + Clone {
    let at = |pointer: &AtomicPtr<Module>| {
        // SAFETY: null, or what `note` placed in memory that stays.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    };
    core::iter::successors(at(&MODULES), move |module| at(&module.next))
}

/// Whether addresses of a module that was unloaded could not be kept from being used again.
static HAS_GIVEN_UP: AtomicBool = AtomicBool::new(false);

impl Module {
    /// Keeps the addresses of the module, which was unloaded, from being used again, unless that would take too
    /// much of them.
    fn reserve(&self) {
        /// Bytes of addresses. Where these have 32 bits there are none to spare.
        const MOST: usize = if cfg!(target_pointer_width = "64") { 1 << 30 } else { 0 };
        static RESERVED: AtomicUsize = AtomicUsize::new(0);
        let page = Program::get().map_or(4096, |program| program.page).max(1);
        let start = self.start - self.start % page;
        let len = (self.end - start).next_multiple_of(page);
        let fits = |sum: usize| sum.checked_add(len).filter(|sum| *sum <= MOST);
        let may_take = RESERVED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok();
        if may_take && platform::reserve(start, len) {
            return;
        }
        HAS_GIVEN_UP.store(true, Ordering::Relaxed);
        if may_take {
            // Something was mapped in a part of it since. What is left would have room for another library.
            for address in (start..start + len).step_by(page) {
                platform::reserve(address, page);
            }
        }
    }

    /// Tells readers of a live profile about the module, so that they know its functions whatever becomes of
    /// the program.
    fn tell(&'static self) {
        const PATH_AT: usize = live::Module::LEN;
        const START: usize = size_of::<u64>();
        if self.is_told.load(Ordering::Relaxed) {
            return;
        }
        let len = PATH_AT + self.path.len();
        let content = Block {
            content: Content::Modules,
            len: len as u64,
            entries_at: 0,
            entries: 1,
            entry_len: live::Module::LEN as u32,
        };
        let Some(region) = Region::map_in_source(len, &content) else { return };
        self.is_told.store(true, Ordering::Relaxed);
        // The source puts the head of a block before it.
        let module = self.described().encode(Encoding::NATIVE, (Block::LEN + PATH_AT) as u32);
        let place = region.into_bytes();
        let bytes = module.iter().chain(self.path);
        // The start comes last: until then the entry is free.
        let mut bytes = place.iter_mut().zip(bytes);
        let start: ArrayVec<_, START> = bytes.by_ref().take(START).collect();
        bytes.chain(start).for_each(|(place, byte)| *place = *byte);
    }

    /// The module as a file has it.
    pub(super) fn described(&'static self) -> live::Module<'static> {
        live::Module {
            start: LoadedPc(self.start as u64),
            end: LoadedPc(self.end as u64),
            bias: self.bias as u64,
            eh_frame_hdr: LoadedPc(self.eh_frame_hdr as u64),
            loaded_ns: self.loaded,
            unloaded_ns: self.unloaded.load(Ordering::Relaxed),
            generation: self.generation,
            build_id: self.build_id.bytes(),
            path: self.path,
        }
    }
}

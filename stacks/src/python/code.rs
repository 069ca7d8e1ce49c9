//! Code of Python: each code object that was met has addresses of its own, one for each line, where no processor has code. What
//! a file says of them is written when it is met first.
//!
//! Handlers of all threads add to it, and nobody waits for anybody: places are taken by counting, and what two threads add at
//! the same time is there twice, which readers see.
//!
//! *Context:* signal; `forget` hook or in the C library's `fork`; `chunks` exit.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use gmon_format::live::{self, Block, CodeKind, CodeLines, CodeParts, Content};
use gmon_format::{Encoding, LoadedPc};
use gmon_python::{Frame, Layout};
use gmon_system::atomic::AtomicU64;
use gmon_system::memory::Memory;
use gmon_system::region::Region;

use super::super::clock::now;

/// Code objects by their addresses.
struct Index {
    slots: [Slot; SLOTS],
}

/// A code object, with some of its lines: all on one line of the processor's cache.
#[repr(C, align(64))]
struct Slot {
    address: AtomicUsize,
    #[cfg(target_pointer_width = "32")]
    _zeros: u32,
    /// Number + 1, and what there is room for of the mark.
    known: AtomicU64,
    /// Instructions that were looked up before: line, instruction, and number + 1.
    lines: [AtomicU64; LINES],
}

/// A frame as stacks have it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// An address that stands for its line.
    At(usize),
    /// No address: nobody is to see it.
    Unseen,
}

const SLOTS: usize = 1 << 14;
const LINES: usize = 6;

/// Slots in which an address may be found.
const NEAR: usize = 8;

/// Bits of a number, and of an instruction's; a line has the rest, with a mark for what is only seen in generators.
const NUMBER: u32 = 22;
const UNIT: u32 = 18;
const HIDDEN: u32 = 1 << 23;

static INDEX: AtomicPtr<Index> = AtomicPtr::new(null_mut());

/// A piece of memory for what a file says of code: entries, and strings behind them.
#[derive(Clone, Copy)]
pub struct Chunk {
    base: &'static Pointer,
    at: usize,
}

/// Memory of a chunk, and how much of it is taken: entries and bytes of strings.
struct Pointer {
    base: AtomicPtr<u8>,
    taken: AtomicU64,
}

/// Entries of a chunk, the first of which is for short scripts, and bytes of strings for each.
const FIRST_ENTRIES: usize = 128;
const ENTRIES: usize = 1024;
const STRINGS: usize = 128;

const CHUNKS: usize = 128;
static POINTERS: [Pointer; CHUNKS] =
    [const { Pointer { base: AtomicPtr::new(null_mut()), taken: AtomicU64::new(0) } }; CHUNKS];

/// The chunk that has room.
static CURRENT: AtomicUsize = AtomicUsize::new(0);

/// Bytes of a name and of a path that are kept.
const NAME: usize = 256;
const PATH: usize = 1024;

/// Begins again in a forked child, whose memory was wiped.
pub(super) fn forget() {
    INDEX.store(null_mut(), Ordering::Release);
    CURRENT.store(0, Ordering::Relaxed);
    for pointer in &POINTERS {
        pointer.base.store(null_mut(), Ordering::Relaxed);
        pointer.taken.store(0, Ordering::Relaxed);
    }
}

/// Address of the line of a frame; `None` if nothing can be said of its code.
pub(super) fn address(memory: &mut Memory, layout: &Layout, frame: &Frame) -> Option<Code> {
    let index = index()?;
    let mark = layout.mark(memory, frame.code)?;
    let slot = match index.find(frame.code, mark) {
        Some(slot) => slot,
        None => {
            let number = add(memory, layout, frame.code)?;
            index.keep(frame.code, mark, number)
        }
    };
    let number = slot.number()?;
    let line = match slot.line(number, frame.offset) {
        Some(line) => line,
        None => {
            let line = layout.line(memory, frame.code, frame.offset).unwrap_or(0);
            let line = if line < HIDDEN { line } else { 0 };
            let is_seen = frame.offset >= layout.first_visible(memory, frame.code)?;
            let line = if is_seen { line } else { line | HIDDEN };
            slot.keep_line(number, frame.offset, line);
            line
        }
    };
    let is_seen = frame.is_always_visible || frame.has_begun() && line & HIDDEN == 0;
    if !is_seen {
        return Some(Code::Unseen);
    }
    usize::try_from(start(number) + u64::from(line & !HIDDEN)).ok().map(Code::At)
}

/// The first address of code of a number.
fn start(number: u64) -> u64 {
    live::Code::FIRST_OF_INTERPRETERS + number * live::Code::LINES_OF_PYTHON
}

fn index() -> Option<&'static Index> {
    // SAFETY: null, or memory that stays, as large as an index and aligned to 64; zeros are an empty one.
    let known = unsafe { INDEX.load(Ordering::Acquire).as_ref() };
    known.or_else(|| {
        let region = Region::map_wiped(size_of::<Index>())?;
        let made = region.base().as_ptr().cast::<Index>();
        let taken = INDEX.compare_exchange(null_mut(), made, Ordering::AcqRel, Ordering::Acquire);
        let index = match taken {
            Ok(_) => made,
            // Another thread was faster.
            Err(other) => other,
        };
        // SAFETY: either is memory of that size that stays, aligned to 64; zeros are an empty index.
        unsafe { index.as_ref() }
    })
}

impl Index {
    fn near(&self, address: u64) -> impl Iterator<Item = &Slot> {
        let hash = (address >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let first = hash as usize % (SLOTS - NEAR);
        self.slots.get(first..first + NEAR).unwrap_or_default().iter()
    }

    /// The slot of a code object, by its address and its mark.
    fn find(&self, address: u64, mark: u64) -> Option<&Slot> {
        let is_own = |slot: &&Slot| slot.address.load(Ordering::Acquire) == address as usize;
        let slot = self.near(address).find(is_own)?;
        let known = slot.known.load(Ordering::Acquire);
        (known >> NUMBER == mark >> NUMBER && known != 0).then_some(slot)
    }

    /// Keeps the number of a code object, in the place of what was at its address, or of another.
    fn keep(&self, address: u64, mark: u64, number: u64) -> &Slot {
        let is_own = |slot: &&Slot| slot.address.load(Ordering::Relaxed) == address as usize;
        let is_free = |slot: &&Slot| slot.address.load(Ordering::Relaxed) == 0;
        let own = self.near(address).find(is_own);
        let slot = own.or_else(|| self.near(address).find(is_free));
        let [first, ..] = &self.slots;
        let slot = slot.or_else(|| self.near(address).next()).unwrap_or(first);
        let known = mark >> NUMBER << NUMBER | (number + 1);
        // Whoever finds the new one at the old address sees another mark.
        slot.known.store(known, Ordering::Release);
        slot.address.store(address as usize, Ordering::Release);
        slot
    }
}

impl Slot {
    /// Number of the code object.
    fn number(&self) -> Option<u64> {
        (self.known.load(Ordering::Acquire) & ((1 << NUMBER) - 1)).checked_sub(1)
    }

    /// The line of an instruction that was looked up before.
    fn line(&self, number: u64, offset: u32) -> Option<u32> {
        let (key, place) = self.place(number, offset)?;
        let word = place.load(Ordering::Relaxed);
        (word & KEY == key).then_some((word >> (NUMBER + UNIT)) as u32)
    }

    fn keep_line(&self, number: u64, offset: u32, line: u32) {
        if let Some((key, place)) = self.place(number, offset) {
            place.store(u64::from(line) << (NUMBER + UNIT) | key, Ordering::Relaxed);
        }
    }

    /// An instruction of a code object, in bits that are not all zero, and the place of its line.
    fn place(&self, number: u64, offset: u32) -> Option<(u64, &AtomicU64)> {
        let unit = offset / 2;
        let key = (unit < 1 << UNIT).then_some(u64::from(unit) << NUMBER | (number + 1))?;
        Some((key, self.lines.get(unit as usize % LINES)?))
    }
}

/// Bits of an instruction of a code object.
const KEY: u64 = (1 << (NUMBER + UNIT)) - 1;

/// Writes down what a code object is; its number.
#[inline(never)]
fn add(memory: &mut Memory, layout: &Layout, address: u64) -> Option<u64> {
    let code = layout.code(memory, address)?;
    let (mut name, mut file) = ([0; NAME], [0; PATH]);
    let name_len = layout.text(memory, code.name, &mut name)?;
    let file_len = layout.text(memory, code.file, &mut file)?;
    let (name, file) = (name.get(..name_len)?, file.get(..file_len)?);
    let (chunk, entry, at) = take(name.len() + file.len())?;
    let number = chunk.first_number() + entry as u64;
    let first = start(number);
    let entries_len = chunk.entries() * live::Code::LEN;
    let strings_at = Block::LEN + entries_len + at;
    let parts = CodeParts {
        name_at: strings_at as u32,
        file_at: (strings_at + name.len()) as u32,
        lines_at: 0,
    };
    let code = live::Code {
        start: LoadedPc(first),
        end: LoadedPc(first + live::Code::LINES_OF_PYTHON),
        from_ns: now(),
        to_ns: 0,
        kind: CodeKind::Python,
        first_line: code.first_line,
        lines: CodeLines::none(),
        name,
        file,
    };
    let bytes = code.encode(Encoding::NATIVE, parts);
    let strings = chunk.place(entries_len + at, name.len() + file.len());
    let text = name.iter().chain(file);
    strings.iter_mut().zip(text).for_each(|(place, byte)| *place = *byte);
    let place = chunk.place(entry * live::Code::LEN, live::Code::LEN);
    // The start comes last: until then the entry is free.
    const START: usize = size_of::<u64>();
    let (head, rest) = place.split_at_mut_checked(START)?;
    rest.iter_mut().zip(bytes.iter().skip(START)).for_each(|(place, byte)| *place = *byte);
    core::sync::atomic::fence(Ordering::Release);
    head.iter_mut().zip(&bytes).for_each(|(place, byte)| *place = *byte);
    Some(number)
}

/// Takes an entry and room for strings: the chunk, the number of the entry in it, and the place among the strings.
fn take(strings: usize) -> Option<(Chunk, usize, usize)> {
    loop {
        let at = CURRENT.load(Ordering::Acquire);
        let chunk = Chunk { base: POINTERS.get(at)?, at };
        chunk.make()?;
        let fits = |taken: u64| {
            let (entries, bytes) = ((taken >> 32) as usize, taken as u32 as usize);
            let is_room = entries < chunk.entries() && bytes + strings <= chunk.entries() * STRINGS;
            is_room.then_some(taken + (1 << 32) + strings as u64)
        };
        let taken = &chunk.base.taken;
        let before = taken.load(Ordering::Relaxed);
        let Some(after) = fits(before) else {
            CURRENT.fetch_max(at + 1, Ordering::Release);
            continue;
        };
        if taken.compare_exchange(before, after, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            return Some((chunk, (before >> 32) as usize, before as u32 as usize));
        }
    }
}

impl Chunk {
    const fn entries(self) -> usize {
        if self.at == 0 { FIRST_ENTRIES } else { ENTRIES }
    }

    fn first_number(self) -> u64 {
        let before = self.at.checked_sub(1);
        before.map_or(0, |before| (FIRST_ENTRIES + before * ENTRIES) as u64)
    }

    const fn len(self) -> usize {
        self.entries() * (live::Code::LEN + STRINGS)
    }

    /// Sees to it that there is memory.
    fn make(self) -> Option<()> {
        if !self.base.base.load(Ordering::Acquire).is_null() {
            return Some(());
        }
        let content = Block {
            content: Content::Code,
            len: self.len() as u64,
            entries_at: 0,
            entries: self.entries() as u64,
            entry_len: live::Code::LEN as u32,
        };
        let made = Region::map_for_process(self.len(), &content)?.base().as_ptr();
        // If another thread was faster, this memory stays unused.
        _ = self.base.base.compare_exchange(null_mut(), made, Ordering::AcqRel, Ordering::Acquire);
        Some(())
    }

    /// Bytes of the chunk that the caller has taken.
    fn place(self, at: usize, len: usize) -> &'static mut [u8] {
        let base = self.base.base.load(Ordering::Acquire);
        if base.is_null() || at + len > self.len() {
            return &mut [];
        }
        // SAFETY: inside the chunk's memory, which stays; who took these bytes got a number or a place of its own.
        unsafe { core::slice::from_raw_parts_mut(base.add(at), len) }
    }

    /// Number of entries, and their bytes with those of the strings behind them.
    pub fn written(&self) -> (usize, &'static [u8]) {
        let strings = self.base.taken.load(Ordering::Acquire) as u32 as usize;
        let len = self.entries() * live::Code::LEN + strings;
        let base = self.base.base.load(Ordering::Acquire);
        if base.is_null() || len > self.len() {
            return (0, &[]);
        }
        // SAFETY: inside the chunk's memory, which stays. What somebody still writes may be read half written, but is not known
        // by its start yet.
        (self.entries(), unsafe { core::slice::from_raw_parts(base, len) })
    }
}

/// All that was written down.
pub fn chunks() -> impl Iterator<Item = Chunk> {
    let chunks = POINTERS.iter().enumerate().map(|(at, base)| Chunk { base, at });
    chunks.take_while(|chunk| !chunk.base.base.load(Ordering::Acquire).is_null())
}

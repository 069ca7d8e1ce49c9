//! Facts that are kept of a module.
//!
//! *Context:* any.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use arrayvec::ArrayVec;
use gmon_format::live::{self, Block, Content};
use gmon_format::mapping::Mapping;
use gmon_format::{Encoding, LoadedPc};
use gmon_system::atomic::AtomicU64;
use gmon_system::region::Region;
use gmon_system::{platform, program};
use gmon_unwind::{Native, Tables};

use super::super::elf::BuildId;

/// A module that was seen.
pub(crate) struct Module {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) bias: usize,
    pub(super) eh_frame_hdr: usize,
    pub(super) tables: Option<Tables<'static, Native>>,
    pub(super) build_id: BuildId,
    pub(super) inode: u64,
    /// Place in its file where it begins: 0, or behind that if it is [a copy](super::candidate) of code.
    pub(super) offset: u64,
    pub(super) path: &'static [u8],
    pub(super) generation: u32,
    pub(super) loaded: u64,
    pub(super) unloaded: AtomicU64,
    /// True if the file of a live profile has it.
    pub(super) is_told: AtomicBool,
    /// The look at the process's mappings that it was seen in last.
    pub(super) seen: AtomicUsize,
    /// The module that was found before it.
    pub(super) next: AtomicPtr<Module>,
}

/// The module that was found last.
pub(super) static MODULES: AtomicPtr<Module> = AtomicPtr::new(null_mut());

/// All modules that were seen, the last one first.
pub(crate) fn modules() -> impl Iterator<Item = &'static Module> + Clone {
    let at = |pointer: &AtomicPtr<Module>| {
        // SAFETY: null, or what `note` placed in memory that stays.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    };
    core::iter::successors(at(&MODULES), move |module| at(&module.next))
}

/// Memory for a record, of a larger piece: a program may load a library again and again, and each piece is one more
/// mapping between others. Only for the one who looks.
pub(super) fn take(len: usize) -> Option<&'static mut [u8]> {
    const PIECE: usize = 1 << 20;
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

/// True if addresses of a module that was unloaded could not be kept from being used again.
pub(super) static HAS_GIVEN_UP: AtomicBool = AtomicBool::new(false);

impl Module {
    /// The longest path that is kept.
    pub(super) const PATH: usize = 1024;

    /// Returns `true` if its file is the one that is mapped.
    pub(super) fn has_file_of(&self, mapping: &Mapping<'_>) -> bool {
        let path = mapping.path.get(..mapping.path.len().min(Self::PATH));
        self.inode == mapping.inode && Some(self.path) == path
    }

    /// Returns `true` of a further part of it. Its offset does not tell: where the code begins in the file's first
    /// page, linkers map that page a second time.
    pub(super) fn has_part(&self, mapping: &Mapping<'_>) -> bool {
        self.inode == mapping.inode && (self.start..self.end).contains(&mapping.here().start)
    }

    /// Keeps the addresses of the module, which was unloaded, from being used again, unless that would take too
    /// much of them.
    pub(super) fn reserve(&self) {
        /// Bytes of addresses. Where these have 32 bits there are none to spare.
        const MOST: usize = if cfg!(target_pointer_width = "64") { 1 << 30 } else { 0 };
        static RESERVED: AtomicUsize = AtomicUsize::new(0);
        let page = program::page_size();
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
    pub(super) fn tell(&'static self) {
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
    pub(crate) fn described(&'static self) -> live::Module<'static> {
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

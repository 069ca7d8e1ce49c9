//! The modules of the process in the order in which the loader looks for symbols, and where it finds one.
//!
//! Modules of the start are the global scope, in the order of the loader's own list. Modules loaded later have
//! scopes that only the loader knows: there, a symbol is found only if no order matters.
//!
//! *Context:* startup, hook.

use core::ops::Range;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use super::call_sites::Words;
use gmon_interpose::elf::{Headers, Image};
use gmon_interpose::{Defined, Dynamic, Hash, Symbols, Wanted, slots};
use gmon_system::loader::{self, Link};
use gmon_system::memory::Memory;
use gmon_system::program::Program;
use gmon_system::region::Region;
use gmon_system::{arch, c_library};

use super::filter::is_hook;
use super::stubs::Stubs;

/// A module that the loader has mapped.
pub(super) struct Module {
    pub(super) image: Image<'static>,
    pub(super) dynamic: Dynamic,
    /// Its addresses in the process.
    pub(super) range: Range<usize>,
    pub(super) path: &'static [u8],
    /// True if it was there when the profile began.
    pub(super) is_first: bool,
    pub(super) is_program: bool,
    /// True if it has hooks, which count the calls of its functions.
    pub(super) counts_itself: bool,
    /// True if the runtime is in it.
    has_runtime: bool,
    /// True if its addresses are no longer its own.
    is_gone: AtomicBool,
    /// True if somebody has pointed its slots at stubs, and where these are.
    is_taken: AtomicBool,
    stubs: [AtomicUsize; 2],
    /// Place of its words near its code, and their number.
    words: [AtomicUsize; 2],
    /// The module that was found before it.
    next: AtomicPtr<Module>,
}

/// The module that was found last.
static MODULES: AtomicPtr<Module> = AtomicPtr::new(null_mut());

/// Adds the modules that are new in the loader's list, and calls `complain` for those that cannot be used. False if
/// the list cannot be read.
pub(super) fn update(
    program: &Program,
    is_first: bool,
    mut complain: impl FnMut(&[u8], &'static str),
) -> bool {
    let Some(first) = loader::first(program) else { return false };
    for (index, link) in loader::links(first).enumerate() {
        let is_known = modules().any(|module| module.image.bias == link.bias && !module.is_gone());
        if !is_known {
            match Module::new(program, link, (is_first, index == 0)) {
                Some(Ok(module)) => add(module),
                Some(Err(why)) => complain(link.path(), why),
                None => {}
            }
        }
    }
    mark_gone(first);
    true
}

/// Marks modules that are no longer in the loader's list.
fn mark_gone(first: &'static Link) {
    for module in modules().filter(|module| !module.is_first && !module.is_gone()) {
        if !loader::links(first).any(|link| link.bias == module.image.bias) {
            module.is_gone.store(true, Ordering::Release);
        }
    }
}

/// Returns `true` if an address is in what the kernel maps itself, which a few functions of the C
/// library are.
pub(super) fn is_kernels(address: usize) -> bool {
    /// Length: a few pages.
    const LEN: usize = 1 << 16;
    let start = c_library::auxiliary_value(libc::AT_SYSINFO_EHDR).unwrap_or(0) as usize;
    start != 0 && address.wrapping_sub(start) < LEN
}

/// The module whose file's first bytes are mapped at an address, which the loader's list has as its bias.
fn image_at(address: usize) -> Option<Image<'static>> {
    let mut memory = Memory::new();
    let headers = Headers::at(address, |place, at| memory.fill(place, at))?;
    // SAFETY: the loader's list has it with this bias. It stays as long as it is not marked as gone.
    unsafe { Image::loaded(&headers, address) }
}

impl Module {
    /// The module of an entry; `None` if it is none, as what the kernel maps itself; why it cannot be used.
    fn new(
        program: &Program,
        link: &Link,
        (is_first, is_program): (bool, bool),
    ) -> Option<Result<Self, &'static str>> {
        // What the kernel brings along is in the list, but nobody looks for symbols there.
        if !is_program && is_kernels(link.bias) {
            return None;
        }
        let image = if is_program { program.image()? } else { image_at(link.bias)? };
        // What the list has is where the headers are, or it is something else.
        if link.dynamic != link.bias.wrapping_add(image.dynamic.start) {
            return None;
        }
        let dynamic = match Dynamic::read(&image) {
            Ok(dynamic) => dynamic,
            Err(why) => return Some(Err(why)),
        };
        let ends = image.parts.iter().map(|part| (part.start, part.start + part.len));
        let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let range = link.bias.wrapping_add(low)..link.bias.wrapping_add(high);
        let has_runtime = range.contains(&arch::external_caller());
        let symbols = Symbols { image: &image, dynamic: &dynamic };
        let asks_for_hooks = || {
            let wanted = slots::of(&image, &dynamic).map(|slot| symbols.wanted(slot.symbol));
            wanted.flatten().any(|wanted| is_hook(wanted.name))
        };
        let counts_itself = (is_program && has_runtime) || asks_for_hooks();
        Some(Ok(Self {
            range,
            path: link.path(),
            is_first,
            is_program,
            counts_itself,
            has_runtime,
            is_gone: AtomicBool::new(false),
            is_taken: AtomicBool::new(false),
            stubs: [const { AtomicUsize::new(0) }; 2],
            words: [const { AtomicUsize::new(0) }; 2],
            next: AtomicPtr::new(null_mut()),
            image,
            dynamic,
        }))
    }

    pub(super) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Acquire)
    }

    pub(super) fn is_runtime(&self) -> bool {
        self.has_runtime && !self.is_program
    }

    /// Returns `true` if the caller is the first who points its slots at stubs.
    pub(super) fn take(&self) -> bool {
        !self.is_taken.swap(true, Ordering::AcqRel)
    }

    /// Notes the stubs of the module.
    pub(super) fn keep_stubs(&self, stubs: &Stubs) {
        let (base, capacity) = stubs.place();
        let [own_base, own_capacity] = &self.stubs;
        own_base.store(base, Ordering::Relaxed);
        own_capacity.store(capacity, Ordering::Relaxed);
    }

    /// Gives up its stubs if there are so many, and not many more.
    pub(super) fn take_stubs(&self, count: usize) -> Option<Stubs> {
        let [base, capacity] = &self.stubs;
        let own = capacity.load(Ordering::Relaxed);
        if !(count..=2 * count).contains(&own) {
            return None;
        }
        capacity.store(0, Ordering::Relaxed);
        Some(Stubs::known((base.load(Ordering::Relaxed), own)))
    }

    /// Notes the words near its code.
    pub(super) fn keep_words(&self, words: &Words) {
        let (base, capacity) = words.place();
        self.words[0].store(base, Ordering::Relaxed);
        self.words[1].store(capacity, Ordering::Relaxed);
    }

    /// Gives its words back when it is gone.
    pub(super) fn drop_words(&self) {
        let [base, capacity] = &self.words;
        let capacity = capacity.swap(0, Ordering::Relaxed);
        if self.is_gone() && capacity != 0 {
            // SAFETY: it is gone, and so is its code.
            unsafe { Words::known((base.load(Ordering::Relaxed), capacity)).unmap() };
        }
    }

    pub(super) fn symbols(&self) -> Symbols<'_, 'static> {
        Symbols { image: &self.image, dynamic: &self.dynamic }
    }

    /// The last part of its path.
    pub(super) fn name(&self) -> &'static [u8] {
        self.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
    }

    fn find(&'static self, wanted: &Wanted<'_>, hash: &Hash) -> Option<Definition> {
        let symbol = self.symbols().find(wanted, hash)?;
        let address = self.image.bias.wrapping_add(symbol.value);
        Some(Definition { symbol, address })
    }
}

/// Only for the one who looks.
fn add(module: Module) {
    let Some(region) = Region::map(size_of::<Module>()) else { return };
    let module = region.place(module);
    module.next.store(MODULES.load(Ordering::Relaxed), Ordering::Relaxed);
    MODULES.store(core::ptr::from_ref(module).cast_mut(), Ordering::Release);
}

/// All modules, the last one first.
pub(super) fn modules() -> impl Iterator<Item = &'static Module> + Clone {
    let at = |pointer: &AtomicPtr<Module>| {
        // SAFETY: null, or what `add` placed in memory that stays.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    };
    core::iter::successors(at(&MODULES), move |module| at(&module.next))
}

/// The module that an address lies in.
pub(super) fn module_of(address: usize) -> Option<&'static Module> {
    modules().find(|module| module.range.contains(&address) && !module.is_gone())
}

/// A definition of a symbol.
pub(super) struct Definition {
    pub(super) symbol: Defined,
    /// Address in this process.
    pub(super) address: usize,
}

/// Modules that may define a symbol.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    All,
    /// All but those with the runtime, which stands before functions of the C library.
    Others,
}

/// The definition that the loader binds a symbol to that a module asks for; `None` if there is none, or if only
/// the loader knows which.
pub(super) fn find(by: &'static Module, wanted: &Wanted<'_>, among: Among) -> Option<Definition> {
    let hash = Hash::of(wanted.name);
    let may = |module: &&'static Module| {
        !module.is_gone() && (among == Among::All || module.is_program || !module.has_runtime)
    };
    if by.dynamic.is_symbolic {
        if let Some(own) = by.find(wanted, &hash) {
            return Some(own);
        }
    }
    let find = |module: &'static Module| module.find(wanted, &hash);
    // The list has the last module first.
    let first = modules().filter(may).filter(|module| module.is_first).filter_map(find).last();
    if by.is_first && first.is_some() {
        return first;
    }
    let mut later = modules().filter(may).filter(|module| !module.is_first).filter_map(find);
    match (first, later.next(), later.next()) {
        (first, None, _) => first,
        (None, only, None) => only,
        _ => None,
    }
}

//! The dynamic loader's list of modules, as debuggers see it.
//!
//! *Context:* startup, hook; `had_at_start` any; `changes` where `dlclose` may be called.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use gmon_interpose::Dynamic;

use crate::linux::c_library;
use crate::linux::program::Program;
use crate::linux::valgrind;

/// The loader's words to debuggers (`r_debug` of `link.h`).
#[repr(C)]
struct Debug {
    version: c_int,
    first: *const Link,
    breakpoint: usize,
    /// 0 unless modules are being added or removed.
    state: c_int,
}

/// A module in the list (`link_map` of `link.h`).
#[repr(C)]
pub struct Link {
    /// Distance of its addresses from those in its file.
    pub bias: usize,
    path: *const c_char,
    /// Address of its dynamic section.
    pub dynamic: usize,
    next: *const Link,
}

/// Changes of its list that the loader has made until now.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    /// Modules that were added.
    pub added: u64,
    /// Modules that were removed.
    pub removed: u64,
}

/// The loader's words about a module (`dl_phdr_info` of `link.h`).
#[repr(C)]
struct Info {
    bias: usize,
    path: *const c_char,
    headers: *const c_void,
    headers_len: u16,
    changes: [u64; 2],
}

/// The type of `dl_iterate_phdr`.
type Iterate = extern "C" fn(Visit, *mut c_void) -> c_int;
type Visit = extern "C" fn(&Info, usize, *mut c_void) -> c_int;

/// The changes of all lists that the loader has, if it tells. Waits for who changes them just now.
pub fn changes() -> Option<Changes> {
    extern "C" fn visit(info: &Info, len: usize, place: *mut c_void) -> c_int {
        if len >= size_of::<Info>() {
            let [added, removed] = info.changes;
            // SAFETY: the place that is passed below.
            unsafe { place.cast::<Changes>().write(Changes { added, removed }) };
        }
        // One is enough.
        1
    }
    let iterate = c_library::next_definition(c"dl_iterate_phdr")?;
    // SAFETY: the C library's function of this name has this type.
    let iterate = unsafe { core::mem::transmute::<*mut c_void, Iterate>(iterate.as_ptr()) };
    let mut changes = Changes::default();
    iterate(visit, (&raw mut changes).cast());
    (changes != Changes::default()).then_some(changes)
}

/// Modules that the list has at most.
const MOST: usize = 1 << 16;

/// The first and the last module that were there when the profile began.
static FIRST: AtomicPtr<Link> = AtomicPtr::new(null_mut());
static LAST: AtomicPtr<Link> = AtomicPtr::new(null_mut());

/// Notes which modules are there, before the program has loaded any itself.
pub fn begin() {
    let first = Program::get().and_then(first);
    let last = first.and_then(|first| links(first).last());
    if let (Some(first), Some(last), true) = (first, last, LAST.load(Ordering::Relaxed).is_null()) {
        FIRST.store(core::ptr::from_ref(first).cast_mut(), Ordering::Relaxed);
        LAST.store(core::ptr::from_ref(last).cast_mut(), Ordering::Release);
    }
}

/// Returns `true` of the program and of modules that were there when the profile began: `dlclose` unloads none of these.
pub fn had_at_start(bias: usize) -> bool {
    let last = LAST.load(Ordering::Acquire).cast_const();
    // SAFETY: null, or what `begin` has read. The loader keeps these entries, and adds others behind them.
    let at = |link: *const Link| unsafe { link.as_ref() };
    let behind = |link: &&'static Link| match core::ptr::eq(*link, last) {
        true => None,
        false => at(link.next),
    };
    let mut links = core::iter::successors(at(FIRST.load(Ordering::Relaxed)), behind);
    Program::get().is_some_and(|program| program.bias == bias)
        || links.any(|link| link.bias == bias)
}

/// The first module of the list, unless the loader is just about to change that.
pub fn first(program: &Program) -> Option<&'static Link> {
    let image = program.image()?;
    let debug = Dynamic::read(&image).ok()?.debug;
    readable(debug as *const Debug)
        .filter(|debug| debug.state == 0)
        .and_then(|debug| readable(debug.first))
}

/// A module and those behind it.
pub fn links(first: &'static Link) -> impl Iterator<Item = &'static Link> {
    core::iter::successors(Some(first), |link| readable(link.next)).take(MOST)
}

impl Link {
    /// Path that it was loaded by; empty for the program, and if it cannot be read.
    pub fn path(&self) -> &'static [u8] {
        if self.path.is_null() || !valgrind::is_readable(self.path as usize) {
            return b"";
        }
        // SAFETY: the loader's own copy of the path.
        unsafe { CStr::from_ptr(self.path) }.to_bytes()
    }
}

/// A value of the loader's, if it can be read.
fn readable<T>(place: *const T) -> Option<&'static T> {
    let first = place as usize;
    let last = first.checked_add(size_of::<T>() - 1)?;
    let is_there = first % align_of::<T>() == 0
        && !place.is_null()
        && valgrind::is_readable(first)
        && valgrind::is_readable(last);
    // SAFETY: readable at both ends, and smaller than a page. The loader keeps its entries as long as modules are
    // mapped.
    is_there.then(|| unsafe { &*place })
}

//! The contract between the runtime's core and a system, as far as it is about memory, the program and messages: the
//! compiler checks that each system has these.

use core::ops::Range;
use core::ptr::NonNull;

use gmon_format::live::Block;

use crate::message;
use crate::program::Program;
use crate::region::Region;

/// Shows one line made of these parts to the user. *Context:* any but a hook.
const _: fn(&[&[u8]]) = message::say;

// The program that is profiled: its load bias, the addresses of its code, its first address. *Context:* any;
// the first `get` is at startup.
const _: fn() -> Option<&'static Program> = Program::get;
const _: fn(&Program) -> (usize, &Range<usize>, usize) =
    |program| (program.bias, &program.text, program.entry);
/// Tells whether the runtime is linked into it, and not preloaded beside it.
const _: fn(&Program) -> bool = Program::has_runtime;

// Memory: zeroed, aligned to `ALIGNMENT`, never from the program's allocator. *Context:* any.
const _: usize = Region::ALIGNMENT;
/// Maps memory, or `None`.
const _: fn(usize) -> Option<Region> = Region::map;
/// Memory of the profile, which a forked child does not share. The block tells readers of a live file what
/// will lie there.
const _: fn(usize, &Block) -> Option<Region> = Region::map_for_process;
/// These bytes will soon be touched.
const _: fn(&Region, Range<usize>) = Region::populate;
const _: fn(&Region) -> NonNull<u8> = Region::base;
const _: fn(&Region) -> usize = Region::len;
/// Gives it back, if nobody else got hold of an address in it.
const _: unsafe fn(Region) = Region::unmap;

impl Region {
    /// Moves `value` to the region's start and lends it for ever.
    pub fn place<T>(self, value: T) -> &'static T {
        const { assert!(align_of::<T>() <= Self::ALIGNMENT) };
        debug_assert!(size_of::<T>() <= self.len());
        let place = self.base().cast::<T>();
        // SAFETY: the memory is aligned as T is, at least as large (asserted above; callers ask for
        // size_of::<T>() or more), nobody else knows its address and it is never given back.
        unsafe {
            place.write(value);
            place.as_ref()
        }
    }
}

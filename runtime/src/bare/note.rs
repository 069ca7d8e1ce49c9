//! A note in the board's memory, by which a reader of a copy finds what was counted (`gmon recover`).
//!
//! *Context:* startup.

use core::ptr::null_mut;
use core::sync::atomic::Ordering;

use gmon_format::live::MemoryNote;
use gmon_format::{Encoding, LoadedPc};
use gmon_system::atomic::AtomicPtr;
use gmon_system::board;
use gmon_system::program::Program;
use gmon_system::region::Region;

use crate::bare::threads;
use crate::{counts, histogram};

const LEN: usize = MemoryNote::len(Encoding::NATIVE.word);

/// Address of the note; null before it has a place.
static PLACE: AtomicPtr<u8> = AtomicPtr::new(null_mut());

/// Takes memory for it, before table and histogram take all there is.
pub(super) fn reserve() {
    if PLACE.load(Ordering::Relaxed).is_null() {
        let region = Region::map(LEN);
        let place = region.map_or(null_mut(), |region| region.base().as_ptr());
        PLACE.store(place, Ordering::Relaxed);
    }
}

/// Writes the note of the profile that begins, over that of the one before.
pub(super) fn write(program: &Program) {
    let place = PLACE.load(Ordering::Relaxed);
    let Some(table) = threads::table().filter(|_| !place.is_null()) else { return };
    let (arcs, arc_len) = table.extent();
    let histogram = histogram::current();
    let (bins_at, bin_bits) = histogram.map_or((0, 0), |histogram| histogram.place_of_bins());
    let note = MemoryNote {
        encoding: Encoding::NATIVE,
        placement: counts::placement(program),
        rate: board::ticks_per_second(),
        here: place as u64,
        arcs_at: table.address() as u64,
        arcs: arcs as u64,
        most_arcs: table.most() as u64,
        arc_len: arc_len as u8,
        bins_at: bins_at as u64,
        bins: histogram.map_or(0, |histogram| histogram.len().into()),
        low_pc: LoadedPc(histogram.map_or(0, |histogram| histogram.range().start as u64)),
        bin_bits: bin_bits as u8,
    };
    for (offset, byte) in note.encode().iter().take(LEN).enumerate() {
        // SAFETY: inside of the region of `reserve`, which is `LEN` bytes large and nobody else's. Volatile, because the
        // program itself never reads it.
        unsafe { place.add(offset).write_volatile(*byte) };
    }
}

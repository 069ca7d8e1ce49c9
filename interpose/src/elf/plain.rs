//! Values out of bytes, which may be anything: numbers, and records of numbers.

#[cfg(target_pointer_width = "32")]
pub use libc::{
    Elf32_Ehdr as ElfHeader, Elf32_Phdr as ProgramHeader, Elf32_Shdr as SectionHeader,
    Elf32_Sym as Symbol,
};
#[cfg(target_pointer_width = "64")]
pub use libc::{
    Elf64_Ehdr as ElfHeader, Elf64_Phdr as ProgramHeader, Elf64_Shdr as SectionHeader,
    Elf64_Sym as Symbol,
};

/// A record of numbers.
///
/// # Safety
/// Any bytes must make one, and all its bytes must be those of its numbers.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($record:ty),*) => {
        $(
            // SAFETY: numbers, each at a multiple of its size and without gaps, as the ELF specification lays them out.
            unsafe impl Plain for $record {}
        )*
    };
}
plain!(ElfHeader, ProgramHeader, SectionHeader, Symbol);

/// A record whose numbers are zero.
pub(super) fn zeroed<T: Plain>() -> T {
    // SAFETY: any bytes make one.
    unsafe { core::mem::zeroed() }
}

/// The bytes of records, to be filled.
pub(super) fn bytes_of<T: Plain>(values: &mut [T]) -> &mut [u8] {
    let len = size_of_val(values);
    // SAFETY: the values' own bytes, all of which are initialized, and which may become any others.
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), len) }
}

/// The record at an index of a table.
pub fn item<T: Plain>(table: &[u8], index: usize) -> Option<T> {
    let start = index.checked_mul(size_of::<T>())?;
    let bytes = table.get(start..)?.get(..size_of::<T>())?;
    let mut value = zeroed();
    let places = bytes_of(core::slice::from_mut(&mut value)).iter_mut();
    places.zip(bytes).for_each(|(place, byte)| *place = *byte);
    Some(value)
}

/// The number at a place among some bytes.
pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_ne_bytes)
}

/// The number at a place among some bytes.
pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_ne_bytes)
}

/// The number at a place among some bytes, as large as an address.
pub fn word_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().copied().map(usize::from_ne_bytes)
}

//! A module as the loader has mapped it: its segments, and their bytes by the addresses of its file.
//!
//! All reads are checked against the segments, so that a module with broken tables leads nowhere else.

use core::marker::PhantomData;
use core::ops::Range;

use arrayvec::ArrayVec;
use libc::{PF_W, PF_X, PT_DYNAMIC, PT_GNU_EH_FRAME, PT_GNU_RELRO, PT_LOAD};

#[cfg(all(test, target_pointer_width = "64"))]
use super::headers::Headers;
use super::plain::ProgramHeader;

/// Segments that a module has at most. Linkers make four or five.
const PARTS: usize = 24;

/// Part of the file that a segment takes.
#[derive(Clone)]
pub struct Part {
    /// The address in the file.
    pub start: usize,
    /// Its bytes in the file.
    pub len: usize,
    /// The address of its first byte in this process.
    place: usize,
    /// True if it can be executed.
    pub is_code: bool,
    is_writable: bool,
}

/// The segments of a module.
#[derive(Clone)]
pub struct Image<'m> {
    /// Amount that the loader adds to all addresses.
    pub bias: usize,
    /// Its segments.
    pub parts: ArrayVec<Part, PARTS>,
    /// The dynamic section, in the file's addresses.
    pub dynamic: Range<usize>,
    /// Memory that the loader makes read-only when it is done, in the file's addresses.
    pub relro: Range<usize>,
    /// The table that finds unwind rules, in the file's addresses.
    pub unwind: Range<usize>,
    memory: PhantomData<&'m [u8]>,
}

impl<'m> Image<'m> {
    /// The image with these headers; `None` if they are not those of a module.
    ///
    /// # Safety
    /// The loader must have mapped the module as the headers say, `bias` behind the file's addresses, and may not
    /// unmap it as long as the image is used. Nobody may write to its tables.
    #[inline(never)]
    pub unsafe fn loaded(headers: &[ProgramHeader], bias: usize) -> Option<Self> {
        Self::new(headers, bias, |header| Some(bias.wrapping_add(header.p_vaddr as usize)))
    }

    /// `place` says where the bytes of a segment are.
    fn new(
        headers: &[ProgramHeader],
        bias: usize,
        place: impl Fn(&ProgramHeader) -> Option<usize>,
    ) -> Option<Self> {
        let mut image = Self {
            bias,
            parts: ArrayVec::new(),
            dynamic: 0..0,
            relro: 0..0,
            unwind: 0..0,
            memory: PhantomData,
        };
        for header in headers {
            let start = header.p_vaddr as usize;
            let len = header.p_filesz as usize;
            match header.p_type {
                PT_LOAD => {
                    start.checked_add(len)?;
                    let part = Part {
                        start,
                        len,
                        place: place(header)?,
                        is_code: header.p_flags & PF_X != 0,
                        is_writable: header.p_flags & PF_W != 0,
                    };
                    part.place.checked_add(len)?;
                    image.parts.try_push(part).ok()?;
                }
                PT_DYNAMIC => image.dynamic = start..start.checked_add(len)?,
                PT_GNU_EH_FRAME => image.unwind = start..start.checked_add(len)?,
                PT_GNU_RELRO => {
                    image.relro = start..start.checked_add(header.p_memsz as usize)?;
                }
                _ => {}
            }
        }
        Some(image)
    }

    /// An address of the file that stands in a table: some loaders add the bias there.
    pub fn in_file(&self, address: usize) -> usize {
        if self.part(address).is_some() { address } else { address.wrapping_sub(self.bias) }
    }

    fn part(&self, address: usize) -> Option<&Part> {
        self.parts.iter().find(|part| address.wrapping_sub(part.start) < part.len)
    }

    /// The bytes from an address to the end of its segment.
    pub fn tail(&self, address: usize) -> Option<&'m [u8]> {
        let part = self.part(address)?;
        let offset = address.wrapping_sub(part.start);
        let place = part.place.wrapping_add(offset) as *const u8;
        // SAFETY: inside of a segment, which the caller of `loaded` says is there for 'm.
        Some(unsafe { core::slice::from_raw_parts(place, part.len - offset) })
    }

    /// Bytes at an address.
    pub fn bytes(&self, range: Range<usize>) -> Option<&'m [u8]> {
        if range.is_empty() {
            return Some(&[]);
        }
        self.tail(range.start)?.get(..range.end.checked_sub(range.start)?)
    }

    /// Address in this process of a word that code may be led by: in a segment that the loader can write
    /// to.
    pub fn slot(&self, address: usize) -> Option<usize> {
        let part = self.part(address).filter(|part| part.is_writable)?;
        let offset = address.wrapping_sub(part.start);
        let place = part.place.wrapping_add(offset);
        let fits = part.len - offset >= size_of::<usize>();
        (fits && place % size_of::<usize>() == 0).then_some(place)
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
impl<'m> Image<'m> {
    /// The image of a file, by its bytes: what is not in them is not there.
    pub fn of_file(file: &'m [u8]) -> Option<Self> {
        let headers = Headers::at(0, |place, at| {
            let bytes = file.get(at..)?.get(..place.len())?;
            place.copy_from_slice(bytes);
            Some(())
        })?;
        let place = |header: &ProgramHeader| {
            let start = header.p_offset as usize;
            Some(file.get(start..start.checked_add(header.p_filesz as usize)?)?.as_ptr() as usize)
        };
        Self::new(&headers, 0, place)
    }
}

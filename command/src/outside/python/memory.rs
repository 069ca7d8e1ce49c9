//! Memory of a process that goes on: its stack as a sample has it, and the rest as it is now.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

use gmon_unwind::Memory as _;

/// Memory of a process, for one sample.
#[derive(Debug)]
pub(super) struct Memory<'s> {
    memory: &'s File,
    /// The stack from this address on.
    stack: (u64, &'s [u8]),
    pages: &'s mut Pages,
    /// True if the stack is read as it is now, too.
    pub(super) is_present: bool,
    /// Reads that are still answered.
    left: u32,
}

/// Pages that were read for a sample.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// Places of their bytes, or [`NOWHERE`] of those that cannot be read. All maps here are of one type: it is compiled once.
    places: BTreeMap<u64, u64>,
    bytes: Vec<u8>,
    /// Bytes that are in use.
    len: usize,
    /// The page that was asked for last.
    last: (u64, usize),
}

/// Place of a page that cannot be read.
const NOWHERE: u64 = u64::MAX;

/// Unit of reads. Pages are never smaller.
const PAGE: usize = 4096;

/// The most pages that are read at once, and reads for a sample: whoever has lists without an end gets no more.
const MOST: usize = 1024;
const MOST_READS: u32 = 1 << 16;

impl<'s> Memory<'s> {
    /// Begins a sample.
    pub(super) fn new(memory: &'s File, stack: (u64, &'s [u8]), pages: &'s mut Pages) -> Self {
        let mut memory = Self { memory, stack, pages, is_present: false, left: MOST_READS };
        memory.read_again();
        memory
    }

    /// Has all that is asked for from now on be read again.
    pub(super) fn read_again(&mut self) {
        self.pages.places.clear();
        self.pages.len = 0;
        self.pages.last = (0, 0);
    }

    /// Words of the stack as the sample has it, between two addresses.
    pub(super) fn copied(&self, from: u64, to: u64) -> impl Iterator<Item = u64> + use<'s> {
        let (start, stack) = self.stack;
        let at = |address: u64| {
            usize::try_from(address.saturating_sub(start)).unwrap_or(usize::MAX).min(stack.len())
        };
        let words = stack.get(at(from)..at(to)).unwrap_or_default().chunks_exact(size_of::<u64>());
        words.map(|word| word.try_into().map_or(0, u64::from_ne_bytes))
    }

    /// Returns `true` if the sample has the stack up to an address.
    pub(super) fn has(&self, end: u64) -> bool {
        end <= self.stack.0.saturating_add(self.stack.1.len() as u64)
    }

    /// Returns `true` if the stack between two addresses is as it was.
    pub(super) fn stays(&mut self, from: u64, to: u64) -> bool {
        let copied = self.copied(from, to);
        self.is_present = true;
        let mut pairs = copied.zip((from..).step_by(size_of::<u64>()));
        let stays = pairs.all(|(word, at)| self.bytes(at).map(u64::from_ne_bytes) == Some(word));
        self.is_present = false;
        stays && self.has(to)
    }

    fn page(&mut self, page: u64) -> Option<&[u8]> {
        let Pages { places, bytes, len, last } = &mut *self.pages;
        if last.0 != page || page == 0 {
            let place = match places.get(&page) {
                Some(&NOWHERE) => return None,
                Some(place) => *place as usize,
                None if places.len() == MOST => return None,
                None => {
                    let place = *len;
                    *len += PAGE;
                    bytes.resize(bytes.len().max(*len), 0);
                    let read = self.memory.read_exact_at(&mut bytes[place..*len], page);
                    places.insert(page, if read.is_ok() { place as u64 } else { NOWHERE });
                    read.ok()?;
                    place
                }
            };
            *last = (page, place);
        }
        bytes.get(last.1..last.1 + PAGE)
    }
}

impl gmon_unwind::Memory for Memory<'_> {
    fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]> {
        self.left = self.left.checked_sub(1)?;
        let (start, stack) = self.stack;
        let at = address.checked_sub(start).filter(|_| !self.is_present);
        let at = at.and_then(|at| usize::try_from(at).ok());
        if let Some(bytes) = at.and_then(|at| stack.get(at..)?.first_chunk()) {
            return Some(*bytes);
        }
        let place = (address % PAGE as u64) as usize;
        let page = address - place as u64;
        let first = self.page(page)?.get(place..)?;
        if let Some(bytes) = first.first_chunk() {
            return Some(*bytes);
        }
        let mut bytes = [0; LEN];
        let len = first.len();
        bytes[..len].copy_from_slice(first);
        let next = self.page(page.checked_add(PAGE as u64)?)?;
        bytes[len..].copy_from_slice(next.get(..LEN - len)?);
        Some(bytes)
    }
}

//! Parts of a stack beyond the copy that came with a sample.
//!
//! They are read from the process, which has gone on meanwhile. Callers far out return seldom, so their part of the stack is as it
//! was; that the end of the copy is unchanged shows it: a caller that had returned would have left other frames there.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Bytes at the end of a copy that must be unchanged.
const COMPARED: usize = 512;

/// Bytes that are read at once.
const PART: usize = 16 << 10;

/// The furthest that is read, in bytes from the end of the copy: stacks are seldom longer.
const FURTHEST: u64 = 64 << 20;

/// The part of a stack that was not copied.
#[derive(Debug)]
pub(super) struct Beyond<'s> {
    memory: Option<&'s File>,
    copy: &'s [u8],
    /// End of the copy.
    start: u64,
    is_unchanged: Option<bool>,
    /// Bytes that were read last, and their address.
    part: Vec<u8>,
    part_start: u64,
}

impl<'s> Beyond<'s> {
    /// Of the memory of a process, if we may read it, and the copy of a stack from this address on.
    pub(super) fn new(memory: Option<&'s File>, stack_pointer: u64, copy: &'s [u8]) -> Self {
        let start = stack_pointer.saturating_add(copy.len() as u64);
        Self { memory, copy, start, is_unchanged: None, part: Vec::new(), part_start: 0 }
    }

    /// Bytes at an address; `None` if it does not lie there, or if the stack is another by now.
    pub(super) fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]> {
        let above = address.checked_add(LEN as u64)?.checked_sub(self.start)?;
        if above == 0 || above > FURTHEST || !self.is_unchanged() {
            return None;
        }
        if let Some(known) = self.known(address) {
            return Some(known);
        }
        self.part.resize(PART, 0);
        let len = self.memory?.read_at(&mut self.part, address).unwrap_or(0);
        self.part.truncate(len);
        self.part_start = address;
        self.known(address)
    }

    fn known<const LEN: usize>(&self, address: u64) -> Option<[u8; LEN]> {
        let at = usize::try_from(address.checked_sub(self.part_start)?).ok()?;
        self.part.get(at..)?.first_chunk().copied()
    }

    /// True if the end of the copy is as it was.
    fn is_unchanged(&mut self) -> bool {
        let &mut Self { memory, copy, start, .. } = self;
        *self.is_unchanged.get_or_insert_with(|| {
            let copied = &copy[copy.len().saturating_sub(COMPARED)..];
            let mut now = [0; COMPARED];
            let now = &mut now[..copied.len()];
            let at = start - copied.len() as u64;
            let is_read = memory.is_some_and(|memory| memory.read_exact_at(now, at).is_ok());
            is_read && !copied.is_empty() && now == copied
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack of our own, of which this much was copied.
    fn stack(copied: usize) -> (Vec<u8>, Vec<u8>) {
        let stack: Vec<u8> = (0..3 * PART).map(|n| (n % 251) as u8).collect();
        let copy = stack[..copied].to_vec();
        (stack, copy)
    }

    #[test]
    fn what_was_not_copied_is_read() {
        let memory = File::open("/proc/self/mem").expect("our memory");
        let (stack, copy) = stack(1000);
        let address = stack.as_ptr() as u64;
        let mut beyond = Beyond::new(Some(&memory), address, &copy);
        for at in [1000, 998, 1001, PART, 2 * PART - 3, 3 * PART - 8, 1500] {
            let bytes: Option<[u8; 8]> = beyond.bytes(address + at as u64);
            assert_eq!(bytes.as_ref().map(|it| &it[..]), stack.get(at..at + 8), "{at}");
        }
        let none = |bytes: Option<[u8; 8]>| assert_eq!(bytes, None);
        none(beyond.bytes(address + 992));
        none(beyond.bytes(address.wrapping_sub(8)));
        none(beyond.bytes(address + FURTHEST + 1000));
        none(beyond.bytes(u64::MAX - 3));
        none(beyond.bytes(0));
    }

    #[test]
    fn a_stack_that_has_changed_or_may_not_be_read_is_left_alone() {
        let memory = File::open("/proc/self/mem").expect("our memory");
        let (stack, mut copy) = stack(1000);
        let address = stack.as_ptr() as u64;
        let read = |memory, copy: &[u8]| -> Option<[u8; 8]> {
            Beyond::new(memory, address, copy).bytes(address + 1000)
        };
        assert!(read(Some(&memory), &copy).is_some());
        assert_eq!(read(None, &copy), None);
        assert_eq!(read(Some(&memory), &[]), None);
        // What lies further in may change.
        copy[1000 - COMPARED - 1] ^= 1;
        assert!(read(Some(&memory), &copy).is_some());
        copy[1000 - COMPARED] ^= 1;
        assert_eq!(read(Some(&memory), &copy), None);
    }
}

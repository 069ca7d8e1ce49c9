//! Numbers at addresses, of an interpreter on a 64-bit processor of this one's byte order.

use gmon_unwind::Memory;

pub(crate) fn word(memory: &mut impl Memory, address: u64) -> Option<u64> {
    memory.bytes(address).map(u64::from_ne_bytes)
}

/// The address at an address; `None` for null, too.
pub(crate) fn pointer(memory: &mut impl Memory, address: u64) -> Option<u64> {
    word(memory, address).filter(|pointer| *pointer != 0)
}

pub(crate) fn half(memory: &mut impl Memory, address: u64) -> Option<u32> {
    memory.bytes(address).map(u32::from_ne_bytes)
}

pub(crate) fn byte(memory: &mut impl Memory, address: u64) -> Option<u8> {
    memory.bytes(address).map(|[byte]| byte)
}

/// Bytes one after the other, which are fetched eight at a time where they can be.
pub(crate) struct Bytes<'m, M> {
    memory: &'m mut M,
    at: u64,
    end: u64,
    fetched: [u8; 8],
    left: usize,
}

impl<'m, M: Memory> Bytes<'m, M> {
    pub(crate) fn new(memory: &'m mut M, at: u64, len: u64) -> Self {
        Self { memory, at, end: at.saturating_add(len), fetched: [0; 8], left: 0 }
    }
}

impl<M: Memory> Iterator for Bytes<'_, M> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.left == 0 {
            let room = self.end.saturating_sub(self.at);
            match room {
                0 => return None,
                1..8 => {
                    let byte = byte(self.memory, self.at)?;
                    self.at += 1;
                    return Some(byte);
                }
                _ => {
                    self.fetched = self.memory.bytes(self.at)?;
                    self.at += 8;
                    self.left = 8;
                }
            }
        }
        let byte = self.fetched.get(8 - self.left).copied();
        self.left -= 1;
        byte
    }
}

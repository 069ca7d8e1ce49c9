//! Memory that may not be there: a stack may be damaged, and what looks like an address in it need not be one.

use crate::processor::{Array, Processor, Registers};
use crate::word::Word;

/// The memory of the process whose stack is walked: of this one, or a copy of another's.
pub trait Memory {
    /// The bytes at an address; `None` if one of them cannot be read. There are never more than eight.
    ///
    /// A walk in a signal handler gets here with any address at all, so an implementation for living memory has to ask the
    /// kernel before it reads.
    fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]>;

    /// Says that what is read from now on may be anybody's memory, as the walk guesses where rules are missing. Another thread can
    /// unmap such a page between the kernel's answer and the read.
    fn doubt(&mut self) {}

    /// The word at an address, as the processor orders its bytes.
    fn word<P: Processor>(&mut self, address: P::Word) -> Option<P::Word> {
        Some(P::Word::of(if P::Word::SIZE == size_of::<u64>() {
            P::u64(self.bytes(address.get())?)
        } else {
            P::u32(self.bytes(address.get())?).into()
        }))
    }

    /// The words at these addresses, if all of them can be read.
    fn words<P: Processor, const N: usize>(
        &mut self,
        addresses: [P::Word; N],
    ) -> Option<[P::Word; N]> {
        let mut words = addresses;
        for word in &mut words {
            *word = self.word::<P>(*word)?;
        }
        Some(words)
    }

    /// The registers that lie at these addresses, if all of them can be read.
    fn registers<P: Processor>(
        &mut self,
        address: impl FnMut(usize) -> P::Word,
    ) -> Option<Registers<P>> {
        let mut words = Registers::<P>::from_fn(address);
        for word in words.as_mut() {
            *word = self.word::<P>(*word)?;
        }
        Some(words)
    }
}

/// A copy of some of a process's memory: of its stack, say, or of a segment of code.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'b> {
    /// The address that its first byte has in the process.
    pub address: u64,
    /// The copy.
    pub bytes: &'b [u8],
}

/// The pieces of memory that were copied; there is no other.
impl Memory for &[Piece<'_>] {
    fn bytes<const LEN: usize>(&mut self, address: u64) -> Option<[u8; LEN]> {
        self.iter().find_map(|piece| {
            let at = usize::try_from(address.checked_sub(piece.address)?).ok()?;
            piece.bytes.get(at..)?.first_chunk().copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{S390x, X86, X86_64};

    #[test]
    fn pieces_are_read_where_they_are() {
        let (low, high) = ([1, 2, 3, 4, 5, 6, 7, 8, 9], [7; 4]);
        let pieces = [(0x1000, &low[..]), (u64::MAX - 3, &high[..])];
        let pieces = pieces.map(|(address, bytes)| Piece { address, bytes });
        let mut memory = &pieces[..];
        assert_eq!(memory.bytes(0x1001), Some([2, 3]));
        assert_eq!(memory.word::<X86_64>(0x1001), Some(0x0908_0706_0504_0302));
        assert_eq!(memory.word::<S390x>(0x1000), Some(0x0102_0304_0506_0708));
        assert_eq!(memory.word::<X86>(0x1005), Some(0x0908_0706));
        assert_eq!(memory.bytes(u64::MAX - 3), Some([7; 4]));
        for address in [0, 0xfff, 0x1002, 0x1009, u64::MAX - 2, u64::MAX] {
            assert_eq!(memory.word::<X86_64>(address), None, "{address:#x}");
        }
        assert_eq!(memory.words::<X86, 2>([0x1000, 0x1007]), None);
    }
}

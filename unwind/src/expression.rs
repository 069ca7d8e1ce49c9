//! DWARF's expressions, as far as unwind rules use them.

use crate::bytes::Bytes;
use crate::memory::Memory;
use crate::processor::Processor;
use crate::word::Word;

/// Room for values. What compilers write needs three.
const STACK: usize = 16;

/// Operations that an expression may take: it may have jumps.
const OPERATIONS: usize = 256;

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The expression makes no sense, or has what is not known here.
    Senseless,
    /// Reads what cannot be read.
    Unreadable,
    /// Needs a register whose value is not known.
    RegisterLost,
}

/// The value of an expression, which begins with `first` on its stack. `register` knows the values of the
/// registers.
#[inline(never)]
pub fn evaluate<P: Processor>(
    expression: &[u8],
    first: Option<P::Word>,
    register: impl Fn(usize) -> Option<P::Word>,
    memory: &mut impl Memory,
) -> Result<P::Word, Failure> {
    // Nothing in it depends on where it lies.
    let all = Bytes::<P>::of(P::Word::default(), expression);
    let mut machine = Machine { all, code: all, stack: [P::Word::default(); STACK], len: 0 };
    if let Some(first) = first {
        machine.push(first).ok_or(Failure::Senseless)?;
    }
    for _ in 0..OPERATIONS {
        if machine.code.is_empty() {
            return machine.pop().ok_or(Failure::Senseless);
        }
        machine.step(&register, memory)?;
    }
    Err(Failure::Senseless)
}

struct Machine<'e, P: Processor> {
    all: Bytes<'e, P>,
    code: Bytes<'e, P>,
    stack: [P::Word; STACK],
    len: usize,
}

impl<P: Processor> Machine<'_, P> {
    fn push(&mut self, value: P::Word) -> Option<()> {
        *self.stack.get_mut(self.len)? = value;
        self.len += 1;
        Some(())
    }

    fn pop(&mut self) -> Option<P::Word> {
        self.len = self.len.checked_sub(1)?;
        self.stack.get(self.len).copied()
    }

    /// The value that lies so many below the last.
    fn pick(&self, depth: usize) -> Option<P::Word> {
        let index = self.len.checked_sub(depth)?.checked_sub(1)?;
        self.stack.get(index).copied()
    }

    fn step(
        &mut self,
        register: &impl Fn(usize) -> Option<P::Word>,
        memory: &mut impl Memory,
    ) -> Result<(), Failure> {
        let operation = self.code.u8().ok_or(Failure::Senseless)?;
        match operation {
            // deref
            0x06 => {
                let address = self.pop().ok_or(Failure::Senseless)?;
                let value = memory.word::<P>(address).ok_or(Failure::Unreadable)?;
                self.push(value).ok_or(Failure::Senseless)
            }
            // deref_size
            0x94 => {
                let size = self.code.u8().ok_or(Failure::Senseless)?;
                let address = self.pop().ok_or(Failure::Senseless)?.get();
                let value: Option<u64> = match size {
                    1 => memory.bytes(address).map(|[byte]| byte.into()),
                    2 => memory.bytes(address).map(|bytes| P::u16(bytes).into()),
                    4 => memory.bytes(address).map(|bytes| P::u32(bytes).into()),
                    8 => memory.bytes(address).map(P::u64),
                    _ => return Err(Failure::Senseless),
                };
                let value = P::Word::of(value.ok_or(Failure::Unreadable)?);
                self.push(value).ok_or(Failure::Senseless)
            }
            // breg0 to breg31, bregx
            0x70..=0x8f | 0x92 => {
                let number = match operation {
                    0x92 => self.code.index().ok_or(Failure::Senseless)?,
                    _ => usize::from(operation - 0x70),
                };
                let offset = self.code.signed().ok_or(Failure::Senseless)?;
                let value = register(number).ok_or(Failure::RegisterLost)?;
                self.push(value.plus(offset)).ok_or(Failure::Senseless)
            }
            _ => self.compute(operation).ok_or(Failure::Senseless),
        }
    }

    /// An operation that needs nothing but the stack.
    #[inline(never)]
    fn compute(&mut self, operation: u8) -> Option<()> {
        let value = match operation {
            // addr
            0x03 => self.code.word()?,
            // const1u, 1s, 2u, 2s, 4u, 4s, 8u, 8s, constu, consts
            0x08 => P::Word::of(self.code.u8()?.into()),
            0x09 => P::Word::of(self.code.u8()? as i8 as u64),
            0x0a => P::Word::of(self.code.u16()?.into()),
            0x0b => P::Word::of(self.code.u16()? as i16 as u64),
            0x0c => P::Word::of(self.code.u32()?.into()),
            0x0d => P::Word::of(self.code.u32()? as i32 as u64),
            0x0e | 0x0f => P::Word::of(self.code.u64()?),
            0x10 => self.code.unsigned()?,
            0x11 => self.code.signed()?,
            // dup, over, pick
            0x12 => self.pick(0)?,
            0x14 => self.pick(1)?,
            0x15 => {
                let depth = self.code.u8()?;
                self.pick(depth.into())?
            }
            // drop, nop
            0x13 => return self.pop().map(|_| ()),
            0x96 => return Some(()),
            // swap
            0x16 => {
                let (last, other) = (self.pop()?, self.pop()?);
                self.push(last)?;
                other
            }
            // rot
            0x17 => {
                let (first, second, third) = (self.pop()?, self.pop()?, self.pop()?);
                self.push(first)?;
                self.push(third)?;
                second
            }
            // abs, neg, not, plus_uconst
            0x19 => P::Word::of(self.pop()?.signed().unsigned_abs()),
            0x1f => P::Word::default().minus(self.pop()?),
            0x20 => P::Word::of(!self.pop()?.get()),
            0x23 => {
                let more = self.code.unsigned()?;
                self.pop()?.plus(more)
            }
            // lit0 to lit31
            0x30..=0x4f => P::Word::of((operation - 0x30).into()),
            // bra, skip
            0x28 | 0x2f => {
                let distance = self.code.u16()? as i16;
                if operation == 0x2f || self.pop()? != P::Word::default() {
                    self.code = self.all.at(self.code.address().moved(distance.into()))?;
                }
                return Some(());
            }
            _ => {
                let (b, a) = (self.pop()?, self.pop()?);
                combine(operation, a, b)?
            }
        };
        self.push(value)
    }
}

/// An operation on the two last values.
fn combine<W: Word>(operation: u8, a: W, b: W) -> Option<W> {
    let (number_a, number_b) = (a.get(), b.get());
    let (signed_a, signed_b) = (a.signed(), b.signed());
    // Farther than all bits is as far as all of them.
    let shift = number_b.min(W::BITS.into()) as u32;
    let is = |holds: bool| W::of(holds.into());
    Some(match operation {
        0x1a => W::of(number_a & number_b),
        0x1b => a.divided(b)?,
        0x1c => a.minus(b),
        0x1d => W::of(number_a.checked_rem(number_b)?),
        0x1e => W::of(number_a.wrapping_mul(number_b)),
        0x21 => W::of(number_a | number_b),
        0x22 => a.plus(b),
        0x24 => W::of(number_a.checked_shl(shift).unwrap_or(0)),
        0x25 => W::of(number_a.checked_shr(shift).unwrap_or(0)),
        0x26 => W::of((signed_a >> shift.min(W::BITS - 1)) as u64),
        0x27 => W::of(number_a ^ number_b),
        0x29 => is(a == b),
        0x2a => is(signed_a >= signed_b),
        0x2b => is(signed_a > signed_b),
        0x2c => is(signed_a <= signed_b),
        0x2d => is(signed_a < signed_b),
        0x2e => is(a != b),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Piece;
    use crate::{S390x, X86, X86_64};

    fn value<P: Processor>(expression: &[u8]) -> Result<u64, Failure> {
        let register = |number| (number != 3).then_some(P::Word::of(1000 + number as u64));
        let memory = [Piece { address: 0x1000, bytes: &[1, 2, 3, 4, 5, 6, 7, 8] }];
        let first = Some(P::Word::of(5));
        evaluate::<P>(expression, first, register, &mut &memory[..]).map(Word::get)
    }

    #[test]
    fn expressions_have_the_values_of_the_standard() {
        for (expression, expected) in [
            (&b""[..], Ok(5)),
            // breg7 8; breg16 0; lit15; and; lit11; ge; lit3; shl; plus: what PLT stubs have
            (b"\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22", Ok(1015)),
            (b"\x08\x10\x1e", Ok(80)),
            (b"\x09\xff\x22", Ok(4)),
            (b"\x10\x80\x01\x1c", Ok(5u64.wrapping_sub(128))),
            (b"\x12\x22\x23\x07", Ok(17)),
            // lit1; bra over the next; lit31; lit2
            (b"\x31\x28\x01\0\x4f\x32", Ok(2)),
            (b"\x31\x32\x33\x17", Ok(2)),
            (b"\x31\x16\x13", Ok(1)),
            (b"\x73\x00", Err(Failure::RegisterLost)),
            (b"\x30\x06", Err(Failure::Unreadable)),
            (b"\x13\x13", Err(Failure::Senseless)),
            (b"\x30\x1b", Err(Failure::Senseless)),
            (b"\xe0", Err(Failure::Senseless)),
            // A loop.
            (b"\x2f\xfd\xff", Err(Failure::Senseless)),
            (b"\x12\x2f\xfc\xff", Err(Failure::Senseless)),
        ] {
            assert_eq!(value::<X86_64>(expression), expected, "{expression:x?}");
        }
    }

    #[test]
    fn words_are_those_of_the_processor() {
        for (expression, wide, narrow) in [
            // const2u 0x1000; deref
            (&b"\x0a\0\x10\x06"[..], 0x0807_0605_0403_0201, 0x0403_0201),
            (b"\x0a\0\x10\x94\x02", 0x0201, 0x0201),
            // lit0; lit1; minus; lit4; shr
            (b"\x30\x31\x1c\x34\x25", u64::MAX >> 4, 0x0fff_ffff),
            // lit0; lit1; minus; const1u 40; shra
            (b"\x30\x31\x1c\x08\x28\x26", u64::MAX, 0xffff_ffff),
            // lit1; const1u 32; shl
            (b"\x31\x08\x20\x24", 1 << 32, 0),
            // lit16; neg; lit5; div
            (b"\x40\x1f\x35\x1b", 3u64.wrapping_neg(), 0xffff_fffd),
            // lit0; const4u 0x80000000; lt
            (b"\x30\x0c\0\0\0\x80\x2d", 1, 0),
        ] {
            assert_eq!(value::<X86_64>(expression), Ok(wide), "{expression:x?}");
            assert_eq!(value::<X86>(expression), Ok(narrow), "{expression:x?}");
        }
        assert_eq!(value::<S390x>(b"\x0a\x10\0\x94\x04"), Ok(0x0102_0304));
    }

    #[test]
    fn any_bytes_end() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let bytes: std::vec::Vec<u8> = (0..random.usize(..40)).map(|_| random.u8(..)).collect();
            _ = value::<X86_64>(&bytes);
            _ = value::<X86>(&bytes);
        }
    }
}

//! DWARF's expressions, as far as unwind rules use them.
//!
//! *Context:* signal.

use super::bytes::Bytes;
use super::memory::Memory;

/// Room for values. What compilers write needs three.
const STACK: usize = 16;

/// Operations that an expression may take: it may have jumps.
const OPERATIONS: usize = 256;

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The expression makes no sense, or has what is not known here.
    Senseless,
    /// It reads what cannot be read.
    Unreadable,
    /// It needs a register whose value is not known.
    RegisterLost,
}

/// The value of an expression, which begins with `first` on its stack. `register` knows the values of the
/// registers.
#[inline(never)]
pub(super) fn evaluate(
    expression: &'static [u8],
    first: Option<usize>,
    register: impl Fn(usize) -> Option<usize>,
    memory: &mut Memory,
) -> Result<usize, Failure> {
    let mut machine = Machine {
        all: Bytes::new(expression),
        code: Bytes::new(expression),
        stack: [0; STACK],
        len: 0,
    };
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

struct Machine {
    all: Bytes<'static>,
    code: Bytes<'static>,
    stack: [usize; STACK],
    len: usize,
}

impl Machine {
    fn push(&mut self, value: usize) -> Option<()> {
        *self.stack.get_mut(self.len)? = value;
        self.len += 1;
        Some(())
    }

    fn pop(&mut self) -> Option<usize> {
        self.len = self.len.checked_sub(1)?;
        self.stack.get(self.len).copied()
    }

    /// The value that lies so many below the last.
    fn pick(&self, depth: usize) -> Option<usize> {
        let index = self.len.checked_sub(depth)?.checked_sub(1)?;
        self.stack.get(index).copied()
    }

    fn step(
        &mut self,
        register: &impl Fn(usize) -> Option<usize>,
        memory: &mut Memory,
    ) -> Result<(), Failure> {
        let operation = self.code.u8().ok_or(Failure::Senseless)?;
        match operation {
            // deref
            0x06 => {
                let address = self.pop().ok_or(Failure::Senseless)?;
                let value = memory.word(address).ok_or(Failure::Unreadable)?;
                self.push(value).ok_or(Failure::Senseless)
            }
            // deref_size
            0x94 => {
                let size = self.code.u8().ok_or(Failure::Senseless)?;
                let address = self.pop().ok_or(Failure::Senseless)?;
                let value = match size {
                    1 => memory.bytes(address).map(|bytes| u8::from_ne_bytes(bytes).into()),
                    2 => memory.bytes(address).map(|bytes| u16::from_ne_bytes(bytes).into()),
                    4 => memory.bytes(address).map(|bytes| u32::from_ne_bytes(bytes) as usize),
                    8 => memory.bytes(address).map(|bytes| u64::from_ne_bytes(bytes) as usize),
                    _ => return Err(Failure::Senseless),
                };
                self.push(value.ok_or(Failure::Unreadable)?).ok_or(Failure::Senseless)
            }
            // breg0 to breg31, bregx
            0x70..=0x8f | 0x92 => {
                let number = match operation {
                    0x92 => self.code.unsigned().ok_or(Failure::Senseless)?,
                    _ => usize::from(operation - 0x70),
                };
                let offset = self.code.signed().ok_or(Failure::Senseless)?;
                let value = register(number).ok_or(Failure::RegisterLost)?;
                self.push(value.wrapping_add_signed(offset)).ok_or(Failure::Senseless)
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
            0x08 => self.code.u8()?.into(),
            0x09 => self.code.u8()? as i8 as usize,
            0x0a => self.code.u16()?.into(),
            0x0b => self.code.u16()? as i16 as usize,
            0x0c => self.code.u32()? as usize,
            0x0d => self.code.u32()? as i32 as usize,
            0x0e | 0x0f => self.code.u64()? as usize,
            0x10 => self.code.unsigned()?,
            0x11 => self.code.signed()? as usize,
            // dup, over, pick
            0x12 => self.pick(0)?,
            0x14 => self.pick(1)?,
            0x15 => {
                let depth = self.code.u8()?;
                self.pick(depth.into())?
            }
            // drop, nop
            0x13 => return self.pop().map(drop),
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
            0x19 => (self.pop()? as isize).unsigned_abs(),
            0x1f => self.pop()?.wrapping_neg(),
            0x20 => !self.pop()?,
            0x23 => {
                let more = self.code.unsigned()?;
                self.pop()?.wrapping_add(more)
            }
            // lit0 to lit31
            0x30..=0x4f => usize::from(operation - 0x30),
            // bra, skip
            0x28 | 0x2f => {
                let distance = self.code.u16()? as i16;
                if operation == 0x2f || self.pop()? != 0 {
                    let target = self.code.address().wrapping_add_signed(distance.into());
                    self.code = self.all.at(target)?;
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
fn combine(operation: u8, a: usize, b: usize) -> Option<usize> {
    let (signed_a, signed_b) = (a as isize, b as isize);
    let shift = u32::try_from(b).unwrap_or(u32::MAX);
    Some(match operation {
        0x1a => a & b,
        0x1b => signed_a.checked_div(signed_b)? as usize,
        0x1c => a.wrapping_sub(b),
        0x1d => a.checked_rem(b)?,
        0x1e => a.wrapping_mul(b),
        0x21 => a | b,
        0x22 => a.wrapping_add(b),
        0x24 => a.checked_shl(shift).unwrap_or(0),
        0x25 => a.checked_shr(shift).unwrap_or(0),
        0x26 => signed_a.checked_shr(shift).unwrap_or(signed_a >> (usize::BITS - 1)) as usize,
        0x27 => a ^ b,
        0x29 => (a == b).into(),
        0x2a => (signed_a >= signed_b).into(),
        0x2b => (signed_a > signed_b).into(),
        0x2c => (signed_a <= signed_b).into(),
        0x2d => (signed_a < signed_b).into(),
        0x2e => (a != b).into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(expression: &'static [u8]) -> Result<usize, Failure> {
        let register = |number| (number != 3).then_some(1000 + number);
        evaluate(expression, Some(5), register, &mut Memory::new())
    }

    #[test]
    fn expressions_have_the_values_of_the_standard() {
        // How far jumps go, as the processor orders bytes.
        const ONE: [u8; 2] = 1i16.to_ne_bytes();
        const BACK_3: [u8; 2] = (-3i16).to_ne_bytes();
        const BACK_4: [u8; 2] = (-4i16).to_ne_bytes();
        for (expression, expected) in [
            (&b""[..], Ok(5)),
            // breg7 8; breg16 0; lit15; and; lit11; ge; lit3; shl; plus: what PLT stubs have
            (b"\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22", Ok(1015)),
            (b"\x08\x10\x1e", Ok(80)),
            (b"\x09\xff\x22", Ok(4)),
            (b"\x10\x80\x01\x1c", Ok(5usize.wrapping_sub(128))),
            (b"\x12\x22\x23\x07", Ok(17)),
            // lit1; bra over the next; lit31; lit2
            (&[0x31, 0x28, ONE[0], ONE[1], 0x4f, 0x32], Ok(2)),
            (b"\x31\x32\x33\x17", Ok(2)),
            (b"\x31\x16\x13", Ok(1)),
            (b"\x73\x00", Err(Failure::RegisterLost)),
            (b"\x30\x06", Err(Failure::Unreadable)),
            (b"\x13\x13", Err(Failure::Senseless)),
            (b"\x30\x1b", Err(Failure::Senseless)),
            (b"\xe0", Err(Failure::Senseless)),
            // A loop.
            (&[0x2f, BACK_3[0], BACK_3[1]], Err(Failure::Senseless)),
            (&[0x12, 0x2f, BACK_4[0], BACK_4[1]], Err(Failure::Senseless)),
        ] {
            assert_eq!(value(expression), expected, "{expression:x?}");
        }
    }

    #[test]
    fn any_bytes_end() {
        let mut state = 1u64;
        for _ in 0..20_000 {
            let bytes: std::vec::Vec<u8> = (0..state as usize % 40)
                .map(|_| {
                    state =
                        state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (state >> 40) as u8
                })
                .collect();
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >>= 3;
            _ = value(std::boxed::Box::leak(bytes.into_boxed_slice()));
        }
    }
}

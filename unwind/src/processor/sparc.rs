//! SPARC of both widths.
//!
//! Functions keep their registers in windows, which the processor saves to the stack by itself, always in the same
//! order. So every frame that has a window tells of its caller, whatever rules say.

use core::marker::PhantomData;

use super::{Call, Processor, Registers, Windows};
use crate::memory::Memory;
use crate::word::Word;

/// SPARC with words of some width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnySparc<W>(PhantomData<W>);

/// SPARC with addresses of 32 bits.
pub type Sparc = AnySparc<u32>;

/// SPARC with addresses of 64 bits.
pub type Sparc64 = AnySparc<u64>;

impl<W: Word> Processor for AnySparc<W> {
    type Word = W;
    type Each<T: Copy> = [T; 33];
    /// DWARF's numbers of registers: global ones, outs, locals and ins. The program counter has none of its own.
    const REGISTERS: usize = 33;
    const STACK_POINTER: usize = 14;
    const FRAME_POINTER: usize = Windows::FRAME_POINTER;
    const RETURN_ADDRESS: usize = 32;
    const LINK: Option<usize> = Some(Windows::LINK);
    const IS_BIG_ENDIAN: bool = true;
    /// What is kept of a call is its own address.
    const CALL_OFFSET: usize = 0;
    /// Distance of the stack pointer below the stack.
    const WINDOWS: Option<Windows> = Some(Windows { bias: if Self::IS_WIDE { 2047 } else { 0 } });

    /// A handler's third argument points to the `pt_regs`, or to what lies right before them. The window was put there by
    /// the processor, if it was made to (`flushw`).
    fn in_context(register: usize) -> Option<isize> {
        let state = if Self::IS_WIDE { INFO } else { 0 };
        let window = state as isize - (Self::STACK_FRAME + INFO) as isize;
        Some(match register {
            Self::RETURN_ADDRESS => (state + Self::PC) as isize,
            Windows::FIRST.. => window + ((register - Windows::FIRST) * W::SIZE) as isize,
            _ => (state + Self::OUTER + register * W::SIZE) as isize,
        })
    }

    /// The registers of code that a signal interrupted, if a handler that was called at `pc` returns to one of the calls
    /// `rt_sigreturn` (101) and, in 32 bits, `sigreturn` (216), which know the frame of the signal by the stack pointer.
    fn interrupted(memory: &mut impl Memory, pc: W, sp: W) -> Option<Registers<Self>> {
        // mov NUMBER, %g1; ta
        const CALL: u32 = 0x8210_2000;
        let trap = if Self::IS_WIDE { 0x91d0_206d } else { 0x91d0_2010 };
        // A function returns to two instructions behind the call.
        let [call, found] = [8, 12].map(|distance| instruction(memory, pc.behind(distance)));
        let info = match call?.wrapping_sub(CALL) {
            101 => INFO,
            216 if !Self::IS_WIDE => 0,
            _ => return None,
        };
        if found? != trap {
            return None;
        }
        let window = sp.behind(Self::WINDOWS?.bias);
        let state = window.behind(Self::STACK_FRAME + info);
        memory.registers::<Self>(|number| match number {
            Self::RETURN_ADDRESS => state.behind(Self::PC),
            Windows::FIRST.. => window.behind((number - Windows::FIRST) * W::SIZE),
            _ => state.behind(Self::OUTER + number * W::SIZE),
        })
    }

    /// The call at an address, which is what functions keep of their callers.
    fn call_before(memory: &mut impl Memory, address: W) -> Option<Call<W>> {
        let instruction = instruction(memory, address)?;
        if instruction >> 30 == 0b01 {
            let distance = (instruction << 2) as i32 as isize;
            return Some(Call::Direct(address.moved(distance)));
        }
        // JMPL that links to %o7
        (instruction & 0xfff8_0000 == 0x9fc0_0000).then_some(Call::Indirect)
    }
}

impl<W: Word> AnySparc<W> {
    const IS_WIDE: bool = W::SIZE == size_of::<u64>();

    /// Size of the head of a signal's frame: a window and room for the arguments of a call.
    const STACK_FRAME: usize = 24 * W::SIZE;

    /// Offsets of the global registers and the outs in the `pt_regs`, and of the program counter.
    const OUTER: usize = if Self::IS_WIDE { 0 } else { 16 };
    const PC: usize = if Self::IS_WIDE { 136 } else { 4 };
}

/// Size of the description of a signal, which lies behind the window, if there is one.
const INFO: usize = 128;

fn instruction<W: Word>(memory: &mut impl Memory, pc: W) -> Option<u32> {
    memory.bytes(pc.get()).map(u32::from_be_bytes).filter(|_| pc.get() % 4 == 0)
}

//! SPARC of both widths.
//!
//! Functions keep their registers in windows, which the processor saves to the stack by itself, always in the same
//! order. So every frame that has a window tells of its caller, whatever rules say.

use core::arch::asm;

use super::super::memory::Memory;
use super::{Call, Native, Processor, Record, Values, Windows};
use crate::linux::platform::Context;

impl Processor for Native {
    /// DWARF's numbers of registers: global ones, outs, locals and ins. The program counter has none of its own.
    const REGISTERS: usize = 33;
    const STACK_POINTER: usize = 14;
    const FRAME_POINTER: usize = Windows::FRAME_POINTER;
    const RETURN_ADDRESS: usize = 32;
    const LINK: Option<usize> = Some(Windows::LINK);
    /// Windows have it all.
    const RECORDS: &[Record] = &[];
    /// How far the stack pointer is below the stack.
    const WINDOWS: Option<Windows> = Some(Windows { bias: if IS_WIDE { 2047 } else { 0 } });

    fn registers(context: &Context) -> Values {
        // SAFETY: the processor writes windows to where they belong on the stack.
        unsafe { asm!("flushw") };
        let window = (IN_CONTEXT as isize) - (STACK_FRAME + INFO) as isize;
        let word = |offset: usize| context.word((IN_CONTEXT + offset) as isize);
        core::array::from_fn(|number| match number {
            Self::RETURN_ADDRESS => word(PC),
            Windows::FIRST.. => context.word(window + ((number - Windows::FIRST) * WORD) as isize),
            _ => word(OUTER + number * WORD),
        })
    }

    /// The registers of code that a signal interrupted, if a handler that was called at `pc` returns to one of the calls
    /// `rt_sigreturn` (101) and, in 32 bits, `sigreturn` (216), which know the frame of the signal by the stack pointer.
    fn interrupted(memory: &mut Memory, pc: usize, sp: usize) -> Option<Values> {
        // mov NUMBER, %g1; ta
        const CALL: u32 = 0x8210_2000;
        const TRAP: u32 = if IS_WIDE { 0x91d0_206d } else { 0x91d0_2010 };
        // A function returns to two instructions behind the call.
        let [call, trap] = [8, 12].map(|distance| instruction(memory, pc.wrapping_add(distance)));
        let info = match call?.wrapping_sub(CALL) {
            101 => INFO,
            216 if !IS_WIDE => 0,
            _ => return None,
        };
        if trap? != TRAP {
            return None;
        }
        let window = sp.wrapping_add(Self::WINDOWS?.bias);
        let state = window.wrapping_add(STACK_FRAME + info);
        memory.words(core::array::from_fn(|number| match number {
            Self::RETURN_ADDRESS => state.wrapping_add(PC),
            Windows::FIRST.. => window.wrapping_add((number - Windows::FIRST) * WORD),
            _ => state.wrapping_add(OUTER + number * WORD),
        }))
    }

    /// The call at an address, which is what functions keep of their callers.
    fn call_before(memory: &mut Memory, address: usize) -> Option<Call> {
        let instruction = instruction(memory, address)?;
        if instruction >> 30 == 0b01 {
            let distance = (instruction << 2) as i32 as isize;
            return Some(Call::Direct(address.wrapping_add_signed(distance)));
        }
        // JMPL that links to %o7
        (instruction & 0xfff8_0000 == 0x9fc0_0000).then_some(Call::Indirect)
    }
}

const IS_WIDE: bool = cfg!(target_arch = "sparc64");

const WORD: usize = size_of::<usize>();

/// What a signal's frame begins with: a window and room for the arguments of a call.
const STACK_FRAME: usize = 24 * WORD;

/// The description of a signal lies behind it, if there is one.
const INFO: usize = 128;

/// Where the global registers and the outs lie in the `pt_regs`, and where the program counter does.
const OUTER: usize = if IS_WIDE { 0 } else { 16 };
const PC: usize = if IS_WIDE { 136 } else { 4 };

/// Where the `pt_regs` lie, seen from what a handler gets as its third argument.
const IN_CONTEXT: usize = if IS_WIDE { INFO } else { 0 };

fn instruction(memory: &mut Memory, pc: usize) -> Option<u32> {
    memory.bytes(pc).map(u32::from_be_bytes).filter(|_| pc % 4 == 0)
}

//! x86-64.

use libc::c_ulong;

use super::{Entry, Processor};
use crate::decode;
use crate::decode::operands::{self, RBP, RBX, RCX, RDI, RDX, RSI, RSP, set};
use crate::instruction::{Instruction, Registers};

/// x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct X86_64;

impl Processor for X86_64 {
    type Stub = [u8; 32];

    /// `R_X86_64_JUMP_SLOT` and `R_X86_64_GLOB_DAT`.
    const JUMP_SLOT: usize = 7;
    const GLOB_DAT: usize = 6;
    const ARGUMENTS: Registers = set([RDI, RSI, RDX, RCX, 8, 9]);
    const FIRST_ARGUMENTS: Registers = set([RDI, RSI, RDX]);
    const RESULTS: Registers = operands::RESULTS;
    const KEPT: Registers = set([RBX, RSP, RBP, 12, 13, 14, 15]);

    /// ```text
    /// endbr64
    /// movq %r11, -16(%rsp)
    /// leaq record(%rip), %r11
    /// jmp *entry(%rip)
    /// ```
    fn stub(at: usize, record: usize, entry: &Entry) -> Option<Self::Stub> {
        const CODE: [&[u8]; 3] = [
            &[0xf3, 0x0f, 0x1e, 0xfa, 0x4c, 0x89, 0x5c, 0x24, 0xf0],
            &[0x4c, 0x8d, 0x1d],
            &[0xff, 0x25],
        ];
        /// Ends of the two instructions with a distance.
        const ENDS: [usize; 2] = [16, 22];
        let distance = |to: usize, end: usize| {
            let distance = to.wrapping_sub(at.wrapping_add(end)) as isize;
            i32::try_from(distance).ok().map(i32::to_ne_bytes)
        };
        let [record, entry] = [distance(record, ENDS[0])?, distance(entry.word, ENDS[1])?];
        let code = [CODE[0], CODE[1], &record, CODE[2], &entry];
        // What nobody comes to is a breakpoint.
        let mut stub = [0xcc; 32];
        stub.iter_mut().zip(code.into_iter().flatten()).for_each(|(place, byte)| *place = *byte);
        Some(stub)
    }

    unsafe fn resolve(
        resolver: usize,
        _auxiliary: &dyn Fn(c_ulong) -> Option<c_ulong>,
    ) -> Option<usize> {
        // SAFETY: such a function has this type on this processor, as the caller promises.
        let resolver: extern "C" fn() -> usize = unsafe { core::mem::transmute(resolver) };
        Some(resolver()).filter(|target| *target != 0)
    }

    fn decode(bytes: &[u8], at: usize) -> Option<Instruction> {
        decode::decode(bytes, at)
    }

    fn each_use(code: &[u8], at: usize, visit: &mut dyn FnMut(usize, bool, usize)) {
        decode::each_use(code, at, visit);
    }
}

//! Stacks of code that was made at run time, which keeps frame pointers and has no rules.

use std::convert::Infallible;

use gmon_unwind::{
    Array, Backtrace, Incomplete, Piece, Processor, Program, Registers, Tables, X86_64, walk,
};

const MADE: u64 = 0x10_0000;
const MODULE: u64 = 0x20_0000;
const STACK: u64 = 0x7000_0000;

/// Nothing in the module calls the made code by name.
struct Code;

impl Program<'static, X86_64> for Code {
    type Unsure = Infallible;

    fn tables(&mut self, _pc: u64) -> Result<Option<Tables<'static, X86_64>>, Infallible> {
        Ok(None)
    }

    fn is_code(&mut self, address: u64) -> bool {
        (MODULE..MODULE + 0x1000).contains(&address)
    }

    fn is_made(&mut self, address: u64) -> bool {
        (MADE..MADE + 0x1000).contains(&address)
    }
}

/// Walks from made code with these words on the stack, the frame pointer at the first.
fn callers(words: &[u64]) -> Vec<u64> {
    let stack: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let module = [0xff, 0xd0].repeat(0x800);
    let made = [0x90; 0x1000];
    let pieces = [
        Piece { address: MADE, bytes: &made },
        Piece { address: MODULE, bytes: &module },
        Piece { address: STACK, bytes: &stack },
    ];
    let registers = Registers::<X86_64>::from_fn(|number| match number {
        X86_64::RETURN_ADDRESS => MADE + 0x10,
        X86_64::STACK_POINTER | X86_64::FRAME_POINTER => STACK,
        _ => 0,
    });
    let mut frames = Backtrace::<16>::new();
    let end = walk(&mut &pieces[..], &mut Code, &registers, &mut frames);
    assert_eq!(end, Err(Incomplete::NoRules));
    frames.iter().map(|frame| frame.pc).collect()
}

#[test]
fn interpreters_go_on_where_no_call_was() {
    // The interpreter has pushed an address of its own and jumped; a stub has called it, and code of a module the stub.
    let words = [
        STACK + 0x20,
        MADE + 0x100,
        0,
        0,
        STACK + 0x30,
        MADE + 0x200,
        STACK + 0x40,
        MODULE + 0x80,
        0,
        0,
    ];
    assert_eq!(callers(&words), [MADE + 0x10, MADE + 0xff, MADE + 0x1ff, MODULE + 0x7f]);
}

#[test]
fn what_does_not_lead_up_the_stack_is_no_frame() {
    for outer in [0, STACK, STACK - 0x40, STACK + (1 << 20), MADE] {
        let words = [outer, MADE + 0x100, MODULE + 0x80, 0, 0];
        assert_eq!(callers(&words), [MADE + 0x10, MODULE + 0x7f], "{outer:x}");
    }
    // Neither is one that goes on at memory that is no code.
    assert_eq!(callers(&[STACK + 0x20, STACK + 8, MODULE + 0x80, 0, 0])[1..], [MODULE + 0x7f]);
}

//! The layout as an interpreter describes it: `_Py_DebugOffsets`, with which `_PyRuntime` begins since 3.13.

use gmon_unwind::Memory;

use crate::layout::{
    Bytes, Code, Entry, Frame, Instruction, Interpreter, Offsets, Text, Thread, Version,
};
use crate::read::word;

/// The first bytes.
const COOKIE: [u8; 8] = *b"xdebugpy";

/// No structure is larger, in bytes.
const LARGEST: u64 = 1 << 24;

/// Positions of numbers of 64 bits behind the cookie.
struct Positions {
    interpreters: u64,
    interpreter_next: u64,
    threads: u64,
    /// The size of a thread's state, behind which the rest stands.
    thread: u64,
    frame: u64,
    code: u64,
    instructions: u64,
    bytes: u64,
    text: u64,
}

const VERSION: u64 = 1;
const IS_FREE: u64 = 2;

const V3_13: Positions = Positions {
    interpreters: 5,
    interpreter_next: 8,
    threads: 9,
    thread: 19,
    frame: 28,
    code: 34,
    instructions: 43,
    bytes: 64,
    text: 67,
};

const V3_14: Positions = Positions {
    interpreters: 5,
    interpreter_next: 8,
    threads: 9,
    thread: 22,
    frame: 31,
    code: 39,
    instructions: 48,
    bytes: 74,
    text: 77,
};

/// Version and offsets of the interpreter whose `_PyRuntime` is at an address. `None` if that does not describe itself, or
/// was built without the global lock, which lays objects out in another way.
pub(crate) fn offsets(memory: &mut impl Memory, runtime: u64) -> Option<(Version, Offsets)> {
    if memory.bytes(runtime)? != COOKIE {
        return None;
    }
    let mut number = |position: u64| word(memory, runtime.checked_add(8 * position)?);
    let version = Version::of_hex(number(VERSION)?).filter(|version| version.is_described())?;
    if number(IS_FREE)? != 0 {
        return None;
    }
    let at = if version.minor() == 13 { &V3_13 } else { &V3_14 };
    let mut offset = |position: u64| number(position).filter(|offset| *offset < LARGEST);
    let instructions = offset(at.instructions)?;
    let first_line = offset(at.code + 5)?;
    let offsets = Offsets {
        interpreters: offset(at.interpreters)?,
        interpreter: Interpreter {
            next: offset(at.interpreter_next)?,
            threads: offset(at.threads)?,
        },
        thread: Thread {
            prev: offset(at.thread + 1)?,
            next: offset(at.thread + 2)?,
            interpreter: offset(at.thread + 3)?,
            frame: offset(at.thread + 4)?,
            id: offset(at.thread + 5)?,
            native_id: Some(offset(at.thread + 6)?),
        },
        control: None,
        frame: Frame {
            previous: offset(at.frame + 1)?,
            code: offset(at.frame + 2)?,
            instruction: Instruction::Address { at: offset(at.frame + 3)? },
            entry: Entry::Owned { owner: offset(at.frame + 5)?, from: 3 },
        },
        code: Code {
            file: offset(at.code + 1)?,
            name: offset(at.code + 2)?,
            qualified_name: Some(offset(at.code + 3)?),
            lines: offset(at.code + 4)?,
            first_line,
            instructions,
            // Both stand beside what is described.
            first_traceable: Some(instructions.checked_sub(16)?),
            version: Some(first_line + 24),
        },
        bytes: Bytes { len: offset(at.bytes + 1)?, data: offset(at.bytes + 2)? },
        text: {
            let (state, len, ascii) =
                (offset(at.text + 1)?, offset(at.text + 2)?, offset(at.text + 3)?);
            // A length and an address more.
            Text { len, hash: len + 8, state, ascii, others: ascii + 16 }
        },
    };
    Some((version, offsets))
}

//! The layouts of versions that do not describe themselves, as C compilers lay them out on 64-bit processors.

use crate::layout::{
    Bytes, Code, Control, Entry, Frame, Instruction, Interpreter, Offsets, Text, Thread, Version,
};

/// The offsets of a version; `None` if it describes itself.
pub(crate) fn of(version: Version) -> Option<&'static Offsets> {
    Some(match version.minor() {
        8 | 9 => &V3_8,
        10 => &V3_10,
        11 => &V3_11,
        12 => &V3_12,
        _ => return None,
    })
}

const BYTES: Bytes = Bytes { len: 16, data: 32 };

const TEXT: Text = Text { len: 16, hash: 24, state: 32, ascii: 48, others: 72 };

static V3_8: Offsets = Offsets {
    interpreters: 32,
    interpreter: Interpreter { next: 0, threads: 8 },
    thread: Thread { prev: 0, next: 8, interpreter: 16, id: 176, native_id: None, frame: 24 },
    control: None,
    frame: Frame {
        code: 32,
        previous: 24,
        instruction: Instruction::Offset { at: 104, unit: 1 },
        entry: Entry::Each,
    },
    code: Code {
        file: 104,
        name: 112,
        qualified_name: None,
        lines: 120,
        first_line: 40,
        instructions: 0,
        first_traceable: None,
        version: None,
    },
    bytes: BYTES,
    text: TEXT,
};

static V3_10: Offsets = Offsets {
    frame: Frame { instruction: Instruction::Offset { at: 96, unit: 2 }, ..V3_8.frame },
    ..V3_8
};

static V3_11: Offsets = Offsets {
    interpreters: 40,
    interpreter: Interpreter { next: 0, threads: 16 },
    thread: Thread { prev: 0, next: 8, interpreter: 16, id: 152, native_id: Some(160), frame: 56 },
    control: Some(Control { frame: 8, previous: 16 }),
    frame: Frame {
        code: 32,
        previous: 48,
        instruction: Instruction::Address { at: 56 },
        entry: Entry::Marked { at: 68, owner: 69 },
    },
    code: Code {
        file: 112,
        name: 120,
        qualified_name: Some(128),
        lines: 136,
        first_line: 72,
        instructions: 184,
        first_traceable: Some(168),
        version: None,
    },
    bytes: BYTES,
    text: TEXT,
};

static V3_12: Offsets = Offsets {
    interpreter: Interpreter { next: 0, threads: 72 },
    thread: Thread { id: 136, native_id: Some(144), ..V3_11.thread },
    control: Some(Control { frame: 0, previous: 8 }),
    frame: Frame {
        code: 0,
        previous: 8,
        instruction: Instruction::Address { at: 56 },
        entry: Entry::Owned { owner: 70, from: 3 },
    },
    code: Code {
        first_line: 68,
        instructions: 192,
        first_traceable: Some(176),
        version: Some(92),
        ..V3_11.code
    },
    text: Text { ascii: 40, others: 56, ..TEXT },
    ..V3_11
};

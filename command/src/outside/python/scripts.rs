//! Code objects that a process executes: each that was met has addresses of its own, one for each line, where no processor
//! has code.
//!
//! Code objects do not change, but the interpreter may free one and make another in its place. So each is looked at again in
//! each sample that has it, and what was read of it counts only if it is still the same behind the read.

use std::collections::BTreeMap;
use std::ops::Range;

use gmon_analyzer::records::NamedCode;
use gmon_format::live::{Code, CodeKind};
use gmon_python::{Frame, Layout};

use super::memory::Memory;

/// Code objects that were met.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    /// The number of the last one at an address.
    known: BTreeMap<u64, u64>,
    /// All of them, by their numbers.
    scripts: Vec<Script>,
    /// Lines of instructions, by the number of the code object and the offset.
    lines: BTreeMap<u64, u64>,
    /// Code that nobody has taken yet.
    new: Vec<NamedCode>,
    /// Number of the sample.
    sample: u64,
}

/// A code object that lies at an address, or lay there.
#[derive(Clone, Debug)]
pub(super) struct Script {
    mark: u64,
    number: u32,
    /// Addresses of its instructions.
    pub(super) instructions: Range<u64>,
    /// The first instruction that users see.
    first_visible: u32,
    /// The sample in which it was there.
    seen: u64,
}

/// Code objects and lines that are kept: whoever makes more keeps the evaluator's frames.
const MOST: usize = 1 << 18;
const MOST_LINES: usize = 1 << 20;

/// Bytes of a name and of a path that are kept.
const NAME: usize = 256;
const PATH: usize = 1024;

impl Scripts {
    /// Begins with the next sample.
    pub(super) fn begin(&mut self) {
        self.sample += 1;
    }

    /// The code that was met since the last call.
    pub(super) fn take_new(&mut self) -> Vec<NamedCode> {
        std::mem::take(&mut self.new)
    }

    /// The code object at an address, if there is one. A new one came at a time.
    pub(super) fn at(
        &mut self,
        memory: &mut Memory<'_>,
        layout: &Layout,
        code: u64,
        time: u64,
    ) -> Option<Script> {
        let number = self.known.get(&code).map_or(usize::MAX, |number| *number as usize);
        let known = self.scripts.get_mut(number);
        if let Some(known) = known.as_ref().filter(|known| known.seen == self.sample) {
            return Some((*known).clone());
        }
        let mark = layout.mark(memory, code)?;
        if let Some(known) = known.filter(|known| known.mark == mark) {
            known.seen = self.sample;
            return Some(known.clone());
        }
        if self.scripts.len() == MOST {
            return None;
        }
        let facts = layout.code(memory, code)?;
        let mut text = |at, most| {
            let mut bytes = vec![0; most];
            let len = layout.text(memory, at, &mut bytes)?;
            bytes.truncate(len);
            Some(bytes)
        };
        let (name, file) = (text(facts.name, NAME)?, text(facts.file, PATH)?);
        let instructions = layout.instructions(memory, code)?;
        let first_visible = layout.first_visible(memory, code)?;
        memory.read_again();
        (layout.mark(memory, code) == Some(mark)).then_some(())?;
        let number = self.scripts.len() as u32;
        let start = start(number);
        self.new.push(NamedCode {
            start,
            end: start + Code::LINES_OF_PYTHON,
            from_ns: time,
            to_ns: 0,
            kind: CodeKind::Python,
            name,
            file,
            first_line: facts.first_line,
            lines: Vec::new(),
        });
        let script = Script { mark, number, instructions, first_visible, seen: self.sample };
        self.known.insert(code, number.into());
        self.scripts.push(script.clone());
        Some(script)
    }

    /// The address that stands for the line of a frame, of which this is the code; `Some(None)` if nobody is to see it.
    pub(super) fn address(
        &mut self,
        memory: &mut Memory<'_>,
        layout: &Layout,
        frame: &Frame,
        script: &Script,
    ) -> Option<Option<u64>> {
        let is_seen =
            frame.is_always_visible || frame.has_begun() && frame.offset >= script.first_visible;
        if !is_seen {
            return Some(None);
        }
        let key = u64::from(script.number) << 32 | u64::from(frame.offset);
        let line = match self.lines.get(&key) {
            Some(line) => *line as u32,
            None => {
                let line = layout.line(memory, frame.code, frame.offset).unwrap_or(0);
                memory.read_again();
                (layout.mark(memory, frame.code) == Some(script.mark)).then_some(())?;
                if self.lines.len() < MOST_LINES {
                    self.lines.insert(key, line.into());
                }
                line
            }
        };
        let line = u64::from(line);
        Some(Some(start(script.number) + if line < Code::LINES_OF_PYTHON { line } else { 0 }))
    }
}

/// The first address of code of a number.
fn start(number: u32) -> u64 {
    Code::FIRST_OF_INTERPRETERS + u64::from(number) * Code::LINES_OF_PYTHON
}

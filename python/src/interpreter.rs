//! An interpreter in a process, by the symbols of its file: where its code lies, and how its structures are laid out.

use core::ops::Range;

use gmon_unwind::Memory;

use crate::layout::{Layout, Version};

/// Pieces of the evaluator that are known: compilers put what they take for rare elsewhere.
const PIECES: usize = 8;

/// The evaluator is no smaller, in bytes, unless others do its work.
const SMALLEST: u64 = 8192;

/// The interpreter of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreter {
    /// Layout of its structures.
    pub layout: Layout,
    /// Addresses of its module.
    pub module: Range<u64>,
    /// Code of the evaluator. Pieces that are not there are empty.
    evaluator: [Range<u64>; PIECES],
    /// True if the evaluator only begins, and functions that jump to each other go on (3.14).
    pub jumps: bool,
}

/// Symbols of an interpreter, in addresses of its file.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    runtime: u64,
    runtime_size: u64,
    /// A word with the version.
    version: Option<u64>,
    evaluator: [Range<u64>; PIECES],
}

impl Interpreter {
    /// Returns `true` if an address lies in the evaluator.
    #[must_use]
    pub fn evaluates(&self, pc: u64) -> bool {
        self.evaluator.iter().any(|piece| piece.contains(&pc))
    }
}

impl Symbols {
    /// The name of all that an interpreter has.
    pub const RUNTIME: &[u8] = b"_PyRuntime";

    /// The name of the evaluator. Its pieces have more behind a point.
    pub const EVALUATOR: &[u8] = b"_PyEval_EvalFrameDefault";

    /// Takes a symbol of the file. One that stands in several tables may come again.
    pub fn note(&mut self, name: &[u8], address: u64, size: u64) {
        match name {
            Self::RUNTIME => (self.runtime, self.runtime_size) = (address, size),
            b"Py_Version" => self.version = Some(address),
            name => {
                let rest = name.strip_prefix(Self::EVALUATOR);
                if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b".")) {
                    let piece = address..address.saturating_add(size);
                    let mut places = self.evaluator.iter_mut();
                    if let Some(place) = places.find(|it| it.is_empty() || **it == piece) {
                        *place = piece;
                    }
                }
            }
        }
    }

    /// The evaluator, if what is known is too little to do its work: others do, or a piece of it has no symbol.
    #[must_use]
    pub fn beginning(&self) -> Option<Range<u64>> {
        let [first, ..] = &self.evaluator;
        let size: u64 = self.evaluator.iter().map(|piece| piece.end - piece.start).sum();
        (1..SMALLEST).contains(&size).then(|| first.clone())
    }

    /// Returns `true` if there is an interpreter.
    #[must_use]
    pub const fn has_runtime(&self) -> bool {
        self.runtime != 0
    }

    /// The interpreter that lies in a module, so far above the addresses in its file; `None` if it cannot be made out.
    pub fn interpreter(
        &self,
        memory: &mut impl Memory,
        module: Range<u64>,
        bias: u64,
    ) -> Option<Interpreter> {
        let place = |address: u64| bias.wrapping_add(address);
        let version = match self.version {
            Some(at) => {
                let number = memory.bytes(place(at)).map(u64::from_ne_bytes)?;
                Version::of_hex(number & u64::from(u32::MAX))
            }
            // Those before 3.11, whose threads are known by what lies in a register of x86-64 alone.
            None if cfg!(target_arch = "x86_64") => Version::of_size(self.runtime_size),
            None => None,
        };
        let layout = Layout::new(memory, place(self.runtime), version)?;
        // Each run of it is to be told from the others.
        if self.evaluator.iter().all(Range::is_empty) {
            return None;
        }
        let evaluator = self.evaluator.clone().map(|piece| place(piece.start)..place(piece.end));
        let jumps = self.beginning().is_some() && layout.version() >= Version::NEWEST;
        Some(Interpreter { layout, module, evaluator, jumps })
    }
}

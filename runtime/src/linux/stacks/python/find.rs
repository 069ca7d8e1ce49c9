//! Finds the interpreter among the modules, when one comes: the program's own file, or a library of its name. Static programs
//! and programs that load one later have theirs, too.
//!
//! *Context:* any, for the one who looks at modules.

use core::ffi::CStr;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use arrayvec::ArrayVec;
use gmon_interpose::Dynamic;
use gmon_python::{Layout, Version};
use gmon_unwind::Memory as _;

use super::IS_WANTED;
use super::interpreter::{self, Interpreter, PIECES};
use crate::linux::listed::{self, Listed, Table};
use crate::linux::memory::Memory;
use crate::linux::program::Program;

/// True if there is an interpreter that could not be made out.
static HAS_FAILED: AtomicBool = AtomicBool::new(false);

/// The name of all that an interpreter has.
const RUNTIME: &[u8] = b"_PyRuntime";

/// The longest path of a module that is looked at.
const PATH: usize = 1025;

/// The evaluator is no smaller, in bytes, unless others do its work.
const SMALLEST: usize = 8192;

/// Returns `true` if there is an interpreter that could not be made out.
pub(super) fn has_failed() -> bool {
    HAS_FAILED.load(Ordering::Relaxed)
}

/// Looks whether a module has the interpreter: by its path, its addresses, and their distance from the file's.
pub(in super::super) fn meet(path: &[u8], module: Range<usize>, bias: usize) {
    if !IS_WANTED.load(Ordering::Acquire) || interpreter::get().is_some() {
        return;
    }
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let is_named = name.starts_with(b"libpython") || name.starts_with(b"python");
    let program = || Program::get().filter(|program| module.contains(&program.entry));
    if !is_named && !program().is_some_and(exports_runtime) {
        return;
    }
    let mut text = [0; PATH];
    text.iter_mut().take(PATH - 1).zip(path).for_each(|(place, byte)| *place = *byte);
    let Ok(path) = CStr::from_bytes_until_nul(&text) else { return };
    let Some(symbols) = Symbols::of(path) else { return };
    match symbols.interpreter(module, bias) {
        Some(found) => interpreter::publish(found),
        None => HAS_FAILED.store(true, Ordering::Relaxed),
    }
}

/// Returns `true` if a program offers others an interpreter, as all do that modules of Python can be loaded into. Its own
/// tables say so at once: reading all symbols of a large program takes longer than a sample may.
fn exports_runtime(program: &Program) -> bool {
    let Some(image) = program.image() else { return false };
    let Ok(dynamic) = Dynamic::read(&image) else { return false };
    gmon_interpose::Symbols { image: &image, dynamic: &dynamic }.named(RUNTIME).is_some()
}

/// Symbols of an interpreter, in addresses of its file.
#[derive(Default)]
struct Symbols {
    runtime: usize,
    runtime_size: usize,
    /// A word with the version.
    version: Option<usize>,
    evaluator: ArrayVec<Range<usize>, PIECES>,
    evaluator_size: usize,
}

impl Symbols {
    /// Symbols of a file; `None` if it has no interpreter.
    fn of(path: &CStr) -> Option<Self> {
        let mut symbols = Self::default();
        let has_shared = listed::each(path, Table::Shared, |symbol| symbols.note(&symbol));
        if has_shared && symbols.runtime == 0 {
            return None;
        }
        listed::each(path, Table::All, |symbol| symbols.note(&symbol));
        (symbols.runtime != 0).then_some(symbols)
    }

    fn note(&mut self, symbol: &Listed<'_>) {
        const EVALUATOR: &[u8] = b"_PyEval_EvalFrameDefault";
        match symbol.name {
            RUNTIME => (self.runtime, self.runtime_size) = (symbol.address, symbol.size),
            b"Py_Version" => self.version = Some(symbol.address),
            name => {
                let rest = name.strip_prefix(EVALUATOR);
                if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b".")) {
                    let piece = symbol.address..symbol.address.saturating_add(symbol.size);
                    if rest == Some(b"") {
                        self.evaluator_size = symbol.size;
                    }
                    if !self.evaluator.contains(&piece) {
                        _ = self.evaluator.try_push(piece);
                    }
                }
            }
        }
    }

    /// The interpreter that lies in a module.
    fn interpreter(&self, module: Range<usize>, bias: usize) -> Option<Interpreter> {
        let mut memory = Memory::new();
        memory.begin();
        let place = |address: usize| bias.wrapping_add(address);
        let version = match self.version {
            Some(at) => {
                let number = memory.bytes(place(at) as u64).map(u64::from_ne_bytes)?;
                Version::of_hex(number & u64::from(u32::MAX))
            }
            // Those before 3.11, whose threads are known by what lies in a register of x86-64 alone.
            None if cfg!(target_arch = "x86_64") => Version::of_size(self.runtime_size as u64),
            None => None,
        };
        let layout = Layout::new(&mut memory, place(self.runtime) as u64, version)?;
        // Each run of it is to be told from the others.
        if self.evaluator.is_empty() {
            return None;
        }
        let mut evaluator = ArrayVec::new();
        let pieces = self.evaluator.iter().map(|piece| place(piece.start)..place(piece.end));
        // There is room for as many.
        pieces.for_each(|piece| _ = evaluator.try_push(piece));
        let jumps = self.evaluator_size < SMALLEST && layout.version() >= Version::NEWEST;
        Some(Interpreter { layout, module, evaluator, jumps })
    }
}

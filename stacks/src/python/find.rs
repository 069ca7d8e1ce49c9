//! Finds the interpreter among the modules, when one comes: the program's own file, or a library of its name. Static programs
//! and programs that load one later have theirs, too.
//!
//! *Context:* any, for the one who looks at modules.

use core::ffi::CStr;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use gmon_interpose::Dynamic;
use gmon_python::Symbols;
use gmon_system::listed::{self, Listed, Table};
use gmon_system::memory::Memory;
use gmon_system::program::Program;

use super::IS_WANTED;
use super::interpreter;

/// True if there is an interpreter that could not be made out.
static HAS_FAILED: AtomicBool = AtomicBool::new(false);

/// The longest path of a module that is looked at.
const PATH: usize = 1025;

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
    let Some(symbols) = symbols_of(path) else { return };
    let mut memory = Memory::new();
    memory.begin();
    let module = module.start as u64..module.end as u64;
    match symbols.interpreter(&mut memory, module, bias as u64) {
        Some(found) => interpreter::publish(found),
        None => HAS_FAILED.store(true, Ordering::Relaxed),
    }
}

/// Returns `true` if a program offers others an interpreter, as all do that modules of Python can be loaded into. Its own
/// tables say so at once: reading all symbols of a large program takes longer than a sample may.
fn exports_runtime(program: &Program) -> bool {
    let Some(image) = program.image() else { return false };
    let Ok(dynamic) = Dynamic::read(&image) else { return false };
    gmon_interpose::Symbols { image: &image, dynamic: &dynamic }.named(Symbols::RUNTIME).is_some()
}

/// Symbols of a file; `None` if it has no interpreter.
fn symbols_of(path: &CStr) -> Option<Symbols> {
    let mut symbols = Symbols::default();
    let note = |symbols: &mut Symbols, table| {
        listed::each(path, table, |Listed { name, address, size, .. }| {
            symbols.note(name, address as u64, size as u64);
        })
    };
    let has_shared = note(&mut symbols, Table::Shared);
    if has_shared && !symbols.has_runtime() {
        return None;
    }
    note(&mut symbols, Table::All);
    symbols.has_runtime().then_some(symbols)
}

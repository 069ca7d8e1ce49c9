//! Finds the interpreter among the modules: in the program's own file, if that offers it to others, or in a library of its name.

use gmon_python::{Interpreter, Symbols};
use object::elf::{SHT_DYNSYM, SHT_SYMTAB};

use super::super::elf::Elf;
use super::super::space::{Module, Space};
use super::memory::{Memory, Pages};

/// The interpreter in these modules of a process.
pub(super) fn interpreter(
    space: &Space,
    modules: &[Module],
    pages: &mut Pages,
) -> Option<Interpreter> {
    let memory = space.memory()?;
    let is_program = |module: &Module| {
        space.entry.is_some_and(|entry| (module.start..module.end).contains(&entry))
    };
    modules.iter().filter(|module| module.unloaded == 0).find_map(|module| {
        let name = module.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let is_named = name.starts_with(b"libpython") || name.starts_with(b"python");
        let elf = module.elf.as_deref().filter(|_| is_named || is_program(module))?;
        let symbols = symbols(elf, is_named)?;
        let mut memory = Memory::new(memory, (0, &[]), pages);
        symbols.interpreter(&mut memory, module.start..module.end, module.bias)
    })
}

/// Symbols of a file; `None` if it has no interpreter. All symbols of a large program take long to read, so one that offers
/// nothing to others has none.
fn symbols(elf: &Elf, may_be_static: bool) -> Option<Symbols> {
    let mut symbols = Symbols::default();
    let has_shared = elf.symbols(SHT_DYNSYM, |name, at, len| symbols.note(name, at, len));
    if !symbols.has_runtime() && (has_shared.is_some() || !may_be_static) {
        return None;
    }
    elf.symbols(SHT_SYMTAB, |name, at, len| symbols.note(name, at, len));
    symbols.has_runtime().then_some(symbols)
}

//! Finds the interpreter among the modules: in the program's own file, if that offers it to others, or in a library of its name.

use std::ops::Range;

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
    if let Some(rest) = symbols.beginning().and_then(|code| rest(elf, code)) {
        symbols.note(&[Symbols::EVALUATOR, b".cold"].concat(), rest.start, rest.end - rest.start);
    }
    symbols.has_runtime().then_some(symbols)
}

/// The piece of a function that compilers have put elsewhere, where a stripped file has no symbol of it.
fn rest(elf: &Elf, code: Range<u64>) -> Option<Range<u64>> {
    let bytes = elf.read_range(code.clone())?;
    let tables = elf.tables(0)?;
    most_jumped_to(&bytes, code.start, |address| {
        tables.function(address).map(|function| function.start..function.end)
    })
}

/// The function to which most jumps of another lead, by the bytes of that one. Whatever looks like a jump counts, so one or two
/// prove nothing.
fn most_jumped_to(
    bytes: &[u8],
    start: u64,
    function: impl Fn(u64) -> Option<Range<u64>>,
) -> Option<Range<u64>> {
    const FEW: usize = 2;
    let targets = bytes.windows(6).zip(start..).filter_map(|(code, at)| {
        let (distance, next) = match code {
            [0xe9, distance @ .., _] => (distance, at + 5),
            [0x0f, 0x80..=0x8f, distance @ ..] => (distance, at + 6),
            _ => return None,
        };
        let distance = i32::from_le_bytes(distance.try_into().ok()?);
        function(next.wrapping_add_signed(distance.into()))
    });
    let is_other = |function: &Range<u64>| !function.contains(&start);
    let mut functions: Vec<_> = targets.filter(is_other).collect();
    functions.sort_unstable_by_key(|function| function.start);
    let most = functions.chunk_by(|a, b| a == b).max_by_key(|same| same.len())?;
    (most.len() > FEW).then(|| most[0].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_elsewhere_is_where_jumps_lead() {
        const START: u64 = 0x5000;
        let jump = |code: &[u8], at: usize, target: u64| {
            let next = START + (at + code.len() + 4) as u64;
            let distance = target.wrapping_sub(next) as u32;
            [code, &distance.to_le_bytes()].concat()
        };
        let mut bytes = vec![0x90; 8];
        // Forth, back, within, and to a function that it calls last of all.
        for target in [0x1000, 0x1100, 0x5010, 0x5020, 0x5004, 0x5002, 0x9000, 0x1ff0] {
            let code: &[u8] = if target == 0x1100 { &[0xe9] } else { &[0x0f, 0x84] };
            bytes.extend(jump(code, bytes.len(), target));
        }
        bytes.push(0xc3);
        let functions = [0x1000..0x2000, START..0x6000, 0x9000..0x9100];
        let around = |address| functions.iter().find(|it| it.contains(&address)).cloned();
        assert_eq!(most_jumped_to(&bytes, START, around), Some(0x1000..0x2000));
        // One jump less is too few.
        assert_eq!(most_jumped_to(&bytes[..bytes.len() - 7], START, around), None);
        assert_eq!(most_jumped_to(&[], START, around), None);
    }
}

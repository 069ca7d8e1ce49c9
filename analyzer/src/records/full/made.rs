//! Code that is in no file, with names and lines of its own: what interpreters run, and what was compiled at run time.
//!
//! All code of a kind is a module that is no file. Equal code has one place there, whatever its addresses were, so that
//! runs add up.

use std::collections::{BTreeMap, HashMap};

use gmon_format::FilePc;
use gmon_format::live::{Code, CodeKind};

use super::parts::ModuleId;

/// Code that is in no file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MadeCode {
    /// Origin of it.
    pub kind: CodeKind,
    /// Its name.
    pub name: Box<[u8]>,
    /// The source file; empty if it is not known.
    pub file: Box<[u8]>,
    /// The line that it begins with; 0 if that is not known.
    pub first_line: u32,
    /// Number of its addresses.
    pub len: u64,
    /// Offsets in ascending order, each with the line that begins there; 0 where it is not known.
    pub lines: Box<[(u32, u32)]>,
}

impl MadeCode {
    /// Code as a file has it, whose process ran in a folder.
    pub(super) fn of(code: &Code<'_>, directory: &[u8]) -> Self {
        Self {
            kind: code.kind,
            name: code.name.into(),
            file: source_path(code.kind, code.file, directory),
            first_line: code.first_line,
            len: code.end.0.saturating_sub(code.start.0).max(1),
            lines: code.lines.iter().collect(),
        }
    }

    fn function(&self) -> FunctionKey {
        (self.name.clone(), self.file.clone(), self.first_line)
    }

    /// Its name for people.
    #[must_use]
    pub fn shown_name(&self) -> Box<[u8]> {
        shown_name(self.kind, &self.name, &self.file)
    }

    /// The line at an offset, if it is known.
    #[must_use]
    pub fn line(&self, offset: u64) -> Option<u32> {
        let offset = u32::try_from(offset).ok()?;
        let line = match self.kind {
            CodeKind::Python => offset,
            _ => {
                self.lines
                    [self.lines.partition_point(|(from, _)| *from <= offset).checked_sub(1)?]
                .1
            }
        };
        (line != 0).then_some(line)
    }
}

/// The path of a source. Python may name it relative to the folder in which it ran, which is not its reader's, where another
/// file may have the name. What is no file is named like `<string>`.
fn source_path(kind: CodeKind, file: &[u8], directory: &[u8]) -> Box<[u8]> {
    let is_file = !file.is_empty() && !file.starts_with(b"<");
    let is_relative = is_file && !file.starts_with(b"/");
    if kind != CodeKind::Python || !is_relative || !directory.starts_with(b"/") {
        return file.into();
    }
    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
    let file = file.strip_prefix(b"./").unwrap_or(file);
    [directory, b"/", file].concat().into()
}

/// Name of code for people: many functions of Python have the same one in different files.
pub(crate) fn shown_name(kind: CodeKind, name: &[u8], file: &[u8]) -> Box<[u8]> {
    let file = file.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    match kind {
        CodeKind::Python if !file.is_empty() => [name, b" (", file, b")"].concat().into(),
        _ => name.into(),
    }
}

/// The path of the module that code is that was compiled at run time, with names or without.
pub const JIT: &[u8] = b"[JIT]";

/// The path of the module that all code of a kind is.
pub(crate) fn module_of(kind: CodeKind) -> &'static [u8] {
    match kind {
        CodeKind::Python => b"[python]",
        CodeKind::PerfMap | CodeKind::Jitdump => JIT,
        _ => b"[made at run time]",
    }
}

/// All code that is in no file, by places in the modules of their kinds.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    code: BTreeMap<(ModuleId, FilePc), MadeCode>,
    places: HashMap<MadeCode, FilePc>,
    /// The first code of each function: compilers make it anew, better, or at another place.
    functions: HashMap<(ModuleId, FunctionKey), FilePc>,
}

/// Name, file and first line of a function.
type FunctionKey = (Box<[u8]>, Box<[u8]>, u32);

impl Made {
    /// Start of the first code of a module: zero would be no address.
    const FIRST: u64 = 0x1000;

    /// Place of code in its module, to which it is added if it is new.
    pub(super) fn place(&mut self, module: ModuleId, code: MadeCode) -> FilePc {
        if let Some(place) = self.places.get(&code) {
            return *place;
        }
        let last = self.of_module(module).next_back();
        let end = last.map_or(Self::FIRST, |(start, code)| start.0.saturating_add(code.len));
        let place = FilePc(end.checked_next_multiple_of(16).unwrap_or(end));
        self.places.insert(code.clone(), place);
        self.functions.entry((module, code.function())).or_insert(place);
        self.code.insert((module, place), code);
        place
    }

    /// The code at an address, and where it begins.
    pub(super) fn find(&self, module: ModuleId, pc: FilePc) -> Option<(FilePc, &MadeCode)> {
        let ((_, start), code) = self.code.range((module, FilePc(0))..=(module, pc)).next_back()?;
        (pc.0 - start.0 < code.len).then_some((*start, code))
    }

    /// The function at an address: its first code, and where that begins.
    pub(super) fn function(&self, module: ModuleId, pc: FilePc) -> Option<(FilePc, &MadeCode)> {
        let (_, code) = self.find(module, pc)?;
        let start = *self.functions.get(&(module, code.function()))?;
        Some((start, self.code.get(&(module, start))?))
    }

    /// All code, with modules and starts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ModuleId, FilePc, &MadeCode)> {
        self.code.iter().map(|((module, start), code)| (*module, *start, code))
    }

    fn of_module(&self, module: ModuleId) -> impl DoubleEndedIterator<Item = (FilePc, &MadeCode)> {
        let all = self.code.range((module, FilePc(0))..=(module, FilePc(u64::MAX)));
        all.map(|((_, start), code)| (*start, code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(name: &str, len: u64) -> MadeCode {
        MadeCode {
            kind: CodeKind::Jitdump,
            name: name.as_bytes().into(),
            file: Box::default(),
            first_line: 0,
            len,
            lines: Box::new([(4, 7), (8, 0), (12, 9)]),
        }
    }

    #[test]
    fn equal_code_has_one_place_and_other_code_another() {
        let mut made = Made::default();
        let module = ModuleId(3);
        let a = made.place(module, code("a", 20));
        let b = made.place(module, code("b", 8));
        assert_eq!(made.place(module, code("a", 20)), a);
        assert_eq!((a, b), (FilePc(0x1000), FilePc(0x1020)));
        for (pc, name) in
            [(0x1000, Some("a")), (0x1013, Some("a")), (0x1014, None), (0x1021, Some("b"))]
        {
            let found = made.find(module, FilePc(pc)).map(|(_, code)| &*code.name);
            assert_eq!(found, name.map(str::as_bytes), "{pc:#x}");
        }
        assert_eq!(made.find(ModuleId(2), FilePc(0x1000)), None);
        assert_eq!(made.iter().count(), 2);
        // Compiled again, it is the same function.
        let again = made.place(module, code("a", 40));
        assert_ne!(again, a);
        let function = made.function(module, FilePc(again.0 + 1)).map(|(start, _)| start);
        assert_eq!(function, Some(a));
    }

    #[test]
    fn sources_of_python_lie_where_it_ran() {
        for (kind, file, expected) in [
            (CodeKind::Python, "pl.py", "/home/a/pl.py"),
            (CodeKind::Python, "./b/pl.py", "/home/a/b/pl.py"),
            (CodeKind::Python, "/b/pl.py", "/b/pl.py"),
            (CodeKind::Python, "<string>", "<string>"),
            (CodeKind::Python, "", ""),
            (CodeKind::Jitdump, "node:internal/url", "node:internal/url"),
        ] {
            let found = source_path(kind, file.as_bytes(), b"/home/a");
            assert_eq!(&*found, expected.as_bytes());
        }
        assert_eq!(&*source_path(CodeKind::Python, b"pl.py", b"/"), b"/pl.py");
        assert_eq!(&*source_path(CodeKind::Python, b"pl.py", b""), b"pl.py");
    }

    #[test]
    fn lines_are_those_of_the_kind() {
        let compiled = code("a", 20);
        assert_eq!([0, 4, 9, 13].map(|at| compiled.line(at)), [None, Some(7), None, Some(9)]);
        let python = MadeCode { kind: CodeKind::Python, ..compiled };
        assert_eq!([0, 4, 9].map(|at| python.line(at)), [None, Some(4), Some(9)]);
    }
}

//! The names of source files as GNU gprof spells them: the parts that the compiler recorded, joined by
//! slashes, and nothing simplified.

use super::strings::{StringId, Strings};
use crate::image::debug::{Dwarf, Slice, Unit};

/// Stand-in for a file that the line table does not have.
const UNKNOWN: &[u8] = b"<unknown>";

/// The numbers of the files of one unit, each found when it is first asked for.
pub(super) struct UnitPaths<'u, 'a> {
    dwarf: &'u Dwarf<'a>,
    unit: &'u Unit<'a>,
    header: &'u gimli::LineProgramHeader<Slice<'a>>,
    known: Vec<Option<StringId>>,
}

impl<'u, 'a> UnitPaths<'u, 'a> {
    pub(super) fn new(
        dwarf: &'u Dwarf<'a>,
        unit: &'u Unit<'a>,
        header: &'u gimli::LineProgramHeader<Slice<'a>>,
    ) -> Self {
        Self { dwarf, unit, header, known: Vec::new() }
    }

    /// The number that `paths` has for a file of the unit.
    pub(super) fn id(&mut self, file: u64, paths: &mut Strings) -> StringId {
        // One more for files from 1 on, and one for all that are not in the table.
        let last = self.header.file_names().len() + 1;
        self.known.resize(last + 1, None);
        let index = usize::try_from(file).map_or(last, |file| file.min(last));
        if let Some(id) = self.known[index] {
            return id;
        }
        let id = paths.id(self.path(file).as_deref().unwrap_or(UNKNOWN));
        self.known[index] = Some(id);
        id
    }

    /// Path of a file, if the line table has it.
    pub(super) fn path(&self, file: u64) -> Option<Vec<u8>> {
        let version = self.header.version();
        let entry = self.header.file(file).filter(|_| version >= 5 || file != 0);
        let entry = entry?;
        let name = self.string(entry.path_name())?;
        if name.starts_with(b"/") {
            return Some(name.to_vec());
        }
        let index = entry.directory_index();
        let directory =
            if version >= 5 || index != 0 { self.header.directory(index) } else { None };
        let directory = directory.and_then(|directory| self.string(directory));
        let compiled_in = self.unit.comp_dir.as_ref().map(|directory| directory.slice());
        let compiled_in = compiled_in.filter(|_| !directory.is_some_and(|it| it.starts_with(b"/")));
        let parts = [compiled_in, directory, Some(name)];
        Some(parts.into_iter().flatten().collect::<Vec<_>>().join(&b'/'))
    }

    fn string(&self, value: gimli::AttributeValue<Slice<'a>>) -> Option<&'a [u8]> {
        self.dwarf.attr_string(self.unit, value).ok().map(|string| string.slice())
    }
}

/// A path without `.` and `..`.
pub(super) fn simplified(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/') {
        match (part, parts.last()) {
            (b".", _) => {}
            (b"..", Some(&last)) if !matches!(last, b"" | b"..") => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    parts.join(&b'/')
}

#[cfg(test)]
mod tests {
    use super::simplified;

    #[test]
    fn folders_that_a_path_leaves_again_do_not_matter() {
        for (path, expected) in [
            ("/src/a/../inc/./h.h", "/src/inc/h.h"),
            ("../inc/h.h", "../inc/h.h"),
            ("a/../../h.h", "../h.h"),
            ("/../h.h", "/../h.h"),
            ("h.h", "h.h"),
            ("", ""),
        ] {
            assert_eq!(simplified(path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }
}

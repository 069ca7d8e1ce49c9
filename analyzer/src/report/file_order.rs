//! The order of object files that `gprof -R` proposes to the linker.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Write};

use super::page::Page;
use crate::analysis::{CallGraph, file_order};
use crate::image::FileMap;

/// All object files of a list, so that those lie together that call each other often.
#[derive(Clone, Debug)]
pub struct FileOrder<'a> {
    files: Vec<&'a [u8]>,
}

impl<'a> FileOrder<'a> {
    /// Finds the order; the graph must be one of the object files of `map`.
    #[must_use]
    pub fn new(graph: &'a CallGraph, map: &'a FileMap) -> Self {
        let symbols = graph.profile().symbols();
        let mut files: Vec<_> =
            file_order(graph).into_iter().map(|id| symbols.get(id).name).collect();
        let known: HashSet<_> = files.iter().copied().collect();
        let listed: BTreeSet<_> = map.entries().into_iter().map(|entry| entry.file).collect();
        files.extend(listed.into_iter().filter(|file| !known.contains(file)));
        Self { files }
    }

    /// The files in their order; files without code in the program come last.
    #[must_use]
    pub fn files(&self) -> &[&'a [u8]] {
        &self.files
    }

    /// Writes the names, one in each line, as `gprof -R` does.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, page: &mut Page<impl Write>) -> io::Result<()> {
        let out = page.before();
        for file in &self.files {
            out.write_all(file)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

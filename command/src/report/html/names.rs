//! Names of functions and modules, as all pages have them: lists, one for each column.

use serde::Serialize;

/// A module that functions belong to.
#[derive(Debug, Serialize)]
pub(crate) struct Module<'a> {
    pub(crate) name: &'a str,
}

/// The names of functions. Modules go by their positions; -1 is none.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Names<'a> {
    name: Vec<&'a str>,
    /// The linker's name where it is another.
    linker: Vec<Option<&'a str>>,
    module: Vec<i64>,
}

impl<'a> Names<'a> {
    /// Adds a function.
    pub(crate) fn push(&mut self, shown: &'a str, linker: Option<&'a str>, module: i64) {
        self.name.push(shown);
        self.linker.push(linker.filter(|name| *name != shown));
        self.module.push(module);
    }
}

/// The name for people, if there is one beside the linker's.
pub(crate) fn shown<'a>(display: &'a str, linker: &'a str) -> &'a str {
    if display.is_empty() { linker } else { display }
}

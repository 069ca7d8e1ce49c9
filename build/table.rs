//! What the command includes: its table of ports, the C header, and a hash of all libraries.

use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use gmon_archive::HEADER;

use crate::Result;
use crate::environment::failure;
use crate::libraries::Libraries;
use crate::ports::Port;
use crate::target::Target;

/// One row for each target, in the order of the targets.
pub(crate) struct Table {
    /// Rows of `PORTS` in `src/carried/port.rs`.
    rows: String,
    /// Rows of `KNOWN` in `src/carried/known.rs`.
    known: String,
    hasher: DefaultHasher,
}

impl Table {
    /// A table without rows, beside that of all ports.
    pub(crate) fn of(ports: &[Port<'_>]) -> Self {
        let known = ports.iter().fold(String::new(), |mut known, port| {
            let Port { target, processor, system, bits, macros, .. } = port;
            _ = writeln!(
                known,
                "Known {{ target: {target:?}, architecture: {processor:?}, system: {system:?}, \
                 bits: {bits}, macros: &{macros:?} }},"
            );
            known
        });
        Self { rows: String::new(), known, hasher: DefaultHasher::default() }
    }

    /// Adds the libraries of a target.
    pub(crate) fn add(&mut self, target: &Target, libraries: &Libraries) -> Result<()> {
        let Libraries { archive, shared } = libraries;
        for library in [archive].into_iter().chain(shared) {
            self.hasher.write(&fs::read(library).map_err(|error| failure(library, &error))?);
        }
        let Target { name, architecture, .. } = target;
        let shared = match shared {
            Some(shared) => format!("Some(include_bytes!({shared:?}))"),
            None => "None".to_owned(),
        };
        _ = writeln!(
            self.rows,
            "Port {{ target: {name:?}, architecture: {architecture:?}, \
             archive: include_bytes!({archive:?}), shared: {shared} }},"
        );
        Ok(())
    }

    /// Writes the files that the command includes, and sets the variable that it reads.
    pub(crate) fn write(self, out: &Path) -> Result<()> {
        let list = |rows: String| format!("&[\n{rows}]");
        for (name, text) in [
            ("ports.rs", list(self.rows)),
            ("known.rs", list(self.known)),
            ("gmon.h", HEADER.to_owned()),
        ] {
            let file = out.join(name);
            fs::write(&file, text).map_err(|error| failure(&file, &error))?;
        }
        println!("cargo::rustc-env=GMON_LIBRARIES_HASH={:016x}", self.hasher.finish());
        Ok(())
    }
}

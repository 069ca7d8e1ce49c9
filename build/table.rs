//! Contents of the command: its table of ports, the C header, and a hash of all libraries.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use gmon_archive::HEADER;

use crate::Result;
use crate::environment::failure;
use crate::libraries::Libraries;
use crate::ports::Port;
use crate::target::Target;

/// A row for each target, in the order of the targets.
pub(crate) struct Table {
    /// Ports that the command carries.
    rows: String,
    /// All ports.
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
        let read = |library| fs::read(library).map_err(|error| failure(library, &error));
        let bytes = read(archive)?;
        let object = first_object(&bytes);
        let archive = self.pack(archive, &bytes)?;
        let shared = match shared {
            Some(shared) => format!("Some({})", self.pack(shared, &read(shared)?)?),
            None => "None".to_owned(),
        };
        let Target { name, architecture, .. } = target;
        _ = writeln!(
            self.rows,
            "Port {{ target: {name:?}, architecture: {architecture:?}, \
             archive: {archive}, shared: {shared}, object: &{object:?} }},"
        );
        Ok(())
    }

    /// Compresses a library into a file beside it, and returns the value that describes it.
    fn pack(&mut self, library: &Path, bytes: &[u8]) -> Result<String> {
        self.hasher.write(bytes);
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        let (size, hash) = (bytes.len(), hasher.finish());
        let mut packed = OsString::from(library);
        packed.push(".deflated");
        let packed = PathBuf::from(packed);
        let compress = || {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(bytes)?;
            fs::write(&packed, encoder.finish()?)
        };
        compress().map_err(|error| failure(&packed, &error))?;
        Ok(format!("Packed {{ size: {size}, hash: {hash}, deflated: include_bytes!({packed:?}) }}"))
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

/// The bytes that the first object in an archive begins with: its ELF header as far as the processor.
fn first_object(archive: &[u8]) -> &[u8] {
    const MAGIC: &[u8] = b"\x7fELF";
    let at = archive.windows(MAGIC.len()).position(|window| window == MAGIC);
    at.and_then(|at| archive.get(at..at + 20)).unwrap_or_default()
}

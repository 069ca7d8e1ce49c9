//! Compression of what is written, so that equal contents are equal bytes: without a time and without a name.

use std::io::{self, BufWriter, Write};

use flate2::{Compression, GzBuilder, write::GzEncoder};

/// A gzip stream.
#[derive(Debug)]
pub struct Compressed<W: Write> {
    out: BufWriter<GzEncoder<W>>,
}

impl<W: Write> Compressed<W> {
    /// Begins a stream.
    #[must_use]
    pub fn new(out: W) -> Self {
        let encoder = GzBuilder::new().mtime(0).write(out, Compression::default());
        Self { out: BufWriter::with_capacity(1 << 16, encoder) }
    }

    /// Ends it.
    ///
    /// # Errors
    /// If what is below cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.out.into_inner()?.finish().map(drop)
    }
}

impl<W: Write> Write for Compressed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

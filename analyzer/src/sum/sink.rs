//! Lets the writers of data files write to anything of the standard library.

use std::io::{self, Write};

use gmon_format::Sink;

/// A writer of the standard library as a sink.
pub(super) struct To<W>(pub(crate) W);

impl<W: Write> Sink for To<W> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }
}

/// Bytes handed to the system at once.
pub(super) const BUFFER: usize = 1 << 16;

//! Makes a data file of texts of basic blocks.

use std::io::{self, Write};

use gmon_format::{Encoding, Writer};

use super::sink::{BUFFER, To};
use crate::records::BbOut;

/// Writes the blocks of texts as a data file in the GNU format, those of each source file as a record.
/// Their number is that of the blocks found, not of those announced.
///
/// # Errors
/// Those of the output.
pub fn write_blocks<'a>(
    texts: impl IntoIterator<Item = &'a BbOut>,
    encoding: Encoding,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER];
    let mut writer = Writer::new(To(out), encoding, &mut buffer)?;
    for blocks in texts.into_iter().flat_map(|text| &text.files) {
        writer.blocks(blocks.iter().copied())?;
    }
    writer.finish().map(drop)
}

//! Makes of a copy of a board's memory what a program with a system leaves as a file.

use std::convert::Infallible;

use gmon_format::live::{Content, Form, FullWriter, Header, Live, MemoryNote, Sampling};
use gmon_format::{HistogramHeader, Sink};

/// The profile in a copy of memory, as a file, and whether calls of further arcs may be missing. `None` if there is no
/// profile, or not all of it.
pub(super) fn file_of(memory: &[u8]) -> Option<(Vec<u8>, bool)> {
    let (note, arcs, bins) = MemoryNote::find(memory)?;
    let header = Header {
        encoding: note.encoding,
        form: Form::Finished,
        process: 0,
        placement: note.placement.clone(),
        reserved: 0,
        histogram_at: 0,
        sampling: Sampling {
            rate: note.rate,
            dimension: HistogramHeader::SECONDS,
            abbreviation: b's',
        },
        program: Header::program_name(b""),
    };
    let Ok(file) = write(header, &note, arcs, bins);
    let used = Live::new(&file).ok()?.process_arcs().count() as u64;
    Some((file, used >= note.most_arcs))
}

fn write(
    header: Header,
    note: &MemoryNote,
    arcs: &[u8],
    bins: &[u8],
) -> Result<Vec<u8>, Infallible> {
    const BIN_LEN: u8 = 4;
    let mut buffer = [0; 4096];
    let mut writer = FullWriter::new(Bytes(Vec::new()), header, &mut buffer)?;
    let histogram = Content::Histogram { low_pc: note.low_pc, bin_len: 1 << note.bin_bits };
    for (content, count, len, bytes) in
        [(Content::Arcs, note.arcs, note.arc_len, arcs), (histogram, note.bins, BIN_LEN, bins)]
    {
        if count != 0 {
            let entries = bytes.chunks_exact(len.into());
            writer.block(content, (count, len.into()), entries, std::iter::empty())?;
        }
    }
    let (Bytes(mut file), start) = writer.finish()?;
    file[..start.len()].copy_from_slice(&start);
    Ok(file)
}

/// A file in memory.
struct Bytes(Vec<u8>);

impl Sink for Bytes {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

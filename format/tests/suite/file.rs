//! A data file in memory.

use std::convert::Infallible;

use gmon_format::{Arc, BsdHeader, BsdWriter, Encoding, Sink, Writer};

/// The bytes written so far.
#[derive(Default)]
pub(crate) struct File(pub(crate) Vec<u8>);

impl Sink for File {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// The bytes of a GNU file that `fill` writes through a buffer of this size.
pub(crate) fn gnu(
    encoding: Encoding,
    buffer: usize,
    fill: impl FnOnce(&mut Writer<'_, File>) -> Result<(), Infallible>,
) -> Vec<u8> {
    let mut buffer = vec![0; buffer];
    let Ok(mut writer) = Writer::new(File::default(), encoding, &mut buffer);
    let Ok(()) = fill(&mut writer);
    let Ok(file) = writer.finish();
    file.0
}

/// The bytes of a BSD file.
pub(crate) fn bsd(
    encoding: Encoding,
    header: &BsdHeader,
    bins: &[u16],
    arcs: &[(u64, u64, u64)],
) -> Vec<u8> {
    let mut buffer = [0; 64];
    let bins = bins.iter().copied();
    let Ok(mut writer) = BsdWriter::new(File::default(), encoding, &mut buffer, header, bins);
    for &(from_pc, self_pc, count) in arcs {
        let Ok(()) = writer.arc(Arc::new(from_pc, self_pc, count));
    }
    let Ok(file) = writer.finish();
    file.0
}

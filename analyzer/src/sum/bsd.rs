//! Writes a sum in a format of BSD, which has one histogram and nothing that could be split.

use std::io::{self, Write};

use gmon_format::{BsdHeader, BsdWriter, Encoding, FilePc};

use super::contents::Sum;
use super::sink::{BUFFER, To};
use crate::records::Histogram;

impl Sum<'_> {
    /// Writes the first histogram and the arcs in the format of 4.4BSD or, if not `with_rate` and
    /// the rate is that of the system's clock, in the old one.
    ///
    /// # Errors
    /// Those of the output, and if the format has no room for the number of bins or what is in them.
    pub fn write_bsd(
        &self,
        encoding: Encoding,
        with_rate: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let no_histogram = Histogram { range: FilePc(0)..FilePc(0), bins: Vec::new() };
        let histogram = self.histograms.list().first().unwrap_or(&no_histogram);
        let rate = self.histograms.sampling().map_or(BsdHeader::CLOCK_RATE, |it| it.rate);
        let header = BsdHeader {
            low_pc: histogram.range.start,
            high_pc: histogram.range.end,
            bins: u32::try_from(histogram.bins.len()).unwrap_or(u32::MAX),
            rate: (with_rate || rate != BsdHeader::CLOCK_RATE).then_some(rate),
        };
        if header.bins > BsdHeader::MOST_BINS {
            return Err(no_room(format!("{} bins", header.bins)));
        }
        let narrow =
            |&bin: &u64| u16::try_from(bin).map_err(|_| no_room(format!("{bin} ticks in a bin")));
        let bins = histogram.bins.iter().map(narrow).collect::<io::Result<Vec<u16>>>()?;
        let mut buffer = vec![0; BUFFER];
        let mut writer = BsdWriter::new(To(out), encoding, &mut buffer, &header, bins.into_iter())?;
        for arc in self.arcs.iter() {
            writer.arc(*arc)?;
        }
        writer.finish().map(drop)
    }
}

fn no_room(what: String) -> io::Error {
    let text = format!("{what} are more than the format of BSD has room for");
    io::Error::new(io::ErrorKind::Unsupported, text)
}

//! Writes data files record by record.

use gmon_format::{Arc, Encoding, FilePc, HistogramHeader, Sink, Writer};

/// What a data file holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    pub(crate) histograms: Vec<Histogram>,
    /// From, to, count.
    pub(crate) arcs: Vec<(u64, u64, u64)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    pub(crate) low: u64,
    pub(crate) high: u64,
    pub(crate) rate: u32,
    pub(crate) dimension: &'static str,
    pub(crate) abbreviation: u8,
    pub(crate) bins: Vec<u64>,
}

struct Bytes(Vec<u8>);

impl Sink for Bytes {
    type Error = std::convert::Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

impl Histogram {
    /// A histogram of seconds at 100 ticks each.
    pub(crate) fn new(low: u64, high: u64, bins: Vec<u64>) -> Self {
        Self { low, high, rate: 100, dimension: "seconds", abbreviation: b's', bins }
    }
}

impl Data {
    /// The bytes of the file.
    pub(crate) fn bytes(&self, encoding: Encoding) -> Vec<u8> {
        let mut buffer = [0; 512];
        let Ok(mut writer) = Writer::new(Bytes(Vec::new()), encoding, &mut buffer);
        for histogram in &self.histograms {
            let mut dimension = [0; 15];
            dimension[..histogram.dimension.len()].copy_from_slice(histogram.dimension.as_bytes());
            let header = HistogramHeader {
                low_pc: FilePc(histogram.low),
                high_pc: FilePc(histogram.high),
                bins: histogram.bins.len() as u32,
                rate: histogram.rate,
                dimension,
                abbreviation: histogram.abbreviation,
            };
            let counts = (0..).zip(histogram.bins.iter().copied());
            let Ok(()) = writer.histogram(&header, counts);
        }
        for &(from, to, count) in &self.arcs {
            let Ok(()) = writer.arc(Arc::new(from, to, count));
        }
        let Ok(bytes) = writer.finish();
        bytes.0
    }
}

//! The records of `gmon.out`: where the samples fell and what was counted, in the executable's addresses.
//!
//! *Context:* exit. What is counted after a table was read is not in the file.

use core::ops::Range;

use gmon_format::{Encoding, FilePc, HistogramHeader, LoadedPc, Sink, Writer};
use gmon_system::program::Program;

use crate::counts;
use crate::histogram::{self, Histogram, Unit};

/// Writes all records to `sink` by way of `buffer`, which holds some of them. The histogram's counts stand
/// for `unit`.
pub(crate) fn write<S: Sink>(
    sink: S,
    buffer: &mut [u8],
    program: &Program,
    unit: &Unit,
) -> Result<(), S::Error> {
    let mut writer = Writer::new(sink, Encoding::NATIVE, buffer)?;
    let file_pc = |pc: usize| LoadedPc(pc as u64).in_file(program.bias as u64);
    if let Some(histogram) = histogram::current() {
        write_histogram(&mut writer, histogram, unit, file_pc)?;
    }
    counts::visit(program, |counts| {
        for arc in counts.arcs() {
            writer.arc(arc)?;
        }
        let blocks = counts.blocks();
        if blocks.clone().next().is_some() { writer.blocks(blocks) } else { Ok(()) }
    })?;
    writer.finish().map(drop)
}

fn write_histogram<S: Sink>(
    writer: &mut Writer<'_, S>,
    histogram: &'static Histogram,
    unit: &Unit,
    file_pc: impl Fn(usize) -> FilePc,
) -> Result<(), S::Error> {
    let Range { start, end } = histogram.range();
    let header = HistogramHeader {
        low_pc: file_pc(start),
        high_pc: file_pc(end),
        bins: histogram.len(),
        rate: unit.rate,
        dimension: unit.dimension,
        abbreviation: unit.abbreviation,
    };
    writer.histogram(&header, histogram.counts())
}

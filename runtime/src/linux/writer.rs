//! `gmon.out`: where the samples fell and what all threads counted, in the executable's addresses.
//!
//! *Context:* exit. Threads that still run go on counting; what they count after their table was
//! read is not in the file.

use core::ops::Range;

use gmon_format::{Encoding, HistogramHeader, Sink, Writer};

use crate::histogram::{self, Histogram};
use crate::message::{self, Decimal};
use crate::output::{self, Occasion};
use crate::platform::{Errno, File};
use crate::program::Program;
use crate::{counts, sampler, threads};

/// Writes the profile and tells on the standard error stream what is missing from it. False if it
/// was not written.
pub(crate) fn write(occasion: Occasion) -> bool {
    let Some(program) = Program::get() else {
        message::say(&["cannot find the program's load address: no gmon.out is written"]);
        return false;
    };
    sampler::collect();
    let written = output::write(occasion, |file| write_records(file, program));
    let lost = threads::lost();
    if lost != 0 {
        message::say(&["no memory: ", Decimal::new(lost).as_str(), " calls were not counted"]);
    }
    written
}

impl Sink for &mut File {
    type Error = Errno;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Errno> {
        self.write_all(bytes)
    }

    /// Most of a histogram is zero.
    fn skip(&mut self, count: u64) -> Result<bool, Errno> {
        Ok(File::skip(self, count))
    }
}

fn write_records(file: &mut File, program: &Program) -> Result<(), Errno> {
    let mut buffer = [0; 4 * 1024];
    let mut writer = Writer::new(file, Encoding::NATIVE, &mut buffer)?;
    let file_pc = |pc: usize| pc.wrapping_sub(program.bias) as u64;
    if let Some(histogram) = histogram::current() {
        write_histogram(&mut writer, histogram, file_pc)?;
    }
    counts::visit(program, |counts| {
        for arc in counts.arcs() {
            writer.arc(arc.from_pc as u64, arc.self_pc as u64, arc.count)?;
        }
        let blocks = counts.blocks();
        if blocks.clone().next().is_some() { writer.blocks(blocks) } else { Ok(()) }
    })?;
    writer.finish().map(drop)
}

fn write_histogram<S: Sink>(
    writer: &mut Writer<'_, S>,
    histogram: &'static Histogram,
    file_pc: impl Fn(usize) -> u64,
) -> Result<(), S::Error> {
    let unit = sampler::unit();
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

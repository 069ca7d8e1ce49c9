//! The flat profile as `gprof -p` writes it.

use std::io::{self, Write};

use super::blurbs;
use super::columns::{blanks, count, decimal, first_decimal, general, word};
use super::flat::{FlatProfile, FlatRow, UnitPrefix};
use super::names::Names;
use super::page::Page;
use crate::parallel::{PART_OF_LINES, write_in_parts};

impl FlatProfile<'_> {
    /// Writes the report as `gprof -p` does.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, page: &mut Page<impl Write>, names: &Names<'_>) -> io::Result<()> {
        let style = page.style();
        let out = page.begin()?;
        if style.traditional {
            if !style.brief {
                out.write_all(blurbs::TRADITIONAL_FLAT.as_bytes())?;
            }
            self.write_granularity(out)?;
            self.write_headings(out, UnitPrefix::MILLI)?;
            return write_in_parts(out, self.rows().len(), PART_OF_LINES, |number, text| {
                let row = self.row(number);
                first_decimal::<1>(text, row.percent, 5);
                decimal::<2>(text, row.cumulative, 10);
                self.append_costs(text, &row, UnitPrefix::MILLI);
                names.append_full(text, self.graph(), row.symbol);
                text.push(b'\n');
            });
        }
        self.write_title(out)?;
        self.write_headings(out, self.prefix())?;
        write_in_parts(out, self.rows().len(), PART_OF_LINES, |number, text| {
            let row = self.row(number);
            first_decimal::<2>(text, row.percent, 6);
            decimal::<2>(text, row.cumulative, 9);
            self.append_costs(text, &row, self.prefix());
            text.extend_from_slice(names.plain(row.symbol));
            text.push(b'\n');
        })?;
        if !style.brief {
            out.write_all(blurbs::FLAT.as_bytes())?;
        }
        Ok(())
    }

    fn write_title(&self, out: &mut impl Write) -> io::Result<()> {
        let sampling = self.sampling();
        let tick = general(1.0 / f64::from(sampling.rate));
        write!(out, "Flat profile:\n\nEach sample counts as {tick} ")?;
        out.write_all(&sampling.dimension)?;
        out.write_all(b".\n")?;
        if self.graph().total_ticks() <= 0.0 {
            out.write_all(b" no time accumulated\n\n")?;
        }
        Ok(())
    }

    fn write_granularity(&self, out: &mut impl Write) -> io::Result<()> {
        let (sampling, total) = (self.sampling(), self.graph().total_ticks());
        write!(out, "\ngranularity: each sample hit covers {} byte(s)", sampling.bytes_per_bin())?;
        if total <= 0.0 {
            return out.write_all(b" no time accumulated\n\n");
        }
        write!(out, " for {:.2}% of {:.2} ", 100.0 / total, sampling.units(total))?;
        out.write_all(&sampling.dimension)?;
        out.write_all(b"\n\n")
    }

    fn write_headings(&self, out: &mut impl Write, prefix: UnitPrefix) -> io::Result<()> {
        let sampling = self.sampling();
        let dimension = &sampling.dimension[..];
        let mut text =
            b"  %   cumulative   self              self     total           \n time".to_vec();
        word(&mut text, dimension, 9);
        blanks(&mut text, 1);
        word(&mut text, dimension, 8);
        text.extend_from_slice(b"    calls");
        let per_call = [&[prefix.letter as u8, sampling.abbreviation], &b"/call"[..]].concat();
        // An abbreviation of NUL ends the word for GNU gprof.
        let per_call = per_call.split(|&byte| byte == 0).next().unwrap_or_default();
        word(&mut text, per_call, 8);
        word(&mut text, per_call, 8);
        text.extend_from_slice(b"  name    \n");
        out.write_all(&text)
    }

    /// Self time, calls, and times per call, which are blank for a function without calls.
    fn append_costs(&self, text: &mut Vec<u8>, row: &FlatRow, prefix: UnitPrefix) {
        decimal::<2>(text, row.self_time, 8);
        if row.calls == 0 {
            blanks(text, 3 * 9);
        } else {
            let per_call =
                |ticks: f64| self.sampling().units(prefix.per_unit * ticks) / row.calls as f64;
            count(text, row.calls, 8);
            decimal::<2>(text, per_call(row.self_ticks), 8);
            decimal::<2>(text, per_call(row.total_ticks), 8);
        }
        blanks(text, 2);
    }
}

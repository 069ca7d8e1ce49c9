//! The flat profile as `gprof -p` writes it.

use std::io::{self, Write};

use super::blurbs;
use super::columns::{blanks, count, decimal, general, word};
use super::flat::{FlatProfile, FlatRow, UnitPrefix};
use super::names::Names;
use super::page::Page;

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
            return self.rows().iter().try_for_each(|row| {
                write!(out, "{:5.1}", row.percent)?;
                decimal(out, row.cumulative, 10)?;
                self.write_costs(out, row, UnitPrefix::MILLI)?;
                out.write_all(&names.full(self.graph(), row.symbol))?;
                out.write_all(b"\n")
            });
        }
        self.write_title(out)?;
        self.write_headings(out, self.prefix())?;
        for row in self.rows() {
            write!(out, "{:6.2}", row.percent)?;
            decimal(out, row.cumulative, 9)?;
            self.write_costs(out, row, self.prefix())?;
            out.write_all(names.plain(row.symbol))?;
            out.write_all(b"\n")?;
        }
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
        out.write_all(b"  %   cumulative   self              self     total           \n time")?;
        word(out, dimension, 9)?;
        out.write_all(b" ")?;
        word(out, dimension, 8)?;
        out.write_all(b"    calls")?;
        let per_call = [&[prefix.letter as u8, sampling.abbreviation], &b"/call"[..]].concat();
        // An abbreviation of NUL ends the word for GNU gprof.
        let per_call = per_call.split(|&byte| byte == 0).next().unwrap_or_default();
        word(out, per_call, 8)?;
        word(out, per_call, 8)?;
        out.write_all(b"  name    \n")
    }

    /// Self time, calls, and times per call, which are blank for a function without calls.
    fn write_costs(
        &self,
        out: &mut impl Write,
        row: &FlatRow,
        prefix: UnitPrefix,
    ) -> io::Result<()> {
        decimal(out, row.self_time, 8)?;
        if row.calls == 0 {
            blanks(out, 3 * 9)?;
        } else {
            let per_call =
                |ticks: f64| self.sampling().units(prefix.per_unit * ticks) / row.calls as f64;
            count(out, row.calls, 8)?;
            decimal(out, per_call(row.self_ticks), 8)?;
            decimal(out, per_call(row.total_ticks), 8)?;
        }
        blanks(out, 2)
    }
}

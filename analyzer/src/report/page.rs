//! Output of reports one after another, and the choices that hold for all of them.

use std::io::{self, Write};

/// Choices that hold for all reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Leave out the explanations of the columns.
    pub brief: bool,
    /// Use the layout of BSD's gprof.
    pub traditional: bool,
    /// Width of the index, in columns.
    pub width: u32,
}

impl Default for Style {
    fn default() -> Self {
        Self { brief: false, traditional: false, width: 80 }
    }
}

/// A sequence of reports, each on its own page.
#[derive(Debug)]
pub struct Page<W> {
    out: W,
    style: Style,
    printed: bool,
}

impl<W: Write> Page<W> {
    /// Starts with nothing written.
    pub fn new(out: W, style: Style) -> Self {
        Self { out, style, printed: false }
    }

    /// This page, if something else was already written to the output.
    #[must_use]
    pub fn after_other_output(self) -> Self {
        Self { printed: true, ..self }
    }

    /// The choices that hold for all reports.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Output for what stands on no page of its own: what belongs to the next report but stands
    /// before it, and mere lists.
    pub fn before(&mut self) -> &mut W {
        &mut self.out
    }

    /// Begins a report: on a new page, unless it is the first.
    ///
    /// # Errors
    /// Those of the output.
    pub fn begin(&mut self) -> io::Result<&mut W> {
        if std::mem::replace(&mut self.printed, true) { self.turn() } else { Ok(&mut self.out) }
    }

    /// Begins a part of a report on a new page.
    ///
    /// # Errors
    /// Those of the output.
    pub fn turn(&mut self) -> io::Result<&mut W> {
        self.out.write_all(b"\x0c\n")?;
        Ok(&mut self.out)
    }

    /// Ends a part of a report that another one follows.
    ///
    /// # Errors
    /// Those of the output.
    pub fn end_part(&mut self) -> io::Result<()> {
        self.out.write_all(b"\n")
    }

    /// Hands what is still buffered to the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

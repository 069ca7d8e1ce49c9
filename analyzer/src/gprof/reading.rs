//! Reads the data files, and says what there is to say meanwhile.

use std::io::{self, Write};
use std::path::Path;

use super::command::say;
use super::options::Options;
use super::outputs::Output;
use super::stop::Stop;
use crate::image::Image;
use crate::progress::ProgressLine;
use crate::records::{FileSummary, Loader, Records, Watch, once_each};

/// Reads the data files that the options name.
pub(super) fn read(
    program: &str,
    options: &Options,
    image: &Image,
    out: &mut impl Write,
    stderr: &mut dyn Write,
) -> Result<Records, Stop> {
    let accepted = options.format.accepted().ok_or(Stop::ProfFormat)?;
    let mut reading = Reading {
        program,
        out: options.outputs.has(Output::FileInfo).then_some(out),
        stderr,
        uses_blocks: options.program.lines,
        version: 0,
        progress: ProgressLine::new(format!("{program}: reading profiles")),
        written: Ok(()),
    };
    // Those of other runtimes have none beside them.
    let files = once_each(&options.profiles);
    let loaded = Loader::for_program(image).accept(accepted).load(&files, &mut reading);
    reading.progress.clear();
    reading.written?;
    let records = loaded?;
    for file in records.foreign_files() {
        let (file, image) = (file.display(), image.path().display());
        let trouble = format!("all its addresses lie outside the code of {image}");
        say(stderr, &format!("{program}: warning: {file}: {trouble}; is it another program's?\n"));
    }
    for (file, miscount) in records.miscounts() {
        say(stderr, &format!("{program}: warning: {}: {miscount}\n", file.display()));
    }
    Ok(records)
}

struct Reading<'a, W> {
    program: &'a str,
    /// Sink for a note on what each file holds.
    out: Option<&'a mut W>,
    stderr: &'a mut dyn Write,
    uses_blocks: bool,
    /// Version of the last file that stated one.
    version: u32,
    progress: ProgressLine,
    /// Result of writing.
    written: io::Result<()>,
}

impl<W: Write> Watch for Reading<'_, W> {
    fn file(&mut self, path: &Path, summary: &FileSummary) {
        self.version = summary.version.unwrap_or(self.version);
        if let (Some(out), Ok(())) = (&mut self.out, &self.written) {
            self.written = write_summary(out, path, self.version, summary);
        }
    }

    fn blocks(&mut self) {
        if !self.uses_blocks {
            self.progress.clear();
            let advice = "ignoring basic-block exec counts (use -l or --line)";
            say(self.stderr, &format!("{}: warning: {advice}\n", self.program));
        }
    }

    fn progress(&mut self, read: usize, all: usize) {
        self.progress.update(read, all);
    }
}

fn write_summary(
    out: &mut impl Write,
    path: &Path,
    version: u32,
    summary: &FileSummary,
) -> io::Result<()> {
    out.write_all(b"File `")?;
    out.write_all(path.as_os_str().as_encoded_bytes())?;
    writeln!(out, "' (version {version}) contains:")?;
    for (count, what) in [
        (summary.histograms, "histogram"),
        (summary.arcs, "call-graph"),
        (summary.blocks, "basic-block count"),
    ] {
        writeln!(out, "\t{count} {what} record{}", if count == 1 { "" } else { "s" })?;
    }
    Ok(())
}

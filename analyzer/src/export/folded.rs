//! Folded stacks, a line for each: for flame graphs of inferno and others.

use std::io::{self, Write};

use super::format::{Choice, FileNames, Format, Need, Threads, View, Writer};
use crate::model::Model;

pub(super) const FORMAT: Format = Format {
    name: "folded",
    help: "flame graphs: inferno, flamegraph.pl, Firefox Profiler",
    files: FileNames::ending(".folded"),
    needs: &[Need::Anything, Need::Stacks],
    choices: &[Choice::Threads],
    writer: Writer::OfModel(write),
};

/// Counts are samples: readers make an event of each unit, and nanoseconds would be too many.
fn write(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = model.functions.iter().map(|it| folded_name(&it.display)).collect();
    let threads: Vec<String> = model.thread_labels().iter().map(|it| folded_name(it)).collect();
    let stacks = model.stacks_by_function(view.threads == Threads::Split);
    let mut line = Vec::new();
    stacks.each(|stack| {
        line.clear();
        let thread = (view.threads == Threads::Split).then(|| &threads[stack.thread.index()]);
        let functions = stack.frames.iter().map(|id| &names[id.index()]);
        for (index, name) in thread.into_iter().chain(functions).enumerate() {
            if index > 0 {
                line.push(b';');
            }
            line.extend_from_slice(name.as_bytes());
        }
        out.write_all(&line)?;
        writeln!(out, " {}", stack.samples)
    })
}

/// A name without the characters that mean something in such lines.
#[must_use]
pub fn folded_name(name: &str) -> String {
    name.replace(';', ":").replace(char::is_control, " ")
}

//! The JSON of Chrome's traces, which <https://ui.perfetto.dev> opens: each function as a slice from the first to the last of
//! the samples in a row that found it on the stack.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Value, json};

use super::format::{FileNames, Format, Need, View, Writer};
use super::tracks::{Track, longest_gap, marks, path, tracks};
use crate::model::{FrameId, FunctionId, Model, ThreadId};

pub(super) const FORMAT: Format = Format {
    name: "perfetto",
    help: "threads over time, for ui.perfetto.dev and Chrome",
    files: FileNames::ending(".perfetto.json"),
    needs: &[Need::Anything, Need::Stacks, Need::Times],
    choices: &[],
    writer: Writer::OfModel(write),
};

fn write(model: &Model, _: &View, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
    let mut events = Events { model, out, is_first: true };
    for track in tracks(model) {
        events.track(&track)?;
    }
    writeln!(out, "\n]}}")
}

struct Events<'a> {
    model: &'a Model,
    out: &'a mut dyn Write,
    is_first: bool,
}

impl Events<'_> {
    fn event(&mut self, event: &Value) -> io::Result<()> {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        write!(self.out, "{comma}\n{event}")
    }

    fn track(&mut self, track: &Track) -> io::Result<()> {
        let model = self.model;
        let thread = &model.threads[track.thread.index()];
        let (pid, tid) = (thread.pid, thread.tid);
        let names = [("process_name", model.program_name()), ("thread_name", thread.name.as_str())];
        for (kind, name) in names {
            self.event(&json!({
                "ph": "M", "name": kind, "pid": pid, "tid": tid, "args": { "name": name },
            }))?;
        }
        let mut open: Vec<(FrameId, u64)> = Vec::new();
        let mut last = 0;
        for (time, moment) in &track.samples {
            let path = path(model, moment.stack);
            let is_pause = time.start.saturating_sub(last) > longest_gap(model);
            let same = open.iter().zip(&path).take_while(|((known, _), frame)| {
                !is_pause && function(model, *known) == function(model, **frame)
            });
            let same = same.count();
            // A slice ends where the next begins, unless the thread paused.
            let end = if is_pause { last } else { time.start.max(last) };
            for (frame, start) in open.drain(same..).rev().collect::<Vec<_>>() {
                self.slice(frame, &(start..end), (pid, tid))?;
            }
            open.extend(path[same..].iter().map(|frame| (*frame, time.start)));
            last = time.end;
        }
        for (frame, start) in open.into_iter().rev() {
            self.slice(frame, &(start..last), (pid, tid))?;
        }
        self.marks(track.thread, (pid, tid))
    }

    /// Marks of the thread: phases beside its functions, since samples do not tell which of both began first.
    fn marks(&mut self, thread: ThreadId, (pid, tid): (u64, u64)) -> io::Result<()> {
        let model = self.model;
        for (mark, number) in marks(model, thread).zip(0..) {
            let id = format!("{}.{number}", thread.0);
            let event = |kind, ns: u64| {
                json!({
                    "ph": kind, "name": mark.name, "cat": "phase", "id": id, "pid": pid, "tid": tid,
                    "ts": ns as f64 / 1e3,
                })
            };
            match mark.length_ns {
                Some(_) => {
                    self.event(&event("b", mark.at_ns))?;
                    self.event(&event("e", mark.end_ns()))?;
                }
                None => self.event(&json!({
                    "ph": "i", "s": "t", "name": mark.name, "cat": "mark", "pid": pid, "tid": tid,
                    "ts": mark.at_ns as f64 / 1e3,
                }))?,
            }
        }
        Ok(())
    }

    fn slice(
        &mut self,
        frame: FrameId,
        time: &Range<u64>,
        (pid, tid): (u64, u64),
    ) -> io::Result<()> {
        let function = &self.model.functions[function(self.model, frame).index()];
        self.event(&json!({
            "ph": "X", "name": function.display, "cat": self.model.module_name(function),
            "pid": pid, "tid": tid, "ts": time.start, "dur": time.end.saturating_sub(time.start),
        }))
    }
}

fn function(model: &Model, frame: FrameId) -> FunctionId {
    model.frames[frame.index()].function
}

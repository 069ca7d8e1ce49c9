//! The format of pprof: `profile.proto` of <https://github.com/google/pprof>, compressed.
//!
//! Calls and stacks share the file: calls are samples of two frames without time, so that views of time never
//! show them.

use std::collections::HashMap;
use std::io::{self, Write};

use super::format::{Contents, FileNames, Format, Need, View, Writer};
use super::protobuf::Message;
use crate::model::{
    FileId, Frame, FrameId, Function, FunctionId, Kind, Model, ModuleId, Stack, is_build_id,
};
use crate::positions::Distinct;

pub(super) const FORMAT: Format = Format {
    name: "pprof",
    help: "for go tool pprof, speedscope, Pyroscope, Parca and others",
    files: FileNames { start: "", end: ".pb.gz", contents: Contents::Compressed, by_thread: false },
    needs: &[Need::Anything],
    choices: &[],
    writer: Writer::OfModel(write),
};

/// Fields of the message Profile.
const SAMPLE_TYPE: u32 = 1;
const SAMPLE: u32 = 2;
const MAPPING: u32 = 3;
const LOCATION: u32 = 4;
const FUNCTION: u32 = 5;
const STRING_TABLE: u32 = 6;
const TIME_NANOS: u32 = 9;
const DURATION_NANOS: u32 = 10;
const PERIOD_TYPE: u32 = 11;
const PERIOD: u32 = 12;
const COMMENT: u32 = 13;
const DEFAULT_SAMPLE_TYPE: u32 = 14;

/// Modules behind the first lie so far apart.
const DISTANCE: u64 = 1 << 40;

fn write(model: &Model, _: &View, out: &mut dyn Write) -> io::Result<()> {
    let mut file = File {
        model,
        out,
        strings: Distinct::default(),
        threads: model.thread_labels(),
        locations: HashMap::new(),
        frames: Vec::new(),
    };
    file.string("");
    file.head()?;
    file.modules()?;
    file.functions()?;
    file.calls()?;
    if model.has_stacks() {
        file.frames = vec![0; model.frames.len()];
        model.stacks.each(|stack| file.stack(stack))?;
    } else {
        file.places()?;
    }
    let strings = std::mem::take(&mut file.strings).into_list();
    for string in strings {
        file.field(&Message::default().bytes(STRING_TABLE, string.as_bytes()))?;
    }
    Ok(())
}

struct File<'a> {
    model: &'a Model,
    out: &'a mut dyn Write,
    /// The table of strings.
    strings: Distinct<String>,
    /// Labels of threads.
    threads: Vec<String>,
    /// Locations by their lines, the innermost first.
    locations: HashMap<Vec<Line>, u64>,
    /// Locations of frames that stand alone; 0 for one that is not written yet.
    frames: Vec<u64>,
}

/// A function and a line in its file, 0 if that is not known.
type Line = (FunctionId, u32);

impl File<'_> {
    /// Fields of the profile may come in any order.
    fn field(&mut self, message: &Message) -> io::Result<()> {
        self.out.write_all(message.as_bytes())
    }

    fn string(&mut self, text: &str) -> u64 {
        self.strings.position(text).into()
    }

    fn value_type(&mut self, kind: &str, unit: &str) -> Message {
        let (kind, unit) = (self.string(kind), self.string(unit));
        Message::default().number(1, kind).number(2, unit)
    }

    fn head(&mut self) -> io::Result<()> {
        let sampling = &self.model.sampling;
        // Ticks of other clocks are parts of their units.
        let clock = if sampling.waits { "wall" } else { "cpu" };
        let (kind, unit, period) = match (sampling.is_time(), sampling.rate_hz) {
            (true, _) => (clock.to_owned(), "nanoseconds".to_owned(), sampling.period_ns),
            (false, 0 | 1) => (sampling.unit.clone(), sampling.unit.clone(), 1),
            (false, rate) => (sampling.unit.clone(), format!("{}/{rate}", sampling.unit), 1),
        };
        let mut head = Message::default();
        for (kind, unit) in [("calls", "count"), ("samples", "count"), (&*kind, &*unit)] {
            head = head.message(SAMPLE_TYPE, &self.value_type(kind, unit));
        }
        let shown = if sampling.samples == 0 { "calls" } else { &kind };
        head = head
            .number(TIME_NANOS, self.model.start_ns.unwrap_or(0))
            .number(DURATION_NANOS, self.model.duration_ns.unwrap_or(0))
            .message(PERIOD_TYPE, &self.value_type(&kind, &unit))
            .number(PERIOD, period)
            .number(DEFAULT_SAMPLE_TYPE, self.string(shown));
        let mut comments = vec![format!("gmon {}", self.model.generator.version)];
        if self.model.has_stacks() {
            let share = 100.0 * sampling.incomplete as f64 / sampling.samples.max(1) as f64;
            comments.extend(sampling.signals.map(|signals| format!("{signals} signals")));
            comments.push(format!("{share:.2} % of the stacks are incomplete"));
        } else {
            let unknown = "no stacks were recorded; cumulative times are not known";
            comments.push(unknown.to_owned());
        }
        let comments: Vec<_> = comments.iter().map(|text| self.string(text)).collect();
        self.field(&head.numbers(COMMENT, comments))
    }

    /// Shift of a module's addresses, so that no two modules overlap.
    fn base(ModuleId(module): ModuleId) -> u64 {
        if module == 0 { 0 } else { (u64::from(module) + 1) * DISTANCE }
    }

    fn modules(&mut self) -> io::Result<()> {
        /// Modules end where a page does.
        const PAGE: u64 = 4096;
        let model = self.model;
        for module in &model.modules {
            let functions = || model.functions.iter().filter(|it| it.module == Some(module.id));
            let ends = functions().filter_map(|it| it.address?.0.checked_add(it.size.unwrap_or(1)));
            let end = ends.max().unwrap_or(0).next_multiple_of(PAGE).max(PAGE);
            let has_inlined = functions().any(|it| it.kind == Kind::Inlined)
                || model.frames.iter().any(|frame| {
                    frame.inlined
                        && model.functions[frame.function.index()].module == Some(module.id)
                });
            let base = Self::base(module.id);
            // Others look files up by it.
            let build_id = module.build_id.as_deref().filter(|key| is_build_id(key));
            let mapping = Message::default()
                .number(1, u64::from(module.id.0) + 1)
                .number(2, base)
                .number(3, base.saturating_add(end))
                .number(5, self.string(&module.path))
                .number(6, self.string(build_id.unwrap_or("")))
                // Without this, pprof looks for names itself.
                .number(7, 1)
                .number(8, functions().any(|it| it.file.is_some()).into())
                .number(9, functions().any(|it| it.line.is_some()).into())
                .number(10, has_inlined.into());
            self.field(&Message::default().message(MAPPING, &mapping))?;
        }
        Ok(())
    }

    fn functions(&mut self) -> io::Result<()> {
        for function in &self.model.functions {
            let file = self.model.path(function.file).unwrap_or("");
            let message = Message::default()
                .number(1, u64::from(function.id.0) + 1)
                .number(2, self.string(&function.display))
                .number(3, self.string(&function.name))
                .number(4, self.string(file))
                .number(5, function.line.unwrap_or(0).into());
            self.field(&Message::default().message(FUNCTION, &message))?;
        }
        Ok(())
    }

    /// The number of a location, which is written if it is new: lines of functions, the innermost first, all but
    /// the last of which were inlined.
    fn location(&mut self, lines: Vec<Line>) -> io::Result<u64> {
        if let Some(&known) = self.locations.get(&lines) {
            return Ok(known);
        }
        let number = self.locations.len() as u64 + 1;
        let code = lines.last().map(|(function, _)| &self.model.functions[function.index()]);
        let module = code.and_then(|function| function.module);
        let address = code.and_then(|function| function.address).map_or(0, |address| address.0);
        let base = module.map_or(0, Self::base);
        let mut location = Message::default()
            .number(1, number)
            .number(2, module.map_or(0, |id| u64::from(id.0) + 1))
            .number(3, base.saturating_add(address));
        for &(function, line) in &lines {
            let line =
                Message::default().number(1, u64::from(function.0) + 1).number(2, line.into());
            location = location.message(4, &line);
        }
        self.locations.insert(lines, number);
        self.field(&Message::default().message(LOCATION, &location))?;
        Ok(number)
    }

    /// A line of a function, if it is in the function's file.
    fn line(&self, function: FunctionId, file: Option<FileId>, line: Option<u32>) -> Line {
        let known = &self.model.functions[function.index()];
        let is_own = known.kind == Kind::Inlined || known.file == file;
        (function, line.filter(|_| is_own).unwrap_or(0))
    }

    fn first_line(function: &Function) -> Line {
        (function.id, function.line.unwrap_or(0))
    }

    /// A sample: locations, the innermost first, and counts of calls and of samples.
    fn sample(
        &mut self,
        locations: &[u64],
        calls: u64,
        samples: u64,
        labels: &[Message],
    ) -> io::Result<()> {
        let sampling = &self.model.sampling;
        let amount = if sampling.is_time() { sampling.time(samples) } else { samples };
        let mut sample = Message::default()
            .numbers(1, locations.iter().copied())
            // They are signed there.
            .numbers(2, [calls, samples, amount].map(|it| it.min(i64::MAX as u64)));
        for label in labels {
            sample = sample.message(3, label);
        }
        self.field(&Message::default().message(SAMPLE, &sample))
    }

    fn calls(&mut self) -> io::Result<()> {
        for arc in &self.model.arcs {
            let Some(calls) = arc.calls else { continue };
            let callee = Self::first_line(&self.model.functions[arc.callee.index()]);
            let mut locations = vec![self.location(vec![callee])?];
            if let Some(caller) = arc.caller {
                let mut lines = vec![self.line(caller, arc.file, arc.line)];
                lines.extend(arc.within.map(|function| (function, 0)));
                locations.push(self.location(lines)?);
            }
            self.sample(&locations, calls, 0, &[])?;
        }
        Ok(())
    }

    /// Times of functions by line, where there are no stacks.
    fn places(&mut self) -> io::Result<()> {
        for place in self.model.places.iter().filter(|place| place.samples != 0) {
            let line = self.line(place.function, place.file, place.line);
            let location = self.location(vec![line])?;
            self.sample(&[location], 0, place.samples, &[])?;
        }
        Ok(())
    }

    fn stack(&mut self, stack: &Stack<'_>) -> io::Result<()> {
        let model = self.model;
        let mut locations = Vec::with_capacity(stack.frames.len());
        let mut rest = stack.frames;
        // The innermost frame first; what was inlined goes with what it was inlined into.
        while !rest.is_empty() {
            let is_code = |id: &FrameId| !model.frames[id.index()].inlined;
            let start = rest.iter().rposition(is_code).unwrap_or(0);
            let (outer, group) = rest.split_at(start);
            locations.push(self.location_of(group)?);
            rest = outer;
        }
        let thread = &model.threads[stack.thread.index()];
        let key = self.string("thread");
        let label = self.strings.position(self.threads[stack.thread.index()].as_str()).into();
        let labels = [
            Message::default().number(1, key).number(2, label),
            Message::default().number(1, self.string("tid")).number(3, thread.tid),
        ];
        self.sample(&locations, 0, stack.samples, &labels)
    }

    /// The location of frames, all but the first of which were inlined.
    fn location_of(&mut self, group: &[FrameId]) -> io::Result<u64> {
        if let [frame] = group {
            let known = self.frames[frame.index()];
            if known != 0 {
                return Ok(known);
            }
        }
        let line = |id: &FrameId| {
            let Frame { function, file, line, .. } = self.model.frames[id.index()];
            self.line(function, file, line)
        };
        let lines = group.iter().rev().map(line).collect();
        let location = self.location(lines)?;
        if let [frame] = group {
            self.frames[frame.index()] = location;
        }
        Ok(location)
    }
}

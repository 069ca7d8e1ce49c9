//! The processed format of <https://profiler.firefox.com>, of a version that it upgrades when it opens one.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Value, json};

use super::format::{FileNames, Format, Need, View, Writer};
use super::tracks::{Track, longest_gap, marks, tracks};
use crate::model::{FunctionId, Kind, Model, ModuleId, ThreadId};
use crate::positions::Distinct;

pub(super) const FORMAT: Format = Format {
    name: "firefox",
    help: "threads over time, for profiler.firefox.com",
    files: FileNames::ending(".firefox.json"),
    needs: &[Need::Anything, Need::Stacks, Need::Times],
    choices: &[],
    writer: Writer::OfModel(write),
};

/// The version of the format, whose threads have their tables for themselves.
const VERSION: u32 = 47;

/// Positions of categories.
const USER: usize = 0;
const PROFILER: usize = 1;

fn write(model: &Model, _: &View, out: &mut dyn Write) -> io::Result<()> {
    let category =
        |name, color| json!({ "name": name, "color": color, "subcategories": ["Other"] });
    let libraries = model.modules.iter().map(|module| {
        json!({
            "name": module.name(), "path": module.path, "debugName": module.name(),
            "debugPath": module.path, "breakpadId": "", "codeId": module.build_id, "arch": module.arch,
        })
    });
    let meta = json!({
        "version": 24,
        "preprocessedProfileVersion": VERSION,
        "product": model.program_name(),
        "importedFrom": "gmon",
        "startTime": model.start_ns.unwrap_or(0) as f64 / 1e6,
        "interval": model.sampling.period_ns as f64 / 1e6,
        "processType": 0,
        "stackwalk": 1,
        "debug": false,
        "symbolicated": true,
        "usesOnlyOneStackType": true,
        "doesNotUseFrameImplementation": true,
        "sourceCodeIsNotOnSearchfox": true,
        "categories": [category("User", "yellow"), category("Profiler", "grey")],
        "markerSchema": [],
        "pausedRanges": [],
        "extensions": { "baseURL": [], "id": [], "name": [], "length": 0 },
        "sampleUnits": { "time": "ms", "eventDelay": "ms", "threadCPUDelta": "µs" },
    });
    let libraries: Vec<Value> = libraries.collect();
    write!(
        out,
        "{{\"meta\":{meta},\n\"libs\":{},\n\"pages\":[],\n\"threads\":[",
        json!(libraries)
    )?;
    // The nodes of a thread lie together, each behind its parent.
    let mut nodes = vec![0..0; model.threads.len()];
    for (position, node) in model.stacks.nodes().iter().enumerate() {
        let known = &mut nodes[node.thread.index()];
        let start = if known.end == 0 { position } else { known.start };
        *known = start..position + 1;
    }
    let labels = model.thread_labels();
    for (track, number) in tracks(model).iter().zip(0..) {
        let comma = if number == 0 { "" } else { "," };
        let id = track.thread.index();
        let (nodes, label) = (nodes[id].clone(), &labels[id]);
        write!(out, "{comma}\n{}", thread(model, track, (nodes, label), number == 0))?;
    }
    writeln!(out, "\n]}}")
}

fn milliseconds(us: u64) -> f64 {
    us as f64 / 1000.0
}

fn thread(
    model: &Model,
    track: &Track,
    (range, label): (Range<usize>, &str),
    is_main: bool,
) -> Value {
    let nodes = &model.stacks.nodes()[range.clone()];
    let mut strings: Distinct<String> = Distinct::default();
    let mut functions: Distinct<FunctionId> = Distinct::default();
    let mut frames = Distinct::default();
    let mut positions: HashMap<u32, usize> = HashMap::new();
    let (mut stack_frames, mut prefixes) = (Vec::new(), Vec::new());
    for (position, node) in (range.start as u32..).zip(nodes) {
        let frame = &model.frames[node.frame.index()];
        let function = functions.position(&frame.function);
        positions.insert(position, stack_frames.len());
        stack_frames.push(frames.position(&(function, frame.line, frame.inlined)));
        prefixes.push(node.parent.and_then(|parent| positions.get(&parent).copied()));
    }
    let samples = samples(model, track, &positions);

    let mut modules: Distinct<ModuleId> = Distinct::default();
    let (mut names, mut resources, mut files, mut lines) = (vec![], vec![], vec![], vec![]);
    let mut categories = Vec::new();
    for id in functions.list() {
        let function = &model.functions[id.index()];
        names.push(strings.position(function.display.as_str()));
        resources.push(function.module.map(|module| modules.position(&module)));
        files.push(model.path(function.file).map(|path| strings.position(path)));
        lines.push(function.line);
        categories.push(if function.kind == Kind::Hooks { PROFILER } else { USER });
    }
    let of_frame = |(function, ..): &(u32, Option<u32>, bool)| categories[*function as usize];
    let frame_categories: Vec<usize> = frames.list().iter().map(of_frame).collect();
    let stack_categories: Vec<usize> =
        stack_frames.iter().map(|frame| frame_categories[*frame as usize]).collect();
    let module_names: Vec<u32> = modules
        .list()
        .iter()
        .map(|module| strings.position(model.modules[module.index()].name()))
        .collect();
    let all = |len: usize, value: Value| vec![value; len];
    let (frames_len, functions_len) = (frames.list().len(), functions.list().len());
    let (stacks_len, modules_len) = (stack_frames.len(), modules.list().len());
    let depths = frames.list().iter().map(|(.., is_inlined)| usize::from(*is_inlined));
    let known = &model.threads[track.thread.index()];
    let name = if known.name.is_empty() { label } else { &known.name };
    let markers = markers(model, track.thread, &mut strings);
    let begun = track.samples.first().map_or(0, |(time, _)| time.start);
    json!({
        "name": name,
        "processName": model.program_name(),
        "processType": "default",
        "isMainThread": is_main,
        "pid": known.pid.to_string(),
        "tid": known.tid,
        "processStartupTime": 0,
        "processShutdownTime": null,
        "registerTime": milliseconds(begun),
        "unregisterTime": null,
        "pausedRanges": [],
        "showMarkersInTimeline": markers["length"] != json!(0),
        "samples": samples,
        "markers": markers,
        "stackTable": {
            "frame": stack_frames, "prefix": prefixes, "category": stack_categories,
            "subcategory": all(stacks_len, json!(0)), "length": stacks_len,
        },
        "frameTable": {
            "func": frames.list().iter().map(|it| it.0).collect::<Vec<_>>(),
            "line": frames.list().iter().map(|it| it.1).collect::<Vec<_>>(),
            "inlineDepth": depths.collect::<Vec<_>>(),
            "address": all(frames_len, json!(-1)),
            "category": frame_categories,
            "subcategory": all(frames_len, json!(0)),
            "nativeSymbol": all(frames_len, Value::Null),
            "innerWindowID": all(frames_len, Value::Null),
            "implementation": all(frames_len, Value::Null),
            "column": all(frames_len, Value::Null),
            "length": frames_len,
        },
        "funcTable": {
            "name": names,
            "resource": resources.iter().map(|it| it.map_or(-1, i64::from)).collect::<Vec<_>>(),
            "fileName": files, "lineNumber": lines,
            "columnNumber": all(functions_len, Value::Null),
            "isJS": all(functions_len, json!(false)),
            "relevantForJS": all(functions_len, json!(false)),
            "length": functions_len,
        },
        "resourceTable": {
            "name": module_names,
            "lib": modules.list().iter().map(|module| module.index()).collect::<Vec<_>>(),
            "host": all(modules_len, Value::Null),
            // A library.
            "type": all(modules_len, json!(1)),
            "length": modules_len,
        },
        "nativeSymbols": { "libIndex": [], "address": [], "name": [], "functionSize": [], "length": 0 },
        "stringArray": strings.list(),
    })
}

/// Marks of the program, whose names are strings of these.
fn markers(model: &Model, thread: ThreadId, strings: &mut Distinct<String>) -> Value {
    /// A marker that has no length, and one that has.
    const INSTANT: u32 = 0;
    const INTERVAL: u32 = 1;
    let (mut names, mut starts, mut ends, mut phases) = (vec![], vec![], vec![], vec![]);
    for mark in marks(model, thread) {
        names.push(strings.position(mark.name.as_str()));
        starts.push(mark.at_ns as f64 / 1e6);
        ends.push(mark.length_ns.map(|_| mark.end_ns() as f64 / 1e6));
        phases.push(if mark.length_ns.is_some() { INTERVAL } else { INSTANT });
    }
    let len = names.len();
    json!({
        "data": vec![Value::Null; len], "name": names, "startTime": starts, "endTime": ends, "phase": phases,
        "category": vec![USER; len], "length": len,
    })
}

/// Samples, each at the start of the time that it stands for: it lasts until the next. Where the thread paused, one without a
/// stack and without weight begins. The CPU time of a sample is that since the sample before it.
fn samples(model: &Model, track: &Track, positions: &HashMap<u32, usize>) -> Value {
    let (mut stacks, mut times, mut weights, mut cpu) = (vec![], vec![], vec![], vec![]);
    let (mut end, mut used) = (None, 0);
    for (time, moment) in &track.samples {
        if let Some(end) = end.filter(|end| time.start.saturating_sub(*end) > longest_gap(model)) {
            stacks.push(None);
            times.push(milliseconds(end));
            weights.push(0);
            cpu.push(std::mem::take(&mut used));
        }
        stacks.push(positions.get(&moment.stack).copied());
        times.push(milliseconds(time.start));
        weights.push(moment.samples);
        let running = if moment.waits { 0 } else { moment.samples };
        cpu.push(std::mem::replace(&mut used, model.sampling.time(running.into()) / 1000));
        end = Some(time.end);
    }
    json!({
        "stack": stacks, "time": times, "weight": weights, "threadCPUDelta": cpu,
        "weightType": "samples", "length": times.len(),
    })
}

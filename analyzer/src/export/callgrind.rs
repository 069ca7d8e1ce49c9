//! The format of valgrind's callgrind, which KCachegrind, callgrind_annotate and gprof2dot read: the only common
//! one with exact calls of each arc. See <https://valgrind.org/docs/manual/cl-format.html>.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::io::{self, Write};

use super::format::{Choice, Contents, FileNames, Format, Need, View, Writer};
use crate::model::{
    FileId, Function, FunctionId, Inclusive, Inlined, Model, Site, samples_of_sites,
};

pub(super) const FORMAT: Format = Format {
    name: "callgrind",
    help: "for KCachegrind, callgrind_annotate and gprof2dot",
    files: FileNames { start: "callgrind.out", end: "", contents: Contents::Text, by_thread: true },
    needs: &[Need::Anything],
    choices: &[Choice::Threads],
    writer: Writer::OfModel(write),
};

fn write(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let calls = calls(model);
    header(model, view, &calls, out)?;
    let mut body = Body { model, names: Names::default(), module: None, file: "", out };
    for function in &model.functions {
        let id = Some(function.id);
        let of_function = Site {
            caller: id,
            callee: FunctionId(0),
            file: None,
            line: None,
            within: None,
            inlined: false,
        };
        let after = Site { caller: Some(FunctionId(function.id.0 + 1)), ..of_function };
        body.function(function, calls.range(of_function..after))?;
    }
    writeln!(out, "\ntotals: {}", totals(model))
}

/// Sums of all costs, an event after the other.
fn totals(model: &Model) -> String {
    let is_timed = is_timed(model);
    let costs = if is_timed { model.sampling.time(model.sampling.samples) } else { model.calls() };
    let executions = model.places.iter().filter_map(|place| place.executions);
    match has_executions(model) {
        true => format!("{costs} {}", executions.fold(0, u64::saturating_add)),
        false => costs.to_string(),
    }
}

/// Returns `true` if executions of lines were counted, which are a second event.
fn has_executions(model: &Model) -> bool {
    model.places.iter().any(|place| place.executions.is_some())
}

/// Returns `true` if costs are times. Without samples they are calls, so that shares mean
/// something.
fn is_timed(model: &Model) -> bool {
    model.sampling.samples != 0
}

/// Calls from a line, as far as they were counted, and their cost.
struct Calls {
    count: Option<u64>,
    cost: u64,
}

/// All calls by line, in the functions whose code they are in: inlined code is no function here.
fn calls(model: &Model) -> BTreeMap<Site, Calls> {
    let mut calls: BTreeMap<Site, Calls> = BTreeMap::new();
    for arc in model.arcs.iter().filter(|arc| arc.caller.is_some() && !arc.inlined) {
        let (caller, callee) = (arc.within.or(arc.caller), arc.callee);
        let site =
            Site { caller, callee, file: arc.file, line: arc.line, within: None, inlined: false };
        let sum = calls.entry(site).or_insert(Calls { count: None, cost: 0 });
        if let Some(count) = arc.calls {
            sum.count = Some(sum.count.unwrap_or(0).saturating_add(count));
        }
        let cost = if is_timed(model) { arc.total_ns } else { arc.calls };
        sum.cost = sum.cost.saturating_add(cost.unwrap_or(0));
    }
    if model.has_stacks() {
        // Stacks know better than sums, which count a function twice if it calls itself by way of inlined code.
        calls.values_mut().for_each(|calls| calls.cost = 0);
        for (site, samples) in samples_of_sites(&model.stacks, &model.frames, Inlined::Joined) {
            let calls = calls.entry(site).or_insert(Calls { count: None, cost: 0 });
            calls.cost = model.sampling.time(samples.weight);
        }
    }
    calls
}

fn header(
    model: &Model,
    view: &View,
    calls: &BTreeMap<Site, Calls>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let sampling = &model.sampling;
    writeln!(out, "# callgrind format\nversion: 1\ncreator: gmon-{}", model.generator.version)?;
    if let Some(pid) = model.pid {
        writeln!(out, "pid: {pid}")?;
    }
    let command = model.command.as_ref().map_or(model.program.clone(), |words| words.join(" "));
    writeln!(out, "cmd: {}\npart: 1", one_line(&command))?;
    if let Some(thread) = view.thread {
        let label = one_line(&model.thread_labels()[thread.index()]);
        writeln!(out, "thread: {}\ndesc: Thread: {label}", thread.0 + 1)?;
        let counts = if has_executions(model) { "Calls and executions" } else { "Calls" };
        writeln!(out, "desc: {counts}: of all threads, since they are not counted by thread")?;
    }
    if is_timed(model) {
        writeln!(out, "desc: Sampling: {} Hz, {} samples", sampling.rate_hz, sampling.samples)?;
        let how = match sampling.inclusive {
            Inclusive::Apportioned => "apportioned by calls, not measured",
            Inclusive::Sampled => "sampled stacks",
        };
        writeln!(out, "desc: Inclusive: {how}")?;
    }
    let uncounted = calls.values().filter(|calls| calls.count.is_none()).count();
    if uncounted > 0 {
        writeln!(out, "desc: Uncounted: {uncounted} arcs without counted calls have calls=1")?;
    }
    if sampling.incomplete > 0 {
        let (part, all) = (sampling.incomplete, sampling.samples);
        writeln!(
            out,
            "desc: Incomplete: {part} of {all} samples have stacks that were not followed to their end"
        )?;
    }
    let event = match (is_timed(model), sampling.is_time()) {
        (false, _) => ("Calls", "Calls".to_owned()),
        (true, true) => ("ns", "Self time (sampled, nanoseconds)".to_owned()),
        (true, false) => ("n", format!("{} (sampled, billionths)", one_line(&sampling.unit))),
    };
    writeln!(out, "positions: line\nevent: {} : {}", event.0, event.1)?;
    if has_executions(model) {
        writeln!(out, "event: Ex : Executions\nevents: {} Ex", event.0)?;
    } else {
        writeln!(out, "events: {}", event.0)?;
    }
    writeln!(out, "summary: {}", totals(model))
}

/// The functions, one after the other.
struct Body<'a> {
    model: &'a Model,
    names: Names<'a>,
    /// The module of the function before.
    module: Option<&'a str>,
    /// The source file of the lines that follow.
    file: &'a str,
    out: &'a mut dyn Write,
}

impl<'a> Body<'a> {
    fn function<'c>(
        &mut self,
        function: &'a Function,
        calls: impl Iterator<Item = (&'c Site, &'c Calls)>,
    ) -> io::Result<()> {
        let model = self.model;
        let own = self.file_of(function.file);
        let module = self.module_of(function);
        writeln!(self.out)?;
        if self.module.replace(module) != Some(module) {
            writeln!(self.out, "ob={}", self.names.objects.name(module, module))?;
        }
        self.file = own;
        writeln!(self.out, "fl={}", self.names.files.name(own, own))?;
        writeln!(self.out, "fn={}", self.names.functions.name(function.id, &function.display))?;
        let from = model.places.partition_point(|place| place.function < function.id);
        let places = model.places[from..].iter().take_while(|place| place.function == function.id);
        if let Some(calls) = function.calls.filter(|_| !is_timed(model)) {
            writeln!(self.out, "{} {calls}", function.line.unwrap_or(0))?;
        }
        for place in places.filter(|place| place.samples != 0 || place.executions.is_some()) {
            self.go_to(place.file.map_or(own, |_| self.file_of(place.file)), own)?;
            let (line, cost) = (place.line.unwrap_or(0), model.sampling.time(place.samples));
            match place.executions {
                Some(executions) => writeln!(self.out, "{line} {cost} {executions}")?,
                None => writeln!(self.out, "{line} {cost}")?,
            }
        }
        for (site, calls) in calls {
            self.go_to(site.file.map_or(own, |_| self.file_of(site.file)), own)?;
            let callee = &model.functions[site.callee.index()];
            let (module, file) = (self.module_of(callee), self.file_of(callee.file));
            // As valgrind does: callgrind_annotate takes a file that is named again here for another one.
            if self.module != Some(module) {
                writeln!(self.out, "cob={}", self.names.objects.name(module, module))?;
            }
            if self.file != file {
                writeln!(self.out, "cfi={}", self.names.files.name(file, file))?;
            }
            writeln!(self.out, "cfn={}", self.names.functions.name(callee.id, &callee.display))?;
            // Readers take the line behind calls=0 for one of the caller.
            let count = calls.count.unwrap_or(0).max(1);
            writeln!(self.out, "calls={count} {}", callee.line.unwrap_or(0))?;
            writeln!(self.out, "{} {}", site.line.unwrap_or(0), calls.cost)?;
        }
        Ok(())
    }

    /// Says which file the lines that follow are of; the function's own is `own`.
    fn go_to(&mut self, file: &'a str, own: &'a str) -> io::Result<()> {
        if self.file != file {
            self.file = file;
            let key = if file == own { "fe" } else { "fi" };
            writeln!(self.out, "{key}={}", self.names.files.name(file, file))?;
        }
        Ok(())
    }

    fn file_of(&self, file: Option<FileId>) -> &'a str {
        self.model.path(file).unwrap_or(UNKNOWN)
    }

    fn module_of(&self, function: &Function) -> &'a str {
        let module = function.module.map(|id| self.model.modules[id.index()].path.as_str());
        module.unwrap_or(UNKNOWN)
    }
}

/// Readers' name for a place that nobody knows.
const UNKNOWN: &str = "???";

/// Names that have been written: each is written once, and then referred to.
#[derive(Default)]
struct Names<'a> {
    objects: Written<&'a str>,
    files: Written<&'a str>,
    /// Different functions may have one name.
    functions: Written<FunctionId>,
}

/// Numbers of what has been written.
struct Written<T>(HashMap<T, usize>);

impl<T> Default for Written<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Eq + Hash> Written<T> {
    fn name(&mut self, thing: T, name: &str) -> String {
        let next = self.0.len() + 1;
        match *self.0.entry(thing).or_insert(next) {
            number if number == next => format!("({number}) {}", one_line(name)),
            number => format!("({number})"),
        }
    }
}

fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

//! The model of a profile with stacks: inclusive times are those of samples that found a function on the stack.

use std::collections::{BTreeMap, HashMap};

use gmon_format::FilePc;

use super::address::Address;
use super::beside::beside;
use super::call_times::{Starts, call_times};
use super::counted::EXTERNAL_CALLER;
use super::document::{Arc, Frame, Function, Kind, Model, Module, Place, Sampling, Thread};
use super::draft::Draft;
use super::guesses::add_guesses;
use super::ids::{FileId, FrameId, ThreadId};
use super::lines::with_line_samples;
use super::parallel::with_parallel;
use super::sites::{Inlined, Site, samples_of_sites, totals_of_groups};
use super::slow::long_calls;
use super::timeline::Moment;
use super::{build_key, cycles};
use crate::analysis::stacks::Node;
use crate::image::Lines;
use crate::measurement::Measurement;
use crate::positions::Distinct;
use crate::profile::{self, Contexts, FunctionId, Grain, HOOKS, SourceCall, SourceLine};
use crate::program::Program;
use crate::records::{Looks, ModuleId, TimedSample};
use crate::report::{NameStyle, Names};

/// The parts of the model, without what only all stacks together show.
pub(super) fn draft(
    measurement: &Measurement,
    style: NameStyle,
    sampling: &Sampling,
    grain: Grain,
) -> Draft {
    let by_line = (grain == Grain::Lines).then(|| measurement.contexts_by_line());
    let contexts = by_line.as_ref().unwrap_or_else(|| measurement.contexts());
    let mut draft = Draft::default();
    let modules = add_modules(&mut draft, measurement);
    let functions = add_functions(&mut draft, measurement, (contexts, grain), &modules, style);
    let files: Vec<FileId> =
        contexts.files().iter().map(|path| draft.files.position(path)).collect();
    let function = |id: FunctionId| functions[id.index()];
    let place = |line: Option<SourceLine>| {
        (line.map(|line| files[line.file as usize]), line.map(|line| line.line))
    };
    draft.threads = threads(contexts);
    let records = measurement.records().full();
    let starts = Starts::new(&draft.functions, &modules, measurement);
    draft.call_times = call_times(records, &starts);
    draft.long_calls = long_calls(records, &starts);

    let mut frames: Distinct<Frame> = Distinct::default();
    for context in contexts.contexts() {
        let (file, line) = place(context.line);
        let function = function(context.function);
        let frame = Frame { function, file, line, inlined: context.is_inlined };
        let (parent, thread) = (context.parent, context.thread);
        let frame = FrameId(frames.position(&frame));
        draft.nodes.push(Node { parent, thread, frame, own: context.own });
    }
    let mut nodes_of_hooks = HashMap::new();
    if contexts.overhead().weight != 0 {
        let function = FunctionId(draft.functions.len() as u32);
        let hooks = Function::named(None, HOOKS.to_owned());
        draft.functions.push(Function { kind: Kind::Hooks, ..hooks });
        let frame = Frame { function, file: None, line: None, inlined: false };
        let frame = FrameId(frames.position(&frame));
        for (thread, own) in contexts.overhead_by_thread() {
            nodes_of_hooks.insert(thread, draft.nodes.len() as u32);
            draft.nodes.push(Node { parent: None, thread, frame, own });
        }
    }
    draft.frames = frames.into_list();
    draft.moments = moments(measurement, contexts, &nodes_of_hooks);
    draft.beside = beside(measurement, &draft, sampling.period_ns.div_ceil(1000));
    let sites = contexts.sites().iter().map(|(site, count)| (*site, *count));
    draft.arcs = counted_arcs(&draft, sites, function, place);
    // Calls say nothing of waits.
    if !sampling.waits && grain == Grain::Lines {
        let Draft { functions, arcs, .. } = &mut draft;
        add_guesses(functions, arcs, measurement, sampling.period_ns);
    }
    draft
}

/// The samples with their times, whose stacks are positions of nodes of the draft.
fn moments(
    measurement: &Measurement,
    contexts: &Contexts,
    hooks: &HashMap<ThreadId, u32>,
) -> Vec<Moment> {
    let records = measurement.records().full();
    let samples = records.timeline().samples();
    let moment = |TimedSample { at_us, node, weight, is_look, kernel }| {
        let known = records.nodes().get(node as usize)?;
        let of_hooks = || hooks.get(&known.thread).copied();
        let stack = contexts.places().get(node as usize)?.or_else(of_hooks)?;
        Some(Moment { at_us, stack, samples: weight, is_look, waits: known.waits, kernel })
    };
    samples.filter_map(moment).collect()
}

/// The modules, the program first, and their positions.
fn add_modules(draft: &mut Draft, measurement: &Measurement) -> Vec<ModuleId> {
    let records = measurement.records().full();
    let mut ids: Vec<ModuleId> = (0..records.modules().len() as u32).map(ModuleId).collect();
    // Sorting keeps the order of equals.
    ids.sort_by_key(|id| records.program() != Some(*id));
    let mut positions = vec![ModuleId(0); ids.len()];
    for (position, id) in (0..).map(ModuleId).zip(ids) {
        positions[id.index()] = position;
        let module = &records.modules()[id.index()];
        let program = measurement.modules().get(id).program();
        draft.modules.push(Module {
            id: position,
            path: String::from_utf8_lossy(&module.path).into_owned(),
            build_id: build_id(measurement, id),
            arch: program.map(|program| program.image().machine_name()),
        });
    }
    positions
}

/// The build id of a module, or what stands for it.
pub(super) fn build_id(measurement: &Measurement, id: ModuleId) -> Option<String> {
    let module = &measurement.records().full().modules()[id.index()];
    let program = measurement.modules().get(id).program();
    match module.build_id.is_empty() {
        true => program.and_then(|program| build_key::of_image(program.image())),
        false => Some(build_key::of_build_id(&module.build_id)),
    }
}

/// The functions, and their positions.
fn add_functions(
    draft: &mut Draft,
    measurement: &Measurement,
    (contexts, grain): (&Contexts, Grain),
    modules: &[ModuleId],
    style: NameStyle,
) -> Vec<FunctionId> {
    let mut names: HashMap<ModuleId, Names<'_>> = HashMap::new();
    let mut positions = Vec::with_capacity(contexts.functions().len());
    for function in contexts.functions() {
        let module = function.module.map(|id| modules[id.index()]);
        let kind = kind_of(function);
        let name = match function.incomplete {
            Some(incomplete) => format!("[{}]", incomplete.reason()),
            None => String::from_utf8_lossy(&function.name).into_owned(),
        };
        let display = match function.incomplete {
            Some(_) => name.clone(),
            None => {
                let program = function.module.map(|id| measurement.modules().get(id).program());
                let lines = program.flatten().map_or(Lines::unknown(), Program::lines);
                let readable = style.name_of_inlined(lines, &function.name);
                String::from_utf8_lossy(&readable).into_owned()
            }
        };
        let mut known = Function { kind, display, ..Function::named(module, name) };
        known.size = Some(function.inlined_size).filter(|size| *size > 0);
        let program = function.module.and_then(|id| measurement.modules().get(id).program());
        if let (Some(id), Some(program), Some(address)) =
            (function.module, program, function.address)
        {
            let names = names
                .entry(id)
                .or_insert_with(|| Names::new(program.symbols(), program.lines()).styled(style));
            describe(&mut known, program, names, address);
            let lines = if grain == Grain::Lines { program.lines() } else { Lines::unknown() };
            if let Some(place) = lines.locate(address) {
                known.file = Some(draft.files.position(lines.path(place.file)));
                known.line = Some(place.line.get());
            }
        }
        let made = function.module.zip(function.address);
        let made = made.and_then(|(id, at)| measurement.records().full().made_at(id, at));
        if let Some((_, made)) = made.filter(|(_, made)| !made.file.is_empty()) {
            known.file = Some(draft.files.position(&made.file));
            known.line = Some(made.first_line).filter(|line| *line != 0);
        }
        positions.push(FunctionId(draft.functions.len() as u32));
        draft.functions.push(known);
    }
    positions
}

fn kind_of(function: &profile::Function) -> Kind {
    match function {
        it if it.incomplete.is_some() => Kind::Incomplete,
        it if it.address.is_some() => Kind::Code,
        it if it.is_inlined => Kind::Inlined,
        _ => Kind::NoSymbol,
    }
}

/// Adds what the file of its module says about a function.
fn describe(function: &mut Function, program: &Program, names: &Names<'_>, address: FilePc) {
    function.address = Some(Address(address.0));
    let symbols = program.symbols();
    if let Some(id) = symbols.find(address) {
        let symbol = symbols.get(id);
        function.size = symbol.code_len();
        function.is_region = symbols.is_parallel_region(id);
        if symbol.name == function.name.as_bytes() {
            function.display = String::from_utf8_lossy(names.plain(id)).into_owned();
        }
    }
}

fn threads(contexts: &Contexts) -> Vec<Thread> {
    let thread = |thread: &crate::records::Thread| Thread {
        id: ThreadId(0),
        pid: thread.process,
        tid: thread.id,
        name: String::from_utf8_lossy(&thread.name).into_owned(),
        cpu_ns: thread.cpu_ns,
        rank: thread.rank,
    };
    contexts.threads().iter().map(thread).collect()
}

/// Calls that were counted, by place.
fn counted_arcs(
    draft: &Draft,
    sites: impl Iterator<Item = (SourceCall, u64)>,
    function: impl Fn(FunctionId) -> FunctionId,
    place: impl Fn(Option<SourceLine>) -> (Option<FileId>, Option<u32>),
) -> Vec<Arc> {
    let is_external =
        |id: &FunctionId| draft.functions[id.index()].name.as_bytes() == EXTERNAL_CALLER;
    let arc = |(site, count): (SourceCall, u64)| {
        let (caller, within) = (function(site.caller), function(site.within));
        let caller = Some(caller).filter(|caller| !is_external(caller));
        let (file, line) = place(site.line.filter(|_| caller.is_some()));
        Arc {
            caller,
            callee: function(site.callee),
            file,
            line,
            calls: Some(count),
            total_ns: Some(0),
            within: Some(within).filter(|it| caller.is_some() && caller != Some(*it)),
            ..Arc::default()
        }
    };
    sites.map(arc).collect()
}

/// The samples of functions by line, each in the function whose code it is, beside the executions.
fn places(model: &Model) -> Vec<Place> {
    let executed = model.places.iter().filter(|place| place.executions.is_some());
    let executed = executed.map(|it| ((it.function, it.file, it.line), (0, it.executions)));
    type Key = (FunctionId, Option<FileId>, Option<u32>);
    let mut places: BTreeMap<Key, (u64, Option<u64>)> = executed.collect();
    let mut within: Vec<FunctionId> = Vec::with_capacity(model.stacks.nodes().len());
    for node in model.stacks.nodes() {
        let Frame { function, file, line, inlined } = model.frames[node.frame.index()];
        let outer = node.parent.filter(|_| inlined);
        let code = outer.map_or(function, |parent| within[parent as usize]);
        within.push(code);
        if node.own.weight != 0 {
            places.entry((code, file, line)).or_default().0 += node.own.weight;
        }
    }
    let place = |((function, file, line), (samples, executions))| Place {
        function,
        file,
        line,
        samples,
        executions,
    };
    places.into_iter().map(place).collect()
}

/// Adds what only all stacks together show: inclusive times, calls that were seen, and cycles.
pub(super) fn add_inclusive(mut model: Model) -> Model {
    /// Facts about calls from one place.
    #[derive(Default)]
    struct Known {
        calls: Option<u64>,
        apportioned_ns: Option<u64>,
        looks: Looks,
    }
    let mut sites: BTreeMap<Site, Known> = BTreeMap::new();
    for arc in model.arcs.iter().filter(|arc| arc.calls.is_some()) {
        let &Arc { caller, callee, file, line, calls, within, inlined, apportioned_ns, .. } = arc;
        let site = Site { caller, callee, file, line, within, inlined };
        let known = sites.entry(site).or_default();
        let add =
            |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).reduce(u64::saturating_add);
        known.calls = add(known.calls, calls);
        known.apportioned_ns = add(known.apportioned_ns, apportioned_ns);
    }
    for (site, looks) in samples_of_sites(&model.stacks, &model.frames, Inlined::Apart) {
        sites.entry(site).or_default().looks = looks;
    }
    let time = |samples| model.sampling.time(samples);
    let (frames, count) = (&model.frames, model.functions.len());
    let function = |frame: FrameId| frames[frame.index()].function;
    let totals = totals_of_groups(&model.stacks, count, |frame| Some(function(frame).0));
    let mut own = vec![Looks::default(); count];
    for node in model.stacks.nodes() {
        own[function(node.frame).index()] += node.own;
    }
    for (function, (own, total)) in model.functions.iter_mut().zip(own.iter().zip(totals)) {
        function.samples = own.weight;
        (function.self_ns, function.self_waiting_ns) = (time(own.weight), time(own.waiting));
        (function.total_ns, function.total_waiting_ns) = (time(total.weight), time(total.waiting));
        (function.self_system_ns, function.self_faults_ns) = (time(own.system), time(own.faults));
        (function.total_system_ns, function.total_faults_ns) =
            (time(total.system), time(total.faults));
        (function.calls, function.recursive_calls, function.cycle) = (None, 0, None);
    }
    for (site, Known { calls, .. }) in &sites {
        if let Some(calls) = calls {
            let callee = &mut model.functions[site.callee.index()];
            callee.calls = Some(callee.calls.unwrap_or(0).saturating_add(*calls));
            if site.within.or(site.caller) == Some(site.callee) {
                callee.recursive_calls = callee.recursive_calls.saturating_add(*calls);
            }
        }
    }
    model.arcs = sites
        .into_iter()
        .map(|(site, Known { calls, apportioned_ns, looks })| {
            let Site { caller, callee, file, line, within, inlined } = site;
            let total_ns = caller.is_some().then(|| time(looks.weight));
            let waiting_ns = time(looks.waiting);
            Arc {
                caller,
                callee,
                file,
                line,
                calls,
                total_ns,
                waiting_ns,
                apportioned_ns,
                within,
                inlined,
            }
        })
        .collect();
    let hooks = model.functions.iter().filter(|function| function.kind == Kind::Hooks);
    model.sampling.hooks = hooks.map(|function| function.samples).sum();
    let is_known = model.sampling.waits && model.sampling.waiting.is_some();
    model.sampling.waiting = is_known.then(|| own.iter().map(|looks| looks.waiting).sum());
    model.sampling.incomplete = model.incomplete_samples();
    model.places = places(&model);
    cycles::with_cycles(with_parallel(with_line_samples(model)))
}

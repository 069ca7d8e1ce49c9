//! Profiles of many processes, machines and builds as one: their functions added up by module and name.
//!
//! Such a sum has no place for what differs from build to build: addresses, lines, call sites. So it holds functions,
//! calls by caller and callee, and call stacks of functions. Functions that are local to a file, and have the name of
//! others, keep that file. Its size is that of the program and its different stacks,
//! however many profiles there are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::apportioned::add_apportioned;
use super::call_times::CallTimes;
use super::document::{
    self, Arc, Frame, Function, Kind, Model, Module, Paths, Place, Python, Sampling, Thread,
};
use super::draft::Draft;
use super::errors::dispersion;
use super::ids::{FileId, FrameId, FunctionId, ModuleId, ThreadId};
use super::origin::Origin;
use super::sampled::add_inclusive;
use crate::analysis::stacks::Node;
use crate::positions::Distinct;
use crate::profile::{HOOKS, LINKAGE, NO_SYMBOL};
use crate::records::{Looks, Times};
use crate::totals::add;

/// A sum of profiles.
#[derive(Debug, Default)]
pub struct ByName {
    /// The path of the program in the first profile.
    program: String,
    hosts: BTreeSet<String>,
    profiles: u64,
    /// The profiles that have calls of the program's functions, and those that have calls of libraries'; and whether the last
    /// one has.
    counted: [(u64, bool); 2],
    /// Sampling, and how it is known; that of the first profile with samples.
    sampling: Option<Sampling>,
    /// Signals, and the sum of the squares of their weights; none where a profile does not know them.
    signals: Signals,
    python: Option<Python>,
    modules: Vec<OneModule>,
    module_of: HashMap<String, ModuleId>,
    functions: Vec<Function>,
    /// Functions that have code of their own in some profile.
    with_code: HashSet<FunctionId>,
    /// Calls by caller, callee, and the function whose code has the call if the caller was inlined into it.
    arcs: HashMap<(Option<FunctionId>, FunctionId, Option<FunctionId>), u64>,
    /// Times by function and caller.
    call_times: BTreeMap<(FunctionId, Option<FunctionId>), Times>,
    threads: Distinct<String>,
    /// Frames, each of a function and whether it was inlined there.
    frames: Distinct<Frame>,
    nodes: Vec<Node>,
    node_of: HashMap<(Option<u32>, ThreadId, FrameId), u32>,
    /// Processes that are known already.
    processes: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct OneModule {
    path: String,
    arch: Option<String>,
    builds: BTreeSet<Option<String>>,
    /// Functions by name, of which several files may have one each: it has its file, if that is known.
    functions: HashMap<String, Vec<(Option<String>, FunctionId)>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Signals {
    number: u64,
    squares: f64,
    is_unknown: bool,
}

/// Facts in a profile about its run.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) program: String,
    pub(super) host: Option<String>,
    pub(super) pid: Option<u64>,
    pub(super) start_ns: Option<u64>,
    pub(super) sampling: Sampling,
    pub(super) python: Option<Python>,
    /// The processes of a sum.
    pub(super) added: BTreeSet<String>,
}

#[cfg(test)]
impl Run {
    /// A run of a program of which nothing else is known.
    pub(super) fn of(program: &str, sampling: Sampling) -> Self {
        let (host, pid, start_ns, python) = (None, None, None, None);
        let (program, added) = (program.to_owned(), BTreeSet::new());
        Self { program, host, pid, start_ns, sampling, python, added }
    }
}

/// The processes of a profile by name: those of a sum, or its own.
fn processes(
    added: &BTreeSet<String>,
    host: Option<&str>,
    (pid, start): (Option<u64>, Option<u64>),
) -> BTreeSet<String> {
    let own = host.zip(pid).zip(start);
    let own = own.map(|((host, pid), start)| format!("process {pid} of {host} since {start}"));
    added.iter().cloned().chain(own).collect()
}

impl Model {
    /// A process that this profile has in common with another, by name.
    #[must_use]
    pub fn process_in_both(&self, other: &Self) -> Option<String> {
        let of = |it: &Self| processes(&it.run.added, it.host.as_deref(), (it.pid, it.start_ns));
        let process = of(self).intersection(&of(other)).next()?.clone();
        Some(process.split_once(" since ").map_or(process.as_str(), |it| it.0).to_owned())
    }
}

impl ByName {
    /// Adds a profile.
    ///
    /// # Errors
    /// Why it cannot be added: it is of another program, was sampled differently, or was added before.
    pub fn add(&mut self, model: &Model) -> Result<(), String> {
        self.begin(&Run {
            program: model.program.clone(),
            host: model.host.clone(),
            pid: model.pid,
            start_ns: model.start_ns,
            sampling: model.sampling.clone(),
            python: model.run.python.clone(),
            added: model.run.added.clone(),
        })?;
        for module in &model.modules {
            self.add_module(&module.path, module.build_id.as_deref(), module.arch.as_deref());
        }
        let mut files: HashMap<_, BTreeSet<FileId>> = HashMap::new();
        for function in &model.functions {
            files.entry((function.module, &*function.name)).or_default().extend(function.file);
        }
        let mut ids: Vec<FunctionId> = Vec::with_capacity(model.functions.len());
        for function in &model.functions {
            let is_one_of_several = files[&(function.module, &*function.name)].len() > 1;
            let file = (model.path(function.file), is_one_of_several);
            let id = self.function_in(model.module_name(function), &function.name, file);
            let known = &mut self.functions[id.index()];
            known.size = known.size.max(function.size);
            self.set_kind(id, function.kind);
            self.add_function(id, &function.display, function.calls, function.samples);
            ids.push(id);
        }
        for arc in &model.arcs {
            if let Some(calls) = arc.calls {
                let [caller, within] = [arc.caller, arc.within].map(|it| Some(ids[it?.index()]));
                self.add_calls((caller, within), ids[arc.callee.index()], calls);
            }
        }
        for CallTimes { function, caller, times, .. } in &model.call_times {
            let key = (ids[function.index()], caller.map(|caller| ids[caller.index()]));
            self.call_times.entry(key).or_default().absorb(times);
        }
        let mut places: Vec<u32> = Vec::with_capacity(model.stacks.nodes().len());
        let threads: Vec<ThreadId> =
            model.threads.iter().map(|thread| self.thread(&thread.name)).collect();
        for node in model.stacks.nodes() {
            let parent = node.parent.map(|it| places[it as usize]);
            let frame = &model.frames[node.frame.index()];
            let frame = self.frame(ids[frame.function.index()], frame.inlined);
            places.push(self.add_node(parent, threads[node.thread.index()], frame, node.own));
        }
        Ok(())
    }

    /// Begins to add a profile.
    pub(super) fn begin(&mut self, run: &Run) -> Result<(), String> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        if self.profiles == 0 {
            self.program.clone_from(&run.program);
            self.module(&name(&run.program));
        } else if name(&self.program) != name(&run.program) {
            return Err(format!(
                "a profile of {}, where those before are of {}; merge the profiles of one program",
                name(&run.program),
                name(&self.program)
            ));
        }
        let mut processes = processes(&run.added, run.host.as_deref(), (run.pid, run.start_ns));
        if let Some(again) = processes.intersection(&self.processes).next() {
            let (process, _) = again.split_once(" since ").unwrap_or((again, ""));
            return Err(format!("{process} was added already; each counts once"));
        }
        self.add_sampling(&run.sampling)?;
        self.processes.append(&mut processes);
        if let Some(python) = &run.python {
            match &mut self.python {
                Some(sum) => sum.absorb(python),
                None => self.python = Some(python.clone()),
            }
        }
        self.counted.iter_mut().for_each(|(_, has_some)| *has_some = false);
        self.hosts.extend(run.host.clone());
        self.profiles += 1;
        Ok(())
    }

    /// Samples of one kind add up, and all or none of them have stacks.
    fn add_sampling(&mut self, run: &Sampling) -> Result<(), String> {
        let Some(known) = &mut self.sampling else {
            self.sampling =
                Some(Sampling { samples: 0, signals: None, dispersion: None, ..run.clone() });
            return self.add_sampling(run);
        };
        // A run without a sample does not tell a rate, nor whether it would have had stacks.
        if run.samples == 0 {
            return Ok(());
        }
        if known.samples == 0 {
            *known = Sampling { samples: 0, ..run.clone() };
        }
        if (known.period_ns, &known.unit, known.waits) != (run.period_ns, &run.unit, run.waits) {
            return Err(format!(
                "sampled {} of {} at {} Hz, where those before sampled {} of {} at {} Hz; merge profiles of one kind",
                run.unit,
                run.clock(),
                run.rate_hz,
                known.unit,
                known.clock(),
                known.rate_hz
            ));
        }
        if known.paths != run.paths {
            let has = |paths| {
                if paths == Paths::Sampled { "has call stacks" } else { "has no call stacks" }
            };
            return Err(format!(
                "{}, where those before {}; merge them apart",
                has(run.paths),
                has(known.paths).replace("has", "have")
            ));
        }
        known.samples = known.samples.saturating_add(run.samples);
        known.waiting = known.waiting.filter(|_| run.waiting.is_some());
        match (run.signals, run.dispersion) {
            (Some(signals), Some(dispersion)) if signals > 0 => {
                let samples = run.samples as f64;
                self.signals.number = self.signals.number.saturating_add(signals);
                self.signals.squares += dispersion * samples * samples / signals as f64;
            }
            _ => self.signals.is_unknown = true,
        }
        Ok(())
    }

    /// A module by the last part of its path.
    pub(super) fn module(&mut self, name: &str) -> ModuleId {
        if let Some(&known) = self.module_of.get(name) {
            return known;
        }
        let id = ModuleId(self.modules.len() as u32);
        self.modules.push(OneModule { path: name.to_owned(), ..OneModule::default() });
        self.module_of.insert(name.to_owned(), id);
        id
    }

    /// Tells whether a module is known by the last part of its path.
    pub(super) fn has_module(&self, name: &str) -> bool {
        self.module_of.contains_key(name)
    }

    /// Adds what a profile says of a module.
    pub(super) fn add_module(&mut self, path: &str, build_id: Option<&str>, arch: Option<&str>) {
        let id = self.module(path.rsplit('/').next().unwrap_or_default());
        let known = &mut self.modules[id.index()];
        known.builds.insert(build_id.map(str::to_owned));
        path.clone_into(&mut known.path);
        known.arch = arch.map(str::to_owned);
    }

    /// A function by its module, which is empty outside of all, and its linker's name.
    pub(super) fn function(&mut self, module: &str, name: &str) -> FunctionId {
        self.function_in(module, name, (None, false))
    }

    /// A function by its module, its linker's name and its file, which tells it from another of a profile that has several of
    /// this name. Files of other builds may have moved.
    fn function_in(
        &mut self,
        module: &str,
        name: &str,
        (file, is_one_of_several): (Option<&str>, bool),
    ) -> FunctionId {
        let of = self.module(module);
        let OneModule { functions: known, builds, .. } = &mut self.modules[of.index()];
        let is_one_build = builds.len() == 1 && !builds.contains(&None);
        if let Some(named) = known.get_mut(name) {
            if let Some((_, id)) = named.iter().find(|(its, _)| its.as_deref() == file) {
                return *id;
            }
            if let [(its, id)] = named.as_mut_slice() {
                if its.is_none() || file.is_none() || !(is_one_of_several || is_one_build) {
                    *its = its.take().or(file.map(str::to_owned));
                    return *id;
                }
            }
        }
        let id = FunctionId(self.functions.len() as u32);
        known.entry(name.to_owned()).or_default().push((file.map(str::to_owned), id));
        let module = (!module.is_empty()).then_some(of);
        let kind = match name {
            NO_SYMBOL | LINKAGE => Kind::NoSymbol,
            HOOKS => Kind::Hooks,
            _ if module.is_none() && name.starts_with('[') => Kind::Incomplete,
            _ => Kind::Code,
        };
        self.functions.push(Function { kind, ..Function::named(module, name.to_owned()) });
        id
    }

    /// Adds to a function, with its name for people.
    pub(super) fn add_function(
        &mut self,
        id: FunctionId,
        display: &str,
        calls: Option<u64>,
        samples: u64,
    ) {
        let function = &mut self.functions[id.index()];
        display.clone_into(&mut function.display);
        function.samples = function.samples.saturating_add(samples);
        if let Some(calls) = calls {
            let is_of_library = function.module != Some(ModuleId(0));
            let (profiles, has_some) = &mut self.counted[usize::from(is_of_library)];
            *profiles += u64::from(!std::mem::replace(has_some, true));
            function.calls = Some(function.calls.unwrap_or(0).saturating_add(calls));
        }
    }

    /// Takes a function for one of a kind. One that has code of its own in some profile was not only inlined.
    pub(super) fn set_kind(&mut self, id: FunctionId, kind: Kind) {
        if kind == Kind::Code {
            self.with_code.insert(id);
        }
        let is_code = kind == Kind::Inlined && self.with_code.contains(&id);
        self.functions[id.index()].kind = if is_code { Kind::Code } else { kind };
    }

    /// Takes a function for one that was only inlined into others, or for one that was not.
    pub(super) fn set_inlined(&mut self, id: FunctionId, is_inlined: bool) {
        let kind = match self.functions[id.index()].kind {
            _ if is_inlined => Kind::Inlined,
            Kind::Inlined => Kind::Code,
            kind => kind,
        };
        self.set_kind(id, kind);
    }

    /// Returns `true` for a function that was only inlined into others, in all profiles so far.
    pub(super) fn is_only_inlined(&self, id: FunctionId) -> bool {
        self.functions[id.index()].kind == Kind::Inlined
    }

    /// Adds calls.
    pub(super) fn add_calls(
        &mut self,
        (caller, within): (Option<FunctionId>, Option<FunctionId>),
        callee: FunctionId,
        calls: u64,
    ) {
        add(self.arcs.entry((caller, callee, within)).or_default(), calls);
    }

    /// A thread by its name.
    pub(super) fn thread(&mut self, name: &str) -> ThreadId {
        ThreadId(self.threads.position(name))
    }

    /// A frame of a function, which was inlined there or not.
    pub(super) fn frame(&mut self, function: FunctionId, inlined: bool) -> FrameId {
        FrameId(self.frames.position(&Frame { function, file: None, line: None, inlined }))
    }

    /// Adds a stack's frame with the samples that ended there, below another.
    pub(super) fn add_node(
        &mut self,
        parent: Option<u32>,
        thread: ThreadId,
        frame: FrameId,
        found: Looks,
    ) -> u32 {
        let nodes = &mut self.nodes;
        let place = *self.node_of.entry((parent, thread, frame)).or_insert_with(|| {
            nodes.push(Node { parent, thread, frame, own: Looks::default() });
            nodes.len() as u32 - 1
        });
        nodes[place as usize].own += found;
        place
    }

    /// Number of profiles that were added, and of their hosts.
    #[must_use]
    pub fn extent(&self) -> (u64, usize) {
        (self.profiles, self.hosts.len())
    }

    /// The number of profiles that counted calls of the program's functions, and of libraries'.
    #[must_use]
    pub fn counted(&self) -> [u64; 2] {
        self.counted.map(|(profiles, _)| profiles)
    }

    /// Modules of which there are several builds, and how many.
    pub fn builds(&self) -> impl Iterator<Item = (&str, usize)> {
        let several = self.modules.iter().filter(|it| it.builds.len() > 1);
        several.map(|it| (it.path.rsplit('/').next().unwrap_or_default(), it.builds.len()))
    }

    /// The sum.
    #[must_use]
    pub fn into_model(self) -> Model {
        let mut sampling = self.sampling.unwrap_or_else(Sampling::none);
        let has_stacks = sampling.paths == Paths::Sampled;
        // What a sum knows of looks is never what its first profile knew of its own.
        (sampling.signals, sampling.dispersion) = (None, None);
        if has_stacks && !self.signals.is_unknown {
            let Signals { number, squares, .. } = self.signals;
            sampling.signals = Some(number);
            sampling.dispersion = dispersion(number, squares, sampling.samples);
        }
        let outside = self.module_of.get("").copied();
        // What is outside of all modules is in no list of them.
        let shown = |id: ModuleId| ModuleId(id.0 - u32::from(outside.is_some_and(|it| it < id)));
        let mut draft = Draft::default();
        let mut functions = self.functions;
        for named in self.modules.iter().flat_map(|it| it.functions.values()) {
            for (file, id) in named.iter().filter(|_| named.len() > 1) {
                let file = file.as_ref().map(|file| draft.files.position(file.as_bytes()));
                functions[id.index()].file = file;
            }
        }
        for (id, module) in
            (0..).map(ModuleId).zip(self.modules).filter(|(id, _)| outside != Some(*id))
        {
            let mut builds = module.builds.into_iter();
            let build_id = builds.next().flatten().filter(|_| builds.next().is_none());
            draft.modules.push(Module { id, path: module.path, build_id, arch: module.arch });
        }
        for mut function in functions {
            function.module = function.module.map(shown);
            function.self_ns = sampling.time(function.samples);
            function.total_ns = function.self_ns;
            draft.functions.push(function);
        }
        let times =
            |((function, caller), times)| CallTimes { function, caller, thread: None, times };
        draft.call_times = self.call_times.into_iter().map(times).collect();
        for ((caller, callee, within), calls) in self.arcs {
            if within.or(caller) == Some(callee) {
                add(&mut draft.functions[callee.index()].recursive_calls, calls);
            }
            let calls = Some(calls);
            draft.arcs.push(Arc { caller, callee, calls, within, ..Arc::default() });
        }
        draft.frames = self.frames.into_list();
        let thread = |name| Thread { id: ThreadId(0), pid: 0, tid: 0, name, cpu_ns: 0, rank: None };
        draft.threads = self.threads.into_list().into_iter().map(thread).collect();
        draft.nodes = self.nodes;
        if !has_stacks {
            let sampled =
                (0..).map(FunctionId).zip(&draft.functions).filter(|(_, it)| it.samples > 0);
            let place = |(function, it): (FunctionId, &Function)| Place {
                function,
                file: None,
                line: None,
                samples: it.samples,
                executions: None,
            };
            draft.places = sampled.map(place).collect();
        }
        let mut hosts = self.hosts.into_iter();
        let host = hosts.next().filter(|_| hosts.next().is_none());
        let run = document::Run {
            python: self.python,
            added: self.processes,
            ..document::Run::default()
        };
        let origin = Origin { program: self.program, host, run, ..Origin::default() };
        let model = draft.ordered(origin, sampling);
        if has_stacks { add_inclusive(model) } else { add_apportioned(model) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The looks of a sum of profiles of ten samples each, of which some know how many looks these took.
    fn looks(known: &[Option<u64>]) -> Option<u64> {
        let mut sum = ByName::default();
        for signals in known {
            let sampling = Sampling {
                samples: 10,
                signals: *signals,
                dispersion: signals.map(|_| 1.0),
                paths: Paths::Sampled,
                ..Sampling::none()
            };
            sum.begin(&Run::of("/bin/prog", sampling)).unwrap();
        }
        let sampling = sum.into_model().sampling;
        assert_eq!(
            (sampling.samples, sampling.dispersion.is_some()),
            (10 * known.len() as u64, sampling.signals.is_some())
        );
        sampling.signals
    }

    #[test]
    fn looks_are_known_if_all_profiles_know_theirs() {
        assert_eq!(looks(&[Some(8), Some(9)]), Some(17));
        assert_eq!(looks(&[Some(8), None]), None);
        assert_eq!(looks(&[None, Some(9)]), None);
    }
}

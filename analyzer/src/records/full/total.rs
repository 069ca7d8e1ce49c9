//! Everything of full profiles, added up over processes, runs and builds.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use gmon_format::live::{Live, Timing};
use gmon_format::{Arc, Block, CallSite, FilePc, LoadedArc, SelfPc};

use super::facts::{PROCESSES, RANKS, RunFacts};
use super::layout::Layout;
use super::looks::Looks;
use super::made::{Made, MadeCode, module_of};
use super::marks::TimedCall;
use super::parts::{CodePlace, Frame, Module, ModuleId, Origin, StackNode, Thread, ThreadId};
use super::timeline::{Numbers, RUN, Timeline};
use super::times::{CallTimes, Times};
use crate::error::{Conflict, ErrorKind};
use crate::totals::add;

/// Facts that make a node, apart from its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeKey {
    pub(super) parent: Option<u32>,
    pub(super) thread: ThreadId,
    pub(super) waits: bool,
    pub(super) frame: Frame,
    pub(super) is_guess: bool,
}

/// Everything of full profiles; nothing if there was none.
#[derive(Clone, Debug, Default)]
pub struct FullRecords {
    modules: Vec<Module>,
    made: Made,
    program: Option<ModuleId>,
    pub(super) threads: Vec<Thread>,
    pub(super) nodes: Vec<StackNode>,
    positions: HashMap<NodeKey, u32>,
    arcs: HashMap<(CallSite<CodePlace>, SelfPc<CodePlace>), u64>,
    blocks: HashMap<CodePlace, u64>,
    bins: BTreeMap<BinRange, Vec<u64>>,
    first_calls: HashMap<CodePlace, u32>,
    steps: HashMap<CodePlace, u64>,
    origin: Option<Origin>,
    facts: RunFacts,
    pub(super) timeline: Timeline,
    call_times: BTreeMap<TimesKey, Times>,
    long_calls: Vec<TimedCall>,
}

/// Function, caller and thread of timed calls. The caller is the place to which they returned; `None` unless it was asked for.
type TimesKey = (CodePlace, Option<CodePlace>, Option<ThreadId>);

/// The code that a histogram covers: where it begins, and how many bytes each bin has.
pub type BinRange = (CodePlace, u32);

impl FullRecords {
    /// The times of calls, by function, caller and thread.
    pub fn call_times(&self) -> impl Iterator<Item = CallTimes> + '_ {
        self.call_times.iter().map(|(&(function, caller, thread), times)| CallTimes {
            function,
            caller,
            thread,
            times: times.clone(),
        })
    }

    /// The calls that took long, each with its start and end in nanoseconds since the first process began; none of several
    /// runs.
    pub fn long_calls(&self) -> impl Iterator<Item = (TimedCall, u64, u64)> + '_ {
        let origin_ns = self.timeline.origin_us().saturating_mul(1000);
        let is_one_run = !self.timeline.is_of_several_runs();
        let calls = self.long_calls.iter().filter(move |_| is_one_run);
        calls.map(move |it| {
            let [begun, ended] = [it.begun_ns, it.ended_ns].map(|ns| ns.saturating_sub(origin_ns));
            (*it, begun, ended)
        })
    }

    fn add_call_times(&mut self, key: TimesKey, times: &Times) {
        self.call_times.entry(key).or_default().absorb(times);
    }

    /// The modules, those of equal build ids once.
    #[must_use]
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// Code at an address of a module that is no file, with the address that it begins at; `None` where nothing is known.
    #[must_use]
    pub fn made_at(&self, module: ModuleId, pc: FilePc) -> Option<(FilePc, &MadeCode)> {
        self.made.find(module, pc)
    }

    /// The function at an address of a module that is no file, and the address that it has first of all that was made of it;
    /// `None` where nothing is known.
    #[must_use]
    pub fn function_made_at(&self, module: ModuleId, pc: FilePc) -> Option<(FilePc, &MadeCode)> {
        self.made.function(module, pc)
    }

    /// All code that is in no file, each with its module and start.
    pub fn made(&self) -> impl Iterator<Item = (ModuleId, FilePc, &MadeCode)> {
        self.made.iter()
    }

    /// The program's position among them.
    #[must_use]
    pub fn program(&self) -> Option<ModuleId> {
        self.program
    }

    /// The threads of all processes.
    #[must_use]
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// The frames of all stacks, each behind its caller.
    #[must_use]
    pub fn nodes(&self) -> &[StackNode] {
        &self.nodes
    }

    /// Knowledge of stacks.
    #[must_use]
    pub fn has_stacks(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Returns `true` if threads were sampled that waited.
    #[must_use]
    pub fn has_waits(&self) -> bool {
        self.facts.get("sampler") == Some(b"wall") || self.nodes.iter().any(|node| node.waits)
    }

    /// Refuses to add samples of another clock.
    pub(in crate::records) fn check_clock(&self, other: &Self) -> Result<(), Conflict> {
        let is_wall = other.has_waits();
        let is_mixed = self.has_waits() != is_wall && self.has_stacks() && other.has_stacks();
        if is_mixed { Err(Conflict::Clock { is_wall }) } else { Ok(()) }
    }

    /// Refuses to add a process twice.
    pub(in crate::records) fn check_members(&self, other: &Self) -> Result<(), ErrorKind> {
        let is_known = self.facts.has_member_of(&other.facts);
        if is_known { Err(ErrorKind::AddedAlready) } else { Ok(()) }
    }

    /// Returns `true` if there is more than a data file has: call stacks, times of calls, or calls of functions of
    /// libraries.
    #[must_use]
    pub fn has_more(&self) -> bool {
        let is_elsewhere = |place: &CodePlace| match place {
            CodePlace::Module(module, _) => Some(*module) != self.program,
            _ => false,
        };
        let are_timed = !self.call_times.is_empty();
        self.has_stacks()
            || are_timed
            || self.arcs.keys().any(|(_, SelfPc(callee))| is_elsewhere(callee))
    }

    /// Facts in the first file about its program; none if no file has modules.
    #[must_use]
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// The end of what is known, in microseconds since the first process began.
    #[must_use]
    pub fn end_us(&self) -> u64 {
        // Of several processes this is the sum, and all of their threads have ended.
        let lasted = self.facts.number("duration_ns").unwrap_or(0) / 1000;
        let has_ended = !self.threads.is_empty() && self.threads.iter().all(|it| it.ended_ns != 0);
        let lasted = if has_ended { 0 } else { lasted };
        let threads = self.threads.iter().map(|thread| self.life_us(thread, 0).end);
        threads.chain([lasted, self.timeline.end_us()]).max().unwrap_or(0)
    }

    /// When a thread lived, in microseconds since the first process began; until `end_us` if it ran on.
    #[must_use]
    pub fn life_us(&self, thread: &Thread, end_us: u64) -> Range<u64> {
        let before = thread.origin_us.saturating_sub(self.timeline.origin_us());
        let end = match thread.ended_ns {
            0 => end_us,
            ended => before.saturating_add(ended / 1000),
        };
        let start = before.saturating_add(thread.begun_ns / 1000);
        start..end.max(start)
    }

    /// Facts in the files about their runs.
    #[must_use]
    pub fn facts(&self) -> &RunFacts {
        &self.facts
    }

    /// Executions of basic blocks in all modules.
    pub fn blocks(&self) -> impl Iterator<Item = (CodePlace, u64)> + '_ {
        self.blocks.iter().map(|(&place, &count)| (place, count))
    }

    /// The histograms of all modules.
    pub fn bins(&self) -> impl Iterator<Item = (BinRange, &[u64])> {
        self.bins.iter().map(|(&range, bins)| (range, bins.as_slice()))
    }

    /// Executions of instructions in all modules, in no order, of those that somebody stepped through.
    pub fn steps(&self) -> impl Iterator<Item = (CodePlace, u64)> + '_ {
        self.steps.iter().map(|(&place, &count)| (place, count))
    }

    /// Places in functions, in the order in which these were first called, those of the first process first; none
    /// unless a process kept the order.
    #[must_use]
    pub fn first_calls(&self) -> Vec<CodePlace> {
        let mut places: Vec<_> = self.first_calls.iter().collect();
        places.sort_unstable_by_key(|(_, number)| **number);
        places.into_iter().map(|(place, _)| *place).collect()
    }

    /// Calls in all modules, each with its count.
    pub fn arcs(&self) -> impl Iterator<Item = (CallSite<CodePlace>, SelfPc<CodePlace>, u64)> + '_ {
        self.arcs.iter().map(|(&(site, callee), &count)| (site, callee, count))
    }

    /// Adds calls and executions of the program from data files of processes that wrote no full profile,
    /// because they were not sampled. Without full profiles it is not known which program.
    pub fn add_counts(&mut self, arcs: &[Arc], blocks: &[Block]) {
        let Some(program) = self.program else { return };
        for arc in arcs {
            let [site, callee] =
                [arc.from_pc.0, arc.self_pc.0].map(|pc| CodePlace::Module(program, pc));
            add(self.arcs.entry((CallSite(site), SelfPc(callee))).or_default(), arc.count);
        }
        for block in blocks {
            add(self.blocks.entry(CodePlace::Module(program, block.pc)).or_default(), block.count);
        }
    }

    /// A copy without counts of calls and blocks, times of calls, and the order of first calls.
    pub(super) fn without_counts(&self) -> Self {
        Self {
            arcs: HashMap::new(),
            blocks: HashMap::new(),
            first_calls: HashMap::new(),
            steps: HashMap::new(),
            call_times: BTreeMap::new(),
            long_calls: Vec::new(),
            ..self.clone()
        }
    }

    pub(super) fn facts_mut(&mut self) -> &mut RunFacts {
        &mut self.facts
    }

    /// Fills the histograms with what the nodes count.
    pub(super) fn refill_bins(&mut self) {
        self.bins.values_mut().for_each(|bins| bins.fill(0));
        let module_of = |place| match place {
            CodePlace::Module(module, pc) => (Some(module), pc.0),
            CodePlace::Process(pc) => (None, pc.0),
        };
        for node in &self.nodes {
            let (Frame::Code(place), running @ 1..) = (node.frame, node.own.running()) else {
                continue;
            };
            let (module, pc) = module_of(place);
            let mut ranges = self.bins.iter_mut();
            let bin = ranges.find_map(|(&(start, bin_len), bins)| {
                let (its, start) = module_of(start);
                let bin = pc.checked_sub(start)?.checked_div(bin_len.into())?;
                bins.get_mut(usize::try_from(bin).ok()?).filter(|_| its == module)
            });
            if let Some(bin) = bin {
                *bin = bin.saturating_add(running);
            }
        }
    }

    /// Adds what a file holds. One without modules adds nothing: its addresses would be of one process.
    pub(in crate::records) fn add(&mut self, live: &Live<'_>) {
        let layout = Layout::new(self, live);
        if layout.is_empty() {
            return;
        }
        let header = live.header();
        let placement = &header.placement;
        let start = layout.place(placement.text.start);
        if let CodePlace::Module(program, _) = start {
            self.program.get_or_insert(program);
        }
        self.origin.get_or_insert_with(|| Origin {
            encoding: header.encoding,
            sampling: header.sampling,
            process: header.process,
            name: header.program_text().to_vec(),
            // Its end may be the start of another module.
            text: start..start.plus(placement.text.end.0.wrapping_sub(placement.text.start.0)),
            external_caller: layout.place(placement.external_caller),
            call_offset: placement.call_offset,
        });
        let mut facts = RunFacts::of(live);
        let process = header.process;
        let ranks = facts.take_list(RANKS, facts.number("rank"));
        let processes = facts.take_list(PROCESSES, Some(process));
        let timeline = Timeline::of(&facts);
        let lasted_ns = facts.number("duration_ns").unwrap_or(0);
        let first = self.threads.len();
        self.facts.absorb(facts);
        for block in live.process_blocks() {
            add(self.blocks.entry(layout.place(block.pc)).or_default(), block.count);
        }
        for histogram in live.process_histograms() {
            let header = histogram.header;
            let bin_len = (header.high_pc.0 - header.low_pc.0).checked_div(header.bins.into());
            let range = (layout.place(header.low_pc), bin_len.unwrap_or(0) as u32);
            let bins = self.bins_of(range, header.bins as usize);
            for (bin, count) in histogram.counts() {
                bins[bin as usize] = bins[bin as usize].saturating_add(count);
            }
        }
        for LoadedArc { return_pc, self_pc: SelfPc(callee), count } in live.process_arcs() {
            let CallSite(site) = return_pc.call_site(placement.call_offset);
            let (site, callee) = (CallSite(layout.place(site)), SelfPc(layout.place(callee)));
            add(self.arcs.entry((site, callee)).or_default(), count);
        }
        live.first_calls().for_each(|pc| self.add_first_call(layout.place(pc)));
        live.steps()
            .for_each(|it| add(self.steps.entry(layout.place(it.pc)).or_default(), it.count));
        let (mut threads, mut named) = (HashMap::new(), HashMap::new());
        for (position, thread) in live.threads() {
            // In a sum, which alone has lists, nothing stands first.
            let at = (position as usize).wrapping_sub(1);
            let number = ThreadId(self.threads.len() as u32);
            threads.insert(position, number);
            named.extend([thread.id, Timing::thread_at(position)].map(|name| (name, number)));
            self.threads.push(Thread {
                process: processes(at).unwrap_or(process),
                id: thread.id,
                origin_us: timeline.origin_us(),
                name: thread.name().to_vec(),
                begun_ns: thread.begun_ns,
                ended_ns: thread.ended_ns,
                cpu_ns: thread.cpu_ns,
                signals: thread.signals,
                squared_weights: thread.squared_weights,
                rank: ranks(at).and_then(|rank| rank.try_into().ok()),
            });
        }
        for timing in live.times() {
            let thread = named.get(&timing.thread).copied();
            let caller = timing.caller.map(|pc| layout.place(pc));
            self.add_call_times(
                (layout.place(timing.function), caller, thread),
                &Times::of(&timing),
            );
        }
        let origin_ns = timeline.origin_us().saturating_mul(1000);
        for mark in live.marks() {
            let function = mark.function().map(|pc| layout.place(pc));
            let thread = threads.get(&mark.thread.into()).copied();
            if let (Some(function), Some(thread), Some(ended)) = (function, thread, mark.ended_ns) {
                let [begun_ns, ended_ns] =
                    [mark.begun_ns, ended].map(|ns| origin_ns.saturating_add(ns));
                self.long_calls.push(TimedCall { function, thread, begun_ns, ended_ns });
            }
        }
        let has_times = live.samples().next().is_some();
        let mut numbers = Numbers::new();
        for stacks in live.stacks() {
            let numbers = has_times.then_some(&mut numbers);
            self.add_stacks(stacks, &layout, process, &mut threads, numbers);
        }
        let samples = self.place_samples(live, &layout, &numbers);
        let end_us = self.add_times(live, samples, timeline, &threads);
        // Those that ran on ended with their process, and not when others did.
        let end_ns = lasted_ns.max(end_us.saturating_mul(1000));
        let ran_on = self.threads[first..].iter_mut().filter(|thread| thread.ended_ns == 0);
        ran_on.for_each(|thread| thread.ended_ns = end_ns);
    }

    /// Adds what was read of files that come after those of this one. Their threads stay apart.
    pub(in crate::records) fn absorb(&mut self, mut other: Self) {
        let before = self.threads.len() as u32;
        let threads = (before..).zip(&other.threads).map(|(number, _)| ThreadId(number)).collect();
        self.threads.append(&mut other.threads);
        self.absorb_all(other, threads);
    }

    /// Returns `true` if both are of the same run.
    pub(super) fn is_of_run_of(&self, other: &Self) -> bool {
        let run = self.facts.get(RUN);
        run.is_some() && run == other.facts.get(RUN)
    }

    /// Adds another run. Threads of one name become one, whichever run they are of, unless their ranks differ.
    pub(super) fn absorb_run(&mut self, mut other: Self) {
        let run_ns = other.facts.number("duration_ns").unwrap_or(0);
        let threads = std::mem::take(&mut other.threads);
        let (before, count) = (self.threads.len(), threads.len());
        let threads: Vec<_> =
            threads.into_iter().map(|thread| self.thread_named(thread, run_ns)).collect();
        self.absorb_all(other, threads);
        if self.threads.len() < before + count {
            // Nobody could tell any more which of the threads that became one did not run, or was in a slow call.
            self.timeline.forget_gaps();
            self.long_calls.clear();
        }
    }

    /// Adds everything but the threads, of which it tells what became of each.
    fn absorb_all(&mut self, other: Self, threads: Vec<ThreadId>) {
        let first_calls = other.first_calls();
        let modules: Vec<_> = other.modules.into_iter().map(|module| self.module(module)).collect();
        let made = other.made.iter().map(|(module, start, code)| {
            ((module, start), self.made_place(code.clone(), module_of(code.kind)))
        });
        let made: HashMap<_, _> = made.collect();
        let place = |place| match place {
            CodePlace::Module(id, pc) => match other.made.find(id, pc) {
                Some((start, _)) => {
                    let (module, new) = made[&(id, start)];
                    CodePlace::Module(module, FilePc(new.0 + (pc.0 - start.0)))
                }
                None => CodePlace::Module(modules[id.index()], pc),
            },
            process => process,
        };
        self.program = self.program.or(other.program.map(|id| modules[id.index()]));
        let mut positions: Vec<u32> = Vec::with_capacity(other.nodes.len());
        for node in other.nodes {
            let parent = node.parent.map(|parent| positions[parent as usize]);
            let frame = match node.frame {
                Frame::Code(code) => Frame::Code(place(code)),
                incomplete => incomplete,
            };
            let thread = threads[node.thread.index()];
            let StackNode { waits, is_guess, own, .. } = node;
            positions.push(self.add_node(NodeKey { parent, thread, waits, frame, is_guess }, own));
        }
        self.timeline.absorb(other.timeline, &positions, &threads);
        for ((CallSite(site), SelfPc(callee)), count) in other.arcs {
            add(
                self.arcs.entry((CallSite(place(site)), SelfPc(place(callee)))).or_default(),
                count,
            );
        }
        first_calls.into_iter().for_each(|pc| self.add_first_call(place(pc)));
        other
            .steps
            .into_iter()
            .for_each(|(pc, count)| add(self.steps.entry(place(pc)).or_default(), count));
        for ((function, caller, thread), times) in other.call_times {
            let thread = thread.map(|thread| threads[thread.index()]);
            self.add_call_times((place(function), caller.map(place), thread), &times);
        }
        self.long_calls.extend(other.long_calls.into_iter().map(|it| TimedCall {
            function: place(it.function),
            thread: threads[it.thread.index()],
            ..it
        }));
        for (block, count) in other.blocks {
            add(self.blocks.entry(place(block)).or_default(), count);
        }
        for ((start, len), counts) in other.bins {
            let bins = self.bins_of((place(start), len), counts.len());
            bins.iter_mut().zip(counts).for_each(|(sum, n)| *sum = sum.saturating_add(n));
        }
        self.origin = self.origin.take().or_else(|| {
            let Origin { text, external_caller, .. } = other.origin.clone()?;
            let text = place(text.start)..place(text.end);
            let external_caller = place(external_caller);
            other.origin.map(|origin| Origin { text, external_caller, ..origin })
        });
        self.facts.absorb(other.facts);
    }

    /// Adds a thread of a run of this length, in nanoseconds, to the one of its name.
    fn thread_named(&mut self, mut thread: Thread, run_ns: u64) -> ThreadId {
        // Times of different runs have nothing in common but their lengths.
        let end = if thread.ended_ns == 0 { run_ns } else { thread.ended_ns };
        thread.ended_ns = end.saturating_sub(thread.begun_ns);
        thread.begun_ns = 0;
        let place = self
            .threads
            .iter()
            .position(|known| (&known.name, known.rank) == (&thread.name, thread.rank));
        let Some(place) = place else {
            self.threads.push(thread);
            return ThreadId(self.threads.len() as u32 - 1);
        };
        let known = &mut self.threads[place];
        for (sum, more) in [
            (&mut known.ended_ns, thread.ended_ns),
            (&mut known.cpu_ns, thread.cpu_ns),
            (&mut known.signals, thread.signals),
            (&mut known.squared_weights, thread.squared_weights),
        ] {
            *sum = sum.saturating_add(more);
        }
        ThreadId(place as u32)
    }

    /// The number of a module, which is that of a known one of this build.
    pub(super) fn module(&mut self, module: Module) -> ModuleId {
        let place = self.modules.iter().position(|known| known.is_of_build_of(&module));
        let place = match place {
            Some(place) => {
                let known = &mut self.modules[place].extent;
                *known = known.start.min(module.extent.start)..known.end.max(module.extent.end);
                place
            }
            None => {
                self.modules.push(module);
                self.modules.len() - 1
            }
        };
        ModuleId(place as u32)
    }

    /// Place of code that is in no file, in the module of all code of its kind.
    pub(super) fn made_place(&mut self, code: MadeCode, path: &[u8]) -> (ModuleId, FilePc) {
        let module = |extent| Module { path: path.to_vec(), build_id: Vec::new(), extent };
        let len = code.len;
        let id = self.module(module(FilePc(0)..FilePc(1)));
        let place = self.made.place(id, code);
        // Its end may have moved.
        (self.module(module(FilePc(0)..place.saturating_add(len))), place)
    }

    /// Appends a place to the order of first calls, unless it is there.
    fn add_first_call(&mut self, place: CodePlace) {
        let next = self.first_calls.len() as u32;
        self.first_calls.entry(place).or_insert(next);
    }

    fn bins_of(&mut self, range: BinRange, len: usize) -> &mut [u64] {
        let bins = self.bins.entry(range).or_default();
        if bins.len() < len {
            bins.resize(len, 0);
        }
        bins
    }

    /// Adds samples to a node, which is made if it is new.
    pub(super) fn add_node(&mut self, key: NodeKey, own: Looks) -> u32 {
        let Self { nodes, positions, .. } = self;
        let position = *positions.entry(key).or_insert_with(|| {
            let NodeKey { parent, thread, waits, frame, is_guess } = key;
            nodes.push(StackNode { frame, is_guess, parent, thread, waits, own: Looks::default() });
            nodes.len() as u32 - 1
        });
        nodes[position as usize].own += own;
        position
    }
}

//! What full profiles hold beside the data of the program: modules, threads, stacks, and the calls of all
//! modules; added up over processes and builds.
//!
//! Addresses become those of their module's file as soon as they are read. So runs in which a library lay
//! elsewhere add up, and two builds of it, which have different build ids, stay apart.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use gmon_format::live::{Label, Live, Sampling, Stacks};
use gmon_format::{CallSite, Encoding, FilePc, LoadedArc, LoadedPc, SelfPc};

use super::facts::RunFacts;
use super::layout::Layout;

/// A position in the list of modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub u32);

/// A position in the list of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(pub u32);

/// A file that was loaded into a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its path, as the loader of the process knew it.
    pub path: Vec<u8>,
    /// Its build id; empty if it has none.
    pub build_id: Vec<u8>,
    /// Where it lay in memory.
    pub extent: Range<FilePc>,
}

/// What the first of the files says of its program and its clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// How the program's numbers lie in a file.
    pub encoding: Encoding,
    /// What a tick stands for.
    pub sampling: Sampling,
    /// The number of the process.
    pub process: u64,
    /// The name of the program's file.
    pub name: Vec<u8>,
    /// The program's code.
    pub text: Range<CodePlace>,
    /// What stands for callers outside of it.
    pub external_caller: CodePlace,
    /// What must be subtracted from a return address to get one inside the call.
    pub call_offset: u64,
}

/// A thread whose stacks were sampled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The number of its process.
    pub process: u64,
    /// The number that the kernel gave it; 0 if the profile does not know the thread.
    pub id: u64,
    /// Its name.
    pub name: Vec<u8>,
    /// When it began, in nanoseconds since the profile began.
    pub begun_ns: u64,
    /// When it ended, in nanoseconds since the profile began; 0 if it ran on.
    pub ended_ns: u64,
    /// Nanoseconds that it ran on a processor.
    pub cpu_ns: u64,
    /// Signals that sampled it.
    pub signals: u64,
    /// The sum over its signals of the square of the ticks that each stood for.
    pub squared_weights: u64,
}

/// Samples: how many signals there were, and the time that they stand for.
///
/// A signal may stand for several periods of the clock, so the two differ; how exact a figure is follows
/// from the number of signals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// Signals.
    pub samples: u64,
    /// Time, in ticks of the histogram.
    pub weight: u64,
}

/// Where code lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CodePlace {
    /// An address in a module's file.
    Module(ModuleId, FilePc),
    /// An address in a process that is in no known module, or in one of several.
    Process(LoadedPc),
}

/// Where a stack could not be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Incomplete {
    /// Why; `None` for a reason that only a later version knows.
    pub label: Option<Label>,
}

/// What a stack has at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// An address in the call that is executed, or the one that was interrupted.
    Code(CodePlace),
    /// The stack could not be followed.
    Incomplete(Incomplete),
}

/// A frame with what called it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackNode {
    /// The frame.
    pub frame: Frame,
    /// Whether it was found by looking for what might be a return address.
    pub is_guess: bool,
    /// The position of what called it, which is a smaller one.
    pub parent: Option<u32>,
    /// The thread.
    pub thread: ThreadId,
    /// Samples that ended here.
    pub own: Looks,
}

/// What makes a node, apart from its samples.
type NodeKey = (Option<u32>, ThreadId, Frame, bool);

/// Everything of full profiles; nothing if there was none.
#[derive(Clone, Debug, Default)]
pub struct FullRecords {
    modules: Vec<Module>,
    program: Option<ModuleId>,
    threads: Vec<Thread>,
    nodes: Vec<StackNode>,
    positions: HashMap<NodeKey, u32>,
    arcs: HashMap<(CallSite<CodePlace>, SelfPc<CodePlace>), u64>,
    blocks: HashMap<CodePlace, u64>,
    bins: BTreeMap<BinRange, Vec<u64>>,
    origin: Option<Origin>,
    facts: RunFacts,
}

/// The code that a histogram covers: where it begins, and how many bytes each bin has.
pub type BinRange = (CodePlace, u32);

impl FullRecords {
    /// The modules, those of equal build ids once.
    #[must_use]
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// Which of them is the program.
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

    /// Whether there are stacks.
    #[must_use]
    pub fn has_stacks(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// What the first file says of its program; none if no file has modules.
    #[must_use]
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// What the files say about their runs.
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

    /// Calls in all modules, each with its count.
    pub fn arcs(&self) -> impl Iterator<Item = (CallSite<CodePlace>, SelfPc<CodePlace>, u64)> + '_ {
        self.arcs.iter().map(|(&(site, callee), &count)| (site, callee, count))
    }

    /// Adds what a file holds. One without modules adds nothing: its addresses would be of one process.
    pub(super) fn add(&mut self, live: &Live<'_>) {
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
        self.facts.absorb(RunFacts::of(live));
        for block in live.process_blocks() {
            self.add_block(layout.place(block.pc), block.count);
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
            self.add_arc(site, callee, count);
        }
        let process = live.header().process;
        let mut threads = HashMap::new();
        for (position, thread) in live.threads() {
            threads.insert(position, ThreadId(self.threads.len() as u32));
            self.threads.push(Thread {
                process,
                id: thread.id,
                name: thread.name().to_vec(),
                begun_ns: thread.begun_ns,
                ended_ns: thread.ended_ns,
                cpu_ns: thread.cpu_ns,
                signals: thread.signals,
                squared_weights: thread.squared_weights,
            });
        }
        for stacks in live.stacks() {
            self.add_stacks(stacks, &layout, process, &mut threads);
        }
    }

    /// Adds what was read of files that come after those of this one. Their threads stay apart.
    pub(super) fn absorb(&mut self, mut other: Self) {
        let before = self.threads.len() as u32;
        let threads = (before..).zip(&other.threads).map(|(number, _)| ThreadId(number)).collect();
        self.threads.append(&mut other.threads);
        self.absorb_all(other, threads);
    }

    /// Adds another run. Threads of one name become one, whichever run they are of.
    pub(super) fn absorb_run(&mut self, mut other: Self) {
        let run_ns = other.facts.number("duration_ns").unwrap_or(0);
        let threads = std::mem::take(&mut other.threads);
        let threads = threads.into_iter().map(|thread| self.thread_named(thread, run_ns)).collect();
        self.absorb_all(other, threads);
    }

    /// Adds everything but the threads, of which it tells what became of each.
    fn absorb_all(&mut self, other: Self, threads: Vec<ThreadId>) {
        let modules: Vec<_> = other.modules.into_iter().map(|module| self.module(module)).collect();
        let place = |place| match place {
            CodePlace::Module(id, pc) => CodePlace::Module(modules[id.index()], pc),
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
            positions.push(self.add_node((parent, thread, frame, node.is_guess), node.own));
        }
        for ((CallSite(site), SelfPc(callee)), count) in other.arcs {
            self.add_arc(CallSite(place(site)), SelfPc(place(callee)), count);
        }
        for (block, count) in other.blocks {
            self.add_block(place(block), count);
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
        let place = self.threads.iter().position(|known| known.name == thread.name);
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

    /// The number of a module, which is that of a known one of this build id or, without one, path.
    pub(super) fn module(&mut self, module: Module) -> ModuleId {
        let is_known = |known: &Module| {
            let has_id = !known.build_id.is_empty() || !module.build_id.is_empty();
            if has_id { known.build_id == module.build_id } else { known.path == module.path }
        };
        let place = self.modules.iter().position(is_known);
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

    fn add_block(&mut self, place: CodePlace, count: u64) {
        let sum = self.blocks.entry(place).or_default();
        *sum = sum.saturating_add(count);
    }

    fn bins_of(&mut self, range: BinRange, len: usize) -> &mut [u64] {
        let bins = self.bins.entry(range).or_default();
        if bins.len() < len {
            bins.resize(len, 0);
        }
        bins
    }

    fn add_arc(&mut self, site: CallSite<CodePlace>, callee: SelfPc<CodePlace>, count: u64) {
        let sum = self.arcs.entry((site, callee)).or_default();
        *sum = sum.saturating_add(count);
    }

    /// Adds samples to a node, which is made if it is new.
    fn add_node(&mut self, key: NodeKey, own: Looks) -> u32 {
        let Self { nodes, positions, .. } = self;
        let position = *positions.entry(key).or_insert_with(|| {
            let (parent, thread, frame, is_guess) = key;
            nodes.push(StackNode { frame, is_guess, parent, thread, own: Looks::default() });
            nodes.len() as u32 - 1
        });
        nodes[position as usize].own += own;
        position
    }

    /// Adds the nodes of a block, whatever a damaged one says of their parents.
    fn add_stacks(
        &mut self,
        stacks: Stacks<'_>,
        layout: &Layout<'_>,
        process: u64,
        threads: &mut HashMap<u64, ThreadId>,
    ) {
        let mut done: HashMap<u32, Above> = HashMap::new();
        for (position, _) in stacks.iter() {
            // From here outwards to what is done already, and back.
            let mut path = Vec::new();
            let mut next = Some(position);
            while let Some(node) = next.filter(|node| !done.contains_key(node)) {
                // A node that is its own ancestor begins a stack.
                done.insert(node, Above::Nothing);
                path.push(node);
                next = stacks.get(node).and_then(|node| node.parent);
            }
            for position in path.into_iter().rev() {
                let Some(node) = stacks.get(position) else { continue };
                let above = node.parent.and_then(|parent| done.get(&parent).copied());
                let own = Looks { samples: node.samples.into(), weight: node.weight };
                let mut thread = |position| {
                    *threads.entry(position).or_insert_with(|| {
                        self.threads.push(Thread { process, ..Thread::default() });
                        ThreadId(self.threads.len() as u32 - 1)
                    })
                };
                let (parent, thread) = match above.unwrap_or(Above::Nothing) {
                    Above::Nothing if node.pc == Label::Thread.pc() => {
                        done.insert(position, Above::Threads);
                        continue;
                    }
                    Above::Threads => {
                        let thread = thread(node.pc);
                        done.insert(position, Above::Thread(thread));
                        if own != Looks::default() {
                            let nowhere = Frame::Incomplete(Incomplete { label: None });
                            self.add_node((None, thread, nowhere, false), own);
                        }
                        continue;
                    }
                    Above::Nothing => (None, thread(u64::MAX)),
                    Above::Thread(thread) => (None, thread),
                    Above::Node(parent) => (Some(parent), self.nodes[parent as usize].thread),
                };
                let frame = match node.pc {
                    label @ ..Label::END => {
                        Frame::Incomplete(Incomplete { label: Label::of(label) })
                    }
                    pc => Frame::Code(layout.place(LoadedPc(pc))),
                };
                let node = self.add_node((parent, thread, frame, node.is_guess), own);
                done.insert(position, Above::Node(node));
            }
        }
    }
}

/// What stands above a node of a block.
#[derive(Clone, Copy, Debug)]
enum Above {
    Nothing,
    /// The mark below which there is a node for each thread.
    Threads,
    Thread(ThreadId),
    Node(u32),
}

impl Incomplete {
    /// The reason, in the users' words.
    #[must_use]
    pub fn reason(self) -> &'static str {
        self.label.and_then(Label::reason).unwrap_or("for a reason that is not known")
    }
}

impl CodePlace {
    /// The place so many bytes further on.
    fn plus(self, bytes: u64) -> Self {
        match self {
            Self::Module(module, pc) => Self::Module(module, FilePc(pc.0.wrapping_add(bytes))),
            Self::Process(pc) => Self::Process(LoadedPc(pc.0.wrapping_add(bytes))),
        }
    }
}

impl ModuleId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ThreadId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::AddAssign for Looks {
    fn add_assign(&mut self, other: Self) {
        self.samples = self.samples.saturating_add(other.samples);
        self.weight = self.weight.saturating_add(other.weight);
    }
}

impl std::ops::SubAssign for Looks {
    fn sub_assign(&mut self, other: Self) {
        self.samples = self.samples.saturating_sub(other.samples);
        self.weight = self.weight.saturating_sub(other.weight);
    }
}

impl std::iter::Sum for Looks {
    fn sum<I: Iterator<Item = Self>>(looks: I) -> Self {
        looks.fold(Self::default(), |mut sum, looks| {
            sum += looks;
            sum
        })
    }
}

//! What full profiles hold beside the data of the program: modules, threads, stacks, and the calls of all
//! modules; added up over processes and builds.
//!
//! Addresses become those of their module's file as soon as they are read. So runs in which a library lay
//! elsewhere add up, and two builds of it, which have different build ids, stay apart.

use std::collections::HashMap;

use gmon_format::live::{Label, Live, Stacks};

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
    Module(ModuleId, u64),
    /// An address in a process that is in no known module, or in one of several.
    Process(u64),
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
    arcs: HashMap<(CodePlace, CodePlace), u64>,
}

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

    /// Calls in all modules: an address inside the call, one in the function called, and the count.
    pub fn arcs(&self) -> impl Iterator<Item = (CodePlace, CodePlace, u64)> + '_ {
        self.arcs.iter().map(|(&(site, callee), &count)| (site, callee, count))
    }

    /// Adds what a file holds. One without modules adds nothing: its addresses would be of one process.
    pub(super) fn add(&mut self, live: &Live<'_>) {
        let layout = Layout::new(self, live);
        if layout.modules.is_empty() {
            return;
        }
        let placement = &live.header().placement;
        if let CodePlace::Module(program, _) = layout.place(placement.text.start) {
            self.program.get_or_insert(program);
        }
        for (from_pc, self_pc, count) in live.process_arcs() {
            let site = layout.place(from_pc.wrapping_sub(placement.call_offset));
            self.add_arc(site, layout.place(self_pc), count);
        }
        let process = live.header().process;
        let mut threads = HashMap::new();
        for (position, thread) in live.threads() {
            threads.insert(position, ThreadId(self.threads.len() as u32));
            self.threads.push(Thread {
                process,
                id: thread.id,
                name: thread.name().to_vec(),
                cpu_ns: thread.cpu_ns,
                signals: thread.signals,
                squared_weights: thread.squared_weights,
            });
        }
        for stacks in live.stacks() {
            self.add_stacks(stacks, &layout, process, &mut threads);
        }
    }

    /// Adds what was read of files that come after those of this one.
    pub(super) fn absorb(&mut self, other: Self) {
        let modules: Vec<_> = other.modules.into_iter().map(|module| self.module(module)).collect();
        let place = |place| match place {
            CodePlace::Module(id, pc) => CodePlace::Module(modules[id.index()], pc),
            process => process,
        };
        self.program = self.program.or(other.program.map(|id| modules[id.index()]));
        let before = self.threads.len() as u32;
        self.threads.extend(other.threads);
        let mut positions: Vec<u32> = Vec::with_capacity(other.nodes.len());
        for node in other.nodes {
            let parent = node.parent.map(|parent| positions[parent as usize]);
            let frame = match node.frame {
                Frame::Code(code) => Frame::Code(place(code)),
                incomplete => incomplete,
            };
            let thread = ThreadId(before + node.thread.0);
            positions.push(self.add_node((parent, thread, frame, node.is_guess), node.own));
        }
        for ((site, callee), count) in other.arcs {
            self.add_arc(place(site), place(callee), count);
        }
    }

    /// The number of a module, which is that of a known one of this build id or, without one, path.
    fn module(&mut self, module: Module) -> ModuleId {
        let is_known = |known: &Module| {
            let has_id = !known.build_id.is_empty() || !module.build_id.is_empty();
            if has_id { known.build_id == module.build_id } else { known.path == module.path }
        };
        let place = self.modules.iter().position(is_known).unwrap_or_else(|| {
            self.modules.push(module);
            self.modules.len() - 1
        });
        ModuleId(place as u32)
    }

    fn add_arc(&mut self, site: CodePlace, callee: CodePlace, count: u64) {
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
        layout: &Layout,
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
                    pc => Frame::Code(layout.place(pc)),
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

/// Where the modules lay in one process.
struct Layout {
    modules: Vec<Loaded>,
}

/// A module in its process.
struct Loaded {
    start: u64,
    end: u64,
    bias: u64,
    id: ModuleId,
}

impl Layout {
    fn new(records: &mut FullRecords, live: &Live<'_>) -> Self {
        let loaded = |module: gmon_format::live::Module<'_>| Loaded {
            start: module.start,
            end: module.end,
            bias: module.bias,
            id: records
                .module(Module { path: module.path.to_vec(), build_id: module.build_id.to_vec() }),
        };
        let mut modules: Vec<_> = live.modules().map(loaded).collect();
        modules.sort_by_key(|module| module.start);
        Self { modules }
    }

    /// Where an address of the process lies. Where several modules lay one after the other, that is known
    /// only if they are the same one.
    fn place(&self, pc: u64) -> CodePlace {
        let after = self.modules.partition_point(|module| module.start <= pc);
        let mut places = self.modules[..after].iter().rev().take_while(|module| {
            // Modules of other times may begin here, but none is as long as this.
            pc - module.start < MOST_TEXT
        });
        let mut found = None;
        for module in places.by_ref().filter(|module| pc < module.end) {
            let place = CodePlace::Module(module.id, pc.wrapping_sub(module.bias));
            if found.is_some_and(|found| found != place) {
                return CodePlace::Process(pc);
            }
            found = Some(place);
        }
        found.unwrap_or(CodePlace::Process(pc))
    }
}

/// No module has more code and data than this, in bytes.
const MOST_TEXT: u64 = 1 << 34;

impl Incomplete {
    /// The reason, in the users' words.
    #[must_use]
    pub fn reason(self) -> &'static str {
        self.label.and_then(Label::reason).unwrap_or("for a reason that is not known")
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

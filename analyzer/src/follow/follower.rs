//! A running program that is looked at again and again.

use std::path::Path;
use std::sync::Arc as Shared;
use std::time::{Duration, Instant};

use foldhash::HashMap;
use gmon_format::live::{Control, Label, Live, StackNode, Stacks};
use gmon_format::{FilePc, LoadedPc};

use super::calls::Arcs;
use super::changes::Seen;
use super::code::{Code, Function};
use super::counted::Counted;
use super::sums::{Call, Change, Sums};
use super::times::{self, TimedFunctions};
use crate::error::Error;
use crate::records::{FileNews, LiveView};
use crate::report::NameStyle;

/// Counts of a running program, as of the last look.
#[derive(Debug)]
pub struct Follower {
    view: LiveView,
    looked: Looked,
}

/// A thread that was sampled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The number that the kernel gave it; 0 if it is not known.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Ticks in it.
    pub change: Change,
}

/// Findings up to the last look.
#[derive(Debug)]
struct Looked {
    code: Code,
    seen: Seen,
    arcs: Arcs,
    /// The positions of pairs.
    positions: HashMap<Call, u32>,
    /// Frames by address and that of the frame called, or [`NOWHERE`].
    frames: HashMap<(LoadedPc, LoadedPc), Frame>,
    /// Counts that the look under way fills.
    counted: Counted,
    /// Counts of the last look and of the one before, whose memory is used again if nobody else has it any
    /// more.
    last: Shared<Counted>,
    spare: Shared<Counted>,
    threads: Vec<Thread>,
    times: Shared<TimedFunctions>,
    all: Change,
    has_stacks: bool,
    rate: u32,
    /// Distance from a call to the address it returns to.
    call_offset: u64,
    /// Distance from the program's code in its file up to its code in memory.
    bias: u64,
    resets: u64,
    /// When the last look began, and how long it was after the one before.
    at: Instant,
    elapsed: Duration,
    path: OnStack,
}

/// Meaning of a frame.
#[derive(Clone, Copy, Debug)]
struct Frame {
    function: u32,
    /// The pair of it and the function called, or [`NO_PAIR`].
    pair: u32,
}

/// A damaged file may number threads as it likes; no program has as many.
const MOST_THREADS: u64 = 1 << 22;

/// Place of no frame.
const NOWHERE: LoadedPc = LoadedPc(0);

/// In place of the pair of a frame that calls nothing.
const NO_PAIR: u32 = u32::MAX;

/// Contents of a stack, outwards. Kept, since stacks are many.
#[derive(Debug, Default)]
struct OnStack {
    functions: Vec<u32>,
    pairs: Vec<u32>,
}

impl Follower {
    /// Takes the live file of a program and looks at it for the first time. The paths of its modules are those below
    /// `root`, if that is another one than ours.
    ///
    /// # Errors
    /// If the live file or the executable cannot be read, or is not what it should be.
    pub fn new(
        mut view: LiveView,
        executable: &Path,
        root: Option<&Path>,
        style: NameStyle,
    ) -> Result<Self, Error> {
        let code = Code::new(&view.read()?, executable, root, style)?;
        let looked = Looked {
            code,
            seen: Seen::default(),
            arcs: Arcs::default(),
            positions: HashMap::default(),
            frames: HashMap::default(),
            counted: Counted::default(),
            last: Shared::default(),
            spare: Shared::default(),
            threads: Vec::new(),
            times: Shared::default(),
            all: Change::default(),
            has_stacks: false,
            rate: 0,
            call_offset: 0,
            bias: 0,
            resets: 0,
            at: Instant::now(),
            elapsed: Duration::ZERO,
            path: OnStack::default(),
        };
        let mut follower = Self { view, looked };
        follower.look_at_all()?;
        // What there was before is not what has come since the last look.
        follower.looked.begin();
        follower.looked.end();
        let times = Shared::make_mut(&mut follower.looked.times).values_mut();
        times.for_each(|timed| timed.now = Default::default());
        Ok(follower)
    }

    /// Looks again.
    ///
    /// # Errors
    /// If the live file cannot be read any more.
    pub fn look(&mut self) -> Result<(), Error> {
        let at = Instant::now();
        // Where there are stacks, nothing is taken from the bins, of which a large program has many.
        let needs_bins = !self.looked.has_stacks;
        let (live, news) = self.view.read_news(needs_bins)?;
        self.looked.look(&live, news);
        self.looked.look_at_calls(&mut self.view)?;
        if self.resets() != self.looked.resets {
            self.look_at_all()?;
        }
        self.looked.elapsed = at - self.looked.at;
        self.looked.at = at;
        Ok(())
    }

    /// Looks as if for the first time: all that is there was counted since.
    fn look_at_all(&mut self) -> Result<(), Error> {
        let live = self.view.read()?;
        self.looked.forget();
        self.looked.look(&live, &FileNews::default());
        self.looked.look_at_calls(&mut self.view)?;
        self.looked.resets = self.resets();
        Ok(())
    }

    /// Number of resets that the program had done when the file was read.
    fn resets(&self) -> u64 {
        self.view.control().map_or(0, |control| control.resets)
    }

    /// The functions that were called or sampled. They keep their positions.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        self.looked.code.functions()
    }

    /// The position of the program's function at an address in its file, which is then listed even if nothing was counted
    /// of it.
    pub fn function_at(&mut self, address: FilePc) -> u32 {
        self.looked.code.function(address.loaded(self.looked.bias))
    }

    /// All counts. Holders of it, or of one of the lists, keep it as it was.
    #[must_use]
    pub fn counted(&self) -> &Shared<Counted> {
        &self.looked.last
    }

    /// Calls between functions. Two functions may occur several times, for different calls in the code. Those of which nothing
    /// was counted may be any functions.
    #[must_use]
    pub fn calls(&self) -> &Shared<Vec<Call>> {
        self.looked.arcs.ends()
    }

    /// The threads that were sampled.
    #[must_use]
    pub fn threads(&self) -> &[Thread] {
        &self.looked.threads
    }

    /// Times of calls.
    #[must_use]
    pub fn times(&self) -> &Shared<TimedFunctions> {
        &self.looked.times
    }

    /// Everything together.
    #[must_use]
    pub fn all(&self) -> Change {
        self.looked.all
    }

    /// Returns `true` if there are call stacks, and so total times.
    #[must_use]
    pub fn has_stacks(&self) -> bool {
        self.looked.has_stacks
    }

    /// Ticks in a second.
    #[must_use]
    pub fn rate(&self) -> u32 {
        self.looked.rate
    }

    /// Time between the last look and the one before.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.looked.elapsed
    }

    /// The program's own account of itself.
    #[must_use]
    pub fn control(&self) -> Option<Control> {
        self.view.control()
    }
}

impl Looked {
    /// Begins a look: nothing has come since yet.
    fn begin(&mut self) {
        let spare = Shared::try_unwrap(std::mem::take(&mut self.spare));
        self.counted = spare.unwrap_or_else(|_| Counted::clone(&self.last));
        self.counted.begin(&self.last);
        self.threads.iter_mut().for_each(|thread| thread.change.begin());
        self.all.begin();
    }

    /// Ends a look.
    fn end(&mut self) {
        let mut counted = std::mem::take(&mut self.counted);
        counted.end(&self.last);
        self.spare = std::mem::replace(&mut self.last, counted.into());
    }

    fn forget(&mut self) {
        self.seen.forget();
        self.arcs.forget();
        self.last = self.last.without_counts().into();
        self.spare = Shared::default();
        self.threads.iter_mut().for_each(|thread| thread.change = Change::default());
        self.times = Shared::default();
        self.all = Change::default();
    }

    fn look(&mut self, live: &Live<'_>, news: &FileNews) {
        self.begin();
        if self.code.look(live) {
            self.arcs.look_up_again();
            self.frames.clear();
        }
        self.rate = live.header().sampling.rate;
        self.name_threads(live);
        self.times = times::look(live, &mut self.code, &self.times).into();
        let mut seen = std::mem::take(&mut self.seen);
        // Modules are listed from the start where stacks are recorded.
        self.has_stacks |= live.modules().next().is_some() || live.stacks().next().is_some();
        if self.has_stacks {
            let add = |stacks: Stacks<'_>, node, ticks| self.add_stack(stacks, node, ticks);
            seen.nodes(live, &news.nodes, add);
        } else {
            seen.bins(live, news.bins.as_deref(), |pc, ticks| {
                let function = self.code.function(pc);
                self.add_own(function, ticks, false);
            });
        }
        self.seen = seen;
        let placement = &live.header().placement;
        (self.call_offset, self.bias) = (placement.call_offset, placement.bias);
    }

    fn look_at_calls(&mut self, view: &mut LiveView) -> Result<(), Error> {
        let Counted { calls, functions, .. } = &mut self.counted;
        let read = view.read_counts(|piece| self.arcs.take(&piece, self.call_offset, calls));
        let mut all = 0u64;
        let function_at = |pc| self.code.function(pc);
        self.arcs.visit(calls, function_at, |ends, calls| {
            functions.calls.add(ends.callee as usize, calls);
            all = all.saturating_add(calls);
        });
        self.all.add(Sums { calls: all, ..Sums::default() });
        self.end();
        read
    }

    fn name_threads(&mut self, live: &Live<'_>) {
        for (position, known) in live.threads() {
            let thread = self.thread(position);
            thread.id = known.id;
            thread.name.clear();
            thread.name.push_str(&String::from_utf8_lossy(known.name()));
        }
    }

    /// The thread at a position; there are no more than the file says, but a damaged one may say anything.
    fn thread(&mut self, position: u64) -> &mut Thread {
        const MOST: usize = 1 << 20;
        let position = usize::try_from(position).unwrap_or(MOST).min(MOST);
        if self.threads.len() <= position {
            self.threads.resize(position + 1, Thread::default());
        }
        &mut self.threads[position]
    }

    /// Looks up a frame that calls another one. Thousands are looked up, and all lie apart: so it is done once for
    /// both, without waiting for the other one.
    fn frame(&mut self, pc: LoadedPc, called: LoadedPc) -> Frame {
        if let Some(known) = self.frames.get(&(pc, called)) {
            return *known;
        }
        let mut frame = Frame { function: self.code.function(pc), pair: NO_PAIR };
        if called != NOWHERE {
            let (caller, callee) = (frame.function, self.code.function(called));
            let (pair, pairs) = (Call { caller, callee }, &mut self.counted.pairs);
            frame.pair = *self.positions.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() as u32 - 1
            });
        }
        self.frames.insert((pc, called), frame);
        frame
    }

    fn add_own(&mut self, function: u32, ticks: u64, waits: bool) {
        let (own, waiting) = if waits { (0, ticks) } else { (ticks, 0) };
        if !waits {
            self.counted.functions.own.add(function as usize, ticks);
        }
        self.all.add(Sums { own, total: own, waiting, calls: 0 });
    }

    /// Adds ticks whose stack ends at a node.
    fn add_stack(&mut self, stacks: Stacks<'_>, node: u32, ticks: u64) {
        let mut path = std::mem::take(&mut self.path);
        path.functions.clear();
        path.pairs.clear();
        let (mut thread, mut waits, mut called) = (None, false, NOWHERE);
        // Outwards. What lies right below the mark of threads is a thread, below that perhaps the mark of waits.
        let mut nodes = stacks.path(node).peekable();
        while let Some(frame) = nodes.next() {
            // The numbers of threads may be those of labels, too.
            let is_root =
                |above: &StackNode| above.pc == Label::Thread.pc() && above.parent.is_none();
            if nodes.peek().is_some_and(is_root) {
                thread = Some(frame.pc.0).filter(|position| *position < MOST_THREADS);
                break;
            }
            match Label::of(frame.pc) {
                Some(Label::Thread) => break,
                Some(Label::Waiting) => waits = true,
                _ => {
                    let Frame { function, pair } = self.frame(frame.pc, called);
                    path.functions.push(function);
                    path.pairs.push(pair);
                    called = frame.pc;
                }
            }
        }
        // The innermost one's.
        path.pairs.retain(|pair| *pair != NO_PAIR);
        let (own, waiting) = if waits { (0, ticks) } else { (ticks, 0) };
        let total = Sums { total: own, waiting, ..Sums::default() };
        if let Some(position) = thread {
            self.thread(position).change.add(Sums { own, ..total });
        }
        // Time in hooks is nobody's.
        if let Some(hooks) = self.code.hooks().filter(|hooks| path.functions.contains(hooks)) {
            path.functions.clear();
            path.functions.push(hooks);
            path.pairs.clear();
        }
        match path.functions.first() {
            Some(innermost) => self.add_own(*innermost, ticks, waits),
            None => self.all.add(Sums { own, ..total }),
        }
        let Counted { functions, times, waits: waited, .. } = &mut self.counted;
        let (functions, pairs) =
            if waits { (&mut functions.waiting, waited) } else { (&mut functions.total, times) };
        // Each once, however often it recurs.
        for (positions, tally) in [(&mut path.functions, functions), (&mut path.pairs, pairs)] {
            positions.sort_unstable();
            positions.dedup();
            positions.iter().for_each(|position| tally.add(*position as usize, ticks));
        }
        self.path = path;
    }
}

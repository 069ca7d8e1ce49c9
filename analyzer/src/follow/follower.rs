//! A running program that is looked at again and again.

use std::path::Path;
use std::sync::Arc as Shared;
use std::time::{Duration, Instant};

use foldhash::HashMap;
use gmon_format::FilePc;
use gmon_format::live::{Control, Label, Live, Stacks};

use super::changes::{ArcKey, Seen};
use super::code::{Code, Function};
use super::sums::{Call, Change, Changes, Sums, Tally};
use crate::error::Error;
use crate::records::{FileNews, LiveView};
use crate::report::NameStyle;

/// What a running program has counted, as of the last look.
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

/// What was found until the last look.
#[derive(Debug)]
struct Looked {
    code: Code,
    seen: Seen,
    /// By function.
    functions: Changes,
    arcs: Arcs,
    /// Which functions were below each other on stacks.
    pairs: Shared<Vec<Call>>,
    positions: HashMap<Call, usize>,
    /// The ticks in those below, as far as the last pair that has any.
    times: Tally,
    /// Ticks in which threads waited there, likewise.
    waits: Tally,
    threads: Vec<Thread>,
    all: Change,
    has_stacks: bool,
    rate: u32,
    /// How far before the address it returns to a call is.
    call_offset: u64,
    /// How much higher the program's code is than in its file.
    bias: u64,
    resets: u64,
    /// When the last look began, and how long it was after the one before.
    at: Instant,
    elapsed: Duration,
    path: OnStack,
}

/// Calls from one place to another.
#[derive(Debug, Default)]
struct Arcs {
    /// By number, as they were when they were looked up last.
    ends: Shared<Vec<Call>>,
    /// Whether they are to be looked up when it is called next.
    is_old: Vec<bool>,
    counts: Tally,
}

/// What a stack has on it, each once, however often it recurs. Kept, since stacks are many.
#[derive(Debug, Default)]
struct OnStack {
    functions: Vec<u32>,
    once: Vec<u32>,
    pairs: Vec<Call>,
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
            functions: Changes::default(),
            arcs: Arcs::default(),
            pairs: Shared::default(),
            positions: HashMap::default(),
            times: Tally::default(),
            waits: Tally::default(),
            threads: Vec::new(),
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
        follower.looked.begin();
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

    /// How often the program had set its counts to zero when the file was read.
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

    /// What was counted of each function, by its position.
    #[must_use]
    pub fn changes(&self) -> &Changes {
        &self.looked.functions
    }

    /// Calls between functions, and how many. Two functions may occur several times, for different calls in the code. Who
    /// keeps the list has it as it was.
    #[must_use]
    pub fn calls(&self) -> (&Shared<Vec<Call>>, &Tally) {
        (&self.looked.arcs.ends, &self.looked.arcs.counts)
    }

    /// With call stacks: which functions called which, each two once, and the ticks in the function called on the caller's
    /// behalf. Those without any may not be in the tally.
    #[must_use]
    pub fn times(&self) -> (&Shared<Vec<Call>>, &Tally) {
        (&self.looked.pairs, &self.looked.times)
    }

    /// As [`times`](Self::times), but the ticks in which threads waited there.
    #[must_use]
    pub fn waits(&self) -> (&Shared<Vec<Call>>, &Tally) {
        (&self.looked.pairs, &self.looked.waits)
    }

    /// The threads that were sampled.
    #[must_use]
    pub fn threads(&self) -> &[Thread] {
        &self.looked.threads
    }

    /// Everything together.
    #[must_use]
    pub fn all(&self) -> Change {
        self.looked.all
    }

    /// Whether there are call stacks, and so total times.
    #[must_use]
    pub fn has_stacks(&self) -> bool {
        self.looked.has_stacks
    }

    /// Ticks in a second.
    #[must_use]
    pub fn rate(&self) -> u32 {
        self.looked.rate
    }

    /// How long before the last look the one before it was.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.looked.elapsed
    }

    /// What the program says of itself.
    #[must_use]
    pub fn control(&self) -> Option<Control> {
        self.view.control()
    }
}

impl Looked {
    /// Begins a look: nothing has come since yet.
    fn begin(&mut self) {
        self.functions.begin();
        self.arcs.counts.begin();
        self.times.begin();
        self.waits.begin();
        self.threads.iter_mut().for_each(|thread| thread.change.begin());
        self.all.begin();
    }

    /// Ends a look: what has come counts for all, too.
    fn end(&mut self) {
        self.functions.end();
        self.arcs.counts.end();
        self.times.end();
        self.waits.end();
    }

    fn forget(&mut self) {
        self.seen.forget();
        self.functions.forget();
        self.arcs.counts.forget();
        self.times.forget();
        self.waits.forget();
        self.threads.iter_mut().for_each(|thread| thread.change = Change::default());
        self.all = Change::default();
    }

    fn look(&mut self, live: &Live<'_>, news: &FileNews) {
        self.begin();
        if self.code.look(live) {
            self.arcs.is_old.fill(true);
        }
        self.rate = live.header().sampling.rate;
        self.name_threads(live);
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
        let mut seen = std::mem::take(&mut self.seen);
        let read = view.read_counts(|piece| seen.take(&piece, self.call_offset));
        let mut all = 0u64;
        seen.arcs(|number, arc, calls| {
            self.add_calls(number, arc, calls);
            all = all.saturating_add(calls);
        });
        self.all.add(Sums { calls: all, ..Sums::default() });
        self.seen = seen;
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

    /// Adds ticks in a function on behalf of another.
    fn add_time(&mut self, pair: Call, ticks: u64, waits: bool) {
        let pairs = &mut self.pairs;
        let position = *self.positions.entry(pair).or_insert_with(|| {
            let pairs = Shared::make_mut(pairs);
            pairs.push(pair);
            pairs.len() - 1
        });
        let tally = if waits { &mut self.waits } else { &mut self.times };
        tally.add(position, ticks);
    }

    fn add_calls(&mut self, number: u32, arc: &ArcKey, calls: u64) {
        let number = number as usize;
        let Arcs { ends, is_old, counts } = &mut self.arcs;
        if ends.len() <= number {
            Shared::make_mut(ends).resize(number + 1, Call::UNKNOWN);
            is_old.resize(number + 1, true);
        }
        if std::mem::take(&mut is_old[number]) {
            let [caller, callee] = [arc.0, arc.1].map(|pc| self.code.function(pc));
            Shared::make_mut(ends)[number] = Call { caller, callee };
        }
        counts.add(number, calls);
        self.functions.calls.add(ends[number].callee as usize, calls);
    }

    fn add_own(&mut self, function: u32, ticks: u64, waits: bool) {
        let (own, waiting) = if waits { (0, ticks) } else { (ticks, 0) };
        if !waits {
            self.functions.own.add(function as usize, ticks);
        }
        self.all.add(Sums { own, total: own, waiting, calls: 0 });
    }

    /// Adds ticks whose stack ends at a node.
    fn add_stack(&mut self, stacks: Stacks<'_>, node: u32, ticks: u64) {
        let mut path = std::mem::take(&mut self.path);
        path.functions.clear();
        let (mut thread, mut waits) = (None, false);
        // Outwards. What lies right below the mark of threads is a thread, below that perhaps the mark of waits.
        let mut nodes = stacks.path(node).peekable();
        while let Some(frame) = nodes.next() {
            let above = nodes.peek().map(|above| above.pc);
            if above == Some(Label::Thread.pc()) {
                thread = Some(frame.pc.0);
                break;
            }
            match Label::of(frame.pc) {
                Some(Label::Thread) => break,
                Some(Label::Waiting) => waits = true,
                _ => path.functions.push(self.code.function(frame.pc)),
            }
        }
        let (own, waiting) = if waits { (0, ticks) } else { (ticks, 0) };
        let total = Sums { total: own, waiting, ..Sums::default() };
        if let Some(position) = thread {
            self.thread(position).change.add(Sums { own, ..total });
        }
        // Time in hooks is nobody's.
        if let Some(hooks) = self.code.hooks().filter(|hooks| path.functions.contains(hooks)) {
            path.functions.clear();
            path.functions.push(hooks);
        }
        match path.functions.first() {
            Some(innermost) => self.add_own(*innermost, ticks, waits),
            None => self.all.add(Sums { own, ..total }),
        }
        path.once.clone_from(&path.functions);
        path.once.sort_unstable();
        path.once.dedup();
        path.pairs.clear();
        let pairs = path.functions.windows(2);
        path.pairs.extend(pairs.map(|pair| Call { caller: pair[1], callee: pair[0] }));
        path.pairs.sort_unstable();
        path.pairs.dedup();
        let Changes { total, waiting, .. } = &mut self.functions;
        let tally = if waits { waiting } else { total };
        path.once.iter().for_each(|function| tally.add(*function as usize, ticks));
        path.pairs.iter().for_each(|pair| self.add_time(*pair, ticks, waits));
        self.path = path;
    }
}

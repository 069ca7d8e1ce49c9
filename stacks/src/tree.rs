//! A tree of contexts: each node is a frame under its callers, and counts the samples whose stack ended
//! there.
//!
//! The nodes of a table lie close together in the order in which they came, so that those of a new stack are neighbours, and
//! memory is touched as it is needed. An index of their places, which no reader needs, finds them: open addressing with linear
//! probing by (pc, parent). One thread at a time adds to a tree, readers look at any time: a node's pc is written last, its
//! parent before it is. A full table gets an empty successor, in which the stacks that come are made anew; readers add equal
//! ones. The first of a thread is small, because each page that is touched costs more than many nodes.
//!
//! Behind the nodes of a large table in a live file stands which were counted last, so that who follows the program need
//! not read all of them again.
//!
//! *Context:* signal; reading also exit.

use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

use gmon_format::LoadedPc;
use gmon_format::live::{Block, Content, Kernel, KernelWeight, Label, News, StackNode};
use gmon_system::atomic::AtomicU64;
use gmon_system::region::{self, Region};

use super::frames::Step;
use super::incomplete;
use super::ring::{Ring, SAMPLE};

/// Header before the nodes.
#[repr(C, align(64))]
struct Header {
    capacity: AtomicUsize,
    /// Number of nodes: the places from the first on.
    used: AtomicUsize,
    /// The first of [`SLOTS`] places in the index for each node: the node's place + 1, or 0.
    index: AtomicPtr<AtomicU32>,
    /// Number of words of [`Table::news`] behind the nodes.
    news: AtomicUsize,
    /// Number of the first node: each of the process has one of its own.
    first: AtomicUsize,
    /// The table that this one succeeded.
    older: AtomicPtr<Header>,
}

/// A node, as it lies in a file.
#[repr(C)]
pub struct Node {
    pc: AtomicUsize,
    /// The place of its parent + 1, 0 for none; a bit marks a guess.
    parent: AtomicU32,
    samples: AtomicU32,
    #[cfg(target_pointer_width = "32")]
    _zeros: u32,
    weight: AtomicU64,
    /// The parts of it in which the kernel worked, for calls and for faults.
    kernel: [AtomicU32; 2],
}

const _: () = assert!(size_of::<Node>() == StackNode::LEN);

/// A table, by the address of its header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Table(NonNull<Header>);

/// The trees of a thread, or of several that were one after the other.
pub(super) struct Trees {
    newest: AtomicPtr<Header>,
    /// The node that was counted in last.
    last: AtomicPtr<Node>,
    /// All that was counted, with its times.
    pub(super) ring: Ring<SAMPLE>,
}

/// A stack of a thread, to be counted.
#[derive(Clone, Copy)]
pub(super) struct Stack<'f> {
    /// The thread's number, which is not 0.
    pub(super) thread: usize,
    /// True if the thread waited.
    pub(super) waits: bool,
    /// Why the stack is not complete.
    pub(super) label: Option<Label>,
    /// The innermost frame first.
    pub(super) frames: &'f [Step],
    /// Work at which the look found the kernel, if it did.
    pub(super) kernel: Option<Kernel>,
}

/// Nodes in the first table.
const FIRST: usize = 128;

/// Places in the index for each node, so that at most half of them are taken.
const SLOTS: usize = 2;

/// Bytes that all tables together have, and may have.
static BYTES: AtomicUsize = AtomicUsize::new(0);
static MOST_BYTES: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Numbers that nodes have.
static NUMBERS: AtomicUsize = AtomicUsize::new(0);

/// Sets the limit for all tables together, in bytes.
pub(super) fn limit(bytes: usize) {
    MOST_BYTES.store(bytes, Ordering::Relaxed);
}

/// Bytes of all tables.
pub(super) fn bytes() -> usize {
    BYTES.load(Ordering::Relaxed)
}

/// Notes, in a forked child, that the parent's tables are gone.
pub(super) fn forget() {
    BYTES.store(0, Ordering::Relaxed);
    NUMBERS.store(0, Ordering::Relaxed);
}

/// There is no room for another node.
struct Full;

impl Trees {
    /// Counts a stack.
    pub(super) fn add(&self, stack: Stack<'_>, weight: u64) {
        let mut table = self.newest().or_else(|| self.succeed(None));
        while let Some(current) = table {
            match current.add(stack) {
                Ok(node) => return self.count(current, node, weight, stack.kernel),
                Err(Full) => {
                    table = self.succeed(Some(current));
                    if table.is_none() {
                        incomplete::note(Label::MemoryLimit, weight);
                        let node = current.add_known(stack);
                        return self.count(current, node, weight, stack.kernel);
                    }
                }
            }
        }
    }

    fn count(&self, table: Table, node: &'static Node, weight: u64, kernel: Option<Kernel>) {
        node.samples.fetch_add(1, Ordering::Relaxed);
        let [calls, faults] = &node.kernel;
        let part = match kernel {
            None => None,
            Some(Kernel::Call) => Some(calls),
            Some(Kernel::Fault) => Some(faults),
        };
        if let Some(part) = part {
            part.fetch_add(weight as u32, Ordering::Relaxed);
        }
        table.weigh(node, weight);
        self.note(table, node, weight, Some(kernel));
        self.last.store(core::ptr::from_ref(node).cast_mut(), Ordering::Release);
    }

    /// Counts what nothing else is known of where the last stack was counted; false if there was none.
    pub(super) fn add_to_last(&self, weight: u64) -> bool {
        self.last().is_some_and(|(table, node)| {
            table.weigh(node, weight);
            self.note(table, node, weight, None);
            true
        })
    }

    /// Notes when something was counted, and at what work a look found the kernel, if it was one.
    fn note(&self, table: Table, node: &Node, weight: u64, look: Option<Option<Kernel>>) {
        if let Some(place) = table.place_of(node) {
            self.ring.note(table.first_number() + place, weight, look);
        }
    }

    /// Counts another look at what was counted last; false if nothing was.
    pub(super) fn add_again(&self, weight: u64) -> bool {
        self.last().is_some_and(|(table, node)| {
            self.count(table, node, weight, None);
            true
        })
    }

    /// The node that was counted in last, and its table.
    fn last(&self) -> Option<(Table, &'static Node)> {
        // SAFETY: null, or a node of a table, which stays mapped.
        let node = unsafe { self.last.load(Ordering::Acquire).as_ref() }?;
        let table = self.tables().find(|table| table.place_of(node).is_some())?;
        Some((table, node))
    }

    /// Says that another thread comes.
    pub(super) fn leave(&self) {
        self.last.store(core::ptr::null_mut(), Ordering::Release);
    }

    fn newest(&self) -> Option<Table> {
        NonNull::new(self.newest.load(Ordering::Acquire)).map(Table)
    }

    /// All tables.
    pub(super) fn tables(&self) -> impl Iterator<Item = Table> {
        core::iter::successors(self.newest(), |table| table.older())
    }

    /// Sets all weights to zero.
    pub(super) fn reset(&self) {
        for node in self.tables().flat_map(Table::nodes) {
            if node.weight.load(Ordering::Relaxed) != 0 {
                node.weight.store(0, Ordering::Relaxed);
                node.samples.store(0, Ordering::Relaxed);
                node.kernel.iter().for_each(|it| it.store(0, Ordering::Relaxed));
            }
        }
        self.ring.reset();
    }

    fn succeed(&self, full: Option<Table>) -> Option<Table> {
        // In a forked child, whose memory was wiped, the full one has no nodes.
        let full = full.filter(|table| table.capacity() != 0);
        let table = match full {
            None => Table::first(),
            Some(full) => Table::map(full.capacity().saturating_mul(4)),
        }?;
        let older = full.map_or(core::ptr::null_mut(), |table| table.0.as_ptr());
        table.header().older.store(older, Ordering::Relaxed);
        self.newest.store(table.0.as_ptr(), Ordering::Release);
        Some(table)
    }
}

impl Table {
    /// The first of a thread, which is small: it is there whatever the limit is, or nothing could count the thread's
    /// time.
    fn first() -> Option<Self> {
        Self::map_within(FIRST, 0, usize::MAX)
    }

    fn map(capacity: usize) -> Option<Self> {
        let news = if region::has_source() { News::words(capacity as u64) } else { 0 };
        Self::map_within(capacity, news, MOST_BYTES.load(Ordering::Relaxed))
    }

    fn map_within(capacity: usize, news: usize, most: usize) -> Option<Self> {
        let nodes = capacity.checked_mul(size_of::<Node>())?;
        let index = capacity.checked_mul(SLOTS * size_of::<AtomicU32>())?;
        let size = nodes.checked_add(size_of::<Header>() + news * size_of::<AtomicU32>())?;
        let both = size.checked_add(index)?;
        let fits = |bytes: usize| bytes.checked_add(both).filter(|sum| *sum <= most);
        BYTES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok()?;
        let first = NUMBERS.fetch_add(capacity, Ordering::Relaxed);
        let content = Block {
            content: Content::Stacks { first: first as u64 },
            len: size as u64,
            entries_at: size_of::<Header>() as u64,
            entries: capacity as u64,
            entry_len: size_of::<Node>() as u32,
        };
        // A file takes nothing back, so its part comes last.
        let index = Region::map_wiped(index)?;
        let Some(region) = Region::map_for_process(size, &content) else {
            // SAFETY: nobody knows an address in it.
            unsafe { index.unmap() };
            return None;
        };
        let table = Self(region.base().cast());
        let header = table.header();
        header.index.store(index.base().as_ptr().cast(), Ordering::Relaxed);
        header.news.store(news, Ordering::Relaxed);
        header.first.store(first, Ordering::Relaxed);
        header.capacity.store(capacity, Ordering::Relaxed);
        Some(table)
    }

    fn header(self) -> &'static Header {
        // SAFETY: `map` made it of zeroed memory that stays, aligned to 64; zero is a valid header.
        unsafe { self.0.as_ref() }
    }

    fn older(self) -> Option<Self> {
        NonNull::new(self.header().older.load(Ordering::Relaxed)).map(Self)
    }

    fn capacity(self) -> usize {
        self.header().capacity.load(Ordering::Relaxed)
    }

    /// Number of the first node; those behind it have the next ones.
    pub(super) fn first_number(self) -> usize {
        self.header().first.load(Ordering::Relaxed)
    }

    /// The nodes that there are.
    pub(super) fn nodes(self) -> &'static [Node] {
        let used = self.header().used.load(Ordering::Acquire);
        self.places().get(..used).unwrap_or_default()
    }

    /// All places for nodes.
    fn places(self) -> &'static [Node] {
        let first = self.0.as_ptr().wrapping_add(1).cast::<Node>();
        // SAFETY: `map` made room for so many behind the header; zero is a free node.
        unsafe { core::slice::from_raw_parts(first, self.capacity()) }
    }

    /// The places of nodes, by their hashes.
    fn index(self) -> &'static [AtomicU32] {
        let first = NonNull::new(self.header().index.load(Ordering::Relaxed));
        // SAFETY: `map` made so many zeroed places, which stay mapped.
        first.map_or(&[], |first| unsafe {
            core::slice::from_raw_parts(first.as_ptr(), self.capacity() * SLOTS)
        })
    }

    /// The place of a node, if it is one of these.
    fn place_of(self, node: &Node) -> Option<usize> {
        let first = self.places().as_ptr() as usize;
        let bytes = (core::ptr::from_ref(node) as usize).checked_sub(first)?;
        Some(bytes / size_of::<Node>()).filter(|place| *place < self.capacity())
    }

    /// News for readers of a live file: which nodes were counted last, as [`News`] has it; empty where nobody asks.
    fn news(self) -> &'static [AtomicU32] {
        let behind = self.places().as_ptr_range().end.cast();
        // SAFETY: `map` made room for so many words behind the nodes, which are aligned to more.
        unsafe { core::slice::from_raw_parts(behind, self.header().news.load(Ordering::Relaxed)) }
    }

    /// Adds to the weight of a node, and then says so.
    fn weigh(self, node: &Node, weight: u64) {
        node.weight.fetch_add(weight, Ordering::Relaxed);
        let [counted, places @ ..] = self.news() else { return };
        let number = counted.load(Ordering::Relaxed);
        let place = (number as usize).checked_rem(places.len()).and_then(|at| places.get(at));
        if let (Some(place), Some(node)) = (place, self.place_of(node)) {
            place.store(node as u32, Ordering::Relaxed);
            counted.store(number.wrapping_add(1), Ordering::Release);
        }
    }

    /// The node of a stack.
    fn add(self, stack: Stack<'_>) -> Result<&'static Node, Full> {
        // The last places are for what is known when there is no memory for another table.
        let most = self.capacity() / 8 * 7;
        let mut node = None;
        for step in stack.path() {
            node = Some(self.child(node, step, most)?);
        }
        self.get(node.ok_or(Full)?).ok_or(Full)
    }

    /// The node of as much of a stack as is known, or below it the one that says that there was no memory
    /// for more.
    fn add_known(self, stack: Stack<'_>) -> &'static Node {
        let mut node = None;
        for step in stack.path() {
            match self.child(node, step, 0) {
                Ok(child) => node = Some(child),
                Err(Full) => break,
            }
        }
        let limit = Step { pc: Label::MemoryLimit.pc().0 as usize, is_guess: false };
        let limit = self.child(node, limit, self.capacity());
        let place = limit.ok().or(node).unwrap_or(0);
        self.get(place).unwrap_or(&LOST)
    }

    fn get(self, place: usize) -> Option<&'static Node> {
        self.places().get(place)
    }

    /// The place of a child, which is a new one only if the table holds fewer than `most`.
    #[inline(never)]
    fn child(self, parent: Option<usize>, step: Step, most: usize) -> Result<usize, Full> {
        let link = parent.map_or(0, |parent| parent as u32 + 1);
        let link = link | if step.is_guess { StackNode::GUESS } else { 0 };
        let (index, used) = (self.index(), &self.header().used);
        let mask = index.len().wrapping_sub(1);
        let mut at = hash(step.pc, link);
        loop {
            let slot = index.get(at & mask).ok_or(Full)?;
            if let Some(place) = (slot.load(Ordering::Relaxed) as usize).checked_sub(1) {
                let node = self.get(place).ok_or(Full)?;
                let is_it = node.pc.load(Ordering::Relaxed) == step.pc
                    && node.parent.load(Ordering::Relaxed) == link;
                if is_it {
                    return Ok(place);
                }
                at = at.wrapping_add(1);
                continue;
            }
            let place = used.load(Ordering::Relaxed);
            let node = self.get(place).filter(|_| place < most).ok_or(Full)?;
            node.parent.store(link, Ordering::Relaxed);
            node.pc.store(step.pc, Ordering::Release);
            used.store(place + 1, Ordering::Release);
            slot.store(place as u32 + 1, Ordering::Relaxed);
            return Ok(place);
        }
    }
}

/// Counts what no table has room for, which does not happen.
static LOST: Node = Node {
    pc: AtomicUsize::new(0),
    parent: AtomicU32::new(0),
    samples: AtomicU32::new(0),
    #[cfg(target_pointer_width = "32")]
    _zeros: 0,
    weight: AtomicU64::new(0),
    kernel: [const { AtomicU32::new(0) }; 2],
};

impl<'f> Stack<'f> {
    /// Path of the stack in the tree, from its root on.
    fn path(self) -> impl Iterator<Item = Step> + 'f {
        let certain = |pc| Step { pc, is_guess: false };
        let root = [certain(Label::Thread.pc().0 as usize), certain(self.thread)];
        let labels = [self.waits.then_some(Label::Waiting), self.label];
        let labels = labels.into_iter().flatten().map(move |label| certain(label.pc().0 as usize));
        // A frame that has the address of a label would be taken for one.
        let frames = self.frames.iter().rev().filter(|step| step.pc as u64 >= Label::END.0);
        root.into_iter().chain(labels).chain(frames.copied())
    }
}

fn hash(pc: usize, link: u32) -> usize {
    let mixed = (pc as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(link);
    (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize
}

impl Node {
    /// The node as a file has it; `None` if the place is free.
    pub fn described(&self) -> Option<StackNode> {
        let pc = self.pc.load(Ordering::Acquire);
        let link = self.parent.load(Ordering::Relaxed);
        (pc != 0).then(|| StackNode {
            pc: LoadedPc(pc as u64),
            parent: (link & !StackNode::GUESS).checked_sub(1),
            is_guess: link & StackNode::GUESS != 0,
            samples: self.samples.load(Ordering::Relaxed),
            kernel: {
                let [calls, faults] = self.kernel.each_ref().map(|it| it.load(Ordering::Relaxed));
                KernelWeight { calls, faults }
            },
            weight: self.weight.load(Ordering::Relaxed),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::vec::Vec;

    use super::super::ring::tests::alone;
    use super::*;

    fn trees() -> Trees {
        let newest = AtomicPtr::new(core::ptr::null_mut());
        let last = AtomicPtr::new(core::ptr::null_mut());
        Trees { newest, last, ring: Ring::new() }
    }

    fn frames(pcs: &[usize]) -> Vec<Step> {
        pcs.iter().map(|pc| Step { pc: 0x10_0000 + pc, is_guess: pc % 5 == 0 }).collect()
    }

    /// The weights of all stacks, each from its root on.
    fn stacks(trees: &Trees) -> BTreeMap<Vec<u64>, u64> {
        let mut sums = BTreeMap::new();
        for table in trees.tables() {
            let nodes: Vec<_> = table.nodes().iter().map(Node::described).collect();
            for node in nodes.iter().flatten().filter(|node| node.weight != 0) {
                let next = |node: &StackNode| nodes[node.parent? as usize];
                let path = core::iter::successors(Some(*node), next);
                let mut path: Vec<_> = path.map(|node| node.pc.0).collect();
                path.reverse();
                *sums.entry(path).or_insert(0) += node.weight;
            }
        }
        sums
    }

    #[test]
    fn every_stack_has_its_weight_however_many_there_are() {
        let _alone = alone();
        let trees = trees();
        let mut expected = BTreeMap::new();
        for round in 0..3_000 {
            let pcs: Vec<usize> =
                (0..round % 17).map(|depth| (round >> depth) % 7 + depth).collect();
            let steps = frames(&pcs);
            let label = (round % 11 == 0).then_some(Label::NoRules);
            let (thread, waits) = (1 + round % 3, round % 7 == 0);
            let stack = Stack { thread, waits, label, frames: &steps, kernel: None };
            trees.add(stack, round as u64 + 1);
            let labels = [waits.then_some(Label::Waiting), label].into_iter().flatten();
            let root = [16, thread as u64].into_iter().chain(labels.map(|label| label.pc().0));
            let path: Vec<u64> =
                root.chain(steps.iter().rev().map(|step| step.pc as u64)).collect();
            *expected.entry(path).or_insert(0) += round as u64 + 1;
        }
        assert!(trees.tables().count() > 1);
        assert_eq!(stacks(&trees), expected);
        trees.reset();
        assert!(stacks(&trees).is_empty());
    }

    #[test]
    fn at_the_limit_the_deepest_known_node_counts() {
        let _alone = alone();
        let trees = trees();
        let table = Table::map(64).unwrap();
        trees.newest.store(table.0.as_ptr(), Ordering::Relaxed);
        let mut total = 0;
        for pc in 0..200 {
            let steps = frames(&[pc, 1, 2]);
            let stack =
                Stack { thread: 7, waits: false, label: None, frames: &steps, kernel: None };
            match table.add(stack) {
                Ok(node) => trees.count(table, node, 1, None),
                Err(Full) => trees.count(table, table.add_known(stack), 1, None),
            }
            total += 1;
        }
        let stacks = stacks(&trees);
        assert_eq!(stacks.values().sum::<u64>(), total);
        let known = frames(&[1, 2]).into_iter().rev().map(|step| step.pc as u64);
        let limited: Vec<u64> =
            [16, 7].into_iter().chain(known).chain([Label::MemoryLimit.pc().0]).collect();
        assert!(stacks[&limited] > 100, "{stacks:x?}");
        assert!(trees.add_to_last(5));
    }

    /// News name what was counted since the look before, however the table was filled meanwhile.
    #[test]
    fn news_name_the_nodes_that_were_counted() {
        let _alone = alone();
        let trees = trees();
        let table = Table::map_within(4096, News::words(4096), usize::MAX).unwrap();
        trees.newest.store(table.0.as_ptr(), Ordering::Relaxed);
        let [counted, places @ ..] = table.news() else { panic!("no words") };
        assert_eq!((table.places().len(), places.len()), (4096, 255));
        let weights =
            || table.places().iter().map(|node| node.weight.load(Ordering::Relaxed)).collect();
        let mut before: Vec<u64> = weights();
        for round in 0..50_u32 {
            let first = counted.load(Ordering::Relaxed);
            assert_eq!(first, round * 30);
            for pc in 0..30 {
                let steps = frames(&[(pc * round as usize) % 101 * 8, 1, 2]);
                let stack =
                    Stack { thread: 7, waits: false, label: None, frames: &steps, kernel: None };
                match pc {
                    11 => assert!(trees.add_to_last(2)),
                    12 => assert!(trees.add_again(3)),
                    _ => trees.add(stack, 1),
                }
            }
            let named: Vec<usize> = (first..counted.load(Ordering::Relaxed))
                .map(|number| places[number as usize % 255].load(Ordering::Relaxed) as usize)
                .collect();
            let now: Vec<u64> = weights();
            for (index, (now, before)) in now.iter().zip(&before).enumerate() {
                assert_eq!(now != before, named.contains(&index), "round {round}, node {index}");
            }
            before = now;
        }
    }
}

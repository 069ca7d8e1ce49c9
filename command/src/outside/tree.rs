//! The stacks of a process: a tree of frames, each under its callers, in tables as a live file has them.
//!
//! A table that is full gets a successor, in which the stacks that come are made anew: so nodes keep their places, and a file
//! with room for the table can be followed.

use std::collections::{HashMap, VecDeque};

use gmon_format::LoadedPc;
use gmon_format::live::{KernelWeight, Label, Sample, StackNode};
use gmon_unwind::Frame;

/// The trees of all threads of a process.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) tables: Vec<Table>,
    /// Nodes of the last table, by their callers.
    known: HashMap<Key, u32>,
    nodes: usize,
    /// Samples with their times, the oldest first.
    pub(super) moments: VecDeque<Sample>,
}

/// Nodes, up to a number.
#[derive(Debug)]
pub(super) struct Table {
    /// Number of the first node, by which samples name it.
    pub(super) first: u64,
    pub(super) nodes: Vec<StackNode>,
    pub(super) capacity: usize,
    /// True if something has changed since the table was written.
    pub(super) has_changed: bool,
}

/// Identity of a node: its caller, its address, and if that was guessed.
type Key = (Option<u32>, u64, bool);

/// A stack that was sampled.
pub(super) struct Stack<'f> {
    /// Position of the thread.
    pub(super) thread: u64,
    /// Why it is not complete.
    pub(super) label: Option<Label>,
    /// The innermost frame first.
    pub(super) frames: &'f [Frame],
    /// When that was, in microseconds since the process was first looked at.
    pub(super) at_us: u64,
}

/// Nodes of the first table; each later one has twice as many, up to the second number.
const FIRST: usize = 4096;
const LARGEST: usize = 1 << 20;

/// Nodes of all tables together: some 100 MB, with what finds them.
const MOST: usize = 1 << 21;

/// Samples whose times are kept: of a quarter of an hour with one busy thread.
const MOST_MOMENTS: usize = 1 << 20;

impl Tree {
    /// Bytes of all nodes in a file.
    pub(super) fn bytes(&self) -> usize {
        self.nodes * StackNode::LEN
    }

    /// Limit of these bytes.
    pub(super) const LIMIT: usize = MOST * StackNode::LEN;

    /// Counts a stack. Returns why it is not complete, if there was no room for all of it.
    pub(super) fn add(&mut self, stack: &Stack<'_>, weight: u64) -> Option<Label> {
        let certain = |pc| Frame { pc, ..Frame::default() };
        let root = [certain(Label::Thread.pc().0), certain(stack.thread)];
        let label = stack.label.map(|label| certain(label.pc().0));
        let path = || {
            let frames = stack.frames.iter().rev().filter(|frame| frame.pc >= Label::END.0);
            root.into_iter().chain(label).chain(frames.copied())
        };
        let is_full = self.nodes + path().count() > MOST;
        let limit = certain(Label::MemoryLimit.pc().0);
        let path: Vec<Frame> =
            if is_full { vec![root[0], root[1], limit] } else { path().collect() };
        let has_room =
            self.tables.last().is_some_and(|it| it.nodes.len() + path.len() <= it.capacity);
        if !has_room {
            let capacity = (FIRST << self.tables.len().min(20)).min(LARGEST);
            let capacity = capacity.max(path.len());
            let first = self.tables.last().map_or(0, |table| table.first + table.capacity as u64);
            self.tables.push(Table { first, nodes: Vec::new(), capacity, has_changed: true });
            self.known.clear();
        }
        let Self { tables, known, moments, .. } = self;
        let table = tables.last_mut()?;
        let mut parent = None;
        for frame in path {
            let next = table.nodes.len() as u32;
            let place = *known.entry((parent, frame.pc, frame.is_guess)).or_insert(next);
            if place == next {
                let pc = LoadedPc(frame.pc);
                let is_guess = frame.is_guess;
                table.nodes.push(StackNode {
                    pc,
                    parent,
                    is_guess,
                    samples: 0,
                    weight: 0,
                    kernel: KernelWeight::default(),
                });
                self.nodes += 1;
            }
            parent = Some(place);
        }
        let place = parent?;
        let node = table.nodes.get_mut(place as usize)?;
        node.samples = node.samples.saturating_add(1);
        node.weight = node.weight.saturating_add(weight);
        table.has_changed = true;
        if moments.len() == MOST_MOMENTS {
            moments.pop_front();
        }
        let node = u32::try_from(table.first + u64::from(place)).ok()?;
        let weight = u32::try_from(weight).unwrap_or(u32::MAX);
        moments.push_back(Sample { at_us: stack.at_us, node, weight, is_look: true, kernel: None });
        is_full.then_some(Label::MemoryLimit)
    }
}

//! The stacks of all threads as one tree, in preorder: the page draws it without building anything first.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use gmon_analyzer::Model;
use gmon_analyzer::diff::StackPair;
use gmon_analyzer::model::Kind;
use serde::Serialize;

/// More nodes than these make a page slow to open.
const MOST_NODES: usize = 300_000;
/// Then branches with less than one part in so many become one with their neighbours.
const SMALLEST_PART: u64 = 100_000;
/// Stand-in for such branches.
const OTHERS: i64 = -1;

/// A tree of function calls.
#[derive(Debug, Serialize)]
pub(crate) struct Tree {
    /// The functions: `f` was called, `-2 - f` was inlined, -1 are others.
    function: Vec<i64>,
    /// Number of levels that each node lies above the one below that before it: 0 for a callee of
    /// that.
    up: Vec<u32>,
    /// Samples of each node itself.
    #[serde(rename = "self")]
    own: Vec<u64>,
    /// The samples by thread, if there are several.
    threads: Option<ByThread>,
}

/// Samples of the nodes by thread.
#[derive(Debug, Default, Serialize)]
struct ByThread {
    /// The node, as the distance from that of the entry before.
    node: Vec<u32>,
    thread: Vec<u32>,
    samples: Vec<u64>,
}

/// A function called from one path, in all threads.
#[derive(Debug, Default)]
struct Node {
    function: i64,
    below: Vec<u32>,
    total: u64,
    own: Vec<(u32, u64)>,
}

impl Tree {
    /// The tree of a profile with stacks; and whether it is without its smallest branches.
    pub(super) fn new(model: &Model) -> Option<(Self, bool)> {
        Some(finished(merged(model)?, model.threads.len() > 1))
    }

    /// The tree of the stacks of two sides, and whether its smallest branches were left out. Each side's samples are
    /// kept apart, as each thread's are in the tree of one profile.
    pub(crate) fn of_sides(stacks: &[StackPair]) -> (Self, bool) {
        let mut tree = Merging::new(stacks.len());
        for stack in stacks {
            let place = stack.frames.iter().fold(0, |place, it| tree.below(place, (*it).into()));
            let samples = (0..).zip(stack.samples).filter(|(_, samples)| *samples > 0);
            tree.nodes[place as usize].own.extend(samples);
        }
        finished(tree.nodes, true)
    }
}

/// A tree in which each path of functions becomes one node.
struct Merging {
    nodes: Vec<Node>,
    known: HashMap<(u32, i64), u32>,
}

impl Merging {
    fn new(size: usize) -> Self {
        Self { nodes: vec![Node::default()], known: HashMap::with_capacity(size) }
    }

    /// The node of a function below another.
    fn below(&mut self, parent: u32, function: i64) -> u32 {
        match self.known.entry((parent, function)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let place = self.nodes.len() as u32;
                self.nodes.push(Node { function, ..Node::default() });
                self.nodes[parent as usize].below.push(place);
                *new.insert(place)
            }
        }
    }
}

/// The tree of nodes of which each lies behind its parent.
fn finished(mut nodes: Vec<Node>, by_thread: bool) -> (Tree, bool) {
    for index in (0..nodes.len()).rev() {
        let below: u64 = nodes[index].below.iter().map(|it| nodes[*it as usize].total).sum();
        nodes[index].total =
            below + nodes[index].own.iter().map(|(_, samples)| samples).sum::<u64>();
    }
    let is_cut = nodes.len() > MOST_NODES;
    if is_cut {
        cut(&mut nodes);
    }
    (in_preorder(&nodes, by_thread), is_cut)
}

/// Nodes of all threads, the first of which is the root. Lines of one function are one here.
fn merged(model: &Model) -> Option<Vec<Node>> {
    let stacks = model.stacks.nodes();
    if stacks.is_empty() {
        return None;
    }
    let mut tree = Merging::new(stacks.len());
    let mut places: Vec<u32> = Vec::with_capacity(stacks.len());
    for node in stacks {
        let parent = node.parent.map_or(0, |parent| places[parent as usize]);
        let frame = &model.frames[node.frame.index()];
        // The profiler's own work is none of the program's.
        if model.functions[frame.function.index()].kind == Kind::Hooks {
            places.push(parent);
            continue;
        }
        let function = i64::from(frame.function.0);
        let function = if frame.inlined { -2 - function } else { function };
        let place = tree.below(parent, function);
        // The stacks of a thread lie together.
        let own = &mut tree.nodes[place as usize].own;
        match own.last_mut().filter(|(thread, _)| *thread == node.thread.0) {
            Some((_, samples)) => *samples += node.own.weight,
            None => own.push((node.thread.0, node.own.weight)),
        }
        places.push(place);
    }
    Some(tree.nodes)
}

/// Puts the small branches below each node together.
fn cut(nodes: &mut Vec<Node>) {
    let least = nodes[0].total / SMALLEST_PART;
    for index in 0..nodes.len() {
        let below = std::mem::take(&mut nodes[index].below);
        let is_large = |it: &u32| nodes[*it as usize].total > least;
        let (mut kept, small): (Vec<u32>, Vec<u32>) = below.into_iter().partition(is_large);
        if !small.is_empty() {
            let mut sums: HashMap<u32, u64> = HashMap::new();
            let mut ahead = small;
            while let Some(node) = ahead.pop() {
                let node = &mut nodes[node as usize];
                node.own.iter().for_each(|(thread, n)| *sums.entry(*thread).or_default() += n);
                ahead.append(&mut node.below);
            }
            let mut own: Vec<(u32, u64)> = sums.into_iter().collect();
            own.sort_unstable();
            let total = own.iter().map(|(_, samples)| samples).sum();
            kept.push(nodes.len() as u32);
            nodes.push(Node { function: OTHERS, below: Vec::new(), total, own });
        }
        nodes[index].below = kept;
    }
}

fn in_preorder(nodes: &[Node], by_thread: bool) -> Tree {
    let mut tree = Tree { function: Vec::new(), up: Vec::new(), own: Vec::new(), threads: None };
    let mut threads = ByThread::default();
    let (mut depth_before, mut counted) = (0, 0);
    let mut ahead: Vec<(u32, u32)> = nodes[0].below.iter().rev().map(|it| (*it, 1)).collect();
    while let Some((node, depth)) = ahead.pop() {
        let node = &nodes[node as usize];
        if node.total == 0 {
            continue;
        }
        let position = tree.function.len() as u32;
        tree.function.push(node.function);
        tree.up.push(depth_before + 1 - depth);
        depth_before = depth;
        tree.own.push(node.own.iter().map(|(_, samples)| samples).sum());
        for &(thread, samples) in node.own.iter().filter(|(_, samples)| *samples > 0) {
            threads.node.push(position - counted);
            threads.thread.push(thread);
            threads.samples.push(samples);
            counted = position;
        }
        ahead.extend(node.below.iter().rev().map(|it| (*it, depth + 1)));
    }
    tree.threads = by_thread.then_some(threads);
    tree
}

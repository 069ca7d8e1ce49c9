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
#[derive(Debug, Default, Serialize)]
pub(crate) struct Tree {
    /// The functions: `f` was called, `-2 - f` was inlined, -1 are others.
    function: Vec<i64>,
    /// Number of levels that each node lies above the one below that before it: 0 for a callee of
    /// that.
    up: Vec<u32>,
    /// Samples of each node itself.
    #[serde(rename = "self")]
    own: Vec<u64>,
    /// The part of them in which the kernel worked; nothing if that is little, or not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernel: Vec<u64>,
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
    kernel: u64,
    /// The node that stands for it, if its branch was too small to be kept.
    inside: Option<u32>,
}

/// The tree of a profile.
pub(super) struct Whole {
    pub(super) tree: Tree,
    /// True if it is without its smallest branches.
    pub(super) is_cut: bool,
    /// The positions in it of the profile's stacks; `None` for the profiler's own work.
    pub(super) places: Vec<Option<u32>>,
}

impl Tree {
    /// The tree of a profile with stacks.
    pub(super) fn of_profile(model: &Model) -> Option<Whole> {
        let (mut nodes, places) = merged(model)?;
        let is_cut = total(&mut nodes);
        let (mut tree, positions) = in_preorder(&nodes, model.threads.len() > 1);
        if !model.has_much_of_the_kernel() {
            tree.kernel.clear();
        }
        let position = |place: u32| {
            let place = nodes[place as usize].inside.unwrap_or(place);
            positions[place as usize]
        };
        let places = places.into_iter().map(|place| place.and_then(position)).collect();
        Some(Whole { tree, is_cut, places })
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
        let is_cut = total(&mut tree.nodes);
        let tree = in_preorder(&tree.nodes, true).0;
        (Self { kernel: Vec::new(), ..tree }, is_cut)
    }
}

/// A tree in which each path of functions becomes one node, and what a function calls of itself, directly or by way of
/// others, is a part of it, as in `gmon report --tree`.
struct Merging {
    nodes: Vec<Node>,
    /// The parent of each node; the root is its own.
    parents: Vec<u32>,
    known: HashMap<(u32, i64), u32>,
}

impl Merging {
    fn new(size: usize) -> Self {
        let (nodes, known) = (vec![Node::default()], HashMap::with_capacity(size));
        Self { nodes, parents: vec![0], known }
    }

    /// The node of a function below another.
    fn below(&mut self, parent: u32, function: i64) -> u32 {
        // Inlined or not, it is the same function.
        let id = |function: i64| if function < OTHERS { -2 - function } else { function };
        let up = |place: &u32| Some(self.parents[*place as usize]);
        let mut above = std::iter::successors(Some(parent), up).take_while(|place| *place != 0);
        if let Some(itself) =
            above.find(|place| id(self.nodes[*place as usize].function) == id(function))
        {
            return itself;
        }
        match self.known.entry((parent, function)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let place = self.nodes.len() as u32;
                self.nodes.push(Node { function, ..Node::default() });
                self.parents.push(parent);
                self.nodes[parent as usize].below.push(place);
                *new.insert(place)
            }
        }
    }
}

/// Adds up nodes of which each lies behind its parent. Tells if the smallest branches had to be put together.
fn total(nodes: &mut Vec<Node>) -> bool {
    for index in (0..nodes.len()).rev() {
        let below: u64 = nodes[index].below.iter().map(|it| nodes[*it as usize].total).sum();
        nodes[index].total =
            below + nodes[index].own.iter().map(|(_, samples)| samples).sum::<u64>();
    }
    let is_cut = nodes.len() > MOST_NODES;
    if is_cut {
        cut(nodes);
    }
    is_cut
}

/// Nodes of all threads, the first of which is the root, and which of them each stack of the model is; the profiler's
/// own work is none. Lines of one function are one here.
fn merged(model: &Model) -> Option<(Vec<Node>, Vec<Option<u32>>)> {
    let stacks = model.stacks.nodes();
    if stacks.is_empty() {
        return None;
    }
    let mut tree = Merging::new(stacks.len());
    let mut places: Vec<u32> = Vec::with_capacity(stacks.len());
    let mut of_program = Vec::with_capacity(stacks.len());
    for node in stacks {
        let parent = node.parent.map_or(0, |parent| places[parent as usize]);
        let frame = &model.frames[node.frame.index()];
        // The profiler's own work is none of the program's.
        if model.functions[frame.function.index()].kind == Kind::Hooks {
            places.push(parent);
            of_program.push(None);
            continue;
        }
        let function = i64::from(frame.function.0);
        let function = if frame.inlined { -2 - function } else { function };
        let place = tree.below(parent, function);
        tree.nodes[place as usize].kernel += node.own.kernels();
        // The stacks of a thread lie together.
        let own = &mut tree.nodes[place as usize].own;
        match own.last_mut().filter(|(thread, _)| *thread == node.thread.0) {
            Some((_, samples)) => *samples += node.own.weight,
            None => own.push((node.thread.0, node.own.weight)),
        }
        places.push(place);
        of_program.push(Some(place));
    }
    Some((tree.nodes, of_program))
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
            let others = nodes.len() as u32;
            let mut kernel = 0;
            let mut ahead = small;
            while let Some(node) = ahead.pop() {
                let node = &mut nodes[node as usize];
                node.inside = Some(others);
                kernel += node.kernel;
                node.own.iter().for_each(|(thread, n)| *sums.entry(*thread).or_default() += n);
                ahead.append(&mut node.below);
            }
            let mut own: Vec<(u32, u64)> = sums.into_iter().collect();
            own.sort_unstable();
            let total = own.iter().map(|(_, samples)| samples).sum();
            kept.push(others);
            nodes.push(Node { function: OTHERS, total, own, kernel, ..Node::default() });
        }
        nodes[index].below = kept;
    }
}

/// The tree, and the position in it of each node that is there.
fn in_preorder(nodes: &[Node], by_thread: bool) -> (Tree, Vec<Option<u32>>) {
    let mut positions = vec![None; nodes.len()];
    let mut tree = Tree::default();
    let mut threads = ByThread::default();
    let (mut depth_before, mut counted) = (0, 0);
    let mut ahead: Vec<(u32, u32)> = nodes[0].below.iter().rev().map(|it| (*it, 1)).collect();
    while let Some((place, depth)) = ahead.pop() {
        let node = &nodes[place as usize];
        if node.total == 0 {
            continue;
        }
        let position = tree.function.len() as u32;
        positions[place as usize] = Some(position);
        tree.function.push(node.function);
        tree.up.push(depth_before + 1 - depth);
        depth_before = depth;
        tree.own.push(node.own.iter().map(|(_, samples)| samples).sum());
        tree.kernel.push(node.kernel);
        for &(thread, samples) in node.own.iter().filter(|(_, samples)| *samples > 0) {
            threads.node.push(position - counted);
            threads.thread.push(thread);
            threads.samples.push(samples);
            counted = position;
        }
        ahead.extend(node.below.iter().rev().map(|it| (*it, depth + 1)));
    }
    tree.threads = by_thread.then_some(threads);
    (tree, positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recursion_is_one_frame_also_where_it_was_inlined() {
        let mut tree = Merging::new(8);
        let path = |tree: &mut Merging, functions: &[i64]| {
            functions.iter().fold(0, |place, function| tree.below(place, *function))
        };
        let (main, work, other) = (0, 1, 2);
        let outer = path(&mut tree, &[main, work]);
        assert_eq!(path(&mut tree, &[main, work, work]), outer);
        assert_eq!(path(&mut tree, &[main, work, other, work]), outer);
        assert_eq!(path(&mut tree, &[main, work, other, -2 - work]), outer);
        let below = path(&mut tree, &[main, work, other]);
        assert_eq!(path(&mut tree, &[main, work, work, other, work, other]), below);
        assert_ne!(path(&mut tree, &[main, other]), below);
        assert_eq!(path(&mut tree, &[main, work, OTHERS, OTHERS]), below + 2);
    }
}

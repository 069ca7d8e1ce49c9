//! Call stacks as a tree, which is smaller than a list of them. JSON has the list.

use std::collections::HashMap;

use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::positions::positions;
use crate::records::{Looks, ThreadId};

positions! {
    /// A position in the list of frames.
    #[derive(Serialize, Deserialize)]
    FrameId(pub u32),
}

/// A frame with what called it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The position of what called it, which is a smaller one; `None` where a thread starts.
    pub parent: Option<u32>,
    /// The thread.
    pub thread: ThreadId,
    /// The frame.
    pub frame: FrameId,
    /// Samples that ended here.
    pub own: Looks,
}

/// All stacks. Each node is followed by all below it; threads, and what one node called, are in the order of
/// their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    nodes: Vec<Node>,
}

/// A stack.
#[derive(Debug, Serialize)]
pub struct Stack<'a> {
    /// The thread.
    pub thread: ThreadId,
    /// Its frames, the outermost first.
    pub frames: &'a [FrameId],
    /// Samples.
    pub samples: u64,
    /// Signals that took them.
    pub signals: u64,
    /// The samples that found the thread waiting.
    #[serde(skip_serializing_if = "is_zero")]
    pub waiting: u64,
    /// The samples that found the kernel at work for a system call.
    #[serde(skip_serializing_if = "is_zero")]
    pub system: u64,
    /// The samples that found it at work for a page that was not there.
    #[serde(skip_serializing_if = "is_zero")]
    pub faults: u64,
}

impl Stacks {
    /// Puts nodes in order. Those of equal frames below one parent become one; those without samples, in
    /// themselves and below, vanish.
    ///
    /// # Panics
    /// If a parent does not come before what it called.
    #[must_use]
    pub fn new(list: Vec<Node>) -> Self {
        Self::placed(list).0
    }

    /// Puts nodes in order as [`new`](Self::new) does, and tells where each of them is then; those that vanish are nowhere.
    pub(crate) fn placed(mut list: Vec<Node>) -> (Self, Vec<u32>) {
        let mut known: HashMap<(Option<u32>, ThreadId, FrameId), u32> =
            HashMap::with_capacity(list.len());
        let mut places: Vec<u32> = Vec::with_capacity(list.len());
        let mut kept = 0;
        for index in 0..list.len() {
            let node =
                Node { parent: list[index].parent.map(|it| places[it as usize]), ..list[index] };
            let place = *known.entry((node.parent, node.thread, node.frame)).or_insert_with(|| {
                list[kept] = Node { own: Looks::default(), ..node };
                kept += 1;
                kept as u32 - 1
            });
            list[place as usize].own += node.own;
            places.push(place);
        }
        list.truncate(kept);
        let (nodes, order) = in_order(&list);
        places.iter_mut().for_each(|place| *place = order[*place as usize]);
        (Self { nodes }, places)
    }

    /// The nodes.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The stacks with other numbers for their frames and threads. Stacks that become equal add up.
    #[must_use]
    pub fn renumbered(
        &self,
        frame: impl Fn(FrameId) -> FrameId,
        thread: impl Fn(ThreadId) -> ThreadId,
    ) -> Self {
        let renumbered =
            |node: &Node| Node { frame: frame(node.frame), thread: thread(node.thread), ..*node };
        Self::new(self.nodes.iter().map(renumbered).collect())
    }

    /// Stacks of some threads.
    #[must_use]
    pub fn of_threads(&self, is_wanted: impl Fn(ThreadId) -> bool) -> Self {
        // The nodes of a thread lie together.
        let mut left_out = 0;
        let mut nodes = Vec::new();
        for node in &self.nodes {
            if is_wanted(node.thread) {
                let parent = node.parent.map(|parent| parent - left_out);
                nodes.push(Node { parent, ..*node });
            } else {
                left_out += 1;
            }
        }
        Self { nodes }
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Shows all stacks that have samples, in the order of the nodes.
    ///
    /// # Errors
    /// The first of the visitor.
    pub fn each<E>(&self, mut visit: impl FnMut(&Stack<'_>) -> Result<(), E>) -> Result<(), E> {
        let (mut path, mut frames): (Vec<u32>, Vec<FrameId>) = (Vec::new(), Vec::new());
        for (position, node) in (0..).zip(&self.nodes) {
            while path.last().copied() != node.parent {
                path.pop();
                frames.pop();
            }
            path.push(position);
            frames.push(node.frame);
            if node.own != Looks::default() {
                let Looks { samples: signals, weight: samples, waiting, system, faults } = node.own;
                let thread = node.thread;
                let frames = &frames;
                visit(&Stack { thread, frames, samples, signals, waiting, system, faults })?;
            }
        }
        Ok(())
    }
}

/// The place of a node that has no samples and leads to none.
const NOWHERE: u32 = u32::MAX;

/// The nodes that have samples or lead to some, each followed by all below it, and where each of the list is then.
fn in_order(list: &[Node]) -> (Vec<Node>, Vec<u32>) {
    let mut leads = vec![false; list.len()];
    for (index, node) in list.iter().enumerate().rev() {
        leads[index] |= node.own != Looks::default();
        if let Some(parent) = node.parent.filter(|_| leads[index]) {
            leads[parent as usize] = true;
        }
    }
    // Sorted by parent, the children of one lie together, the last of them first.
    let mut order: Vec<u32> = (0..list.len() as u32).filter(|it| leads[*it as usize]).collect();
    let key = |position: &u32| {
        let node = &list[*position as usize];
        (node.parent.map_or(0, |parent| parent + 1), std::cmp::Reverse((node.thread, node.frame)))
    };
    order.sort_unstable_by_key(key);
    let first_below = |parent: u32| order.partition_point(|it| key(it).0 < parent);
    let below = |parent: u32| &order[first_below(parent)..first_below(parent + 1)];
    let mut places = vec![NOWHERE; list.len()];
    let mut nodes: Vec<Node> = Vec::with_capacity(order.len());
    let mut ahead: Vec<u32> = below(0).to_vec();
    while let Some(position) = ahead.pop() {
        let node = &list[position as usize];
        places[position as usize] = nodes.len() as u32;
        nodes.push(Node { parent: node.parent.map(|parent| places[parent as usize]), ..*node });
        ahead.extend(below(position + 1));
    }
    (nodes, places)
}

impl Serialize for Stacks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.each(|stack| list.serialize_element(stack))?;
        list.end()
    }
}

impl<'de> Deserialize<'de> for Stacks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Listed {
            thread: ThreadId,
            frames: Vec<FrameId>,
            samples: u64,
            signals: u64,
            #[serde(default)]
            waiting: u64,
            #[serde(default)]
            system: u64,
            #[serde(default)]
            faults: u64,
        }
        let list = Vec::<Listed>::deserialize(deserializer)?;
        let mut nodes: Vec<Node> = Vec::new();
        // Neighbours begin alike; what is there twice becomes one later.
        let mut path: Vec<u32> = Vec::new();
        for Listed { thread, frames, samples, signals, waiting, system, faults } in list {
            let same = path.iter().zip(&frames).take_while(|(position, frame)| {
                let node = &nodes[**position as usize];
                (node.thread, node.frame) == (thread, **frame)
            });
            let same = same.count();
            path.truncate(same);
            for &frame in &frames[same..] {
                let parent = path.last().copied();
                path.push(nodes.len() as u32);
                nodes.push(Node { parent, thread, frame, own: Looks::default() });
            }
            if let Some(&leaf) = path.last() {
                nodes[leaf as usize].own +=
                    Looks { samples: signals, weight: samples, waiting, system, faults };
            }
        }
        Ok(Self::new(nodes))
    }
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

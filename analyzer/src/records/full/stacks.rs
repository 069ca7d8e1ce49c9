//! Reads the stacks of a full profile.

use std::collections::HashMap;

use gmon_format::live::{Label, Stacks};

use super::layout::Layout;
use super::looks::Looks;
use super::parts::{Frame, Incomplete, Thread, ThreadId};
use super::timeline::Numbers;
use super::total::{FullRecords, NodeKey};

impl FullRecords {
    /// Adds the nodes of a block, whatever a damaged one says of their parents, and says which has which number, if samples
    /// name them.
    pub(super) fn add_stacks(
        &mut self,
        stacks: Stacks<'_>,
        layout: &Layout<'_>,
        process: u64,
        threads: &mut HashMap<u64, ThreadId>,
        mut numbers: Option<&mut Numbers>,
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
                let mut own = Looks {
                    samples: node.samples.into(),
                    weight: node.weight,
                    waiting: 0,
                    system: node.kernel.calls.into(),
                    faults: node.kernel.faults.into(),
                };
                let mut number = |node| {
                    if let Some(numbers) = &mut numbers {
                        numbers.insert(stacks.first().wrapping_add(position.into()), node);
                    }
                };
                let mut thread = |position| {
                    *threads.entry(position).or_insert_with(|| {
                        self.threads.push(Thread { process, ..Thread::default() });
                        ThreadId(self.threads.len() as u32 - 1)
                    })
                };
                let (parent, thread, waits) = match above.unwrap_or(Above::Nothing) {
                    Above::Nothing if node.pc == Label::Thread.pc() => {
                        done.insert(position, Above::Threads);
                        continue;
                    }
                    Above::Threads => {
                        let thread = thread(node.pc.0);
                        done.insert(position, Above::Thread(thread));
                        self.add_nowhere(thread, false, own).into_iter().for_each(number);
                        continue;
                    }
                    Above::Thread(thread) if node.pc == Label::Waiting.pc() => {
                        done.insert(position, Above::Waits(thread));
                        own.waiting = own.weight;
                        self.add_nowhere(thread, true, own).into_iter().for_each(number);
                        continue;
                    }
                    Above::Nothing => (None, thread(u64::MAX), false),
                    Above::Thread(thread) => (None, thread, false),
                    Above::Waits(thread) => (None, thread, true),
                    Above::Node(parent) => {
                        let above = &self.nodes[parent as usize];
                        (Some(parent), above.thread, above.waits)
                    }
                };
                let frame = if node.pc < Label::END {
                    Frame::Incomplete(Incomplete { label: Label::of(node.pc) })
                } else {
                    Frame::Code(layout.place(node.pc))
                };
                own.waiting = if waits { own.weight } else { 0 };
                let is_guess = node.is_guess;
                let key = NodeKey { parent, thread, waits, frame, is_guess };
                let node = self.add_node(key, own);
                number(node);
                done.insert(position, Above::Node(node));
            }
        }
    }

    /// Adds samples without a stack, if there are any; then they have a node.
    fn add_nowhere(&mut self, thread: ThreadId, waits: bool, own: Looks) -> Option<u32> {
        (own != Looks::default()).then(|| {
            let frame = Frame::Incomplete(Incomplete { label: None });
            self.add_node(NodeKey { parent: None, thread, waits, frame, is_guess: false }, own)
        })
    }
}

/// Parent of a node of a block.
#[derive(Clone, Copy, Debug)]
enum Above {
    Nothing,
    /// The mark below which there is a node for each thread.
    Threads,
    Thread(ThreadId),
    /// The mark below which there is what a thread did when it waited.
    Waits(ThreadId),
    Node(u32),
}

//! Reads the stacks of a full profile.

use std::collections::HashMap;

use gmon_format::LoadedPc;
use gmon_format::live::{Label, Stacks};

use super::layout::Layout;
use super::looks::Looks;
use super::parts::{Frame, Incomplete, Thread, ThreadId};
use super::total::FullRecords;

impl FullRecords {
    /// Adds the nodes of a block, whatever a damaged one says of their parents.
    pub(super) fn add_stacks(
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

//! The stacks of all threads as one tree, from the starts of the threads inwards.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::sums::Sampled;
use crate::profile::FunctionId;
use crate::records::Looks;

/// A function with what called it, in all threads together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The function. What it calls of itself, directly or by way of others, is here too.
    pub function: FunctionId,
    /// Samples in the function itself, called from here.
    pub own: Looks,
    /// Samples in it and in all that it called from here.
    pub total: Looks,
    /// Callees, the most time first: positions in the list of branches.
    pub callees: Vec<u32>,
}

/// All stacks as one tree.
#[derive(Clone, Debug, Default)]
pub struct TopDown {
    branches: Vec<Branch>,
    starts: Vec<u32>,
}

impl TopDown {
    /// Puts equal stacks of all threads together.
    pub(crate) fn of(sampled: &Sampled<'_>) -> Self {
        let mut tree = Self::default();
        let mut parents: Vec<Option<u32>> = Vec::new();
        let mut known: HashMap<(Option<u32>, FunctionId), u32> = HashMap::new();
        let mut places: Vec<Option<u32>> = Vec::with_capacity(sampled.stacks.nodes().len());
        for node in sampled.stacks.nodes() {
            let function = sampled.functions[node.frame.index()];
            // Nothing is called by the profiler's own work.
            if sampled.is_hook[function.index()] {
                places.push(node.parent.and_then(|parent| places[parent as usize]));
                continue;
            }
            let parent = node.parent.and_then(|parent| places[parent as usize]);
            let up = |place: &u32| parents[*place as usize];
            let itself = std::iter::successors(parent, up)
                .find(|place| tree.branches[*place as usize].function == function);
            let place = itself.unwrap_or_else(|| {
                *known.entry((parent, function)).or_insert_with(|| {
                    let (own, total) = Default::default();
                    tree.branches.push(Branch { function, own, total, callees: Vec::new() });
                    parents.push(parent);
                    tree.branches.len() as u32 - 1
                })
            });
            tree.branches[place as usize].own += node.own;
            places.push(Some(place));
        }
        // What is called comes behind its caller.
        for index in (0..tree.branches.len()).rev() {
            let branch = &mut tree.branches[index];
            branch.total += branch.own;
            let total = branch.total;
            match parents[index] {
                Some(parent) => {
                    let caller = &mut tree.branches[parent as usize];
                    caller.total += total;
                    caller.callees.push(index as u32);
                }
                None => tree.starts.push(index as u32),
            }
        }
        let order: Vec<_> =
            tree.branches.iter().map(|it| (Reverse(it.total.weight), it.function)).collect();
        let sort = |list: &mut Vec<u32>| list.sort_unstable_by_key(|place| order[*place as usize]);
        tree.branches.iter_mut().for_each(|branch| sort(&mut branch.callees));
        sort(&mut tree.starts);
        tree
    }

    /// A branch.
    ///
    /// # Panics
    /// If there is none at this position.
    #[must_use]
    pub fn branch(&self, position: u32) -> &Branch {
        &self.branches[position as usize]
    }

    /// Outermost functions of threads, the most time first.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{FrameId, Node, Stacks};
    use super::*;
    use crate::records::ThreadId;

    #[test]
    fn threads_become_one_tree_and_recursion_one_branch() {
        let [main, work, other] = [0, 1, 2].map(FunctionId);
        let mut nodes = Vec::new();
        let mut push = |function: FunctionId, parent, thread, weight| {
            let own = Looks { samples: weight, weight, ..Looks::default() };
            let frame = FrameId(function.0);
            nodes.push(Node { parent, thread: ThreadId(thread), frame, own });
            nodes.len() as u32 - 1
        };
        for thread in [0, 1] {
            let start = push(main, None, thread, 1);
            let outer = push(work, Some(start), thread, 2);
            let inner = push(work, Some(outer), thread, 3);
            let last = push(other, Some(inner), thread, 4);
            push(work, Some(last), thread, 5);
        }
        push(other, Some(0), 0, 100);
        let tree = TopDown::of(&Sampled {
            stacks: &Stacks::new(nodes),
            functions: &[main, work, other],
            is_incomplete: &[false; 3],
            is_hook: &[false; 3],
            threads: 2,
            calls: &HashMap::new(),
        });
        let [start] = tree.starts() else { panic!("{tree:?}") };
        let start = tree.branch(*start);
        assert_eq!((start.function, start.own.weight, start.total.weight), (main, 2, 130));
        let callees: Vec<_> = start.callees.iter().map(|place| tree.branch(*place)).collect();
        let shown = |it: &&Branch| (it.function, it.own.weight, it.total.weight);
        let shown: Vec<_> = callees.iter().map(shown).collect();
        assert_eq!(shown, [(other, 100, 100), (work, 20, 28)]);
        assert_eq!(tree.branch(callees[1].callees[0]).total.weight, 8);
    }
}

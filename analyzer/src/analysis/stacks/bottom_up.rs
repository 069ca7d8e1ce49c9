//! The stacks of all threads from where the time went outwards: a function, who called it, and who called these.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::sums::Sampled;
use crate::profile::FunctionId;
use crate::records::Looks;

/// A function with what it called on the way to the code that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallerBranch {
    /// The function. Callers that are on the way already, by recursion, are left out.
    pub function: FunctionId,
    /// Samples of the code at the root of this branch that were reached by this way.
    pub looks: Looks,
    /// Callers, the most time first: positions in the list of branches.
    pub callers: Vec<u32>,
    /// Callers that were left out, as each of them has too little time, and the samples of all these.
    pub rest: (u64, Looks),
}

/// Functions by their own time, each with all ways to it.
#[derive(Clone, Debug, Default)]
pub struct BottomUp {
    branches: Vec<CallerBranch>,
    roots: Vec<u32>,
}

/// Samples of one root, and the nodes that lie so far out on their stacks.
struct Group {
    /// Position of the branch that lists these callers; `None` for roots.
    below: Option<u32>,
    members: Vec<(u32, Looks)>,
    /// Functions on the way.
    way: Vec<FunctionId>,
}

impl BottomUp {
    /// Follows all callers whose part has at least so much weight.
    pub(crate) fn of(sampled: &Sampled<'_>, least: u64) -> Self {
        let nodes = sampled.stacks.nodes();
        let function = |node: u32| sampled.functions[nodes[node as usize].frame.index()];
        let mut tree = Self::default();
        let own = (0..).zip(nodes).filter(|(_, node)| node.own.weight > 0);
        let own = own.filter(|(node, _)| !sampled.is_hook[function(*node).index()]);
        let members = own.map(|(node, it)| (node, it.own)).collect();
        let mut groups = vec![Group { below: None, members, way: Vec::new() }];
        while let Some(Group { below, members, way }) = groups.pop() {
            let mut by_function: HashMap<FunctionId, (Looks, Vec<(u32, Looks)>)> = HashMap::new();
            for (node, looks) in members {
                let known = by_function.entry(function(node)).or_default();
                known.0 += looks;
                known.1.push((node, looks));
            }
            let mut found: Vec<_> = by_function.into_iter().collect();
            found.sort_unstable_by_key(|(function, (looks, _))| (Reverse(looks.weight), *function));
            for (id, (looks, members)) in found {
                if looks.weight < least {
                    if let Some(below) = below {
                        let rest = &mut tree.branches[below as usize].rest;
                        rest.0 += 1;
                        rest.1 += looks;
                    }
                    continue;
                }
                let position = tree.branches.len() as u32;
                let (callers, rest) = Default::default();
                tree.branches.push(CallerBranch { function: id, looks, callers, rest });
                match below {
                    Some(below) => tree.branches[below as usize].callers.push(position),
                    None => tree.roots.push(position),
                }
                let way = [&way[..], &[id]].concat();
                let parent = |node: &u32| nodes[*node as usize].parent;
                let caller = |node: u32| {
                    std::iter::successors(parent(&node), parent)
                        .find(|it| !way.contains(&function(*it)))
                };
                let members: Vec<_> = members
                    .into_iter()
                    .filter_map(|(node, looks)| Some((caller(node)?, looks)))
                    .collect();
                groups.push(Group { below: Some(position), members, way });
            }
        }
        tree
    }

    /// A branch.
    ///
    /// # Panics
    /// If there is none at this position.
    #[must_use]
    pub fn branch(&self, position: u32) -> &CallerBranch {
        &self.branches[position as usize]
    }

    /// Functions by their own time, the most first.
    #[must_use]
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{FrameId, Node, Stacks};
    use super::*;
    use crate::records::ThreadId;

    #[test]
    fn callers_follow_the_code_that_ran_and_recursion_is_folded() {
        let [main, sort, compare, log] = [0, 1, 2, 3].map(FunctionId);
        let mut nodes = Vec::new();
        let mut push = |function: FunctionId, parent, weight| {
            let own = Looks { samples: weight, weight, ..Looks::default() };
            let frame = FrameId(function.0);
            nodes.push(Node { parent, thread: ThreadId(0), frame, own });
            nodes.len() as u32 - 1
        };
        let start = push(main, None, 1);
        let outer = push(sort, Some(start), 2);
        let inner = push(sort, Some(outer), 3);
        push(compare, Some(inner), 40);
        push(compare, Some(start), 10);
        push(log, Some(start), 4);
        let tree = BottomUp::of(
            &Sampled {
                stacks: &Stacks::new(nodes),
                functions: &[main, sort, compare, log],
                is_incomplete: &[false; 4],
                is_hook: &[false; 4],
                threads: 1,
                calls: &HashMap::new(),
            },
            5,
        );
        let shown = |position: &u32| {
            let it = tree.branch(*position);
            (it.function, it.looks.weight, it.rest.1.weight)
        };
        let roots: Vec<_> = tree.roots().iter().map(shown).collect();
        assert_eq!(roots, [(compare, 50, 0), (sort, 5, 0)]);
        let callers = &tree.branch(tree.roots()[0]).callers;
        assert_eq!(callers.iter().map(shown).collect::<Vec<_>>(), [(sort, 40, 0), (main, 10, 0)]);
        let last = &tree.branch(callers[0]).callers;
        assert_eq!(last.iter().map(shown).collect::<Vec<_>>(), [(main, 40, 0)]);
    }
}

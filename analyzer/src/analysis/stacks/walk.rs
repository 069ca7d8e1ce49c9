//! A single walk over all stacks, from the starts of the threads inwards and back.
//!
//! The walk needs no recursion, and time in proportion to the nodes, however deep they are.

use super::tree::Node;
use crate::records::Looks;

/// A step of a walk: the position of a node.
pub(crate) enum Step {
    /// The node is met, before everything below it.
    Enter(usize),
    /// Everything below the node was met.
    Leave(usize),
}

/// Meets all nodes, each before and after those below it.
pub(crate) fn walk(nodes: &[Node], mut visit: impl FnMut(Step)) {
    let mut path: Vec<usize> = Vec::new();
    for (position, node) in nodes.iter().enumerate() {
        let parent = node.parent.map(|parent| parent as usize);
        while path.last().copied() != parent {
            path.pop().into_iter().for_each(|left| visit(Step::Leave(left)));
        }
        path.push(position);
        visit(Step::Enter(position));
    }
    path.into_iter().rev().for_each(|left| visit(Step::Leave(left)));
}

/// The samples of each node and of all below it.
pub(crate) fn subtotals(nodes: &[Node]) -> Vec<Looks> {
    let mut totals: Vec<Looks> = nodes.iter().map(|node| node.own).collect();
    for (position, node) in nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            let below = totals[position];
            totals[parent as usize] += below;
        }
    }
    totals
}

//! One walk over all stacks, from the starts of the threads inwards and back: what it finds of whole functions
//! and of calls.

use std::collections::{BTreeMap, HashMap};

use super::document::Frame;
use super::stacks::{Node, Stacks};

/// A place from which a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Site {
    /// Who calls; `None` for code outside of all functions.
    pub caller: Option<u32>,
    /// Who is called.
    pub callee: u32,
    /// The source file of the call.
    pub file: Option<u32>,
    /// The line of the call.
    pub line: Option<u32>,
    /// The function whose code has the call, if the caller was inlined into it.
    pub within: Option<u32>,
    /// Whether the callee was inlined here.
    pub inlined: bool,
}

/// Whether functions that were inlined are callers and callees of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inlined {
    /// They are.
    Apart,
    /// They are parts of the functions that they were inlined into.
    Joined,
}

enum Step {
    Enter(usize),
    Leave(usize),
}

/// Visits all nodes, each before and after those below it.
fn walk(nodes: &[Node], mut visit: impl FnMut(Step)) {
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

/// An amount of each node and of all below it.
fn subtotals(nodes: &[Node], amount: impl Fn(&Node) -> u64) -> Vec<u64> {
    let mut totals: Vec<u64> = nodes.iter().map(amount).collect();
    for (position, node) in nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            totals[parent as usize] = totals[parent as usize].saturating_add(totals[position]);
        }
    }
    totals
}

/// An amount of all stacks that hold a frame of a group, such as their samples, for each of so many groups. A
/// stack that holds several counts once.
pub(super) fn totals_of_groups(
    stacks: &Stacks,
    groups: usize,
    group_of: impl Fn(u32) -> Option<u32>,
    amount: impl Fn(&Node) -> u64,
) -> Vec<u64> {
    let nodes = stacks.nodes();
    let below = subtotals(nodes, amount);
    let (mut totals, mut depth) = (vec![0_u64; groups], vec![0_u32; groups]);
    walk(nodes, |step| match step {
        Step::Enter(position) => {
            let Some(group) = group_of(nodes[position].frame).map(|it| it as usize) else { return };
            if depth[group] == 0 {
                totals[group] = totals[group].saturating_add(below[position]);
            }
            depth[group] += 1;
        }
        Step::Leave(position) => {
            if let Some(group) = group_of(nodes[position].frame) {
                depth[group as usize] -= 1;
            }
        }
    });
    totals
}

/// The samples of all stacks in which a function calls another, by the line of the call. A stack that holds a
/// pair of functions several times counts once, for the outermost call.
///
/// # Panics
/// If a frame is not in the list.
pub(crate) fn samples_of_sites(
    stacks: &Stacks,
    frames: &[Frame],
    inlined: Inlined,
) -> BTreeMap<Site, u64> {
    let nodes = stacks.nodes();
    let below = subtotals(nodes, |node| node.samples);
    let frame = |position: usize| &frames[nodes[position].frame as usize];
    let is_seen = |frame: &Frame| inlined == Inlined::Apart || !frame.inlined;
    let mut sites: HashMap<Site, u64> = HashMap::new();
    let mut depth: HashMap<(u32, u32), u32> = HashMap::new();
    // Parts of the path: all frames, the visible ones, and the ones that were not inlined.
    let (mut all, mut seen, mut real) = (Vec::new(), Vec::new(), Vec::new());
    walk(nodes, |step| match step {
        Step::Enter(position) => {
            let callee = frame(position);
            if is_seen(callee) {
                if let (Some(&caller), Some(&direct)) = (seen.last(), all.last()) {
                    let (caller, direct): (&Frame, &Frame) = (caller, direct);
                    let within: Option<u32> = real.last().copied();
                    let pair = (caller.function, callee.function);
                    let depth = depth.entry(pair).or_default();
                    if *depth == 0 {
                        let site = Site {
                            caller: Some(pair.0),
                            callee: pair.1,
                            file: direct.file,
                            line: direct.line,
                            within: within.filter(|_| caller.inlined),
                            inlined: callee.inlined,
                        };
                        let sum = sites.entry(site).or_default();
                        *sum = sum.saturating_add(below[position]);
                    }
                    *depth += 1;
                }
                seen.push(callee);
            }
            if !callee.inlined {
                real.push(callee.function);
            }
            all.push(callee);
        }
        Step::Leave(position) => {
            let callee = frame(position);
            all.pop();
            if !callee.inlined {
                real.pop();
            }
            if is_seen(callee) {
                seen.pop();
                if let Some(caller) = seen.last() {
                    let pair = (caller.function, callee.function);
                    depth.entry(pair).and_modify(|depth| *depth -= 1);
                }
            }
        }
    });
    sites.into_iter().collect()
}

//! Samples of groups of functions, and of calls by the line of the call.

use std::collections::{BTreeMap, HashMap};

use super::document::Frame;
use super::ids::{FileId, FrameId, FunctionId};
use crate::analysis::stacks::{Stacks, Step, subtotals, walk};
use crate::records::Looks;

/// A place from which a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Site {
    /// Caller; `None` for code outside of all functions.
    pub caller: Option<FunctionId>,
    /// Callee.
    pub callee: FunctionId,
    /// The source file of the call.
    pub file: Option<FileId>,
    /// The line of the call.
    pub line: Option<u32>,
    /// The function whose code has the call, if the caller was inlined into it.
    pub within: Option<FunctionId>,
    /// True if the callee was inlined here.
    pub inlined: bool,
}

/// Treatment of functions that were inlined: as callers and callees of their own, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inlined {
    /// They are.
    Apart,
    /// They are parts of the functions that they were inlined into.
    Joined,
}

/// The samples of all stacks that hold a frame of a group, for each of so many groups. A stack that holds several
/// counts once.
pub(super) fn totals_of_groups(
    stacks: &Stacks,
    groups: usize,
    group_of: impl Fn(FrameId) -> Option<u32>,
) -> Vec<Looks> {
    let nodes = stacks.nodes();
    let below = subtotals(nodes);
    let (mut totals, mut depth) = (vec![Looks::default(); groups], vec![0_u32; groups]);
    walk(nodes, |step| match step {
        Step::Enter(position) => {
            let Some(group) = group_of(nodes[position].frame).map(|it| it as usize) else { return };
            if depth[group] == 0 {
                totals[group] += below[position];
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
) -> BTreeMap<Site, Looks> {
    let nodes = stacks.nodes();
    let below = subtotals(nodes);
    let frame = |position: usize| &frames[nodes[position].frame.index()];
    let is_seen = |frame: &Frame| inlined == Inlined::Apart || !frame.inlined;
    let mut sites: HashMap<Site, Looks> = HashMap::new();
    let mut depth: HashMap<(FunctionId, FunctionId), u32> = HashMap::new();
    // Parts of the path: all frames, the visible ones, and the ones that were not inlined.
    let (mut all, mut seen, mut real) = (Vec::new(), Vec::new(), Vec::new());
    walk(nodes, |step| match step {
        Step::Enter(position) => {
            let callee = frame(position);
            if is_seen(callee) {
                if let (Some(&caller), Some(&direct)) = (seen.last(), all.last()) {
                    let (caller, direct): (&Frame, &Frame) = (caller, direct);
                    let within: Option<FunctionId> = real.last().copied();
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
                        *sites.entry(site).or_default() += below[position];
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

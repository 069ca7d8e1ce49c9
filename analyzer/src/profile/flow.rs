//! Executions of code without a hook, as far as the counts around it tell.
//!
//! A compiler counts blocks before it makes code of them. Jumps and the landing pads of exceptions that it adds then have
//! no hooks of their own. But control leaves each piece of code as often as it enters it, which is an equation with a count
//! for each way in and out: those with one unknown are solved until there is none left.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gmon_format::FilePc;

use crate::arch::Step;

/// The beginning of a block, or of the function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) address: FilePc,
    /// Start of the code that is not there for the sake of the count.
    pub(super) own_code: FilePc,
    /// Number of executions, if it is known.
    pub(super) count: Option<u64>,
}

/// Code that control enters at its start alone, and leaves at its end alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) code: Range<FilePc>,
    pub(super) count: Option<u64>,
}

/// A way from one part to another.
struct Edge {
    ends: [usize; 2],
    count: Option<u64>,
}

/// Knowledge of control in a function.
pub(super) struct Ways<'a> {
    /// Its steps, if the machine's are known.
    pub(super) steps: Option<&'a [(Range<FilePc>, Step)]>,
    /// The landing pads of all functions, by address.
    pub(super) pads: &'a [FilePc],
    /// True if the compiler split the function: one part jumps into the other.
    pub(super) is_split: bool,
}

/// The parts of a function. Of its `starts`, the first is where it begins.
pub(super) fn parts(end: FilePc, starts: &[Start], ways: &Ways<'_>) -> Vec<Part> {
    let &Ways { steps, pads, is_split } = ways;
    let code = starts[0].address..end;
    let pads = &pads[pads.partition_point(|pad| *pad <= code.start)..];
    let pads = &pads[..pads.partition_point(|pad| *pad < end)];
    let block = |pc| starts.partition_point(|start| start.address <= pc).saturating_sub(1);
    let mut borders: BTreeSet<FilePc> = starts.iter().map(|start| start.address).collect();
    borders.extend(pads);
    let mut lasts: BTreeMap<FilePc, Step> = BTreeMap::new();
    // The last block that a jump has left. Before that, a block that jumps about within itself is still one.
    let mut left = None;
    for (at, step) in steps.unwrap_or_default() {
        let here = block(at.start);
        let target = step.target().filter(|target| code.contains(target));
        let is_within = |target| block(target) == here && target != starts[here].address;
        match step {
            Step::Call if at.end <= starts[here].own_code => continue,
            Step::Call => {}
            _ if left != Some(here) && target.is_some_and(is_within) => continue,
            _ => {
                left = Some(here);
                borders.extend(target.into_iter().chain([at.end]));
            }
        }
        lasts.insert(at.end, *step);
    }
    let borders: Vec<FilePc> = borders.into_iter().filter(|border| *border < end).collect();
    let ends = borders.iter().skip(1).chain([&end]);
    let part = |(&start, &end)| {
        let known = starts.binary_search_by_key(&start, |it| it.address);
        Part { code: start..end, count: known.ok().and_then(|at| starts[at].count) }
    };
    let mut parts: Vec<Part> = borders.iter().zip(ends).map(part).collect();

    let mut edges: Vec<Edge> = Vec::new();
    // True for a part if all ways into it are known, and if all out of it are.
    let is_anywhere = is_split || lasts.values().any(|step| *step == Step::Anywhere);
    let mut are_known: Vec<[bool; 2]> = vec![[steps.is_some() && !is_anywhere; 2]; parts.len()];
    are_known[0][0] = false;
    for (from, part) in parts.iter().enumerate() {
        let last = lasts.get(&part.code.end);
        let target = last.and_then(|step| step.target());
        let target = target.map(|target| borders.binary_search(&target).ok());
        // Nothing goes on into a landing pad.
        let is_next = matches!(last, None | Some(Step::Perhaps(_) | Step::Call))
            && pads.binary_search(&part.code.end).is_err();
        let next = is_next.then(|| Some(from + 1).filter(|next| *next < parts.len()));
        let ways = || target.into_iter().chain(next);
        // A call may not come back.
        let is_sure = last != Some(&Step::Call) && ways().next().is_some();
        are_known[from][1] = steps.is_some() && is_sure && ways().all(|to| to.is_some());
        edges.extend(ways().flatten().map(|to| Edge { ends: [from, to], count: None }));
    }
    solve(&mut parts, &mut edges, &are_known);
    parts
}

fn solve(parts: &mut [Part], edges: &mut [Edge], are_known: &[[bool; 2]]) {
    let mut ways: Vec<[Vec<usize>; 2]> = vec![Default::default(); parts.len()];
    for (edge, Edge { ends: [from, to], .. }) in edges.iter().enumerate() {
        ways[*from][1].push(edge);
        ways[*to][0].push(edge);
    }
    /// Rounds in which even long chains of unknown parts are solved, as each goes through the code both ways.
    const MOST: usize = 32;
    for _ in 0..MOST {
        let mut is_solved = true;
        for part in (0..parts.len()).chain((0..parts.len()).rev()) {
            for side in 0..2 {
                let ways = &ways[part][side];
                if !are_known[part][side] || ways.is_empty() {
                    continue;
                }
                let known =
                    ways.iter().filter_map(|way| edges[*way].count).fold(0, u64::saturating_add);
                let mut unknown = ways.iter().filter(|way| edges[**way].count.is_none());
                match (unknown.next(), unknown.next(), parts[part].count) {
                    (None, _, None) => parts[part].count = Some(known),
                    // Where counts contradict each other, nothing is known.
                    (Some(way), None, Some(all)) if known <= all => {
                        edges[*way].count = Some(all - known);
                    }
                    _ => continue,
                }
                is_solved = false;
            }
        }
        if is_solved {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of the parts of a function of 100 bytes that begins at 0, `x` where nothing is known: of blocks at addresses with
    /// counts, jumps of two bytes, and landing pads.
    fn check(blocks: &[(u64, u64)], steps: &[(u64, Step)], pads: &[u64], expected: &str) {
        let start = |&(address, count): &(u64, u64)| Start {
            address: FilePc(address),
            own_code: FilePc(address + 5),
            count: Some(count),
        };
        let starts: Vec<Start> = blocks.iter().map(start).collect();
        let step = |&(at, step): &(u64, Step)| (FilePc(at)..FilePc(at + 2), step);
        let steps: Vec<_> = steps.iter().map(step).collect();
        let pads: Vec<_> = pads.iter().map(|pad| FilePc(*pad)).collect();
        let ways = Ways { steps: Some(&steps), pads: &pads, is_split: false };
        let told = parts(FilePc(100), &starts, &ways).into_iter().map(|Part { code, count }| {
            let count = count.map_or("x".to_owned(), |count| count.to_string());
            format!("{}: {count}", code.start.0)
        });
        assert_eq!(told.collect::<Vec<_>>().join(", "), expected);
    }

    #[test]
    fn code_without_a_hook_is_executed_as_often_as_its_surroundings_tell() {
        use Step::{Anywhere, Away, Call, Perhaps, To};
        let to = |address| To(FilePc(address));
        let perhaps = |address| Perhaps(FilePc(address));
        // A block that jumps about within itself is one.
        check(&[(0, 3), (40, 2)], &[(10, perhaps(20)), (18, to(30))], &[], "0: 3, 40: 2");
        // A loop, and a jump behind its condition: for (…) {…} while (…) {…}
        let jumps = [(18, to(40)), (48, perhaps(20)), (50, to(70)), (78, perhaps(60)), (98, Away)];
        check(
            &[(0, 1), (20, 9), (40, 10), (60, 0), (70, 1), (80, 1)],
            &jumps,
            &[],
            "0: 1, 20: 9, 40: 10, 50: 1, 52: 0, 60: 0, 70: 1, 80: 1",
        );
        // A landing pad behind a jump, and one behind a call that throws.
        check(&[(0, 7), (40, 2)], &[(28, to(90))], &[30], "0: 7, 30: 2, 40: 2, 90: 9");
        check(&[(0, 7), (40, 2)], &[(28, Call)], &[30], "0: 7, 30: 2, 40: 2");
        // Nobody knows whence an indirect jump comes; nor how often control comes back from a call.
        let jumps = [(10, perhaps(50)), (12, Anywhere), (98, Away)];
        check(&[(0, 7), (20, 3), (60, 5)], &jumps, &[], "0: 7, 12: x, 14: x, 20: 3, 50: x, 60: 5");
        check(&[(0, 7), (40, 9)], &[(10, perhaps(40)), (38, Call)], &[], "0: 7, 12: x, 40: 9");
        // Two ways in, and two out, of which nothing is known.
        check(
            &[(0, 7), (40, 9)],
            &[(10, perhaps(40)), (12, Away)],
            &[],
            "0: 7, 12: x, 14: x, 40: 9",
        );
    }
}

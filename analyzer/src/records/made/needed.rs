//! The code that samples lie in, of all that was made.

use super::Made;

/// A piece of code that is needed: some of its addresses, and the time in which these were its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed<'a> {
    /// The code, of which a part may be cut off that other code had.
    pub made: Made<'a>,
    /// When other code took its place, in nanoseconds by the monotonic clock.
    pub to: Option<u64>,
}

/// Steps that are spent on code: enough for all that anybody makes, and soon over.
const MOST_STEPS: usize = 1 << 27;

/// Pieces of code that a list has at one address, one after the other.
const MOST_AT_ONE: usize = 64;

/// Finds the code at these addresses, which are in ascending order. Code is given in the order in which it was made: of what
/// has the same addresses, the later takes the place of the earlier from its time on, or everywhere if no times are
/// known.
///
/// No two of what is found share an address at one time.
pub fn needed<'a>(code: impl Iterator<Item = Made<'a>>, addresses: &[u64]) -> Vec<Needed<'a>> {
    let mut kept: Vec<Made<'a>> = Vec::new();
    let mut at: Vec<Vec<u32>> = vec![Vec::new(); addresses.len()];
    let mut steps = 0;
    for made in code {
        let first = addresses.partition_point(|address| *address < made.start);
        let len = addresses[first..].partition_point(|address| *address < made.end);
        steps += len + 1;
        if steps > MOST_STEPS {
            break;
        }
        if len == 0 {
            continue;
        }
        let number = kept.len() as u32;
        for list in &mut at[first..first + len] {
            // Who came at the same time, or when nobody knows, was never there; nor was who came later than this.
            let is_instead = |from: Option<u64>| from.is_none() || made.from <= from;
            while list.last().is_some_and(|last| is_instead(kept[*last as usize].from)) {
                list.pop();
            }
            list.truncate(MOST_AT_ONE - 1);
            list.push(number);
        }
        kept.push(made);
    }
    // Addresses that follow each other and have the same code are one run. Where it begins, the one before ends.
    let runs: Vec<&[Vec<u32>]> = at.chunk_by(|a, b| a == b).collect();
    let pieces = |run: &[Vec<u32>]| run[0].iter().map(|number| &kept[*number as usize]).collect();
    let mut found = Vec::new();
    let (mut end, mut above) = (addresses.len(), u64::MAX);
    for run in runs.into_iter().rev() {
        let first = end - run.len();
        let below = first.checked_sub(1).map_or(0, |at| addresses[at] + 1);
        let list: Vec<&Made<'a>> = pieces(run);
        for (at, made) in list.iter().enumerate().rev() {
            let to = list.get(at + 1).and_then(|made| made.from);
            found.push(Needed { made: part(made, below, above), to });
        }
        above = list.iter().map(|made| made.start.max(below)).min().unwrap_or(addresses[first]);
        end = first;
    }
    found.reverse();
    found
}

/// The part of code between two addresses.
fn part<'a>(made: &Made<'a>, below: u64, above: u64) -> Made<'a> {
    let (start, end) = (made.start.max(below), made.end.min(above));
    let cut = start - made.start;
    let mut lines = Vec::with_capacity(made.lines.len());
    for &(offset, line) in &made.lines {
        let moved = u64::from(offset).saturating_sub(cut) as u32;
        // The line in which the part begins is the last one that begins before it.
        if u64::from(offset) <= cut {
            lines.clear();
        }
        lines.push((moved, line));
    }
    Made { start, end, lines, ..made.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(start: u64, end: u64, from: Option<u64>, name: &str) -> Made<'_> {
        Made { start, end, from, name: name.as_bytes(), ..Made::default() }
    }

    /// Start, end, times and name of code.
    type Told<'n> = (u64, u64, Option<u64>, Option<u64>, &'n str);

    fn told<'n>(found: &[Needed<'n>]) -> Vec<Told<'n>> {
        let name = |name| std::str::from_utf8(name).expect("text");
        let told =
            |it: &Needed<'n>| (it.made.start, it.made.end, it.made.from, it.to, name(it.made.name));
        found.iter().map(told).collect()
    }

    #[test]
    fn the_latest_has_the_address() {
        let code = [
            made(0x1000, 0x2000, None, "old"),
            made(0x1800, 0x1900, None, "new"),
            made(0x5000, 0x6000, None, "nobody was here"),
        ];
        let found = needed(code.into_iter(), &[0x1010, 0x1810, 0x1950, 0x3000]);
        let expected = [
            (0x1000, 0x1800, None, None, "old"),
            (0x1800, 0x1811, None, None, "new"),
            (0x1811, 0x2000, None, None, "old"),
        ];
        assert_eq!(told(&found), expected);
    }

    #[test]
    fn what_has_times_is_there_in_its_time() {
        let code = [
            made(0x1000, 0x1100, Some(10), "first"),
            made(0x1000, 0x1100, Some(20), "second"),
            made(0x1000, 0x1080, Some(20), "third"),
        ];
        let found = needed(code.into_iter(), &[0x1010, 0x1090]);
        let expected = [
            (0x1000, 0x1011, Some(10), Some(20), "first"),
            (0x1000, 0x1011, Some(20), None, "third"),
            (0x1011, 0x1100, Some(10), Some(20), "first"),
            (0x1011, 0x1100, Some(20), None, "second"),
        ];
        assert_eq!(told(&found), expected);
    }

    #[test]
    fn lines_move_with_what_is_cut_off() {
        let lines = vec![(0, 1), (0x10, 2), (0x20, 3)];
        let code = Made { lines, ..made(0x1000, 0x1030, None, "code") };
        let other = made(0x1000, 0x1014, None, "other");
        let found = needed([code, other].into_iter(), &[0x1013, 0x1018, 0x1022]);
        assert_eq!(found[1].made.start, 0x1014);
        assert_eq!(found[1].made.lines, [(0, 2), (12, 3)]);
    }

    #[test]
    fn hostile_lists_end() {
        let addresses: Vec<u64> = (0..1000).collect();
        let code = (0..10_000_000).map(|time| made(0, 1000, Some(time), "same"));
        assert_eq!(needed(code, &addresses).len(), MOST_AT_ONE);
    }
}

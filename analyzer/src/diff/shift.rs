//! Tests whether times of calls come from one distribution.
//!
//! Calls of one run are alike for reasons of that run, so where a side has several runs these are what is drawn, not
//! their calls: the labels of runs are exchanged (a permutation test), and the largest difference of several figures,
//! each in its own standard deviations, is compared with what other labels give. That needs no correction for the
//! number of figures.

use super::statistics::{mean, squares, tails_of_t};

/// With at most so many ways to label the runs all of them are tried, else so many by chance.
const MOST_WAYS: u32 = 20_000;

/// A histogram: parts of a whole by bucket, in order.
pub(super) type Shares = Vec<(u16, f64)>;

/// The part of pairs in which a call of the second histogram takes longer than one of the first, with half of those of one bucket.
pub(super) fn longer(first: &Shares, second: &Shares) -> f64 {
    let mut below = 0.0;
    let mut longer = 0.0;
    let mut rest = first.iter().peekable();
    for &(bucket, share) in second {
        while let Some(&(_, less)) = rest.next_if(|(other, _)| *other < bucket) {
            below += less;
        }
        let equal = rest.peek().filter(|(other, _)| *other == bucket).map_or(0.0, |it| it.1);
        longer += share * (below + equal / 2.0);
    }
    longer
}

/// The probability that chance alone separates two histograms of so many calls so much, two-sided: the test of Mann and
/// Whitney with ties, by the normal distribution.
pub(super) fn mann_whitney(first: &Shares, second: &Shares, calls: [f64; 2]) -> f64 {
    /// With so many degrees of freedom Student's distribution is the normal one.
    const NORMAL: f64 = 1e7;
    let [m, n] = calls;
    let all = m + n;
    let mut ties = std::collections::BTreeMap::<u16, f64>::new();
    for (shares, calls) in [(first, m), (second, n)] {
        for (bucket, share) in shares {
            *ties.entry(*bucket).or_default() += share * calls;
        }
    }
    let ties: f64 = ties.values().map(|calls| calls.powi(3) - calls).sum();
    let variance = m * n / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    let distance = (m * n * (longer(first, second) - 0.5)).abs() - 0.5;
    if variance > 0.0 && distance > 0.0 {
        tails_of_t(distance / variance.sqrt(), NORMAL)
    } else {
        1.0
    }
}

/// The figures of the runs of a base and of a new side.
type Sides = [Vec<f64>; 2];

/// The probability that the runs of both sides differ so much in any of some figures, if their labels mean nothing; and
/// for each figure the difference in standard deviations. With pairs the labels are exchanged within these.
pub(super) fn permutation(figures: &[Sides], has_pairs: bool) -> (f64, Vec<f64>) {
    let prepared: Vec<Vec<f64>> = figures.iter().map(|it| scores(it, has_pairs)).collect();
    let runs = figures.first().map_or([0; 2], |[base, new]| [base.len(), new.len()]);
    let of = |is_new: &dyn Fn(usize) -> bool| {
        let sum = |scores: &Vec<f64>| -> f64 {
            let signed = scores.iter().enumerate();
            signed.map(|(run, score)| if is_new(run) { *score } else { -score }).sum()
        };
        prepared.iter().map(sum).collect::<Vec<f64>>()
    };
    let largest = |sums: &[f64]| sums.iter().fold(0.0_f64, |most, sum| most.max(sum.abs()));
    let (first_new, number) = if has_pairs { (0, runs[0]) } else { (runs[0], runs[0] + runs[1]) };
    let found = of(&|run| run >= first_new);
    // Sums in another order differ in their last digits.
    let least = largest(&found) * (1.0 - 1e-9);
    if largest(&found) == 0.0 {
        return (1.0, found);
    }
    let (mut ways, mut as_large) = (0_u32, 0_u32);
    let mut count = |labels: &[bool]| {
        ways += 1;
        as_large += u32::from(largest(&of(&|run| labels[run])) >= least);
    };
    match all_labels(number, (!has_pairs).then_some(runs[1])) {
        Some(all) => all.iter().for_each(|labels| count(labels)),
        None => {
            let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
            let mut labels: Vec<bool> = (0..number).map(|run| run >= first_new).collect();
            // The labels as they are belong to those that chance could have drawn.
            count(&labels);
            for _ in 1..MOST_WAYS {
                if has_pairs {
                    labels.iter_mut().for_each(|label| *label = chance.below(2) == 1);
                } else {
                    (1..number).rev().for_each(|run| labels.swap(run, chance.below(run + 1)));
                }
                count(&labels);
            }
        }
    }
    (f64::from(as_large) / f64::from(ways), found)
}

/// Contributions of the runs, or of the pairs, to the difference of the sides. They are divided by their spread, which is the
/// same however the runs are labelled.
fn scores([base, new]: &Sides, has_pairs: bool) -> Vec<f64> {
    let all: Vec<f64> = if has_pairs {
        base.iter().zip(new).map(|(base, new)| new - base).collect()
    } else {
        let all: Vec<f64> = base.iter().chain(new).copied().collect();
        let middle = mean(&all);
        all.iter().map(|it| it - middle).collect()
    };
    let size = if has_pairs { all.iter().map(|it| it * it).sum::<f64>() } else { squares(&all) };
    // What is equal but for the last digits does not differ.
    let scale = base.iter().chain(new).fold(0.0_f64, |most, it| most.max(it.abs()));
    let is_there = size.sqrt() > 1e-12 * scale.max(f64::MIN_POSITIVE);
    all.iter().map(|it| if is_there { it / size.sqrt() } else { 0.0 }).collect()
}

/// All ways to label things, so many of them if that is given; `None` if these are too many.
fn all_labels(things: usize, labelled: Option<usize>) -> Option<Vec<Vec<bool>>> {
    // The ways, before all are made.
    let ways = match labelled {
        Some(labelled) => {
            (0..labelled).fold(1.0, |ways, at| ways * (things - at) as f64 / (at + 1) as f64)
        }
        None => 2.0_f64.powi(things as i32),
    };
    if ways > f64::from(MOST_WAYS) {
        return None;
    }
    let mut all = vec![(Vec::with_capacity(things), 0_usize)];
    for thing in 0..things {
        let rest = things - thing;
        let mut next = Vec::with_capacity(2 * all.len());
        for (labels, used) in all {
            for label in [false, true] {
                let used = used + usize::from(label);
                if labelled.is_none_or(|most| used <= most && used + rest > most) {
                    let mut labels = labels.clone();
                    labels.push(label);
                    next.push((labels, used));
                }
            }
        }
        all = next;
    }
    Some(all.into_iter().map(|(labels, _)| labels).collect())
}

/// Numbers that look like those of chance, the same in all runs (xorshift64*).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D);
        ((u128::from(number) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(buckets: &[(u16, f64)]) -> (Shares, f64) {
        let calls = buckets.iter().map(|it| it.1).sum::<f64>();
        (buckets.iter().map(|(bucket, number)| (*bucket, number / calls)).collect(), calls)
    }

    /// Values of SciPy 1.17.1: `mannwhitneyu(..., method="asymptotic")`.
    #[test]
    fn two_histograms() {
        for (base, new, part, p) in [
            (
                &[(3, 10.0), (4, 20.0), (9, 5.0)][..],
                &[(3, 8.0), (4, 15.0), (9, 14.0)][..],
                0.613_899_6,
                0.072_648_60,
            ),
            (&[(1, 2.0), (2, 2.0)], &[(2, 2.0), (3, 2.0)], 0.875, 0.086_358_74),
            (
                &[(100, 5000.0), (101, 4000.0), (300, 10.0)],
                &[(100, 4900.0), (101, 4050.0), (300, 60.0)],
                0.506_778_1,
                0.067_882_56,
            ),
            (&[(5, 7.0)], &[(5, 9.0)], 0.5, 1.0),
            (&[(5, 7.0)], &[(6, 9.0)], 1.0, 0.000_138_121_9),
        ] {
            let ((base, m), (new, n)) = (shares(base), shares(new));
            assert!((longer(&base, &new) - part).abs() < 1e-7, "{}", longer(&base, &new));
            let found = mann_whitney(&base, &new, [m, n]);
            assert!((found / p - 1.0).abs() < 1e-5, "{found}, not {p}");
            // Whichever is the base.
            assert!((longer(&new, &base) - (1.0 - part)).abs() < 1e-7);
            assert!((mann_whitney(&new, &base, [n, m]) / p - 1.0).abs() < 1e-5);
        }
    }

    const BASE: [f64; 5] = [1.0, 2.0, 4.0, 3.5, 2.5];
    const NEW: [f64; 5] = [3.0, 5.0, 6.0, 4.5, 7.0];

    /// Values of SciPy 1.17.1: `permutation_test` of the difference of means.
    #[test]
    fn labels_of_runs_are_exchanged() {
        let sides = [BASE.to_vec(), NEW.to_vec()];
        let (p, found) = permutation(std::slice::from_ref(&sides), false);
        assert!((p - 0.031_746_031_7).abs() < 1e-9 && found[0] > 0.0, "{p} {found:?}");
        let (p, found) = permutation(std::slice::from_ref(&sides), true);
        assert!((p - 0.0625).abs() < 1e-9 && found[0] > 0.0, "{p} {found:?}");

        // A second figure that is the same in all runs adds nothing, and none at all says nothing.
        let same = [vec![0.1; 5], vec![0.1; 5]];
        assert_eq!(permutation(&[sides, same.clone()], false).0, 8.0 / 252.0);
        assert_eq!(permutation(&[same], false).0, 1.0);
        assert_eq!(permutation(&[], false).0, 1.0);
    }

    #[test]
    fn many_runs_are_labelled_by_chance() {
        let runs = |less: f64| (0..20).map(|run| f64::from(run * 7 % 11) - less).collect();
        let (far, near): ([Vec<f64>; 2], [Vec<f64>; 2]) =
            ([runs(0.0), runs(-20.0)], [runs(0.0), runs(0.1)]);
        for has_pairs in [false, true] {
            let (p, _) = permutation(std::slice::from_ref(&far), has_pairs);
            assert!(p <= 3.0 / f64::from(MOST_WAYS), "{p}");
        }
        let (p, _) = permutation(std::slice::from_ref(&near), false);
        assert!(p > 0.9, "{p}");
        // Always the same.
        assert_eq!(permutation(std::slice::from_ref(&near), false), permutation(&[near], false));
    }
}

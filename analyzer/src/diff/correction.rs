//! Correction of probabilities when many were asked for at once: among a hundred tests, five are below 5 % by
//! chance.

use super::times::Times;

/// Corrects the probabilities of all that has at least so many samples; the rest is not tested.
pub(super) fn correct<'t>(times: impl Iterator<Item = &'t mut Times>, least: f64) {
    let (mut tested, mut p) = (Vec::new(), Vec::new());
    for times in times {
        match times.p.filter(|_| times.samples() as f64 >= least) {
            Some(known) => {
                p.push(known);
                tested.push(times);
            }
            None => times.p = None,
        }
    }
    let corrected = false_discovery(&p).into_iter().zip(family_wise(&p));
    for (times, (q, holm)) in tested.into_iter().zip(corrected) {
        (times.q, times.holm) = (Some(q), Some(holm));
    }
}

/// The probabilities by Benjamini and Hochberg: of those below a level, at most this part is wrong.
pub(super) fn false_discovery(list: &[f64]) -> Vec<f64> {
    let (order, number) = (ascending(list), list.len() as f64);
    let mut corrected = vec![1.0; list.len()];
    let mut least = 1.0_f64;
    for (rank, &place) in order.iter().enumerate().rev() {
        least = least.min(list[place] * number / (rank as f64 + 1.0));
        corrected[place] = least;
    }
    corrected
}

/// The probabilities by Holm: the chance that any of those below a level is wrong is below that level.
pub(super) fn family_wise(list: &[f64]) -> Vec<f64> {
    let order = ascending(list);
    let mut corrected = vec![1.0; list.len()];
    let mut most = 0.0_f64;
    for (rank, &place) in order.iter().enumerate() {
        most = most.max((list[place] * (list.len() - rank) as f64).min(1.0));
        corrected[place] = most;
    }
    corrected
}

fn ascending(list: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_unstable_by(|a, b| list[*a].total_cmp(&list[*b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::statistics::exact_p;

    /// Functions of one run before and after: lookup, memcpy, hash, parse, eval, main.
    #[test]
    fn six_functions_at_once() {
        let samples = [(150, 205), (40, 22), (110, 96), (210, 214), (60, 61), (10, 12)];
        let p: Vec<f64> = samples.iter().map(|(base, new)| exact_p(*base, *new, 0.5)).collect();
        let rounded = |list: Vec<f64>| list.iter().map(|p| format!("{p:.3}")).collect::<Vec<_>>();
        assert_eq!(rounded(false_discovery(&p))[..3], ["0.025", "0.090", "0.730"]);
        assert_eq!(rounded(family_wise(&p))[..4], ["0.025", "0.150", "1.000", "1.000"]);
        assert!(p[3..].iter().all(|p| *p > 0.8), "{p:?}");
    }

    #[test]
    fn corrected_probabilities_keep_their_order() {
        let p = [0.01, 0.012, 0.5, 0.011];
        let corrected = false_discovery(&p);
        assert!((corrected[0] - 0.016).abs() < 1e-12 && corrected[0] == corrected[1]);
        assert_eq!(family_wise(&[0.01, 0.011]), [0.02, 0.02]);
        assert!(false_discovery(&[]).is_empty() && family_wise(&[]).is_empty());
    }
}

//! Whole numbers for fractions, so that nothing is lost.

/// Divides `total` in proportion to `parts`, whose sum it is, but for rounding: all are rounded down, then those
/// with the largest fractions get one more each, the first of equal ones first.
pub(super) fn whole_shares(parts: &[f64], total: u64) -> Vec<u64> {
    let mut shares: Vec<u64> = parts.iter().map(|part| part.max(0.0).floor() as u64).collect();
    let given: u128 = shares.iter().map(|share| u128::from(*share)).sum();
    let total = u128::from(total);
    let mut order: Vec<usize> = (0..parts.len()).collect();
    let fraction = |index: &usize| parts[*index] - parts[*index].floor();
    order.sort_by(|a, b| fraction(b).total_cmp(&fraction(a)));
    if given <= total {
        // More is missing than there are parts only if these are not what was promised.
        let (missing, parts) = ((total - given) as u64, order.len() as u64);
        for (index, place) in order.into_iter().zip(0..) {
            shares[index] += missing / parts + u64::from(place < missing % parts);
        }
        return shares;
    }
    // Rounding made the sum of the parts larger than the total.
    let mut excess = given - total;
    for &index in order.iter().rev() {
        let taken = shares[index].min(u64::try_from(excess).unwrap_or(u64::MAX));
        shares[index] -= taken;
        excess -= u128::from(taken);
    }
    shares
}

/// Divides `total` in proportion to `weights`, exactly.
pub(super) fn by_weight(total: u64, weights: &[u64]) -> Vec<u64> {
    let all: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    if all == 0 {
        let mut shares = vec![0; weights.len()];
        if let Some(first) = shares.first_mut() {
            *first = total;
        }
        return shares;
    }
    let product = |weight: &u64| u128::from(total) * u128::from(*weight);
    let mut shares: Vec<u64> = weights.iter().map(|it| (product(it) / all) as u64).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_cached_key(|index| std::cmp::Reverse(product(&weights[*index]) % all));
    let missing = total - shares.iter().sum::<u64>();
    for &index in order.iter().take(missing as usize) {
        shares[index] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_fractions_get_the_rest() {
        for (parts, total, expected) in [
            (&[0.5, 1.2, 0.3][..], 2, &[1, 1, 0][..]),
            (&[0.5, 0.5], 1, &[1, 0]),
            (&[2.0, 3.0], 5, &[2, 3]),
            (&[], 0, &[]),
            // As floating point has it.
            (&[0.999_999_999, 2.000_000_001], 3, &[1, 2]),
            (&[3.0, 2.0], 4, &[3, 1]),
            // Of no such sum.
            (&[0.5, 1.0], u64::MAX, &[(1 << 63) - 1, 1 << 63]),
            (&[1e19, 1e19], u64::MAX, &[1e19 as u64, u64::MAX - 1e19 as u64]),
        ] {
            assert_eq!(whole_shares(parts, total), expected, "{parts:?}");
        }
    }

    #[test]
    fn weights_divide_exactly() {
        for (total, weights, expected) in [
            (10, &[1, 1, 1][..], &[4, 3, 3][..]),
            (u64::MAX, &[u64::MAX, u64::MAX], &[u64::MAX / 2 + 1, u64::MAX / 2]),
            (7, &[0, 0], &[7, 0]),
            (0, &[], &[]),
        ] {
            assert_eq!(by_weight(total, weights), expected, "{weights:?}");
        }
    }
}

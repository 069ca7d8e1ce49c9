//! Finds the last of many sorted addresses that is not above a given one.
//!
//! A data file has millions of addresses to look up. The range of the sorted ones is cut into
//! stretches of equal size, about as many as there are addresses, so that a search among those of
//! one stretch takes few steps; in the worst case it is a binary search among all.

use gmon_format::FilePc;

/// Sorted addresses, ready to be searched.
#[derive(Clone, Debug, Default)]
pub(super) struct Locator {
    addresses: Vec<FilePc>,
    /// The binary logarithm of the size of a stretch.
    shift: u32,
    /// For each stretch the number of addresses before it, and one more entry for all.
    before: Vec<u32>,
}

impl Locator {
    /// Takes addresses in ascending order, fewer than 2^32.
    pub(super) fn new(addresses: Vec<FilePc>) -> Self {
        let (Some(&first), Some(&last)) = (addresses.first(), addresses.last()) else {
            return Self::default();
        };
        let mut shift = 0;
        while (last - first) >> shift > addresses.len() as u64 {
            shift += 1;
        }
        let stretches = ((last - first) >> shift) as usize + 1;
        let mut before = vec![0; stretches + 1];
        for address in &addresses {
            before[((*address - first) >> shift) as usize + 1] += 1;
        }
        let mut sum = 0;
        for count in &mut before {
            sum += *count;
            *count = sum;
        }
        Self { addresses, shift, before }
    }

    /// The number of addresses.
    pub(super) fn len(&self) -> usize {
        self.addresses.len()
    }

    /// The place of the last address that is at most `address`.
    pub(super) fn last_up_to(&self, address: FilePc) -> Option<usize> {
        let offset = address.checked_distance(*self.addresses.first()?)?;
        let stretch = usize::try_from(offset >> self.shift).unwrap_or(usize::MAX);
        let end = match self.before.get(stretch.saturating_add(1)) {
            Some(&end) => end as usize,
            None => return Some(self.addresses.len() - 1),
        };
        let start = self.before[stretch] as usize;
        let within = &self.addresses[start..end];
        // If all of the stretch lie above, it is the last one before the stretch.
        Some(start + within.partition_point(|&start| start <= address) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_address_up_to_another_is_found() {
        for addresses in [
            vec![],
            vec![5],
            vec![0, u64::MAX],
            vec![0x40_1000, 0x40_1001, 0x40_1002, 0x40_1100, 0x40_8000],
            (0..1000).map(|n| 0x1000 + n * n).collect(),
        ] {
            let locator = Locator::new(addresses.iter().copied().map(FilePc).collect());
            let near = addresses.iter().flat_map(|&a| [a.wrapping_sub(1), a, a.saturating_add(1)]);
            for address in near.chain([0, 7, 0x40_1003, u64::MAX]) {
                let expected = addresses.iter().rposition(|&start| start <= address);
                assert_eq!(locator.last_up_to(FilePc(address)), expected, "{address:#x}");
            }
        }
    }
}

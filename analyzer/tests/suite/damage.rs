//! Damages bytes at random.

use super::random::Random;

/// Changes, cuts off or repeats a few bytes of a file that is not empty.
pub(crate) fn damage(random: &mut Random, file: &mut Vec<u8>) {
    const ODD: [u64; 6] = [0, 1, 0x7f, 0x80, 0xff, u64::MAX];
    for _ in 0..1 + random.below(4) {
        let len = file.len() as u64;
        let place = random.below(len) as usize;
        match random.below(6) {
            0 => file[place] = random.number() as u8,
            1 => file[place] ^= 1 << random.below(8),
            2 => file[place..].iter_mut().take(4).for_each(|byte| *byte = 0xff),
            3 => {
                let odd = random.pick(&ODD).to_le_bytes();
                file[place..].iter_mut().zip(odd).for_each(|(byte, odd)| *byte = odd);
            }
            4 if len > 1 => file.truncate(place.max(1)),
            _ => {
                let part = file[place..].to_vec();
                file.extend(part.into_iter().take(64));
            }
        }
    }
}

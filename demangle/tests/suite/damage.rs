//! Damaged names are names like any other: no panic, no endless work.

use support::random::Random;

use crate::checks::stays_in_bounds;
use crate::cpp_and_rust::DEMANGLED;

#[test]
fn damaged_names_do_no_harm() {
    const LETTERS: &[u8] = b"ENISTZLJXDpP_0123AKRMFvi";
    let names: Vec<&[u8]> =
        DEMANGLED.lines().map(|line| line.split('\t').next().unwrap().as_bytes()).collect();
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let mut name = random.pick(&names).to_vec();
        for _ in 0..=random.below(3) {
            let place = random.below(name.len() as u64) as usize;
            let other = random.pick(&names);
            let from = random.below(other.len() as u64) as usize;
            match random.below(4) {
                0 => name[place] = random.pick(LETTERS),
                1 => name.truncate(place.max(3)),
                2 => drop(name.splice(place..place, other[from..].iter().copied())),
                _ => name.insert(place, random.pick(LETTERS)),
            }
        }
        stays_in_bounds(&name);
    }
}

/// Each back reference repeats a name of 10,000 letters.
#[cfg(feature = "d")]
#[test]
fn back_references_of_d_do_not_multiply_without_limit() {
    use std::fmt::Write;

    let mut name = format!("_D10000{}", "a".repeat(10_000));
    let first = name.len() - 10_005;
    for _ in 0..20_000 {
        // A distance is written in digits to base 26, the last of which is a small letter.
        let mut distance = name.len() - first;
        let mut digits = vec![b'a' + (distance % 26) as u8];
        while distance >= 26 {
            distance /= 26;
            digits.push(b'A' + (distance % 26) as u8);
        }
        digits.reverse();
        write!(name, "Q{}", String::from_utf8(digits).unwrap()).unwrap();
    }
    name += "Z";
    stays_in_bounds(name.as_bytes());
}

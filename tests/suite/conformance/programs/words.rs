//! A Rust program of generics, closures, trait objects, iterators and panics that are caught.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{Debug, Write};
use std::panic;

trait Measure {
    fn measure(&self) -> usize;
}

impl Measure for String {
    #[inline(never)]
    fn measure(&self) -> usize {
        self.chars().filter(|letter| letter.is_alphabetic()).count()
    }
}

impl<T: Measure> Measure for Vec<T> {
    #[inline(never)]
    fn measure(&self) -> usize {
        self.iter().map(Measure::measure).sum()
    }
}

/// Not mangled, so that one can ask for it.
#[unsafe(no_mangle)]
#[inline(never)]
fn fibonacci(n: u32) -> u64 {
    if n < 2 { n.into() } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

#[unsafe(no_mangle)]
#[inline(never)]
fn sum_of_fibonacci(n: u32) -> u64 {
    (0..n).map(fibonacci).sum()
}

#[inline(never)]
fn largest<K: Ord + Clone + Debug, V: Ord + Copy>(map: &BTreeMap<K, V>) -> Option<(K, V)> {
    map.iter().max_by_key(|(_, value)| **value).map(|(key, value)| (key.clone(), *value))
}

mod words {
    #[inline(never)]
    pub(crate) fn make(seed: &mut u32) -> String {
        *seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        let letters = b"abcdefgh";
        (0..*seed >> 29).map(|n| char::from(letters[(*seed >> n & 7) as usize])).collect()
    }
}

fn main() {
    panic::set_hook(Box::new(|_| ()));
    let mut seed = 1;
    let mut words: Vec<String> = (0..4000).map(|_| words::make(&mut seed)).collect();
    words.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
    let mut counts = HashMap::new();
    for word in &words {
        *counts.entry(word.as_str()).or_insert(0_u32) += 1;
    }
    let ordered: BTreeMap<_, _> = counts.into_iter().collect();
    let caught = (0..20).filter(|n| {
        panic::catch_unwind(|| assert!(n % 4 != 0, "multiple of four")).is_err()
    });
    let measures: [Box<dyn Measure>; 2] = [Box::new(words.clone()), Box::new(vec![words[7].clone()])];
    let mut text = String::new();
    for measure in &measures {
        write!(text, "{} ", measure.measure()).unwrap();
    }
    println!("{text}{} {:?} {}", sum_of_fibonacci(30), largest(&ordered), caught.count());
}

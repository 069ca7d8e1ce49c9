//! Rust sorts words, counts them in a map, and reads numbers.

use std::collections::HashMap;
use std::hint::black_box;

#[unsafe(no_mangle)]
extern "C" fn work() {
    let words: Vec<String> = (0..6000u64).map(|i| format!("{}-{:05}", i % 3, i * 7919 % 100_000)).collect();
    let mut sorted: Vec<&str> = words.iter().map(String::as_str).collect();
    sorted.sort_by(|a, b| b.cmp(a));
    let mut counts = HashMap::new();
    for word in &sorted {
        *counts.entry(&word[word.len() - 2..]).or_insert(0u64) += 1;
    }
    let sum: u64 = sorted.iter().filter_map(|word| word[2..].parse::<u64>().ok()).sum();
    black_box((sum, counts.len()));
}

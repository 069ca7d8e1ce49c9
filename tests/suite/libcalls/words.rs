//! Counts and sorts words, with what the standard library asks the C library for: memory, copies, comparisons, files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read as _;

fn main() {
    let mut number = 1u64;
    let mut text = String::new();
    for _ in 0..5000 {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        write!(text, "word{} ", (number >> 33) % 700).unwrap();
    }
    std::fs::write("words.txt", &text).unwrap();
    let mut read = Vec::new();
    std::fs::File::open("words.txt").unwrap().read_to_end(&mut read).unwrap();
    assert!(read == text.as_bytes());

    let mut counts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, word) in text.split(' ').enumerate() {
        counts.entry(word.to_owned()).or_default().push(place);
    }
    let mut words: Vec<(&String, &Vec<usize>)> = counts.iter().collect();
    words.sort_by(|left, right| (right.1.len(), left.0).cmp(&(left.1.len(), right.0)));
    let lines: Vec<String> =
        words.iter().map(|(word, places)| format!("{word}: {} {places:?}", places.len())).collect();
    assert!(lines.join("\n").len() > 10_000);
    println!("done");
}

//! The tables of functions that `gmon run` and `gmon report` print, whichever columns they have.

use std::collections::BTreeMap;

/// A function in a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name, and what stands behind it.
    pub name: String,
    /// What stands below each title.
    cells: BTreeMap<String, String>,
}

/// The rows of all tables of functions in a text.
pub fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    // Where each title ends, and where names begin.
    let mut titles: Vec<(String, usize)> = Vec::new();
    for line in text.lines() {
        let words = words(line);
        let is_head = words.first().is_some_and(|(word, _)| word == "self")
            && words.last().is_some_and(|(word, _)| word == "function");
        if is_head {
            titles = words;
            continue;
        }
        let Some((_, names_end)) = titles.last() else { continue };
        let start = names_end - "function".len();
        let name: String = line.chars().skip(start).collect();
        if name.is_empty() || !line.starts_with(' ') {
            titles.clear();
            continue;
        }
        let cell = |(title, end): &(String, usize)| {
            let cell = words.iter().find(|(_, at)| at == end);
            cell.map(|(cell, _)| (title.clone(), cell.clone()))
        };
        rows.push(Row { name, cells: titles.iter().filter_map(cell).collect() });
    }
    rows
}

/// The calls of each function whose calls were counted, in all tables together.
pub fn calls(text: &str) -> BTreeMap<String, u64> {
    let mut calls = BTreeMap::new();
    for row in rows(text) {
        if let Some(number) = row.number("calls") {
            *calls.entry(row.name).or_default() += number as u64;
        }
    }
    calls
}

impl Row {
    /// The number below a title; none if there is none, or only a bound.
    #[must_use]
    pub fn number(&self, title: &str) -> Option<f64> {
        self.cells.get(title)?.replace(',', "").parse().ok()
    }
}

/// The words of a line, and where they end, in characters.
fn words(line: &str) -> Vec<(String, usize)> {
    let mut words = Vec::new();
    let mut word = String::new();
    for (c, at) in line.chars().chain([' ']).zip(0..) {
        match c {
            ' ' if !word.is_empty() => words.push((std::mem::take(&mut word), at)),
            ' ' => {}
            _ => word.push(c),
        }
    }
    words
}

//! The source text that a page holds: that of the functions worth reading, or of all, or none.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gmon_analyzer::Model;
use gmon_analyzer::model::FileId;
use serde::{Deserialize, Serialize};

use crate::source::Source;

/// Part of all time from which on a line is hot.
const HOT: f64 = 0.005;
/// As much text of hot functions a page gets.
const MOST_BYTES: usize = 256 << 10;
/// Longer functions are shown around the lines of which something is known.
const LONG: u32 = 100;
/// Lines shown around these, and above a function.
const AROUND: u32 = 12;
const ABOVE: u32 = 3;

/// Amount of source text in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Choice {
    /// The source of functions that took time or whose lines were counted, the hottest first, up to a
    /// limit.
    Hot,
    /// All files.
    All,
    /// Nothing.
    None,
}

/// Lines of a file that follow each other.
#[derive(Debug, Serialize)]
pub(super) struct Piece {
    file: FileId,
    /// The number of its first line.
    first: u32,
    text: String,
}

impl Choice {
    pub(crate) const ALL: [Self; 3] = [Self::Hot, Self::All, Self::None];

    /// Its word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::All => "all",
            Self::None => "none",
        }
    }
}

impl Piece {
    /// Bytes of text.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}

/// The source text of a profile, as far as its files are there.
pub(super) fn pieces(model: &Model, choice: Choice) -> Vec<Piece> {
    match choice {
        Choice::None => Vec::new(),
        Choice::All => all(model),
        Choice::Hot => hot(model),
    }
}

/// The text of a file, if it is there.
fn read(model: &Model, file: FileId) -> Option<Vec<String>> {
    Source::read(model.files[file.index()].as_bytes(), &[]).ok().map(|source| source.lines)
}

fn all(model: &Model) -> Vec<Piece> {
    let of_functions = model.functions.iter().filter_map(|function| function.file);
    let files: BTreeSet<FileId> =
        model.lines.iter().map(|line| line.file).chain(of_functions).collect();
    let pieces = files.into_iter().filter_map(|file| {
        let text = read(model, file)?.join("\n");
        Some(Piece { file, first: 1, text })
    });
    pieces.collect()
}

fn hot(model: &Model) -> Vec<Piece> {
    let mut texts: HashMap<FileId, Option<Vec<String>>> = HashMap::new();
    let mut chosen: BTreeMap<FileId, BTreeSet<u32>> = BTreeMap::new();
    let mut bytes = 0;
    for (file, range) in hot_ranges(model) {
        let text = texts.entry(file).or_insert_with(|| read(model, file));
        let Some(text) = text else { continue };
        let lines = chosen.entry(file).or_default();
        let last = (*range.end()).min(text.len() as u32);
        for line in (*range.start()).max(1)..=last {
            let length = text[line as usize - 1].len() + 1;
            if lines.contains(&line) || bytes + length > MOST_BYTES {
                continue;
            }
            bytes += length;
            lines.insert(line);
        }
    }
    let mut pieces: Vec<Piece> = Vec::new();
    for (file, lines) in chosen {
        let Some(Some(text)) = texts.get(&file) else { continue };
        let mut before = None;
        for line in lines {
            let words = &text[line as usize - 1];
            match pieces.last_mut().filter(|_| before == Some(line - 1)) {
                Some(piece) => {
                    piece.text.push('\n');
                    piece.text.push_str(words);
                }
                None => pieces.push(Piece { file, first: line, text: words.clone() }),
            }
            before = Some(line);
        }
    }
    pieces
}

/// The lines of functions worth reading, the hottest first.
fn hot_ranges(model: &Model) -> Vec<(FileId, std::ops::RangeInclusive<u32>)> {
    let mut starts: HashMap<FileId, BTreeSet<u32>> = HashMap::new();
    for function in &model.functions {
        if let (Some(file), Some(line)) = (function.file, function.line) {
            starts.entry(file).or_default().insert(line);
        }
    }
    let mut known: HashMap<FileId, BTreeMap<u32, u64>> = HashMap::new();
    for line in &model.lines {
        // A line that was executed is worth reading as well, but less.
        let weight = line.samples.saturating_mul(2).max(u64::from(line.executions.is_some()));
        known.entry(line.file).or_default().insert(line.line, weight);
    }
    let least = model.sampling.samples as f64 * HOT * 2.0;
    let mut ranges: Vec<(u64, FileId, std::ops::RangeInclusive<u32>)> = Vec::new();
    for (file, lines) in known {
        // Each function ends where the next one begins.
        let starts: Vec<u32> = starts.remove(&file).unwrap_or_default().into_iter().collect();
        let bounds = [0].into_iter().chain(starts.iter().copied());
        let ends = starts.iter().copied().chain([u32::MAX]);
        for (start, end) in bounds.zip(ends) {
            let within = lines.range(start..end);
            let weight: u64 = within.clone().map(|(_, weight)| weight).sum();
            let has_counts = within.clone().any(|(_, weight)| weight % 2 == 1);
            let Some((&first, &last)) =
                within.clone().next().map(|it| it.0).zip(within.clone().last().map(|it| it.0))
            else {
                continue;
            };
            if weight as f64 >= least.max(1.0) || has_counts {
                let first = if start == 0 { first } else { start };
                let last = last.saturating_add(AROUND).min(end - 1);
                if last - first <= LONG {
                    ranges.push((weight, file, first.saturating_sub(ABOVE)..=last));
                    continue;
                }
                ranges.push((weight, file, first.saturating_sub(ABOVE)..=first + ABOVE));
                ranges.extend(within.map(|(&line, _)| {
                    (
                        weight,
                        file,
                        line.saturating_sub(AROUND).max(first)..=(line + AROUND).min(last),
                    )
                }));
            }
        }
    }
    ranges.sort_unstable_by_key(|(weight, file, range)| {
        (std::cmp::Reverse(*weight), *file, *range.start())
    });
    ranges.into_iter().map(|(_, file, range)| (file, range)).collect()
}

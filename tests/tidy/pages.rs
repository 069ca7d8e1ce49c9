//! Pages that can be read in one go: short sentences, short paragraphs, a README and a map of few lines.

use crate::{Text, assert_none, read, texts};

/// Words in the mean sentence of a page, at most.
const MOST_WORDS: f64 = 18.0;
/// Lines in a paragraph, at most.
const MOST_LINES: usize = 8;

#[test]
fn pages_have_short_sentences_and_paragraphs() {
    let texts = texts();
    let is_page = |text: &&Text| text.is("md") && (text.is_below("docs") || is_at_root(text));
    let mut offenders = Vec::new();
    for page in texts.iter().filter(is_page) {
        let path = page.path.display();
        let paragraphs = paragraphs(&page.text);
        let long = paragraphs.iter().filter(|lines| lines.len() > MOST_LINES);
        offenders.extend(long.map(|lines| format!("{path}: {} lines: {}", lines.len(), lines[0])));
        let sentences = paragraphs.iter().flat_map(|lines| sentences(lines));
        let (count, words) =
            sentences.fold((0, 0), |(count, words), sentence| (count + 1, words + sentence));
        let mean = f64::from(words) / f64::from(count.max(1));
        if mean > MOST_WORDS {
            offenders.push(format!("{path}: {mean:.1} words in the mean sentence"));
        }
    }
    assert_none(offenders, "pages that tire");
}

#[test]
fn readme_and_map_are_short() {
    let long =
        [("README.md", 100), ("ARCHITECTURE.md", 120)].into_iter().filter_map(|(page, most)| {
            let lines = read(page).lines().count();
            (lines > most).then(|| format!("{page}: {lines} lines, at most {most}"))
        });
    assert_none(long.collect(), "pages for the first minute");
}

fn is_at_root(text: &Text) -> bool {
    text.path.components().count() == 1
}

/// The paragraphs of a page, items of lists among them; no headings, tables, code or comments.
fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let mut paragraphs = vec![Vec::new()];
    let mut is_code = false;
    for line in text.lines() {
        let start = line.trim_start();
        let is_fence = start.starts_with("```");
        is_code ^= is_fence;
        let is_prose = !is_code && !is_fence && !line.starts_with("    ");
        let is_prose = is_prose && !["|", "#", "<!--"].iter().any(|mark| start.starts_with(mark));
        let is_item = start.starts_with("* ") || start.starts_with("- ");
        let is_item =
            is_item || start.starts_with(|c: char| c.is_ascii_digit()) && start.contains(". ");
        if !is_prose || start.is_empty() || is_item {
            paragraphs.push(Vec::new());
        }
        if is_prose && !start.is_empty() {
            paragraphs.last_mut().expect("one at least").push(line);
        }
    }
    paragraphs.retain(|lines| !lines.is_empty());
    paragraphs
}

/// The number of words in each sentence of a paragraph. Code counts as a word.
fn sentences(lines: &[&str]) -> Vec<u32> {
    let mut counts = vec![0];
    let mut is_code = false;
    for word in lines.iter().flat_map(|line| line.split_whitespace()) {
        if !is_code {
            *counts.last_mut().expect("one at least") += 1;
        }
        is_code ^= word.matches('`').count() % 2 == 1;
        if !is_code && word.trim_end_matches(['*', ')', '"']).ends_with(['.', ':', '?', '!']) {
            counts.push(0);
        }
    }
    counts.retain(|&words| words != 0);
    counts
}

#[test]
fn words_are_counted_as_a_reader_would() {
    let text = "# Head\n\nOne `two words` three. Four\nfive.\n* item six\n\n```\ncode here\n```\n| a | b |\n";
    let counts: Vec<Vec<u32>> = paragraphs(text).iter().map(|lines| sentences(lines)).collect();
    assert_eq!(counts, [vec![3, 2], vec![3]]);
}

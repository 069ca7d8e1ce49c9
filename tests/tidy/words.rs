//! Comments that say at once what a thing is.

use crate::{Text, texts};

/// A comment that begins so makes a clause where a noun or a verb would do: "What reads files" for "Reads files".
const WEAK_BEGINNINGS: [&str; 13] = [
    "What", "Whether", "How", "Where", "Those", "That of", "One", "It", "Who", "By", "So many",
    "Which", "The same",
];

/// How many documentation comments still begin so. The number only falls: if you mend some, write the new one here.
const STILL_WEAK: usize = 95;

#[test]
fn comments_begin_with_a_noun_or_a_verb() {
    let texts = texts();
    let of_users = ["tests", "benches", "examples", "fuzz", "tests/support"];
    let is_product = |text: &&Text| {
        text.is("rs") && !of_users.iter().any(|folder| text.path.iter().any(|part| part == *folder))
    };
    let weak = texts.iter().filter(is_product).map(weak_beginnings).sum::<usize>();
    assert!(
        weak <= STILL_WEAK,
        "{weak} documentation comments begin with one of {WEAK_BEGINNINGS:?}, {STILL_WEAK} did: \
         begin new ones with a noun or a verb"
    );
}

/// Counts documentation comments of a file whose first line begins with one of [`WEAK_BEGINNINGS`].
fn weak_beginnings(text: &Text) -> usize {
    let words = |line: &str| {
        let line = line.trim_start();
        let comment = line.strip_prefix("/// ").or_else(|| line.strip_prefix("//! "))?;
        Some(comment.to_owned())
    };
    let is_weak = |comment: &str| {
        WEAK_BEGINNINGS.iter().any(|weak| {
            let rest = comment.strip_prefix(weak);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    let mut before = None;
    let mut count = 0;
    for line in text.text.lines() {
        let comment = words(line);
        count += usize::from(before.is_none() && comment.as_deref().is_some_and(is_weak));
        before = comment;
    }
    count
}

//! Numbers, paths and foreign text, as they are written for people and read.

use std::env;
use std::path::Path;

pub(crate) use gmon_analyzer::table::{fitted, left};
pub(crate) use gmon_analyzer::{
    harmless,
    numbers::{counted, grouped},
};

/// Reads a part of a hundred.
///
/// # Errors
///
/// The text is no number, or not from 0 to 100.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).parse();
    let number = number.ok().filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 100 is expected".to_owned())
}

/// A path as a word for a shell.
pub(crate) fn quoted(path: &Path) -> String {
    let path = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if path.chars().all(is_plain) {
        path.into()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

/// Text whose paragraphs are a line each, for those who break lines themselves. What is indented stays.
pub(crate) fn flowing(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let is_part = !line.is_empty() && !line.starts_with(' ');
        match lines.last_mut() {
            Some(last) if is_part && !last.is_empty() && !last.starts_with(' ') => {
                last.push(' ');
                last.push_str(line);
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

/// A path as short as it can be: from the current folder, if it lies there.
pub(crate) fn short(path: &Path) -> &Path {
    let current = env::current_dir().unwrap_or_default();
    let short = path.strip_prefix(current).unwrap_or(path);
    short.strip_prefix(".").unwrap_or(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_words_for_a_shell() {
        for (path, word) in [("a.out", "a.out"), ("a b", "'a b'"), ("it's", r"'it'\''s'")] {
            assert_eq!(quoted(Path::new(path)), word);
        }
    }

    #[test]
    fn lines_of_a_paragraph_are_joined() {
        let text = "one\ntwo:\n  a\n  b\n\nthree\nfour";
        assert_eq!(flowing(text), "one two:\n  a\n  b\n\nthree four");
    }
}

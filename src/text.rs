//! How numbers, paths and foreign text are written for people.

use std::borrow::Cow;
use std::env;
use std::path::Path;

pub(crate) use gmon_analyzer::numbers::grouped;

/// `3` and `call` as `3 calls`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let plural = match what.strip_suffix("process") {
        _ if number == 1 => "",
        Some(_) => "es",
        None => "s",
    };
    format!("{} {what}{plural}", grouped(number))
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

/// Text from programs, files or the environment, for a terminal: without control characters, which could
/// make it do anything.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            _ if c.is_control() => shown.extend(c.escape_default()),
            _ => shown.push(c),
        }
    }
    shown.into()
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

/// The columns that are left behind the cells of a row.
pub(crate) fn left(columns: Option<usize>, cells: &str) -> Option<usize> {
    columns.map(|columns| columns.saturating_sub(cells.chars().count()))
}

/// A name and what stands behind it, in so many columns.
pub(crate) fn fitted(name: &str, behind: &str, columns: Option<usize>) -> String {
    const SHORTEST: usize = 8;
    let columns = columns.unwrap_or(usize::MAX);
    if name.chars().count().saturating_add(behind.chars().count()) <= columns {
        return format!("{name}{behind}");
    }
    let room = columns.saturating_sub(behind.chars().count());
    // What stands behind a name gives way only to a readable part of it.
    let (room, behind) = if room < SHORTEST { (columns, "") } else { (room, behind) };
    if name.chars().count() <= room {
        return format!("{name}{behind}");
    }
    let start: String = name.chars().take(room.max(SHORTEST).saturating_sub(3)).collect();
    format!("{start}...{behind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (u64::MAX, "18,446,744,073,709,551,615")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn nouns_follow_their_number() {
        for (number, noun, text) in [
            (1, "call", "1 call"),
            (0, "call", "0 calls"),
            (1, "process", "1 process"),
            (2_000, "process", "2,000 processes"),
        ] {
            assert_eq!(counted(number, noun), text);
        }
    }

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

    #[test]
    fn control_characters_are_shown_and_not_sent() {
        for (text, shown) in [
            ("plain äöü", "plain äöü"),
            ("\x1b[2Jx\n\r\t\x7f", r"\u{1b}[2Jx\n\r\t\u{7f}"),
            ("\u{9b}1m", r"\u{9b}1m"),
        ] {
            assert_eq!(harmless(text), shown);
        }
    }

    #[test]
    fn names_give_way_to_the_width() {
        assert_eq!(fitted("function", " [libm.so.6]", None), "function [libm.so.6]");
        assert_eq!(fitted("a_long_function", " [libm.so.6]", Some(22)), "a_long_... [libm.so.6]");
        assert_eq!(fitted("a_long_function", " [libm.so.6]", Some(15)), "a_long_function");
        assert_eq!(fitted("a_long_function", " [libm.so.6]", Some(12)), "a_long_fu...");
    }
}

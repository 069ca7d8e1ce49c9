//! Numbers, paths, words and foreign text, as they are written for people and read.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub(crate) use gmon_analyzer::table::{fitted, left};
pub(crate) use gmon_analyzer::{
    harmless, is_harmful,
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

/// A path as a word for a shell. What a terminal would not show, or is no text, has escapes that bash, zsh and ksh know.
pub(crate) fn quoted(path: &Path) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    match path.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(is_plain) => return text.to_owned(),
        Some(text) if !text.contains(is_harmful) => {
            return format!("'{}'", text.replace('\'', r"'\''"));
        }
        _ => {}
    }
    let mut word = "$'".to_owned();
    for part in path.as_os_str().as_bytes().utf8_chunks() {
        for c in part.valid().chars() {
            match c {
                '\'' | '\\' | '\n' | '\t' | '\r' => word.extend(c.escape_default()),
                c if is_harmful(c) => push_bytes(&mut word, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => word.push(c),
            }
        }
        push_bytes(&mut word, part.invalid());
    }
    word + "'"
}

fn push_bytes(word: &mut String, bytes: &[u8]) {
    bytes.iter().for_each(|byte| word.push_str(&format!("\\x{byte:02x}")));
}

/// A word of two parts, such as an option and its value.
pub(crate) fn joined(start: impl AsRef<OsStr>, end: impl AsRef<OsStr>) -> OsString {
    let mut word = start.as_ref().to_owned();
    word.push(end);
    word
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
    let short = short.strip_prefix(".").unwrap_or(short);
    // Commands would take it for an option.
    if short.as_os_str().as_bytes().starts_with(b"-") { path } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_words_for_a_shell() {
        for (path, word) in [
            (&b"a.out"[..], "a.out"),
            (b"", "''"),
            (b"a b", "'a b'"),
            (b"it's", r"'it'\''s'"),
            (b"n\nl", r"$'n\nl'"),
            (b"\xe4\xc3\xa4/it's \\ \x1b[31m", r"$'\xe4ä/it\'s \\ \x1b[31m'"),
            ("\u{202e}".as_bytes(), r"$'\xe2\x80\xae'"),
        ] {
            assert_eq!(quoted(Path::new(OsStr::from_bytes(path))), word);
        }
    }

    #[test]
    fn short_paths_are_no_options() {
        let here = env::current_dir().unwrap();
        assert_eq!(short(&here.join("a")), Path::new("a"));
        assert_eq!(short(Path::new("./-a")), Path::new("./-a"));
        assert_eq!(short(&here.join("-a")), here.join("-a"));
    }

    #[test]
    fn lines_of_a_paragraph_are_joined() {
        let text = "one\ntwo:\n  a\n  b\n\nthree\nfour";
        assert_eq!(flowing(text), "one two:\n  a\n  b\n\nthree four");
    }
}

//! Response files: `@FILE` stands for the words in FILE.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Response files may name response files; this deep is deep enough, and ends a circle.
const DEPTH: usize = 16;

/// The words with the content of response files in their place. A file that cannot be read stays
/// the word it is, as the compilers do it.
pub(crate) fn expand(words: &[OsString]) -> Vec<OsString> {
    let mut expanded = Vec::with_capacity(words.len());
    expand_into(&mut expanded, words, DEPTH);
    expanded
}

fn expand_into(expanded: &mut Vec<OsString>, words: &[OsString], depth: usize) {
    for word in words {
        let content = match word.as_bytes() {
            [b'@', file @ ..] if depth > 0 => fs::read(OsStr::from_bytes(file)).ok(),
            _ => None,
        };
        match content {
            Some(content) => expand_into(expanded, &split(&content), depth - 1),
            None => expanded.push(word.clone()),
        }
    }
}

/// Splits at white space. A backslash keeps the next character, quotes of either kind all up to
/// their like, but for a backslash's next character.
fn split(content: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = content.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (Some(end), byte) if byte == end => quote = None,
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None, byte) if byte.is_ascii_whitespace() => words.extend(word.take()),
            (_, byte) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_split_as_compilers_do() {
        #[track_caller]
        fn check(content: &str, words: &[&str]) {
            assert_eq!(split(content.as_bytes()), words, "{content}");
        }
        check("", &[]);
        check(" -c\n\tx.c ", &["-c", "x.c"]);
        check(r#"-DA="a b" 'c d' "" e\ f"#, &["-DA=a b", "c d", "", "e f"]);
        check(r#""a\"b" 'c\'d'"#, &["a\"b", "c'd"]);
        check("\\", &[""]);
    }

    #[test]
    fn a_circle_of_files_ends() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = folder.path().join("circle");
        let mut word = OsString::from("@");
        word.push(&file);
        fs::write(&file, [b"-c ", word.as_bytes()].concat()).expect("response file");
        let expanded = expand(&[word.clone()]);
        assert_eq!(expanded.len(), DEPTH + 1);
        assert_eq!(expanded.last(), Some(&word));
    }
}

//! Words `@FILE` on a command line, which stand for the words that the file holds: as the GNU tools read
//! them, compilers as well as `gprof`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

/// After so many files there must be a circle.
const MOST_FILES: usize = 2000;

/// Why a command line with files of words cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseError {
    /// There are so many files that they must name each other.
    TooMany,
    /// A file is a folder.
    Directory,
}

/// Replaces each `@FILE` by the words of the file; a word that names no file that can be read
/// stays as it is.
///
/// # Errors
/// If there are too many files, or a folder.
pub fn expand(words: &[OsString]) -> Result<Vec<OsString>, ResponseError> {
    let mut expanded = Vec::with_capacity(words.len());
    // The next word is the last of these.
    let mut rest: Vec<OsString> = words.iter().rev().cloned().collect();
    let mut files = 0;
    while let Some(word) = rest.pop() {
        if !word.as_encoded_bytes().starts_with(b"@") {
            expanded.push(word);
            continue;
        }
        files += 1;
        if files > MOST_FILES {
            return Err(ResponseError::TooMany);
        }
        let path = Path::new(OsStr::from_bytes(&word.as_bytes()[1..]));
        if path.is_dir() {
            return Err(ResponseError::Directory);
        }
        match read(path) {
            Some(text) => rest.extend(split(&text).into_iter().rev()),
            None => expanded.push(word),
        }
    }
    Ok(expanded)
}

/// The text of a file, if there is one; a device has none, and might never end.
fn read(path: &Path) -> Option<Vec<u8>> {
    let kind = fs::metadata(path).ok()?.file_type();
    if kind.is_char_device() {
        return Some(Vec::new());
    }
    kind.is_file().then(|| fs::read(path).ok()).flatten()
}

/// Splits a text at blanks. Quotes keep blanks, and a backslash any letter, also within quotes.
fn split(text: &[u8]) -> Vec<OsString> {
    // For the C library a NUL is the end.
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let mut found = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        if quote == Some(byte) {
            quote = None;
        } else if byte == b'\\' {
            word.get_or_insert_default().extend(bytes.next());
        } else if quote.is_some() {
            word.get_or_insert_default().push(byte);
        } else if matches!(byte, b'\'' | b'"') {
            quote = Some(byte);
            word.get_or_insert_default();
        } else if byte.is_ascii_whitespace() || byte == 0x0b {
            found.extend(word.take().map(OsString::from_vec));
        } else {
            word.get_or_insert_default().push(byte);
        }
    }
    found.extend(word.map(OsString::from_vec));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_the_gnu_tools_do() {
        for (text, words) in [
            ("", &[][..]),
            (" \n", &[]),
            ("a b\n\tc", &["a", "b", "c"]),
            ("'a b' c\"d e\"f", &["a b", "cd ef"]),
            ("a\\ b \\'c \\\\", &["a b", "'c", "\\"]),
            ("'a\\'b' \"c\\\"d\"", &["a'b", "c\"d"]),
            ("'a\"b' \"c'd\"", &["a\"b", "c'd"]),
            ("'' a", &["", "a"]),
            ("'open end", &["open end"]),
            ("a\0b", &["a"]),
            ("a\\", &["a"]),
        ] {
            assert_eq!(split(text.as_bytes()), words, "{text}");
        }
    }

    #[test]
    fn files_may_name_further_files_but_not_themselves() {
        let dir = tempfile::tempdir().unwrap();
        let word = |name: &str| OsString::from(format!("@{}", dir.path().join(name).display()));
        let file = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        file("outer", &format!("1 {} 4", word("inner").to_str().unwrap()));
        file("inner", "2 3");
        file("circle", word("circle").to_str().unwrap());
        let words = [OsString::from("0"), word("outer"), word("missing")];
        let expected = ["0", "1", "2", "3", "4"].map(OsString::from).into_iter();
        assert_eq!(expand(&words).unwrap(), expected.chain([word("missing")]).collect::<Vec<_>>());
        assert_eq!(expand(&[word("circle")]), Err(ResponseError::TooMany));
        assert_eq!(expand(&[word("")]), Err(ResponseError::Directory));
    }
}

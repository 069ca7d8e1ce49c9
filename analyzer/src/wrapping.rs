//! Text for people, broken into lines between its words.

use std::iter;

use crate::table::width;

/// The lines of a text, none of more columns than these unless a single word is longer.
pub fn wrapped(text: &str, columns: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    iter::from_fn(move || {
        let text = rest?;
        let len = line_len(text, columns);
        rest = text.get(len + 1..);
        Some(&text[..len])
    })
}

/// The bytes of the first line, up to the space that it ends with or to the end of the text.
fn line_len(text: &str, columns: usize) -> usize {
    let ends = text.match_indices(' ').map(|(byte, _)| byte).chain([text.len()]);
    let mut column = 0;
    let mut fitting = None;
    for byte in ends {
        column += width(&text[fitting.unwrap_or(0)..byte]);
        if column > columns {
            return fitting.unwrap_or(byte);
        }
        fitting = Some(byte);
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_break_before_the_word_that_does_not_fit() {
        for (text, columns, lines) in [
            ("", 5, &[""][..]),
            ("one", 2, &["one"]),
            ("one two", 7, &["one two"]),
            ("one two", 6, &["one", "two"]),
            ("a longest b", 3, &["a", "longest", "b"]),
            ("\u{e4}\u{f6} \u{fc}", 4, &["\u{e4}\u{f6} \u{fc}"]),
            ("関数 名", 6, &["関数", "名"]),
        ] {
            assert_eq!(wrapped(text, columns).collect::<Vec<_>>(), lines, "{text} in {columns}");
        }
    }
}

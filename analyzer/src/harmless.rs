//! Foreign text, as names of functions and paths are, made harmless to the programs that show it.

use std::borrow::Cow;

/// Text for a terminal. What the terminal would obey, reorder or hide is escaped.
#[must_use]
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_harmful(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown.into()
}

/// Text for a cell of a table that spreadsheets open. They would take it for a formula if it began with one of these
/// characters, so an apostrophe comes before it, which they do not show.
#[must_use]
pub fn harmless_cell(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

/// True of characters that a terminal obeys, that turn the direction of the text around them, end its line, or are not seen.
#[must_use]
pub fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Marks, embeddings, overrides and isolates of direction.
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Ends of lines and paragraphs.
            | '\u{2028}' | '\u{2029}'
            // No width, but for the joiners that scripts need; tags.
            | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_nothing_to_obey_reorder_or_hide() {
        for (text, shown) in [
            ("plain äöü 漢字 \u{5e9}\u{200d}", "plain äöü 漢字 \u{5e9}\u{200d}"),
            ("\x1b[2Jx\n\r\t\x7f", r"\u{1b}[2Jx\n\r\t\u{7f}"),
            ("\u{9b}1m", r"\u{9b}1m"),
            ("a\u{202e}b\u{2066}c\u{2069}\u{200f}", r"a\u{202e}b\u{2066}c\u{2069}\u{200f}"),
            ("ma\u{200b}in\u{feff}\u{2028}\u{e0041}", r"ma\u{200b}in\u{feff}\u{2028}\u{e0041}"),
        ] {
            assert_eq!(harmless(text), shown);
        }
    }

    #[test]
    fn cells_are_no_formulas() {
        for (text, cell) in [
            ("main", "main"),
            ("=1+1", "'=1+1"),
            ("@x", "'@x"),
            ("+f", "'+f"),
            ("-[Shape draw]", "'-[Shape draw]"),
            ("\t=1", "'\t=1"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(harmless_cell(text), cell);
        }
    }
}

//! Takes LLVM's notes about its list of functions out of what rustc says.
//!
//! For each function of the list and each unit of the crate that does not have it there is a note. They
//! come in pieces, from several threads at once, so that they may begin or break anything; what rustc
//! says itself is a line of its own in JSON, or plain text.

use std::io::{self, BufRead, Write};

/// Pieces of the notes, with numbers in between.
const PIECES: [&str; 2] = ["Function in CSV file at line ", " does not exist."];

/// Copies what rustc says but for the notes.
pub(super) fn remove(mut from: impl BufRead, mut to: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        let text = without_notes(line.strip_suffix(b"\n").unwrap_or(&line));
        if let Some(text) = text {
            to.write_all(&[text, b"\n"].concat())?;
        }
        line.clear();
    }
    Ok(())
}

/// Rest of a line without the pieces at its start and its end; none, if it is nothing else.
fn without_notes(line: &[u8]) -> Option<&[u8]> {
    let mut rest = line;
    loop {
        let shorter = PIECES.iter().find_map(|piece| {
            let piece = piece.as_bytes();
            let start = without_number(rest).strip_prefix(piece).map(without_number);
            start.or_else(|| rest.strip_suffix(piece).map(without_number_behind))
        });
        match shorter {
            Some([]) => return None,
            Some(shorter) => rest = shorter,
            None => return Some(rest),
        }
    }
}

fn without_number(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|byte| byte.is_ascii_digit()).count()..]
}

fn without_number_behind(text: &[u8]) -> &[u8] {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    &text[..text.len() - digits]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_go_and_all_else_stays() {
        for (said, left) in [
            ("Function in CSV file at line 7 does not exist.\n", ""),
            (
                "Function in CSV file at line Function in CSV file at line 12 does not exist.\n\
                 3 does not exist.\n does not exist.\n",
                "",
            ),
            ("Function in CSV file at line {\"a\":1}\n3 does not exist.\n", "{\"a\":1}\n"),
            ("Function in CSV file at line 3{\"a\":1}\n does not exist.\n", "{\"a\":1}\n"),
            ("{\"a\":1}Function in CSV file at line 4 does not exist.\n\n", "{\"a\":1}\n\n"),
            ("warning: unused\n\n  --> 12\n12\n", "warning: unused\n\n  --> 12\n12\n"),
            (
                "{\"m\":\"Function in CSV file at line 4\"}\n",
                "{\"m\":\"Function in CSV file at line 4\"}\n",
            ),
            ("no end of line", "no end of line\n"),
        ] {
            let mut out = Vec::new();
            remove(said.as_bytes(), &mut out).expect("memory");
            assert_eq!(String::from_utf8_lossy(&out), left, "{said:?}");
        }
    }
}

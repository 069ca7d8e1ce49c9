//! Patterns of names, in which `*` stands for any characters and `?` for one.

/// Returns `true` if a name fits a pattern.
#[must_use]
pub fn fits<N: AsRef<[u8]> + ?Sized>(pattern: &N, name: &N) -> bool {
    let (mut pattern, mut name) = (pattern.as_ref(), name.as_ref());
    // Where to go on when what follows the last `*` does not fit: one character further.
    let mut again: Option<(&[u8], &[u8])> = None;
    loop {
        match (pattern.split_first(), name.split_first()) {
            (Some((b'*', rest)), _) => {
                again = Some((rest, name));
                pattern = rest;
                continue;
            }
            (Some((b'?', rest)), Some((_, others))) => {
                (pattern, name) = (rest, behind_character(others));
                continue;
            }
            (Some((wanted, rest)), Some((byte, others))) if wanted == byte => {
                (pattern, name) = (rest, others);
                continue;
            }
            (None, None) => return true,
            _ => {}
        }
        let Some((rest, [_, others @ ..])) = again else { return false };
        (pattern, name, again) = (rest, others, Some((rest, others)));
    }
}

/// Rest behind the bytes that UTF-8 has behind the first of a character.
fn behind_character(mut rest: &[u8]) -> &[u8] {
    while let [0x80..=0xbf, others @ ..] = rest {
        rest = others;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_names() {
        for (pattern, name, does) in [
            ("malloc", "malloc", true),
            ("malloc", "mallo", false),
            ("mallo?", "malloc", true),
            ("*", "", true),
            ("SSL_*", "SSL_read", true),
            ("SSL_*", "XSSL_read", false),
            ("*a*b", "xaxabxb", true),
            ("*a*b", "xaxabx", false),
            ("lib*.so.?", "libssl.so.3", true),
            ("*::parse*", "json::parse::<u8>", true),
            ("?ain", "ain", false),
            ("*a*b", "ab a", false),
            ("größe?", "größen", true),
            ("gr??en", "größen", true),
            ("gr???en", "größen", false),
            ("", "", true),
        ] {
            assert_eq!(fits(pattern, name), does, "{pattern} {name}");
        }
    }
}

//! Patterns of names, in which `*` stands for any characters and `?` for one.

/// Whether a name fits a pattern.
#[must_use]
pub fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut pattern, mut name) = (pattern, name);
    // Where to go on when what follows the last `*` does not fit: one character further.
    let mut again: Option<(&[u8], &[u8])> = None;
    loop {
        match (pattern.split_first(), name.split_first()) {
            (Some((b'*', rest)), _) => {
                again = Some((rest, name));
                pattern = rest;
                continue;
            }
            (Some((wanted, rest)), Some((byte, others))) if [*byte, b'?'].contains(wanted) => {
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
        ] {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), does, "{pattern} {name}");
        }
    }
}

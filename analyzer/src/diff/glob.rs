//! Patterns of names: `*` stands for any text, `?` for one character.

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(pub(super) String);

impl Glob {
    /// Whether it stands for all of a text.
    pub(super) fn matches(&self, text: &str) -> bool {
        let (pattern, text): (Vec<char>, Vec<char>) =
            (self.0.chars().collect(), text.chars().collect());
        let (mut at, mut place) = (0, 0);
        // Behind the last `*`, and where its text ends as far as we know.
        let mut star: Option<(usize, usize)> = None;
        while place < text.len() {
            match pattern.get(at) {
                Some('*') => {
                    star = Some((at + 1, place));
                    at += 1;
                }
                Some(c) if *c == '?' || *c == text[place] => (at, place) = (at + 1, place + 1),
                _ => match &mut star {
                    Some((behind, end)) => {
                        *end += 1;
                        (at, place) = (*behind, *end);
                    }
                    None => return false,
                },
            }
        }
        pattern[at..].iter().all(|c| *c == '*')
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn patterns_stand_for_whole_names() {
        for (pattern, text, matches) in [
            ("parse", "parse", true),
            ("parse", "parser", false),
            ("parse*", "parse(int, char const*)", true),
            ("*::parse*", "json::parse::<u8>", true),
            ("?ain", "main", true),
            ("?ain", "ain", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b", "ab a", false),
            ("", "", true),
            ("*", "", true),
            ("größe?", "größen", true),
        ] {
            assert_eq!(Glob(pattern.to_owned()).matches(text), matches, "{pattern} {text}");
        }
    }
}

//! Symspecs: how users name the symbols and calls that a report is about.

use crate::c_numbers;

/// Symbols by their source file, line or name. What is not given matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symspec {
    /// Last component of the path of a source file.
    pub file: Option<Vec<u8>>,
    /// Thing named in the file.
    pub part: Part,
}

/// A place in a source file, or anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of it.
    #[default]
    All,
    /// The code of one line.
    Line(u32),
    /// A function, by the name that the linker knows.
    Function(Vec<u8>),
}

/// A selection as it was typed: symbols or, with a slash, calls between symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selector {
    /// The symbols; of calls, the callers.
    pub symbols: Symspec,
    /// Functions that are called.
    pub callees: Option<Symspec>,
}

impl Selector {
    /// Reads `SYMSPEC` or `SYMSPEC/SYMSPEC`; every text is one.
    #[must_use]
    pub fn parse(text: &[u8]) -> Self {
        let mut sides = text.splitn(2, |&byte| byte == b'/').map(Symspec::parse);
        Self { symbols: sides.next().unwrap_or_default(), callees: sides.next() }
    }
}

impl Symspec {
    /// The functions of this name.
    #[must_use]
    pub fn function(name: &str) -> Self {
        Self { file: None, part: Part::Function(name.as_bytes().to_owned()) }
    }

    /// Returns `true` if it is about source files or lines.
    #[must_use]
    pub fn names_source(&self) -> bool {
        self.file.is_some() || matches!(self.part, Part::Line(_))
    }

    /// Returns `true` if a function of this file, at this line, and of this name is meant.
    #[must_use]
    pub(crate) fn is_of(&self, path: &[u8], line: u32, name: &[u8]) -> bool {
        let file = path.rsplit(|&byte| byte == b'/').next();
        let is_part = match &self.part {
            Part::All => true,
            Part::Line(wanted) => *wanted == line,
            Part::Function(wanted) => wanted == name,
        };
        is_part && self.file.as_ref().is_none_or(|wanted| file == Some(&wanted[..]))
    }

    /// Description of the request, for a program in which there is no such thing.
    #[must_use]
    pub fn what(&self) -> String {
        let in_file = |what: String| match &self.file {
            Some(file) => format!("{what} in {}", String::from_utf8_lossy(file)),
            None => what,
        };
        match (&self.part, &self.file) {
            (Part::All, Some(file)) => format!("code of {}", String::from_utf8_lossy(file)),
            (Part::All, None) => "code".to_owned(),
            (Part::Line(line), _) => in_file(format!("code of line {line}")),
            (Part::Function(name), _) => {
                in_file(format!("function {}", String::from_utf8_lossy(name)))
            }
        }
    }

    /// Reads `FILE:LINE`, `FILE:FUNCTION`, `FILE`, `LINE` or `FUNCTION`; every text is one of them.
    fn parse(text: &[u8]) -> Self {
        if let Some(colon) = text.iter().rposition(|&byte| byte == b':') {
            let (file, part) = (&text[..colon], Part::parse(&text[colon + 1..]));
            return Self { file: (!file.is_empty()).then(|| file.to_owned()), part };
        }
        if text.contains(&b'.') {
            return Self { file: Some(text.to_owned()), part: Part::All };
        }
        Self { file: None, part: Part::parse(text) }
    }
}

impl Part {
    fn parse(text: &[u8]) -> Self {
        match text.first() {
            None => Self::All,
            Some(byte) if byte.is_ascii_digit() => {
                // A line 0 does not exist and so restricts nothing.
                match c_numbers::int(text) {
                    0 => Self::All,
                    line => Self::Line(line as u32),
                }
            }
            Some(_) => Self::Function(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_dots_and_digits_tell_files_lines_and_functions_apart() {
        let file = |file: &str, part| Symspec { file: Some(file.into()), part };
        let anywhere = |part| Symspec { file: None, part };
        let function = |name: &str| Part::Function(name.into());
        for (text, spec) in [
            ("", anywhere(Part::All)),
            ("main", anywhere(function("main"))),
            ("12", anywhere(Part::Line(12))),
            ("0", anywhere(Part::All)),
            ("0x10", anywhere(Part::All)),
            ("a.c", file("a.c", Part::All)),
            ("a.c:", file("a.c", Part::All)),
            ("a:", file("a", Part::All)),
            ("a.c:12", file("a.c", Part::Line(12))),
            ("a.c:12x", file("a.c", Part::Line(12))),
            ("a.c:f.1", file("a.c", function("f.1"))),
            ("b:a.c:f", file("b:a.c", function("f"))),
            (":f", anywhere(function("f"))),
            (":", anywhere(Part::All)),
            ("::f", file(":", function("f"))),
        ] {
            assert_eq!(Symspec::parse(text.as_bytes()), spec, "{text}");
        }
    }

    #[test]
    fn the_first_slash_makes_it_calls() {
        let arcs = Selector::parse(b"a.c:f/g");
        assert_eq!(arcs.symbols, Symspec::parse(b"a.c:f"));
        assert_eq!(arcs.callees, Some(Symspec::parse(b"g")));
        assert_eq!(Selector::parse(b"/g").symbols, Symspec::default());
        assert_eq!(Selector::parse(b"f/").callees, Some(Symspec::default()));
        assert_eq!(Selector::parse(b"f").callees, None);
    }
}

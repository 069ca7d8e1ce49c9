//! The path of a function in its source, by its linker name: `lex::Parser::line` for Rust's
//! `_RNvMNtC1a3lexNtB2_6Parser4line` and for C++'s `_ZN3lex6Parser4lineEi`.
//!
//! Just enough to compare with a pattern: types and generic arguments are left out, and so are traits, so that
//! `<a::Set<u8> as Drop>::drop` is `a::Set::drop`. A type without a name of its own, such as `[u8]`, is `_`.
//!
//! Nothing is allocated, since the runtime reads names as well. A path that is too long or too deep is none.

/// The longest path.
const LEN: usize = 512;

/// Depth of paths and types within each other: programs may start on small stacks.
const DEPTH: u32 = 24;

/// A path.
pub struct SourcePath {
    bytes: [u8; LEN],
    len: usize,
}

impl SourcePath {
    /// The path of the function with a linker name; `None` if the name does not tell it.
    #[must_use]
    pub fn of(name: &[u8]) -> Option<Self> {
        let path = Self { bytes: [0; LEN], len: 0 };
        match name {
            [b'_', b'R', name @ ..] => {
                let mut reader = Rust { name, at: 0, depth: 0, path, is_silent: false };
                reader.path()?;
                Some(reader.path)
            }
            [b'_', b'Z', name @ ..] => cpp(name, path),
            _ => None,
        }
    }

    /// The path as text.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    fn push(&mut self, text: &[u8]) -> Option<()> {
        let end = self.len.checked_add(text.len())?;
        self.bytes.get_mut(self.len..end)?.copy_from_slice(text);
        self.len = end;
        Some(())
    }

    fn push_number(&mut self, number: usize) -> Option<()> {
        if number >= 10 {
            self.push_number(number / 10)?;
        }
        self.push(&[b'0' + (number % 10) as u8])
    }
}

/// Reads a name of C++, or of Rust's older scheme, whose last part is a hash. Names with template arguments inside
/// of the path are left out.
fn cpp(name: &[u8], mut path: SourcePath) -> Option<SourcePath> {
    let (mut rest, is_nested) = match name {
        [b'N', rest @ ..] => (rest, true),
        rest => (rest, false),
    };
    while let [b'r' | b'V' | b'K' | b'R' | b'O' | b'L', after @ ..] = rest {
        rest = after;
    }
    loop {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, after) = rest.split_at_checked(digits)?;
        let len = number.iter().try_fold(0usize, |sum, digit| {
            sum.checked_mul(10)?.checked_add(usize::from(digit - b'0'))
        })?;
        let (part, after) = after.split_at_checked(len)?;
        let is_hash = part.len() == 17 && part.starts_with(b"h") && after == b"E";
        if part.is_empty() {
            return None;
        }
        if !(is_hash && path.len > 0) {
            if path.len > 0 {
                path.push(b"::")?;
            }
            path.push(part)?;
        }
        rest = after;
        match rest {
            _ if !is_nested => return Some(path),
            [b'E', ..] => return Some(path),
            _ => {}
        }
    }
}

/// Reads a name of Rust's newer scheme (RFC 2603).
struct Rust<'n> {
    /// Text behind `_R`, where references begin to count.
    name: &'n [u8],
    at: usize,
    depth: u32,
    /// Path read so far.
    path: SourcePath,
    /// True if what is read does not belong to the path.
    is_silent: bool,
}

impl Rust<'_> {
    fn peek(&self) -> Option<u8> {
        self.name.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Goes past a byte if it is the next.
    fn is_next(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == Some(byte);
        self.at += usize::from(is_it);
        is_it
    }

    fn write(&mut self, text: &[u8]) -> Option<()> {
        if self.is_silent { Some(()) } else { self.path.push(text) }
    }

    /// Reads something that does not belong to the path.
    fn skip(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let was_silent = core::mem::replace(&mut self.is_silent, true);
        let was_read = read(self);
        self.is_silent = was_silent;
        was_read
    }

    /// Reads something that may have the like inside it.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        let was_read = if self.depth <= DEPTH { read(self) } else { None };
        self.depth -= 1;
        was_read
    }

    /// A number to the base of 62, which an underscore ends; nothing before it is 0.
    fn base_62(&mut self) -> Option<usize> {
        let mut number = 0usize;
        if self.is_next(b'_') {
            return Some(0);
        }
        loop {
            let digit = match self.next()? {
                b'_' => return number.checked_add(1),
                byte @ b'0'..=b'9' => byte - b'0',
                byte @ b'a'..=b'z' => byte - b'a' + 10,
                byte @ b'A'..=b'Z' => byte - b'A' + 36,
                _ => return None,
            };
            number = number.checked_mul(62)?.checked_add(usize::from(digit))?;
        }
    }

    /// Number that tells apart parts of one name; 0 where there is none.
    fn disambiguator(&mut self) -> Option<usize> {
        if self.is_next(b's') { self.base_62()?.checked_add(1) } else { Some(0) }
    }

    /// A part of a path, as it stands.
    fn part(&mut self) -> Option<(usize, usize)> {
        // Letters beyond ASCII are left as they are written in linker names.
        self.is_next(b'u');
        let mut len = 0usize;
        let mut digits = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            // A part without letters is one zero, before a part that may begin with a digit.
            if digits == 1 && len == 0 {
                break;
            }
            len = len.checked_mul(10)?.checked_add(usize::from(digit - b'0'))?;
            digits += 1;
            self.at += 1;
        }
        self.is_next(b'_');
        let start = self.at;
        self.at = start.checked_add(len).filter(|end| digits > 0 && *end <= self.name.len())?;
        Some((start, self.at))
    }

    fn write_part(&mut self, (start, end): (usize, usize)) -> Option<()> {
        let part = self.name.get(start..end)?;
        self.write(part)
    }

    /// A path.
    fn path(&mut self) -> Option<()> {
        self.deeper(|this| match this.next()? {
            b'C' => {
                this.disambiguator()?;
                let part = this.part()?;
                this.write_part(part)
            }
            b'N' => this.nested(),
            b'I' => {
                this.path()?;
                this.skip(Self::arguments)
            }
            b'M' => {
                this.skip(Self::implementation)?;
                this.of_type()
            }
            b'X' => {
                this.skip(Self::implementation)?;
                this.of_type()?;
                this.skip(Self::path)
            }
            b'Y' => {
                this.of_type()?;
                this.skip(Self::path)
            }
            b'B' => this.reference(Self::path),
            _ => None,
        })
    }

    /// A path and a part of it, which is a closure or the like if its kind is a capital letter.
    fn nested(&mut self) -> Option<()> {
        let kind = self.next()?;
        self.path()?;
        let number = self.disambiguator()?;
        let part = self.part()?;
        self.write(b"::")?;
        if !kind.is_ascii_uppercase() {
            return self.write_part(part);
        }
        self.write(match kind {
            b'C' => b"{closure",
            b'S' => b"{shim",
            _ => b"{",
        })?;
        if part.0 < part.1 {
            self.write(b":")?;
            self.write_part(part)?;
        }
        self.write(b"#")?;
        if !self.is_silent {
            self.path.push_number(number)?;
        }
        self.write(b"}")
    }

    /// Reads the place of an implementation.
    fn implementation(&mut self) -> Option<()> {
        self.disambiguator()?;
        self.path()
    }

    /// Reads again what a place further to the left has.
    fn reference(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let here = self.at;
        let place = self.base_62()?;
        if self.is_silent {
            return Some(());
        }
        if place >= here {
            return None;
        }
        let after = core::mem::replace(&mut self.at, place);
        read(self)?;
        self.at = after;
        Some(())
    }

    /// Generic arguments.
    fn arguments(&mut self) -> Option<()> {
        self.until_end(|this| match this.peek()? {
            b'L' => this.number_behind(b'L'),
            b'K' => {
                this.at += 1;
                this.constant()
            }
            _ => this.of_type(),
        })
    }

    fn until_end(&mut self, mut read: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        while !self.is_next(b'E') {
            read(self)?;
        }
        Some(())
    }

    /// A number, if the letter for it comes first.
    fn number_behind(&mut self, letter: u8) -> Option<()> {
        if self.is_next(letter) { self.base_62().map(|_| ()) } else { Some(()) }
    }

    fn constant(&mut self) -> Option<()> {
        match self.peek()? {
            b'p' => self.next().map(|_| ()),
            b'B' => {
                self.at += 1;
                self.reference(Self::constant)
            }
            _ => {
                self.of_type()?;
                while self.next()? != b'_' {}
                Some(())
            }
        }
    }

    /// A type: its path, if it has one.
    fn of_type(&mut self) -> Option<()> {
        match self.peek()? {
            b'C' | b'N' | b'I' | b'M' | b'X' | b'Y' => self.path(),
            b'B' => {
                self.at += 1;
                self.deeper(|this| this.reference(Self::of_type))
            }
            _ => {
                self.write(b"_")?;
                self.skip(|this| this.deeper(Self::unnamed_type))
            }
        }
    }

    fn unnamed_type(&mut self) -> Option<()> {
        match self.next()? {
            b'a'..=b'z' => Some(()),
            b'A' => {
                self.of_type()?;
                self.constant()
            }
            b'R' | b'Q' => {
                self.number_behind(b'L')?;
                self.of_type()
            }
            b'S' | b'P' | b'O' => self.of_type(),
            b'T' => self.until_end(Self::of_type),
            b'F' => {
                self.number_behind(b'G')?;
                self.is_next(b'U');
                if self.is_next(b'K') && !self.is_next(b'C') {
                    self.part()?;
                }
                self.until_end(Self::of_type)?;
                self.of_type()
            }
            b'D' => {
                self.number_behind(b'G')?;
                self.until_end(|this| {
                    this.path()?;
                    while this.is_next(b'p') {
                        this.part()?;
                        this.of_type()?;
                    }
                    Some(())
                })?;
                self.number_behind(b'L')
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use core::str;

    use super::*;

    #[test]
    fn names_have_paths() {
        for (name, path) in [
            ("_RNvNtCs12jkoC9p3aE_1p3lex10parse_word", "p::lex::parse_word"),
            ("_RINvNtCs12jkoC9p3aE_1p3lex3genhEB4_", "p::lex::gen"),
            ("_RNvMs_NtCs12jkoC9p3aE_1p3lexNtB4_3Foo4line", "p::lex::Foo::line"),
            ("_RNvMs0_NtCs12jkoC9p3aE_1p3lexINtB5_1GmE3getB7_", "p::lex::G::get"),
            ("_RNvNtNtCs12jkoC9p3aE_1p3lex2ueu9gre_6ka8i", "p::lex::ue::gre_6ka8i"),
            ("_RNvXCs12jkoC9p3aE_1pNtB2_3FooNtB2_2Tr2go.llvm.77", "p::Foo::go"),
            ("_RNvYNtCs12jkoC9p3aE_1p3FooNtB4_2Tr4dflt", "p::Foo::dflt"),
            ("_RNvXCs12jkoC9p3aE_1pRShNtB2_2Tr2go", "_::go"),
            ("_RNCNvCs12jkoC9p3aE_1p4main0B3_", "p::main::{closure#0}"),
            ("_RNCNvCs12jkoC9p3aE_1p4mains9_0B3_", "p::main::{closure#11}"),
            (
                "_RNSNvYNCINvNtCsjr_3std2rt10lang_startuE0INtNtNtCsg_4core3ops8function6FnOnceuE9call_once6vtableCs12_1p",
                "std::rt::lang_start::{closure#0}::call_once::{shim:vtable#0}",
            ),
            // Each kind of type and constant, between two names.
            ("_RNvMCs_1pINtB2_1GAhj4_TmReEFUKCReEuFEuDNtB2_1Tp1TuEL_Kj7f_KpL0_E1f", "p::G::f"),
            ("_ZN6Parser4lineEi", "Parser::line"),
            ("_ZNK6Parser4lineEv", "Parser::line"),
            ("_ZN1p3lex10parse_word17h0123456789abcdefE", "p::lex::parse_word"),
            ("_ZL4linei", "line"),
            ("_Z5twiceIiET_S0_", "twice"),
        ] {
            let found = SourcePath::of(name.as_bytes());
            let found = found.as_ref().map(|path| str::from_utf8(path.bytes()).unwrap());
            assert_eq!(found, Some(path), "{name}");
        }
    }

    #[test]
    fn other_names_have_none() {
        for name in [
            "main",
            "",
            "_R",
            "_Z",
            "_ZN",
            "_ZNSt6vectorIiSaIiEE9push_backERKi",
            "_ZN3abE",
            "_ZN99999999999999999999aE",
            "_RNvC1a9short",
            "_RNvB_1a",
            "_RNvB0_1a",
            "_RB99999999999999999999_",
            "_RNvC1a",
        ] {
            assert!(SourcePath::of(name.as_bytes()).is_none(), "{name}");
        }
        // Too deep, and too long.
        let deep = [b"_R".as_slice(), &[b'I'; 9999], b"C1aE"].concat();
        assert!(SourcePath::of(&deep).is_none());
        let long = [b"_ZN600".as_slice(), &[b'a'; 600], b"E"].concat();
        assert!(SourcePath::of(&long).is_none());
    }
}

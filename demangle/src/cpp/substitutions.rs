//! Parts of a name that are written as a number or letter: those mentioned before, and a few names
//! of the standard library.

use super::parser::Parser;
use super::tree::{Node, NodeId};

/// A name of the standard library that has a letter of its own.
struct Standard {
    letter: u8,
    name: &'static [u8],
    /// Class that its constructor is named after.
    class: &'static [u8],
    /// The name that is used when its constructor follows.
    constructed: &'static [u8],
}

const STANDARD: [Standard; 6] = [
    Standard {
        letter: b'a',
        name: b"std::allocator",
        class: b"allocator",
        constructed: b"std::allocator",
    },
    Standard {
        letter: b'b',
        name: b"std::basic_string",
        class: b"basic_string",
        constructed: b"std::basic_string",
    },
    Standard {
        letter: b's',
        name: b"std::string",
        class: b"basic_string",
        constructed: b"std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
    },
    Standard {
        letter: b'i',
        name: b"std::istream",
        class: b"basic_istream",
        constructed: b"std::basic_istream<char, std::char_traits<char> >",
    },
    Standard {
        letter: b'o',
        name: b"std::ostream",
        class: b"basic_ostream",
        constructed: b"std::basic_ostream<char, std::char_traits<char> >",
    },
    Standard {
        letter: b'd',
        name: b"std::iostream",
        class: b"basic_iostream",
        constructed: b"std::basic_iostream<char, std::char_traits<char> >",
    },
];

impl Parser<'_> {
    /// `S_`, `S0_` and so on, or a letter for a name of the standard library. In a scope that has
    /// a constructor next, the whole name of its class is used.
    pub(super) fn substitution(&mut self, is_scope: bool) -> Option<NodeId> {
        self.expect(b"S")?;
        let letter = self.peek();
        if letter == b'_' || letter.is_ascii_digit() || letter.is_ascii_uppercase() {
            let place = self.sequence_number()?;
            return self.substitutions.get(place).copied();
        }
        self.next();
        let standard = STANDARD.iter().find(|standard| standard.letter == letter)?;
        let is_constructed = is_scope && matches!(self.peek(), b'C' | b'D');
        self.last_name = Some(self.add(Node::Name(standard.class)));
        let name = if is_constructed { standard.constructed } else { standard.name };
        let mut id = self.add(Node::Name(name));
        let is_tagged = self.peek() == b'B';
        while self.eat(b"B") {
            let len = usize::try_from(self.number()?).ok()?;
            let tag = self.take(len)?;
            id = self.add(Node::AbiTag(id, tag));
        }
        Some(if is_tagged { self.remember(id) } else { id })
    }

    /// `_` is 0, `0_` is 1 and so on, in base 36.
    fn sequence_number(&mut self) -> Option<usize> {
        let mut number: usize = 0;
        let mut is_first = true;
        while !self.eat(b"_") {
            let digit = char::from(self.next()?).to_digit(36)? as usize;
            number = number.checked_mul(36)?.checked_add(digit)?;
            is_first = false;
        }
        Some(if is_first { 0 } else { number + 1 })
    }
}

//! The grammar of types.

use super::reader::Reader;

/// The types that are not part of another one.
fn basic(letter: u8) -> Option<&'static str> {
    Some(match letter {
        b'a' => "char",
        b'b' => "bool",
        b'c' => "creal",
        b'd' => "double",
        b'e' => "real",
        b'f' => "float",
        b'g' => "byte",
        b'h' => "ubyte",
        b'i' => "int",
        b'j' => "ireal",
        b'k' => "uint",
        b'l' => "long",
        b'm' => "ulong",
        b'n' => "typeof(null)",
        b'o' => "ifloat",
        b'p' => "idouble",
        b'q' => "cfloat",
        b'r' => "cdouble",
        b's' => "short",
        b't' => "ushort",
        b'u' => "wchar",
        b'v' => "void",
        b'w' => "dchar",
        _ => return None,
    })
}

/// The attributes of functions, which follow an `N`.
fn attribute(letter: u8) -> Option<&'static str> {
    Some(match letter {
        b'a' => "pure ",
        b'b' => "nothrow ",
        b'c' => "ref ",
        b'd' => "@property ",
        b'e' => "@trusted ",
        b'f' => "@safe ",
        b'i' => "@nogc ",
        b'j' => "return ",
        b'l' => "scope ",
        b'm' => "@live ",
        _ => return None,
    })
}

impl Reader<'_> {
    pub(super) fn read_type(&mut self, out: &mut Vec<u8>) -> Option<()> {
        self.nested(|reader| reader.type_here(out))
    }

    fn type_here(&mut self, out: &mut Vec<u8>) -> Option<()> {
        if self.is_at_linkage() {
            self.function(out)?;
            out.extend_from_slice(b"function");
            return Some(());
        }
        if self.peek() == b'Q' {
            return self.referenced(out, Self::read_type);
        }
        match self.next()? {
            b'O' => self.wrapped(out, "shared("),
            b'x' => self.wrapped(out, "const("),
            b'y' => self.wrapped(out, "immutable("),
            b'N' => match self.next()? {
                b'g' => self.wrapped(out, "inout("),
                b'h' => self.wrapped(out, "__vector("),
                b'n' => {
                    out.extend_from_slice(b"typeof(*null)");
                    Some(())
                }
                _ => None,
            },
            b'A' => {
                self.read_type(out)?;
                out.extend_from_slice(b"[]");
                Some(())
            }
            b'G' => {
                let len = self.take_while(u8::is_ascii_digit);
                self.read_type(out)?;
                out.push(b'[');
                out.extend_from_slice(len);
                out.push(b']');
                Some(())
            }
            b'H' => {
                let mut key = Vec::new();
                self.read_type(&mut key)?;
                self.read_type(out)?;
                out.push(b'[');
                out.extend(key);
                out.push(b']');
                Some(())
            }
            b'P' if self.is_at_linkage() => self.read_type(out),
            b'P' => {
                self.read_type(out)?;
                out.push(b'*');
                Some(())
            }
            b'C' | b'S' | b'E' | b'T' => self.qualified(out, false),
            b'D' => self.delegate(out),
            b'B' => self.tuple(out),
            b'z' => {
                out.extend_from_slice(match self.next()? {
                    b'i' => b"cent",
                    b'k' => b"ucent",
                    _ => return None,
                });
                Some(())
            }
            letter => {
                out.extend_from_slice(basic(letter)?.as_bytes());
                Some(())
            }
        }
    }

    fn wrapped(&mut self, out: &mut Vec<u8>, before: &str) -> Option<()> {
        out.extend_from_slice(before.as_bytes());
        self.read_type(out)?;
        out.push(b')');
        Some(())
    }

    /// Referent of a back reference.
    fn referenced(
        &mut self,
        out: &mut Vec<u8>,
        read: impl FnOnce(&mut Self, &mut Vec<u8>) -> Option<()>,
    ) -> Option<()> {
        let at = self.place();
        (at < self.followed).then_some(())?;
        let target = self.back_reference()?;
        let outer = std::mem::replace(&mut self.followed, at);
        let result = self.elsewhere(target, |reader| read(reader, out));
        self.followed = outer;
        result
    }

    fn delegate(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let mut modifiers = Vec::new();
        self.modifiers(&mut modifiers);
        if self.peek() == b'Q' {
            self.referenced(out, Self::function)?;
        } else {
            self.function(out)?;
        }
        out.extend_from_slice(b"delegate");
        out.extend(modifiers);
        Some(())
    }

    fn tuple(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let count = self.number()?;
        out.extend_from_slice(b"Tuple!(");
        for place in 0..count {
            if place > 0 {
                out.extend_from_slice(b", ");
            }
            self.read_type(out)?;
        }
        out.push(b')');
        Some(())
    }

    /// The qualifiers of `this`, each word with a blank before it.
    pub(super) fn modifiers(&mut self, out: &mut Vec<u8>) {
        loop {
            let words: [(&[u8], &[u8]); 4] =
                [(b"x", b" const"), (b"y", b" immutable"), (b"O", b" shared"), (b"Ng", b" inout")];
            let Some((letters, word)) = words.iter().find(|(letters, _)| self.eat(letters)) else {
                return;
            };
            out.extend_from_slice(word);
            // These are the last.
            if matches!(letters[0], b'x' | b'y') {
                return;
            }
        }
    }

    /// Returns `true` if a function's type follows.
    pub(super) fn is_at_linkage(&self) -> bool {
        matches!(self.peek(), b'F' | b'U' | b'V' | b'W' | b'R' | b'Y')
    }

    pub(super) fn linkage(&mut self, out: &mut Vec<u8>) -> Option<()> {
        out.extend_from_slice(match self.next()? {
            b'F' => b"",
            b'U' => b"extern(C) ",
            b'V' => b"extern(Pascal) ",
            b'W' => b"extern(Windows) ",
            b'R' => b"extern(C++) ",
            b'Y' => b"extern(Objective-C) ",
            _ => return None,
        });
        Some(())
    }

    pub(super) fn attributes(&mut self, out: &mut Vec<u8>) -> Option<()> {
        while self.peek() == b'N' {
            // These begin the first parameter.
            if matches!(self.peek_at(1), b'g' | b'h' | b'k' | b'n') {
                break;
            }
            out.extend_from_slice(attribute(self.peek_at(1))?.as_bytes());
            self.take(2)?;
        }
        Some(())
    }

    /// A function's type, with a blank behind it.
    fn function(&mut self, out: &mut Vec<u8>) -> Option<()> {
        self.nested(|reader| {
            let (mut attributes, mut parameters, mut returned) =
                (Vec::new(), vec![b'('], Vec::new());
            reader.linkage(out)?;
            reader.attributes(&mut attributes)?;
            reader.parameters(&mut parameters)?;
            reader.read_type(&mut returned)?;
            out.extend(returned);
            out.extend(parameters);
            out.extend_from_slice(b") ");
            out.extend(attributes);
            Some(())
        })
    }

    pub(super) fn parameters(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let mut is_first = true;
        loop {
            match self.peek() {
                b'X' | b'Y' => {
                    let is_typesafe = self.next()? == b'X';
                    if !is_typesafe && !is_first {
                        out.extend_from_slice(b", ");
                    }
                    out.extend_from_slice(b"...");
                    return Some(());
                }
                b'Z' => {
                    self.next();
                    return Some(());
                }
                _ => {}
            }
            if !std::mem::take(&mut is_first) {
                out.extend_from_slice(b", ");
            }
            self.storage(out);
            self.read_type(out)?;
        }
    }

    /// Storage class of an argument.
    fn storage(&mut self, out: &mut Vec<u8>) {
        if self.eat(b"M") {
            out.extend_from_slice(b"scope ");
        }
        if self.eat(b"Nk") {
            out.extend_from_slice(b"return ");
        }
        let words: [(&[u8], &[u8]); 5] = [
            (b"IK", b"in ref "),
            (b"I", b"in "),
            (b"J", b"out "),
            (b"K", b"ref "),
            (b"L", b"lazy "),
        ];
        if let Some((_, word)) = words.iter().find(|(letters, _)| self.eat(letters)) {
            out.extend_from_slice(word);
        }
    }
}

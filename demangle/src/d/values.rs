//! The grammar of values, which are arguments of templates.

use super::reader::Reader;

impl Reader<'_> {
    /// A value of the type `name`, which begins with the letter `kind`.
    pub(super) fn value(&mut self, out: &mut Vec<u8>, name: &[u8], kind: u8) -> Option<()> {
        self.nested(|reader| reader.value_here(out, name, kind))
    }

    fn value_here(&mut self, out: &mut Vec<u8>, name: &[u8], kind: u8) -> Option<()> {
        match self.peek() {
            b'n' => {
                self.next();
                out.extend_from_slice(b"null");
                Some(())
            }
            b'N' => {
                self.next();
                out.push(b'-');
                self.integer(out, kind)
            }
            b'i' => {
                self.next();
                self.integer(out, kind)
            }
            b'0'..=b'9' => self.integer(out, kind),
            b'e' => {
                self.next();
                self.real(out)
            }
            b'c' => {
                self.next();
                self.real(out)?;
                out.push(b'+');
                self.eat(b"c").then_some(())?;
                self.real(out)?;
                out.push(b'i');
                Some(())
            }
            b'a' | b'w' | b'd' => self.string(out),
            b'A' => {
                self.next();
                self.array(out, kind == b'H')
            }
            b'S' => {
                self.next();
                out.extend_from_slice(name);
                out.push(b'(');
                self.list(out)?;
                out.push(b')');
                Some(())
            }
            b'f' => {
                self.next();
                self.mangled(out)
            }
            _ => None,
        }
    }

    fn integer(&mut self, out: &mut Vec<u8>, kind: u8) -> Option<()> {
        match kind {
            b'a' | b'u' | b'w' => {
                let value = self.number()? as u32;
                out.push(b'\'');
                match (kind, u8::try_from(value)) {
                    (b'a', Ok(byte @ 0x20..=0x7e)) => out.push(byte),
                    (b'a', _) => out.extend(format!("\\x{value:02x}").bytes()),
                    (b'u', _) => out.extend(format!("\\u{value:04x}").bytes()),
                    _ => out.extend(format!("\\U{value:08x}").bytes()),
                }
                out.push(b'\'');
            }
            b'b' => {
                let value = self.number()?;
                out.extend_from_slice(if value != 0 { b"true" } else { b"false" });
            }
            _ => {
                let digits = self.take_while(u8::is_ascii_digit);
                (!digits.is_empty()).then_some(())?;
                out.extend_from_slice(digits);
                out.extend_from_slice(match kind {
                    b'h' | b't' | b'k' => b"u",
                    b'l' => b"L",
                    b'm' => b"uL",
                    _ => b"",
                });
            }
        }
        Some(())
    }

    /// A number in hexadecimal digits, with a binary exponent.
    fn real(&mut self, out: &mut Vec<u8>) -> Option<()> {
        for (name, text) in [(&b"NAN"[..], &b"NaN"[..]), (b"INF", b"Inf"), (b"NINF", b"-Inf")] {
            if self.eat(name) {
                out.extend_from_slice(text);
                return Some(());
            }
        }
        if self.eat(b"N") {
            out.push(b'-');
        }
        out.extend_from_slice(b"0x");
        let first = self.next().filter(u8::is_ascii_hexdigit)?;
        out.push(first);
        out.push(b'.');
        out.extend_from_slice(self.take_while(u8::is_ascii_hexdigit));
        self.eat(b"P").then_some(())?;
        out.push(b'p');
        if self.eat(b"N") {
            out.push(b'-');
        }
        out.extend_from_slice(self.take_while(u8::is_ascii_digit));
        Some(())
    }

    fn string(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let width = self.next()?;
        let len = self.number()?;
        self.eat(b"_").then_some(())?;
        out.push(b'"');
        for _ in 0..len {
            let digits = std::str::from_utf8(self.take(2)?).ok()?;
            let byte = u8::from_str_radix(digits, 16).ok()?;
            match byte {
                b'\t' => out.extend_from_slice(b"\\t"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                0x0c => out.extend_from_slice(b"\\f"),
                0x0b => out.extend_from_slice(b"\\v"),
                0x20..=0x7e => out.push(byte),
                _ => {
                    out.extend_from_slice(b"\\x");
                    out.extend_from_slice(digits.as_bytes());
                }
            }
        }
        out.push(b'"');
        if width != b'a' {
            out.push(width);
        }
        Some(())
    }

    fn array(&mut self, out: &mut Vec<u8>, is_associative: bool) -> Option<()> {
        out.push(b'[');
        if is_associative {
            for place in 0..self.number()? {
                if place > 0 {
                    out.extend_from_slice(b", ");
                }
                self.value(out, b"", 0)?;
                out.push(b':');
                self.value(out, b"", 0)?;
            }
        } else {
            self.list(out)?;
        }
        out.push(b']');
        Some(())
    }

    /// A number of values.
    fn list(&mut self, out: &mut Vec<u8>) -> Option<()> {
        for place in 0..self.number()? {
            if place > 0 {
                out.extend_from_slice(b", ");
            }
            self.value(out, b"", 0)?;
        }
        Some(())
    }
}

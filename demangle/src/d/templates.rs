//! The grammar of template instances.

use super::reader::Reader;

impl Reader<'_> {
    pub(super) fn is_at_template(&self) -> bool {
        self.rest().starts_with(b"__T") || self.rest().starts_with(b"__U")
    }

    /// A template with its arguments, of `len` bytes if that is stated.
    pub(super) fn template(&mut self, out: &mut Vec<u8>, len: Option<usize>) -> Option<()> {
        self.nested(|reader| {
            let start = reader.place();
            reader.take(3)?;
            (reader.is_at_name() && reader.peek() != b'0').then_some(())?;
            reader.identifier(out)?;
            let mut arguments = Vec::new();
            reader.arguments(&mut arguments)?;
            out.extend_from_slice(b"!(");
            out.extend(arguments);
            out.push(b')');
            let read = reader.place() - start;
            len.is_none_or(|len| len == read).then_some(())
        })
    }

    fn arguments(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let mut is_first = true;
        // GNU's demangler takes the end of the whole name for that of the list, too.
        while !self.is_at_end() && !self.eat(b"Z") {
            if !std::mem::take(&mut is_first) {
                out.extend_from_slice(b", ");
            }
            // A specialised parameter.
            self.eat(b"H");
            self.nested(|reader| reader.argument(out))?;
        }
        Some(())
    }

    fn argument(&mut self, out: &mut Vec<u8>) -> Option<()> {
        match self.next()? {
            b'S' => self.symbol_argument(out),
            b'T' => self.read_type(out),
            b'V' => {
                let kind = self.kind_of_type()?;
                let mut name = Vec::new();
                self.read_type(&mut name)?;
                self.value(out, &name, kind)
            }
            b'X' => {
                let len = self.number()?;
                out.extend_from_slice(self.take(len)?);
                Some(())
            }
            _ => None,
        }
    }

    fn symbol_argument(&mut self, out: &mut Vec<u8>) -> Option<()> {
        if self.peek() == b'Q' || self.rest().starts_with(b"_D") {
            return self.symbol(out);
        }
        // Older compilers put a length before the name, which begins with a length itself.
        let digits = self.clone().take_while(u8::is_ascii_digit);
        digits.iter().any(|&digit| digit != b'0').then_some(())?;
        if (1..=digits.len()).rev().any(|digits| self.counted(out, digits).is_some()) {
            return Some(());
        }
        self.symbol(out)
    }

    fn symbol(&mut self, out: &mut Vec<u8>) -> Option<()> {
        if self.rest().starts_with(b"_D") {
            return self.mangled(out);
        }
        self.qualified(out, false)
    }

    /// A name behind a length of `digits`, if it has that length.
    fn counted(&mut self, out: &mut Vec<u8>, digits: usize) -> Option<()> {
        let mut name = Vec::new();
        self.attempt(|reader| {
            let len = std::str::from_utf8(reader.take(digits)?).ok()?.parse::<usize>().ok()?;
            let start = reader.place();
            reader.symbol(&mut name)?;
            (reader.place() - start == len).then_some(())
        })?;
        out.extend(name);
        Some(())
    }

    /// The letter of the type that follows, behind references.
    fn kind_of_type(&self) -> Option<u8> {
        if self.peek() != b'Q' {
            return Some(self.peek());
        }
        let target = self.clone().back_reference()?;
        Some(self.byte_at(target))
    }
}

//! The grammar of names and what they consist of.

use super::reader::Reader;

/// Names that the compiler gives to what it makes of a declaration. The last letter is the type.
const MADE: [(&[u8], &[u8]); 5] = [
    (b"__initZ", b"initializer for "),
    (b"__vtblZ", b"vtable for "),
    (b"__ClassZ", b"ClassInfo for "),
    (b"__InterfaceZ", b"Interface for "),
    (b"__ModuleInfoZ", b"ModuleInfo for "),
];

impl Reader<'_> {
    /// `_D`, a name, and its type, which is not printed.
    pub(super) fn mangled(&mut self, out: &mut Vec<u8>) -> Option<()> {
        self.nested(|reader| {
            reader.eat(b"_D").then_some(())?;
            reader.qualified(out, true)?;
            if reader.eat(b"Z") { Some(()) } else { reader.read_type(&mut Vec::new()) }
        })
    }

    /// Identifiers, each within the one before. Those of functions have their parameters with them,
    /// and the qualifiers of `this` if `with_modifiers`.
    pub(super) fn qualified(&mut self, out: &mut Vec<u8>, with_modifiers: bool) -> Option<()> {
        let mut is_first = true;
        loop {
            // What has no name.
            if self.peek() == b'0' {
                self.take_while(|&byte| byte == b'0');
            } else {
                if !std::mem::take(&mut is_first) {
                    out.push(b'.');
                }
                self.identifier(out)?;
                self.parameters_of_scope(out, with_modifiers);
            }
            if !self.is_at_name() {
                return Some(());
            }
        }
    }

    /// The parameters of the function that was just named, if it is one and has its own scope.
    fn parameters_of_scope(&mut self, out: &mut Vec<u8>, with_modifiers: bool) {
        if self.peek() != b'M' && !self.is_at_linkage() {
            return;
        }
        let mut modifiers = Vec::new();
        let len = out.len();
        // If there are none behind it, it is the type of something that is no function.
        let read = self.attempt(|reader| {
            if reader.eat(b"M") {
                reader.modifiers(&mut modifiers);
            }
            reader.nested(|reader| reader.parameters_of_name(out))?;
            (!reader.is_at_end()).then_some(())
        });
        match read {
            Some(()) if with_modifiers => out.extend(modifiers),
            Some(()) => {}
            None => out.truncate(len),
        }
    }

    fn parameters_of_name(&mut self, out: &mut Vec<u8>) -> Option<()> {
        self.linkage(&mut Vec::new())?;
        self.attributes(&mut Vec::new())?;
        out.push(b'(');
        self.parameters(out)?;
        out.push(b')');
        Some(())
    }

    /// Returns `true` if a name follows.
    pub(super) fn is_at_name(&self) -> bool {
        match self.peek() {
            byte if byte.is_ascii_digit() => true,
            b'_' => self.is_at_template(),
            b'Q' => {
                let target = self.clone().back_reference();
                target.is_some_and(|target| self.byte_at(target).is_ascii_digit())
            }
            _ => false,
        }
    }

    /// A name of a qualified one.
    pub(super) fn identifier(&mut self, out: &mut Vec<u8>) -> Option<()> {
        if self.peek() == b'Q' {
            let target = self.back_reference()?;
            return self.elsewhere(target, |reader| {
                let len = reader.number()?;
                reader.plain(out, len)
            });
        }
        if self.is_at_template() {
            return self.template(out, None);
        }
        let len = self.number()?;
        (len > 0 && len <= self.rest().len()).then_some(())?;
        if len >= 5 && self.is_at_template() {
            return self.template(out, Some(len));
        }
        self.plain(out, len)
    }

    fn plain(&mut self, out: &mut Vec<u8>, len: usize) -> Option<()> {
        if let Some((_, prefix)) =
            MADE.iter().find(|(name, _)| name.len() == len + 1 && self.rest().starts_with(name))
        {
            self.take(len)?;
            // Before whatever is there, and in place of the dot before the name.
            out.splice(0..0, prefix.iter().copied());
            out.pop();
            return Some(());
        }
        if len == 10 && self.eat(b"__postblitMFZ") {
            out.extend_from_slice(b"this(this)");
            return Some(());
        }
        out.extend_from_slice(match self.take(len)? {
            b"__ctor" => b"this",
            b"__dtor" => b"~this",
            name => name,
        });
        Some(())
    }
}

//! Ada names as GNAT makes them.
//!
//! The encodings are described in the head of GNAT's `exp_dbug.ads`. Which of them are taken back, and
//! what follows which, was found by giving names to `c++filt`.

/// The name of an Ada entity; a name of nothing in Ada comes back in angle brackets.
pub(super) fn demangle(name: &[u8]) -> Vec<u8> {
    // A library unit that is a main program.
    let name = name.strip_prefix(b"_ada_").unwrap_or(name);
    match Decoder::decode(name) {
        Some(readable) => readable,
        None if name.first() == Some(&b'<') => name.to_owned(),
        None => [b"<", name, b">"].concat(),
    }
}

/// The name as Ada's programmers write it, `Towers.Move_Disc`: linker names have lost the capitals. None for a name
/// of nothing in Ada; a name without a unit may be of another language.
pub(super) fn written(name: &[u8]) -> Option<Vec<u8>> {
    let has_unit = name.windows(2).any(|window| window == b"__");
    let entity = name.strip_prefix(b"_ada_").or(has_unit.then_some(name))?;
    let mut readable = Decoder::decode(entity)?;
    let mut is_start = true;
    let mut is_operator = false;
    for byte in &mut readable {
        is_operator ^= *byte == b'"';
        if is_start && !is_operator {
            byte.make_ascii_uppercase();
        }
        is_start = matches!(*byte, b'.' | b'_' | b'\'');
    }
    Some(readable)
}

/// Operators, which have names instead of signs.
const OPERATORS: [(&[u8], &str); 19] = [
    (b"Oabs", "abs"),
    (b"Oand", "and"),
    (b"Omod", "mod"),
    (b"Onot", "not"),
    (b"Oor", "or"),
    (b"Orem", "rem"),
    (b"Oxor", "xor"),
    (b"Oeq", "="),
    (b"One", "/="),
    (b"Olt", "<"),
    (b"Ole", "<="),
    (b"Ogt", ">"),
    (b"Oge", ">="),
    (b"Oadd", "+"),
    (b"Osubtract", "-"),
    (b"Oconcat", "&"),
    (b"Omultiply", "*"),
    (b"Odivide", "/"),
    (b"Oexpon", "**"),
];

/// Streaming.
const ATTRIBUTES: [(&[u8], &str); 4] =
    [(b"SR", "'Read"), (b"SW", "'Write"), (b"SI", "'Input"), (b"SO", "'Output")];

/// Suffixes that the compiler makes for controlled types; whatever follows is of no interest.
const CONTROLLED: [(&[u8], &str); 2] = [(b"DF", ".Finalize"), (b"DA", ".Adjust")];

/// Suffixes that it makes for any; the same holds of what follows.
const MADE: [(&[u8], &str); 5] = [
    (b"___elabb", "'Elab_Body"),
    (b"___elabs", "'Elab_Spec"),
    (b"___size", "'Size"),
    (b"___alignment", "'Alignment"),
    (b"___assign", ".\":=\""),
];

/// A name that is being read.
struct Decoder<'n> {
    rest: &'n [u8],
    out: Vec<u8>,
}

impl<'n> Decoder<'n> {
    fn decode(name: &'n [u8]) -> Option<Vec<u8>> {
        let mut decoder = Self { rest: name, out: Vec::new() };
        decoder.identifier()?;
        while decoder.after_entity()? {
            decoder.entity()?;
        }
        Some(decoder.out)
    }

    fn take(&mut self, text: &[u8]) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Takes one of `words` and puts what it stands for.
    fn translate(&mut self, words: &[(&[u8], &str)]) -> bool {
        let word = words.iter().find(|(word, _)| self.take(word));
        self.out.extend(word.into_iter().flat_map(|(_, text)| text.bytes()));
        word.is_some()
    }

    fn digits(&mut self) -> usize {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.rest = &self.rest[count..];
        count
    }

    fn entity(&mut self) -> Option<()> {
        if self.rest.first() != Some(&b'O') {
            return self.identifier();
        }
        self.out.push(b'"');
        let known = self.translate(&OPERATORS);
        self.out.push(b'"');
        known.then_some(())
    }

    /// Small letters, digits and single underscores.
    fn identifier(&mut self) -> Option<()> {
        let is_plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        self.rest.first().filter(|byte| byte.is_ascii_lowercase())?;
        let mut len = 0;
        while self.rest.get(len).is_some_and(is_plain)
            || (self.rest.get(len) == Some(&b'_') && self.rest.get(len + 1).is_some_and(is_plain))
        {
            len += 1;
        }
        let (identifier, rest) = self.rest.split_at(len);
        self.out.extend_from_slice(identifier);
        self.rest = rest;
        Some(())
    }

    /// Reads the marks behind an entity. Says whether another one follows, or that this is not a name.
    fn after_entity(&mut self) -> Option<bool> {
        // The body of a task, or something in a task.
        if self.take(b"TK") {
            return match self.rest {
                b"B" => Some(false),
                _ => self.take(b"__").then(|| self.another()),
            };
        }
        // Operations of protected types.
        if matches!(self.rest, b"N" | b"P") {
            return Some(false);
        }
        self.nesting();
        let is_attribute = self.translate(&ATTRIBUTES);
        let is_controlled = !is_attribute && self.translate(&CONTROLLED);
        if is_controlled || self.rest.is_empty() || self.translate(&MADE) {
            return Some(false);
        }
        if self.take(b"_E") || self.take(b"_B") {
            // An entry, or its barrier.
            self.digits();
            return (self.rest == b"s").then_some(false);
        }
        if !self.take(b"__") {
            return (!is_attribute && self.copy()).then_some(false);
        }
        if !self.rest.first()?.is_ascii_digit() {
            return Some(self.another());
        }
        // One of several entities of this name.
        self.digits();
        while self.take(b"_") {
            (self.digits() > 0).then_some(())?;
        }
        self.nesting();
        (self.rest.is_empty() || self.copy()).then_some(false)
    }

    fn another(&mut self) -> bool {
        self.out.push(b'.');
        true
    }

    /// The entity is within a body.
    fn nesting(&mut self) {
        if self.take(b"X") {
            let marks = self.rest.iter().take_while(|byte| matches!(byte, b'b' | b'n')).count();
            self.rest = &self.rest[marks..];
        }
    }

    /// A number that makes the name of a local entity unique.
    fn copy(&mut self) -> bool {
        self.take(b".") && self.digits() > 0 && self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_programmers_do() {
        for (name, readable) in [
            ("_ada_towers", Some("Towers")),
            ("towers__hanoi__move_disc.0", Some("Towers.Hanoi.Move_Disc")),
            ("pkg__Oadd__2", Some("Pkg.\"+\"")),
            ("pkg__Oand", Some("Pkg.\"and\"")),
            ("pkg___elabb", Some("Pkg'Elab_Body")),
            ("main", None),
            ("adainit", None),
            ("__gnat_initialize", None),
            ("Main__x", None),
            ("_ada_", None),
            ("", None),
        ] {
            let found = written(name.as_bytes()).map(|name| String::from_utf8(name).unwrap());
            assert_eq!(found.as_deref(), readable, "{name}");
        }
    }

    #[test]
    fn names_are_those_of_the_source() {
        for (name, readable) in [
            ("_ada_main", "main"),
            ("pkg__proc__2", "pkg.proc"),
            ("pkg__Oadd", "pkg.\"+\""),
            ("pkg__workerTKB", "pkg.worker"),
            ("pkg__workerTK__step", "pkg.worker.step"),
            ("pkg__lockN", "pkg.lock"),
            ("pkg__lock_E1s", "pkg.lock"),
            ("pkg__innerXnb__b.5", "pkg.inner.b"),
            ("pkg__recordSR__2", "pkg.record'Read"),
            ("pkg___elabb", "pkg'Elab_Body"),
            ("pkg__recordDF", "pkg.record.Finalize"),
            ("_start", "<_start>"),
            ("Main", "<Main>"),
            ("pkg__2x", "<pkg__2x>"),
            ("<odd>", "<odd>"),
            ("", "<>"),
        ] {
            let found = demangle(name.as_bytes());
            assert_eq!(String::from_utf8(found).unwrap(), readable, "{name}");
        }
    }
}

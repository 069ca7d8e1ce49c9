//! Names as people read them, of what compilers write: the name of a function, and apart from it where its source is.

use std::borrow::Cow;

/// A function as its author knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readable<'a> {
    /// Its name.
    pub name: Cow<'a, [u8]>,
    /// Its source file; empty if the name does not tell.
    pub file: &'a [u8],
    /// The line that it begins with; 0 if the name does not tell.
    pub line: u32,
}

/// Kinds of JavaScript code that V8 puts before a name.
const V8_KINDS: [&[u8]; 5] = [b"JS:", b"LazyCompile:", b"Function:", b"Script:", b"Eval:"];

/// The marks of V8's compilers, behind the kind: the same function is compiled better when it has run often.
const V8_TIERS: &[u8] = b"~^+*";

/// Takes a name apart that V8 (`JS:*fib /a.js:1:13`), CPython (`py::parse:/a.py`) or .NET (`int32 [a] A::Parse()[Tier0]`) has
/// written. Code that several compilers of V8 or .NET made for one function then has one name.
#[must_use]
pub fn readable(name: &[u8]) -> Readable<'_> {
    of_v8(name).or_else(|| of_python(name)).unwrap_or(Readable {
        name: without_tier(name).into(),
        file: &[],
        line: 0,
    })
}

fn of_v8(name: &[u8]) -> Option<Readable<'_>> {
    let text = V8_KINDS.iter().find_map(|kind| name.strip_prefix(*kind))?;
    let text = text.strip_prefix(b"?").unwrap_or(text);
    let tiers = text.iter().take_while(|byte| V8_TIERS.contains(byte)).count();
    let text = &text[tiers..];
    let at = text.iter().position(|byte| *byte == b' ');
    let (name, place) = at.map_or((text, &[][..]), |at| (&text[..at], &text[at + 1..]));
    let (file, line) = place_of(place);
    if !name.is_empty() {
        return Some(Readable { name: name.into(), file, line });
    }
    let short = file.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let short = String::from_utf8_lossy(short);
    let name = match (line, short.is_empty()) {
        (_, true) => "(anonymous)".to_owned(),
        (0, false) => format!("(anonymous {short})"),
        (line, false) => format!("(anonymous {short}:{line})"),
    };
    Some(Readable { name: name.into_bytes().into(), file, line })
}

/// A file and its line, of `FILE:LINE:COLUMN` or `FILE:LINE`.
fn place_of(place: &[u8]) -> (&[u8], u32) {
    let (mut file, mut line) = (place, 0);
    for _ in 0..2 {
        let Some(at) = file.iter().rposition(|byte| *byte == b':') else { break };
        let digits = std::str::from_utf8(&file[at + 1..]).unwrap_or_default();
        let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok());
        let Some(number) = number.flatten() else { break };
        (file, line) = (&file[..at], number);
    }
    (file, line)
}

fn of_python(name: &[u8]) -> Option<Readable<'_>> {
    let text = name.strip_prefix(b"py::")?;
    let at = text.iter().position(|byte| *byte == b':')?;
    Some(Readable { name: text[..at].into(), file: &text[at + 1..], line: 0 })
}

/// Drops the compiler that .NET names behind a method's parameters, in brackets.
fn without_tier(name: &[u8]) -> &[u8] {
    let Some(at) = name.iter().rposition(|byte| *byte == b'[') else { return name };
    let (method, tier) = name.split_at(at);
    let tier = tier[1..].strip_suffix(b"]").unwrap_or_default();
    let is_tier = !tier.is_empty() && tier.iter().all(u8::is_ascii_alphanumeric);
    if is_tier && method.ends_with(b")") { method } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        for (text, name, file, line) in [
            ("JS:*fib /tmp/a b.js:1:13", "fib", "/tmp/a b.js", 1),
            ("JS:~fib /tmp/a.js:12", "fib", "/tmp/a.js", 12),
            ("LazyCompile:^get node:internal/url:7:3", "get", "node:internal/url", 7),
            ("JS:*'fib file:///a.mjs:1:13", "'fib", "file:///a.mjs", 1),
            ("JS:+ /tmp/a.js:3:9", "(anonymous a.js:3)", "/tmp/a.js", 3),
            ("JS:*", "(anonymous)", "", 0),
            ("Script:~ /tmp/a.js", "(anonymous a.js)", "/tmp/a.js", 0),
            ("JS:*fib", "fib", "", 0),
            ("py::parse:/usr/lib/json.py", "parse", "/usr/lib/json.py", 0),
            ("py::parse", "py::parse", "", 0),
            ("BytecodeHandler:Add", "BytecodeHandler:Add", "", 0),
            ("java.lang.String::hashCode", "java.lang.String::hashCode", "", 0),
            ("int32 [a] A::Sum(int32[])[OptimizedTier1]", "int32 [a] A::Sum(int32[])", "", 0),
            ("void [a] A::Main(string[])[Optimized]", "void [a] A::Main(string[])", "", 0),
            ("int32 [a] A::Sum(int32[])", "int32 [a] A::Sum(int32[])", "", 0),
            ("wasm[0]::function[5]", "wasm[0]::function[5]", "", 0),
            ("f(x)[]", "f(x)[]", "", 0),
            ("JS:*a x:99999999999:1", "a", "x:99999999999", 1),
        ] {
            let found = readable(text.as_bytes());
            let expected = (name.as_bytes(), file.as_bytes(), line);
            assert_eq!((&*found.name, found.file, found.line), expected, "{text}");
        }
    }
}

//! Maps as perf reads them: a line of text for each piece of code, `START SIZE NAME`, the latest last.

use super::Made;

/// The code of a map, in the order in which it was made. A last line that has no end yet is left out.
pub fn perf_map(text: &[u8]) -> impl Iterator<Item = (usize, Made<'_>)> {
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let lines = text[..whole].split_inclusive(|byte| *byte == b'\n');
    let with_end = lines.scan(0, |end, line| {
        *end += line.len();
        Some((*end, line))
    });
    with_end.filter_map(|(end, line)| Some((end, read(line)?)))
}

fn read(line: &[u8]) -> Option<Made<'_>> {
    let (start, rest) = number(line.trim_ascii())?;
    let (len, name) = number(rest)?;
    let end = start.checked_add(len)?;
    (len != 0 && !name.is_empty()).then(|| Made { start, end, name, ..Made::default() })
}

/// A hexadecimal number, and what follows it.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let len = text.iter().position(u8::is_ascii_whitespace)?;
    let (word, rest) = text.split_at(len);
    let digits = word.strip_prefix(b"0x").or(word.strip_prefix(b"0X")).unwrap_or(word);
    // The standard library would take a sign, too.
    let is_number = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    Some((u64::from_str_radix(digits, 16).ok()?, rest.trim_ascii_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_that_make_sense_are_taken() {
        let text = b"7f00 10 JS:*fib /a b.js:1:2\n0x7f10 0x20 java.lang.String::hashCode\nxyz 1 no\n7f30 0 empty\n\n\
            7f40 1\n-1 1 sign\nffffffffffffffff 2 over\n\xff\xff 1 x\n7f50 8 \xfe\xff\n7f60 4 not yet whole";
        let found: Vec<_> = perf_map(text).map(|(_, it)| (it.start, it.end, it.name)).collect();
        let expected: [(u64, u64, &[u8]); 3] = [
            (0x7f00, 0x7f10, b"JS:*fib /a b.js:1:2"),
            (0x7f10, 0x7f30, b"java.lang.String::hashCode"),
            (0x7f50, 0x7f58, b"\xfe\xff"),
        ];
        assert_eq!(found, expected);
        // Each says where its line ends.
        assert_eq!(perf_map(text).next().map(|(end, _)| end), Some(28));
        assert_eq!(perf_map(b"7f00 10 half").count(), 0);
    }
}

//! Dumps of compilers that work at run time (jitdump), which perf reads, too: records with times, and with source lines.

use std::collections::HashMap;

use gmon_format::{ByteOrder, Encoding, WordSize};

use super::{Made, readable};

/// A dump that lies in memory.
#[derive(Clone, Copy, Debug)]
pub struct Jitdump<'a> {
    records: &'a [u8],
    encoding: Encoding,
    has_times: bool,
}

/// `JiTD`, as a number of 32 bits.
const MAGIC: u32 = 0x4a69_5444;

const VERSION: u32 = 1;

/// Offsets in the header.
const HEADER_LEN_AT: usize = 8;
const FLAGS_AT: usize = 32;

/// A flag: times are those of the processor's own counter, which nobody else has.
const OTHER_CLOCK: u64 = 1;

/// Kinds of records.
const LOAD: u32 = 0;
const MOVE: u32 = 1;
const DEBUG_INFO: u32 = 2;

/// Bytes of what each record begins with.
const HEAD: usize = 16;

/// In place of the name of a file: the one before.
const SAME: &[u8] = &[0xff];

impl<'a> Jitdump<'a> {
    /// Takes the bytes of a file; `None` if they are no dump, or one of a version that nobody knows.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let orders = [ByteOrder::Little, ByteOrder::Big];
        let encoding = |order| Encoding { word: WordSize::Eight, order };
        let mut encodings = orders.into_iter().map(encoding);
        let encoding = encodings.find(|it| u32_at(bytes, 0, *it) == Some(MAGIC))?;
        let version = u32_at(bytes, 4, encoding)?;
        let len = usize::try_from(u32_at(bytes, HEADER_LEN_AT, encoding)?).ok()?;
        let flags = u64_at(bytes, FLAGS_AT, encoding)?;
        let records = bytes.get(len..).filter(|_| version == VERSION && len > FLAGS_AT)?;
        Some(Self { records, encoding, has_times: flags & OTHER_CLOCK == 0 })
    }

    /// The code, in the order in which it was made. A last record that is not whole is left out.
    pub fn code(self) -> impl Iterator<Item = Made<'a>> {
        let mut rest = self.records;
        let mut lines = Lines::default();
        let mut known: HashMap<u64, Made<'a>> = HashMap::new();
        std::iter::from_fn(move || {
            loop {
                let kind = u32_at(rest, 0, self.encoding)?;
                let len = usize::try_from(u32_at(rest, 4, self.encoding)?).ok()?;
                let time = u64_at(rest, 8, self.encoding)?;
                let record = rest.get(..len).filter(|record| record.len() >= HEAD)?;
                rest = &rest[len..];
                let body = &record[HEAD..];
                let from = self.has_times.then_some(time);
                match kind {
                    DEBUG_INFO => lines = self.lines(body).unwrap_or_default(),
                    LOAD => {
                        let found = self.load(body, std::mem::take(&mut lines));
                        let Some((index, made)) = found else { continue };
                        let made = Made { from, ..made };
                        if known.len() < MOST_KNOWN {
                            known.insert(index, made.clone());
                        }
                        return Some(made);
                    }
                    MOVE => {
                        let Some((index, start, len)) = self.moved(body) else { continue };
                        let Some(made) = known.get(&index) else { continue };
                        let Some(end) = start.checked_add(len) else { continue };
                        return Some(Made { start, end, from, ..made.clone() });
                    }
                    _ => {}
                }
            }
        })
    }

    /// Code that was made, and its number.
    fn load(self, body: &'a [u8], lines: Lines<'a>) -> Option<(u64, Made<'a>)> {
        const START_AT: usize = 16;
        const LEN_AT: usize = 24;
        const INDEX_AT: usize = 32;
        const NAME_AT: usize = 40;
        let start = u64_at(body, START_AT, self.encoding)?;
        let end = start.checked_add(u64_at(body, LEN_AT, self.encoding)?)?;
        let index = u64_at(body, INDEX_AT, self.encoding)?;
        let (name, _) = string(body.get(NAME_AT..)?)?;
        if start == end || name.is_empty() {
            return None;
        }
        let (file, lines) =
            if lines.code == start { lines.of_function(name) } else { Default::default() };
        Some((index, Made { start, end, from: None, name, file, lines }))
    }

    /// Code that has been moved: its number, its place now, and its length.
    fn moved(self, body: &[u8]) -> Option<(u64, u64, u64)> {
        let number = |at| u64_at(body, at, self.encoding);
        Some((number(40)?, number(24)?, number(32)?))
    }

    /// The lines of code that is about to come.
    fn lines(self, body: &'a [u8]) -> Option<Lines<'a>> {
        let code = u64_at(body, 0, self.encoding)?;
        let count = u64_at(body, 8, self.encoding)?;
        let mut rest = body.get(16..)?;
        let mut lines = Lines { code, ..Lines::default() };
        let mut file: &[u8] = &[];
        for _ in 0..count {
            let Some(address) = u64_at(rest, 0, self.encoding) else { break };
            let line = u32_at(rest, 8, self.encoding)?;
            let (name, behind) = string(rest.get(16..)?)?;
            rest = behind;
            if name != SAME {
                // Some versions of Node write bytes of other memory.
                file = if is_text(name) { name } else { &[] };
            }
            let offset = address.checked_sub(code).and_then(|offset| u32::try_from(offset).ok());
            if let Some(offset) = offset {
                lines.list.push((offset, line, file));
            }
        }
        lines.list.sort_by_key(|(offset, ..)| *offset);
        Some(lines)
    }
}

/// Pieces of code that may be moved.
const MOST_KNOWN: usize = 1 << 20;

/// The lines of a piece of code.
#[derive(Clone, Debug, Default)]
struct Lines<'a> {
    code: u64,
    /// Offset, line and file of each.
    list: Vec<(u32, u32, &'a [u8])>,
}

impl<'a> Lines<'a> {
    /// The one file that code has here, and its lines: the file in the function's name, or the first if that names none. Lines
    /// of others, which were inlined, are not known.
    fn of_function(self, name: &[u8]) -> (&'a [u8], Vec<(u32, u32)>) {
        let named = readable(name).file;
        let mut files = self.list.iter().map(|(.., file)| *file).filter(|file| !file.is_empty());
        let own = if named.is_empty() { files.next() } else { files.find(|file| *file == named) };
        let Some(own) = own else { return Default::default() };
        let line = |(offset, line, file)| (offset, if file == own { line } else { 0 });
        (own, self.list.into_iter().map(line).collect())
    }
}

/// Returns `true` of bytes that can be the name of a file.
fn is_text(name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(|name| !name.chars().any(char::is_control))
}

/// Bytes up to a zero, and what follows it.
fn string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let len = bytes.iter().position(|byte| *byte == 0)?;
    Some((&bytes[..len], &bytes[len + 1..]))
}

fn u32_at(bytes: &[u8], at: usize, encoding: Encoding) -> Option<u32> {
    Some(encoding.u32(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize, encoding: Encoding) -> Option<u64> {
    Some(encoding.u64(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u32, time: u64, body: &[u8]) -> Vec<u8> {
        let len = (HEAD + body.len()) as u32;
        [&kind.to_le_bytes()[..], &len.to_le_bytes(), &time.to_le_bytes(), body].concat()
    }

    fn numbers(numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn line(address: u64, line: u32, file: &[u8]) -> Vec<u8> {
        let position = [line.to_le_bytes(), [0; 4]].concat();
        [&address.to_le_bytes()[..], &position, file, b"\0"].concat()
    }

    fn dump(flags: u64) -> Vec<u8> {
        let header = [MAGIC, VERSION, 40, 62, 0, 7].map(u32::to_le_bytes).concat();
        let load = |start, index, name: &[u8]| {
            let head = numbers(&[0, start, start, 0x20, index]);
            [&head[..], name, b"\0", &[0x90; 0x20]].concat()
        };
        let lines = [
            numbers(&[0x1000, 3]),
            line(0x1000, 3, b"/a.js"),
            line(0x1008, 4, SAME),
            line(0x1010, 9, b"/b.js"),
        ];
        [
            header,
            numbers(&[5, flags]),
            record(DEBUG_INFO, 10, &lines.concat()),
            record(LOAD, 10, &load(0x1000, 1, b"fib")),
            record(4, 11, b"something else"),
            record(LOAD, 20, &load(0x2000, 2, b"work")),
            record(MOVE, 30, &numbers(&[0, 0, 0x1000, 0x3000, 0x20, 1])),
            record(LOAD, 40, &load(0x4000, 3, b"last")),
        ]
        .concat()
    }

    #[test]
    fn code_has_times_and_lines() {
        let dump = dump(0);
        let code: Vec<_> = Jitdump::new(&dump).expect("a dump").code().collect();
        let told: Vec<_> = code.iter().map(|it| (it.start, it.end, it.from, it.name)).collect();
        let expected: [(u64, u64, Option<u64>, &[u8]); 4] = [
            (0x1000, 0x1020, Some(10), b"fib"),
            (0x2000, 0x2020, Some(20), b"work"),
            (0x3000, 0x3020, Some(30), b"fib"),
            (0x4000, 0x4020, Some(40), b"last"),
        ];
        assert_eq!(told, expected);
        assert_eq!(code[0].file, b"/a.js");
        assert_eq!(code[0].lines, [(0, 3), (8, 4), (16, 0)]);
        assert_eq!((code[1].file, code[1].lines.len()), (&b""[..], 0));
        assert_eq!((code[2].file, code[2].lines.len()), (&b"/a.js"[..], 3));
    }

    #[test]
    fn code_has_the_file_of_its_name_and_no_garbage() {
        let lines = [
            numbers(&[0x1000, 4]),
            line(0x1000, 2, b"R\xf6\x03"),
            line(0x1004, 9, b"/inlined.js"),
            line(0x1008, 3, b"/own.js"),
            line(0x100c, 4, SAME),
        ];
        let lines = lines.concat();
        let dump = dump(0);
        let dump = Jitdump::new(&dump).expect("a dump");
        let found = |name: &[u8]| dump.lines(&lines).expect("lines").of_function(name);
        let own: (&[u8], _) = (b"/own.js", vec![(0, 0), (4, 0), (8, 3), (12, 4)]);
        assert_eq!(found(b"JS:*spin /own.js:2:14"), own);
        let first: (&[u8], _) = (b"/inlined.js", vec![(0, 0), (4, 9), (8, 0), (12, 0)]);
        assert_eq!(found(b"spin"), first);
        assert_eq!(found(b"JS:*spin /other.js:2:14"), Default::default());
    }

    #[test]
    fn what_is_cut_short_ends_there() {
        let dump = dump(OTHER_CLOCK);
        let whole = Jitdump::new(&dump).expect("a dump").code().count();
        assert_eq!(whole, 4);
        for len in 0..dump.len() {
            let found = Jitdump::new(&dump[..len]).map_or(0, |dump| dump.code().count());
            assert!(found < whole, "{len}");
        }
        assert_eq!(Jitdump::new(&dump).and_then(|it| it.code().next()?.from), None);
        // A record that has no length would never end.
        let endless = [&dump[..40], &record(LOAD, 0, b"")[..4], &[0; 12]].concat();
        assert_eq!(Jitdump::new(&endless).map(|it| it.code().count()), Some(0));
        let is_dump = |bytes| Jitdump::new(bytes).is_some();
        assert!(!is_dump(b"7f00 10 fib\n") && !is_dump(b"") && is_dump(&dump));
    }
}

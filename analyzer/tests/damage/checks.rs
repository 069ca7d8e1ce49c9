//! What must hold of any input. The fuzz targets check the same.

use std::ffi::OsString;
use std::io::{self, Write};

use crate::memory;

/// What may be taken for each byte of input, beyond [`FREE`].
const PER_BYTE: usize = 1000;
/// What the process may take whatever it reads: mostly what threads reserve.
const FREE: usize = 256 << 20;

/// Messages of GNU gprof that name no file, as they are about several.
const NAMELESS: [&str; 7] = [
    "gprof: dimension ",
    "gprof: different scales in histogram records",
    "gprof: overlapping histogram records",
    "gprof: found a symbol that covers several histogram records",
    "gprof: gmon.out file is missing ",
    "gprof: unexpected EOF after reading ",
    "gprof: unable to parse mapping file ",
];

/// Counts what is printed and forgets it.
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs the command on files of these names and sizes.
pub(crate) fn answers(words: &[OsString], files: &[(&str, usize)], what: &str) {
    let size: usize = files.iter().map(|(_, size)| size).sum();
    let (before, mut stdout, mut stderr) = (memory::peak(), Counter(0), Vec::new());
    let _told = TellIfPanicking(format!("{what}: {words:?}"));
    let status = gmon_analyzer::gprof::main("gprof", words, &mut stdout, &mut stderr);
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(status <= 1, "status {status}");
    if status == 1 {
        let names_file = files.iter().any(|(name, _)| stderr.contains(name));
        let is_known = NAMELESS.iter().any(|message| stderr.contains(message));
        // A damaged response file may name any other.
        let is_any = words.iter().any(|word| word == "@words");
        assert!(names_file || is_known || is_any, "no file in {stderr:?}");
    }
    assert!(stderr.is_empty() || stderr.ends_with('\n'), "half a line: {stderr:?}");
    let room = FREE + PER_BYTE * size;
    assert!(stdout.0 <= room, "{} bytes printed for {size}", stdout.0);
    let peak = memory::peak();
    assert!(peak <= before.max(room), "{peak} bytes taken for {size}");
}

/// Says of a panic where it was.
struct TellIfPanicking(String);

impl Drop for TellIfPanicking {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

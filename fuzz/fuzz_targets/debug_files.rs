//! Any bytes as the file that a program's debug information was moved to; the first one chooses the
//! program.

#![no_main]

use std::env;
use std::fs;
use std::sync::OnceLock;

use subjects::{Subject, subjects};
use tempfile::TempDir;

#[path = "../../analyzer/tests/suite/bytes.rs"]
#[allow(dead_code, reason = "it writes other files too")]
mod bytes;
#[path = "../../analyzer/tests/suite/data.rs"]
mod data;
#[path = "../../analyzer/tests/suite/elf.rs"]
#[allow(dead_code, reason = "it makes other programs too")]
mod elf;
#[path = "../../analyzer/tests/damage/subjects.rs"]
mod subjects;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    static PROGRAMS: OnceLock<(TempDir, Vec<Subject>)> = OnceLock::new();
    let (_, programs) = PROGRAMS.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // The files have relative names.
        env::set_current_dir(&folder).expect("the folder");
        let programs = subjects().into_iter().filter(|program| program.debug_file().is_some());
        (folder, programs.collect())
    });
    let Some((&first, debug)) = input.split_first() else { return };
    let program = &programs[usize::from(first) % programs.len()];
    for (name, bytes) in program.files() {
        let is_debug = program.debug_file().is_some_and(|(debug, _)| *debug == name);
        fs::write(name, if is_debug { debug } else { &bytes }).expect("a writable folder");
    }
    for options in ["-blzC", "-bzC"] {
        let words = [options, "exe", "gmon.out"].map(Into::into);
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let status = gmon_analyzer::gprof::main("gprof", &words, &mut stdout, &mut stderr);
        assert!(status == 0 || !stderr.is_empty(), "status {status} without a word");
    }
    // Another program is not to find it.
    if let Some((name, _)) = program.debug_file() {
        fs::remove_file(name).expect("the file");
    }
});

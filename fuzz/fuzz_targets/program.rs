//! Any bytes as an executable: its symbols, its code and its debug information.

#![no_main]

use std::fs;
use std::sync::OnceLock;

use tempfile::TempDir;

/// A data file without a record: nothing was counted, so `-z` shows what there is.
const DATA: &[u8] = b"gmon\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a temporary folder"));
    let (exe, data) = (folder.path().join("exe"), folder.path().join("data"));
    fs::write(&exe, input).expect("a program");
    fs::write(&data, DATA).expect("a data file");
    for options in ["-blzC", "-bzC"] {
        let words = [options.into(), exe.clone().into(), data.clone().into()];
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let status = gmon_analyzer::gprof::main("gprof", &words, &mut stdout, &mut stderr);
        assert!(status == 0 || !stderr.is_empty(), "status {status} without a word");
    }
});

//! Words `@FILE`, compared with GNU gprof.

use std::ffi::OsString;

use crate::data::{Data, Histogram};
use crate::elf::Elf;
use crate::gnu;
use crate::random::Random;
use crate::run::{Case, gprof};

/// Whatever words GNU gprof finds are names of data files, which it lists with `-i`.
#[test]
fn words_from_files_are_those_of_gnu_gprof() {
    if !gnu::is_here("words_from_files_are_those_of_gnu_gprof") {
        return;
    }
    const PARTS: [&str; 13] = [
        "DIR/a", "DIR/b", " ", "\n", "'", "\"", "\\", "\\\n", "' '", "\"\\\"", "\x0b", "\x0c",
        " -- ",
    ];
    let mut exe = Elf::new(0x1000, 0x100);
    exe.function("main", 0x1000);
    let histograms = vec![Histogram::new(0x1000, 0x1100, vec![1; 64])];
    let data = Data { histograms, arcs: vec![] }.bytes(exe.encoding);
    for seed in gnu::seeds(150) {
        let mut random = Random::new(seed);
        let case = Case::new(&exe.bytes(), &data);
        for name in ["a", "b", "a ", "'", "\n"] {
            case.file(name, &data);
        }
        let dir = case.folder().display().to_string();
        let text: String = (0..random.below(12)).map(|_| random.pick(&PARTS)).collect();
        let text = text.replace("DIR", &dir);
        let list = case.file("words", text.as_bytes());
        let outer = format!("{} '@{}'", case.path("gmon.out").display(), list.display());
        let outer = case.file("outer", outer.as_bytes());
        let words =
            [OsString::from("-i"), case.path("exe").into(), format!("@{}", outer.display()).into()];
        let mut ours = gprof(&words);
        // Of a file without a name GNU gprof only says what is wrong.
        ours.stderr = ours.stderr.trim_start_matches(": ").to_owned();
        gnu::assert_equal(&format!("seed {seed}: {text}"), gnu::gnu_gprof(&words), ours);
    }
}

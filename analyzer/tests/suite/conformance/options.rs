//! Random command lines.

use super::programs::Program;
use crate::random::Random;

/// Whether an option takes a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    Required,
    Optional,
}
use Value::{None as No, Optional, Required};

/// All options, by letter and word, as GNU gprof's manual lists them.
#[rustfmt::skip]
const OPTIONS: &[(&str, &str, Value)] = &[
    ("l", "line", No), ("a", "no-static", No), ("D", "ignore-non-functions", No),
    ("S", "external-symbol-table", Required), ("A", "annotated-source", Optional),
    ("J", "no-annotated-source", Optional), ("p", "flat-profile", Optional),
    ("P", "no-flat-profile", Optional), ("q", "graph", Optional), ("Q", "no-graph", Optional),
    ("C", "exec-counts", Optional), ("Z", "no-exec-counts", Optional),
    ("r", "function-ordering", No), ("R", "file-ordering", Required), ("i", "file-info", No),
    ("s", "sum", No), ("x", "all-lines", No), ("", "demangle", Optional), ("", "no-demangle", No),
    ("I", "directory-path", Required), ("z", "display-unused-functions", No),
    ("", "inline-file-names", No), ("m", "min-count", Required), ("L", "print-path", No),
    ("y", "separate-files", No), ("c", "static-call-graph", No), ("t", "table-length", Required),
    ("n", "time", Required), ("N", "no-time", Required), ("w", "width", Required),
    ("b", "brief", No), ("O", "file-format", Required), ("T", "traditional", No),
    ("e", "", Required), ("E", "", Required), ("f", "", Required), ("F", "", Required),
    ("k", "", Required), ("B", "", No),
];

/// Words of a command line behind `-b`, the executable and its data files among them as `EXE`, `DATA0`, `DATA1` ….
pub(super) fn line(random: &mut Random, program: &Program) -> Vec<String> {
    let mut groups = Vec::new();
    const OUTPUTS: [&str; 14] =
        ["p", "q", "p", "q", "P", "Q", "C", "b", "Z", "i", "A", "J", "B", "B"];
    for _ in 0..random.below(4) {
        let output = random.pick(&OUTPUTS);
        groups.push(option(random, output, program));
    }
    const OTHERS: [&str; 30] = [
        "T",
        "T",
        "z",
        "z",
        "w",
        "w",
        "a",
        "D",
        "L",
        "k",
        "k",
        "n",
        "N",
        "e",
        "E",
        "f",
        "F",
        "l",
        "S",
        "m",
        "t",
        "x",
        "y",
        "I",
        "inline-file-names",
        "no-demangle",
        "demangle",
        "O",
        "n",
        "N",
    ];
    if program.has_simple_calls() && random.once_in(4) {
        groups.push(option(random, "c", program));
    }
    for _ in 0..random.below(5) {
        let other = random.pick(&OTHERS);
        groups.push(option(random, other, program));
    }
    if random.once_in(30) {
        groups.push(vec![
            random.pick(&["-9", "--nosuch", "--no", "--fil", "-g", "--line=3", "-k"]).to_owned(),
        ]);
    }
    // Disks take their time for a sum, which is to last.
    if program.has_small_sums() && random.once_in(30) {
        groups.push(option(random, "s", program));
    }
    // GNU gprof puts functions of selected arcs, and of programs with many, into orders twice.
    let has_arcs = groups.iter().flatten().any(|word| word.contains('/'));
    // A last `-k` would take the option for its value, and its list would be taken for data.
    let has_open_end = groups.iter().any(|group| group == &["-k"]);
    if !has_arcs && program.exe.symbols.len() < 80 && random.once_in(8) {
        groups.push(option(random, "r", program));
    } else if !has_arcs && !has_open_end && random.once_in(8) {
        groups.push(option(random, "R", program));
    }
    if random.once_in(8) {
        groups.push(vec!["@DIR/words".to_owned()]);
    }
    let operands = ["EXE".to_owned()].into_iter();
    let operands =
        operands.chain((0..program.profiles.len()).map(|number| format!("DATA{number}")));
    let mut place = 0;
    for operand in operands {
        place += random.below((groups.len() - place) as u64 + 1) as usize;
        groups.insert(place, vec![operand]);
        place += 1;
    }
    bundle(random, groups)
}

/// One option, found by its letter or its word, in one of its spellings.
fn option(random: &mut Random, name: &str, program: &Program) -> Vec<String> {
    let is_named = |(letter, word, _): &&(&str, &str, _)| *letter == name || *word == name;
    let (letter, word, takes) = OPTIONS.iter().find(is_named).expect("an option of this name");
    let value = match takes {
        No => None,
        Optional if random.once_in(2) => None,
        _ => Some(value(random, name, program)),
    };
    let is_short = !letter.is_empty() && (word.is_empty() || !random.once_in(4));
    let mut word = || {
        let len = word.len() as u64;
        // Most words can be cut in half.
        let len = if random.once_in(4) { len / 2 + random.below(len / 2) } else { len };
        format!("--{}", &word[..len as usize])
    };
    match (is_short, value) {
        (true, None) => vec![format!("-{letter}")],
        (false, None) => vec![word()],
        (true, Some(value)) if *takes == Optional && value.is_empty() => vec![format!("-{letter}")],
        (true, Some(value))
            if *takes == Optional || (!value.is_empty() && value.len() % 2 == 0) =>
        {
            vec![format!("-{letter}{value}")]
        }
        (true, Some(value)) => vec![format!("-{letter}"), value],
        (false, Some(value)) if *takes == Required && value.len() % 2 == 0 => vec![word(), value],
        (false, Some(value)) => vec![format!("{}={value}", word())],
    }
}

fn value(random: &mut Random, option: &str, program: &Program) -> String {
    match option {
        "w" => random.pick(&["1", "40", "80", "132", "79", "0", "x", "-3"]).to_owned(),
        "t" | "m" => random.pick(&["0", "1", "3", "10", "200", "x", "-1"]).to_owned(),
        "O" => random.pick(&["auto", "magic", "a", "m", "4.4bsd", "prof", "x"]).to_owned(),
        "I" => random.pick(&[".", "/nowhere:", "a:b"]).to_owned(),
        "S" => "DIR/symbols".to_owned(),
        "R" => "DIR/map".to_owned(),
        "demangle" => random.pick(&["auto", "none", "gnu-v3", "rust", "nosuch"]).to_owned(),
        "k" => format!("{}/{}", symspec(random, program), symspec(random, program)),
        "q" | "Q" | "p" | "A" if random.once_in(3) => {
            format!("{}/{}", symspec(random, program), symspec(random, program))
        }
        _ => symspec(random, program),
    }
}

/// A symspec of any form.
fn symspec(random: &mut Random, program: &Program) -> String {
    let symbol = random.below(program.exe.symbols.len() as u64) as usize;
    let name = &program.exe.symbols[symbol].name;
    match random.below(16) {
        0 => String::new(),
        1 => "nosuch".to_owned(),
        2 => "file.c".to_owned(),
        3 => format!("file.c:{name}"),
        4 => "file.c:12".to_owned(),
        5 => "12".to_owned(),
        6 => format!(":{name}"),
        7 => random.pick(&[":", "::", "a:", ".", "main"]).to_owned(),
        _ => name.clone(),
    }
}

/// Puts some letters behind one dash, and turns groups into words.
fn bundle(random: &mut Random, groups: Vec<Vec<String>>) -> Vec<String> {
    let is_lone = |word: &str| {
        let mut options = OPTIONS.iter().filter(|(_, _, takes)| *takes == No);
        options.any(|(letter, _, _)| word.strip_prefix('-') == Some(*letter))
    };
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for group in groups {
        let is_letter = group[0].starts_with('-') && !group[0].starts_with("--");
        if open && is_letter && random.once_in(2) {
            words.last_mut().unwrap().push_str(&group[0][1..]);
            words.extend_from_slice(&group[1..]);
        } else {
            words.extend_from_slice(&group);
        }
        open = group.len() == 1 && is_lone(&group[0]);
    }
    words
}

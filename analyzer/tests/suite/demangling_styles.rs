//! The styles of `--demangle`, on names put together at random, against `c++filt`.

use std::process::Command;

use gmon_analyzer::symbols::Demangling;

use super::gnu;
use super::random::Random;

/// Makes names of some parts and demands that they are printed as `c++filt` does.
fn compare(test: &str, style: &str, begin: &[&str], parts: &[&str]) {
    if !gnu::has(test, "c++filt") {
        return;
    }
    let mut random = Random::new(40);
    let demangling = Demangling::named(style.as_bytes()).unwrap();
    let count = gnu::seeds(2000).end;
    for _ in 0..count.div_ceil(100) {
        let name = |random: &mut Random| {
            let begin = random.pick(begin).to_owned();
            (0..random.below(8)).fold(begin, |name, _| name + random.pick(parts))
        };
        let names: Vec<_> = (0..100).map(|_| name(&mut random)).collect();
        let mut command = Command::new("c++filt");
        let outcome = gnu::outcome(command.args(["--no-verbose", "-s", style]).args(&names));
        if outcome.status != 0 {
            eprintln!("{test}: c++filt died of one of {names:?}");
            continue;
        }
        let expected: Vec<_> = outcome.stdout.lines().collect();
        assert_eq!(expected.len(), names.len());
        for (name, expected) in names.iter().zip(expected) {
            let readable = demangling.demangle(name.as_bytes());
            assert_eq!(String::from_utf8_lossy(&readable), expected, "{name}");
        }
    }
}

#[test]
fn ada_names_are_printed_as_libiberty_does() {
    compare(
        "ada_names_are_printed_as_libiberty_does",
        "gnat",
        &["a", "pkg", "_ada_", "_ada_main", "X", "a_b"],
        &[
            "__", "__b", "_", "1", "__2", "_3", "X", "b", "n", "TK", "TKB", "N", "P", "SR", "SW",
            "SI", "SO", "DF", "DA", "___elabb", "___elabs", "___size", "__O", "__Oadd", "__Oor",
            "__Oexpon", "_E", "_B", "s", "_E1s", ".5", ".", "x", "proc", "__a_b", "é", "<",
        ],
    );
}

#[test]
fn java_names_are_printed_as_libiberty_does() {
    compare(
        "java_names_are_printed_as_libiberty_does",
        "java",
        &["_ZN4java4lang6Object", "_ZN1A", "_Z1f", "_ZN1AC1E", "_ZTVN1A", "_Z1fIiE"],
        &[
            "C1",
            "E",
            "E",
            "v",
            "i",
            "b",
            "c",
            "w",
            "x",
            "j",
            "P",
            "PN4java4lang6StringE",
            "1g",
            "P6JArrayIiE",
            "P6JArrayIPN4java4lang6ObjectEE",
            "6JArrayIP6JArrayIwEE",
            "S_",
            "S0_",
            "IiE",
            "K",
            "R",
            "Ev",
            "EPFvvE",
        ],
    );
}

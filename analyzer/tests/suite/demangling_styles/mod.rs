//! The styles of `--demangle`, on names put together at random, against `c++filt`.

mod ada;
mod d;
mod java;

use std::process::Command;

use gmon_analyzer::symbols::Demangling;

use crate::gnu;
use crate::random::Random;

/// Makes names and demands that they are printed as `c++filt` does.
fn compare(test: &str, style: &str, name: impl Fn(&mut Random) -> String) {
    if !gnu::has(test, "c++filt") {
        return;
    }
    let mut random = Random::new(40);
    let demangling = Demangling::named(style.as_bytes()).unwrap();
    let count = gnu::seeds(2000).end;
    for _ in 0..count.div_ceil(100) {
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

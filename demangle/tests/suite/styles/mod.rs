//! The styles of `--demangle`, on names put together at random, against `c++filt`.

#[cfg(feature = "ada")]
mod ada;
#[cfg(feature = "d")]
mod d;
#[cfg(feature = "java")]
mod java;

use std::process::Command;

use gmon_demangle::Demangling;
use support::random::{Random, seeds};
use support::tools;

/// Makes names and demands that they are printed as `c++filt` does.
fn compare(style: &str, name: impl Fn(&mut Random) -> String) {
    let Some(filter) = tools::find("c++filt") else { return };
    let mut random = Random::new(40);
    let demangling = Demangling::named(style.as_bytes()).unwrap();
    let count = seeds(2000).end;
    for _ in 0..count.div_ceil(100) {
        let names: Vec<_> = (0..100).map(|_| name(&mut random)).collect();
        let mut filter = Command::new(&filter);
        let output = filter.args(["--no-verbose", "-s", style]).args(&names).output().unwrap();
        if !output.status.success() {
            eprintln!("{style}: c++filt died of one of {names:?}");
            continue;
        }
        let expected = String::from_utf8_lossy(&output.stdout);
        let expected: Vec<_> = expected.lines().collect();
        assert_eq!(expected.len(), names.len());
        for (name, expected) in names.iter().zip(expected) {
            let readable = demangling.demangle(name.as_bytes());
            assert_eq!(String::from_utf8_lossy(&readable), expected, "{name}");
        }
    }
}

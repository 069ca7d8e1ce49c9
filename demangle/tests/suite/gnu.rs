//! The GNU tools: `nm` for the names in a library, `c++filt` for what they mean.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;

/// The C++ names that a program or library defines or uses, each once, without symbol versions.
pub(crate) fn names(file: &str) -> io::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for symbols in [&[][..], &["--dynamic"]] {
        let mut nm = Command::new("nm");
        let listing = nm.arg("--format=just-symbols").args(symbols).arg(file).output()?;
        let listing = String::from_utf8_lossy(&listing.stdout);
        let plain = listing.lines().filter_map(|line| line.split('@').next());
        names.extend(plain.filter(|name| name.starts_with("_Z")).map(str::to_owned));
    }
    Ok(names)
}

/// What `c++filt` makes of names, in their order.
pub(crate) fn demangled(names: &BTreeSet<String>) -> io::Result<Vec<String>> {
    let mut filter = Command::new("c++filt")
        .arg("--no-verbose")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = filter.stdin.take().expect("a pipe");
    let text: String = names.iter().flat_map(|name| [name, "\n"]).collect();
    let writer = thread::spawn(move || input.write_all(text.as_bytes()));
    let output = String::from_utf8_lossy(&filter.wait_with_output()?.stdout).into_owned();
    writer.join().expect("no panic")?;
    Ok(output.lines().map(str::to_owned).collect())
}

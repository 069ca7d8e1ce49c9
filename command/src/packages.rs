//! Packages of the system that have the debug files of others.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The package with the names of a file's functions, if a package manager knows whose file that is.
pub(crate) fn with_names_of(file: &Path) -> Option<String> {
    debian(file).or_else(|| answer("rpm", &["-qf", "--qf", "%{NAME}-debuginfo"], file))
}

/// The package by Debian's custom: `coreutils-dbgsym`; that of the C library is older than the custom.
fn debian(file: &Path) -> Option<String> {
    // Lists may still have the places from before /lib became a part of /usr.
    let old = file.strip_prefix("/usr").ok().map(|rest| Path::new("/").join(rest));
    let places = [Some(file.to_owned()), old];
    let said = |place: PathBuf| answer("dpkg-query", &["--search"], &place);
    let said = places.into_iter().flatten().find_map(said)?;
    match said.split([':', ',']).next()? {
        "libc6" => Some("libc6-dbg".to_owned()),
        package => Some(format!("{package}-dbgsym")),
    }
}

/// The first line that a package manager says of a file; `None` if it is not there or does not know the file.
fn answer(manager: &str, arguments: &[&str], file: &Path) -> Option<String> {
    // What a profile names is no pattern.
    let is_plain = |text: &str| !text.contains(['*', '?', '[', '\\']);
    let name = file.to_str().filter(|name| file.is_absolute() && is_plain(name))?;
    let mut command = Command::new(manager);
    command.args(arguments).arg(name).env("LC_ALL", "C");
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    let line = text.lines().next().filter(|line| !line.is_empty())?;
    Some(line.to_owned())
}

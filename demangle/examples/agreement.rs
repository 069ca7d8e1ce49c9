//! Counts how many C++ names of libraries and programs each demangler prints exactly as `c++filt` does:
//!
//! ```text
//! cargo run --release -p gmon-demangle --example agreement -- /usr/lib/x86_64-linux-gnu/libstdc++.so.6
//! ```

use std::env;
use std::io;
use std::process::ExitCode;

use cpp_demangle::Symbol;
use gmon_demangle::Demangling;

#[path = "../tests/suite/gnu.rs"]
mod gnu;

fn main() -> ExitCode {
    let files: Vec<String> = env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: agreement FILE…");
        return ExitCode::from(2);
    }
    println!("| file | C++ names | gmon-demangle | cpp_demangle |\n|---|--:|--:|--:|");
    for file in files {
        match row(&file) {
            Ok(row) => println!("{row}"),
            Err(error) => {
                eprintln!("agreement: {file}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// The row of one file, with the names printed alike as a number and a percentage.
fn row(file: &str) -> io::Result<String> {
    let names = gnu::names(file)?;
    if names.is_empty() {
        return Err(io::Error::other("nm finds no C++ names in it"));
    }
    let expected = gnu::demangled(&names)?;
    assert_eq!(names.len(), expected.len(), "c++filt prints a line for each name");
    let alike = |demangle: fn(&str) -> String| {
        let same =
            names.iter().zip(&expected).filter(|(name, expected)| demangle(name) == **expected);
        let count = same.count();
        // Rounded down, so that only all names are 100 %.
        let thousandths = count * 1000 / names.len();
        format!("{count} ({}.{} %)", thousandths / 10, thousandths % 10)
    };
    Ok(format!("| {file} | {} | {} | {} |", names.len(), alike(by_gmon), alike(by_cpp_demangle)))
}

fn by_gmon(name: &str) -> String {
    String::from_utf8_lossy(&Demangling::Auto.demangle(name.as_bytes())).into_owned()
}

/// A name that cannot be read stays as it is, as with `c++filt`.
fn by_cpp_demangle(name: &str) -> String {
    let readable = Symbol::new(name).ok().and_then(|symbol| symbol.demangle().ok());
    readable.unwrap_or_else(|| name.to_owned())
}

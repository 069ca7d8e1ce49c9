//! The options by which a compiler has the executions of basic blocks counted.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// gcc has one kind of hook. `-g`, because reports show counts by line; first of all options, so that any
/// other choice of debugging information comes after it.
const GCC: &[&str] = &["-g", "-fsanitize-coverage=trace-pc"];

/// clang knows the addresses of all blocks, also of those that are never executed, and would leave out
/// those whose counts follow from others.
const CLANG: &[&str] = &["-g", "-fsanitize-coverage=trace-pc-guard,pc-table,no-prune"];

/// Keeps clang from linking a runtime of its own, which has hooks that count nothing.
const NO_RUNTIME: &str = "-fno-sanitize-link-runtime";

/// The options for the compiler that these words call. A sanitizer needs its own runtime.
pub(crate) fn options(compiler: &[OsString], has_sanitizer: bool) -> Vec<&'static str> {
    match is_clang(compiler) {
        true if has_sanitizer => CLANG.to_vec(),
        true => [CLANG, &[NO_RUNTIME]].concat(),
        false => GCC.to_vec(),
    }
}

/// Decides by its name or, where that does not tell, by what it defines.
pub(super) fn is_clang(compiler: &[OsString]) -> bool {
    let names = compiler.iter().filter_map(|word| Path::new(word).file_name()?.to_str());
    let is = |parts: &[&str]| names.clone().any(|name| parts.iter().any(|p| name.contains(p)));
    is(&["clang", "icx", "icpx"]) || !is(&["gcc", "g++"]) && defines_clang(compiler)
}

fn defines_clang(compiler: &[OsString]) -> bool {
    let mut question = Command::new(&compiler[0]);
    question.args(&compiler[1..]).args(["-dM", "-E", "-x", "c", "/dev/null"]);
    let answer = question.stdin(Stdio::null()).output();
    answer.is_ok_and(|answer| answer.stdout.windows(9).any(|part| part == b"__clang__"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_distinguished_by_name() {
        for (line, expected) in [
            ("clang-14", true),
            ("ccache /usr/bin/clang++", true),
            ("icpx", true),
            ("x86_64-linux-gnu-gcc-12", false),
            ("ccache g++", false),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(is_clang(&words), expected, "{line}");
        }
    }
}

//! Start files for compilers that do not have the ones which `-pg` makes them ask for.
//!
//! With `-pg` a program begins with `gcrt1.o`, by which glibc starts its own profile. musl has none,
//! and clang takes it even for a static position-independent program, which it cannot start.
//! gmon's runtime starts by itself, so a stand-in that leads to the plain start file will do.
//!
//! On bare metal gcc asks for another C library with `-pg`, `libc_p.a`, which newlib lacks: there, too, a
//! stand-in leads to the plain one.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::expand_words;
use crate::carried::Layout;
use crate::text::joined;

/// The option that makes a compiler find a start file for the program that it is to link, if it
/// needs one. `compiler` is the words that call it, `arguments` what it will be given.
pub(crate) fn option(
    compiler: &[OsString],
    arguments: &[OsString],
    carried: &Layout,
) -> Option<OsString> {
    let words = expand_words(arguments);
    let has_specs = words.iter().any(|word| is_specs(word.as_bytes()));
    if let Some(folder) = carried.profiled_library(has_specs) {
        return Some(joined("-L", folder));
    }
    let folder = if words.iter().any(|word| word == "-static-pie" || word == "--static-pie") {
        carried.static_pie_start_files()
    } else if may_be_for_musl(compiler, &words) && !has_start_file(compiler, arguments) {
        carried.start_files()
    } else {
        return None;
    };
    Some(joined("-B", folder))
}

/// Returns `true` if a word says which C library a program for bare metal has.
fn is_specs(word: &[u8]) -> bool {
    word.starts_with(b"--specs=") || word.starts_with(b"-specs=")
}

/// Returns `true` if it is worth a call of the compiler to ask whether it has what glibc has.
fn may_be_for_musl(compiler: &[OsString], words: &[OsString]) -> bool {
    let mentions_it = |word: &OsString| word.as_bytes().windows(4).any(|part| part == b"musl");
    cfg!(target_env = "musl") || compiler.iter().chain(words).any(mentions_it)
}

/// Returns `true` if the compiler finds `gcrt1.o`. If it does not understand the question, it is
/// left alone.
fn has_start_file(compiler: &[OsString], arguments: &[OsString]) -> bool {
    let mut question = Command::new(&compiler[0]);
    question.args(&compiler[1..]).args(arguments).arg("-print-file-name=gcrt1.o");
    let Ok(answer) = question.stdin(Stdio::null()).output() else { return true };
    // A file that is not found is answered as it was asked for.
    !answer.status.success()
        || Path::new(OsStr::from_bytes(answer.stdout.trim_ascii())).is_absolute()
}

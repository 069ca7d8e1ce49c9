//! `gmon cc --use-profile`: compiles and links with what was measured, in place of hooks.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use gmon_analyzer::export::{ProfiledBy, function_names};
use gmon_analyzer::{Program, ProgramOptions};

use super::arguments::Invocation;
use super::compiler::{Compiler, Dialect};
use super::{blocks, cannot_run, expand_words, options};
use crate::guided::{KEEP_BRANCHES, Made, Matched, ORDERS, read_text};
use crate::signals::exit_code;
use crate::text::joined;
use crate::{say, temporary};

/// Has LLVM, from 14 on, find counts of all blocks that agree with each other. Without it a block on which no sample
/// fell tells it nothing.
/// With pseudo probes it makes the code slower.
const CONSISTENT: [&str; 2] = ["-mllvm", "-sample-profile-use-profi"];

/// Has clang mark blocks and calls, by which it finds them in a profile.
const PROBES: &str = "-fpseudo-probe-for-profiling";

/// Options for a build that is to be measured by pseudo probes.
pub(super) fn options_of_measured(
    compiler: &Compiler,
    arguments: &[OsString],
) -> Vec<&'static str> {
    let options: Vec<&str> = KEEP_BRANCHES.iter().flat_map(|option| ["-mllvm", *option]).collect();
    let is_wanted = arguments.iter().any(|word| word == PROBES) && takes(compiler, &options);
    if is_wanted { options } else { Vec::new() }
}

/// Calls the compiler with a profile.
pub(super) fn run(
    compiler: &Compiler,
    mut arguments: Vec<OsString>,
    profile: &Path,
) -> Result<ExitCode> {
    let wishes = &compiler.wishes;
    if wishes.blocks || wishes.dormant || wishes.times {
        bail!(
            "--use-profile builds what is measured no more; leave out --blocks, --dormant and --times"
        );
    }
    if compiler.dialect() != Dialect::Gcc {
        bail!("--use-profile is for gcc, clang and what calls them; name one of these");
    }
    let kind = match blocks::is_clang(compiler.words()) {
        true => ProfiledBy::Llvm,
        false => ProfiledBy::Gcc,
    };
    let made = Made::of(profile, kind)?;
    let invocation = Invocation::read(&arguments);
    let mut options = Vec::new();
    if invocation.makes_code() {
        let option = match kind {
            ProfiledBy::Llvm => "-fprofile-sample-use=",
            ProfiledBy::Gcc => "-fauto-profile=",
        };
        options.push(joined(option, &made.profile));
        if kind == ProfiledBy::Llvm {
            if read_text(&made.profile)?.is_by_probes() {
                options.push(PROBES.into());
            } else if takes(compiler, &CONSISTENT) {
                options.extend(CONSISTENT.map(OsString::from));
            }
        }
        // So that the linker can move each function.
        options.push("-ffunction-sections".into());
    }
    let program = invocation.program().map(Path::to_owned);
    if let (Some(_), Some(orders)) = (&program, &made.orders) {
        options.extend(order(compiler, &arguments, orders.each_ref().map(|file| file.as_path()))?);
    }
    let end = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    arguments.splice(end..end, options);
    let mut call = compiler.call();
    call.args(arguments);
    let Some(linked) = program.as_deref().or(invocation.library()) else {
        return Err(call.exec()).with_context(|| cannot_run(compiler));
    };
    let status = call.status().with_context(|| cannot_run(compiler))?;
    if status.success() {
        say_matched(linked, program.is_none(), profile, &made)?;
    }
    Ok(exit_code(status))
}

/// Says how much of the profile is of use to a program or a library that was linked.
///
/// # Errors
///
/// None of it is of use to a program.
fn say_matched(program: &Path, is_library: bool, profile: &Path, made: &Made) -> Result<()> {
    let options = ProgramOptions { names_stripped: true, ..ProgramOptions::standard() };
    // What was linked may be for another machine, or stripped.
    let Ok(built) = Program::open(program, &options) else { return Ok(()) };
    let Some(text) = &made.text else { return Ok(()) };
    let functions = read_text(text)?;
    let names: BTreeSet<Vec<u8>> = function_names(&built);
    let matched = Matched::new(&functions, |_| true, &names);
    let (built_file, program, profile) = (program, program.display(), profile.display());
    if matched.found == 0 && is_library {
        say(&anyhow!(
            "{program} has none of the functions of {profile}: profiles for compilers have those of a program, and none of its \
             shared libraries"
        ));
        return Ok(());
    }
    if matched.found == 0 {
        // A linker that fails leaves nothing either, so that the next make links again.
        if built_file.is_file() {
            fs::remove_file(built_file).with_context(|| program.to_string())?;
        }
        bail!(
            "{program} has none of the {} functions of {profile}, so the profile did nothing; it is of another program",
            matched.functions
        );
    }
    writeln!(io::stderr(), "gmon: {program} has {matched} in {profile}").context("standard error")
}

/// The options for the order of functions that the linker takes, if it takes one.
fn order(compiler: &Compiler, arguments: &[OsString], orders: [&Path; 3]) -> Result<Vec<OsString>> {
    let folder = temporary::folder()?;
    let source = folder.path().join("empty.c");
    fs::write(&source, "int main(void) { return 0; }\n")
        .with_context(|| source.display().to_string())?;
    let words = expand_words(arguments);
    let chosen = choosing_linker(&words);
    for (order, file) in ORDERS.iter().zip(orders) {
        let file = std::path::absolute(file).with_context(|| file.display().to_string())?;
        let options = order.options("", file.as_os_str());
        let mut command: Command = compiler.call();
        command.args(&chosen).args(&options).args(["-x", "c"]).arg(&source);
        command.arg("-o").arg(folder.path().join("empty"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if command.status().with_context(|| cannot_run(compiler))?.success() {
            return Ok(options);
        }
    }
    say(&anyhow!(
        "the linker takes no order of functions, so they stay where they were; link with -fuse-ld=lld"
    ));
    Ok(Vec::new())
}

/// The words that decide which linker is called, and for which machine.
fn choosing_linker(words: &[OsString]) -> Vec<&OsString> {
    const BEGINNINGS: [&str; 8] =
        ["-fuse-ld=", "--ld-path=", "-B", "-m", "-target", "--target=", "--sysroot", "-static"];
    let mut chosen = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.to_str().unwrap_or_default();
        let decides = BEGINNINGS.iter().any(|start| text.starts_with(start)) && text != "-mllvm";
        chosen.extend(Some(word).filter(|_| decides));
        if options::WITH_VALUE.contains(&text) {
            chosen.extend(rest.next().filter(|_| decides));
        }
    }
    chosen
}

/// Returns `true` if a compiler knows these options.
fn takes(compiler: &Compiler, options: &[&str]) -> bool {
    let mut command = compiler.call();
    command.args(options).args(["-c", "-x", "c", "/dev/null", "-o", "/dev/null"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn words_that_choose_the_linker_have_their_values() {
        for (line, chosen) in [
            ("-O2 -B tools x.c -o x", "-B tools"),
            ("-Btools -fuse-ld=lld -static x.c", "-Btools -fuse-ld=lld -static"),
            ("-target aarch64-linux --sysroot /s x.o", "-target aarch64-linux --sysroot /s"),
            ("-mllvm -misched -m32 -I -B x.c", "-m32"),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let found: Vec<_> = choosing_linker(&words).into_iter().cloned().collect();
            assert_eq!(found.join(OsStr::new(" ")), chosen, "{line}");
        }
    }
}

//! Exits of functions that sleep: whether a compiler makes them, and what a shared library needs that has them.
//!
//! A program finds what its exits lead to in the runtime. A shared library has no runtime, and must run in programs that
//! have none: it gets a function of its own that only returns.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};
use gmon_format::dormant::{Processor, Way};
use tempfile::TempDir;

use super::arguments::Invocation;
use super::compiler::Compiler;
use super::expand_words;
use super::machine::machine_options;
use crate::temporary;

/// The way in which the compiler makes exits on a processor; `None` if it makes none or the user has decided how functions return.
pub(super) fn of(
    compiler: &Compiler,
    invocation: &Invocation,
    arguments: &[OsString],
    processor: &'static Processor,
) -> Option<&'static Way> {
    let exits = processor.exits.as_ref().filter(|_| !invocation.has_exits())?;
    let words = expand_words(arguments);
    // Linkers that optimise need it as well.
    let optimises_link = words.iter().any(|word| word.as_bytes().starts_with(b"-flto"));
    if !invocation.makes_code() && !optimises_link {
        return None;
    }
    let mut options = machine_options(&words);
    options.extend(words.into_iter().filter(|word| decides(word.as_bytes())));
    exits.ways.iter().find(|way| {
        let mut question = compiler.call();
        question.args(&options).args(way.compiler_options).args(["-x", "c", "-S", "-o", "-", "-"]);
        let Ok(answer) = answer(question, b"int one(void) { return 1; }\n") else { return false };
        let sign = way.sign.as_bytes();
        answer.status.success() && answer.stdout.windows(sign.len()).any(|part| part == sign)
    })
}

/// Returns `true` if an option has a say in whether exits can be had.
fn decides(option: &[u8]) -> bool {
    [&b"-mcmodel="[..], b"-fcf-protection", b"-mindirect-branch"]
        .iter()
        .any(|o| option.starts_with(o))
}

/// Target of the exits of a shared library, in assembly language. It marks itself as fit for shadow stacks, else the library would not be.
const RETURN: &str = r#"
        .section .text.__x86_return_thunk, "ax", @progbits
        .globl  __x86_return_thunk
        .hidden __x86_return_thunk
        .type   __x86_return_thunk, @function
__x86_return_thunk:
        .cfi_startproc
        ret
        .cfi_endproc
        .size   __x86_return_thunk, . - __x86_return_thunk
        .section .note.GNU-stack, "", @progbits
        .section .note.gnu.property, "a", @note
        .balign 8
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0
"#;

/// An object with what exits of a shared library lead to, until it is dropped.
pub(crate) struct Returns {
    object: PathBuf,
    _folder: TempDir,
}

impl Returns {
    /// Has a compiler make it.
    ///
    /// # Errors
    /// The compiler cannot.
    pub(crate) fn make(compiler: &OsStr, words: &[OsString]) -> Result<Self> {
        let folder = temporary::folder()?;
        let object = folder.path().join("return.o");
        let mut command = Command::new(compiler);
        command.args(words);
        command.args(["-x", "assembler", "-c", "-o"]).arg(&object).arg("-");
        let answer = answer(command, RETURN.as_bytes()).with_context(|| {
            let name = compiler.to_string_lossy();
            format!("cannot run {name}, by which exits of shared libraries get what they lead to")
        })?;
        if !answer.status.success() {
            let said = String::from_utf8_lossy(&answer.stderr);
            bail!("{} does not assemble: {}", compiler.to_string_lossy(), said.trim());
        }
        Ok(Self { object, _folder: folder })
    }

    /// The object's file.
    pub(crate) fn object(&self) -> &Path {
        &self.object
    }
}

/// Answer of a command to an input.
fn answer(mut command: Command, input: &[u8]) -> io::Result<Output> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // One that fails may not read it.
    _ = child.stdin.take().map(|mut pipe| pipe.write_all(input));
    child.wait_with_output()
}

//! Tables of compilers' command lines, and how to read a file's kind off its name.
//!
//! The spellings are those of the manuals of gcc ("Option Summary", "Overall Options") and clang.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Options that only ask something, or stop before code is generated.
pub(crate) const ASKING: &[&str] = &[
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-###",
    "-V",
    "--version",
    "--help",
    "--target-help",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpmachine",
    "-dumpspecs",
    "--analyze",
    "--preprocess",
    "--dependencies",
    "--user-dependencies",
    "-cc1",
    "-cc1as",
];

/// Beginnings of options that only ask something.
pub(crate) const ASKING_PREFIXES: &[&str] = &["-print-", "--print-", "--help=", "-ccc-print-"];

/// Options of the linker, behind `-Wl,` or `-Xlinker`, that only ask it something.
pub(crate) const ASKING_LINKER: &[&str] =
    &["--help", "-help", "--version", "-version", "--target-help", "--print-sysroot"];

/// Options that stop before the link.
pub(crate) const COMPILING: &[&str] =
    &["-c", "-S", "--compile", "--assemble", "-emit-ast", "--precompile"];

/// Options of the compiler that link something that is not a program.
pub(crate) const NOT_A_PROGRAM: &[&str] = &["-shared", "--shared", "-r", "--relocatable"];

/// Options of the linker, behind `-Wl,` or `-Xlinker`, with the same effect.
pub(crate) const NOT_A_PROGRAM_LINKER: &[&str] =
    &["-shared", "--shared", "-Bshareable", "-r", "-i", "--relocatable"];

/// Options of the compiler or the linker by which objects become one object.
pub(crate) const JOINING: &[&str] = &["-r", "-i", "--relocatable"];

/// Options whose value is the next word.
pub(crate) const WITH_VALUE: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-T",
    "-u",
    "-z",
    "-e",
    "-A",
    "-B",
    "-G",
    "-F",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
    "-aux-info",
    "--param",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-wrapper",
    "--sysroot",
    "-target",
    "-arch",
    "-framework",
    "-ivfsoverlay",
    "-include-pch",
];

/// Kind of a file on the command line, to the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// Source code, to be compiled.
    Source,
    /// A header on its own, to be precompiled.
    Header,
    /// Assembly language, in which `-pg` means nothing.
    Assembly,
    /// For the linker.
    Object,
    /// No known ending: for the linker too, if it is an argument.
    Unknown,
}

impl InputKind {
    /// The kind that the file's ending tells.
    pub(crate) fn of(file: &OsStr) -> Self {
        let path = Path::new(file);
        if file == "-" {
            return Self::Source;
        }
        match path.extension().and_then(OsStr::to_str) {
            Some(
                "c" | "i" | "ii" | "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "m" | "mi"
                | "mm" | "M" | "mii" | "f" | "for" | "ftn" | "F" | "FOR" | "fpp" | "FPP" | "FTN"
                | "f90" | "f95" | "f03" | "f08" | "F90" | "F95" | "F03" | "F08" | "d" | "go"
                | "adb" | "ads" | "mod" | "ll" | "bc" | "cu",
            ) => Self::Source,
            Some("h" | "hh" | "H" | "hp" | "hxx" | "hpp" | "HPP" | "h++" | "tcc") => Self::Header,
            Some("s" | "S" | "sx" | "asm") => Self::Assembly,
            Some("o" | "a" | "so" | "obj" | "lo" | "la" | "ld" | "lds") => Self::Object,
            _ if is_versioned_library(file.as_bytes()) => Self::Object,
            _ => Self::Unknown,
        }
    }

    /// The kind that `-x LANGUAGE` gives to the files after it; `None` for `none`.
    pub(crate) fn of_language(language: &OsStr) -> Option<Self> {
        match language.as_bytes() {
            b"none" => None,
            language if language.ends_with(b"header") => Some(Self::Header),
            language if language.starts_with(b"assembler") => Some(Self::Assembly),
            _ => Some(Self::Source),
        }
    }
}

/// `libz.so.1.2.13`
fn is_versioned_library(name: &[u8]) -> bool {
    let Some(at) = name.windows(4).rposition(|window| window == b".so.") else { return false };
    name[at + 4..].iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

//! Compiler that `gmon cc` calls: the one named first on its command line, else `$CC`, else `cc`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::options::InputKind;

/// A compiler: a program, and words that always come first, as in `ccache gcc`.
pub(crate) struct Compiler {
    words: Vec<OsString>,
    /// True if the command line names it.
    pub(crate) is_named: bool,
    /// Wishes for it.
    pub(crate) wishes: Wishes,
}

/// Wishes of the user beside what `gmon cc` always does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wishes {
    /// Basic blocks are to be counted.
    pub(crate) blocks: bool,
    /// Hooks are to sleep until somebody wakes them.
    pub(crate) dormant: bool,
    /// Functions are to call hooks at both ends, so that their calls can be timed.
    pub(crate) times: bool,
    /// The profile that code is to be built with, in place of hooks.
    pub(crate) profile: Option<PathBuf>,
}

impl Wishes {
    /// Returns `true` if functions are to call hooks as `-pg` has it.
    pub(crate) fn has_awake_hooks(&self) -> bool {
        !self.dormant && !self.times
    }
}

impl Compiler {
    /// Splits the words after `gmon cc` into the compiler and its arguments.
    pub(crate) fn split(words: Vec<OsString>) -> (Self, Vec<OsString>) {
        let (mut named, wishes) = without_ourselves(words);
        if named.first().is_some_and(|word| is_command(word)) {
            // The compiler behind a launcher such as ccache, and zig's "zig cc".
            let behind = named.iter().skip(1).take_while(|word| is_compiler_name(word)).count();
            let arguments = named.split_off(1 + behind);
            return (Self { words: named, is_named: true, wishes }, arguments);
        }
        let (mut words, default_wishes) = without_ourselves(words_of("CC"));
        if words.is_empty() {
            words.push("cc".into());
        }
        let wishes = Wishes {
            blocks: wishes.blocks || default_wishes.blocks,
            dormant: wishes.dormant || default_wishes.dormant,
            times: wishes.times || default_wishes.times,
            profile: wishes.profile.or(default_wishes.profile),
        };
        (Self { words, is_named: false, wishes }, named)
    }

    /// The program to run.
    pub(crate) fn program(&self) -> &Path {
        Path::new(&self.words[0])
    }

    /// The words that call it.
    pub(crate) fn words(&self) -> &[OsString] {
        &self.words
    }

    /// Dialect of its arguments.
    pub(crate) fn dialect(&self) -> Dialect {
        Dialect::of(&self.words)
    }

    /// Options that its code needs so that all calls are counted.
    pub(crate) fn hook_options(&self) -> &'static [&'static str] {
        let is_gccgo = self.words.iter().any(|word| plain_name(word) == Some("gccgo"));
        if is_gccgo { GCCGO_OPTIONS } else { &[] }
    }

    /// The call, as far as it is the same for all arguments.
    pub(crate) fn call(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }
}

/// Dialects of compilers' command lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Like gcc.
    Gcc,
    /// No compiler itself: it calls compiler, binder and linker of Ada.
    Gnatmake,
    /// LDC, a compiler of D.
    Ldc,
}

impl Dialect {
    /// The dialect of the compiler named by `words`.
    pub(crate) fn of(words: &[OsString]) -> Self {
        let mut dialects = words.iter().filter_map(|word| match plain_name(word)? {
            GNATMAKE => Some(Self::Gnatmake),
            LDC => Some(Self::Ldc),
            _ => None,
        });
        dialects.next().unwrap_or(Self::Gcc)
    }
}

/// The words of a variable that names a compiler.
pub(crate) fn words_of(variable: &str) -> Vec<OsString> {
    let value = env::var_os(variable).unwrap_or_default();
    let words = value.as_bytes().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.map(|word| OsStr::from_bytes(word).into()).collect()
}

/// Drops leading `gmon cc`, which would call us for ever, from a compiler's words, and the options that are
/// for us.
fn without_ourselves(mut words: Vec<OsString>) -> (Vec<OsString>, Wishes) {
    let mut wishes = Wishes::default();
    loop {
        match words.as_slice() {
            [option, ..] if option == "--blocks" => {
                words.remove(0);
                wishes.blocks = true;
            }
            [option, ..] if option == "--dormant" => {
                words.remove(0);
                wishes.dormant = true;
            }
            [option, ..] if option == "--times" => {
                words.remove(0);
                wishes.times = true;
            }
            [option, _, ..] if option == PROFILE => {
                wishes.profile = words.drain(..2).nth(1).map(PathBuf::from);
            }
            [option, ..] if of_profile(option).is_some() => {
                wishes.profile = of_profile(&words.remove(0)).map(PathBuf::from);
            }
            [program, subcommand, ..] if subcommand == "cc" && is_ourselves(program) => {
                words.drain(..2);
            }
            _ => return (words, wishes),
        }
    }
}

/// The option for a profile.
const PROFILE: &str = "--use-profile";

/// The profile that an option has behind `=`.
fn of_profile(option: &OsStr) -> Option<&OsStr> {
    let value = option.as_bytes().strip_prefix(PROFILE.as_bytes())?.strip_prefix(b"=")?;
    Some(OsStr::from_bytes(value))
}

fn is_ourselves(program: &OsStr) -> bool {
    let same_file = || Some(fs::canonicalize(program).ok()? == env::current_exe().ok()?);
    Path::new(program).file_name() == Some("gmon".as_ref()) || same_file() == Some(true)
}

/// Returns `true` if the first word names a program to call, rather than being an argument: it is
/// neither an option nor a file that compilers take. A name that does not exist anywhere is taken
/// for a compiler too, so that its absence is reported and not passed to another one.
fn is_command(word: &OsStr) -> bool {
    let path = Path::new(word);
    let is_option = matches!(word.as_bytes(), [] | [b'-' | b'@', ..]);
    let is_input = InputKind::of(word) != InputKind::Unknown;
    !is_option && (is_compiler_name(word) || !is_input && (!path.is_file() || is_program(path)))
}

/// Returns `true` if it is a path, with a slash, of a file that can be executed.
fn is_program(path: &Path) -> bool {
    path.as_os_str().as_bytes().contains(&b'/')
        && fs::metadata(path).is_ok_and(|file| file.is_file() && file.mode() & 0o111 != 0)
}

/// Returns `true` if a word is a usual compiler's name, perhaps with a path, a target and a
/// version: `/usr/bin/x86_64-linux-gnu-g++-12`.
fn is_compiler_name(word: &OsStr) -> bool {
    const NAMES: &[&str] = &[
        "cc", "c++", "c89", "c99", "gcc", "g++", "clang", "clang++", "icx", "icpx", "gfortran",
        "flang", "ifx", "gdc", LDC, "gccgo", "gm2", GNATMAKE, "mpicc", "mpicxx", "mpic++", "mpiCC",
        "mpif77", "mpif90", "mpifort",
    ];
    plain_name(word).is_some_and(|name| NAMES.contains(&name))
}

/// Builder of Ada programs.
const GNATMAKE: &str = "gnatmake";

/// LLVM's compiler of D.
const LDC: &str = "ldc2";

/// With optimization, gccgo calls hooks only where a function's stack grows, unless stacks do not grow.
pub(crate) const GCCGO_OPTIONS: &[&str] = &["-fno-split-stack"];

/// The name of a compiler without path, target and version. Debian's compilers of MPI have `.mpich` or
/// `.openmpi` behind it.
fn plain_name(word: &OsStr) -> Option<&str> {
    let name = Path::new(word).file_name()?.to_str()?;
    let is_version = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let name = match name.rsplit_once('-') {
        Some((name, version)) if is_version(version) => name,
        _ => name,
    };
    let name = [".mpich", ".openmpi"].iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name);
    Some(name.rsplit_once('-').map_or(name, |(_target, name)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_known_by_name() {
        for name in [
            "cc",
            "g++",
            "/usr/bin/gcc-12",
            "x86_64-linux-gnu-g++-12.2",
            "clang++",
            "gnatmake-12",
            "mpif90.openmpi",
        ] {
            assert!(is_compiler_name(name.as_ref()), "{name}");
        }
        for name in ["main.c", "ccache", "gcc.c", "-c", "conftest.o", "cc1", ""] {
            assert!(!is_compiler_name(name.as_ref()), "{name}");
        }
    }

    #[test]
    fn first_word_is_a_compiler_or_an_argument() {
        #[track_caller]
        fn check(line: &str, compiler: Option<&str>) {
            let (found, _) = Compiler::split(line.split(' ').map(OsString::from).collect());
            let words = found.words.join(OsStr::new(" "));
            let named = found.is_named.then_some(words.as_os_str());
            assert_eq!(named, compiler.map(OsStr::new), "{line}");
        }
        check("gcc -c x.c", Some("gcc"));
        check("g++-12.2 x.cpp", Some("g++-12.2"));
        check("ccache gcc -c x.c", Some("ccache gcc"));
        check("zig cc -c x.c", Some("zig cc"));
        check("ccache gfortran -c x.f90", Some("ccache gfortran"));
        check("gmon cc gcc -c x.c", Some("gcc"));
        check("/opt/bin/gmon cc ccache /usr/bin/clang x.o", Some("ccache /usr/bin/clang"));
        check("no-such-compiler x.c", Some("no-such-compiler"));
        check("-c x.c", None);
        check("x.c -c", None);
        check("./x.o -o x", None);
        check("libfoo.so.1.2 x.o", None);
        check("@arguments", None);
        check("--blocks gcc -c x.c", Some("gcc"));
        check("gmon cc --blocks gmon cc gcc -c x.c", Some("gcc"));
        check("--blocks -c x.c", None);
        check("--dormant --blocks clang -c x.c", Some("clang"));
        check("gmon cc --times g++ -c x.cc", Some("g++"));
        check("Cargo.toml", None);
        check("--use-profile p.prof gcc -c x.c", Some("gcc"));
        check("gmon cc --use-profile=p.prof -c x.c", None);
    }

    #[test]
    fn a_profile_is_named_before_the_compiler() {
        for line in ["--use-profile gmon.out gcc -c x.c", "--use-profile=gmon.out gcc -c x.c"] {
            let (found, rest) = Compiler::split(line.split(' ').map(OsString::from).collect());
            assert_eq!(found.wishes.profile.as_deref(), Some(Path::new("gmon.out")), "{line}");
            assert_eq!(rest, ["-c", "x.c"]);
        }
    }
}

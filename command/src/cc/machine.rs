//! Machine that a compiler compiles for: the processor, and whether there is a system on it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::{blocks, expand_words};
use crate::carried::{Known, Port, System, known};

/// Machines that resemble a port but have no runtime: a macro that their compilers define, and the name in our
/// error message.
const NO_PORTS: &[(&str, &str)] = &[
    ("__x86_64__", "x32"),
    ("__AARCH64EB__", "aarch64_be"),
    ("__riscv", "riscv32 with this -march and -mabi"),
    ("__arm__", "arm"),
    ("__mips64", "mips64 with this byte order and -mabi"),
    ("__mips__", "mips"),
    ("__powerpc64__", "powerpc64 in big-endian order"),
    ("__powerpc__", "powerpc"),
    ("__s390__", "s390"),
];

/// The port that the compiler called by `compiler` links programs for, given these arguments.
///
/// # Errors
///
/// The command does not carry it.
pub(crate) fn port(compiler: &[OsString], arguments: &[OsString]) -> Result<&'static Port> {
    let words = expand_words(arguments);
    let options = machine_options(&words);
    // The compilers of the system compile for it, so they are not asked.
    let chooses_machine = options.iter().any(|option| !chooses_model(option.as_bytes()));
    if !chooses_machine && !compiler.iter().any(names_a_machine) {
        return Ok(Port::host());
    }
    let Some(machine) = Machine::of(compiler, &options) else {
        // One that does not understand the question is left alone.
        return Ok(Port::host());
    };
    let may_be_bare =
        is_for_bare_metal(&words) && Port::is_there_without_system(machine.architecture);
    let port = match (machine.is_bare || may_be_bare, machine.bare_target) {
        // Another target of the processor may call functions in another way.
        (true, Some(target)) => Port::of_target(target),
        (true, None) => Port::of_machine(machine.architecture, System::Bare),
        (false, _) => Port::of_machine(machine.architecture, System::Linux),
    };
    port.with_context(|| {
        format!("{} compiles for another machine", Path::new(&compiler[0]).display())
    })
}

/// Returns `true` if a compiler for Linux is used for a program without it, as those who bring their own
/// start code and lay out the memory themselves do.
fn is_for_bare_metal(words: &[OsString]) -> bool {
    let is_any = |options: &[&str]| words.iter().any(|word| options.iter().any(|o| word == o));
    let has_script = words.iter().any(|word| {
        let word = word.as_bytes();
        [&b"-T"[..], b"-Wl,-T", b"-Wl,--script"].iter().any(|option| word.starts_with(option))
    });
    has_script && is_any(&["-nostdlib", "-nostartfiles"])
}

/// The arguments that choose the processor.
pub(super) fn machine_options(words: &[OsString]) -> Vec<OsString> {
    let mut options = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_bytes() {
            b"-m16" | b"-m32" | b"-m64" | b"-mx32" => options.push(word.clone()),
            b"-target" | b"--target" => {
                options.extend([Some(word), words.next()].into_iter().flatten().cloned())
            }
            bytes if bytes.starts_with(b"--target=") || bytes.starts_with(b"-mabi=") => {
                options.push(word.clone());
            }
            bytes if chooses_model(bytes) => options.push(word.clone()),
            _ => {}
        }
    }
    options
}

/// Returns `true` if an option chooses among the models of a processor. For Cortex-M, that decides which
/// runtime it is.
fn chooses_model(option: &[u8]) -> bool {
    let options = [&b"-mcpu="[..], b"-march=", b"-mfloat-abi=", b"-mfpu=", b"-mthumb"];
    options.iter().any(|known| option.starts_with(known))
}

/// The option that has compilers write unwind rules for all code, by which call stacks are followed.
pub(crate) const RULES: &str = "-fasynchronous-unwind-tables";

/// Returns `true` if compilers for the machine, which a compiler's words and arguments choose, write no
/// unwind rules by themselves: those for Linux on RISC-V and 32-bit ARM.
pub(crate) fn lacks_rules(compiler: &[OsString], arguments: &[OsString]) -> bool {
    match linux_target(compiler, arguments) {
        Some(name) => name.starts_with("riscv") || name.starts_with("arm"),
        None => cfg!(any(target_arch = "riscv64", target_arch = "arm")),
    }
}

/// The option by which hooks are called at the very start of functions.
pub(crate) const AT_START: &str = "-mfentry";

/// Returns `true` if hooks do not learn who calls their function unless they are called at its very start: those of
/// clang on IBM Z.
pub(crate) fn lacks_callers(compiler: &[OsString], arguments: &[OsString]) -> bool {
    let is_clang = |word: &OsString| {
        let name = Path::new(word).file_name().and_then(OsStr::to_str);
        name.is_some_and(|name| name.contains("clang"))
    };
    let is_for_z = match linux_target(compiler, arguments) {
        Some(name) => name.starts_with("s390x"),
        None => cfg!(target_arch = "s390x"),
    };
    is_for_z && compiler.iter().any(is_clang)
}

/// Returns `true` if hooks are to be called at the very start of functions, because others would be inlined along with these:
/// clang makes them before link-time optimisation, but those at the very start only with the machine code. It has these on x86.
pub(crate) fn optimises_calls(compiler: &[OsString], arguments: &[OsString]) -> bool {
    let words = expand_words(arguments);
    let mut words = words.iter().rev().map(|word| word.as_bytes());
    let chosen = words.find(|word| word.starts_with(b"-flto") || *word == b"-fno-lto");
    let is_x86 = || match linux_target(compiler, arguments) {
        Some(name) => ["x86_64", "i686", "i586", "i386"].iter().any(|it| name.starts_with(it)),
        None => cfg!(any(target_arch = "x86_64", target_arch = "x86")),
    };
    chosen.is_some_and(|word| word != b"-fno-lto") && is_x86() && blocks::is_clang(compiler)
}

/// The target with Linux that a compiler's name or options tell.
fn linux_target(compiler: &[OsString], arguments: &[OsString]) -> Option<String> {
    let options = machine_options(&expand_words(arguments));
    let mut names = compiler.iter().chain(&options).filter_map(|word| {
        let name = Path::new(word).file_name()?.to_str()?;
        let name = name.strip_prefix("--target=").unwrap_or(name);
        name.contains("-linux").then_some(name)
    });
    names.next_back().map(str::to_owned)
}

/// Returns `true` if a word of the compiler's call may be for another machine: `aarch64-linux-gnu-gcc`,
/// `zig cc`, `clang --target=…`.
fn names_a_machine(word: &OsString) -> bool {
    let name = Path::new(word).file_name().unwrap_or(word);
    name == "zig" || name.as_bytes().contains(&b'-')
}

/// Target of a compiler.
struct Machine {
    /// The processor, as rustc calls it.
    architecture: &'static str,
    /// True if there is no system on it.
    is_bare: bool,
    /// The target that it would be then, if the compiler's options are those of one.
    bare_target: Option<&'static str>,
}

impl Machine {
    /// Asks the compiler.
    fn of(compiler: &[OsString], options: &[OsString]) -> Option<Self> {
        let mut question = Command::new(&compiler[0]);
        question.args(&compiler[1..]).args(options).args(["-E", "-dM", "-x", "c", "/dev/null"]);
        let answer = question.stdin(Stdio::null()).output().ok()?;
        let answer = String::from_utf8_lossy(&answer.stdout);
        let defined: Vec<&str> = answer
            .lines()
            .filter_map(|line| line.strip_prefix("#define ")?.split(' ').next())
            .collect();
        Self::by_macros(&defined)
    }

    /// The machine for which compilers define these macros.
    fn by_macros(defined: &[&str]) -> Option<Self> {
        let port = known().iter().find(|known| known.is_compiled_for(defined));
        let no_port = || NO_PORTS.iter().find(|(name, _)| defined.contains(name));
        let architecture = port.map(|port| port.architecture).or_else(|| Some(no_port()?.1))?;
        let bare =
            |known: &&Known| known.architecture == architecture && known.system() == System::Bare;
        let its = known().iter().find(|known| bare(known) && known.is_compiled_for(defined));
        Some(Self {
            architecture,
            is_bare: defined.contains(&"__ELF__") && !defined.contains(&"__unix__"),
            bare_target: its.map(|its| its.target),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_that_write_no_rules_are_known_by_their_names() {
        for (line, expected) in [
            ("riscv64-linux-gnu-gcc", true),
            ("ccache /usr/bin/arm-linux-gnueabihf-g++", true),
            ("clang --target=riscv64-linux-gnu", true),
            ("clang -target armv7-unknown-linux-gnueabihf", true),
            ("aarch64-linux-gnu-gcc", false),
            ("riscv64-unknown-elf-gcc", false),
            ("x86_64-linux-gnu-gcc", false),
            ("sparc64-linux-gnu-gcc -m32", false),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let options = words.iter().position(|word| word.as_bytes().starts_with(b"-"));
            let (compiler, arguments) = words.split_at(options.unwrap_or(words.len()));
            assert_eq!(lacks_rules(compiler, arguments), expected, "{line}");
        }
    }

    #[test]
    fn clang_for_ibm_z_is_known_by_its_name() {
        for (compiler, argument, expected) in [
            ("clang", "--target=s390x-linux-gnu", true),
            ("/usr/bin/clang++-14", "--target=s390x-ibm-linux", true),
            ("s390x-linux-gnu-clang", "-O2", true),
            ("s390x-linux-gnu-gcc", "-O2", false),
            ("clang", "--target=powerpc64le-linux-gnu", false),
            ("clang", "-O2", cfg!(target_arch = "s390x")),
        ] {
            let lacks = lacks_callers(&[compiler.into()], &[argument.into()]);
            assert_eq!(lacks, expected, "{compiler} {argument}");
        }
    }

    #[test]
    fn clang_with_link_time_optimisation_is_known_by_its_words() {
        let here = cfg!(any(target_arch = "x86_64", target_arch = "x86"));
        for (compiler, arguments, expected) in [
            ("clang", "-O2 -flto", here),
            ("clang++", "-flto=thin --target=x86_64-linux-gnu", true),
            ("clang", "-flto --target=aarch64-linux-gnu", false),
            ("clang", "-flto -fno-lto", false),
            ("clang", "-O2", false),
            ("gcc", "-flto", false),
        ] {
            let arguments: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
            let is = optimises_calls(&[compiler.into()], &arguments);
            assert_eq!(is, expected, "{compiler} {arguments:?}");
        }
    }
}

//! The ways to build a profiled program. A way is one row.

use super::{compilers::Compiler, targets::Target};

/// Where the hooks of the program lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runtime {
    /// `libgmon.a`, linked as `gmon config --libs` says.
    Linked,
    /// `libgmon.so`, preloaded into a program that was linked with the C library's runtime.
    Preloaded,
    /// The C library's own, which loses calls: what counts is that both analyzers read its file
    /// alike.
    CLibrary,
    /// `libgmon.a`, in a program that `gmon cc --dormant` compiles and links. Hooks sleep until they are woken.
    Dormant,
    /// None: the program is not profiled.
    None,
}

/// One way to compile, link and run a program.
pub struct Mode {
    /// Its name in the messages of a failed test.
    pub name: &'static str,
    /// What has the compiler call hooks.
    pub hooks: &'static [&'static str],
    /// What it adds to the compilation. Modes with equal flags share their object files.
    pub compile: &'static [&'static str],
    /// What it adds to the link. With `-pg` there, the C library's start file starts the runtime;
    /// without, the runtime has to start itself.
    pub link: &'static [&'static str],
    /// Who receives the calls.
    pub runtime: Runtime,
    /// Compilers that cannot build it, each with the reason.
    pub not_with: &'static [(&'static str, &'static str)],
}

impl Mode {
    /// Whether the C library is part of the program, so that nothing is outside of it.
    pub fn is_static(&self) -> bool {
        self.link.iter().any(|flag| flag.starts_with("-static"))
    }

    /// Whether `compiler` can build it.
    pub fn suits(&self, compiler: &Compiler) -> bool {
        self.not_with.iter().all(|(name, _)| *name != compiler.name)
    }

    /// The function that stands for callers outside the program.
    ///
    /// There is none in a static program. The preloaded runtime has no function of its own in the
    /// program and takes its entry point.
    pub fn outside(&self, target: &Target) -> Option<&'static str> {
        match self.runtime {
            _ if self.is_static() => None,
            Runtime::Linked | Runtime::Dormant => Some("__external_caller"),
            Runtime::Preloaded if target.architecture == "mips64" => Some("__start"),
            Runtime::Preloaded => Some("_start"),
            Runtime::CLibrary | Runtime::None => None,
        }
    }
}

/// A way to link with `libgmon.a`.
pub const fn linked(
    name: &'static str,
    compile: &'static [&'static str],
    link: &'static [&'static str],
) -> Mode {
    Mode { name, hooks: &["-pg"], compile, link, runtime: Runtime::Linked, not_with: &[] }
}

const fn preloaded(
    name: &'static str,
    compile: &'static [&'static str],
    link: &'static [&'static str],
) -> Mode {
    Mode { runtime: Runtime::Preloaded, ..linked(name, compile, link) }
}

/// All modes.
pub const MODES: &[Mode] = &[
    linked("default", &[], &["-pg"]),
    linked("default, own start", &[], &[]),
    linked("no-pie", &["-fno-pie"], &["-pg", "-no-pie"]),
    linked("no-pie, own start", &["-fno-pie"], &["-no-pie"]),
    linked("static", &["-fno-pie"], &["-pg", "-static"]),
    linked("static, own start", &["-fno-pie"], &["-static"]),
    Mode {
        not_with: &[("clang", "it links gcrt1.o, which cannot start a static PIE, not grcrt1.o")],
        ..linked("static-pie", &["-fPIE"], &["-pg", "-static-pie"])
    },
    linked("static-pie, own start", &["-fPIE"], &["-static-pie"]),
    linked("fentry", &["-mfentry"], &["-pg"]),
    linked("fentry, own start", &["-mfentry"], &[]),
    linked("fentry, static", &["-mfentry", "-fno-pie"], &["-pg", "-static"]),
    linked("CET", &["-fcf-protection"], &["-pg"]),
    linked("fentry, CET", &["-mfentry", "-fcf-protection"], &["-pg"]),
    linked("unoptimised", &["-O0"], &["-pg"]),
    preloaded("preloaded", &[], &["-pg"]),
    preloaded("preloaded, no-pie", &["-fno-pie"], &["-pg", "-no-pie"]),
    preloaded("preloaded, fentry", &["-mfentry"], &["-pg"]),
    Mode { runtime: Runtime::CLibrary, ..linked("C library", &[], &["-pg"]) },
    Mode {
        runtime: Runtime::CLibrary,
        ..linked("C library, static", &["-fno-pie"], &["-pg", "-static"])
    },
];

const fn dormant(
    name: &'static str,
    compile: &'static [&'static str],
    link: &'static [&'static str],
) -> Mode {
    Mode { hooks: &[], runtime: Runtime::Dormant, ..linked(name, compile, link) }
}

/// Ways to build programs whose hooks sleep, where there are such hooks.
pub const DORMANT: &[Mode] = &[
    dormant("dormant", &[], &[]),
    dormant("dormant, no-pie, CET", &["-fno-pie", "-fcf-protection"], &["-no-pie"]),
    dormant("dormant, static", &["-fno-pie"], &["-static"]),
    dormant("dormant, static-pie", &["-fPIE"], &["-static-pie"]),
    dormant("dormant, unoptimised", &["-O0"], &[]),
    dormant("dormant, sections", &["-O3", "-ffunction-sections"], &["-Wl,--gc-sections"]),
    Mode {
        not_with: &[("clang", "its linker for that is a package of its own")],
        ..dormant("dormant, LTO", &["-O3", "-flto"], &["-O3", "-flto"])
    },
];

/// The mode of this name.
///
/// # Panics
///
/// If there is none.
pub fn mode(name: &str) -> &'static Mode {
    MODES.iter().chain(DORMANT).find(|mode| mode.name == name).expect("a mode of this name")
}

/// Ways to link programs of other hooks than those of `-pg`: without `-pg`, so that the runtime comes by
/// these hooks alone; and with it.
pub const OTHER_HOOKS: [&str; 6] = [
    "default, own start",
    "no-pie, own start",
    "static, own start",
    "static-pie, own start",
    "preloaded",
    "default",
];

/// What the program does by itself.
pub const NO_PROFILE: Mode =
    Mode { hooks: &[], runtime: Runtime::None, ..linked("no profile", &[], &[]) };

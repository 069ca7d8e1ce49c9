//! The ways in which rustc can instrument functions, best first.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use gmon_format::dormant::{self, Processor};
use gmon_format::hooks;
use object::{Object, ObjectSymbol};
use serde::{Deserialize, Serialize};

use super::handover;
use super::rustc::{Rustc, Target};
use crate::text::joined;

/// Ways in which rustc puts hooks into functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Instrumentation {
    /// The compiler's own option.
    Option,
    /// The compiler's own option, where it is still unstable.
    Unstable,
    /// LLVM adds attributes to the functions that a file lists.
    Attributes,
    /// LLVM's hooks of `-fsanitize-coverage`, one in each function.
    Guards,
    /// LLVM leaves room for hooks that sleep in the functions that a file lists.
    Dormant,
}

impl Instrumentation {
    /// All by which calls are counted, in the order in which they are tried.
    pub(super) const ALL: [Self; 4] =
        [Self::Option, Self::Unstable, Self::Attributes, Self::Guards];

    /// Its name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Option => "option",
            Self::Unstable => "unstable",
            Self::Attributes => "attributes",
            Self::Guards => "guards",
            Self::Dormant => "dormant",
        }
    }

    /// Users' words for it.
    pub(super) fn wish(self) -> String {
        match self {
            Self::Dormant => "--dormant".to_owned(),
            _ => format!("--hooks {}", self.name()),
        }
    }

    /// Returns `true` if rustc needs a list of functions with their [attributes](Self::attributes).
    pub(super) fn has_list(self) -> bool {
        matches!(self, Self::Attributes | Self::Dormant)
    }

    /// The instrumentation of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// The option of rustc, in short.
    pub(super) fn option(self) -> &'static str {
        match self {
            Self::Option => "-C instrument-mcount",
            Self::Unstable => "-Z instrument-mcount",
            Self::Attributes | Self::Dormant => "-C llvm-args=-forceattrs-csv-path",
            Self::Guards => "-C passes=sancov-module",
        }
    }

    /// Flags for a crate.
    pub(super) fn flags(self, target: &str) -> Vec<&'static str> {
        match self {
            Self::Option => vec!["-Cinstrument-mcount"],
            Self::Unstable => vec!["-Zinstrument-mcount"],
            Self::Attributes => {
                let mut flags = vec![handover::OPTION];
                flags.extend((!has_fentry(target)).then_some("-Cforce-frame-pointers=yes"));
                flags
            }
            Self::Dormant => vec![handover::OPTION],
            Self::Guards => vec![
                "-Cpasses=sancov-module",
                "-Cllvm-args=-sanitizer-coverage-level=1",
                "-Cllvm-args=-sanitizer-coverage-trace-pc-guard",
                "-Cforce-frame-pointers=yes",
                // Otherwise the pass runs twice: before functions are inlined and after.
                "-Clto=off",
            ],
        }
    }

    /// Flags for the link of a program besides the runtime.
    pub(super) fn link_flags(self) -> &'static [&'static str] {
        match self {
            // With frame pointers, a call at the start of each function is as good as any hook.
            Self::Guards => &[
                "-Clink-arg=-Wl,--defsym=__sanitizer_cov_trace_pc_guard=_mcount",
                "-Clink-arg=-Wl,--defsym=__sanitizer_cov_trace_pc_guard_init=gmon_start",
            ],
            // No code refers to the runtime.
            Self::Dormant => &["-Clink-args=-u __gmon_count"],
            _ => &[],
        }
    }

    /// Attributes of each function in the list.
    pub(super) fn attributes(self, target: &Target) -> &'static [&'static str] {
        match self {
            Self::Dormant => processor(target).map_or(&[], |processor| processor.attributes),
            _ if has_fentry(target) => &["fentry-call=true"],
            _ => &["instrument-function-entry-inlined=_mcount"],
        }
    }

    /// Returns `true` if shared libraries need what exits that sleep lead to.
    pub(super) fn needs_return(self, target: &Target) -> bool {
        self == Self::Dormant && processor(target).is_some_and(Processor::needs_return)
    }

    /// Flags of build scripts for C and C++.
    pub(super) fn flag_of_c(self, target: &Target) -> &'static str {
        match self {
            Self::Dormant => room(target),
            _ => "-pg",
        }
    }

    /// Returns `true` if an object file has what this puts into functions.
    pub(super) fn is_in<'d>(self, file: &impl Object<'d>) -> bool {
        if self == Self::Dormant {
            return file.section_by_name(dormant::SECTION).is_some();
        }
        let is_hook = |name: &[u8]| is_hook(name.strip_prefix(b"\x01").unwrap_or(name));
        file.symbols().any(|symbol| symbol.is_undefined() && symbol.name_bytes().is_ok_and(is_hook))
    }

    /// Returns `true` if programs for the target can be linked. Without a system a linker links them, not a compiler. It fails at `-pg`, which
    /// rustc's own option passes on.
    fn can_link(self, target: &Target) -> bool {
        !target.contains("-none") || !matches!(self, Self::Option | Self::Unstable)
    }

    /// Finds the best way that a compiler offers for a target, or sees whether it offers the `wanted` one. It is
    /// tried on the target `tried`.
    ///
    /// # Errors
    ///
    /// The compiler offers none, or not this one, or cannot compile for the target at all.
    pub(super) fn choose(
        rustc: &Rustc,
        tried: &Target,
        target: &Target,
        wanted: Option<Self>,
    ) -> Result<Self> {
        let candidates = wanted.map_or(Self::ALL.to_vec(), |wanted| vec![wanted]);
        let mut refusals = Vec::new();
        for candidate in candidates {
            let offered = match candidate.can_link(target) {
                true => rustc.probe(candidate, tried)?,
                false => Err("it cannot link for a target without a system".to_owned()),
            };
            match offered {
                Ok(()) => return Ok(candidate),
                Err(reason) => refusals.push(format!("{}: {reason}", candidate.option())),
            }
        }
        let refusals = refusals.join("; ");
        match wanted {
            Some(wanted) => bail!(
                "{} does not offer {} ({refusals}); leave the option out",
                rustc.version(),
                wanted.wish()
            ),
            None => Err(anyhow!(
                "{} offers no way to count calls ({refusals}); take a newer stable release of Rust \
                 (rustup update stable)",
                rustc.version()
            )),
        }
    }
}

/// Returns `true` if a hook at the very first instruction can be had: it needs no frame pointers.
fn has_fentry(target: &str) -> bool {
    target.starts_with("x86_64")
}

/// The option by which compilers for a target leave room for hooks that sleep.
fn room(target: &str) -> &'static str {
    processor(target).map_or("", |processor| processor.compiler_option)
}

/// The processor of a target, if hooks can sleep on it.
fn processor(target: &str) -> Option<&'static Processor> {
    Processor::ALL.into_iter().find(|processor| target.starts_with(processor.name))
}

/// Returns `true` if object files of instrumented code ask for a hook by this name.
fn is_hook(name: &[u8]) -> bool {
    hooks::OF_PG.iter().chain([&hooks::TRACE_PC_GUARD]).any(|hook| hook.as_bytes() == name)
}

/// The options that link the runtime into a program. It must precede the C library, which defines the same
/// hooks, and must be linked even if nothing before it refers to it.
pub(super) fn runtime_flags(archive: &Path, is_static: bool) -> Vec<OsString> {
    let mut flags = vec![
        joined("-Lnative=", archive.parent().unwrap_or(Path::new(""))),
        joined("-lstatic:+verbatim=", archive.file_name().unwrap_or_default()),
        // Compiler drivers and linkers take it alike. The second is for libraries that unload others.
        "-Clink-args=-u gmon_start -u dlclose".into(),
    ];
    // What the program's own source links comes first, unless it is named again.
    flags.extend(is_static.then(|| "-lc".into()));
    flags
}

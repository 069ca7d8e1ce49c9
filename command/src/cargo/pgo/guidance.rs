//! Work of the wrapper of rustc in each of the builds of `cargo gmon pgo`.
//!
//! rustc's own option for sample profiles is unstable. LLVM's passes are not: `-C passes` takes a whole list of them,
//! with the one that reads a profile where rustc's own option would put it. LLVM reads the profile for functions that have
//! an attribute, which they get from a [list](super::super::handover), as they get hooks. Before anything else LLVM marks each block
//! and call by a pseudo probe, in the build that is measured and in that with the profile, which is by these.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::results;
use crate::cargo::compilation::Compilation;
use crate::cargo::handover;
use crate::guided::KEEP_BRANCHES;
use crate::text::joined;

/// The attribute of functions for which LLVM reads the profile.
pub(in crate::cargo) const ATTRIBUTES: &[&str] = &["use-sample-profile=true"];

/// LLVM's pass that marks blocks and calls.
const PROBES: &str = "pseudo-probe";

/// Builds, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cargo) enum Stage {
    /// Build that is measured.
    Measured,
    /// Build that rustc makes of the same sources by itself, to be compared with.
    Plain,
    /// Build with the profile.
    Guided,
}

/// A build of `cargo gmon pgo`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cargo) struct Guidance {
    pub(in crate::cargo) stage: Stage,
    /// True if the compiler takes a sample profile; else it only gets the order of functions.
    pub(in crate::cargo) takes_profile: bool,
    /// The folder for the names of functions that are compiled, a file for each crate.
    pub(in crate::cargo) functions: OsString,
    /// Beginning of the files that were made for compiler and linker.
    pub(in crate::cargo) results: OsString,
    /// The file in which the runner notes programs, where it does not run them.
    pub(in crate::cargo) programs: OsString,
}

impl Stage {
    /// Its name in paths.
    pub(in crate::cargo) fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Plain => "plain",
            Self::Guided => "guided",
        }
    }
}

impl Guidance {
    /// The profile for the compiler.
    pub(in crate::cargo) fn profile(&self) -> OsString {
        results::profile(&self.results)
    }

    /// Flags for a crate, beside those that all have.
    pub(in crate::cargo) fn flags(&self, compilation: &Compilation) -> Vec<OsString> {
        self.flags_with(compilation, &handover::OFFERED_PROFILE.into())
    }

    fn flags_with(&self, compilation: &Compilation, profile: &OsString) -> Vec<OsString> {
        let mut flags = Vec::new();
        if !compilation.has_whole_debuginfo {
            // Less does not say on which line a function begins.
            flags.push("-Cdebuginfo=1".into());
        }
        // LLVM does nothing at all to code that is not optimised, and a profile would be of no use.
        if !self.takes_profile || !compilation.is_optimised {
            return flags;
        }
        let level = &compilation.level;
        let passes = match self.stage {
            Stage::Plain => return flags,
            Stage::Measured => {
                let options = KEEP_BRANCHES.map(|option| format!("-Cllvm-args={option}"));
                flags.extend(options.map(Into::into));
                format!("{PROBES},default<O{level}>")
            }
            Stage::Guided => {
                flags.push(joined("-Cllvm-args=-sample-profile-file=", profile));
                format!(
                    "forceattrs,{PROBES},function(lower-expect,simplifycfg,sroa,early-cse),\
                     sample-profile,require<profile-summary>,default<O{level}>"
                )
            }
        };
        flags.extend(["-Cno-prepopulate-passes".into(), format!("-Cpasses={passes}").into()]);
        flags
    }

    /// Keeps the names of the functions of a crate.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    pub(in crate::cargo) fn keep(&self, compilation: &Compilation, names: &[String]) -> Result<()> {
        let file = Path::new(&self.functions).join(compilation.unit());
        fs::write(&file, names.join("\n")).with_context(|| file.display().to_string())
    }

    /// Flags by which a compiler is tried: whether it takes a profile.
    pub(in crate::cargo) fn trial(profile: &OsString) -> Vec<OsString> {
        let compilation = Compilation::optimised("3");
        let (stage, nothing) = (Stage::Guided, OsString::new());
        let guidance = Self {
            stage,
            takes_profile: true,
            functions: nothing.clone(),
            results: nothing.clone(),
            programs: nothing,
        };
        guidance.flags_with(&compilation, profile)
    }
}

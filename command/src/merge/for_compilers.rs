//! Sums of profiles for compilers, in LLVM's text form: by function, line and what was inlined, so of any builds and machines.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use gmon_analyzer::export::CodeProfile;
use gmon_analyzer::progress::ProgressLine;
use gmon_analyzer::sum::replace_file;

use crate::guided;
use crate::text::quoted;

/// Writes the sum of files to `output`.
///
/// # Errors
///
/// A file cannot be read or is none of these, some are by lines and others by pseudo probes, or the sum cannot be written.
pub(super) fn merge(files: &[PathBuf], output: &Path, progress: &mut ProgressLine) -> Result<()> {
    if let Some(other) = files.iter().find(|file| !guided::is_text(file)) {
        let other = quoted(other);
        bail!(
            "{other}: not a profile for compilers as the others are; make it one: gmon export --format llvm-prof PROGRAM {other} -o FILE.prof"
        );
    }
    let mut sum = CodeProfile::default();
    for (number, file) in files.iter().enumerate() {
        progress.update(number, files.len());
        let profile = guided::read_text(file)?;
        if number > 0 && profile.is_by_probes() != sum.is_by_probes() {
            let [other, kind] = match sum.is_by_probes() {
                true => ["lines", "pseudo probes"],
                false => ["pseudo probes", "lines"],
            };
            bail!(
                "{}: a profile by {other}, and {} is one by {kind}, which clang cannot read in one file; merge those of each \
                 kind by themselves, or build all programs with -fpseudo-probe-for-profiling or none",
                file.display(),
                files[0].display()
            );
        }
        sum.add(profile);
    }
    progress.update(files.len(), files.len());
    replace_file(output, |out| sum.write_llvm(out)).with_context(|| output.display().to_string())
}

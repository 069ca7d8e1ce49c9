//! Sums of full profiles.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use gmon_analyzer::records::{self, FullRecords, Watch};
use gmon_analyzer::sum::{replace_private_file, write_full};

use crate::say;
use crate::text::quoted;

/// Writes the sum of full profiles to `output`, which may be one of them.
pub(super) fn merge(
    files: &[impl AsRef<Path>],
    output: &Path,
    watch: &mut impl Watch,
) -> Result<()> {
    write(&records::merge_full(files, watch)?, output)
}

/// The sum of full profiles and of the counts of processes without one.
///
/// # Errors
///
/// A file cannot be read, or does not add to the others.
pub(crate) fn sum(
    full: &[PathBuf],
    counts: &[PathBuf],
    watch: &mut impl Watch,
) -> Result<FullRecords> {
    let mut sum = records::merge_full(full, watch)?;
    if !counts.is_empty() {
        let encoding = sum.origin().map(|origin| origin.encoding);
        let (counts, _) = records::load_raw(counts, encoding, watch)?;
        sum.add_counts(counts.arcs(), counts.blocks());
    }
    Ok(sum)
}

/// Writes a sum, and says if it is of several builds.
pub(super) fn write(records: &FullRecords, output: &Path) -> Result<()> {
    for (module, builds) in several_builds(records) {
        let output = quoted(output);
        say(&anyhow!(
            "note: the profiles are of {builds} builds of {module}, whose functions stay apart in {output}; gmon merge -o {output}.json adds them up by name"
        ));
    }
    // The arguments of a program, which are in there, can be secrets.
    replace_private_file(output, |out| write_full(records, out))
        .with_context(|| output.display().to_string())
}

/// The names of modules of which there are several builds, and how many.
fn several_builds(records: &FullRecords) -> Vec<(String, usize)> {
    let mut builds: BTreeMap<&[u8], usize> = BTreeMap::new();
    for module in records.modules() {
        let name = module.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        *builds.entry(name).or_default() += 1;
    }
    let several = builds.into_iter().filter(|(_, builds)| *builds > 1);
    several.map(|(name, builds)| (String::from_utf8_lossy(name).into_owned(), builds)).collect()
}

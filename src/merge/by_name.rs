//! Sums of exported profiles, of any builds and machines: by the names of functions.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use gmon_analyzer::export::{Compressed, FORMATS, View, Writer};
use gmon_analyzer::progress::ProgressLine;
use gmon_analyzer::sum::replace_file;
use gmon_analyzer::{ByName, Model};

use crate::say;
use crate::text::counted;

/// Whether a file is an exported profile.
pub(super) fn is_exported(path: &Path) -> bool {
    ByName::is_rows(path) || Model::is_in(path)
}

/// Writes the sum of files, which are all exported profiles, to `output`.
///
/// # Errors
///
/// One of them cannot be read or does not add to the others, or the sum cannot be written.
pub(super) fn merge(files: &[&PathBuf], output: &Path, progress: &mut ProgressLine) -> Result<()> {
    let name = output.to_string_lossy();
    let formats = FORMATS.iter().filter(|format| ["json", "jsonl"].contains(&format.name));
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let Some((write, is_compressed)) =
        formats.filter(|format| format.is_of(plain)).find_map(|format| match format.writer {
            Writer::OfModel(write) => Some((write, plain.len() < name.len())),
            Writer::OfMeasurement(_) => None,
        })
    else {
        bail!(
            "{name}: the sum of exported profiles is one, too; call it {name}.json, or .jsonl for rows, or .json.gz"
        );
    };
    let mut sum = ByName::default();
    for (number, file) in files.iter().enumerate() {
        progress.update(number, files.len());
        if ByName::is_rows(file) {
            sum.add_rows(file)?;
        } else {
            let model = Model::read(file)?;
            sum.add(&model).map_err(|why| anyhow!("{}: {why}", file.display()))?;
        }
    }
    progress.update(files.len(), files.len());
    for (module, builds) in sum.builds() {
        say(&anyhow!(
            "note: the profiles are of {} of {module}; their functions are added up by name",
            counted(builds as u64, "build")
        ));
    }
    let model = sum.into_model();
    if model.is_empty() {
        bail!("these profiles have neither samples nor calls, so there is nothing to add up");
    }
    replace_file(output, |out| {
        if is_compressed {
            let mut out = Compressed::new(out);
            write(&model, &View::default(), &mut out)?;
            out.finish()
        } else {
            write(&model, &View::default(), out)
        }
    })
    .with_context(|| output.display().to_string())
}

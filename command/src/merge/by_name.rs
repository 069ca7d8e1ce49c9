//! Sums of exported and of full profiles, of any builds and machines: by the names of functions.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, bail};
use gmon_analyzer::export::{Compressed, FORMATS, View, Writer};
use gmon_analyzer::progress::ProgressLine;
use gmon_analyzer::sum::replace_file;
use gmon_analyzer::{ByName, Image, Model, records};

use crate::naming::Naming;
use crate::open::{Door, Samples, gone, program_of};
use crate::say;
use crate::text::{counted, quoted};

/// Returns `true` if a file is an exported profile.
pub(super) fn is_exported(path: &Path) -> bool {
    ByName::is_rows(path) || Model::is_in(path)
}

/// Returns `true` if a sum of this name is one by the names of functions.
pub(super) fn is_named(output: &Path) -> bool {
    writer(&output.to_string_lossy()).is_some()
}

/// Writes a profile.
type Write = fn(&Model, &View, &mut dyn io::Write) -> io::Result<()>;

/// Writer of a sum of this name, and whether it is compressed.
fn writer(name: &str) -> Option<(Write, bool)> {
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    let mut formats = FORMATS.iter().filter(|format| ["json", "jsonl"].contains(&format.name));
    formats.find(|format| format.is_of(plain)).and_then(|format| match format.writer {
        Writer::OfModel(write) => Some((write, plain.len() < name.len())),
        Writer::OfCounts(_) | Writer::OfMeasurement(_) => None,
    })
}

/// Writes the sum of files, which are all exported or full profiles, to `output`. The data files of processes without
/// a full profile, because they were not sampled, add their calls to the first full one.
///
/// # Errors
///
/// A file cannot be read or does not add to the others, or the sum cannot be written.
pub(super) fn merge(
    files: &[&PathBuf],
    counts: &[&PathBuf],
    output: &Path,
    progress: &mut ProgressLine,
) -> Result<()> {
    let name = output.to_string_lossy();
    let Some((write, is_compressed)) = writer(&name) else {
        bail!(
            "{name}: the sum of exported profiles is one, too; call it {name}.json, or .jsonl for rows, or .json.gz"
        );
    };
    let mut counts = counts;
    let mut sum = ByName::default();
    for (number, file) in files.iter().enumerate() {
        progress.update(number, files.len());
        if ByName::is_rows(file) {
            sum.add_rows(file)?;
        } else {
            let model = match Model::is_in(file) {
                true => Model::read(file)?,
                false => named(file, std::mem::take(&mut counts))?,
            };
            sum.add(&model).map_err(|why| anyhow!("{}: {why}", file.display()))?;
        }
    }
    if let [data, ..] = counts {
        return Err(without_names(data));
    }
    progress.update(files.len(), files.len());
    for (module, builds) in sum.builds() {
        say(&anyhow!(
            "note: the profiles are of {} of {module}; their functions are added up by name",
            counted(builds as u64, "build")
        ));
    }
    let (all, _) = sum.extent();
    let kinds = [("the program's functions", "-pg"), ("libraries", "--libcalls")];
    for ((what, option), some) in kinds.into_iter().zip(sum.counted()) {
        if some > 0 && some < all {
            say(&anyhow!(
                "warning: calls of {what} were counted in {some} of {all} profiles only, and the sum has just those; record all with {option}, or none"
            ));
        }
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

/// Refuses a data file that adds nothing to a full profile.
fn without_names(data: &Path) -> Error {
    let data = quoted(data);
    anyhow!(
        "exported and full profiles add up by the names of functions, and {data} is none; export it first: gmon export PROGRAM {data} -o FILE.json"
    )
}

/// Reads a full profile, and the counts of other processes, with names from the program that it was recorded from, if that is still there.
fn named(file: &PathBuf, counts: &[&PathBuf]) -> Result<Model> {
    let full = records::load_full(file)?;
    let shown = quoted(file);
    let export = format!("gmon export PROGRAM {shown} -o FILE.json");
    let Some(program) = program_of(file) else {
        bail!(
            "{shown}: {}; if you have that build elsewhere, export the profile with it: {export}",
            gone(file)
        );
    };
    let build_id = full.program().map_or(&[][..], |id| &full.modules()[id.index()].build_id);
    let image = Image::open(&program)?;
    // Another build has other functions where this one's were.
    let is_that_build = image.build_id().is_some_and(|found| found.starts_with(build_id));
    if build_id.is_empty() || !is_that_build {
        let program = program.display();
        bail!(
            "{shown}: by its build id, {program} is not the build that wrote it; export the profile with that build: {export}"
        );
    }
    let data: Vec<PathBuf> = [file].iter().chain(counts).map(|file| (*file).clone()).collect();
    let (program, data, samples) = (&program, &data, &Samples::default());
    let door = Door { program, data, naming: Naming::Plain, any_build: false, samples };
    let opened = door.open()?;
    if let ([data, ..], Some(_)) = (counts, &opened.why_no_stacks) {
        return Err(without_names(data));
    }
    Model::new(&opened.measurement, Naming::Plain.style()).with_context(|| shown.to_string())
}

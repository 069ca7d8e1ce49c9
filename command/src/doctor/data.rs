//! Checks that a data file is there, whole, of this program and not empty.

use std::fs;
use std::path::Path;

use gmon_analyzer::records::{self, Loader, Records};
use gmon_analyzer::{Program, system_message};

use super::finding::Findings;
use crate::dormant;
use crate::text::counted;

/// Looks at a data file, of a program that can be read or of an unknown one.
pub(super) fn examine(path: &Path, program: Option<&Program>, findings: &mut Findings) {
    findings.begin("data", Some(path.display().to_string()));
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            findings.problem(
                "is not there: the program has not run in this folder, was killed before it could write, or has no \
                 runtime",
                "run it with gmon run; if it is killed, with GMON_OPTIONS=live=gmon.live, then gmon recover gmon.live",
            );
            return;
        }
        Err(error) => {
            findings.problem(system_message(&error), "give yourself the right to read it");
            return;
        }
    };
    if metadata.len() == 0 {
        findings.problem(
            "is empty: the disk was full, or the program was killed while it wrote",
            "make room and run the program again",
        );
        return;
    }
    let read = match program {
        Some(program) => of_program(path, program, &metadata, findings),
        None => records::load_raw(&[path], None, &mut ())
            .map(|(records, _)| contents(&records, None, findings))
            .map_err(|error| error.to_string()),
    };
    if let Err(error) = read {
        let name = format!("{}: ", path.display());
        let text = error.strip_prefix(&name).unwrap_or(&error);
        findings.problem(
            text,
            "it is damaged, or is not a data file of this program: run the program again, or name its own data file",
        );
    }
}

/// Tells whether it is of the program and its build.
fn of_program(
    path: &Path,
    program: &Program,
    metadata: &fs::Metadata,
    findings: &mut Findings,
) -> Result<(), String> {
    let loader = Loader::for_program(program.image());
    let records = loader.load(&[path], &mut ()).map_err(|error| error.to_string())?;
    let program = program.image().path();
    if !records.foreign_files().is_empty() {
        findings.problem(
            format!(
                "has addresses outside of the code of {}: it is of another program or build",
                program.display()
            ),
            "name the program that wrote it, or run this one again",
        );
        return Ok(());
    }
    let changed = |metadata: &fs::Metadata| metadata.modified().ok();
    let built = fs::metadata(program).ok().as_ref().and_then(changed);
    if built.zip(changed(metadata)).is_some_and(|(built, written)| written < built) {
        findings.problem(
            format!("is older than {}: addresses may mean other functions now", program.display()),
            "run the program again after each build",
        );
    }
    contents(&records, Some(program), findings);
    Ok(())
}

/// Tells whether there are calls and samples in it.
fn contents(records: &Records, program: Option<&Path>, findings: &mut Findings) {
    let calls = records.arcs().iter().fold(0u64, |sum, arc| sum.saturating_add(arc.count));
    let bins = records.histograms().list().iter().flat_map(|histogram| &histogram.bins);
    let samples = bins.fold(0u64, |sum, count| sum.saturating_add(*count));
    match calls {
        0 if program.is_some_and(dormant::is_dormant) => {
            findings.note(
                "has no calls: the hooks of the functions that ran were asleep",
                dormant::WAKE,
            );
        }
        0 => findings.note(
            "has no calls: no function that ran was compiled with -pg",
            "compile with -pg, not only link with it: gmon cc gcc -O2 -g -c FILE.c",
        ),
        _ => findings.ok(format!("has {}", counted(calls, "call"))),
    }
    let rate = records.histograms().sampling().map_or(0, |sampling| sampling.rate);
    match (samples, rate) {
        (0, 0) => findings.note(
            "has no samples: time was not measured",
            "leave out GMON_OPTIONS=sampler=none and moncontrol(0)",
        ),
        (0, rate) => findings.problem(
            format!("has no samples in the program's own code at {rate} a second: it ran too short, or in libraries"),
            "use gmon run, which samples 1,000 times a second in all libraries, or give the program more work",
        ),
        (few, rate) if few < 100 => findings.note(
            format!("has {} only, at {rate} a second: shares are rough", counted(few, "sample")),
            "use gmon run --rate 5000, or give the program more work",
        ),
        (many, rate) => findings.ok(format!("has {} at {rate} a second", counted(many, "sample"))),
    }
}

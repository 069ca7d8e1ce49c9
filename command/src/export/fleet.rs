//! `-o DIR/`: the place of a run among those of a fleet, in folders whose names DuckDB and Spark read as columns.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use gmon_analyzer::Model;
use gmon_analyzer::export::run_name;
use gmon_format::Date;

/// Returns `true` if a path names a folder of a fleet: it ends with a slash.
pub(super) fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with('/')
}

/// The file of a run: `date=YYYY-MM-DD/service=NAME/host=HOST/RUN.jsonl.gz`. The date is that of the start, in UTC.
///
/// # Errors
///
/// The profile does not say when and where the program ran.
pub(super) fn place(model: &Model, folder: &Path, run: Option<&str>) -> Result<PathBuf> {
    let (Some(host), Some(start)) = (&model.host, model.start_ns) else {
        bail!(
            "{}: this profile does not say on which host and when it began, which the folders of a fleet need; a full \
             profile of one process does (GMON_OPTIONS=stacks)",
            model.program
        );
    };
    let run = run.map_or_else(|| run_name(model), str::to_owned);
    let columns = [
        ("date", date(start).to_string()),
        ("service", model.program_name().to_owned()),
        ("host", host.clone()),
    ];
    let folders = columns.iter().map(|(column, value)| format!("{column}={}", part(value)));
    let folder = folders.fold(folder.to_owned(), |path, name| path.join(name));
    Ok(folder.join(format!("{}.jsonl.gz", part(&run))))
}

/// A value as a part of a path.
fn part(value: &str) -> String {
    value.replace(['/', '='], "_").replace(char::is_control, "_")
}

/// The day of a time in nanoseconds since 1970.
fn date(nanoseconds: u64) -> Date {
    Date::of_day((nanoseconds / 86_400_000_000_000) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_their_folders() {
        assert_eq!(part("../a=b\n"), ".._a_b_");
        assert!(is_folder("data/".as_ref()) && !is_folder("data".as_ref()));
    }
}

//! `-o DIR/`: the place of a run among those of a fleet, in folders whose names DuckDB and Spark read as columns.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use gmon_analyzer::Model;
use gmon_analyzer::export::run_name;

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
        ("date", date(start)),
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
fn date(nanoseconds: u64) -> String {
    let days = nanoseconds / 86_400_000_000_000;
    // Years begin in March, so that the day which only some have is their last.
    let from_march_of_0 = days + 719_468;
    let (era, day) = (from_march_of_0 / 146_097, from_march_of_0 % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day_of_month:02}", era * 400 + year + later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_700_000_000, "2023-11-14"),
            (4_107_542_400, "2100-03-01"),
            (4_102_444_799, "2099-12-31"),
        ] {
            assert_eq!(date(seconds * 1_000_000_000), expected);
        }
    }

    #[test]
    fn values_stay_in_their_folders() {
        assert_eq!(part("../a=b\n"), ".._a_b_");
        assert!(is_folder("data/".as_ref()) && !is_folder("data".as_ref()));
    }
}

//! The names that the libraries define, from the list of `gmon-archive`.

use gmon_archive::EXPORTS;

use crate::target::Target;

/// A name, and the member that defines it if that is not the runtime itself.
pub(crate) struct Export {
    pub(crate) member: Option<&'static str>,
    pub(crate) name: &'static str,
}

/// All names that the libraries for a target define.
pub(crate) fn of(target: &Target) -> impl Iterator<Item = Export> {
    let lines = EXPORTS.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(move |line| {
        let (line, only) = line.split_once(" on ").unwrap_or((line, &target.architecture));
        let (member, name) = match line.split_once(": ") {
            Some((member, name)) => (Some(member), name),
            None => (None, line),
        };
        (only == target.architecture || only == target.system).then_some(Export { member, name })
    })
}

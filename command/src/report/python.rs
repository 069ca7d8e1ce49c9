//! Limits of what is known of functions of Python, in a sentence.

use gmon_analyzer::Model;

use crate::text::grouped;

/// The sentence; none without an interpreter in the samples.
pub(super) fn limits(model: &Model) -> Option<String> {
    let python = model.run.python.as_ref()?;
    let all = python.runs.saturating_add(python.runs_left);
    let lost =
        [(python.runs_left, "could not be read"), (python.runs_late, "were read a moment late")];
    let lost = lost.iter().filter(|(runs, _)| *runs > 0);
    let lost: Vec<_> = lost.map(|(runs, what)| format!("{} {what}", grouped(*runs))).collect();
    let read = match (all, &python.version) {
        (0, Some(_)) => return None,
        (0, None) => "its interpreter is none that gmon can read".to_owned(),
        _ if lost.is_empty() => format!("all {} runs of its interpreter were read", grouped(all)),
        _ => format!("of {} runs of its interpreter {}", grouped(all), lost.join(" and ")),
    };
    let name = ["Python", python.version.as_deref().unwrap_or_default()].join(" ");
    Some(format!("{}: calls of its functions have no counts; {read}", name.trim_end()))
}

//! The runs behind a profile: their command, how long they took, how they were sampled.

use std::fmt::{self, Formatter};

use gmon_analyzer::records::RunFacts;

use super::Measured;
use crate::text::{counted, fitted, harmless, quoted};

/// Writes a line for the command, one for the run and one for calls that are missing, as far as they are known.
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let facts = measured.measurement.records().full().facts();
    let lines = [("command", command(facts)), ("run", run(facts)), ("libcalls", left_alone(facts))];
    for (title, words) in lines {
        if let Some(words) = words {
            let line = format!("{title:<9}{}", harmless(&words));
            writeln!(f, "{}", fitted(&line, "", measured.width))?;
        }
    }
    Ok(())
}

/// The command, as one types it.
fn command(facts: &RunFacts) -> Option<String> {
    let words = facts.command()?;
    Some(words.iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" "))
}

/// The functions whose calls `--libcalls` could not count.
pub(super) fn names_left_alone(facts: &RunFacts) -> Vec<String> {
    let names = facts.get("left_alone").unwrap_or_default().split(|byte| *byte == b',');
    let names = names.filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

fn left_alone(facts: &RunFacts) -> Option<String> {
    let names = names_left_alone(facts);
    let names = (!names.is_empty()).then(|| names.join(", "))?;
    Some(format!("calls not counted, as the program uses their addresses, too: {names}"))
}

/// Elapsed and CPU time, and the clock and the signal of the samples.
fn run(facts: &RunFacts) -> Option<String> {
    let seconds = |key: &str, what: &str| {
        facts.number(key).map(|time| format!("{:.3} s{what}", time as f64 / 1e9))
    };
    let runs = (facts.runs() > 1).then(|| counted(facts.runs(), "run"));
    let times =
        [seconds("duration_ns", ""), seconds("user_ns", " user"), seconds("system_ns", " system")];
    let times: Vec<_> = runs.into_iter().chain(times.into_iter().flatten()).collect();
    let clock = facts.get("clock").filter(|clock| !clock.is_empty());
    let clock = clock.map(|clock| format!("sampled by {}", String::from_utf8_lossy(clock)));
    // Its name depends on the machine that the program ran on.
    let signal = facts.number("signal").map(|number| format!("signal {number}"));
    let sampled: Vec<_> = clock.into_iter().chain(signal).collect();
    let parts = [times.join(", "), sampled.join(", ")];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(list: &[(&str, &str)]) -> RunFacts {
        list.iter().map(|(key, value)| (key.as_bytes().to_vec(), value.as_bytes().into())).collect()
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let all = facts(&[
            ("command", "./a.out\0two words\0"),
            ("duration_ns", "1250000000"),
            ("user_ns", "1000000000"),
            ("system_ns", "4000000"),
            ("clock", "perf task-clock"),
            ("signal", "27"),
        ]);
        assert_eq!(command(&all).as_deref(), Some("./a.out 'two words'"));
        let expected =
            "1.250 s, 1.000 s user, 0.004 s system; sampled by perf task-clock, signal 27";
        assert_eq!(run(&all).as_deref(), Some(expected));
        assert_eq!(run(&facts(&[("clock", "x")])).as_deref(), Some("sampled by x"));
        assert_eq!(run(&facts(&[("user_ns", "0")])).as_deref(), Some("0.000 s user"));
        let left = left_alone(&facts(&[("left_alone", "bfd_demangle,free,")]));
        let expected =
            "calls not counted, as the program uses their addresses, too: bfd_demangle, free";
        assert_eq!(left.as_deref(), Some(expected));
        let nothing = RunFacts::default();
        assert_eq!((command(&nothing), run(&nothing), left_alone(&nothing)), (None, None, None));
    }
}

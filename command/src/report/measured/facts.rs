//! The runs behind a profile: their command, how long they took, how they were sampled.

use std::fmt::{self, Write};

use gmon_analyzer::model::Run;

use crate::report::sheet::Sheet;
use crate::report::subject::Subject;
use crate::text::{counted, fitted, harmless, quoted};

/// Writes a line for the command, one for the run and one for calls that are missing, as far as they are known.
pub(super) fn write(subject: &Subject<'_>, f: &mut Sheet) -> fmt::Result {
    let model = &subject.model;
    let lines = [
        ("command", model.command.as_deref().map(command)),
        ("run", run(&model.run, model.duration_ns)),
        ("libcalls", left_alone(&model.run)),
    ];
    for (title, words) in lines {
        if let Some(words) = words {
            let line = format!("{title:<9}{}", harmless(&words));
            writeln!(f, "{}", fitted(&line, "", subject.width))?;
        }
    }
    Ok(())
}

/// The command, as one types it.
fn command(words: &[String]) -> String {
    words.iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

fn left_alone(run: &Run) -> Option<String> {
    let names = (!run.left_alone.is_empty()).then(|| run.left_alone.join(", "))?;
    Some(format!("calls not counted, as the program uses their addresses, too: {names}"))
}

/// Elapsed and CPU time, and the clock and the signal of the samples. Of one process its duration is known.
fn run(run: &Run, duration_ns: Option<u64>) -> Option<String> {
    let seconds = |time: Option<u64>, what: &str| {
        time.map(|time| format!("{:.3} s{what}", time as f64 / 1e9))
    };
    let runs = run.processes.filter(|runs| *runs > 1).map(|runs| counted(runs, "run"));
    let times = [
        seconds(run.elapsed_ns.or(duration_ns), ""),
        seconds(run.user_ns, " user"),
        seconds(run.system_ns, " system"),
    ];
    let times: Vec<_> = runs.into_iter().chain(times.into_iter().flatten()).collect();
    let clock = run.clock.as_ref().map(|clock| format!("sampled by {clock}"));
    // Its name depends on the machine that the program ran on.
    let signal = run.signal.map(|number| format!("signal {number}"));
    let sampled: Vec<_> = clock.into_iter().chain(signal).collect();
    let parts = [times.join(", "), sampled.join(", ")];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_left_out() {
        let words = ["./a.out", "two words"].map(str::to_owned);
        assert_eq!(command(&words), "./a.out 'two words'");
        let all = Run {
            user_ns: Some(1_000_000_000),
            system_ns: Some(4_000_000),
            clock: Some("perf task-clock".into()),
            signal: Some(27),
            ..Run::default()
        };
        let expected =
            "1.250 s, 1.000 s user, 0.004 s system; sampled by perf task-clock, signal 27";
        assert_eq!(run(&all, Some(1_250_000_000)).as_deref(), Some(expected));
        let two = Run { processes: Some(2), elapsed_ns: Some(3_000_000_000), ..Run::default() };
        assert_eq!(run(&two, None).as_deref(), Some("2 runs, 3.000 s"));
        let clock = Run { clock: Some("x".into()), ..Run::default() };
        assert_eq!(run(&clock, None).as_deref(), Some("sampled by x"));
        let user = Run { user_ns: Some(0), ..Run::default() };
        assert_eq!(run(&user, None).as_deref(), Some("0.000 s user"));
        let left_alone = ["bfd_demangle", "free"].map(str::to_owned).to_vec();
        let left = super::left_alone(&Run { left_alone, ..Run::default() });
        let expected =
            "calls not counted, as the program uses their addresses, too: bfd_demangle, free";
        assert_eq!(left.as_deref(), Some(expected));
        let nothing = Run::default();
        assert_eq!((run(&nothing, None), super::left_alone(&nothing)), (None, None));
    }
}

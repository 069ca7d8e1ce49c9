//! One example in one mode: built, run, read by both analyzers, and compared with what it states.

use super::{
    command::{both_gprofs, first_difference, gmon_gprof},
    example::Example,
    expectation::Check,
    modes::{Mode, Runtime},
    program::{Builder, Program},
    report::Report,
};

/// What a run has left behind.
pub struct Outcome {
    /// The program and its folder.
    pub program: Program,
    /// Both reports, each with the name of the analyzer that made it.
    pub reports: Vec<(&'static str, Report)>,
    /// Everything that is not as it should be, one sentence each.
    pub differences: Vec<String>,
}

/// Builds `example` in `mode` and runs it with `arguments` and with `variables` set.
pub fn run(
    example: &Example,
    mode: &Mode,
    builder: &mut Builder,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Outcome {
    let program = builder.build(mode);
    let run = program.run(arguments, variables);
    let mut differences = Vec::new();
    if run.status.code() != Some(example.status) {
        differences.push(format!("ended with {}, not {}", run.status, example.status));
    }
    let stderr = String::from_utf8_lossy(&run.stderr);
    differences.extend(
        stderr
            .lines()
            .filter(|line| !is_word_on_samples(line))
            .map(|line| format!("stderr: {line}")),
    );
    if program.files() != ["gmon.out", "program"] {
        differences.push(format!("left the files {:?}", program.files()));
        return Outcome { program, reports: Vec::new(), differences };
    }

    let texts = both_reports(&program, mode, &mut differences);
    let reports: Vec<_> =
        texts.iter().map(|(reader, text)| (*reader, Report::parse(text))).collect();
    if mode.runtime != Runtime::CLibrary {
        let printed = String::from_utf8_lossy(&run.stdout);
        let outside = mode.outside(program.target);
        let check = Check { expectations: &example.expectations, printed: &printed, outside };
        for (reader, report) in &reports {
            let wrong = check.differences(report).into_iter();
            differences.extend(wrong.map(|difference| format!("{reader}: {difference}")));
        }
    }
    Outcome { program, reports, differences }
}

/// The runtime says so when a good part of a run's time is not in the histogram, as in a program
/// that mostly waits in the kernel for its turn. How many samples that takes is up to chance.
fn is_word_on_samples(line: &str) -> bool {
    line.starts_with("gmon: ") && line.ends_with("are not in the histogram")
}

/// The reports of `gmon gprof` and, if it is installed, GNU gprof, which must be the same text where they
/// find the same functions.
fn both_reports(
    program: &Program,
    mode: &Mode,
    differences: &mut Vec<String>,
) -> Vec<(&'static str, String)> {
    let (executable, data) = (&program.executable, program.data());
    let report = gmon_gprof(executable, &data);
    let Some((gnu, ours)) = both_gprofs(program.target, executable, &data) else {
        return vec![("gmon gprof", report)];
    };
    // What gcc leaves before a function for a hook that sleeps may be in no unit's code: whether GNU gprof finds the file
    // of a function that begins with it depends on what it has looked up before.
    let difference = match mode.runtime {
        Runtime::Dormant => first_difference(&without_files(&ours), &without_files(&gnu)),
        _ => first_difference(&ours, &gnu),
    };
    if let Some(line) = difference {
        differences.push(format!("gmon gprof and GNU gprof differ in {line}"));
    }
    vec![("gmon gprof", report), ("GNU gprof", gnu)]
}

/// A report without the files of functions that only these see: ` (list.c)`.
fn without_files(report: &str) -> String {
    let mut parts = report.split(" (");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((file, rest)) if file.contains('.') && !file.contains([' ', '\n']) => {
                text.push_str(rest);
            }
            _ => text.extend([" (", part]),
        }
    }
    text
}

//! Code that is in no file: names and lines of what interpreters run, in one profile and in sums.

use gmon_analyzer::records::merge_full;
use std::collections::BTreeMap;

use gmon_analyzer::report::NameStyle;
use gmon_analyzer::sum::write_full;
use gmon_analyzer::{Measurement, Model};
use gmon_format::LoadedPc;
use gmon_format::live::{Code, CodeKind, CodeLines};

use super::full_profiles::{Run, case, frame, open};

fn code(start: u64, name: &'static str, kind: CodeKind) -> Code<'static> {
    Code {
        start: LoadedPc(start),
        end: LoadedPc(start + 0x100),
        from_ns: 0,
        to_ns: 0,
        kind,
        first_line: 3,
        lines: CodeLines::none(),
        name: name.as_bytes(),
        file: b"/a/script.py",
    }
}

/// A run in which code at an address of an interpreter calls itself, once as one function and once as another of its name.
fn run(first: u64, second: u64) -> Run {
    let mut run = Run::new(0x5555_0000);
    run.code.push(code(first, "work", CodeKind::Python));
    run.code.push(Code { first_line: 9, ..code(second, "work", CodeKind::Python) });
    run.nodes.push(frame(first + 5, Some(1), 0));
    run.nodes.push(frame(second + 11, Some(2), 3));
    run.nodes.push(frame(second + 12, Some(2), 1));
    // An address behind both is nobody's.
    run.nodes.push(frame(second + 0x200, Some(1), 2));
    run
}

/// Samples of each place of functions of this name: by the line where the function begins, and the line.
fn lines(measurement: &Measurement) -> BTreeMap<(Option<u32>, Option<u32>), u64> {
    let model = Model::new(measurement, NameStyle::default()).expect("a model");
    let mut places = BTreeMap::new();
    for node in model.stacks.nodes() {
        let frame = &model.frames[node.frame.index()];
        let function = &model.functions[frame.function.index()];
        if function.name == "work (script.py)" {
            assert_eq!(frame.file.map(|file| &*model.files[file.index()]), Some("/a/script.py"));
            *places.entry((function.line, frame.line)).or_default() += node.own.samples;
        }
    }
    places
}

#[test]
fn interpreted_code_has_names_and_lines_and_adds_up_over_runs() {
    const FIRST: u64 = Code::FIRST_OF_INTERPRETERS;
    let case = case(&[run(FIRST, FIRST + 0x1000), run(FIRST + 0x9000, FIRST + 0x4000)]);
    let expected = |times: u64| {
        let rows = [((3, 5), 0), ((9, 11), 3), ((9, 12), 1)];
        BTreeMap::from(
            rows.map(|((begin, line), samples)| ((Some(begin), Some(line)), times * samples)),
        )
    };
    assert_eq!(lines(&open(&case, 1)), expected(1));
    assert_eq!(lines(&open(&case, 2)), expected(2));
    let files = [case.path("run0"), case.path("run1")];
    let mut bytes = Vec::new();
    write_full(&merge_full(&files, &mut ()).expect("a sum"), &mut bytes).expect("a file");
    let sum = case.file("sum", &bytes);
    let sum = Measurement::open(case.path("exe"), &[sum]).expect("a measurement");
    assert_eq!(lines(&sum), expected(2));
}

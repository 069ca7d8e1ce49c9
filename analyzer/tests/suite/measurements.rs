//! Measurements that are kept: several at a time, in several threads.

use std::ptr;
use std::thread;

use gmon_analyzer::report::NameStyle;
use gmon_analyzer::{Measurement, Program, ProgramOptions, records};

use super::data::{Data, Histogram};
use super::elf::Elf;
use super::run::Case;

const TEXT: u64 = 0x40_0000;
const SIZE: u64 = 0x10;

/// A build in which the functions of these names lie one behind the other; each calls the next one
/// `calls` times and has a tick.
fn build(names: &[&str], calls: u64) -> Case {
    let len = names.len() as u64;
    let at = |number: u64| TEXT + number * SIZE;
    let mut exe = Elf::new(TEXT, len * SIZE);
    for (name, number) in names.iter().zip(0..) {
        exe.function(name, at(number));
    }
    let data = Data {
        histograms: vec![Histogram::new(TEXT, at(len), vec![1; names.len()])],
        arcs: (1..len).map(|number| (at(number - 1) + 4, at(number), calls)).collect(),
    };
    Case::new(&exe.bytes(), &data.bytes(exe.encoding))
}

fn open(build: &Case) -> Measurement {
    Measurement::open(build.path("exe"), &[build.path("gmon.out")]).expect("a measurement")
}

/// Name and calls of each function.
fn functions(measurement: &Measurement) -> Vec<(String, u64)> {
    let names = measurement.names(NameStyle::default());
    let symbols = measurement.program().symbols();
    let ids = symbols.ids().filter(|&id| Some(id) != symbols.unknown());
    let calls = |id| measurement.graph().function(id).all_calls();
    ids.map(|id| (String::from_utf8_lossy(names.plain(id)).into_owned(), calls(id))).collect()
}

fn expected(functions: &[(&str, u64)]) -> Vec<(String, u64)> {
    functions.iter().map(|&(name, calls)| (name.to_owned(), calls)).collect()
}

#[test]
fn two_builds_lie_side_by_side() {
    fn is_shared<T: Send + Sync + 'static>(_: &T) {}
    let measurements = {
        let builds = [build(&["main", "work", "rest"], 3), build(&["main", "rest", "added"], 5)];
        // The files may go: what was read of them is kept.
        builds.each_ref().map(open)
    };
    is_shared(&measurements);
    let [old, new] = thread::scope(|scope| {
        let threads = measurements.each_ref().map(|it| scope.spawn(|| functions(it)));
        threads.map(|thread| thread.join().expect("functions"))
    });
    assert_eq!(old, expected(&[("main", 0), ("work", 3), ("rest", 3)]));
    assert_eq!(new, expected(&[("main", 0), ("rest", 5), ("added", 5)]));
}

#[test]
fn runs_of_one_build_share_its_program() {
    let build = build(&["main", "work"], 7);
    let program = Program::open(build.path("exe"), &ProgramOptions::standard()).expect("a program");
    let program = std::sync::Arc::new(program);
    let run = |files: &[&str]| {
        let files: Vec<_> = files.iter().map(|file| build.path(file)).collect();
        let records = records::load(&files, program.image()).expect("records");
        Measurement::new(program.clone(), records)
    };
    let (once, twice) = (run(&["gmon.out"]), run(&["gmon.out"; 2]));
    assert_eq!(functions(&once), expected(&[("main", 0), ("work", 7)]));
    assert_eq!(functions(&twice), expected(&[("main", 0), ("work", 14)]));
    assert!(ptr::eq(&raw const **once.program(), &raw const **twice.program()));
}

#[test]
fn nothing_is_computed_twice() {
    let measurement = open(&build(&["main", "work"], 1));
    assert!(ptr::eq(measurement.graph(), measurement.graph()));
    assert!(ptr::eq(measurement.graph().profile(), &raw const **measurement.profile()));
    let costs = || measurement.source_costs().expect("an image that was read");
    assert!(ptr::eq(costs(), costs()));
}

//! Where our reports differ from GNU gprof's on purpose; docs/gprof.md lists the same.

use super::data::{Data, Histogram};
use super::elf::Elf;
use super::gnu;
use super::run::Case;

const TEXT: u64 = 0x40_1000;

/// Functions of 32 bytes, and data about them.
fn case(functions: &[&str], data: &Data) -> Case {
    let mut exe = Elf::new(TEXT, 32 * functions.len() as u64);
    for (name, number) in functions.iter().zip(0..) {
        exe.function(name, TEXT + 32 * number);
    }
    Case::new(&exe.bytes(), &data.bytes(exe.encoding))
}

/// Our report, and GNU gprof's if that is here.
fn reports(test: &str, case: &Case, options: &str) -> (String, Option<String>) {
    let ours = case.gprof(options);
    assert_eq!((ours.stderr.as_str(), ours.status), ("", 0));
    let gnu = gnu::is_here(test).then(|| gnu::gnu_gprof(&case.words(options)).stdout);
    (ours.stdout, gnu)
}

#[test]
fn the_last_symbol_gets_its_time() {
    let histograms = vec![Histogram::new(TEXT, TEXT + 64, vec![1; 32])];
    let case = case(&["first", "last"], &Data { histograms, arcs: vec![] });
    let (ours, gnu) = reports("the_last_symbol_gets_its_time", &case, "-b");
    let line = " 50.00      0.32     0.16                             last";
    assert!(ours.contains(line), "{ours}");
    assert!(gnu.is_none_or(|gnu| !gnu.contains("last")));
}

#[test]
fn without_a_histogram_times_are_zero() {
    let data = Data { histograms: vec![], arcs: vec![(TEXT + 4, TEXT + 32, 3)] };
    let case = case(&["first", "second"], &data);
    let (ours, gnu) = reports("without_a_histogram_times_are_zero", &case, "-b -q");
    let line = "                0.00    0.00       3/3           first [";
    assert!(ours.contains(line), "{ours}");
    if let Some(gnu) = gnu {
        assert!(gnu.contains("-nan"), "{gnu}");
        assert_eq!(gnu.replace("-nan", "0.00"), ours);
    }
}

#[test]
fn the_smallest_unit_is_used_for_times_that_are_smaller_yet() {
    let histogram = Histogram { rate: u32::MAX, ..Histogram::new(TEXT, TEXT + 96, vec![1; 48]) };
    let calls = (TEXT + 4, TEXT + 32, u64::from(u32::MAX));
    let data = Data { histograms: vec![histogram], arcs: vec![calls; 8] };
    let case = case(&["first", "second", "third"], &data);
    let test = "the_smallest_unit_is_used_for_times_that_are_smaller_yet";
    let (ours, gnu) = reports(test, &case, "-b -p");
    let line = " 33.33      0.00     0.00 34359738360     0.11     0.11  second";
    assert!(ours.contains("as/call  as/call") && ours.contains(line), "{ours}");
    assert!(gnu.is_none_or(|gnu| !gnu.contains("as/call")));
}

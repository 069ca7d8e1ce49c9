//! Whatever compiler, options and version of DWARF, the reports by line are those of GNU gprof.

use super::compiled::{PROGRAM, compiled};
use crate::gnu;

/// Command lines about lines; the first one prints every symbol of the table.
const LINES: [&str; 8] = [
    "-l -C -z",
    "-b -l",
    "-b -l -T -z",
    "-l -A -x",
    "-A -z -t3",
    "-b -l -L -pbranchy -qmain",
    "-b --inline-file-names",
    "-l -C:7 -Ainline.h",
];

/// Compiles the program in each way and compares the reports.
fn compare(test: &str, compiler: &str, ways: &[&[&str]]) {
    if !gnu::is_here(test) || !gnu::has(test, compiler) {
        return;
    }
    for way in ways {
        let case = compiled(PROGRAM, compiler, way);
        for line in LINES {
            gnu::assert_same(&format!("{compiler} {way:?}"), &case.words(line));
        }
    }
}

#[test]
fn lines_of_gcc_are_those_of_gnu_gprof() {
    let ways: [&[&str]; 6] = [
        &["-O0", "-gdwarf-5"],
        &["-O0", "-gdwarf-2", "-gstrict-dwarf"],
        &["-O2", "-gdwarf-3"],
        &["-O2", "-gdwarf-4", "-ffunction-sections"],
        &["-O3", "-g", "-gz", "-no-pie"],
        // Without lines there are but functions.
        &["-O1"],
    ];
    compare("lines_of_gcc_are_those_of_gnu_gprof", "gcc", &ways);
}

#[test]
fn lines_of_clang_are_those_of_gnu_gprof() {
    let ways: [&[&str]; 4] = [
        &["-O0", "-gdwarf-5"],
        &["-O1", "-gdwarf-2"],
        &["-O1", "-gdwarf-5", "-ffunction-sections"],
        &["-O2", "-gdwarf-4"],
    ];
    compare("lines_of_clang_are_those_of_gnu_gprof", "clang", &ways);
}

/// A template, a constructor and a function whose name the linker does not know.
const CPP_PROGRAM: &str = r#"
#include <string>
#include <vector>
extern "C" inline int plain(int n) { return n * 3 + 1; }
template <typename T> struct Sum { T total{}; void add(const T &part) { total += part; } };
int main() {
    Sum<long> sum;
    std::vector<std::string> words;
    for (int n = 0; n < 1000; n++) { sum.add(plain(n)); words.push_back(std::to_string(n)); }
    return static_cast<int>(sum.total + words.size()) == 7;
}
"#;

#[test]
fn a_program_of_cpp_is_reported_by_line() {
    let test = "a_program_of_cpp_is_reported_by_line";
    if !gnu::has(test, "g++") {
        return;
    }
    let case = compiled(CPP_PROGRAM, "g++", &["-O1", "-g"]);
    let ours = case.gprof("-l -C -z");
    assert_eq!((ours.stderr.as_str(), ours.status), ("", 0));
    let adds = "program.cc:5: (_ZN3SumIlE3addERKl:0x";
    assert!(ours.stdout.contains(adds), "{}", ours.stdout);
    if gnu::is_here(test) {
        let gnu = gnu::gnu_gprof(&case.words("-l -C -z"));
        assert!(gnu.status == 0 || gnu.stderr.contains("somebody miscounted"), "{gnu:?}");
    }
}

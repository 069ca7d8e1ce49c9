//! The tests that came with later versions of GNU gprof.

use super::compiled::compiled;
use crate::gnu;
use crate::run::Case;

const PROGRAM: &str = "
volatile int sink;
__attribute__((noinline)) void f1(void) { sink++; }
__attribute__((noinline)) void f2(void) { f1(); }
__attribute__((noinline)) void f3(void) {
  for (int i = 0; i < 1000; i++) { f1(); f2(); }
}
int main(void) { f3(); return 0; }
";

/// How often functions were executed, by their names.
fn executions(case: &Case, options: &str) -> Vec<(String, u64)> {
    let report = case.gprof(options).stdout;
    let lines = report.lines().filter(|line| line.ends_with(" executions"));
    let counts = lines.map(|line| {
        let (_, rest) = line.rsplit_once(" (").unwrap();
        let (name, rest) = rest.split_once(':').unwrap();
        let count = rest.split_whitespace().nth(1).unwrap();
        (name.to_owned(), count.parse().unwrap())
    });
    counts.collect()
}

#[test]
fn executions_are_counted() {
    for compiler in ["gcc", "clang"] {
        if !gnu::has("executions_are_counted", compiler) {
            continue;
        }
        for flags in [&["-O0", "-g"][..], &["-O2", "-g", "-fno-omit-frame-pointer"]] {
            let case = compiled(PROGRAM, compiler, flags);
            for options in ["-C", "-l -C"] {
                let counts = executions(&case, options);
                for (name, count) in [("f1", 2000), ("f2", 1000), ("f3", 1)] {
                    let found = counts.iter().filter(|(function, _)| function == name);
                    let found: Vec<u64> = found.map(|(_, count)| *count).collect();
                    assert_eq!(found, [count], "{compiler} {flags:?} {options}: {name}");
                }
            }
        }
    }
}

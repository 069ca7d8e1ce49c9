//! Lines of programs and object files for any machine.

use std::process::Command;

use super::{MACHINES, write_data};
use crate::gnu;

const LINES: [&str; 5] = [
    "-l -C -z",
    "-b -l",
    "-C -z --inline-file-names",
    "-b -l -A -x -z",
    "-b -z -T -q --inline-file-names -L",
];

const TEST: &str = "lines_of_any_machine_are_those_of_its_own_gnu_gprof";

#[test]
fn lines_of_any_machine_are_those_of_its_own_gnu_gprof() {
    for machine in MACHINES {
        for flags in [["-O0", "-gdwarf-5"], ["-O2", "-gdwarf-4"]] {
            for is_linked in [true, false] {
                let Some(case) = machine.compile(TEST, &flags, is_linked) else { continue };
                // GNU gprof gives the last symbol no time, so samples stay away from it.
                write_data(&case, 0.7);
                for options in LINES {
                    let words = case.words(options);
                    let what = format!("{} {flags:?} {is_linked} {options}", machine.target);
                    let mut gnu = Command::new(machine.tool("gprof"));
                    // Its name is that of every message.
                    std::os::unix::process::CommandExt::arg0(&mut gnu, "gprof");
                    let gnu = gnu::outcome(gnu.args(words).env("LC_ALL", "C"));
                    assert!(gnu.stdout.contains("program.c"), "{what}: {gnu:?}");
                    gnu::assert_equal(&what, gnu, case.gprof(options));
                }
            }
        }
    }
}

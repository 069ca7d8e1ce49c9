//! Lines of programs and object files for any machine.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use super::{MACHINES, Machine, run, write_data};
use crate::gnu;
use crate::run::{Case, Outcome};
use support::common_ground::common_ground;

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
                let exe = common_ground(&fs::read(case.path("exe")).unwrap()).expect("symbols");
                case.file("exe", &exe);
                for options in LINES {
                    let what = format!("{} {flags:?} {is_linked} {options}", machine.target);
                    let gnu = gnu_gprof(&machine, &case, options);
                    assert!(gnu.stdout.contains("program.c"), "{what}: {gnu:?}");
                    gnu::assert_equal(&what, gnu, case.gprof(options));
                }
            }
        }
    }
}

/// The report of the machine's own GNU gprof.
fn gnu_gprof(machine: &Machine, case: &Case, options: &str) -> Outcome {
    let mut gnu = Command::new(machine.tool("gprof"));
    // Every message begins with its name.
    gnu::outcome(gnu.arg0("gprof").args(case.words(options)).env("LC_ALL", "C"))
}

#[test]
fn high_addresses_of_mips_have_32_bits_and_lines() {
    let test = "high_addresses_of_mips_have_32_bits_and_lines";
    let mips = MACHINES.iter().find(|machine| machine.target == "mips-linux-gnu").unwrap();
    let Some(case) = mips.compile(test, &["-O1", "-g"], false) else { return };
    let mut link = Command::new(mips.tool("ld"));
    run(&case, link.args(["-Ttext=0x80001000", "-e", "main", "exe", "-o", "high"]));
    fs::rename(case.path("high"), case.path("exe")).unwrap();
    write_data(&case, 0.7);
    let (ours, gnu) = (case.gprof("-C -z").stdout, gnu_gprof(mips, &case, "-C -z").stdout);
    assert!(ours.contains("program.c:21: (work:0x80001"), "{ours}");
    assert!(gnu.contains("<unknown>:0: (work:0xffffffff80001"), "{gnu}");
}

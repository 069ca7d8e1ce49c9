//! A program of each port with the data that the runtime has written there, read on any machine.
//!
//! Each folder of `tests/fixtures` holds `program`, which is `examples/c/primes.c` of the project by the
//! port's gcc, or `examples/bare` for bare metal, `gmon.out` of a run, and `report.txt`: what the port's GNU
//! gprof says of them. docs/porting.md tells how to make one.

use std::fs;
use std::path::Path;

use super::run::Case;

#[test]
fn every_port_reports_as_its_gnu_gprof() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut count = 0;
    for port in fs::read_dir(folder).unwrap() {
        let port = port.unwrap().path();
        let read = |name: &str| fs::read(port.join(name)).unwrap();
        let outcome = Case::new(&read("program"), &read("gmon.out")).gprof("-b");
        let expected = String::from_utf8(read("report.txt")).unwrap();
        assert!(outcome.stdout == expected, "{}:\n{}", port.display(), outcome.stdout);
        assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0), "{}", port.display());
        count += 1;
    }
    assert!(count >= 8, "only {count} ports");
}

//! Data files from the standard input.

use std::fs::File;

use gmon_format::Encoding;
use predicates::str::starts_with;

use super::files::{TEXT, bsd, gnu, with_program};

#[test]
fn a_file_of_bsd_can_come_from_a_pipe() {
    let place = with_program();
    let arcs = [(TEXT, TEXT + 64, 3)];
    for (version, file) in
        [(1, gnu(Encoding::NATIVE, &[(0, 1)], &arcs)), (0, bsd(Encoding::NATIVE, &[1; 32], &arcs))]
    {
        place.write("data", &file);
        let info = format!("File `-' (version {version}) contains:\n\t1 histogram record\n");
        let said = assert_cmd::Command::from_std(place.gmon("gprof -i exe -"))
            .write_stdin(file)
            .assert()
            .success();
        said.stdout(starts_with(info.as_str())).stderr("");
        // There is nothing left for a second reading.
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gmon"));
        let input = File::open(place.path("data")).expect("a file");
        command.args(["gprof", "-i"]).arg(place.path("exe")).args(["-", "-"]).stdin(input);
        let output = command.output().expect("gmon gprof");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stdout).starts_with(&info));
        assert_eq!(output.stderr, b"-: file too short to be a gmon file\n");
    }
}

//! Data files from the standard input.

use std::fs::File;

use gmon_format::Encoding;
use predicates::str::starts_with;

use super::files::{Folder, TEXT, bsd, gnu};

#[test]
fn a_file_of_bsd_can_come_from_a_pipe() {
    let folder = Folder::with_program();
    let arcs = [(TEXT, TEXT + 64, 3)];
    for (version, file) in
        [(1, gnu(Encoding::NATIVE, &[(0, 1)], &arcs)), (0, bsd(Encoding::NATIVE, &[1; 32], &arcs))]
    {
        folder.write("data", &file);
        let info = format!("File `-' (version {version}) contains:\n\t1 histogram record\n");
        let said = folder.gmon("gprof -i exe -").write_stdin(file).assert().success();
        said.stdout(starts_with(info.as_str())).stderr("");
        // There is nothing left for a second reading.
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gmon"));
        let input = File::open(folder.path("data")).expect("a file");
        command.args(["gprof", "-i"]).arg(folder.path("exe")).args(["-", "-"]).stdin(input);
        let output = command.output().expect("gmon gprof");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stdout).starts_with(&info));
        assert_eq!(output.stderr, b"-: file too short to be a gmon file\n");
    }
}

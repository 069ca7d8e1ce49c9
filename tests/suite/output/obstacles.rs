//! What may be in the way of a file, and of the line that tells about it.

use std::{
    fs,
    os::unix::fs::FileTypeExt,
    process::{Command, Stdio},
};

use assert_cmd::prelude::*;
use nix::unistd::Uid;

use super::{STATUS, SUITE, complaint, is_rescued, is_whole, preloaded_in, run, run_in_silence};
use support::{
    command::{output_of, quiet, text_of},
    suite::USUAL_MODES,
    tools,
    workplace::Workplace,
};

#[test]
fn removed_directory_is_reported_and_the_profile_kept() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        let folder = program.path("folder");
        fs::create_dir(&folder).expect("a folder");
        let mut command = program.command();
        let output = run(command.current_dir(&folder), &["remove ../folder"]);
        let reason = "No such file or directory";
        is_rescued(&program, &complaint(&output), &folder.join("gmon.out"), reason);
    }
}

#[test]
fn file_that_would_be_too_large_is_reported_and_does_not_kill() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for bytes in ["0", "30", "1000"] {
            let said = complaint(&run(&mut program.command(), &[&format!("limit {bytes}")]));
            let start = format!("gmon: cannot write {}: ", program.path("gmon.out").display());
            let reason = "File too large; set GMON_OUT_PREFIX to a path that can be written";
            assert_eq!(said, start + reason);
            // Neither half a file nor its temporary name stays.
            assert_eq!(program.files(), ["program"]);
        }
    }
}

#[test]
fn what_is_no_file_is_let_be() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        let pipe = program.path("pipe");
        text_of(quiet("mkfifo").arg(&pipe));
        let said = complaint(&run(program.command().env("GMON_OPTIONS", "out=pipe"), &[]));
        is_rescued(&program, &said, &pipe, "File exists");
        assert!(fs::metadata(&pipe).expect("a pipe").file_type().is_fifo());
    }
    if !Uid::effective().is_root() {
        return tools::skip_anywhere("only root may make a device");
    }
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        let null = program.path("null");
        text_of(quiet("mknod").arg(&null).args(["c", "1", "3"]));
        run_in_silence(program.command().env("GMON_OPTIONS", "out=null"), &[]);
        assert!(fs::metadata(&null).expect("a device").file_type().is_char_device());
        assert_eq!(program.files(), ["null", "program"]);
    }
}

/// A file system of its own, for this process alone, that is full.
#[test]
fn full_device_is_reported_and_the_profile_kept() {
    if !Uid::effective().is_root() {
        return tools::skip_anywhere("only root may mount a small file system");
    }
    let Some(unshare) = tools::find("unshare") else { return };
    const SCRIPT: &str = r#"
        mount -t tmpfs -o size=16k none "$1" && cd "$1" || exit 99
        cat /dev/zero > filler 2> /dev/null
        LD_PRELOAD=$2 "$0"
        status=$?
        ls
        exit $status"#;
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        let full = program.path("full");
        fs::create_dir(&full).expect("a folder");
        let mut command = quiet(&unshare);
        command.args(["--mount", "sh", "-c", SCRIPT]).arg(&program.executable).arg(&full);
        let output = output_of(command.arg(preloaded_in(&program)));
        if output.status.code() == Some(99) {
            return tools::skip("cannot mount a small file system");
        }
        assert_eq!(output.status.code(), Some(STATUS), "{output:?}");
        assert_eq!(output.stdout, b"filler\n");
        let reason = "No space left on device";
        is_rescued(&program, &complaint(&output), &full.join("gmon.out"), reason);
    }
}

#[test]
fn closed_standard_streams_are_no_obstacle() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for steps in [&["close 2"][..], &["close 0", "close 1", "close 2"]] {
            program.clear();
            run_in_silence(&mut program.command(), steps);
            is_whole(&program, "gmon.out");
            // With something to tell and nobody to tell it to.
            let mut command = program.command();
            run_in_silence(command.env("GMON_OPTIONS", "out=no/such"), steps);
            is_whole(&program, "gmon.out");
        }
    }
}

/// A process that gets no memory for its full profile still tells the run of its data file.
#[test]
fn a_profile_that_has_no_memory_for_call_stacks_is_shown_without() {
    let place = Workplace::new();
    place.write(
        "limited.c",
        "#include <sys/resource.h>\n#include <time.h>\nint main(void) {\n\
         struct rlimit none = {4096, 4096}; setrlimit(RLIMIT_DATA, &none);\n\
         clock_t end = clock() + CLOCKS_PER_SEC / 5; while (clock() < end) ;\n  return 0;\n}\n",
    );
    place.must("cc -O1 limited.c -o limited");
    let run = place.gmon("run ./limited").assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("gmon.out.full: Cannot allocate memory"), "{said}");
    assert!(said.contains("limited: ") && said.contains("profile  gmon.out"), "{said}");
    assert!(!said.contains("earlier run"), "{said}");
}

/// The line goes into a pipe whose reader is gone: the signal that this sends must not be seen.
#[test]
fn line_that_nobody_reads_does_not_kill() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        let mut reader = quiet("true").stdin(Stdio::piped()).spawn().expect("a start");
        let writer = reader.stdin.take().expect("a pipe");
        reader.wait().expect("an end");
        let mut command: Command = program.command();
        command.env("GMON_OPTIONS", "nonsense,out=no/such").stderr(writer).stdout(Stdio::null());
        assert_eq!(command.status().expect("a start").code(), Some(STATUS));
        is_whole(&program, "gmon.out");
    }
}

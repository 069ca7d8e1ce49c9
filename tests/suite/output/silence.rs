//! What the runtime says, where to, and that it says nothing where nothing is wrong.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
    process::{Command, Output, Stdio},
};

use super::{STATUS, SUITE, complaint, is_whole, preloaded_in, run, run_in_silence};
use support::{
    command::{output_of, quiet, said, text_of},
    executable,
    program::Program,
    suite::USUAL_MODES,
};

/// A pipeline of a program, in an empty folder.
fn pipeline(program: &Program) -> Output {
    program.clear();
    let script = "export LINES=30000
        LD_PRELOAD=$1 \"$0\" make $LINES | LD_PRELOAD=$1 \"$0\" sum";
    let mut shell = quiet("sh");
    shell.args(["-c", script]).arg(&program.executable).arg(preloaded_in(program));
    output_of(shell.current_dir(program.path("")))
}

/// Both programs write a profile, most of the first one's time is outside of it, and the pipeline's streams are
/// as they are without.
#[test]
fn pipeline_says_what_it_says_without_a_profile() {
    let expected = pipeline(&SUITE.without_profile("filter.c"));
    assert!(expected.status.success() && expected.stdout == b"sum 449985000\n", "{expected:?}");
    for program in SUITE.in_modes("filter.c", &USUAL_MODES) {
        assert_eq!(pipeline(&program), expected);
        let files = program.files();
        assert!(files.len() == 3 && files[1].starts_with("gmon.out."), "{files:?}");
        // The first to end has the name.
        let [first, second] = ["gmon.out", &files[1]].map(|file| program.counts(file));
        assert_eq!((first.of("main", "print"), first.calls("add")), (30_000, 0));
        assert_eq!((second.of("sum_up", "add"), second.calls("print")), (30_000, 0));
    }
}

/// The program, with something to complain of: its profile ends up elsewhere.
fn troubled(program: &Program, options: &str) -> Command {
    program.clear();
    let mut command = program.command();
    command.env("GMON_OPTIONS", format!("out=no/such,{options}"));
    command
}

#[test]
fn quiet_program_says_nothing_at_all() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        assert_ne!(complaint(&run(&mut troubled(&program, "quiet=0"), &[])), "");
        for options in ["quiet", "quiet=1,nonsense", "nonsense,hz=0,quiet", "quiet,log=no/log"] {
            run_in_silence(&mut troubled(&program, options), &[]);
            assert_eq!(program.files(), ["gmon.out", "program"], "{options}");
            is_whole(&program, "gmon.out");
        }
    }
}

#[test]
fn log_has_the_messages_of_stderr() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        let expected = said(&run(&mut troubled(&program, ""), &[]));
        for options in ["log=%e.log", "log=%e.log,quiet"] {
            // A relative name is of the first directory, as that of the data file.
            run_in_silence(&mut troubled(&program, options), &["chdir /"]);
            assert_eq!(program.files(), ["gmon.out", "program", "program.log"], "{options}");
            let log = || fs::read_to_string(program.path("program.log")).expect("a log");
            let first = log();
            // From /, it is the same place that is named.
            assert_eq!(first, expected);
            let mut again = program.command();
            again.env("GMON_OPTIONS", format!("out=no/such,{options}"));
            run_in_silence(&mut again, &[]);
            assert_eq!(log(), first.repeat(2));
        }
        let mut child =
            troubled(&program, "log=%p").stderr(Stdio::piped()).spawn().expect("a start");
        let log = child.id().to_string();
        assert_eq!(child.wait().expect("an end").code(), Some(STATUS));
        assert_eq!(fs::read_to_string(program.path(&log)).expect("a log"), expected);
    }
}

#[test]
fn log_that_cannot_be_written_is_the_standard_error_stream() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        let expected = complaint(&run(&mut troubled(&program, ""), &[]));
        let log = |name| complaint(&run(&mut troubled(&program, &format!("log={name}")), &[]));
        assert_eq!(log("no/log"), expected);
        let mut linked = troubled(&program, "log=link");
        fs::write(program.path("victim"), "precious").expect("a file");
        symlink("victim", program.path("link")).expect("a link");
        assert_eq!(complaint(&run(&mut linked, &[])), expected);
        assert_eq!(fs::read(program.path("victim")).expect("a file"), b"precious");
        // Nobody reads the pipe, and nobody waits for that.
        let mut piped = troubled(&program, "log=pipe");
        text_of(quiet("mkfifo").arg(program.path("pipe")));
        assert_eq!(complaint(&run(&mut piped, &[])), expected);
    }
}

#[test]
fn lines_of_many_processes_stay_whole() {
    const PROCESSES: usize = 40;
    let program = SUITE.build("steps.c", "default", &[]);
    let expected = said(&run(&mut troubled(&program, ""), &[]));
    let start = |_| {
        let mut command = program.command();
        command.env("GMON_OPTIONS", "out=no/such,log=log").spawn().expect("a start")
    };
    let children: Vec<_> = (0..PROCESSES).map(start).collect();
    for mut child in children {
        assert_eq!(child.wait().expect("an end").code(), Some(STATUS));
    }
    let log = fs::read_to_string(program.path("log")).expect("a log");
    // Where each profile went instead differs.
    let start = expected.split_once("gmon.out").expect("a name").0;
    assert_eq!(log.lines().filter(|line| line.starts_with(start)).count(), PROCESSES);
    assert_eq!(log.lines().count(), PROCESSES);
}

/// Whoever chooses names and options must not be able to direct the terminal of who reads the message.
#[test]
fn control_characters_reach_no_terminal() {
    const EVIL: &[u8] = b"\x1b[31m\x07\x9b0m\xc2\x9b\r\x7f";
    const SHOWN: &str = "\\x1b[31m\\x07\\x9b0m\\xc2\\x9b\\x0d\\x7f";
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        // As the name of the program.
        let renamed = program.path("").join(OsStr::from_bytes(EVIL));
        executable::copy(&program.executable, &renamed);
        for options in [
            [b"out=no/", EVIL].concat(),
            [b"out=", EVIL, b"/x"].concat(),
            b"out=no/%e".to_vec(),
            EVIL.to_vec(),
            [EVIL, b"=1"].concat(),
            [b"hz=", EVIL].concat(),
            [b"sampler=", EVIL].concat(),
            [b"event=", EVIL].concat(),
            [b"live=no/", EVIL].concat(),
            [b"log=", EVIL, b"/no,nonsense"].concat(),
        ] {
            let mut command = Command::new(&renamed);
            command.current_dir(program.path("")).env("LD_PRELOAD", preloaded_in(&program));
            command.env("GMON_OPTIONS", OsStr::from_bytes(&options));
            let output = output_of(&mut command);
            assert_eq!(output.status.code(), Some(STATUS));
            let shown = options.escape_ascii();
            let text = String::from_utf8(output.stderr).unwrap_or_else(|_| panic!("{shown}"));
            let line = text.strip_suffix('\n').unwrap_or_else(|| panic!("nothing for {shown}"));
            assert!(!line.contains(char::is_control), "{line:?}");
            assert!(line.contains(SHOWN) || line.contains("nonsense"), "{line:?}");
        }
    }
}

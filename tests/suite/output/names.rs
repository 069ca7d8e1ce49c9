//! What the file is called.

use std::{fs, io::Read, os::unix::fs::symlink, process::Stdio};

use gmon_format::options;

use super::{STATUS, SUITE, complaint, is_whole, run, run_in_silence};
use support::{command::said, program::Program, suite::USUAL_MODES, tools};

/// The one file of a run whose name begins so.
fn file_of(program: &Program, prefix: &str) -> String {
    let names = program.files().into_iter().filter(|name| name.starts_with(prefix));
    let names: Vec<String> = names.collect();
    assert_eq!(names.len(), 1, "{prefix}: {names:?}");
    names[0].clone()
}

#[test]
fn pattern_names_the_file() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for (pattern, expected) in [
            ("profile", "profile"),
            ("%e.100%%", "program.100%"),
            ("./%%p", "%p"),
            ("50%", "50%"),
            ("%x%", "%x%"),
        ] {
            program.clear();
            run_in_silence(program.command().env("GMON_OPTIONS", format!("out={pattern}")), &[]);
            assert_eq!(program.files().len(), 2, "{:?}", program.files());
            is_whole(&program, expected);
        }
        let mut child = program.command().env("GMON_OPTIONS", "out=p.%p").spawn().expect("a start");
        let pid = child.id();
        assert_eq!(child.wait().expect("an end").code(), Some(STATUS));
        is_whole(&program, &format!("p.{pid}"));
    }
}

#[test]
fn pattern_wins_over_the_prefix() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        let mut command = program.command();
        run_in_silence(command.env("GMON_OUT_PREFIX", "b").env("GMON_OPTIONS", "out=a"), &[]);
        assert_eq!(program.files(), ["a", "program"]);
    }
}

/// A relative name belongs to the directory in which the program started.
#[test]
fn names_are_of_the_first_directory() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        program.clear();
        run_in_silence(&mut program.command(), &["chdir /"]);
        is_whole(&program, "gmon.out");
        run_in_silence(program.command().env("GMON_OUT_PREFIX", "prefix"), &["chdir /"]);
        is_whole(&program, &file_of(&program, "prefix."));
        run_in_silence(program.command().env("GMON_OPTIONS", "out=name"), &["chdir /"]);
        is_whole(&program, "name");
        assert_eq!(program.files().len(), 4);
    }
}

#[test]
fn missing_directory_is_reported_and_the_profile_kept() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for variable in [("GMON_OUT_PREFIX", "no/such"), ("GMON_OPTIONS", "out=no/such")] {
            program.clear();
            let said = complaint(&run(program.command().env(variable.0, variable.1), &[]));
            let here = program.path("");
            let start = format!("gmon: cannot write {}no/such", here.display());
            let end = format!(
                ": No such file or directory; the profile is in {}gmon.out",
                here.display()
            );
            assert!(said.starts_with(&start) && said.ends_with(&end), "{said}");
            assert_eq!(program.files(), ["gmon.out", "program"]);
            is_whole(&program, "gmon.out");
        }
    }
}

#[test]
fn no_file_is_written_where_none_is_wanted() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for options in ["off", "off=1", "hz=1000,off", "out=name,off"] {
            run_in_silence(program.command().env("GMON_OPTIONS", options), &[]);
            assert_eq!(program.files(), ["program"], "{options}");
        }
        run_in_silence(program.command().env("GMON_OPTIONS", "off=0"), &[]);
        assert_eq!(program.files(), ["gmon.out", "program"]);
    }
}

#[test]
fn wrong_options_are_reported_and_the_others_hold() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for (options, wrong) in [
            ("hertz=9,out=x", "hertz=9"),
            ("out=x,hz=0", "hz=0"),
            ("out=x,snapshot=Z", "snapshot=Z"),
        ] {
            program.clear();
            let said = complaint(&run(program.command().env("GMON_OPTIONS", options), &[]));
            assert!(said.starts_with(&format!("gmon: GMON_OPTIONS: `{wrong}`: ")), "{said}");
            is_whole(&program, "x");
        }
        let said = complaint(&run(program.command().env("GMON_OPTIONS", "verbose"), &[]));
        let known = said.rsplit("known are ").next().expect("a list");
        let names: Vec<_> = options::ROWS.iter().map(|row| row.name).collect();
        assert_eq!(known, names.join(", "));
        let said = complaint(&run(program.command().env("GMON_OPTIONS", "sampler=clock"), &[]));
        let known = "known are thread, itimer, profil, perf, wall and none";
        let wrong = "GMON_OPTIONS: `sampler=clock`: unknown sampler";
        assert_eq!(said, format!("gmon: {wrong}; {known}"));
    }
}

#[test]
fn every_option_is_documented() {
    let page = include_str!("../../../docs/runtime.md");
    for row in options::ROWS {
        let value = row.value.map_or(String::new(), |value| format!("={value}"));
        let option = format!("`{}{value}`", row.name);
        let mut cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
        assert!(cells.any(|cell| cell.contains(&option)), "{option}");
    }
}

/// Somebody else's link must not make us write somebody else's file.
#[test]
fn link_is_replaced_and_not_followed() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for target in ["victim", "missing", "gmon.out"] {
            program.clear();
            fs::write(program.path("victim"), "precious").expect("a file");
            symlink(target, program.path("gmon.out")).expect("a link");
            run_in_silence(&mut program.command(), &[]);
            assert_eq!(program.files(), ["gmon.out", "program", "victim"]);
            assert_eq!(fs::read(program.path("victim")).expect("a file"), b"precious");
            assert!(program.path("gmon.out").symlink_metadata().expect("a file").is_file());
            is_whole(&program, "gmon.out");
        }
    }
}

#[test]
fn directory_of_that_name_is_reported_and_the_profile_kept() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        fs::create_dir(program.path("gmon.out")).expect("a directory");
        let said = complaint(&run(&mut program.command(), &[]));
        let file = file_of(&program, "gmon.out.");
        let here = program.path("");
        let expected = format!(
            "gmon: cannot write {0}gmon.out: Is a directory; the profile is in {0}{file}",
            here.display()
        );
        assert_eq!(said, expected);
        is_whole(&program, &file);
    }
}

/// Has so many processes run at the same time and end together. They must have nothing to say, and each must
/// leave a whole profile: one by the `name`, the others with the number of their process behind it. Which of
/// them has the name is open.
fn end_together(program: &Program, processes: usize, options: &str, name: &str) {
    let start = || {
        let mut command = program.command();
        command.env("GMON_OPTIONS", options).arg("wait").stdin(Stdio::piped());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a start");
        let mut ready = [0; 6];
        child.stdout.as_mut().expect("a pipe").read_exact(&mut ready).expect("a line");
        child
    };
    let mut children: Vec<_> = (0..processes).map(|_| start()).collect();
    children.iter_mut().for_each(|child| drop(child.stdin.take()));
    let mut own = Vec::new();
    for child in children {
        own.push(format!("{name}.{}", child.id()));
        let output = child.wait_with_output().expect("an end");
        assert_eq!((output.status.code(), said(&output).as_str()), (Some(STATUS), ""));
    }
    let files = program.files();
    let files: Vec<_> = files.iter().filter(|name| *name != "program").collect();
    assert_eq!((files.len(), files[0].as_str()), (processes, name), "{options}: {files:?}");
    assert!(files[1..].iter().all(|file| own.contains(file)), "{options}: {files:?}");
    files.into_iter().for_each(|file| is_whole(program, file));
}

#[test]
fn processes_that_end_together_lose_nothing() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for (options, name) in
            [("", "gmon.out"), ("out=shared", "shared"), ("out=%e.x", "program.x")]
        {
            program.clear();
            end_together(&program, 12, options, name);
            // What an earlier run has left is replaced, but only that, and once.
            for _ in 0..4 {
                let files = program.files();
                let old = files.iter().filter(|file| file.starts_with(&format!("{name}.")));
                old.for_each(|file| fs::remove_file(program.path(file)).expect("my own file"));
                end_together(&program, 12, options, name);
            }
        }
    }
}

#[test]
fn three_hundred_processes_leave_three_hundred_profiles() {
    let program = SUITE.build("steps.c", "default", &[]);
    for options in tools::shared_out(&["out=shared", "out=shared,live=counts"], "options") {
        program.clear();
        fs::write(program.path("shared"), "of an earlier run").expect("a file");
        end_together(&program, 300, options, "shared");
    }
}

/// A file that is written now and then stays the process's own until another one takes the name.
#[test]
fn device_is_written_by_all() {
    for program in SUITE.in_modes("steps.c", &USUAL_MODES) {
        for _ in 0..2 {
            run_in_silence(program.command().env("GMON_OPTIONS", "out=/dev/null"), &[]);
            assert_eq!(program.files(), ["program"]);
        }
    }
}

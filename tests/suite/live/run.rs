//! `gmon run` of programs that leave their live file: they were killed, or could not write `gmon.out`.

use std::{fs, process::Command};

use super::steps::{LIVE, program};
use support::{command::gmon, program::Program};

/// The program under `gmon run`, in a folder of its own, with these options beside `live`.
fn command(program: &Program, options: &str, steps: &str) -> Command {
    let mut command = gmon();
    command.args(["run", "./program"]).args(steps.split(", ")).current_dir(program.path(""));
    command.env("GMON_OPTIONS", format!("sampler=none,live={LIVE}{options}"));
    command
}

fn run(program: &Program, options: &str, steps: &str) -> (Option<i32>, String) {
    let output = command(program, options, steps).output().expect("a program");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
fn killed_program_has_its_summary_and_its_data_file() {
    let program = program();
    for (options, data_file) in [("", "gmon.out"), (",out=%e.profile", "program.profile")] {
        program.clear();
        let (status, said) = run(&program, options, "work 7, threads 3, kill");
        assert_eq!(status, Some(137), "{said}");
        let line = format!(
            "gmon: the program was killed by SIGKILL; gmon made {data_file} from the live file {LIVE}\n"
        );
        assert!(said.starts_with(&line) && said.contains("calls of"), "{said}");
        let counts = program.counts(data_file);
        assert_eq!((counts.calls("work"), counts.calls("thread_work")), (7, 3));
        assert!(!program.path(LIVE).exists());
        // One that ends well replaces it, and leaves nothing.
        let (status, said) = run(&program, options, "work 2");
        assert!(status == Some(0) && !said.contains("gmon: "), "{said}");
        assert_eq!(program.counts(data_file).calls("work"), 2);
        assert_eq!(program.files().len(), 2);
    }
}

#[test]
fn live_files_of_other_programs_are_left_alone() {
    let program = program();
    program.clear();
    let mut alone = program.command();
    alone.env("GMON_OPTIONS", format!("sampler=none,live={LIVE}")).args(["work 3", "kill"]);
    assert!(!alone.status().expect("a program").success());
    let earlier = fs::read(program.path(LIVE)).expect("a file");

    let (status, said) = run(&program, "", "work 7, kill");
    assert!(status == Some(137) && said.contains("from the live file profile.live."), "{said}");
    assert_eq!(program.counts("gmon.out").calls("work"), 7);
    let (status, said) = run(&program, ",off", "work 7, kill");
    assert!(
        status == Some(137) && said.contains("there is no profile: profiling is switched off"),
        "{said}"
    );
    assert!(earlier == fs::read(program.path(LIVE)).expect("a file"));
    assert_eq!(program.files(), ["gmon.out", LIVE, "program"]);
}

#[test]
fn live_file_stays_where_the_data_file_cannot_be_made() {
    let program = program();
    program.clear();
    fs::create_dir(program.path("gmon.out")).expect("a folder");
    let (status, said) = run(&program, "", "work 7, kill");
    let start = format!("gmon: cannot make gmon.out of the live file {LIVE}: ");
    assert!(status == Some(137) && said.starts_with(&start), "{said}");
    assert_eq!(program.files(), ["gmon.out", LIVE, "program"]);
}

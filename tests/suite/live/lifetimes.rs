//! The life of the file: it is there while the profile is nowhere else.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
};

use super::steps::{LIVE, Waiting, command, complaints, in_modes, program, run};
use support::command::{gmon, output_of, text_of};

#[test]
fn ordinary_end_leaves_gmon_out_and_nothing_else() {
    for program in in_modes() {
        for steps in ["work 7", "work 7, cleanup", "work 7, cleanup, work 9, cleanup"] {
            let output = run(&program, steps);
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
            assert_eq!(program.files(), ["gmon.out", "program"], "{steps}");
            assert_eq!(program.counts("gmon.out").calls("work"), 7);
        }
    }
}

#[test]
fn any_other_end_leaves_the_file() {
    for program in in_modes() {
        for end in ["kill", "leave"] {
            let output = run(&program, &format!("work 7, threads 3, {end}"));
            assert!(output.stderr.is_empty(), "{output:?}");
            assert_eq!(program.files(), [LIVE, "program"]);
            let counts = program.recovered(LIVE);
            assert_eq!((counts.calls("work"), counts.calls("thread_work")), (7, 3));
        }
    }
}

/// A table takes five pages; a crowd of threads that all want one at once makes the file no larger
/// than they need, but for a few chunks of a megabyte. Threads that come while one makes a chunk, which
/// may take its time, add a table of their own.
#[test]
fn file_is_as_large_as_its_threads_need() {
    const CHUNK: u64 = 1 << 20;
    const TABLE: u64 = 5 * 4096;
    let program = program();
    for (threads, most) in
        [(1, CHUNK), (20, 20 * TABLE + 2 * CHUNK), (1000, 1000 * TABLE + 8 * CHUNK)]
    {
        run(&program, &format!("threads {threads}, kill"));
        let len = fs::metadata(program.path(LIVE)).expect("a file").len();
        assert!(len <= most, "{threads} threads: {len} bytes");
        assert_eq!(program.recovered(LIVE).calls("thread_work"), threads);
    }
}

#[test]
fn recovered_profile_is_what_the_program_would_have_written() {
    for program in in_modes() {
        run(&program, "work 7, threads 3, stop, snapshot, kill");
        program.recovered(LIVE);
        let [snapshot, recovered] = ["gmon.out", "profile.live.recovered"]
            .map(|name| fs::read(program.path(name)).expect("a file"));
        assert!(snapshot == recovered, "{} and {} bytes differ", snapshot.len(), recovered.len());
    }
}

#[test]
fn control_of_the_profile_reaches_the_file() {
    let program = program();
    for (steps, calls) in [
        ("work 7, stop, work 5, go on, work 3, kill", 10),
        ("work 7, stop, work 5, kill", 7),
        ("work 7, reset, work 5, kill", 5),
        ("work 7, snapshot, work 5, kill", 12),
        ("work 7, cleanup, work 5, start again, work 3, kill", 3),
        ("work 7, cleanup, start again, stop, work 5, go on, work 3, kill", 3),
        ("work 7, cleanup, start again, work 5, cleanup, start again, work 3, kill", 3),
    ] {
        let output = run(&program, steps);
        assert!(output.stderr.is_empty(), "{output:?}");
        assert_eq!(program.recovered(LIVE).calls("work"), calls, "{steps}");
    }
}

#[test]
fn profile_that_cannot_be_written_stays_in_the_file() {
    let program = program();
    for steps in ["work 7, limit 0", "work 7, limit 0, execute /bin/true"] {
        let output = run(&program, steps);
        assert!(output.status.success());
        let complaints = complaints(&output);
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].starts_with("gmon: cannot write "), "{complaints:?}");
        let hint = "; the profile is in profile.live: `gmon recover` makes gmon.out of it";
        assert!(complaints[0].ends_with(hint), "{complaints:?}");
        assert_eq!(program.files(), [LIVE, "program"]);
        assert_eq!(program.recovered(LIVE).calls("work"), 7);
    }
}

/// Neither the profile that could not be written is lost, nor the one after it.
#[test]
fn next_profile_leaves_alone_the_file_of_one_that_was_not_written() {
    let program = program();
    let steps =
        "work 7, limit 0, snapshot, snapshot, cleanup, limit 1000000000, start again, work 5, kill";
    let output = run(&program, steps);
    // However often it was tried.
    assert_eq!(complaints(&output).len(), 1, "{output:?}");
    let second = format!("{LIVE}.");
    let second = program.files().into_iter().find(|name| name.starts_with(&second));
    assert_eq!(program.recovered(LIVE).calls("work"), 7);
    assert_eq!(program.recovered(&second.expect("a second file")).calls("work"), 5);
}

#[test]
fn reports_are_made_of_a_running_program() {
    let program = program();
    let in_folder = |words: &str| {
        let mut command = gmon();
        command.args(words.split(' ')).current_dir(program.path("."));
        command
    };
    let mut waiting = Waiting::start(&mut command(&program, "work 7, threads 3, wait, work 5"));
    waiting.reach();
    program.recovered(LIVE);
    for report in ["gprof -b -q program", "gprof -C program", "merge -o sum"] {
        let [live, data] = [LIVE, "profile.live.recovered"].map(|file| {
            let text = text_of(&mut in_folder(&format!("{report} {file}")));
            (text, fs::read(program.path("sum")).ok())
        });
        assert!(live == data, "{report}: {live:?}");
    }
    // Live files add up with others.
    let twice = "gprof -b -q program profile.live.recovered";
    let twice = text_of(&mut in_folder(&format!("{twice} {LIVE}")));
    let work = twice.lines().find(|line| line.starts_with('[') && line.contains(" work ["));
    assert!(work.is_some_and(|line| line.contains(" 14 ")), "{twice}");
    waiting.finish();

    let header = fs::read(program.path("profile.live.recovered")).expect("a file");
    fs::write(program.path("cut"), [b"gmonlive", &header[8..]].concat()).expect("a file");
    let output = output_of(&mut in_folder("gprof program cut"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.ends_with("cut: a live profile with a damaged header\n"),
        "{said}"
    );
}

#[test]
fn running_program_can_be_looked_at() {
    let program = program();
    let steps = "work 7, threads 3, wait, work 5, wait, work 3";
    let mut waiting = Waiting::start(&mut command(&program, steps));
    waiting.reach();
    assert_eq!(program.recovered(LIVE).calls("work"), 7);
    waiting.go_on();
    waiting.reach();
    assert_eq!(program.recovered(LIVE).calls("work"), 12);
    waiting.finish();
    assert_eq!(program.counts("gmon.out").calls("work"), 15);
    assert!(!program.path(LIVE).exists());
}

#[test]
fn new_program_finds_no_file_and_a_failed_exec_loses_none() {
    for program in in_modes() {
        let output = run(&program, "work 7, execute /bin/true");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let files = program.files();
        assert!(!files.contains(&LIVE.to_owned()), "{files:?}");
        let exec = files.iter().find(|name| name.ends_with(".exec1")).expect("a profile");
        assert_eq!(program.counts(exec).calls("work"), 7);

        // A file that may be executed, but is not a program.
        let broken = program.path("broken");
        fs::write(&broken, b"\x7fELF").expect("a file");
        fs::set_permissions(&broken, Permissions::from_mode(0o755)).expect("a mode");
        let steps = format!("work 7, execute {}, work 5, threads 3, kill", broken.display());
        let output = command(&program, &steps).output().expect("a program");
        assert_eq!(complaints(&output), [""; 0]);
        let counts = program.recovered(LIVE);
        assert_eq!((counts.calls("work"), counts.calls("thread_work")), (12, 3));
    }
}

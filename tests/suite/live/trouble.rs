//! What can be in the way of the file: the program runs on as if nothing was, its profile is exact
//! in the end, and one line says what is wrong.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Command,
};

use super::steps::{LIVE, Waiting, command, complaints, in_modes, program, run};
use support::{executable, program::Program, tools::skip_anywhere};

/// Bytes by which the file grows.
const CHUNK: u64 = 1 << 20;

/// Runs the program, which must end well and leave an exact profile, and gives the one line that it
/// complains in and the files it leaves.
fn complaint(program: &Program, command: &mut Command) -> (String, Vec<String>) {
    let output = command.output().expect("a program");
    assert!(output.status.success(), "{output:?}");
    let complaints = complaints(&output);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert_eq!(program.counts("gmon.out").calls("work"), 7);
    (complaints[0].clone(), program.files())
}

#[test]
fn disk_that_is_full_from_the_start_is_reported() {
    for program in in_modes() {
        program.clear();
        // Not quite what is wanted, in kilobytes.
        let mut shell = Command::new("bash");
        shell.args(["-c", "ulimit -f 1000; exec \"$0\" \"$@\""]).arg(&program.executable);
        let plain = command(&program, "work 7");
        shell.args(plain.get_args()).current_dir(program.path(""));
        shell.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let (line, files) = complaint(&program, &mut shell);
        assert_eq!(
            line,
            "gmon: cannot write the live file profile.live: File too large: what is counted from now \
             on is lost if the program is killed"
        );
        assert_eq!(files, ["gmon.out", "program"]);
    }
}

#[test]
fn disk_that_fills_up_is_reported_once_and_nothing_is_lost() {
    for program in in_modes() {
        let steps = format!("limit {CHUNK}, work 5, threads 200, work 2");
        program.clear();
        let (line, files) = complaint(&program, &mut command(&program, &steps));
        assert!(line.contains("profile.live: File too large: "), "{line}");
        assert_eq!(files, ["gmon.out", "program"]);
        assert_eq!(program.counts("gmon.out").calls("thread_work"), 200);
        // What was in the file by then is still there.
        run(&program, &format!("{steps}, kill"));
        let counts = program.recovered(LIVE);
        assert_eq!(counts.calls("work"), 7);
        assert!(counts.calls("thread_work") < 200);
    }
}

/// A file system of `size` bytes in memory, as long as the value lives.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    fn mount(folder: &'a Path, size: u64) -> Option<Self> {
        fs::create_dir(folder).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "none"]).arg(folder);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        if !mounted {
            skip_anywhere("only root can mount a small disk");
            return None;
        }
        Some(Self(folder))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        assert!(Command::new("umount").arg(self.0).status().is_ok_and(|status| status.success()));
    }
}

#[test]
fn full_disk_kills_nobody() {
    let program = program();
    for size in [4096, CHUNK - 4096, CHUNK, 2 * CHUNK] {
        let folder = program.path("disk");
        let Some(disk) = SmallDisk::mount(&folder, size) else { return };
        let mut command = command(&program, "work 5, threads 200, work 2");
        command.env("GMON_OPTIONS", "live=disk/live,sampler=none");
        let output = command.output().expect("a program");
        assert!(output.status.success(), "{output:?}");
        let line = "gmon: cannot write the live file disk/live: No space left on device: ";
        assert!(complaints(&output)[0].starts_with(line), "{output:?}");
        assert_eq!(complaints(&output).len(), 1);
        let counts = program.counts("gmon.out");
        assert_eq!((counts.calls("work"), counts.calls("thread_work")), (7, 200));
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
        drop(disk);
        fs::remove_dir(&folder).expect("an empty folder");
    }
}

/// It may be that of a program that runs at the same time: there is nothing to say.
#[test]
fn file_that_is_there_is_left_alone() {
    let program = program();
    run(&program, "work 3, kill");
    let before = fs::read(program.path(LIVE)).expect("a file");
    let output = command(&program, "work 7").output().expect("a program");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(program.counts("gmon.out").calls("work"), 7);
    assert_eq!(program.files(), ["gmon.out", LIVE, "program"]);
    assert!(before == fs::read(program.path(LIVE)).expect("a file"));
    // The other file has the number of its process.
    let mut killed = command(&program, "work 5, kill").spawn().expect("a program");
    let own = format!("{LIVE}.{}", killed.id());
    killed.wait().expect("an end");
    assert_eq!(program.recovered(&own).calls("work"), 5);
    assert_eq!(program.recovered(LIVE).calls("work"), 3);
}

#[test]
fn symbolic_links_are_not_followed() {
    let program = program();
    for target in ["gmon.out.victim", "nothing"] {
        program.clear();
        fs::write(program.path("gmon.out.victim"), "precious").expect("a file");
        symlink(target, program.path(LIVE)).expect("a link");
        let output = command(&program, "work 7").output().expect("a program");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert_eq!(program.counts("gmon.out").calls("work"), 7);
        assert_eq!(program.files(), ["gmon.out", "gmon.out.victim", LIVE, "program"]);
        assert_eq!(fs::read(program.path("gmon.out.victim")).expect("a file"), b"precious");
    }
}

#[test]
fn file_is_for_its_user_only() {
    let program = program();
    run(&program, "work 3, kill");
    let mode = fs::metadata(program.path(LIVE)).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn impossible_path_is_reported() {
    let program = program();
    for (path, why) in [
        ("missing/profile", "No such file or directory"),
        ("program/profile", "Not a directory"),
        (&"x".repeat(300), "File name too long"),
    ] {
        program.clear();
        let mut command = command(&program, "work 7");
        command.env("GMON_OPTIONS", format!("live={path},sampler=none"));
        let (line, files) = complaint(&program, &mut command);
        let start = format!("gmon: cannot write the live file {path}: {why}: ");
        assert!(line.starts_with(&start), "{line}");
        assert_eq!(files, ["gmon.out", "program"]);
    }
}

#[test]
fn file_that_others_removed_is_not_missed() {
    let program = program();
    let mut waiting = Waiting::start(&mut command(&program, "work 7, wait"));
    waiting.reach();
    fs::remove_file(program.path(LIVE)).expect("a file");
    fs::write(program.path(LIVE), "precious").expect("a file");
    waiting.finish();
    assert_eq!(program.counts("gmon.out").calls("work"), 7);
    // What is there now is somebody else's.
    assert_eq!(fs::read(program.path(LIVE)).expect("a file"), b"precious");
}

#[test]
fn set_id_program_is_not_directed_by_the_environment() {
    let program = program();
    program.clear();
    let is_root = std::os::unix::fs::chown(&program.executable, Some(12345), None).is_ok();
    if !is_root {
        return skip_anywhere("only root can make a program that is another user's");
    }
    fs::set_permissions(&program.executable, Permissions::from_mode(0o4755)).expect("a mode");
    let folder = program.path("");
    fs::set_permissions(&folder, Permissions::from_mode(0o777)).expect("a mode");
    let output = command(&program, "work 7, kill").output().expect("a program");
    assert!(output.stderr.is_empty(), "{output:?}");
    assert_eq!(program.files(), ["program"]);
}

#[test]
fn descriptor_is_out_of_the_way_and_reaches_no_other_program() {
    let program = program();
    let mut waiting = Waiting::start(&mut command(&program, "work 7, wait"));
    let open = format!("/proc/{}/fd", waiting.reach());
    let links = fs::read_dir(open).expect("a folder").map(|entry| entry.expect("an entry").path());
    let live = program.path(LIVE).canonicalize().expect("a file");
    let mut numbers = links
        .filter(|link| fs::read_link(link).is_ok_and(|file| file == live))
        .map(|link| link.file_name().and_then(|name| name.to_str()?.parse().ok()));
    let number: u32 = numbers.next().flatten().expect("a descriptor");
    assert!(number >= 200 && numbers.next().is_none(), "{number}");
    waiting.finish();

    let script = program.path("list");
    executable::write(&script, "#!/bin/sh\nls -l /proc/self/fd\n");
    let steps = "work 7, fork, execute ./list";
    let output = command(&program, steps).output().expect("a program");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("/proc/") && !text.contains("live"), "{text}");
}

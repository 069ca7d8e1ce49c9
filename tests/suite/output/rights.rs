//! Rights that a program gives up, has more of than its caller, or never had.

use std::{
    fs::{self, Permissions},
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::{CommandExt, ExitStatusExt},
    },
    process::Command,
};

use nix::unistd::Uid;

use super::{STATUS, SUITE, complaint, is_rescued, is_whole, run, run_in_silence};
use support::{
    command::{output_of, quiet},
    program::Program,
    tools::skip_anywhere,
};

/// The user `nobody` of most systems; any number that owns nothing would do.
const NOBODY: u32 = 65534;

/// Modes in which what is executed does not depend on the rights to read a library.
const MODES: [&str; 2] = ["default", "static"];

/// Tests programs in all modes, if the test can change users; says so if not.
fn as_root(test: impl Fn(&Program)) {
    if Uid::effective().is_root() {
        SUITE.in_modes("steps.c", &MODES).for_each(|program| test(&program));
    } else {
        skip_anywhere("only root may run a program as somebody else");
    }
}

fn set_mode(program: &Program, name: &str, mode: u32) {
    fs::set_permissions(program.path(name), Permissions::from_mode(mode)).expect("my own file");
}

/// The program, run by nobody.
fn command(program: &Program) -> Command {
    let mut command = program.command();
    command.uid(NOBODY).gid(NOBODY);
    command
}

#[test]
fn dropped_rights_are_reported_and_the_profile_kept() {
    as_root(|program| {
        set_mode(program, "", 0o755);
        let output = run(&mut program.command(), &["user 65534"]);
        let place = program.path("gmon.out");
        is_rescued(program, &complaint(&output), &place, "Permission denied");
        assert_eq!(program.files(), ["program"]);
    });
}

#[test]
fn directory_that_may_not_be_written_is_reported_and_the_profile_kept() {
    as_root(|program| {
        set_mode(program, "", 0o555);
        let output = run(&mut command(program), &[]);
        let place = program.path("gmon.out");
        is_rescued(program, &complaint(&output), &place, "Permission denied");

        // A file that is there and may be written is enough.
        fs::write(&place, "old").expect("a file");
        set_mode(program, "gmon.out", 0o666);
        run_in_silence(&mut command(program), &[]);
        is_whole(program, "gmon.out");
        assert_eq!(program.files(), ["gmon.out", "program"]);
    });
}

/// The program is not to find a way out of its new root by the runtime's doing. So its profile stays inside.
#[test]
fn program_that_shuts_itself_in_stays_there_with_its_profile() {
    as_root(|program| {
        fs::create_dir(program.path("cell")).expect("a folder");
        set_mode(program, "", 0o777);
        set_mode(program, "cell", 0o777);
        for steps in [
            &["chroot cell", "chdir /", "escape"][..],
            &["chroot cell", "chdir /", "user 65534", "escape"],
            &["chdir cell", "chroot .", "user 65534", "escape"],
        ] {
            let output = run(&mut program.command(), steps);
            let complaint = complaint(&output);
            let place = program.path("gmon.out");
            let told = format!(
                "gmon: cannot write {}: No such file or directory; the profile is in /gmon.out.",
                place.display()
            );
            assert!(complaint.starts_with(&told), "{steps:?}: {complaint}");
            assert_eq!(program.files(), ["cell", "program"], "{steps:?}");
            let mut inside = fs::read_dir(program.path("cell")).expect("a folder");
            let file = inside.next().expect("a file").expect("a readable folder").file_name();
            is_whole(program, &format!("cell/{}", file.display()));
            fs::remove_file(program.path("cell").join(file)).expect("my own file");
            assert!(inside.next().is_none(), "{steps:?}");
        }
        // Who has not gone in is still where the profile started.
        run_in_silence(&mut program.command(), &["chroot cell"]);
        is_whole(program, "gmon.out");
        fs::remove_file(program.path("gmon.out")).expect("my own file");
    });
}

/// A folder with another name is still the folder for who is in it.
#[test]
fn moved_directory_gets_the_profile_of_a_program_that_stayed() {
    for program in SUITE.in_modes("steps.c", &MODES) {
        let folder = program.path("folder");
        fs::create_dir(&folder).expect("a folder");
        run_in_silence(program.command().current_dir(&folder), &["rename ../folder ../moved"]);
        is_whole(&program, "moved/gmon.out");
        fs::remove_dir_all(program.path("moved")).expect("my own folder");

        fs::create_dir(&folder).expect("a folder");
        let steps = ["rename ../folder ../moved", "chdir .."];
        let output = run(program.command().current_dir(&folder), &steps);
        is_rescued(
            &program,
            &complaint(&output),
            &folder.join("gmon.out"),
            "No such file or directory",
        );
        assert_eq!(program.files(), ["moved", "program"]);
    }
}

/// Whoever could write a profile could have its reader see anything.
#[test]
fn files_are_never_writable_for_others() {
    for program in SUITE.in_modes("steps.c", &MODES) {
        for (mask, most) in [("0", 0o644), ("022", 0o644), ("027", 0o640), ("077", 0o600)] {
            for (options, steps, names) in [
                ("", &[][..], &["gmon.out"][..]),
                ("out=named,nonsense,log=log", &[], &["log", "named"]),
                ("live=live,out=no/such,quiet", &["kill"], &["live"]),
                ("", &["exec"], &["gmon.out."]),
                ("stacks", &["spin"], &["gmon.out", "gmon.out.full"]),
            ] {
                program.clear();
                let mut shell = quiet("sh");
                shell.arg("-c").arg(format!("umask {mask}; exec \"$0\" \"$@\""));
                shell.arg(&program.executable).args(steps).current_dir(program.path(""));
                let status = output_of(shell.env("GMON_OPTIONS", options)).status;
                let killed_itself = status.signal() == Some(9) && steps == ["kill"];
                assert!(status.code() == Some(STATUS) || killed_itself, "{steps:?}: {status}");
                let files = program.files();
                let written: Vec<_> = files.iter().filter(|name| *name != "program").collect();
                assert_eq!(written.len(), names.len(), "{options}: {written:?}");
                for (file, name) in written.into_iter().zip(names) {
                    assert!(file.starts_with(name), "{file}");
                    let mode = fs::metadata(program.path(file)).expect("a file").mode() & 0o777;
                    // These two hold the arguments of the program, or may.
                    let is_private = *name == "live" || name.ends_with(".full");
                    let expected = if is_private { 0o600 } else { most };
                    assert_eq!(mode, expected, "{file}, umask {mask}: {mode:o}");
                }
            }
        }
    }
}

/// Who runs a set-user-ID program must not be able to choose which files it writes.
#[test]
fn program_with_more_rights_than_its_caller_ignores_the_environment() {
    as_root(|program| {
        set_mode(program, "", 0o777);
        for variable in [
            ("GMON_OUT_PREFIX", "prefix"),
            ("GMON_OPTIONS", "out=named"),
            ("GMON_OPTIONS", "off"),
            ("GMON_OPTIONS", "nonsense"),
            ("GMON_OPTIONS", "live=live"),
            ("GMON_OPTIONS", "nonsense,log=log"),
        ] {
            set_mode(program, "program", 0o4755);
            let output = run_in_silence(command(program).env(variable.0, variable.1), &[]);
            assert!(output.stdout.is_empty());
            if fs::metadata(program.path("gmon.out")).is_ok_and(|file| file.uid() == NOBODY) {
                return skip_anywhere("programs in temporary folders get no rights");
            }
            assert_eq!(program.files(), ["gmon.out", "program"], "{variable:?}");
            is_whole(program, "gmon.out");
            fs::remove_file(program.path("gmon.out")).expect("my own file");
        }
    });
}

/// What another user has left in a shared directory is neither followed nor written into.
#[test]
fn links_in_shared_directories_are_not_followed() {
    as_root(|program| {
        let victim = program.path("victim");
        fs::write(&victim, "precious").expect("a file");
        set_mode(program, "victim", 0o666);
        std::os::unix::fs::symlink(&victim, program.path("gmon.out")).expect("a link");
        // Not writable: there is no way to replace the link, and no reason to follow it.
        set_mode(program, "", 0o555);
        let output = run(&mut command(program), &[]);
        let place = program.path("gmon.out");
        is_rescued(program, &complaint(&output), &place, "Permission denied");
        assert_eq!(fs::read(&victim).expect("a file"), b"precious");
    });
}

//! `gmon run` believes nobody but the processes of the run, leaves them no descriptor, and loses nothing when it is
//! killed. The first tests attack a run of root's as the user `nobody`.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::GMON;
use support::{summary, tools, workplace::Workplace};

const NOBODY: u32 = 65534;

/// Whether the test can be somebody else; says so if not.
fn is_root() -> bool {
    let is_root = nix::unistd::geteuid().is_root();
    if !is_root {
        eprintln!("SKIPPED: only root can attack as another user");
    }
    is_root
}

/// A workplace that others may pass through, with `prog`, which calls `work` as often as its argument says.
fn workplace() -> Workplace {
    let place = Workplace::new();
    fs::set_permissions(place.path(""), Permissions::from_mode(0o755)).expect("rights");
    place.write(
        "prog.c",
        "#include <stdlib.h>\n__attribute__((noipa)) void work(void) { __asm__ volatile(\"\"); }\n\
         int main(int argc, char **argv) { for (int n = atoi(argv[1]); n > 0; n--) work(); return argc - 2; }\n",
    );
    place.gmon("cc cc -O2 prog.c -o prog").assert().success();
    place
}

/// A root's own folder with a profile and a secret in it, and what is in these.
fn private(place: &Workplace) -> (PathBuf, Vec<(PathBuf, Vec<u8>)>) {
    let folder = place.path("private");
    fs::create_dir(&folder).expect("a folder");
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).expect("rights");
    place.gmon("run -o private/gmon.out --report /dev/null ./prog 3").assert().success();
    place.write("private/secret", "a secret");
    fs::set_permissions(place.path("private/secret"), Permissions::from_mode(0o600))
        .expect("rights");
    (folder.clone(), contents(&folder))
}

fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> =
        paths.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect();
    files.sort();
    files
}

fn wait_for(path: &Path) {
    while !path.exists() {
        sleep(Duration::from_millis(20));
    }
}

/// A run whose command waits for the file `go`, with its standard error stream in `said`.
fn waiting(place: &Workplace, command: &str) -> Child {
    let script = format!("touch started; {command}; while [ ! -e go ]; do sleep 0.05; done");
    let mut run = Command::new(GMON);
    run.args(["run", "sh", "-c", &script]).current_dir(place.path(""));
    run.env("XDG_CACHE_HOME", place.path("cache")).env_remove("GMON_OPTIONS");
    let temporary = place.path("tmp");
    fs::create_dir(&temporary).expect("a folder");
    fs::set_permissions(&temporary, Permissions::from_mode(0o1777)).expect("rights");
    run.env("TMPDIR", temporary)
        .stderr(Stdio::from(fs::File::create(place.path("said")).expect("a file")));
    let run = run.spawn().expect("gmon run");
    wait_for(&place.path("started"));
    run
}

#[test]
fn other_users_have_no_say_in_a_run() {
    if !is_root() {
        return;
    }
    let place = workplace();
    let (folder, before) = private(&place);
    let mut run = waiting(&place, "./prog 40");
    // Whatever a run makes, where all may look: the folders of this one and of an older gmon.
    let lines = format!(
        "begin 1 0 0 0 0 {prog}\\nend 1 0 0 0 0 0 0 {profile}\\nbegin 1 0 0 0 {prog}\\nend 1 0 0 0 0 0 0 {profile}\\n",
        prog = place.path("prog").display(),
        profile = folder.join("gmon.out").display()
    );
    let script = format!(
        "for f in tmp/.gmon-run-* .gmon-run-*; do \
         ls $f && echo LISTED; touch $f/here 2>/dev/null && echo MADE; done 2>/dev/null; \
         for f in tmp/gmon-* tmp/.gmon-run-* .gmon-run-*; do \
         printf '{lines}' >> $f/processes; printf '{lines}' > $f/.told.1.1; done 2>/dev/null; true"
    );
    let mut attack = Command::new("sh");
    attack.args(["-c", &script]).uid(NOBODY).gid(NOBODY).current_dir(place.path(""));
    let attacked = String::from_utf8(attack.output().expect("sh").stdout).expect("UTF-8");
    assert!(!attacked.contains("LISTED") && !attacked.contains("MADE"), "{attacked}");
    place.write("go", "");
    assert!(run.wait().expect("the end").success());
    let said = place.read("said");
    assert_eq!(work_calls(&said), Some(40), "{said}");
    assert_eq!(contents(&folder), before);
}

/// The calls of `work` in a summary of `prog`.
fn work_calls(said: &str) -> Option<u64> {
    let summary = said.split_once("prog: ").map(|(_, summary)| summary)?;
    let rows = summary::rows(summary);
    Some(rows.iter().find(|row| row.name == "work")?.number("calls")? as u64)
}

/// A process of the run that has given up root's rights knows the folder, and lies.
#[test]
fn a_process_without_roots_rights_cannot_make_root_read_or_write_what_it_names() {
    if !is_root() {
        return;
    }
    let place = workplace();
    let (folder, before) = private(&place);
    place.write(
        "become.c",
        "#include <unistd.h>\nint main(int argc, char **argv) {\n\
         if (setgid(65534) || setuid(65534)) return 9; execvp(argv[1], argv + 1); return argc; }\n",
    );
    place.must("cc become.c -o become");
    let told = |number: u32, file: &str| {
        let prog = place.path("prog");
        let lines = format!(
            "begin 1 0 99999999999999999 0 0 {}\\nend 1 0 99999999999999999 0 0 0 0 {file}\\n",
            prog.display()
        );
        format!("printf '{lines}' > $f/.told.{number}.1")
    };
    let secret = folder.join("secret");
    let lies = [
        "f=${GMON_LEDGER#*:}; umask 022".to_owned(),
        told(1, &folder.join("gmon.out").display().to_string()),
        told(2, &secret.display().to_string()),
        format!("ln -s {} $f/link; ln -s {} $f/link.full", secret.display(), secret.display()),
        told(3, "'$f'/link"),
        "mkfifo $f/pipe".to_owned(),
        told(4, "'$f'/pipe"),
        "mkdir $f/folder".to_owned(),
        told(5, "'$f'/folder"),
        told(6, "'$f'/../../private/secret"),
        // The processes that are honest are heard all the same.
        "./prog 40".to_owned(),
    ];

    place.write("lie.sh", lies.join("\n"));
    let run = place.gmon("run timeout 100 ./become sh lie.sh").assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert_eq!(work_calls(&said), Some(40), "{said}");
    assert!(said.contains("which is no file of its own; it is left out"), "{said}");
    assert_eq!(contents(&folder), before);
    let written = fs::read_dir(place.path("")).expect("a folder").map(|it| it.expect("it").path());
    for path in written.filter(|path| path.is_file()) {
        let bytes = fs::read(&path).expect("a file");
        assert!(!bytes.windows(8).any(|it| it == b"a secret"), "{}", path.display());
    }
}

/// In a folder where all may write, the name of the destination can be a link of another user's.
#[test]
fn another_users_link_in_the_place_of_the_profile_is_not_followed() {
    if !is_root() {
        return;
    }
    let place = workplace();
    let shared = place.path("shared");
    fs::create_dir(&shared).expect("a folder");
    fs::set_permissions(&shared, Permissions::from_mode(0o1777)).expect("rights");
    let victim = place.path("victim");
    for output in ["shared/one", "shared/two"] {
        fs::write(&victim, "precious").expect("a file");
        let link = place.path(output);
        symlink(&victim, &link).expect("a link");
        std::os::unix::fs::lchown(&link, Some(NOBODY), Some(NOBODY)).expect("a link of nobody's");
        place.gmon("run -o").arg(output).args(["./prog", "3"]).assert().success();
        assert_eq!(fs::read(&victim).expect("a file"), b"precious");
        assert!(!link.is_symlink() && link.is_file());
    }
    let report = "run -o shared/three --report shared/report ./prog 3";
    let export = "export --format json -o shared/export ./prog shared/three";
    for (output, command) in [("shared/report", report), ("shared/export", export)] {
        let link = place.path(output);
        symlink(&victim, &link).expect("a link");
        std::os::unix::fs::lchown(&link, Some(NOBODY), Some(NOBODY)).expect("a link of nobody's");
        place.gmon(command).assert().success();
        assert_eq!(fs::read(&victim).expect("a file"), b"precious", "{command}");
        assert!(!link.is_symlink() && link.is_file());
    }
}

/// A folder of nobody's is one in which nobody can put anything in the place of what root is going to write.
#[test]
fn links_in_a_folder_of_another_user_are_not_followed() {
    if !is_root() {
        return;
    }
    let place = workplace();
    for folder in ["data", "sum"] {
        fs::create_dir(place.path(folder)).expect("a folder");
        std::os::unix::fs::chown(place.path(folder), Some(NOBODY), Some(NOBODY)).expect("rights");
    }
    for (options, link) in [("-d data", "data/processes"), ("-o sum/out", "sum/out")] {
        let (victim, link) = (place.path("victim"), place.path(link));
        fs::write(&victim, "precious").expect("a file");
        symlink(&victim, &link).expect("a link");
        std::os::unix::fs::lchown(&link, Some(NOBODY), Some(NOBODY)).expect("a link of nobody's");
        place.gmon(&format!("run {options} ./prog 3")).assert().success();
        assert_eq!(fs::read(&victim).expect("a file"), b"precious");
        assert!(!link.is_symlink() && link.is_file());
    }
}

#[test]
fn a_list_of_another_user_has_nothing_removed() {
    if !is_root() {
        return;
    }
    let place = workplace();
    let shared = place.path("shared");
    fs::create_dir(&shared).expect("a folder");
    fs::set_permissions(&shared, Permissions::from_mode(0o1777)).expect("rights");
    place.write("shared/precious", "precious");
    let precious = place.path("shared/precious");
    place.write(
        "shared/processes",
        format!(
            "begin 5 1000 1000 1 0 /bin/id id\nend 5 2000 2000 0 0 0 1000 {}\n",
            precious.display()
        ),
    );
    let list = place.path("shared/processes");
    std::os::unix::fs::chown(&list, Some(NOBODY), Some(NOBODY)).expect("rights");
    place.gmon("run -d shared ./prog 3").assert().success();
    assert!(precious.exists());
    // A list that is a pipe stops nobody.
    fs::remove_file(&list).expect("the list");
    place.must("mkfifo shared/processes");
    let mut run = place.command("timeout");
    let status = run.args(["100", GMON, "run", "-d", "shared", "./prog", "3"]).status();
    let status = status.expect("gmon run");
    assert_ne!(status.code(), Some(124));
}

/// A process that has given up root's rights gets a file of root's own into the folder, of what it has measured and under a name that
/// tells of it, or none.
#[test]
fn a_process_without_roots_rights_does_not_choose_what_is_put_into_the_folder() {
    if !is_root() || tools::find("python3").is_none() {
        return;
    }
    let place = workplace();
    fs::create_dir(place.path("data")).expect("a folder");
    let mine = [".profile", "libimportant.so.6"].map(|name| format!("data/{name}"));
    for file in &mine {
        place.write(file, "original");
    }
    fs::create_dir(place.path("data/sub.7")).expect("a folder");
    place.write(
        "drop.py",
        "import os, sys, time\n\
         folder = os.environ['GMON_LEDGER'].split(':', 1)[1]\n\
         os.setgroups([]); os.setgid(65534); os.setuid(65534); os.umask(0o22)\n\
         name, text, program, pid = sys.argv[1:]\n\
         open(f'{folder}/{name}', 'wb').write(open(text, 'rb').read())\n\
         space, pid = os.readlink('/proc/self/ns/pid')[5:-1], int(pid) or os.getpid()\n\
         now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)\n\
         open(f'{folder}/.told.{pid}.{now}', 'w').write(f'begin {pid} 1000 {now} 1 {space} {program} id\\n'\n\
         \x20   f'end {pid} 90000000 {now + 1} 0 0 0 80000000 {folder}/{name}\\n')\n",
    );
    place.gmon("run -o honest --no-stacks ./prog 3").assert().success();
    place.write("text", "echo gotcha\n");
    for (name, text, program) in [
        (".profile", "text", "/usr/bin/id 0"),
        (".profile", "honest", "/usr/bin/id 0"),
        ("id.1", "honest", "/x/libimportant.so 6"),
        ("id.1", "honest", "/x/sub 7"),
    ] {
        let run = format!("run -d data --no-python python3 drop.py {name} {text} {program}");
        let run = place.gmon(&run).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert_eq!(said.contains("is no profile; it is left out"), text == "text", "{said}");
        mine.iter().for_each(|file| assert_eq!(place.read(file), "original"));
        let entries = fs::read_dir(place.path("data")).expect("a folder").flatten();
        let files: Vec<_> = entries.map(|it| it.path()).filter(|it| it.is_file()).collect();
        assert!(files.iter().all(|it| it.metadata().is_ok_and(|it| it.uid() == 0)), "{files:?}");
        let first = program.rsplit(['/', ' ']).nth(1).expect("a name");
        let is_named = |path: &PathBuf| {
            let name = path.file_name().expect("a name").to_string_lossy();
            name.starts_with(first) && !name.ends_with(".so.6")
        };
        let taken = usize::from(text == "honest");
        assert_eq!(files.iter().filter(|it| is_named(it)).count(), taken, "{files:?}");
    }
}

/// The numbers of processes in a namespace are those of others here, and the same in each namespace.
#[test]
fn processes_of_other_pid_namespaces_are_heard_and_not_waited_for() {
    let place = workplace();
    let unshare = ["unshare -pf", "unshare -Urpf"];
    let works = |how: &&str| place.command("sh").args(["-c", &format!("{how} true")]).status();
    let Some(unshare) = unshare.iter().find(|how| works(how).is_ok_and(|it| it.success())) else {
        return eprintln!("SKIPPED: no PID namespace can be made here");
    };
    let script =
        format!("{unshare} ./prog 3; {unshare} ./prog 40; {unshare} --mount-proc ./prog 500");
    let run = place.command("timeout").args(["100", GMON, "run", "sh", "-c", &script]).output();
    let output = run.expect("gmon run");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{said}");
    assert_eq!(work_calls(&said), Some(543), "{said}");
}

#[test]
fn profiled_programs_have_no_descriptor_of_gmons() {
    let place = workplace();
    place.write(
        "list.c",
        "#include <fcntl.h>\n#include <stdio.h>\nint main(void) {\n\
         for (int n = 0; n < 5000; n++) if (fcntl(n, F_GETFD) >= 0) printf(\"%d \", n);\n}\n",
    );
    place.gmon("cc cc -O2 list.c -o linked").assert().success();
    place.must("cc -O2 -pg list.c -o preloaded");
    place.must("cc -O2 list.c -o plain");
    let plain = place.command("./plain").output().expect("plain").stdout;
    for program in ["linked", "preloaded", "plain"] {
        for options in [&[][..], &["--no-stacks"], &["-d", "data"], &["-o", "file"]] {
            let run = place.gmon("run").args(options).arg(format!("./{program}")).output();
            let listed = run.expect("gmon run").stdout;
            assert_eq!(
                String::from_utf8_lossy(&listed),
                String::from_utf8_lossy(&plain),
                "{program} {options:?}"
            );
        }
    }
}

#[test]
fn the_profiles_of_a_run_that_is_killed_are_beside_the_destination_and_named() {
    let place = workplace();
    let mut run = waiting(&place, "./prog 40");
    wait_for_profile(&place);
    run.kill().expect("gmon");
    run.wait().expect("the end");
    place.write("go", "");
    let left: Vec<_> = contents_names(&place);
    let [folder] = left.as_slice() else { panic!("{left:?}") };
    let named = contains("a run of gmon that was killed has left its profiles in ")
        .and(contains(folder.clone()));
    place.gmon("run ./prog 5").assert().success().stderr(named);
    place
        .gmon("doctor")
        .output()
        .map(|it| String::from_utf8_lossy(&it.stdout).into_owned())
        .map_or_else(
            |error| panic!("{error}"),
            |said| assert!(said.contains(folder.as_str()), "{said}"),
        );
    let report = place.gmon("report").arg(folder).assert().success();
    let shown = String::from_utf8_lossy(&report.get_output().stdout).into_owned();
    assert_eq!(work_calls(&shown), Some(40), "{shown}");
    // A run that lives is none of these, and one that has ended leaves nothing.
    fs::remove_dir_all(place.path(folder)).expect("the folder");
    place.gmon("run ./prog 5").assert().success().stderr(contains("was killed").not());
    assert_eq!(contents_names(&place), [""; 0]);
}

/// The folders of runs in a workplace.
fn contents_names(place: &Workplace) -> Vec<String> {
    let names = fs::read_dir(place.path(""))
        .expect("folder")
        .map(|entry| entry.expect("entry").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    names.filter(|name| name.starts_with(".gmon-run-")).collect()
}

/// Waits until `prog` has written its profile, in the folder of its run.
fn wait_for_profile(place: &Workplace) {
    let is_profile = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("prog.") && !name.contains(".tmp")
    };
    let folders = |path: &Path| {
        fs::read_dir(path).into_iter().flatten().flatten().map(|it| it.path()).collect::<Vec<_>>()
    };
    loop {
        let runs = contents_names(place).into_iter().flat_map(|name| folders(&place.path(&name)));
        if runs.flat_map(|secret| folders(&secret)).any(|path| is_profile(&path)) {
            return;
        }
        sleep(Duration::from_millis(20));
    }
}

//! `gmon run` of commands that start other processes: what all of them counted, and which they were.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use assert_cmd::prelude::*;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::str::contains;

use crate::GMON;
use support::{compilers::MUSL, summary, tools, workplace::Workplace};

/// Does what its arguments say, one after the other: `N` calls `work` so often, `fork` does the rest in a child
/// and waits, `leave` does it in one that is left alone, `daemon` behind `daemon(3)`, `kill` ends by SIGKILL,
/// `exec` becomes the program that follows, `sleep` waits a moment, `spin` until the end of time.
const STEPS: &str = r#"
    #define _DEFAULT_SOURCE
    #include <signal.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/wait.h>
    #include <unistd.h>
    __attribute__((noipa)) void work(void) { __asm__ volatile(""); }
    int main(int argc, char **argv)
    {
        for (char **step = argv + 1; *step; step++) {
            if (!strcmp(*step, "fork")) {
                if (fork()) { wait(NULL); return 0; }
            } else if (!strcmp(*step, "leave")) {
                if (fork()) return 0;
            } else if (!strcmp(*step, "daemon")) {
                if (daemon(1, 0)) return 9;
            } else if (!strcmp(*step, "kill")) {
                raise(SIGKILL);
            } else if (!strcmp(*step, "exec")) {
                execv(step[1], step + 1);
                return 8;
            } else if (!strcmp(*step, "sleep")) {
                usleep(200000);
            } else if (!strcmp(*step, "spin")) {
                for (;;) pause();
            } else {
                for (long n = atol(*step); n > 0; n--) work();
            }
        }
        return argc > 1 ? 0 : 3;
    }
"#;

/// A workplace with the programs `one` and `two`, of which one has the runtime in it and the other wants it.
fn workplace() -> Workplace {
    let place = Workplace::new();
    place.write("steps.c", STEPS);
    place.gmon("cc cc -O2 steps.c -o one").assert().success();
    place.must("cc -O2 -pg steps.c -o two");
    place
}

/// What a command says on the standard error stream, and its exit status.
#[track_caller]
fn run(place: &Workplace, arguments: &[&str]) -> (Option<i32>, String) {
    let output = place.gmon("run").args(arguments).output().expect("gmon run");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

/// The calls of `work` in the summary of a program.
#[track_caller]
fn calls(said: &str, program: &str) -> u64 {
    let summary = said.split_once(&format!("{program}: ")).map(|(_, summary)| summary);
    let rows = summary.map(summary::rows).unwrap_or_default();
    let row = rows.iter().find(|row| row.name == "work");
    let row = row.unwrap_or_else(|| panic!("no row of {program}'s work:\n{said}"));
    row.number("calls").unwrap_or_else(|| panic!("no calls:\n{said}")) as u64
}

#[test]
fn what_children_do_is_in_the_summary_and_the_profile() {
    let place = workplace();
    for program in ["one", "two"] {
        let path = format!("./{program}");
        let (status, said) = run(&place, &[&path, "5", "fork", "70", "fork", "900"]);
        assert_eq!(status, Some(0), "{said}");
        assert!(said.starts_with("3 processes of 1 program: "), "{said}");
        assert_eq!(calls(&said, program), 975);
        assert_eq!(place.calls(program, "work"), 975);
        assert!(said.contains(&format!("{program}, gmon.out\n")), "{said}");
    }
    // Whether there are call stacks depends on whether there were samples.
    let left = fs::read_dir(place.path("")).expect("folder").map(|entry| entry.expect("entry"));
    let left = left.filter(|entry| entry.file_name() != "gmon.out.full");
    assert_eq!(left.count(), 4, "the sources, two programs and a profile");
}

#[test]
fn a_program_that_becomes_another_has_its_part() {
    let place = workplace();
    let (status, said) = run(&place, &["./two", "30", "exec", "./one", "4", "exec", "./one"]);
    assert_eq!(status, Some(3), "{said}");
    assert!(said.starts_with("3 processes of 2 programs: "), "{said}");
    assert_eq!((calls(&said, "two"), calls(&said, "one")), (30, 4));
    assert_eq!(place.calls("one", "work"), 4);
    assert!(said.contains("gmon gprof two gmon.out.two\n"), "{said}");
    // There is a profile, but of another program.
    let (status, said) = run(&place, &["./one", "7", "exec", "/bin/true"]);
    assert!(status == Some(0) && !said.contains("no profile"), "{said}");
    assert_eq!(calls(&said, "one"), 7);
    assert_eq!(place.calls("one", "work"), 7);
}

#[test]
fn programs_of_one_name_have_files_of_their_own() {
    let place = workplace();
    for (folder, program) in [("a", "one"), ("b", "two")] {
        fs::create_dir(place.path(folder)).expect("a folder");
        fs::copy(place.path(program), place.path(folder).join("tool")).expect("a copy");
    }
    let command = "a/tool 3; b/tool 20; a/tool 500; ./one 9";
    let (_, said) = run(&place, &["--html", "page.html", "sh", "-c", command]);
    assert_eq!((calls(&said, "a/tool"), calls(&said, "b/tool")), (503, 20), "{said}");
    place.must("cp gmon.out.tool gmon.out");
    assert_eq!(place.calls("a/tool", "work"), 503);
    place.must("cp gmon.out.tool.2 gmon.out");
    assert_eq!(place.calls("b/tool", "work"), 20);
    let pages = ["page.html", "page-tool.html", "page-tool-2.html", "page-one.html"];
    assert_eq!(pages.iter().filter(|page| place.exists(page)).count(), 3, "{said}");
    assert_eq!(said.matches("page     page").count(), 3, "{said}");
}

#[test]
fn any_command_line_is_run() {
    let place = workplace();
    let (status, said) = run(&place, &["sh", "-c", "./one 3; ./two 20 & ./one 500; wait; exit 6"]);
    assert_eq!(status, Some(6), "{said}");
    // The shell may fork before it runs a program in the background.
    assert!(said.contains(" processes of 3 programs: "), "{said}");
    assert_eq!((calls(&said, "one"), calls(&said, "two")), (503, 20));
    assert!(place.exists("gmon.out.one") && place.exists("gmon.out.two"), "{said}");

    place.write_executable("script", "#!/bin/sh\ncd /\n\"$OLDPWD\"/two 9\n\"$OLDPWD\"/two 8\n");
    let (status, said) = run(&place, &["./script"]);
    assert_eq!((status, calls(&said, "two"), place.calls("two", "work")), (Some(0), 17, 17));
    if tools::find("make").is_some() {
        place.write("Makefile", "all: a b c\na b c:\n\t@./one 100\n");
        let (status, said) = run(&place, &["make", "-s", "-j2"]);
        assert_eq!((status, calls(&said, "one")), (Some(0), 300), "{said}");
    }
}

#[test]
fn processes_that_outlive_the_program_are_waited_for() {
    let place = workplace();
    for step in ["leave", "daemon"] {
        let (status, said) = run(&place, &["./one", "3", step, "sleep", "40"]);
        assert_eq!((status, calls(&said, "one")), (Some(0), 43), "{step}: {said}");
    }
    let (status, said) = run(&place, &["--no-children", "./one", "3", "leave", "sleep", "40"]);
    assert_eq!((status, calls(&said, "one")), (Some(0), 3), "{said}");
}

/// musl forks twice; the process in between does nothing.
#[test]
fn a_daemon_of_any_c_library_is_two_processes() {
    let place = workplace();
    let mut compilers = vec!["cc", "cc -static"];
    if tools::find(MUSL.c).is_some() {
        compilers.extend(["musl-gcc", "musl-gcc -static"]);
    }
    for compiler in compilers {
        place.gmon(&format!("cc {compiler} -O2 steps.c -o one")).assert().success();
        let (status, said) = run(&place, &["./one", "3", "daemon", "40"]);
        assert_eq!((status, calls(&said, "one")), (Some(0), 43), "{compiler}: {said}");
        assert!(said.contains("2 processes of 1 program: "), "{compiler}: {said}");
        assert!(!said.contains("no profile"), "{compiler}: {said}");
    }
}

#[test]
fn an_interruption_ends_the_wait_for_a_daemon() {
    let place = workplace();
    let mut child = Command::new(GMON)
        .args(["run", "--report", "summary", "./one", "3", "daemon", "40", "spin"])
        .current_dir(place.path(""))
        .env("XDG_CACHE_HOME", place.path("cache"))
        .env_remove("GMON_OPTIONS")
        .stderr(Stdio::piped())
        .spawn()
        .expect("gmon run");
    // The word that it waits names the daemon.
    let mut said = String::new();
    let mut stderr = std::io::BufReader::new(child.stderr.take().expect("pipe"));
    std::io::BufRead::read_line(&mut stderr, &mut said).expect("a line");
    let daemon = said.split("still runs: ").nth(1).and_then(|rest| rest.split('.').next());
    let daemon: i32 = daemon.and_then(|id| id.parse().ok()).unwrap_or_else(|| panic!("{said}"));
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("interrupt");
    assert_eq!(child.wait().expect("end").code(), Some(0));
    kill(Pid::from_raw(daemon), Signal::SIGKILL).expect("the daemon");
    assert_eq!(calls(&place.read("summary"), "one"), 3);
}

#[test]
fn a_killed_process_is_reported() {
    let place = workplace();
    let (status, said) = run(&place, &["./one", "3", "fork", "40", "kill"]);
    assert_eq!((status, calls(&said, "one")), (Some(0), 3), "{said}");
    assert!(said.contains("one, no profile\n"), "{said}");
    assert!(said.contains("1 process ended without a profile: killed"), "{said}");
    let live = |command: &mut Command| {
        command.env("GMON_OPTIONS", "live=kept.%p").output().expect("gmon run").stderr
    };
    let said = live(place.gmon("run").args(["./one", "3", "fork", "40", "kill"]));
    let said = String::from_utf8(said).expect("UTF-8");
    assert_eq!(calls(&said, "one"), 43, "{said}");
}

#[test]
fn processes_are_chosen() {
    let place = workplace();
    let command = "./one 3; ./two 20";
    for (option, chosen, other) in
        [("--child=one", "one: ", "two: "), ("--child=two", "two: ", "one: ")]
    {
        let (_, said) = run(&place, &[option, "sh", "-c", command]);
        assert!(said.contains(chosen) && !said.contains(other), "{said}");
    }
    let (_, said) = run(&place, &["--no-children", "./one", "3", "fork", "40"]);
    assert_eq!((calls(&said, "one"), place.calls("one", "work")), (3, 3));
    let (status, said) = run(&place, &["--child", "three", "sh", "-c", command]);
    assert_eq!(status, Some(0), "{said}");
    let named = "no process that --child or --no-children leaves was profiled; processes of the run are called sh, ";
    assert!(said.contains(named) && said.contains("one, two\n"), "{said}");
    // A program has many names.
    place.must("ln -s one link");
    for (name, number) in [("link", 3), ("one", 23)] {
        let options = ["-d", "data", "--child", name, "sh", "-c", "./link 3; ./one 20"];
        let (_, said) = run(&place, &options);
        assert_eq!(calls(&said, "one"), number, "{name}: {said}");
    }
    place.gmon("report data --child link").assert().success().stdout(contains("4 calls of"));
    place.gmon("run --child one --no-children ./one").assert().code(2);
}

#[test]
fn profiles_go_where_the_user_says() {
    let place = workplace();
    let (_, said) = run(&place, &["-o", "data/../p.out", "./one", "5", "fork", "70"]);
    assert!(said.contains("cannot make data/../p.out"), "{said}");
    let (_, said) = run(&place, &["-o", "p.out", "./one", "5", "fork", "70"]);
    assert!(calls(&said, "one") == 75 && said.contains("profile  p.out\n"), "{said}");
    assert!(!place.exists("gmon.out"));

    let steps = ["-d", "data/all", "./two", "5", "fork", "70", "exec", "./one", "2"];
    for _ in 0..2 {
        let (_, said) = run(&place, &steps);
        assert_eq!((calls(&said, "two"), calls(&said, "one")), (75, 2), "{said}");
        // Each process has a file of its own, and those of the run before are gone.
        let files = fs::read_dir(place.path("data/all")).expect("folder");
        let mut names: Vec<_> = files
            .map(|file| file.expect("file").file_name().into_string().expect("name"))
            .collect();
        names.retain(|name| !name.ends_with(".full"));
        names.sort();
        assert_eq!(names.len(), 4, "{names:?}");
        assert!(names[0].starts_with("one.") && names[1] == "processes", "{names:?}");
    }
    let (_, said) =
        run(&place, &["-d", "again", "./one", "5", "exec", "./one", "7", "exec", "./one", "9"]);
    assert_eq!(calls(&said, "one"), 21, "{said}");
    // Nobody has to read of all programs.
    let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().expect("a reader");
    let pipe = reader.stdin.take().expect("a pipe");
    reader.wait().expect("an end");
    let output = place.gmon("report data/all").stdout(pipe).output().expect("gmon");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");

    place.must("mkfifo pipe");
    let run = place.gmon("run -o pipe ./one 5").assert().code(1).stdout("");
    run.stderr("gmon: pipe: a pipe; -o names a file, of which the summary is made\n");
    // What was the meaning of -o.
    let run = place.gmon("run -o one steps.c").assert().code(1);
    run.stderr(contains("one is a program; -o names the file for the profile, and --program"));
}

/// A device takes what nobody wants, and nothing is made beside it.
#[test]
fn nothing_lies_beside_a_device() {
    let place = workplace();
    fs::create_dir(place.path("devices")).expect("a folder");
    std::os::unix::fs::symlink("/dev/null", place.path("devices/null")).expect("a link");
    place.must("touch -d 2000-01-01 devices");
    let changed = || fs::metadata(place.path("devices")).expect("it").modified().expect("a time");
    let before = changed();
    for options in [&["--rate", "10000"][..], &["--no-stacks"]] {
        let command = ["-o", "devices/null", "sh", "-c", "./one 3; ./two 20; ./one 100000000"];
        let (status, said) = run(&place, &[options, &command].concat());
        assert_eq!((status, calls(&said, "one"), calls(&said, "two")), (Some(0), 100_000_003, 20));
        assert_eq!(changed(), before, "{said}");
    }
    assert_eq!(place.read("devices/null"), "");
}

#[test]
fn a_name_of_the_users_holds_for_all_processes() {
    let place = workplace();
    let command = "./one 3; ./two 20";
    let output =
        place.gmon("run sh -c").arg(command).env("GMON_OPTIONS", "out=%e.profile").output();
    let said = String::from_utf8(output.expect("gmon run").stderr).expect("UTF-8");
    // None of them is the process that was started itself.
    assert!(said.contains("gmon gprof one one.profile."), "{said}");
    assert!(
        said.contains("gmon gprof two two.profile.") && !place.exists("gmon.out.one"),
        "{said}"
    );
}

#[test]
fn a_root_that_changes_and_rights_that_are_given_up_lose_nothing() {
    if !nix::unistd::geteuid().is_root() {
        return tools::skip_anywhere("only root can change its root");
    }
    let place = Workplace::new();
    place.write(
        "jail.c",
        "#define _GNU_SOURCE\n#include <sys/wait.h>\n#include <unistd.h>\n\
         __attribute__((noipa)) void work(void) { __asm__ volatile(\"\"); }\n\
         int main(int argc, char **argv) { work(); if (fork()) { wait(0); return 0; }\n\
         if (argc > 1 && (chroot(argv[1]) || chdir(\"/\"))) return 8;\n\
         if (setgid(65534) || setuid(65534)) return 9; work(); work(); return 0; }\n",
    );
    place.gmon("cc cc -O2 jail.c -o jail").assert().success();
    let (status, said) = run(&place, &["./jail"]);
    assert_eq!((status, calls(&said, "jail")), (Some(0), 3), "{said}");
    // What a process wrote below another root is found by its user alone.
    fs::create_dir(place.path("cell")).expect("a folder");
    fs::set_permissions(place.path("cell"), fs::Permissions::from_mode(0o777)).expect("rights");
    let (status, said) = run(&place, &["./jail", "cell"]);
    assert_eq!((status, calls(&said, "jail")), (Some(0), 1), "{said}");
    assert!(said.contains("(chroot), the file is below that"), "{said}");
    let mut cell = fs::read_dir(place.path("cell")).expect("a folder");
    let file = cell.next().expect("a profile").expect("a file").path();
    place.must(&format!("mv {} gmon.out", file.display()));
    assert_eq!(place.calls("jail", "work"), 2);
}

#[test]
fn rows_add_up_to_the_time_of_the_processes() {
    let place = Workplace::new();
    place.write(
        "busy.c",
        "#include <fcntl.h>\n#include <unistd.h>\n\
         __attribute__((noipa)) void empty(void) {}\n\
         int main(void) { for (long n = 0; n < 100000000; n++) empty();\n\
         char page[65536]; int zero = open(\"/dev/zero\", O_RDONLY);\n\
         for (int n = 0; n < 200000; n++) if (read(zero, page, sizeof page) < 0) return 1;\n\
         return 0; }\n",
    );
    for how in ["gmon cc cc -O2 busy.c -o busy", "cc -O2 -pg busy.c -o busy"] {
        match how.strip_prefix("gmon ") {
            Some(arguments) => _ = place.gmon(arguments).assert().success(),
            None => place.must(how),
        }
        for (options, outside) in [
            (&["--no-stacks"][..], &["[profiling hooks]", "[other modules and kernel]"][..]),
            (&[], &["[profiling hooks]"]),
        ] {
            let (_, said) = run(&place, &[options, &["./busy"]].concat());
            let all = said.split("busy: ").nth(1).and_then(|rest| rest.split(' ').next());
            let all: f64 = all.and_then(|all| all.parse().ok()).unwrap_or_else(|| panic!("{said}"));
            let rows = summary::rows(&said);
            let sum: f64 = rows.iter().map(|row| row.number("self").expect("a time")).sum();
            assert!((sum - all).abs() < 0.1, "{sum} of {all}:\n{said}");
            for name in outside {
                assert!(said.contains(name), "{name}:\n{said}");
            }
        }
    }
}

/// The part of a process after its last look is counted once, by whoever counts it.
#[test]
fn short_processes_have_the_time_that_they_used() {
    let place = Workplace::new();
    place.write(
        "spin.c",
        "#include <time.h>\nint main(void) {\n  clock_t end = clock() + CLOCKS_PER_SEC / 80;\n\
         while (clock() < end) for (volatile int n = 0; n < 1000; n++) ;\n  return 0;\n}\n",
    );
    place.must("cc -O1 spin.c -o spin");
    // At 100 a second most have one sample, and some have two.
    for (rate, fair) in [(1_000, 0.9..1.1), (100, 0.7..1.4)] {
        let (used, samples, data) = short_processes(&place, rate);
        let report = place.gmon("report ./spin").arg(&data).output().expect("gmon report");
        let is_exact = String::from_utf8_lossy(&report.stdout).contains("perf task-clock");
        if rate == 1_000 && !is_exact {
            // On a busy machine turns of processes begin and end with ticks.
            tools::skip_anywhere("the kernel grants no exact clock: looks come at its ticks");
            continue;
        }
        let ratio = samples as f64 * 1e9 / f64::from(rate) / used as f64;
        assert!(fair.contains(&ratio), "{rate} Hz: {samples} samples, {used} ns");
    }
}

/// Runs many short processes: their CPU time in nanoseconds, their samples, and a data file.
fn short_processes(place: &Workplace, rate: u32) -> (i64, i64, String) {
    let script = "n=0; while [ $n -lt 60 ]; do ./spin; n=$((n + 1)); done";
    run(place, &["--rate", &rate.to_string(), "-d", "data", "sh", "-c", script]);
    let (mut used, mut samples, mut data) = (0, 0, String::new());
    for line in place.read("data/processes").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<i64>().expect("a number");
        match words[..] {
            ["begin", .., "spin"] => used -= number(2),
            ["end", .., file] if file.contains("/spin.") => {
                used += number(2);
                samples += number(4) + number(5) + number(6);
                file.clone_into(&mut data);
            }
            _ => {}
        }
    }
    (used, samples, data)
}

/// Such a child runs no fork handlers of the C library, so the runtime notices it late.
#[test]
fn a_child_of_a_system_call_has_its_own_cpu_time() {
    let place = Workplace::new();
    place.write(
        "raw.c",
        "#define _GNU_SOURCE\n#include <signal.h>\n#include <sys/syscall.h>\n#include <sys/wait.h>\n#include <time.h>\n\
         #include <unistd.h>\n\
         int main(void) {\n  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);\n\
         while (child == 0 && clock() < CLOCKS_PER_SEC / 5) ;\n\
         if (child == 0) _exit(3);\n  waitpid((pid_t)child, 0, 0);\n  return 0;\n}\n",
    );
    place.must("cc -O2 raw.c -o raw");
    let (_, said) = run(&place, &["./raw"]);
    let rows = said.lines().filter(|line| line.contains("  raw, "));
    let times = rows.filter_map(|line| line.split_whitespace().nth(2)?.parse::<f64>().ok());
    assert!(times.clone().count() == 2 && times.fold(0.0, f64::max) >= 0.18, "{said}");
}

//! Several runs: `gmon run --runs`, and `gmon diff` of both sides by turns.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use assert_cmd::prelude::*;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use support::{command::said, workplace::Workplace};

use super::diff;

/// Counts its runs in a file, and calls `work` as often as its first argument says; ends with the second.
const PROGRAM: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    volatile unsigned long sum;
    __attribute__((noinline)) void work(int n) { for (int i = 0; i < n; i++) sum += i; }
    int main(int argc, char **argv)
    {
        FILE *runs = fopen("runs", "a");
        fputs(argc > 3 ? argv[3] : "r", runs);
        fclose(runs);
        for (int i = 0; i < atoi(argv[1]); i++)
            work(1000000);
        puts("done");
        return argc > 2 ? atoi(argv[2]) : 0;
    }
"#;

fn with_program() -> Workplace {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.gmon("cc gcc -O1 -g prog.c -o prog").assert().success();
    place
}

/// The program ends well, as servers do that are asked to end.
#[test]
fn a_request_to_end_is_for_all_runs() {
    let place = Workplace::new();
    place.write(
        "polite.c",
        "#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n\
         static volatile sig_atomic_t ends;\nstatic void end(int n) { ends = n; }\n\
         int main(void) { signal(SIGTERM, end); puts(\"ready\"); fflush(stdout);\n\
         while (!ends) usleep(1000); return 0; }\n",
    );
    place.gmon("cc gcc -O1 -g polite.c -o polite").assert().success();
    let mut command = place.gmon("run --runs 3 ./polite");
    let mut running = command.stdout(Stdio::piped()).spawn().expect("gmon");
    let mut lines = BufReader::new(running.stdout.take().expect("a pipe")).lines();
    assert_eq!(lines.next().expect("a line").expect("text"), "ready");
    kill(Pid::from_raw(running.id() as i32), Signal::SIGTERM).expect("a process of ours");
    assert!(lines.next().is_none(), "another run");
    assert_eq!(running.wait().expect("an end").signal(), Some(Signal::SIGTERM as i32));
}

/// Below `nohup` the end of a terminal asks for nothing.
#[test]
fn a_signal_that_is_ignored_ends_no_series() {
    let place = Workplace::new();
    place.write(
        "slow.c",
        "#include <stdio.h>\n#include <unistd.h>\n\
         int main(void) { puts(\"ready\"); fflush(stdout); usleep(500000); return 0; }\n",
    );
    place.gmon("cc gcc -O1 -g slow.c -o slow").assert().success();
    let mut shell = place.command("sh");
    shell.args(["-c", &format!("trap '' HUP; exec {} run --runs 2 ./slow", crate::GMON)]);
    let mut running = shell.stdout(Stdio::piped()).spawn().expect("gmon");
    let mut lines = BufReader::new(running.stdout.take().expect("a pipe")).lines();
    assert_eq!(lines.next().expect("a line").expect("text"), "ready");
    kill(Pid::from_raw(running.id() as i32), Signal::SIGHUP).expect("a process of ours");
    assert_eq!(lines.next().expect("another run").expect("text"), "ready");
    assert_eq!(running.wait().expect("an end").code(), Some(0));
}

/// The sentence above the table names the clock.
#[test]
fn a_series_on_the_wall_is_of_that_time() {
    let place = with_program();
    for (options, clock) in [("", "CPU time"), ("--wall", "time on the wall")] {
        let output = place.gmon(&format!("run {options} --runs 2 ./prog 300")).output();
        let text = said(&output.expect("gmon"));
        assert!(text.lines().next().is_some_and(|it| it.contains(clock)), "{text}");
    }
}

#[test]
fn each_run_keeps_its_profile() {
    let place = with_program();
    place.write("gmon.runs/run-77.json.gz", "of an earlier series");
    place.write("gmon.runs/mine.txt", "not ours");
    let output = place.gmon("run --runs 3 --warmup 2 ./prog 20").output().expect("gmon");
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n".repeat(5));
    assert_eq!(place.read("runs"), "rrrrr");
    assert!(text.starts_with("./prog: 3 runs, each "), "{text}");
    let row = text.lines().find(|line| line.ends_with("  work")).expect("a row");
    assert_eq!(row.split_whitespace().nth(3), Some("20"), "{text}");
    assert!(text.contains("profiles gmon.runs\n"), "{text}");
    let folder = std::fs::read_dir(place.path("gmon.runs")).expect("a folder");
    let mut names: Vec<_> =
        folder.map(|it| it.expect("a file").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    assert_eq!(names, ["mine.txt", "run-01.json.gz", "run-02.json.gz", "run-03.json.gz"]);
    assert!(!place.exists("gmon.out"));
    // The words of a program can be secrets.
    let mode = std::fs::metadata(place.path("gmon.runs/run-01.json.gz"))
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    // A folder is a side.
    place.gmon("run --runs 3 -d other ./prog 21").assert().success();
    let (code, text, _) = diff(&place, "gmon.runs other --fail-on calls(work):+0");
    assert_eq!(code, Some(3), "{text}");
    assert!(
        text.contains("work was called 20 → 21 times (+1); by main 20 → 21 times (+1)"),
        "{text}"
    );
    assert!(
        text.contains("base ./prog, 3 runs at 1000 Hz; new ./prog, 3 runs at 1000 Hz"),
        "{text}"
    );
}

#[test]
fn a_series_ends_as_its_first_failure() {
    let place = with_program();
    let output = place.gmon("run --runs 2 ./prog 1 7").output().expect("gmon");
    assert_eq!(output.status.code(), Some(7), "{}", said(&output));
    assert!(
        said(&output).contains("gmon: run 1 of 2 failed; the others go on\n"),
        "{}",
        said(&output)
    );
    let killed =
        place.gmon("run --runs 2").args(["sh", "-c", "kill -9 $$"]).output().expect("gmon");
    assert_eq!(killed.status.code(), Some(128 + 9), "{}", said(&killed));
    assert!(
        said(&killed).contains("run 1 of 2: ") && said(&killed).contains("SIGKILL"),
        "{}",
        said(&killed)
    );
    for words in ["run --runs 0 ./prog 1", "run --warmup 2 ./prog 1", "run --runs 2 -o x ./prog 1"]
    {
        place.gmon(words).assert().code(2).stdout("");
    }
}

/// All but the first would find it read, and be compared with that.
#[test]
fn each_run_reads_the_whole_standard_input() {
    let place = Workplace::new();
    place.write("in.txt", "first\nx\ny\nz\n");
    place.write(
        "count.c",
        "#include <stdio.h>\n__attribute__((noinline)) int seen(int c) { return c == '\\n'; }\n\
         int main(void) { int lines = 0, c; while ((c = getchar()) != EOF) lines += seen(c); printf(\"%d\\n\", lines); }\n",
    );
    place.gmon("cc gcc -O1 -g count.c -o count").assert().success();
    let gmon = crate::GMON;
    for (command, printed) in [
        ("run --runs 3 --warmup 1 ./count < in.txt", Some("4\n4\n4\n4\n")),
        // From where it was.
        ("run --runs 2 ./count; } < in.txt", Some("3\n3\n")),
        ("diff --base-run ./count --new-run ./count --runs 2 --fail-on calls:+0 < in.txt", None),
    ] {
        let before = if command.contains('}') { "{ read line; " } else { "" };
        let mut shell = place.command("sh");
        let output = shell.args(["-c", &format!("{before}{gmon} {command}")]).output();
        let output = output.expect("a shell");
        assert_eq!(output.status.code(), Some(0), "{command}: {}", said(&output));
        let text = String::from_utf8_lossy(&output.stdout);
        match printed {
            Some(printed) => assert_eq!(text, printed, "{command}"),
            None => assert!(text.contains("all calls equal"), "{text}"),
        }
    }
    let mut shell = place.command("sh");
    shell.args(["-c", &format!("cat in.txt | {{ sleep 1; {gmon} run --runs 2 ./count; }}")]);
    shell.assert().code(1).stderr(contains("the standard input is a pipe"));
    // Nobody writes to this one.
    let mut shell = place.command("sh");
    shell.args(["-c", &format!(": | {gmon} run --runs 2 ./count")]);
    shell.assert().success().stdout("0\n0\n");
}

#[test]
fn both_sides_run_by_turns() {
    let place = with_program();
    let command = |new: &str, limit: &str| {
        let mut command = place.gmon("diff --runs 3 --warmup 1 -d kept --no-stacks");
        command.args(["--base-run", "./prog 20 0 b", "--new-run", new, "--fail-on", limit]);
        command
    };
    command("./prog 20 0 n", "calls:+0")
        .assert()
        .success()
        .stdout(contains("all calls equal").and(contains("done").not()));
    assert_eq!(place.read("runs"), "bnnbbnnb");
    // A shell where one is needed.
    let assert = command("N=21; ./prog $N 0 n", "calls:+0").assert().code(3);
    assert.stdout(contains("work was called 20 → 21 times (+1)"));
    let (code, text, _) = diff(&place, "kept/base kept/new --fail-on calls:+0");
    assert_eq!(code, Some(3), "{text}");
    command("./prog 20 1 n", "calls:+0")
        .assert()
        .code(1)
        .stderr(contains("failed, so nothing is compared"));
    command("./no-such-program", "calls:+0").assert().code(1).stderr(contains("no-such-program"));
    place.gmon("diff --base-run ./prog --runs 3").assert().code(2);
    place.gmon("diff --runs 3 a b").assert().code(2);
}

/// Several runs fold inlined code and count shares as a single run does.
#[test]
fn several_runs_are_shown_as_one_is() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "volatile unsigned long sum;
        static inline __attribute__((always_inline)) void part(int n) { for (int i = 0; i < n; i++) sum += i; }
        __attribute__((noinline)) void work(int n) { part(n); sum++; }
        int main(void) { for (int i = 0; i < 200; i++) work(1000000); return 0; }
        ",
    );
    place.gmon("cc gcc -O2 -g prog.c -o prog").assert().success();
    let shown = |inlines: &str| {
        let command = format!("run --runs 2 --top 100 --inlines {inlines} ./prog");
        said(&place.gmon(&command).output().expect("gmon"))
    };
    let shares = |text: &str| -> Vec<(String, f64)> {
        let rows = text.lines().skip_while(|line| !line.contains("  function")).skip(1);
        let rows = rows.take_while(|line| line.starts_with(' '));
        let share = |row: &str| {
            let cells: Vec<&str> = row.split_whitespace().collect();
            let share = cells[2].parse::<f64>().unwrap_or_else(|_| panic!("{row}"));
            (cells[4..].join(" "), share)
        };
        rows.map(share).collect()
    };
    for (inlines, is_apart) in [("show", true), ("fold", false), ("large", false)] {
        let text = shown(inlines);
        let shares = shares(&text);
        assert_eq!(shares.iter().any(|(name, _)| name == "part"), is_apart, "{text}");
        let own = shares.iter().filter(|(name, _)| name != "[profiling hooks]");
        let own: f64 = own.map(|(_, share)| share).sum();
        // Each is rounded.
        assert!((own - 100.0).abs() < 0.06 * shares.len() as f64, "{own}: {text}");
    }
}

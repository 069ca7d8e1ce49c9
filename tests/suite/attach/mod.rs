//! Processes that run already: sampled from outside, by `gmon run --pid` and `gmon top`.

mod counts;
mod ends;
mod places;
mod python;
mod refusals;
mod top;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use nix::unistd::Uid;
use support::command::{gmon, go, output_of, said, text_of};
use support::compilers::MUSL;
use support::program::Program;
use support::root;
use support::suite::Suite;
use support::tools::{find, shared_out, skip_anywhere};

const SUITE: Suite = Suite("attach");

/// A program that runs until this is dropped.
struct Target {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Target {
    /// Starts the program, which does what a word says.
    fn start(program: &Program, what: &str) -> Self {
        Self::of(program.command().arg(what))
    }

    /// Starts a program that says when it is ready.
    fn of(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a program");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        Self { child, lines }
    }

    fn id(&self) -> String {
        self.child.id().to_string()
    }

    /// `gmon run --pid` with the process and these words, in the program's folder.
    fn run(&self, program: &Program, words: &str) -> Command {
        let mut command = gmon();
        command.current_dir(program.path("")).args(["run", "--top", "40", "--pid", &self.id()]);
        command.args(words.split_whitespace());
        command
    }

    /// Has the program end, and sees that it ends well.
    fn end(mut self) {
        drop(self.child.stdin.take());
        let status = self.child.wait().expect("an end");
        assert!(status.success(), "{status}");
        assert_eq!(self.lines.lines().count(), 0);
    }
}

/// A command that runs a program as a user without any right.
fn as_nobody(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(program);
    command
}

/// True for root, who can become another user and change the root; else the test is skipped aloud.
fn is_root() -> bool {
    let is_root = Uid::effective().is_root();
    if !is_root {
        skip_anywhere("only root can become another user, or change the root");
    }
    is_root
}

/// What a command says that must succeed.
#[track_caller]
fn told(command: &mut Command) -> String {
    let output = output_of(command);
    let said = said(&output);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    assert!(output.stdout.is_empty(), "{command:?}");
    said
}

/// The seconds of functions in a summary: their own, and with those they called.
fn seconds(summary: &str, function: &str) -> Option<(f64, f64)> {
    let row = summary.lines().find(|line| {
        let name: Vec<&str> = line.split_whitespace().skip(5).collect();
        name.first() == Some(&function) || line.trim_end().ends_with(&format!(" {function}"))
    })?;
    let fields: Vec<&str> = row.split_whitespace().collect();
    let number = |text: &str| text.trim_start_matches('<').parse().ok();
    Some((number(fields[0])?, number(fields[2])?))
}

/// True where processes of the same user can be sampled; else the test is skipped aloud.
pub(crate) fn can_sample() -> bool {
    let level = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    let level: i32 = level.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(4);
    // This process, so rarely that there is no sample.
    let mut command = gmon();
    command.args(["run", "--for", "10ms", "--rate", "1", "--no-children", "--pid"]);
    let output = output_of(command.arg(std::process::id().to_string()));
    let said = said(&output);
    let is_refused = said.contains("cannot be sampled");
    if is_refused {
        skip_anywhere(format!("performance events are refused here (level {level}): {said}"));
    }
    !is_refused
}

#[test]
fn stacks_of_all_threads_are_measured() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "threads");
    let summary = told(&mut target.run(&program, "--for 2s"));
    target.end();
    // Half of the time or more in each of two threads, one of which is always another.
    let (_, stays) = seconds(&summary, "outer").unwrap_or_else(|| panic!("{summary}"));
    let (_, brief) = seconds(&summary, "brief_work").unwrap_or_else(|| panic!("{summary}"));
    assert!(stays > 0.0 && brief > 0.0, "{summary}");
    let (_, middle) = seconds(&summary, "middle").unwrap_or_else(|| panic!("{summary}"));
    assert!((stays - middle).abs() < 0.1 * stays + 0.05, "{summary}");
    assert!(summary.contains("; all followed to their start"), "{summary}");
    assert!(summary.contains("stays"), "{summary}");
    // All that reads profiles reads this one.
    let executable = &program.executable;
    let data = program.path("gmon.out");
    let read = |words: &str| {
        let mut command = gmon();
        let words = words.split_whitespace();
        text_of(command.args(words).arg(executable).arg(&data))
    };
    let calls = read("report --calls=inner");
    assert!(calls.contains("middle") && calls.contains("burn"), "{calls}");
    let threads = read("report --threads");
    assert!(threads.contains("stays"), "{threads}");
    let folded = read("export --format folded");
    assert!(folded.contains("outer;middle;inner;burn "), "{folded}");
    let flat = read("gprof -b -p");
    assert!(flat.contains("burn"), "{flat}");
    // The last second is about half of it.
    let last = read("report --last 1s");
    assert!(last.contains("outer") && last.contains(" of "), "{last}");
    let json = program.path("profile.json");
    text_of(gmon().arg("export").arg(executable).arg(&data).arg("-o").arg(&json));
    let same = text_of(gmon().arg("diff").arg(&json).arg(&json));
    assert!(same.contains("no change of time shown"), "{same}");
}

#[test]
fn kernel_and_user_time_add_up_to_cpu_time() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    // The second is hardly ever seen anywhere else, and mostly has no sample.
    for (mode, words) in [("kernel", "--for 2s"), ("kernel-only", "--for 1s --rate 20")] {
        let target = Target::start(&program, mode);
        let summary = told(&mut target.run(&program, words));
        target.end();
        let first = summary.split_whitespace().nth(1).and_then(|word| word.parse::<f64>().ok());
        let used = first.unwrap_or_else(|| panic!("{summary}"));
        let (kernel, _) = seconds(&summary, "[kernel]").unwrap_or_else(|| panic!("{summary}"));
        assert!(kernel > 0.5 * used, "{mode}: {summary}");
        assert!(!summary.contains("[not sampled]"), "{mode}: {summary}");
    }
}

/// Its first thread may have ended; and a thread that is not the first is no process.
#[test]
fn processes_live_on_without_their_first_thread() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("leaderless.c");
    let mut child = program.command().stdin(Stdio::piped()).spawn().expect("a program");
    let tasks = format!("/proc/{}/task", child.id());
    let threads = || {
        let entries = fs::read_dir(&tasks).expect("its threads").flatten();
        entries.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok()).collect::<Vec<_>>()
    };
    let is_over = || fs::read_link(format!("/proc/{}/exe", child.id())).is_err();
    while !is_over() {
        std::thread::yield_now();
    }
    let gmon_in = |words: &str| {
        let mut command = gmon();
        command.current_dir(program.path("")).args(words.split_whitespace());
        command
    };
    let summary = told(&mut gmon_in(&format!("run --for 0.5s --pid {}", child.id())));
    assert!(seconds(&summary, "work").is_some_and(|it| it.0 > 0.0), "{summary}");
    let top = text_of(&mut gmon_in(&format!("top --once {}", child.id())));
    assert!(top.lines().any(|line| line.ends_with("  work")), "{top}");
    let other = threads().into_iter().find(|id| *id != child.id()).expect("another thread");
    let refused = output_of(&mut gmon_in(&format!("run --for 0.1s --pid {other}")));
    let why = format!("{other} is a thread of process {}", child.id());
    assert!(!refused.status.success() && said(&refused).contains(&why), "{}", said(&refused));
    drop(child.stdin.take());
    assert!(child.wait().expect("its end").success());
}

#[test]
fn children_are_sampled_unless_they_are_not_wanted() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    for (words, has_child) in [("--for 2s", true), ("--for 2s --no-children", false)] {
        let target = Target::start(&program, "children");
        let output = output_of(&mut target.run(&program, words));
        target.end();
        let summary = said(&output);
        // What only waits for others has no sample.
        assert!(output.status.success() || !has_child, "{summary}");
        // One that was there, and those that come.
        assert_eq!(seconds(&summary, "child_work").is_some(), has_child, "{summary}");
        assert_eq!(seconds(&summary, "young_work").is_some(), has_child, "{summary}");
    }
}

#[test]
fn programs_that_become_others_are_told_apart() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "exec");
    // However slow the machine is, it is seen before and after.
    let id = target.id();
    let script = format!(
        "sleep 1; echo > /proc/{id}/fd/0; until grep -q exec-second /proc/{id}/cmdline; do sleep 0.1; done; sleep 1"
    );
    let summary = told(target.run(&program, "--").args(["sh", "-c", &script]));
    target.end();
    for function in ["first_work", "second_work"] {
        assert!(seconds(&summary, function).is_some(), "{function}: {summary}");
    }
    assert!(summary.contains("in 2 processes"), "{summary}");
}

#[test]
fn removed_and_static_programs_have_names() {
    if !can_sample() {
        return;
    }
    let links = [&[][..], &["-static"], &["-Wl,--build-id=none"]];
    for &flags in shared_out(&links, "ways to link") {
        let program =
            SUITE.build_by(support::compilers::GCC, "life.c", &support::modes::NO_PROFILE, flags);
        let target = Target::start(&program, "threads");
        let is_removed = flags.is_empty();
        if is_removed {
            fs::remove_file(&program.executable).expect("a file");
        }
        let summary = told(&mut target.run(&program, "--for 1s"));
        target.end();
        assert!(seconds(&summary, "outer").is_some(), "{flags:?}: {summary}");
        assert!(summary.contains("; all followed to their start"), "{flags:?}: {summary}");
    }
}

/// Their threads begin in code without rules.
#[test]
fn threads_of_musl_are_followed_to_their_start() {
    if !can_sample() || !MUSL.is_installed_for(Path::new("life.c")) {
        return;
    }
    for flags in [&["-static"][..], &[]] {
        let program = SUITE.build_by(MUSL, "life.c", &support::modes::NO_PROFILE, flags);
        let target = Target::start(&program, "threads");
        let summary = told(&mut target.run(&program, "--for 1s"));
        target.end();
        assert!(seconds(&summary, "outer").is_some(), "{flags:?}: {summary}");
        // Functions of musl have no rules, and a thread that begins or ends may be in one of them.
        assert!(incomplete(&summary) < 1.0, "{flags:?}: {summary}");
    }
}

/// Functions of musl have no rules, and those that sort have an array in their frames.
#[test]
fn stacks_go_on_behind_arrays_where_there_are_no_rules() {
    if !can_sample() || !MUSL.is_installed_for(Path::new("life.c")) {
        return;
    }
    let program = SUITE.build_by(MUSL, "life.c", &support::modes::NO_PROFILE, &["-static", "-O2"]);
    let target = Target::start(&program, "sorting");
    let summary = told(&mut target.run(&program, "--for 1s"));
    target.end();
    assert!(seconds(&summary, "compare").is_some(), "{summary}");
    assert!(incomplete(&summary) < 3.0, "{summary}");
}

/// The percentage of stacks that were not followed to their start.
fn incomplete(summary: &str) -> f64 {
    let line = summary.lines().find(|line| line.contains(" looks at the stacks")).expect("looks");
    let lost = line.split("; ").nth(1).and_then(|rest| rest.split_once(" %")?.0.parse().ok());
    lost.unwrap_or(0.0)
}

/// Goroutines have stacks of their own, and a first function that nobody has called.
#[test]
fn goroutines_are_followed_to_their_start() {
    if !can_sample() {
        return;
    }
    if find("go").is_none() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let executable = program.path("goroutine");
    let source = root().join("tests/suite/attach/go.go");
    let built = output_of(go().arg("build").arg("-o").arg(&executable).arg(source));
    assert!(built.status.success(), "{built:?}");
    let target = Target::of(&mut Command::new(&executable));
    let summary = told(&mut target.run(&program, "--for 1s"));
    target.end();
    assert!(seconds(&summary, "main.inner").is_some(), "{summary}");
    assert!(incomplete(&summary) < 10.0, "{summary}");
}

/// Stacks are read from the process where they go on beyond the copy.
#[test]
fn long_stacks_are_followed_to_their_start() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    for (what, function) in [("large", "large_frame"), ("deep", "deep")] {
        let target = Target::start(&program, what);
        let summary = told(&mut target.run(&program, "--for 1s"));
        target.end();
        assert!(seconds(&summary, "inner").is_some(), "{summary}");
        assert!(seconds(&summary, function).is_some(), "{summary}");
        assert!(incomplete(&summary) < 1.0, "{what}: {summary}");
    }
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

//! `gmon ctl`: a running program is switched on and off, its counts set to zero, and each is exact.

use std::{
    fs,
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
};

use assert_cmd::prelude::*;
use nix::unistd::Uid;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use super::{SUITE, steps::LIVE};
use support::{
    command::{gmon, output_of, quiet, said, text_of},
    executable,
    program::Program,
    tools::{find, rounds, shared_out, skip_anywhere},
};

/// Threads that call all the time. Each may be between its two counts at any moment.
pub(crate) const THREADS: u64 = 4;

/// A program that runs.
pub(crate) struct Running<'p> {
    program: &'p Program,
    pub(crate) child: Child,
}

impl<'p> Running<'p> {
    pub(crate) fn start(program: &'p Program, threads: u64, options: &str) -> Self {
        program.clear();
        Self::start_as(program, program.command(), threads, options)
    }

    /// Starts the program by a command of its own.
    fn start_as(program: &'p Program, mut command: Command, threads: u64, options: &str) -> Self {
        command.env("GMON_OPTIONS", format!("live={LIVE}{options}")).arg(threads.to_string());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a program");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("a pipe");
        std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line).expect("a line");
        assert_eq!(line, "ready\n");
        Self { program, child }
    }

    /// `gmon ctl` with the process and these words.
    pub(crate) fn ctl(&self, words: &str) -> Command {
        let mut command = gmon();
        command.arg("ctl").arg(self.child.id().to_string()).args(words.split(' '));
        command.current_dir(self.program.path(""));
        command
    }

    /// Has the program do something, however long it waits for a processor.
    #[track_caller]
    pub(crate) fn must(&self, word: &str) {
        let said = text_of(&mut self.ctl(&format!("{word} --wait 100")));
        let first = word.split(' ').next().unwrap_or(word);
        assert!(said.starts_with(&format!("program ({}): {first}", self.child.id())), "{said}");
    }

    /// Calls by what the program itself has counted.
    pub(crate) fn own(&self) -> u64 {
        let bytes = fs::read(self.program.path("own")).expect("a file");
        let counts =
            bytes.chunks(64).map(|own| own.first_chunk().map_or(0, |n| u64::from_ne_bytes(*n)));
        counts.sum()
    }

    /// Calls by the profile.
    pub(super) fn counted(&self) -> u64 {
        self.calls("work")
    }

    /// Calls of a function by the profile.
    pub(crate) fn calls(&self, name: &str) -> u64 {
        self.program.recovered(LIVE).calls(name)
    }

    /// Lets it end well.
    pub(crate) fn finish(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().expect("an end").success());
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

pub(crate) fn program() -> Program {
    SUITE.build("steered.c", "default", &["-pthread"])
}

/// The number of calls is between the first and the second, but for calls that are just being counted.
#[track_caller]
pub(crate) fn is_between(counted: u64, least: u64, most: u64) {
    assert!(counted + THREADS >= least, "{counted} of at least {least}");
    assert!(counted <= most + THREADS, "{counted} of at most {most}");
}

#[test]
fn a_program_is_found_by_its_name() {
    let program = program();
    program.clear();
    let named = program.path("steered-by-name");
    executable::copy(&program.executable, &named);
    let start = |live: &str| {
        let mut command = Command::new(&named);
        command.current_dir(program.path(""));
        Running::start_as(&program, command, 1, &format!(".{live}"))
    };
    let ctl = |word: &str| {
        let mut command = gmon();
        command.args(["ctl", "steered-by-name", word]).current_dir(program.path(""));
        command.assert()
    };
    let one = start("one");
    ctl("status").success().stdout(contains(format!("steered-by-name ({}): on", one.child.id())));
    let other = start("two");
    let ids = format!("{}", other.child.id());
    ctl("off").code(1).stderr(contains("name one by its number").and(contains(ids)));
    for running in [one, other] {
        running.finish();
    }
    ctl("status").code(1).stderr(contains("no running program is called steered-by-name"));
}

#[test]
fn counts_are_those_of_the_time_when_it_was_on() {
    const ROUNDS: usize = 5;
    const OPTIONS: [&str; 4] = ["", ",sampler=itimer", ",sampler=wall", ",stacks,hz=1000"];
    for options in shared_out(&OPTIONS, "options") {
        let program = program();
        let running = Running::start(&program, THREADS, options);
        for _ in 0..ROUNDS {
            running.must("off");
            let before = running.counted();
            is_between(running.counted(), before, before);
            running.must("reset");
            is_between(running.counted(), 0, 0);

            let on = running.own();
            running.must("on");
            let was_on = running.own();
            let off = running.own();
            running.must("off");
            let was_off = running.own();
            is_between(running.counted(), off - was_on, was_off - on);
        }
        running.must("on");
        running.finish();
    }
}

/// Threads increment their counts without atomic instructions: none may bring back what was there before.
#[test]
fn reset_is_exact_while_threads_call() {
    let program = program();
    let running = Running::start(&program, THREADS, ",hz=1000");
    for _ in 0..rounds(30) {
        let before = running.own();
        running.must("reset");
        let after = running.own();
        let least = running.own();
        let counted = running.counted();
        is_between(counted, least - after, running.own() - before);
    }
    // What is written at the end agrees.
    let before = running.own();
    running.must("reset");
    let after = running.own();
    let program = running.program;
    running.finish();
    let all = fs::read(program.path("own")).expect("a file");
    let all: u64 =
        all.chunks(64).map(|own| u64::from_ne_bytes(*own.first_chunk().expect("8 bytes"))).sum();
    is_between(program.counts("gmon.out").calls("work"), all - after, all - before);
}

#[test]
fn paused_program_counts_from_when_it_is_switched_on() {
    for options in [",paused", ",paused,sampler=wall", ",paused,stacks"] {
        let program = program();
        let running = Running::start(&program, THREADS, options);
        running.ctl("status").assert().success().stdout(contains("): off\ncounted  0 calls"));
        assert_eq!(running.counted(), 0, "{options}");
        let before = running.own();
        running.must("on");
        let after = running.own();
        running.ctl("status").assert().success().stdout(contains("): on, 100 samples a second"));
        let least = running.own();
        is_between(running.counted(), least - after, running.own() - before);
        running.finish();
    }
    // Nobody has switched it on.
    let program = program();
    Running::start(&program, THREADS, ",paused").finish();
    assert_eq!(program.counts("gmon.out").calls("work"), 0);
}

#[test]
fn idle_program_does_what_was_asked_when_it_goes_on() {
    let program = program();
    let mut running = Running::start(&program, 0, "");
    let said = running.ctl("off --wait 0").output().expect("gmon");
    assert!(said.status.success(), "{said:?}");
    let said = String::from_utf8(said.stderr).expect("text");
    assert!(said.ends_with("is idle: off takes effect as soon as it uses CPU time\n"), "{said}");
    // The last request counts.
    running.ctl("on --wait 0").assert().success();
    let mut stdin = running.child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, &[b'x'; 1000]).expect("a reader");
    drop(stdin);
    assert!(running.child.wait().expect("an end").success());
    assert_eq!(program.counts("gmon.out").calls("work"), 1000);
}

#[test]
fn rate_is_another_from_then_on() {
    let program = program();
    let running = Running::start(&program, 1, ",hz=50");
    running.ctl("status").assert().success().stdout(contains("on, 50 samples a second"));
    running.must("rate 500");
    running.ctl("status").assert().success().stdout(contains("on, 500 samples a second"));
    let own = running.own();
    running.must("off");
    running.must("rate 20");
    running.must("on");
    running.ctl("status").assert().success().stdout(contains("on, 20 samples a second"));
    assert!(running.counted() <= running.own() - own + 1);
    running.finish();
}

#[test]
fn snapshot_is_written_and_the_program_goes_on() {
    let program = program();
    let running = Running::start(&program, 1, ",stacks,hz=1000");
    running.must("off");
    running.ctl("snapshot -o now").assert().success().stdout(contains(" of program, process "));
    assert_eq!(program.counts("now").calls("work"), running.counted());
    fs::write(program.path("gmon.out"), "").expect("a file");
    let exists = "gmon.out exists; say -o gmon.out to replace it";
    running.ctl("snapshot").assert().code(1).stderr(contains(exists));
    running.finish();
}

#[test]
fn snapshot_is_of_one_moment() {
    let program = program();
    let running = Running::start(&program, THREADS, ",stacks,hz=1000");
    // Before the first sample there is nothing for a full profile.
    while !program.path("first.full").exists() {
        running.ctl("snapshot -o first").assert().success();
    }
    for name in ["one", "two", "three"] {
        running.ctl(&format!("snapshot -o {name}")).assert().success();
        let full = program.recovered(&format!("{name}.full"));
        assert_eq!(program.counts(name).calls("work"), full.calls("work"), "{name}");
    }
    running.finish();
}

/// Containers have processes that not even root may look at.
#[test]
fn a_process_that_the_system_hides_is_not_another_user_s() {
    let own = std::process::id().to_string();
    let mut command = quiet("setpriv");
    command.args(["--inh-caps=-all", "--bounding-set=-all"]).arg(gmon().get_program());
    command.args(["ctl", &own, "status"]);
    if find("setpriv").is_none() {
        return;
    }
    if !Uid::effective().is_root() {
        return skip_anywhere("only root can give up rights");
    }
    let said = said(&output_of(&mut command));
    assert!(said.contains("cannot be looked at from here"), "{said}");
}

#[test]
fn what_cannot_be_steered_is_told() {
    let program = program();
    let running = Running::start(&program, 1, ",sampler=none");
    running.ctl("off").assert().code(1).stderr(contains("and takes no samples"));
    running.ctl("status").assert().success().stdout(contains("on, no samples"));
    running.ctl("rate").assert().code(2).stderr(contains("needs a number"));
    running.ctl("on 5").assert().code(2).stderr(contains("takes no number"));
    running.ctl("on -o x").assert().code(2).stderr(contains("-o is for"));
    running.ctl("rate 10001").assert().code(2).stderr(contains("10001"));
    let live = program.path(LIVE);
    let by_file = |file: &std::path::Path| {
        let mut command = gmon();
        command.arg("ctl").arg(file).arg("off");
        command
    };
    by_file(&live).assert().code(1).stderr(contains("and takes no samples"));
    let kept = program.path("kept");
    fs::hard_link(&live, &kept).expect("a link");
    if Uid::effective().is_root() {
        let mut foreign = running.ctl("status");
        foreign.uid(65534).gid(65534).current_dir("/");
        match foreign.output() {
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(said.contains("is another user's; run gmon as that user"), "{said}");
            }
            Err(error) => {
                skip_anywhere(format!("nobody may not start gmon where it was built: {error}"))
            }
        }
    }
    running.finish();
    by_file(&kept).assert().code(1).stderr(contains("no running program counts in "));
    by_file(&program.path("program")).assert().code(1).stderr(contains("not the file of a live"));
    by_file(&program.path("missing")).assert().code(1).stderr(contains("missing: No such file"));
    let mut other = gmon();
    other.args(["ctl", &std::process::id().to_string(), "on"]);
    other
        .assert()
        .code(1)
        .stderr(contains(" has no live file; start the program with GMON_OPTIONS="));
    let mut nobody = gmon();
    nobody.args(["ctl", "999999999", "on"]);
    nobody.assert().code(1).stderr(contains("there is no process 999999999"));
}

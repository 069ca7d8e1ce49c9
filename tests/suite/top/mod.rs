//! `gmon top` of running programs: what it prints, and its screen in a real terminal.

mod terminal;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use assert_cmd::prelude::*;
use gmon_analyzer::follow::{Call, Follower, Sums, Tally};
use gmon_analyzer::records::LiveView;
use gmon_analyzer::report::NameStyle;
use gmon_format::live::Live;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

use crate::live::steered::{Running, program};
use support::command::{gmon, quiet, text_of};
use support::compilers::GCC;
use support::executable;
use support::modes::DORMANT;
use support::program::Program;
use support::suite::Suite;
use support::tools;
use support::workplace::Workplace;
use terminal::Terminal;

fn once(running: &Running<'_>, words: &str) -> Command {
    let mut command = gmon();
    command.args(["top", "--once", "--interval", "0.5", &running.child.id().to_string()]);
    command.args(words.split_whitespace());
    command
}

/// The items of a list with this name.
fn named<'v>(list: &'v Value, name: &str) -> Vec<(usize, &'v Value)> {
    let items = list.as_array().expect("a list").iter().enumerate();
    items.filter(|(_, item)| item["name"] == name).collect()
}

#[test]
fn scripts_get_counts_and_times_since_the_last_look_and_in_all() {
    let program = program();
    for (options, has_stacks) in [(",stacks,hz=1000", true), ("", false)] {
        let running = Running::start(&program, 2, options);
        let before = running.own();
        let text = text_of(&mut once(&running, "--format json"));
        let after = running.own();
        let document: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(document["schema"], "gmon-top/1");
        let process = &document["processes"][0];
        assert_eq!(
            (&process["pid"], &process["state"]),
            (&running.child.id().into(), &"on".into())
        );
        assert_eq!(process["has_stacks"], has_stacks);
        let functions = &process["functions"];
        let [(work, found)] = named(functions, "work")[..] else { panic!("{text}") };
        let calls = |when: &str| found[when]["calls"].as_u64().expect("a number");
        assert!(calls("all") + 2 >= before && calls("all") <= after + 2, "{before} {after} {text}");
        assert!(0 < calls("now") && calls("now") <= after - before + 4, "{before} {after} {text}");
        // Whoever calls it, and how often in all.
        let [(run, outer)] = named(functions, "run")[..] else { panic!("{text}") };
        let edges = process["calls"].as_array().expect("a list").iter();
        let edge = |it: &&Value| it["caller"] == run && it["callee"] == work;
        let edges: Vec<_> = edges.filter(edge).collect();
        assert_eq!(edges.len(), 1, "{text}");
        assert_eq!(edges[0]["all"]["calls"], found["all"]["calls"]);
        let total = &outer["all"]["total_ns"];
        match has_stacks {
            true => assert!(total.as_u64() >= outer["all"]["self_ns"].as_u64(), "{text}"),
            false => assert!(total.is_null(), "{text}"),
        }
        once(&running, "").assert().success().stdout(contains("  work\n").and(contains("%self")));
        running.finish();
    }
}

/// Symbols of libraries have versions behind their names, which nobody calls functions by.
#[test]
fn versions_are_no_part_of_names() {
    let program = program();
    let versioned = "--redefine-sym=work=work@@V1";
    text_of(quiet("objcopy").arg(versioned).arg(&program.executable));
    let running = Running::start(&program, 2, ",stacks,hz=1000");
    once(&running, "").assert().success().stdout(contains("  work\n").and(contains("@@").not()));
    running.finish();
}

#[test]
fn processes_are_found_by_the_name_of_their_program() {
    let program = program();
    let name = format!("named{}", std::process::id());
    executable::copy(&program.executable, &program.path(&name));
    let start = |live: &str| {
        let mut command = Command::new(program.path(&name));
        command.current_dir(program.path("")).env("GMON_OPTIONS", format!("live={live}"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).arg("1").spawn().expect("a program")
    };
    let mut children = ["one.live", "two.live"].map(start);
    for child in &mut children {
        let mut ready = [0; 6];
        let out = child.stdout.as_mut().expect("a pipe");
        std::io::Read::read_exact(out, &mut ready).expect("a line");
    }
    let mut top = gmon();
    top.args(["top", "--once", "--interval", "0.1", &name]);
    let [one, two] =
        [0, 1].map(|at: usize| contains(format!("{name} ({}): on", children[at].id())));
    top.assert().success().stdout(one.and(two));
    for child in &mut children {
        drop(child.stdin.take());
        assert!(child.wait().expect("an end").success());
    }
    for (words, complaint) in [
        (vec![name.as_str()], "no running program is called"),
        (vec!["999999999"], "there is no process 999999999"),
        (vec!["--interval", "0", "1"], "must be from 0.01 to 3600"),
        (vec!["--format", "json", "1"], "--once"),
    ] {
        gmon().arg("top").args(&words).assert().failure().stderr(contains(complaint));
    }
}

#[test]
fn screen_follows_keys_and_the_program_counts_on() {
    let program = program();
    let running = Running::start(&program, 2, ",stacks,hz=1000");
    let process = running.child.id().to_string();
    let refused = gmon().args(["top", &process]).output().expect("gmon");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        said.ends_with("gmon top needs a terminal; gmon top --once writes one picture\n"),
        "{said}"
    );

    let words = ["--color=never", "top", "--interval", "0.1", &process];
    let Some(terminal) = Terminal::start(&program.path(""), &words) else { return };
    let screen = terminal.wait_for("  work");
    assert!(screen.contains(&format!("program ({process}): on")), "{screen}");
    assert!(screen.contains(" %self %total   calls/s"), "{screen}");
    // The last moments stand above the table.
    let screen = terminal.wait_for("█ = ");
    let bars = screen.lines().nth(2).unwrap_or_default();
    assert!(
        bars.starts_with("last ") && bars.ends_with(|it| ('▁'..='█').contains(&it)),
        "{screen}"
    );
    for (keys, expected) in [
        (&["/", "w", "o", "r", "Enter"][..], "with \"wor\""),
        (&["Enter"], "< run"),
        (&["Escape"], "functions, sorted by self now"),
        (&["s"], "sorted by total now"),
        (&["t"], "program ("),
        (&["m"], " modules, sorted by"),
        (&["p"], "1 processes"),
        (&["?"], "callers and callees of the marked function"),
        (&["x", "f"], " functions, sorted by"),
        (&["z"], "counted from here"),
        (&["Space"], ", held"),
        (&["Space", "w"], &format!("wrote gmon.out.{process}")),
        (&["/", "w", "o", "r", "k", "Enter", "o"], "source of work"),
        (&["Down", "Up"], "__atomic_store_n"),
        (&["Escape"], " functions, sorted by"),
    ] {
        terminal.press(keys);
        terminal.wait_for(expected);
    }
    terminal.press(&["q"]);
    terminal.wait_for_end();
    assert!(program.path(&format!("gmon.out.{process}")).exists());
    running.finish();
    let own = fs::read(program.path("own")).expect("a file");
    let own = own.chunks(64).map(|own| u64::from_ne_bytes(*own.first_chunk().expect("a number")));
    assert_eq!(program.counts("gmon.out").calls("work"), own.sum::<u64>());
}

/// Hooks that sleep are woken in the screen: by patterns, and that of the marked function.
#[test]
fn hooks_are_woken_and_put_to_sleep_by_keys() {
    let mode = DORMANT.iter().find(|mode| mode.name == "dormant").expect("a mode");
    let program = Suite("live").build_by(GCC, "steered.c", mode, &["-pthread"]);
    let running = Running::start(&program, 2, "");
    let process = running.child.id().to_string();
    let words = ["--color=never", "top", "--interval", "0.1", &process];
    let Some(terminal) = Terminal::start(&program.path(""), &words) else { return };
    terminal.wait_for(", 0 of ");
    for (keys, expected) in [
        (&["+", "w", "o", "r", "?", "Enter"][..], ", 1 of "),
        (&["/", "w", "o", "r", "k", "Enter"], "+ work"),
        (&["c"], ", 0 of "),
        (&["c"], "+ work"),
        (&["-", "*", "Enter"], ", 0 of "),
        (&["+", "n", "o", "n", "e", "Enter"], "compiled with --dormant fits none"),
        (&["?"], "wake the hooks of functions that fit patterns"),
        (&["x"], " hooks awake"),
    ] {
        terminal.press(keys);
        terminal.wait_for(expected);
    }
    terminal.press(&["q"]);
    terminal.wait_for_end();
    once(&running, "").assert().success().stdout(contains(" samples a second, 0 of "));
    let document: Value =
        serde_json::from_str(&text_of(&mut once(&running, "--format json"))).expect("JSON");
    assert_eq!(document["processes"][0]["hooks"]["awake"], 0);
    let all = running.own();
    running.finish();
    let counted = program.counts("gmon.out").calls("work");
    assert!(0 < counted && counted < all, "{counted} of {all}");

    let program = self::program();
    let running = Running::start(&program, 1, "");
    let process = running.child.id().to_string();
    let words = ["--color=never", "top", "--interval", "0.1", &process];
    let Some(terminal) = Terminal::start(&program.path(""), &words) else { return };
    terminal.wait_for("  work");
    terminal.press(&["/", "w", "o", "r", "k", "Enter", "c"]);
    terminal.wait_for("was not built with --dormant");
    terminal.press(&["q"]);
    terminal.wait_for_end();
    running.finish();
}

/// The calls of the marked function are timed from one key to the other, and in the profile that a third one writes.
#[test]
fn calls_are_timed_by_keys() {
    let mode = DORMANT.iter().find(|mode| mode.name == "dormant").expect("a mode");
    let program = Suite("live").build_by(GCC, "steered.c", mode, &["-pthread"]);
    let running = Running::start(&program, 2, ",stacks");
    let process = running.child.id().to_string();
    let words = ["--color=never", "top", "--interval", "0.1", &process];
    let Some(terminal) = Terminal::start(&program.path(""), &words) else { return };
    terminal.wait_for(", 0 of ");
    let written = format!("wrote gmon.out.{process}");
    for (keys, expected) in [
        (&["+", "w", "o", "r", "k", "Enter"][..], ", 1 of "),
        (&["/", "w", "o", "r", "k", "Enter"], "+ work"),
        (&["l"], "times of calls of 0 functions"),
        (&["f"], "+ work"),
        (&["d"], "on, times of 1 function; l shows them"),
        (&["l"], "times of calls of 1 functions"),
        (&["?"], "half of all calls, 99 of 100, and all took no longer"),
        (&["?"], " p50 now p99 now "),
        (&["w"], &written),
        (&["D"], "off, times of 1 function"),
        (&["?"], "time each call of the marked function"),
        (&["?"], "+ work"),
    ] {
        terminal.press(keys);
        terminal.wait_for(expected);
    }
    terminal.press(&["q"]);
    terminal.wait_for_end();
    running.finish();
    let mut report = gmon();
    report.current_dir(program.path("")).args(["report", "--times"]).arg(&program.executable);
    let text = text_of(report.arg(format!("gmon.out.{process}")));
    assert!(text.lines().any(|line| line.trim_end().ends_with(" work")), "{text}");
}

/// Calls `brief` 2,000 times and `dear` a hundred times, of which five take ten milliseconds, and waits.
const TIMED: &str = r#"
    #include <setjmp.h>
    #include <stdio.h>
    #include <time.h>
    volatile unsigned sink;
    jmp_buf back;
    static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000 + t.tv_nsec; }
    __attribute__((noinline)) void brief(void) { sink++; }
    __attribute__((noinline)) void other(void) { sink++; }
    __attribute__((noinline)) void leaves(void) { if (++sink) longjmp(back, 1); }
    __attribute__((noinline)) void dear(int slow) { long end = now() + (slow ? 10000000 : 50000); while (now() < end) sink++; }
    int main(void) {
        for (volatile int i = 0; i < 2000; i++) brief(), other();
        for (volatile int i = 0; i < 100; i++) dear(i % 20 == 7);
        for (volatile int i = 0; i < 7; i++) if (!setjmp(back)) leaves();
        brief();
        puts("ready"), fflush(stdout);
        return getchar() == 0;
    }
"#;

/// Scripts get times of calls, those of others are dashes, and live files have as many as were called.
#[test]
#[cfg(target_arch = "x86_64")]
fn scripts_get_times_of_calls() {
    let place = Workplace::new();
    place.write("prog.c", TIMED);
    text_of(&mut place.gmon("cc --dormant gcc -O1 prog.c -o prog"));
    let mut command = Command::new(place.path("prog"));
    let options = "live=live,stacks,times=brief,times=dear,times=leaves";
    command.current_dir(place.path("")).env("GMON_OPTIONS", options);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a program");
    let mut ready = [0; 6];
    std::io::Read::read_exact(child.stdout.as_mut().expect("a pipe"), &mut ready).expect("a line");
    let top = |format: &str| {
        let process = child.id();
        let words = format!("top --once --interval 0.1 --top 0 {process} --format {format}");
        text_of(&mut place.gmon(&words))
    };
    let document: Value = serde_json::from_str(&top("json")).expect("JSON");
    let rows = document["tables"][0]["rows"].as_array().expect("rows");
    // However few functions are asked for, those that are timed are there.
    let row = |name: &str| rows.iter().find(|row| row["function"] == name).expect("a row");
    assert_eq!(rows.len(), 3, "{document}");
    for (name, calls, timed, without_end) in
        [("brief", 2_001, 2_001, 0), ("dear", 100, 100, 0), ("leaves", 7, 0, 7)]
    {
        let row = row(name);
        let counts = ["calls", "timed", "without_end"].map(|it| row[it].as_u64());
        assert_eq!(counts, [calls, timed, without_end].map(Some), "{row}");
        assert!(row["p50_now_ns"].is_null() && row["p99_now_ns"].is_null(), "{row}");
    }
    assert!(row("leaves")["p50_ns"].is_null() && row("leaves")["max_ns"].is_null());
    // A busy machine makes calls longer, and never shorter.
    let dear = ["p50_ns", "p99_ns", "max_ns"].map(|it| row("dear")[it].as_u64().expect("a time"));
    assert!(dear.is_sorted() && dear[0] >= 48_000 && dear[1] >= 9_700_000, "{dear:?}");
    let functions = &document["processes"][0]["functions"];
    let [(_, brief)] = named(functions, "brief")[..] else { panic!("{document}") };
    assert_eq!(
        (&brief["times"]["all"]["timed"], &brief["times"]["now"]["timed"]),
        (&2_001.into(), &0.into())
    );
    let functions = functions.as_array().expect("a list").iter();
    let timed = functions.filter(|it| !it["times"].is_null()).count();
    assert_eq!(timed, 3, "{document}");
    for (format, heading) in [
        ("text", "     p50     p99     max  function\n"),
        ("markdown", " p50 | p99 | max | function |"),
        ("csv", ",p50_ns,p99_ns,max_ns,timed,without_end\n"),
        ("tsv", "\tp50_ns\tp99_ns\tmax_ns\ttimed\twithout_end\n"),
    ] {
        let text = top(format);
        assert!(text.contains(heading), "{format}: {text}");
        let leaves = text.lines().find(|line| line.contains("leaves")).expect("a row");
        let expected = match format {
            "text" => "       -       -       -  leaves",
            "markdown" => " - | - | - | `leaves`",
            "csv" => ",7,,,,,,0,7",
            _ => "\t7\t\t\t\t\t\t0\t7",
        };
        assert!(leaves.contains(expected), "{format}: {leaves}");
    }
    drop(child.stdin.take());
    child.wait().expect("an end");
}

/// Of large tables of stacks, and of bins, a look reads only what the program says that it has counted. That is all there is.
#[test]
fn looks_add_up_to_what_the_file_has() {
    let flags = ["-pthread", "-fno-optimize-sibling-calls"];
    let program = Suite("stacks").build("chains.c", "default", &flags);
    let samplers =
        [("hz=1000,stacks=16", true), ("hz=1000,stacks=16,sampler=wall", true), ("hz=1000", false)];
    for &(options, has_stacks) in tools::shared_out(&samplers, "samplers") {
        program.clear();
        let mut command = program.command();
        command.arg("1000000").env("GMON_OPTIONS", format!("live=live,{options}"));
        let mut child = command.stdout(Stdio::null()).spawn().expect("a program");
        let mut follower = follow(&program);
        for _ in 0..10 {
            thread::sleep(Duration::from_millis(100));
            follower.look().expect("a live file");
        }
        stop(&child);
        follower.look().expect("a live file");
        let bytes = fs::read(program.path("live")).expect("a live file");
        child.kill().expect("a program");
        child.wait().expect("an end");

        let live = Live::new(&bytes).expect("a live file");
        let named = live.stacks().filter_map(|stacks| stacks.news().counted());
        assert_eq!(named.sum::<u32>() > 0, has_stacks, "a large table");
        let weights = live.stacks().flat_map(|stacks| stacks.iter());
        let weights: u64 = match has_stacks {
            true => weights.map(|(_, node)| node.weight).sum(),
            false => live.process_histograms().flat_map(|it| it.counts()).map(|(_, n)| n).sum(),
        };
        let afresh = follow(&program);
        let calls = live.process_arcs().map(|arc| arc.count).sum::<u64>();
        let all = follower.all().all;
        assert_eq!(all.calls, calls, "{options}");
        assert_eq!((all, all.own + all.waiting), (afresh.all().all, weights), "{options}");
        assert_eq!(sums(&follower), sums(&afresh), "{options}");
    }
}

/// Follows a program as soon as it has a live file.
fn follow(program: &Program) -> Follower {
    loop {
        let path = program.path("live");
        let view = File::open(&path).map(|file| LiveView::new(&path, file));
        let follower = view.ok().and_then(|view| {
            Follower::new(view, &program.executable, None, NameStyle::default()).ok()
        });
        match follower {
            Some(follower) => return follower,
            None => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Stops all threads of a program.
fn stop(child: &Child) {
    kill(Pid::from_raw(child.id() as i32), Signal::SIGSTOP).expect("a signal");
    let tasks = format!("/proc/{}/task", child.id());
    let is_stopped = |task: fs::DirEntry| {
        let stat = fs::read_to_string(task.path().join("stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('T'))
    };
    while !fs::read_dir(&tasks).expect("threads").all(|task| is_stopped(task.expect("a thread"))) {
        thread::sleep(Duration::from_millis(10));
    }
}

/// What was counted of each function, and of each call.
fn sums(follower: &Follower) -> BTreeMap<(String, String), Sums> {
    let names: Vec<_> =
        follower.functions().iter().map(|function| function.name.to_string()).collect();
    let functions = names.iter().enumerate();
    let counted = follower.counted();
    let functions = functions
        .map(|(place, name)| (("".into(), name.clone()), counted.functions.get(place).all));
    let name = |at: u32| names[at as usize].clone();
    let between = |ends: &[Call], counts: &Tally, sums: fn(u64) -> Sums| {
        let all = ends.iter().zip(counts.all()).filter(|(_, all)| **all != 0);
        let all = all.map(|(ends, all)| ((name(ends.caller), name(ends.callee)), sums(*all)));
        all.collect::<Vec<_>>()
    };
    let (ends, pairs) = (follower.calls(), &counted.pairs);
    let calls = between(ends, &counted.calls, |calls| Sums { calls, ..Sums::default() });
    let waits = between(pairs, &counted.waits, |waiting| Sums { waiting, ..Sums::default() });
    let times = between(pairs, &counted.times, |total| Sums { total, ..Sums::default() });
    let mut sums = BTreeMap::new();
    for (key, change) in functions.chain(calls).chain(times).chain(waits) {
        *sums.entry(key).or_insert_with(Sums::default) += change;
    }
    sums
}

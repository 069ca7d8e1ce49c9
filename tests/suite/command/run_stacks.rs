//! `gmon run` measures the time of any program, by its call stacks, and changes nothing that the program does.

use std::process::{Command, Output};

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::GMON;
use support::{command::output_of, summary, tools, workplace::Workplace};

/// Needs long enough for samples, most of it in `inner`, called by `outer`.
const PROGRAM: &str = r#"
    #include <stdlib.h>
    volatile unsigned long sum;
    __attribute__((noinline)) void inner(long n) { while (n--) sum += n; sum++; }
    __attribute__((noinline)) void outer(long n) { inner(n); sum++; }
    int main(int n, char **v) { outer(n > 2 ? atol(v[2]) : 150000000); return n > 1 ? atoi(v[1]) : 0; }
"#;

/// What `gmon run` with these words ends with, and says.
#[track_caller]
fn run(place: &Workplace, words: &[&str]) -> (Option<i32>, String) {
    let output = place.gmon("run").args(words).output().expect("gmon run");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

/// The times of a function in the summary: in itself, and in all.
#[track_caller]
fn times(said: &str, name: &str) -> (f64, f64) {
    let rows = summary::rows(said);
    let row = rows.iter().find(|row| row.name == name);
    let row = row.unwrap_or_else(|| panic!("no {name}:\n{said}"));
    let number =
        |title| row.number(title).unwrap_or_else(|| panic!("no {title} of {name}:\n{said}"));
    (number("self"), number("total"))
}

#[test]
fn time_is_measured_however_the_program_was_built() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    for (build, has_counts) in [
        ("cc -O2 prog.c -o prog", false),
        ("cc -O2 -pg prog.c -o prog", true),
        ("gmon cc cc -O2 prog.c -o prog", true),
        ("gmon cc cc -O2 -static -Wl,--eh-frame-hdr prog.c -o prog", true),
    ] {
        match build.strip_prefix("gmon ") {
            Some(arguments) => _ = place.gmon(arguments).assert().success(),
            None => place.must(build),
        }
        let (status, said) = run(&place, &["./prog", "7"]);
        assert_eq!(status, Some(7), "{build}: {said}");
        let (inner, outer) = (times(&said, "inner"), times(&said, "outer"));
        assert!(inner.0 > 0.0 && outer.1 >= 0.9 * inner.0, "{build}: {said}");
        assert!(outer.0 <= 0.1 * outer.1, "{build}: {said}");
        assert!(
            said.contains("total: measured") && said.contains(" looks at the stacks; "),
            "{said}"
        );
        assert!(said.contains("profile  gmon.out\nstacks   gmon.out.full\n"), "{build}: {said}");
        let counts = ["no calls were counted: built without -pg", "3 calls of 3 functions"];
        assert!(said.contains(counts[usize::from(has_counts)]), "{build}: {said}");
        // The report says it again.
        let report = place.gmon("report prog").output().expect("gmon report");
        let again = String::from_utf8(report.stdout).expect("UTF-8");
        assert_eq!(times(&again, "inner"), inner, "{build}");
    }
}

#[test]
fn without_stacks_the_summary_is_that_of_counted_calls() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.must("cc -O2 -pg prog.c -o prog");
    let (_, said) = run(&place, &["./prog"]);
    assert!(said.contains("total: measured") && place.exists("gmon.out.full"), "{said}");
    let (_, said) = run(&place, &["--no-stacks", "./prog"]);
    assert!(said.contains("divided among callers by calls"), "{said}");
    // Times have the digits that the rate gives them.
    let places = |said: &str| {
        let (time, _) = said.split_once(" seconds of CPU time").expect("a time");
        time.rsplit('.').next().map(str::len)
    };
    assert!(said.contains("(100 samples each second)"), "{said}");
    assert_eq!(places(&said), Some(2), "{said}");
    let (_, said) = run(&place, &["--no-stacks", "--rate", "500", "./prog"]);
    assert!(said.contains("(500 samples each second)"), "{said}");
    assert_eq!(places(&said), Some(3), "{said}");
    place.gmon("run --rate 0 ./prog").assert().code(2);
    place.gmon("run --rate 10001 ./prog").assert().code(2);
    // What the user says to the runtime stays.
    let run = place.gmon("run ./prog").env("GMON_OPTIONS", "hz=200,stacks=8").assert().success();
    run.stderr(contains("total: measured"));
    let facts = String::from_utf8_lossy(&place.bytes("gmon.out.full")).into_owned();
    assert!(facts.contains("\nhz_asked=200\n") && facts.contains("\nlimit_bytes=8388608\n"));
}

/// A stripped program has functions, though they have no names.
#[test]
fn functions_of_stripped_programs_are_kept_apart() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    for how in ["-s", "-s -pg", "-s -rdynamic"] {
        place.must(&format!("cc -O2 prog.c -o prog {how}"));
        let (status, said) = run(&place, &["./prog"]);
        assert_eq!(status, Some(0), "{how}: {said}");
        let rows = summary::rows(&said);
        let name = if how.contains("rdynamic") { "inner" } else { "prog+0x" };
        assert!(rows[0].name.starts_with(name), "{how}: {said}");
        // All samples of the loop are in one row.
        assert!(rows[0].number("%").is_some_and(|share| share > 90.0), "{how}: {said}");
    }
}

#[test]
fn threads_and_templates_of_cpp_fit_a_row() {
    if tools::find("c++").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write(
        "prog.cc",
        r#"
        #include <algorithm>
        #include <functional>
        #include <map>
        #include <string>
        #include <thread>
        #include <vector>
        #include <pthread.h>
        template <class K, class V> struct Table {
            __attribute__((noinline)) unsigned long fill(const std::map<K, V> &from, long n) {
                volatile unsigned long sum = from.size();
                while (n--) sum = sum + n;
                return sum;
            }
        };
        static void work() {
            Table<std::string, std::vector<std::pair<std::string, std::less<int>>>> table;
            table.fill({}, 100000000);
        }
        int main() {
            std::thread other([] { pthread_setname_np(pthread_self(), "helper"); work(); });
            work();
            other.join();
        }
        "#,
    );
    let (status, said) = run(&place, &["prog.cc", "-pthread"]);
    assert_eq!(status, Some(0), "{said}");
    // Whole where there is no terminal.
    assert!(said.contains("Table<std::"), "{said}");
    let threads = said.lines().find(|line| line.starts_with("threads: "));
    assert!(
        threads.is_some_and(|line| line.contains("helper ") && line.contains("a.out ")),
        "{said}"
    );
    let Some(script) = tools::find("script") else { return };
    let line = format!("stty rows 40 cols 80; exec {} run ./a.out", GMON);
    let mut terminal = place.command(script.to_str().expect("a path"));
    terminal.env("NO_COLOR", "1").args(["-q", "-e", "-c", &line, "/dev/null"]);
    let output = terminal.output().expect("script");
    let shown = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    assert!(shown.lines().any(|line| line.ends_with(" Table<_>::fill")), "{shown}");
    let table = shown.lines().skip(1).take_while(|line| !line.starts_with("profile "));
    let widest = table.map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|columns| columns <= 80), "{shown}");
}

#[test]
fn what_children_did_is_measured_with_their_program() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.must("cc -O2 prog.c -o prog");
    let command = "./prog 0 100000000; ./prog 0 100000000 & ./prog 3 100000000; wait; exit 4";
    let (status, said) = run(&place, &["sh", "-c", command]);
    assert_eq!(status, Some(4), "{said}");
    assert!(said.contains("prog: ") && said.contains(" in 3 processes, no calls"), "{said}");
    // The shell has nothing to tell, so the profile is that of the other program.
    assert!(said.contains("did next to nothing"), "{said}");
    assert_eq!(place.files(), ["gmon.out", "gmon.out.full", "prog", "prog.c"], "{said}");
    // With a file for each process the report adds up the same.
    let (_, each) = run(&place, &["-d", "data", "sh", "-c", command]);
    let report = place.gmon("report data").output().expect("gmon report");
    let report = String::from_utf8(report.stdout).expect("UTF-8");
    assert_eq!(times(&each, "inner"), times(&report, "inner"));
    let again = place.gmon("report data --threads").output().expect("gmon report");
    assert_eq!(String::from_utf8_lossy(&again.stdout).matches("(process ").count(), 3);
}

/// What a program prints and ends with.
fn outcome(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Programs that nobody built for profiling do what they always do.
#[test]
fn other_peoples_programs_do_what_they_do_alone() {
    let place = Workplace::new();
    let numbers: Vec<u8> = (0..60_000u64)
        .flat_map(|n| format!("{}\n", n.wrapping_mul(6_364_136_223_846_793_005)).into_bytes())
        .collect();
    place.write("numbers", numbers);
    let python = "import sys; print(sum(i * i for i in range(400000))); sys.exit(3)";
    let sql = "with recursive n(x) as (select 1 union all select x + 1 from n where x < 200000) \
               select sum(x * x) from n;";
    for (program, arguments) in [
        (tools::find("sort"), &["-n", "numbers"][..]),
        (tools::find("sort"), &["no-such-file"]),
        (tools::find("python3"), &["-c", python]),
        (tools::find("sqlite3"), &[":memory:", sql]),
        (tools::find("git"), &["hash-object", "numbers"]),
        (tools::find("git"), &["no-such-command"]),
        (tools::find("xz"), &["-T2", "-k", "-c", "numbers"]),
        (tools::find("perl"), &["-e", "my $s = 0; $s += $_ for 1 .. 300000; print $s; exit 9"]),
    ] {
        let Some(program) = program else { continue };
        let alone = output_of(Command::new(&program).args(arguments).current_dir(place.path("")));
        let ours = place.gmon("run --report summary").arg(&program).args(arguments).output();
        let ours = ours.expect("gmon run");
        let program = program.display();
        assert!(outcome(&ours) == outcome(&alone), "{program}: {ours:?}");
        let said = String::from_utf8_lossy(&ours.stderr);
        assert_eq!(said, String::from_utf8_lossy(&alone.stderr), "{program}");
        let summary = place.read("summary");
        assert!(
            summary.contains("no calls were counted: built without -pg"),
            "{program}: {summary}"
        );
    }
}

/// A profile of another build of the program names no functions, unless somebody insists.
#[test]
fn a_rebuilt_program_does_not_name_the_functions_of_an_older_profile() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.must("cc -O2 -Wl,--build-id prog.c -o prog");
    let (_, said) = run(&place, &["./prog"]);
    assert!(said.contains("  inner"), "{said}");
    place.must("cc -O1 -Wl,--build-id prog.c -o prog");
    let refused = place.gmon("report prog").assert().code(1).stdout("");
    refused.stderr(
        contains(
            "gmon.out.full: a profile of another build of the program: the profile's build id",
        )
        .and(contains("with --any-build\n")),
    );
    place.gmon("report --any-build prog").assert().success().stdout(contains("total: measured"));
}

/// By the clock on the wall, also what waits is worth a look.
#[test]
fn waits_of_all_processes_are_shown() {
    let place = Workplace::new();
    let (status, said) = run(&place, &["--wall", "sh", "-c", "sleep 0.5; exit 3"]);
    assert_eq!(status, Some(3), "{said}");
    assert_eq!(said.matches(" seconds running and ").count(), 2, "{said}");
    let waits = summary::rows(&said).into_iter().filter_map(|row| row.number("waiting"));
    assert!(waits.filter(|seconds| *seconds > 0.2).count() >= 2, "{said}");
    // What was not seen to wait and hardly works has no summary, here or when its folder is read.
    let command = "sleep 0.5; basename /a/b";
    let (_, said) = run(&place, &["--wall", "-d", "data", "sh", "-c", command]);
    let report = place.gmon("report data").output().expect("gmon report");
    for said in [said, String::from_utf8(report.stdout).expect("UTF-8")] {
        assert!(said.contains("sleep: ") && !said.contains(" samples each second"), "{said}");
    }
    place.gmon("run --wall --no-stacks true").assert().code(2);
    // The user's rate prevails.
    place.gmon("run --wall --rate 50 sleep 0.3").assert().success();
    let facts = String::from_utf8_lossy(&place.bytes("gmon.out.full")).into_owned();
    assert!(facts.contains("\nhz_asked=50\n") && facts.contains("\nsampler=wall\n"));
}

/// Of a program that does nothing but call, most time is the profiler's: in no function, in one row.
#[test]
fn time_in_hooks_is_a_row_of_its_own() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        r#"
        __attribute__((noinline)) void empty(void) { __asm__ volatile(""); }
        int main(void) { for (long i = 0; i < 100000000; i++) empty(); return 0; }
        "#,
    );
    for build in ["cc -O2 -pg prog.c -o prog", "gmon cc cc -O2 prog.c -o prog"] {
        match build.strip_prefix("gmon ") {
            Some(arguments) => _ = place.gmon(arguments).assert().success(),
            None => place.must(build),
        }
        let (status, said) = run(&place, &["./prog"]);
        assert_eq!(status, Some(0), "{said}");
        let rows = summary::rows(&said);
        let own = |name: &str| rows.iter().find(|row| row.name == name)?.number("self");
        let hooks = own("[profiling hooks]").unwrap_or_else(|| panic!("no hooks: {said}"));
        assert!(hooks > 0.02 && hooks > own("main").unwrap_or(0.0), "{said}");
        assert!(!said.contains("mcount"), "{said}");
        let is_its = |line: &&str| line.ends_with(" ns  [profiling hooks]");
        assert_eq!(said.lines().filter(is_its).count(), 1, "{said}");
        for part in ["--tree", "--modules"] {
            let report = place.gmon(&format!("report prog {part}")).output().expect("gmon report");
            let text = String::from_utf8(report.stdout).expect("UTF-8");
            assert!(text.contains("  [profiling hooks]\n") && !text.contains("mcount"), "{text}");
        }
        // Whatever the rows are of, all of them together are all the time.
        for part in ["--by thread", "--by module"] {
            let report = place.gmon(&format!("report prog {part}")).output().expect("gmon report");
            let text = String::from_utf8(report.stdout).expect("UTF-8");
            let hooks = text
                .lines()
                .filter(|line| line.contains("[profiling hooks]") && !line.starts_with('%'));
            assert_eq!((hooks.count(), text.contains("mcount")), (1, false), "{part}: {text}");
        }
        place.gmon("report prog --html page.html").assert().success();
        let page = String::from_utf8(place.bytes("page.html")).expect("UTF-8");
        assert!(page.contains("[profiling hooks]") && !page.contains("mcount"), "{build}");
    }
}

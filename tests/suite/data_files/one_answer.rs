//! All commands decide alike what is read of a run's files: a process too short for a sample adds its calls to the
//! measured times of the others, each process counts once, and data of another program are refused.

use std::fs;

use support::command::{output_of, said, text_of};
use support::workplace::Workplace;

/// Two functions call a third equally often, but only for one of them does it take long. An argument makes it so.
const PROGRAM: &str = "
#include <stdlib.h>
#include <time.h>
static volatile unsigned long sink;
__attribute__((noinline)) void work(long ms) {
    for (clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000); ms > 0 && clock() < end;)
        for (int i = 0; i < 100000; i++) sink++;
}
__attribute__((noinline)) void quick(void) { work(0); sink++; }
__attribute__((noinline)) void slow(long ms) { work(ms); sink++; }
int main(int argc, char **argv) {
    for (int i = 0; i < 40; i++) { quick(); slow(argc > 1 ? 10 : 0); }
    return 0;
}
";

/// Calls of `work` by one process.
const CALLS: u64 = 80;

/// Runs `gmon`, which must succeed.
fn gmon(place: &Workplace, arguments: &str) {
    text_of(&mut place.gmon(arguments));
}

/// A folder with the program, and the files of two processes of which one was not sampled.
fn with_two_processes() -> Workplace {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    gmon(&place, "cc cc -O1 -g prog.c -o prog");
    let run = |name: &str, arguments: &[&str]| {
        let mut run = place.command(place.path("prog"));
        run.env("GMON_OPTIONS", format!("stacks,hz=50,out={name}"));
        text_of(run.args(arguments));
        place.exists(&format!("{name}.full"))
    };
    assert!(run("gmon.out.1", &["long"]));
    // The moment of the first look is one by chance: now and then it comes even to a process that is over at once.
    let is_not_sampled = (0..20).any(|_| {
        _ = fs::remove_file(place.path("gmon.out.2.full"));
        !run("gmon.out.2", &[])
    });
    assert!(is_not_sampled);
    place
}

/// Asserts what a profile in JSON says: all calls, and measured times.
fn assert_answer(place: &Workplace, profile: &str, processes: u64) {
    let table = text_of(&mut place.gmon(&format!("export --format csv {profile}")));
    let row = |name: &str| -> Vec<String> {
        let row = table.lines().find(|line| line.starts_with(&format!("{name},")));
        let row = row.unwrap_or_else(|| panic!("{profile}: {table}"));
        row.split(',').map(str::to_owned).collect()
    };
    let number = |name: &str, column: usize| row(name)[column].parse::<u64>().expect("a number");
    assert_eq!(number("work", 4), processes * CALLS, "{profile}: {table}");
    assert_eq!(row("slow")[8], "sampled", "{profile}: {table}");
    // Divided by calls, half of the time would be each caller's.
    assert!(number("slow", 7) > 3 * number("quick", 7), "{profile}: {table}");
}

#[test]
fn a_process_too_short_for_a_sample_adds_its_calls_in_every_command() {
    let place = with_two_processes();
    gmon(&place, "export prog gmon.out.1 gmon.out.2 -o exported.json");
    assert_answer(&place, "exported.json", 2);
    for files in [
        "gmon.out.1 gmon.out.2",
        "gmon.out.1.full gmon.out.2",
        "gmon.out.1 gmon.out.2 gmon.out.1.full",
    ] {
        gmon(&place, &format!("merge -o merged.json {files}"));
        assert_answer(&place, "merged.json", 2);
        let report = text_of(&mut place.gmon(&format!("report prog {files}")));
        assert!(report.contains("total: measured"), "{report}");
        let calls = text_of(&mut place.gmon(&format!("report prog {files} --calls work")));
        assert!(calls.contains("160 calls"), "{calls}");
        gmon(&place, &format!("export prog {files} -o again.json"));
        assert!(place.bytes("again.json") == place.bytes("exported.json"), "{files}");
        gmon(&place, &format!("report prog {files} --html page.html"));
        gmon(&place, "report exported.json --html exported.html");
        assert!(place.bytes("page.html") == place.bytes("exported.html"), "{files}");
    }
}

#[test]
fn runs_of_two_processes_have_measured_times() {
    let place = with_two_processes();
    let command = "sh -c './prog long; ./prog'";
    let run = |options: &str| {
        let mut run = place.gmon(&format!("run {options}"));
        let output = run.args(["sh", "-c", "./prog long; ./prog"]).output().expect("gmon run");
        assert!(output.status.success(), "{command}: {}", said(&output));
    };
    run("--rate 50 -o sum.out");
    run("--rate 50 --runs 2 -d runs");
    for file in ["runs/run-01.json.gz", "runs/run-02.json.gz"] {
        assert_answer(&place, file, 2);
    }
    gmon(&place, "export prog sum.out -o sum.json");
    assert_answer(&place, "sum.json", 2);
    let diff = text_of(&mut place.gmon("diff --format json sum.out runs/run-01.json.gz"));
    let work = diff.lines().find(|line| line.contains("\"display\":\"work\"")).expect(&diff);
    assert!(work.contains("\"base\":[160]") && work.contains("\"new\":[160]"), "{work}");
    assert_eq!(diff.matches("\"paths\":\"sampled\"").count(), 2, "{diff}");
}

#[test]
fn files_by_a_pattern_count_each_process_once() {
    let place = with_two_processes();
    let files = "gmon.out.1 gmon.out.1.full gmon.out.2";
    let graph = text_of(&mut place.gmon(&format!("gprof -b -p prog {files}")));
    let row = graph.lines().find(|line| line.ends_with(" work")).expect(&graph);
    assert!(row.contains(" 160 "), "{row}");
    gmon(&place, &format!("merge -o all.out {files}"));
    assert!(place.exists("all.out.full"));
    gmon(&place, "export prog all.out -o all.json");
    assert_answer(&place, "all.json", 2);
}

#[test]
fn samples_without_stacks_are_said_to_be_mixed_with_others() {
    let place = with_two_processes();
    let mut plain = place.command(place.path("prog"));
    text_of(plain.arg("long").env("GMON_OPTIONS", "hz=50,out=plain.out"));
    for command in ["report prog", "export --format csv prog"] {
        let output = output_of(&mut place.gmon(&format!("{command} gmon.out.1.full plain.out")));
        let warning = "warning: plain.out has no call stacks; so no call stacks are read";
        assert!(output.status.success() && said(&output).contains(warning), "{}", said(&output));
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!shown.contains("sampled") && shown.contains("160"), "{shown}");
    }
}

#[test]
fn data_of_another_program_are_refused() {
    let place = with_two_processes();
    // Its code lies where that of the program does.
    place.write("other.c", format!("int extra(int n) {{ return n + 1; }}\n{PROGRAM}"));
    gmon(&place, "cc cc -O2 other.c -o other");
    let why = "gmon.out.2 is of another program or build than other; run it again, or accept";
    for command in ["report", "export --format csv", "annotate --line"] {
        let output = output_of(&mut place.gmon(&format!("{command} other gmon.out.2")));
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert!(said(&output).contains(why), "{command}: {}", said(&output));
    }
    // Without hooks it is smaller than what was counted.
    place.must("cc -O2 prog.c -o other");
    let output = output_of(&mut place.gmon("report other gmon.out.2"));
    assert!(said(&output).contains(why), "{}", said(&output));
    gmon(&place, "cc cc -O2 other.c -o other");
    let taken = output_of(&mut place.gmon("report --any-build other gmon.out.2"));
    assert!(taken.status.success() && said(&taken).contains("gmon: warning: gmon.out.2 is of"));
}

#[test]
fn the_full_profile_says_which_program() {
    let place = with_two_processes();
    gmon(&place, "run --report summary --rate 50 ./prog long");
    let report = text_of(&mut place.gmon("report"));
    assert!(report.contains("prog: ") && report.contains("total: measured"), "{report}");
    gmon(&place, "export -o usual.json");
    assert_answer(&place, "usual.json", 1);
}

//! `gmon merge` of exported profiles: by the names of functions, over builds and machines.

use serde_json::{Value, json};
use support::{command::output_of, command::said, command::text_of, workplace::Workplace};

/// `work` is called 40 times by each call of `cheap`, of which a build has more.
const PROGRAM: &str = r#"
    #ifndef CHEAP
    #define CHEAP 1
    #endif
    volatile unsigned long sum;
    __attribute__((noinline)) void work(int n) { while (n--) sum += n; }
    __attribute__((noinline)) void cheap(void) { for (int i = 0; i < 40; i++) work(10); sum++; }
    __attribute__((noinline)) void dear(void) { for (int i = 0; i < 10; i++) work(8000000); sum++; }
    int main(void) { for (int i = 0; i < CHEAP; i++) cheap(); dear(); return 0; }
"#;

/// Two builds of a program, `old/prog` and `new/prog`, each with two profiles, as JSON and as rows.
fn with_builds(options: &str) -> Workplace {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    for (side, flag) in [("old", "-DCHEAP=1"), ("new", "-DCHEAP=3")] {
        place.write(&format!("{side}/note.txt"), "no profile");
        place.must(&format!("{} cc gcc -O1 {flag} prog.c -o {side}/prog", crate::GMON));
        let program = place.path(&format!("{side}/prog"));
        for run in 1..=2 {
            let mut command = place.command(&program);
            text_of(command.env("GMON_OPTIONS", format!("{options},out={side}/{run}.out")));
            for name in ["json", "jsonl.gz"] {
                text_of(
                    &mut place.gmon(&format!(
                        "export {side}/prog {side}/{run}.out -o {side}.{run}.{name}"
                    )),
                );
            }
        }
    }
    place
}

fn json(place: &Workplace, name: &str) -> Value {
    serde_json::from_str(&place.read(name)).expect("JSON")
}

/// Calls, samples and total time of a function.
fn function<'v>(profile: &'v Value, name: &str) -> [&'v Value; 3] {
    let functions = profile["functions"].as_array().expect("functions");
    let it = functions.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("no {name}"));
    [&it["calls"], &it["samples"], &it["total_ns"]]
}

fn samples(profile: &Value) -> u64 {
    profile["sampling"]["samples"].as_u64().expect("a number")
}

#[test]
fn builds_add_up_by_name() {
    for options in ["stacks,hz=1000", "hz=1000"] {
        let place = with_builds(options);
        let files = ["old.1.json", "old.2.jsonl.gz", "new.1.jsonl.gz", "new.2.json"];
        let output = output_of(&mut place.gmon(&format!("merge -o sum.json {}", files.join(" "))));
        assert!(output.status.success(), "{output:?}");
        assert!(
            said(&output).contains("note: the profiles are of 2 builds of prog;"),
            "{output:?}"
        );
        let sum = json(&place, "sum.json");
        assert_eq!(function(&sum, "work")[0], 2 * (40 + 10) + 2 * (120 + 10));
        assert_eq!(function(&sum, "cheap")[0], 2 + 2 * 3);
        let parts =
            ["old.1", "old.2", "new.1", "new.2"].map(|name| json(&place, &format!("{name}.json")));
        assert_eq!(samples(&sum), parts.iter().map(samples).sum::<u64>());
        let of = |profile: &Value| function(profile, "work")[1].as_u64().expect("a number");
        assert_eq!(of(&sum), parts.iter().map(of).sum::<u64>());
        // All time is below main, in each sum of times.
        let period = sum["sampling"]["period_ns"].as_u64().expect("a number");
        assert!(function(&sum, "main")[2].as_u64() <= Some(samples(&sum) * period), "{sum}");
        assert!(function(&sum, "main")[2].as_u64() >= function(&sum, "work")[2].as_u64(), "{sum}");
        // Every other command reads it, and a sum is a part of another.
        let report = text_of(&mut place.gmon("report sum.json"));
        let row = report.lines().find(|line| line.ends_with(" work")).expect("a row");
        assert!(row.split_whitespace().any(|cell| cell == "360"), "{report}");
        let [old, new] = [files[..2].join(" "), files[2..].join(" ")];
        text_of(&mut place.gmon(&format!("merge -o half.json {old}")));
        text_of(&mut place.gmon("export half.json -o half.jsonl"));
        let output = output_of(&mut place.gmon(&format!("merge -o whole.json half.jsonl {new}")));
        assert!(output.status.success(), "{output:?}");
        assert_eq!(function(&json(&place, "whole.json"), "work")[0], 360);
        // Two runs of one build are of that build, and nothing is said.
        let output = output_of(&mut place.gmon("merge -o rows.jsonl.gz old.1.json old.2.json"));
        assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));
    }
}

/// Functions of one name that are local to their files stay apart, also where a run meets only one of them.
#[test]
fn local_functions_of_one_name_stay_apart() {
    let place = Workplace::new();
    for file in ["a", "b"] {
        let source = format!(
            "extern volatile int sum;
            __attribute__((noinline)) static void work(void) {{ sum++; }}
            void run_{file}(int n) {{ for (int i = 0; i < n; i++) work(); }}"
        );
        place.write(&format!("{file}.c"), source);
    }
    let main = "#include <stdlib.h>
        volatile int sum;
        void run_a(int), run_b(int);
        int main(int c, char **v) { run_a(atoi(v[1])); run_b(atoi(v[2])); return 0; }";
    place.write("m.c", main);
    text_of(&mut place.gmon("cc gcc -g -O1 m.c a.c b.c -o prog"));
    for (run, calls) in [("one", ["7", "0"]), ("other", ["0", "5"]), ("both", ["20", "30"])] {
        text_of(place.command(place.path("prog")).args(calls));
        text_of(&mut place.gmon(&format!("export prog gmon.out -o {run}.json")));
    }
    let works = |files: &str| {
        text_of(&mut place.gmon(&format!("merge -o sum.json {files}")));
        let sum = json(&place, "sum.json");
        let list = sum["functions"].as_array().expect("a list").iter();
        let list = list.filter(|it| it["name"] == "work").map(|it| it["calls"].as_u64());
        let mut works: Vec<_> = list.flatten().collect();
        works.sort_unstable();
        works
    };
    assert_eq!(works("one.json other.json"), [5, 7]);
    assert_eq!(works("one.json other.json both.json"), [27, 35]);
    assert_eq!(works("both.json"), [20, 30]);
    let same = text_of(&mut place.gmon("diff both.json sum.json --fail-on calls:~0"));
    assert!(same.contains("all calls equal"), "{same}");
}

/// Processes without an interpreter add none, and one version is that of all or of none.
#[test]
fn runs_of_python_add_up() {
    let place = with_builds("stacks,hz=1000");
    for (name, version, left) in [("old.1", "3.11", 3), ("old.2", "3.11", 4), ("new.1", "3.12", 5)]
    {
        let mut profile = json(&place, &format!("{name}.json"));
        profile["run"]["python"] =
            json!({ "version": version, "runs": 1000, "runs_late": 2, "runs_left": left });
        place.write(&format!("{name}.json"), profile.to_string());
    }
    text_of(&mut place.gmon("export old.2.json -o rows.jsonl"));
    for (files, version, runs, late, left) in [
        ("old.1.json rows.jsonl new.2.json", json!("3.11"), 2000, 4, 7),
        ("sum.json new.1.json", Value::Null, 3000, 6, 12),
    ] {
        let output = output_of(&mut place.gmon(&format!("merge -o sum.json {files}")));
        assert!(output.status.success(), "{output:?}");
        let expected =
            json!({ "version": version, "runs": runs, "runs_late": late, "runs_left": left });
        assert_eq!(json(&place, "sum.json")["run"]["python"], expected, "{files}");
    }
    let report = text_of(&mut place.gmon("report sum.json"));
    let line =
        "Python: calls of its functions have no counts; of 3,012 runs of its interpreter 12 could";
    assert!(report.contains(line), "{report}");
}

#[test]
fn a_folder_is_all_profiles_in_it_but_for_the_sum() {
    let place = with_builds("stacks,hz=1000");
    for file in ["old.1.json", "old.2.jsonl.gz"] {
        place.write(&format!("fleet/deep/{file}"), place.bytes(file));
    }
    place.write("fleet/README", "no profile");
    place.write("fleet/.old.json", "{");
    place.write("fleet/_SUCCESS", "{");
    for _ in 0..2 {
        text_of(&mut place.gmon("merge -o fleet/sum.json fleet"));
        assert_eq!(function(&json(&place, "fleet/sum.json"), "work")[0], 100);
    }
    // Data files in folders add up as well.
    text_of(&mut place.gmon("merge -o all.out old/1.out old/2.out"));
    place.write("data/1.out", place.bytes("old/1.out"));
    place.write("data/deep/2.out", place.bytes("old/2.out"));
    text_of(&mut place.gmon("merge -o folder.out data"));
    assert_eq!(place.bytes("folder.out"), place.bytes("all.out"));
}

#[test]
fn what_does_not_add_up_is_refused_by_name() {
    let place = with_builds("stacks,hz=1000");
    let profile = json(&place, "old.1.json");
    let changed = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut profile = profile.clone();
        profile["pid"] = 1.into();
        change(&mut profile);
        place.write(name, profile.to_string());
    };
    changed("other.json", &|it| it["program"] = "/bin/other".into());
    changed("rate.json", &|it| {
        it["sampling"]["period_ns"] = 10_000_000.into();
        it["sampling"]["rate_hz"] = 100.into();
    });
    changed("unit.json", &|it| it["sampling"]["unit"] = "faults".into());
    changed("wall.json", &|it| it["sampling"]["waits"] = true.into());
    changed("flat.json", &|it| it["sampling"]["paths"] = "none".into());
    text_of(&mut place.gmon("export old.1.json --run one -o rows.jsonl"));
    let rows = place.read("rows.jsonl");
    let lines: Vec<&str> = rows.lines().collect();
    let half = lines[..lines.len() / 2].join("\n");
    place.write("half.jsonl", &half);
    place.write("torn.jsonl", &rows[..rows.len() - 20]);
    place.write("headless.jsonl", lines[1..].join("\n"));
    let packed = place.bytes("old.2.jsonl.gz");
    place.write("torn.jsonl.gz", &packed[..packed.len() / 2]);
    for sum in ["pair.json", "pair.jsonl"] {
        text_of(&mut place.gmon(&format!("merge -o {sum} old.1.json old.2.json")));
    }
    text_of(&mut place.gmon("merge -o old/pair.full old/1.out.full old/2.out.full"));
    let options = "sampler=wall,stacks,hz=1000,out=old/wall";
    text_of(place.command(place.path("old/prog")).env("GMON_OPTIONS", options));
    let report = output_of(&mut place.gmon("report old/prog old/1.out old/wall"));
    assert!(said(&report).contains("wall.full: sampled time on the wall"), "{}", said(&report));
    // As in a sum, a process counts once; GNU gprof adds up what it is given.
    for command in ["report", "export --format json"] {
        let output = output_of(&mut place.gmon(&format!("{command} old/prog old/1.out old/1.out")));
        assert!(said(&output).contains("1.out.full: this process was added"), "{}", said(&output));
    }
    text_of(&mut place.gmon("report old/prog old/1.out old/1.out.full"));
    text_of(&mut place.gmon("gprof old/prog old/1.out.full old/1.out.full"));
    place.write("empty/README", "no profile");
    place.write("old/plain.out", place.bytes("old/2.out"));
    for (arguments, reason) in [
        (
            "-o s.json old.1.json other.json",
            "other.json: a profile of other, where those before are of prog",
        ),
        (
            "-o s.json old.1.json rate.json",
            "rate.json: sampled seconds of CPU time at 100 Hz, where",
        ),
        ("-o s.json old.1.json unit.json", "unit.json: sampled faults"),
        ("-o s.json old.1.json wall.json", "wall.json: sampled seconds of time on the wall"),
        (
            "-o s.json old.1.json flat.json",
            "flat.json: has no call stacks, where those before have call stacks",
        ),
        ("-o s.json old.1.json old.1.json", "old.1.json: process"),
        ("-o s.json old.1.json old.1.jsonl.gz", "was added already; each counts once"),
        ("-o s.json pair.json old.1.json", "was added already; each counts once"),
        ("-o s.json old.2.json pair.jsonl", "was added already; each counts once"),
        (
            "-o s.out old/1.out.full old/2.out.full old/1.out.full",
            "1.out.full: this process was added",
        ),
        ("-o s.out old/pair.full old/1.out.full", "1.out.full: this process was added"),
        (
            "-o s.out old/1.out.full old/wall.full",
            "wall.full: sampled time on the wall, where those",
        ),
        ("-o s.json half.jsonl", "half.jsonl: the samples of"),
        ("-o s.json torn.jsonl", "torn.jsonl: line"),
        ("-o s.json headless.jsonl", "before that of its run"),
        ("-o s.json torn.jsonl.gz", "torn.jsonl.gz: "),
        ("-o s.json old.1.json old/plain.out", "old/plain.out is none; export it first"),
        ("-o s.json old.1.json none.json", "none.json: No such file"),
        ("-o s.out old.1.json old.2.json", "call it s.out.json"),
        ("-o s.json empty", "neither this folder nor those below it have profiles"),
        ("--like old/prog -o s.json old.1.json", "--like is for data files"),
    ] {
        let output = output_of(&mut place.gmon(&format!("merge {arguments}")));
        assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
        assert!(said(&output).contains(reason), "{arguments}: {}", said(&output));
        assert!(!place.exists("s.json") && !place.exists("s.out"), "{arguments}");
    }
}

/// Rows are no profile before they are added up, and no program mends a full profile that was cut short.
#[test]
fn files_that_no_report_is_of_are_called_by_what_they_are() {
    let place = with_builds("stacks,hz=1000");
    text_of(&mut place.gmon("export old.1.json -o rows.jsonl"));
    let full = place.bytes("old/1.out.full");
    place.write("cut.full", &full[..full.len() / 2]);
    for (command, reason) in [
        (
            "report rows.jsonl",
            "rows.jsonl: gmon-rows/1: rows, which gmon merge -o FILE.json adds up",
        ),
        ("report cut.full", "cut.full: "),
        ("diff cut.full old.1.json", "cut.full: "),
        ("merge -o sum.json cut.full", "cut.full: "),
    ] {
        let output = output_of(&mut place.gmon(command));
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        let said = said(&output);
        assert!(said.contains(reason), "{command}: {said}");
        assert!(!said.contains("which program") && !said.contains("is not there"), "{said}");
    }
}

/// Rows tell of samples, not of the looks that took them, and which functions were inlined only.
#[test]
fn a_sum_of_rows_says_nothing_of_looks() {
    let place = with_builds("stacks,hz=1000");
    let mut profile = json(&place, "old.1.json");
    let functions = profile["functions"].as_array_mut().expect("functions");
    let cheap = functions.iter_mut().find(|it| it["name"] == "cheap").expect("a function");
    cheap["kind"] = json!("inlined");
    place.write("inlined.json", profile.to_string());
    text_of(&mut place.gmon("export inlined.json --format jsonl -o inlined.jsonl"));
    text_of(&mut place.gmon("merge -o rows.json inlined.jsonl"));
    let sum = json(&place, "rows.json");
    let functions = sum["functions"].as_array().expect("functions").iter();
    let inlined: Vec<_> = functions.filter(|it| it["kind"] == "inlined").collect();
    assert!(inlined.len() == 1 && inlined[0]["name"] == "cheap", "{inlined:?}");
    for (file, has_looks) in [("inlined.json", true), ("rows.json", false)] {
        for view in ["", "--threads", "--modules"] {
            let text = text_of(&mut place.gmon(&format!("report {file} {view}")));
            assert_eq!(text.contains("at the stacks"), has_looks, "{file} {view}: {text}");
            assert_eq!(text.contains("call stacks: "), !has_looks, "{file} {view}: {text}");
        }
    }
}

/// Sums know which code was inlined, and show it as the profiles of one build do; rows tell it of functions that were
/// inlined only.
#[test]
fn inlined_code_is_inlined_in_sums_too() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "volatile unsigned long sum;
        static inline __attribute__((always_inline)) void part(int n) { for (int i = 0; i < n; i++) sum += i; }
        __attribute__((noinline)) void work(int n) { part(n); sum++; }
        int main(void) { for (int i = 0; i < 200; i++) work(1000000); return 0; }
        ",
    );
    place.must(&format!("{} cc gcc -O2 -g prog.c -o prog", crate::GMON));
    let mut run = place.command(place.path("prog"));
    text_of(run.env("GMON_OPTIONS", "stacks,hz=1000"));
    for file in ["one.json", "one.jsonl"] {
        text_of(&mut place.gmon(&format!("export prog -o {file}")));
    }
    text_of(&mut place.gmon("merge -o sum.json one.json"));
    text_of(&mut place.gmon("merge -o rows.json one.jsonl"));
    let rows = |file: &str, inlines: &str| -> Vec<String> {
        let text = text_of(&mut place.gmon(&format!("report {file} --inlines {inlines}")));
        let rows = text.lines().filter(|line| line.starts_with(' '));
        let mut rows: Vec<String> = rows.map(str::to_owned).collect();
        // Rows of equal times have no order.
        rows.sort_unstable();
        rows
    };
    for inlines in ["show", "large", "fold"] {
        assert_eq!(rows("sum.json", inlines), rows("one.json", inlines), "{inlines}");
    }
    for (inlines, is_apart) in [("show", true), ("fold", false)] {
        let rows = rows("rows.json", inlines);
        let has_it = rows.iter().any(|row| row.ends_with(" part (inlined)"));
        assert_eq!(has_it, is_apart, "{rows:?}");
        assert!(is_apart || !rows.iter().any(|row| row.contains(" part")), "{rows:?}");
    }
}

#[test]
fn threads_of_one_name_are_one_in_sums_by_name() {
    let place = with_builds("stacks,hz=1000");
    for (first, run) in [(10, "old.1"), (20, "old.2")] {
        let mut profile = json(&place, &format!("{run}.json"));
        let threads = [0, 1, 2].map(|id| {
            let mut thread = profile["threads"][0].clone();
            (thread["id"], thread["tid"]) = (json!(id), json!(first + id));
            thread["name"] = json!("worker");
            thread
        });
        profile["threads"] = json!(threads);
        place.write(&format!("{run}.threads.json"), profile.to_string());
        let export = format!("export {run}.threads.json -o {run}.threads.jsonl");
        text_of(&mut place.gmon(&export));
    }
    for kind in ["json", "jsonl"] {
        let sum = format!("workers.{kind}.json");
        let files = format!("old.1.threads.{kind} old.2.threads.{kind}");
        text_of(&mut place.gmon(&format!("merge -o {sum} {files}")));
        let sum = json(&place, &sum);
        let threads = sum["threads"].as_array().expect("threads");
        assert!(threads.len() == 1 && threads[0]["name"] == "worker", "{kind}: {threads:?}");
    }
}

/// A sum of runs that counted different calls says so.
#[test]
fn calls_that_not_all_profiles_counted_are_told() {
    let place = with_builds("stacks,hz=1000");
    let mut profile = json(&place, "old.1.json");
    for function in profile["functions"].as_array_mut().expect("functions") {
        function["calls"] = Value::Null;
    }
    (profile["arcs"], profile["pid"]) = (json!([]), json!(1));
    place.write("uncounted.json", profile.to_string());
    let merged =
        |files: &str| said(&output_of(&mut place.gmon(&format!("merge -o sum.json {files}"))));
    let said = merged("old.1.jsonl.gz uncounted.json old.2.json");
    let warning = "calls of the program's functions were counted in 2 of 3 profiles only";
    assert!(said.contains(warning), "{said}");
    assert_eq!(merged("old.1.jsonl.gz old.2.json"), "");
}

#[test]
fn full_profiles_of_several_builds_add_up_by_name() {
    let place = with_builds("stacks,hz=1000");
    let (files, text) = ("old/1.out.full old/2.out.full new/1.out.full", "2 builds of prog");
    let merged = |arguments: &str| output_of(&mut place.gmon(&format!("merge {arguments}")));
    let output = merged(&format!("-o sum.json {files} new.2.json"));
    assert!(output.status.success() && said(&output).contains(text), "{output:?}");
    merged("-o exported.json old.1.json old.2.json new.1.json new.2.json");
    assert_eq!(function(&json(&place, "sum.json"), "work")[0], 2 * (40 + 10) + 2 * (120 + 10));
    let [sum, expected] = ["sum.json", "exported.json"].map(|name| json(&place, name));
    for part in ["functions", "arcs", "stacks", "sampling"] {
        assert_eq!(sum[part], expected[part], "{part}");
    }
    // As a full profile, the sum keeps the builds apart and says what to do.
    let output = merged(&format!("-o sum.full {files}"));
    let advice = "stay apart in sum.full; gmon merge -o sum.full.json adds them up by name";
    assert!(output.status.success() && said(&output).contains(text), "{output:?}");
    assert!(said(&output).contains(advice), "{output:?}");
    let output = merged("-o one.full old/1.out.full old/2.out.full");
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));

    // Names are those of the build that ran, or none at all.
    place.write("new/prog", place.bytes("old/prog"));
    let output = merged("-o other.json new/1.out.full");
    let reason = "new/prog is not the build that wrote it; export the profile with that build: gmon export PROGRAM new/1.out.full";
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains(reason), "{output:?}");
    place.must("rm new/prog");
    let output = merged("-o other.json new/1.out.full");
    let reason = "new/1.out.full: the program that wrote it is not there any more";
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains(reason), "{output:?}");
    place.write("old/plain.out", place.bytes("old/2.out"));
    let output = merged("-o other.json old/1.out.full old/plain.out");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains("old/plain.out is none; export it first"), "{output:?}");
    let output = merged("-o other old.1.json old/2.out.full");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains("a file that ends in .json"), "{output:?}");
    assert!(!place.exists("other") && !place.exists("other.json"));
}

/// Without the linker's build id, a hash of the code tells builds apart: FNV-1a of `.text`.
#[test]
fn builds_without_build_ids_are_told_apart_by_their_code() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    let mut keys = Vec::new();
    for (side, calls) in [("old", 1), ("new", 3)] {
        let words = format!("gcc -O1 -DCHEAP={calls} -Wl,--build-id=none prog.c -o {side}/prog");
        place.write(&format!("{side}/note.txt"), "no profile");
        place.must(&format!("{} cc {words}", crate::GMON));
        place.must(&format!("objcopy -O binary -j .text {side}/prog {side}.text"));
        let hash = place
            .bytes(&format!("{side}.text"))
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
            });
        let key = format!("text:{hash:016x}");
        for (number, options) in ["hz=1000", "stacks,hz=1000"].into_iter().enumerate() {
            let mut command = place.command(place.path(&format!("{side}/prog")));
            text_of(command.env("GMON_OPTIONS", format!("{options},out={side}/{number}.out")));
            let data = format!("{side}/prog {side}/{number}.out");
            text_of(&mut place.gmon(&format!("export {data} -o {side}.{number}.json")));
            text_of(&mut place.gmon(&format!("export {data} -o {side}.{number}.jsonl")));
            text_of(&mut place.gmon(&format!("export {data} -o {side}.{number}.pb.gz")));
            let profile = json(&place, &format!("{side}.{number}.json"));
            assert_eq!(profile["modules"][0]["build_id"], key.as_str(), "{options}");
            let rows = place.read(&format!("{side}.{number}.jsonl"));
            let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).expect("JSON"));
            let work = rows.filter(|row| row["kind"] == "arc" && row["name"] == "work");
            let ids: Vec<Value> = work.map(|row| row["build_id"].clone()).collect();
            assert!(ids.len() == 2 && ids.iter().all(|id| *id == key), "{ids:?}");
            // Nobody else knows such a key, so readers that look for files by it do not get it.
            place.must(&format!("gunzip {side}.{number}.pb.gz"));
            let pprof = place.bytes(&format!("{side}.{number}.pb"));
            assert!(!pprof.windows(5).any(|text| text == b"text:"), "{options}");
        }
        keys.push(key);
    }
    assert_ne!(keys[0], keys[1]);
    let output = output_of(&mut place.gmon("merge -o sum.json old.0.json new.0.jsonl"));
    assert!(said(&output).contains("2 builds of prog"), "{output:?}");
    // Nothing says whether the program is still that which ran.
    let output = output_of(&mut place.gmon("merge -o sum.json old/1.out.full"));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains("gmon export PROGRAM old/1.out.full"), "{output:?}");
}

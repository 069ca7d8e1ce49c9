//! Differences of real builds.

use std::collections::BTreeMap;
use std::fs;

use assert_cmd::prelude::*;
use support::{
    command::{go, output_of, quiet},
    tools,
    workplace::Workplace,
};

use super::diff;

/// `parse` calls `work`; a build may call `parse` once more. `look` is local to its file, and so are both `step`s.
const PROGRAM: &str = r#"
    #ifndef EXTRA
    #define EXTRA 0
    #endif
    volatile unsigned long sum;
    int other(void);
    __attribute__((noinline)) void work(int n) { for (int i = 0; i < n * 1000; i++) sum += i; }
    __attribute__((noinline)) void parse(int n) { work(n); sum++; }
    __attribute__((noinline)) static void step(void) { sum++; }
    int main(void)
    {
        for (int i = 0; i < 300; i++)
            parse(300);
        for (int i = 0; i < EXTRA; i++)
            parse(1);
        step();
        return other();
    }
"#;
const OTHER: &str = r#"
    #ifndef STEPS
    #define STEPS 3
    #endif
    extern volatile unsigned long sum;
    __attribute__((noinline)) static void step(void) { sum++; }
    int other(void) { for (int i = 0; i < STEPS; i++) step(); return 0; }
"#;

/// Builds the program into a folder of its own, and runs it.
fn build_and_run(place: &Workplace, side: &str, flags: &str, options: &str) {
    place.write(&format!("{side}/prog.c"), PROGRAM);
    place.write(&format!("{side}/other.c"), OTHER);
    let line = format!("cc gcc -g -O1 {flags} {side}/prog.c {side}/other.c -o {side}/prog");
    place.gmon(&line).assert().success();
    let mut program = place.command(place.path(side).join("prog"));
    program.current_dir(place.path(side)).env("GMON_OPTIONS", options);
    program.assert().success();
    place.gmon(&format!("export {side}/prog {side}/gmon.out -o {side}.json")).assert().success();
}

#[test]
fn one_more_call_is_found_with_its_caller() {
    for options in ["hz=1000", "stacks,hz=1000"] {
        let place = Workplace::new();
        build_and_run(&place, "base", "", options);
        build_and_run(&place, "new", "-DEXTRA=1", options);
        // Profiles in JSON, data files with their programs, and full profiles say so alike.
        let data = "base/gmon.out new/gmon.out --base-program base/prog --new-program new/prog";
        let full = "base/gmon.out.full new/gmon.out.full";
        for files in
            ["base.json new.json", data, full, "base.json new/gmon.out --new-program new/prog"]
        {
            if files == full && !options.contains("stacks") {
                continue;
            }
            let (code, text, said) = diff(&place, &format!("{files} --fail-on calls:+0"));
            assert_eq!((code, said.as_str()), (Some(3), ""), "{files}: {text}");
            for line in [
                "EXCEEDED calls:+0: parse was called 300 → 301 times (+1); by main 300 → 301 times (+1)\n",
                "EXCEEDED calls:+0: work was called 300 → 301 times (+1); by parse 300 → 301 times (+1)\n",
                "             300              301            +1  parse\n",
                "             300              301            +1    by main\n",
            ] {
                assert!(text.contains(line), "{files}: {text}");
            }
        }
        let (code, text, _) = diff(&place, "base.json new.json --fail-on calls(other*):+0");
        assert_eq!(code, Some(0), "{text}");
    }
}

/// A run that ends before its first sample has no stacks, so it does not know who in libc calls `main`.
#[test]
fn calls_from_libraries_are_equal_with_and_without_stacks() {
    let place = Workplace::new();
    for (side, options) in [("none", "sampler=none"), ("stacks", "stacks,hz=1000")] {
        build_and_run(&place, side, "", options);
    }
    let data = fs::read(place.path("stacks.json")).expect("a profile");
    assert!(String::from_utf8_lossy(&data).contains("__libc_start"), "no caller in libc");
    for files in [["none", "stacks"], ["stacks", "none"]] {
        let files = files.map(|side| format!("{side}.json")).join(" ");
        let (code, text, _) = diff(&place, &format!("{files} --fail-on calls:+0"));
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("all calls equal"), "{files}: {text}");
    }
    // The runs of one side may differ in this, too.
    fs::copy(place.path("none.json"), place.path("again.json")).expect("a copy");
    build_and_run(&place, "none", "", "stacks,hz=1000");
    fs::rename(place.path("none.json"), place.path("both.json")).expect("a profile");
    let (_, text, said) = diff(&place, "--base again.json both.json --new stacks.json");
    assert!(text.contains("all calls equal"), "{text} {said}");
}

#[test]
fn local_functions_of_one_name_are_told_apart_by_their_files() {
    let place = Workplace::new();
    build_and_run(&place, "base", "", "hz=100");
    build_and_run(&place, "new", "-DSTEPS=5", "hz=100");
    let (code, text, _) = diff(&place, "base.json new.json --fail-on calls:+0");
    assert_eq!(code, Some(3), "{text}");
    let failures: Vec<_> = text.lines().filter(|line| line.starts_with("EXCEEDED ")).collect();
    assert_eq!(
        failures,
        ["EXCEEDED calls:+0: step was called 3 → 5 times (+2); by other 3 → 5 times (+2)"]
    );
}

/// Link-time optimization numbers local functions of one name in the order of their files.
#[test]
fn local_functions_are_told_apart_by_their_files_after_link_time_optimization() {
    let place = Workplace::new();
    for (file, calls) in [("a", 1000), ("b", 2000), ("c", 3000)] {
        let source = format!(
            "extern volatile int sum;
            __attribute__((noipa)) static int work(int n) {{ return sum += n; }}
            void run_{file}(void) {{ for (int i = 0; i < {calls}; i++) work(i); }}"
        );
        place.write(&format!("{file}.c"), source);
    }
    let main = "volatile int sum; void run_a(void), run_b(void), run_c(void);
        int main(void) { run_a(); run_b(); run_c(); return 0; }";
    place.write("m.c", main);
    for (side, order) in [("base", "m.c a.c b.c c.c"), ("new", "m.c c.c b.c a.c")] {
        place.gmon(&format!("cc gcc -O2 -flto -g {order} -o {side}")).assert().success();
        place.command(place.path(side)).assert().success();
        place.gmon(&format!("export {side} gmon.out -o {side}.json")).assert().success();
    }
    let (code, text, _) = diff(&place, "base.json new.json --fail-on calls:~0");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("all calls equal"), "{text}");
    let base = String::from_utf8_lossy(&place.bytes("base.json")).into_owned();
    place.write("more.json", base.replace(r#""calls":2000"#, r#""calls":2001"#));
    let (code, text, _) = diff(&place, "more.json new.json --fail-on calls:-0");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.starts_with("EXCEEDED calls:-0: work was called 2,001 → 2,000 times"), "{text}");
}

#[test]
fn the_program_of_another_build_is_refused() {
    let place = Workplace::new();
    build_and_run(&place, "base", "", "stacks,hz=1000");
    build_and_run(&place, "new", "-DEXTRA=1", "stacks,hz=1000");
    let (code, _, said) = diff(
        &place,
        "base/gmon.out.full new/gmon.out.full --base-program new/prog --fail-on calls:+0",
    );
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("base/gmon.out.full") && said.contains("another build"), "{said}");
}

#[test]
fn folded_stacks_have_the_samples_of_both_sides() {
    let place = Workplace::new();
    build_and_run(&place, "base", "", "stacks,hz=1000");
    build_and_run(&place, "new", "-DEXTRA=1", "stacks,hz=1000");
    let (code, folded, _) = diff(&place, "base.json new.json --format folded");
    assert_eq!(code, Some(0));
    let (mut sums, mut below_main) = ([0; 2], 0);
    for line in folded.lines() {
        let mut words = line.rsplitn(3, ' ');
        let numbers: Vec<u64> =
            words.by_ref().take(2).map(|word| word.parse().expect("a number")).collect();
        (sums[1], sums[0]) = (sums[1] + numbers[0], sums[0] + numbers[1]);
        if words.next().is_some_and(|stack| stack.contains("main")) {
            below_main += numbers[0] + numbers[1];
        }
    }
    // Of what comes before it and after it there may be a sample or two.
    assert!(below_main > 0 && below_main * 10 >= (sums[0] + sums[1]) * 9, "{folded}");
    for (side, sum) in ["base.json", "new.json"].into_iter().zip(sums) {
        let profile: serde_json::Value = serde_json::from_str(&place.read(side)).expect("JSON");
        assert_eq!(profile["sampling"]["samples"], sum, "{folded}");
    }
    let file = place.write("pairs.folded", &folded);
    if let Some(inferno) = tools::find("inferno-flamegraph") {
        let output = output_of(quiet(inferno).arg(file));
        let svg = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && svg.contains("work (") && svg.contains("parse ("),
            "{output:?}"
        );
    }
    // Without stacks there is nothing to fold.
    build_and_run(&place, "plain", "", "hz=1000");
    let (code, text, said) = diff(&place, "base.json plain.json --format folded");
    assert_eq!((code, text.as_str()), (Some(1), ""), "{said}");
    assert!(said.contains("not all profiles have call stacks"), "{said}");
}

/// `pprof -diff_base` of both exports, by function; nothing without pprof.
fn pprof_differences(place: &Workplace, kind: &str) -> Option<BTreeMap<String, i64>> {
    tools::find("go")?;
    for side in ["base", "new"] {
        place.gmon(&format!("export {side}.json -o {side}.pb.gz")).assert().success();
    }
    let mut go = go();
    go.env("PPROF_TMPDIR", place.folder()).current_dir(place.folder());
    let words = ["tool", "pprof", "-symbolize=none", "-top", "-nodecount=0", "-nodefraction=0"];
    let index = format!("-sample_index={kind}");
    let output = output_of(go.args(words).args([&index, "-diff_base", "base.pb.gz", "new.pb.gz"]));
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = text.lines().skip_while(|line| !line.trim_start().starts_with("flat ")).skip(1);
    let mut differences = BTreeMap::new();
    for row in rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        let flat: i64 = words[0].parse().unwrap_or_else(|_| panic!("{row}"));
        let name = words[5..].join(" ").replace(" (inline)", "");
        if flat != 0 {
            *differences.entry(name).or_default() += flat;
        }
    }
    Some(differences)
}

#[test]
fn pprof_shows_the_same_differences() {
    for options in ["hz=1000", "stacks,hz=1000"] {
        let place = Workplace::new();
        build_and_run(&place, "base", "", options);
        build_and_run(&place, "new", "-DEXTRA=40", options);
        let (_, text, _) = diff(&place, "base.json new.json --format json");
        let ours: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let sum = |runs: &serde_json::Value| {
            runs.as_array().into_iter().flatten().filter_map(serde_json::Value::as_i64).sum::<i64>()
        };
        let [mut samples, mut calls] = [BTreeMap::new(), BTreeMap::new()];
        for function in ours["functions"].as_array().expect("functions") {
            let name = function["display"].as_str().expect("a name").to_owned();
            for (list, of) in [(&mut samples, &function["self"]), (&mut calls, &function["calls"])]
            {
                *list.entry(name.clone()).or_insert(0) += sum(&of["new"]) - sum(&of["base"]);
            }
        }
        for (kind, mut expected) in [("samples", samples), ("calls", calls)] {
            expected.retain(|_, difference| *difference != 0);
            let Some(found) = pprof_differences(&place, kind) else { return };
            assert_eq!(found, expected, "{options}, {kind}");
            assert!(kind != "calls" || found["parse"] == 40, "{found:?}");
        }
    }
}

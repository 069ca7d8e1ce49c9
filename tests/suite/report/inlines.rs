//! Inlined code apart and as a part of the function that has it, and callers from the hottest code outwards.

use std::collections::BTreeMap;

use super::from_json::{exported, table};
use super::{SUITE, number, report, row};
use crate::page;
use serde_json::Value;
use support::command::{gmon, output_of, said, text_of};
use support::compilers::GCC;
use support::modes::NO_PROFILE;
use support::program::Program;
use support::tools;
use support::workplace::Workplace;

fn program() -> Program {
    run("inlines.c")
}

fn run(source: &str) -> Program {
    let program = SUITE.build(source, "default", &["-O2", "-g", "-fno-optimize-sibling-calls"]);
    let output = program.run(&[], &[("GMON_OPTIONS", "record,hz=1000")]);
    assert_eq!((output.status.success(), said(&output)), (true, String::new()), "{output:?}");
    program
}

/// The rows of inlined functions.
fn inlined(text: &str) -> Vec<&str> {
    let rows = text.lines().filter_map(|line| line.strip_suffix(" (inlined)"));
    let mut names: Vec<_> = rows.filter_map(|row| row.split_whitespace().last()).collect();
    names.sort_unstable();
    names
}

#[test]
fn inlined_code_is_apart_or_a_part_of_its_function() {
    let program = program();
    let [all, usual, none] = [&["--inlines", "show"][..], &[], &["--inlines", "fold"]]
        .map(|options| report(&program, &[&["--top", "50"], options].concat()));
    assert_eq!(inlined(&all), ["large", "little"], "{all}");
    assert_eq!(inlined(&usual), ["large"], "{usual}");
    assert!(inlined(&none).is_empty(), "{none}");

    // No sample is lost: totals agree, and the function has what the inlined ones had.
    let own = |text: &str, name: &str| {
        let rows = text.lines().filter(|line| line.split_whitespace().any(|word| word == name));
        rows.filter_map(|row| row.split_whitespace().next().map(number)).sum::<f64>()
    };
    let parts = own(&all, "host") + own(&all, "little") + own(&all, "large");
    assert!((own(&none, "host") - parts).abs() < 0.0015, "{all}\n{none}");
    assert_eq!(row(&all, "host")[2], row(&none, "host")[2], "{all}\n{none}");

    // Callers and callees say of a function what the list does.
    for (list, options) in
        [(&all, &["--inlines", "show"][..]), (&usual, &[]), (&none, &["--inlines", "fold"])]
    {
        let calls = report(&program, &[&["--calls", "host"], options].concat());
        let itself = format!(", {} of them in itself", row(list, "host")[0]);
        assert!(calls.contains(&itself), "{itself}: {calls}");
    }

    // Who asks for one by name gets it, whatever else is folded.
    for (name, options) in
        [("little", &[][..]), ("little", &["--inlines", "fold"]), ("large", &["--inlines", "fold"])]
    {
        let calls = report(&program, &[&["--calls", name], options].concat());
        let inlined = all.lines().find(|line| line.ends_with(&format!(" {name} (inlined)")));
        let total = inlined.and_then(|line| line.split_whitespace().nth(2));
        assert_eq!(Some(row(&calls, "host")[0]), total, "{calls}\n{all}");
    }
    let tree = report(&program, &["--tree", "--cut", "0", "--inlines", "show"]);
    assert_eq!(inlined(&tree), ["large", "little"], "{tree}");
}

#[test]
fn calls_by_folded_code_are_those_of_its_function() {
    let program = run("folded.c");
    let json = exported(&program);
    for (function, caller) in [("leaf", "outer"), ("leaf", "other"), ("middle", "outer")] {
        let calls = report(&program, &["--calls", function]);
        let again = text_of(gmon().arg("report").arg(&json).args(["--calls", function]));
        assert_eq!(table(&again), table(&calls));
        let expected = if function == "leaf" { "2,000" } else { "-" };
        assert!(row(&calls, caller).contains(&expected), "{calls}");
    }
}

#[test]
fn inlined_code_is_chosen_as_other_code_is() {
    let program = run("folded.c");
    let json = exported(&program);
    let chosen = |samples: &str| {
        let text = report(&program, &["--only", samples]);
        let again = gmon().arg("report").arg(&json).args(["--only", samples]).output();
        let again = again.expect("gmon").stdout;
        // An exported profile does not know lines of functions.
        let is_line = samples.ends_with(|last: char| last.is_ascii_digit());
        assert!(is_line || table(&String::from_utf8_lossy(&again)) == table(&text), "{samples}");
        let head = text.lines().next().and_then(|line| line.split_once(": ")).expect("a head").1;
        head.split(' ').next().map(number).expect("a time")
    };
    let called = chosen("outer/leaf");
    assert!(called > 0.0);
    for (samples, expected) in [
        ("middle/leaf", called),
        ("outer/middle", chosen("middle")),
        ("folded.c:middle", chosen("middle")),
        ("folded.c:10", chosen("middle")),
        ("middle/", called),
        ("/leaf", chosen("leaf")),
        ("main/leaf", 0.0),
    ] {
        assert!((chosen(samples) - expected).abs() < 1e-9, "{samples}");
    }
    let rest = chosen("leaf") - chosen("other/leaf");
    assert!((called - rest).abs() < 0.0011, "{called} {rest}");
}

/// A function is inlined where it is: what it does in its own code is its own.
#[test]
fn a_function_that_is_inlined_in_one_place_keeps_its_own_code() {
    let flags = ["-O2", "-g"];
    keeps_its_own_code(&SUITE.build_by(GCC, "inlined_once.c", &NO_PROFILE, &flags));
    // A function whose other copy is counted is like the rest, as it is in parts of the run, which have no counts.
    keeps_its_own_code(&SUITE.build("inlined_once.c", "default", &flags));
}

fn keeps_its_own_code(program: &Program) {
    let output =
        output_of(gmon().current_dir(program.path("")).arg("run").arg(&program.executable));
    assert!(output.status.success(), "{output:?}");
    let json = program.path("profile.json");
    let mut command = gmon();
    command.args(["export", "--format", "json", "-o"]).arg(&json).arg(&program.executable);
    text_of(command.arg(program.data()));
    for inlines in ["fold", "large", "show"] {
        let options = ["--inlines", inlines];
        let text = report(program, &options);
        let own = |text: &str, name: &str| number(row(text, name)[0]);
        let [inside, both] = ["inside", "both"].map(|name| own(&text, name));
        // Calls are those of the other copy, so a time per call would be wrong.
        assert!(inlines != "show" || row(&text, "both")[5] == "-", "{text}");
        for part in [&[][..], &["--from", "0s"]] {
            let mut json_report = gmon();
            json_report.arg("report").arg(&json).args(options).args(part);
            let options = [&options[..], part].concat();
            for again in [text_of(&mut json_report), report(program, &options)] {
                let own = ["inside", "both"].map(|name| own(&again, name));
                assert_eq!(own, [inside, both], "{options:?}: {text}{again}");
            }
        }
        assert!(inlines != "fold" || (inside > both / 3.0 && both > inside / 3.0), "{text}");
    }
}

#[test]
fn inlined_functions_have_the_scopes_that_they_stand_in() {
    if tools::find("g++").is_none() {
        return;
    }
    let program = SUITE.build("scopes.cc", "default", &["-O2", "-g"]);
    assert!(program.run(&[], &[("GMON_OPTIONS", "record,hz=1000")]).status.success());
    let text = report(&program, &["--top", "50", "--inlines", "show", "--names", "short"]);
    for name in [
        "app::of_namespace (inlined)",
        "app::(anonymous namespace)::Scorer::score (inlined)",
        "app::work::{lambda#1}::operator() (inlined)",
        "app::work::{lambda#2}::operator() (inlined)",
    ] {
        assert!(text.lines().any(|line| line.ends_with(name)), "{name}: {text}");
    }
    let callers = report(&program, &["--calls", "Scorer::score"]);
    assert!(callers.contains("app::work"), "{callers}");
    let mut annotate = gmon();
    annotate.args(["annotate", "--function", "score"]).arg(&program.executable).arg(program.data());
    let source = text_of(&mut annotate);
    assert!(source.contains("sum * 31"), "{source}");
}

/// The numbers of a list.
fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|it| it.as_u64().expect("a number")).collect()
}

/// Times of functions in themselves and in all, by name, of the summary and of the page.
fn times(program: &Program, options: &[&str]) -> [BTreeMap<String, [u64; 2]>; 2] {
    let text = report(
        program,
        &[&["--top", "1000", "--format", "json", "--names", "plain"], options].concat(),
    );
    let summary: Value = serde_json::from_str(&text).expect("JSON");
    let rows = summary["tables"][0]["rows"].as_array().expect("rows").iter();
    let rows = rows.filter_map(|row| {
        let times = [row["self_ns"].as_u64()?, row["total_ns"].as_u64()?];
        Some((row["function"].as_str()?.to_owned(), times))
    });
    let folder = Workplace::new();
    let path = folder.path("page.html");
    let mut command = gmon();
    command.arg("report").args(options).arg("--html").arg(&path);
    text_of(command.arg(&program.executable).arg(program.data()));
    let data = page::data(&path);
    times_are_of_nodes(&data);
    let functions = &data["functions"];
    let names = functions["name"].as_array().expect("names").iter();
    let times = numbers(&functions["self"]).into_iter().zip(numbers(&functions["total"]));
    let hooks = data["hooks"].as_u64().map(|hooks| hooks as usize);
    let of_page = names.zip(times).enumerate().filter(|(id, (_, (_, total)))| {
        let is_called = !functions["calls"][id].is_null();
        Some(*id) != hooks && (is_called || *total > 0)
    });
    let of_page = of_page
        .map(|(_, (name, (own, total)))| (name.as_str().expect("a name").to_owned(), [own, total]));
    [rows.collect(), of_page.collect()]
}

/// The samples over time name nodes of the tree, and are all that these have.
fn times_are_of_nodes(data: &Value) {
    let (over, tree) = (&data["overTime"], &data["tree"]);
    let own = numbers(&tree["self"]);
    let mut sums = vec![0; own.len()];
    let [steps, threads, nodes, samples] =
        ["step", "thread", "node", "samples"].map(|name| numbers(&over[name]));
    let (mut thread_before, mut node_before) = (u64::MAX, 0);
    for (((step, thread), node), samples) in steps.iter().zip(threads).zip(nodes).zip(samples) {
        let is_next = *step == 0 && thread == thread_before;
        let node = if is_next { node_before + node } else { node };
        sums[node as usize] += samples;
        (thread_before, node_before) = (thread, node);
    }
    assert_eq!(sums, own, "{over}");
}

#[test]
fn the_page_folds_inlined_code_as_the_summary_does() {
    let program = program();
    for (options, apart) in [
        (&[][..], &["large"][..]),
        (&["--inlines", "show"], &["large", "little"]),
        (&["--inlines", "fold"], &[]),
    ] {
        let [summary, page] = times(&program, options);
        assert_eq!(summary, page, "{options:?}");
        let inlined = ["large", "little"].into_iter().filter(|name| page.contains_key(*name));
        assert_eq!(inlined.collect::<Vec<_>>(), apart, "{options:?}: {page:?}");
        assert!(page["host"][0] > 0, "{page:?}");
    }
}

#[test]
fn callers_of_the_hottest_code_stand_below_it() {
    let program = program();
    let text = report(&program, &["--bottom-up", "--inlines", "fold"]);
    let names: Vec<_> =
        text.lines().skip(4).filter_map(|line| line.split_whitespace().nth(2)).collect();
    // Those that called each other are on the way once.
    assert_eq!(names[..4], ["host", "forth", "back", "main"], "{text}");
    let depths = text.lines().skip(4).take(4).map(|line| {
        let at = line.find(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        at.expect("a name")
    });
    assert!(depths.clone().zip(depths.skip(1)).all(|(above, below)| below == above + 2), "{text}");

    // The tree has one branch for all depths, too.
    let tree = report(&program, &["--tree", "--cut", "0"]);
    assert_eq!(tree.lines().filter(|line| line.ends_with("forth")).count(), 1, "{tree}");

    let mut command = gmon();
    command.args(["report", "--cut", "3"]).arg(&program.executable).arg(program.data());
    let output = output_of(&mut command);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--tree"), "{output:?}");
}

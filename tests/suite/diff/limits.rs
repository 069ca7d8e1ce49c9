//! Limits of calls, and that no limit holds where there is nothing to judge.

use std::process::{Command, Stdio};

use serde_json::{Value, json};
use support::command::said;
use support::workplace::Workplace;

use super::diff;
use super::documents::{Function, document, runs};

const ONE: [Function<'_>; 3] = [("main", 1, 30), ("parse", 100, 60), ("parse_all", 3, 10)];

#[test]
fn counts_are_facts() {
    let place = Workplace::new();
    let mut more = ONE.to_vec();
    (more[1].1, more[2].1) = (101, 2);
    more.push(("fresh", 5, 0));
    runs(&place, "base", &[ONE.to_vec()]);
    runs(&place, "new", &[more]);
    for (limit, status, lines) in [
        (
            "calls:+0",
            3,
            &[
                "parse was called 100 → 101 times (+1); by main 100 → 101 times (+1)",
                "fresh (only in new) was called 0 → 5",
            ][..],
        ),
        ("calls(parse*):+0", 3, &["parse was called"]),
        ("calls(parse*):+1", 0, &[]),
        ("calls(parse*):+0.5%", 3, &["parse was called"]),
        ("calls(parse*):+1%", 0, &[]),
        ("calls(parse*):-0", 3, &["parse_all was called 3 → 2 times (-1)"]),
        ("calls(parse*):~0", 3, &["parse was called", "parse_all was called"]),
        ("calls(main):~0", 0, &[]),
        ("calls(main>parse):+0", 3, &["main calls parse 100 → 101 times (+1)"]),
        (
            "calls(*>*):~0",
            3,
            &["main calls parse 1", "main calls parse_all", "main calls fresh 0 → 5"],
        ),
    ] {
        let (code, text, _) = diff(&place, &format!("base.1.json new.1.json --fail-on {limit}"));
        assert_eq!(code, Some(status), "{limit}: {text}");
        let failures: Vec<_> = text.lines().filter(|line| line.starts_with("EXCEEDED ")).collect();
        assert_eq!(failures.len(), lines.len(), "{limit}: {text}");
        for line in lines {
            assert!(
                failures.iter().any(|failure| failure.contains(line)),
                "{limit} {line}: {text}"
            );
        }
    }
    // The failures are in every format, and on the standard error stream unless the text has them.
    for format in ["text", "markdown", "json"] {
        let words =
            format!("base.1.json new.1.json --fail-on calls(main>parse):+0 --format {format}");
        let (code, text, said) = diff(&place, &words);
        assert_eq!((code, said.is_empty()), (Some(3), format == "text"), "{said}");
        assert!(text.to_lowercase().contains("exceeded"), "{text}");
    }
}

#[test]
fn counts_are_exact_however_large() {
    let place = Workplace::new();
    let base = (1 << 53) + 1;
    let side = |count| vec![vec![("main", 1, 9), ("work", count, 9)]];
    runs(&place, "base", &side(base));
    runs(&place, "new", &side(base + 1));
    let (_, text, _) = diff(&place, "base.1.json new.1.json --format csv");
    assert!(text.contains(&format!(",{base},{},1\n", base + 1)), "{text}");
    let (_, text, _) = diff(&place, "base.1.json new.1.json --format json");
    let comparison: Value = serde_json::from_str(&text).expect("JSON");
    let rows = comparison["tables"][1]["rows"].as_array().expect("rows");
    assert!(rows.iter().any(|it| it["base"] == base && it["new"] == base + 1), "{rows:?}");
}

#[test]
fn counts_that_vary_need_runs() {
    let place = Workplace::new();
    let side = |counts: &[u64]| -> Vec<Vec<Function<'static>>> {
        counts.iter().map(|count| vec![("main", 1, 9), ("work", *count, 9)]).collect()
    };
    for (base, new, limit, status, what) in [
        (
            &[10, 11, 12, 10, 11][..],
            &[20, 21, 22, 20, 21][..],
            "calls:+0",
            3,
            "work was called 10…12 → 20…22 times (≈+10)",
        ),
        (
            &[10, 11, 12, 10, 11],
            &[12, 21, 22, 20, 21],
            "calls:+0",
            0,
            "kept calls:+0: 2 functions judged, 1 count varies",
        ),
        (
            &[10, 11, 12],
            &[20, 21, 22],
            "calls(work):+0",
            1,
            "all such counts vary from run to run, and 3 and 3 runs",
        ),
        (&[10, 10, 10], &[11, 11, 11], "calls(work):+0", 3, "work was called 10 → 11 times (+1)"),
    ] {
        let (base, new) = (runs(&place, "base", &side(base)), runs(&place, "new", &side(new)));
        let (code, text, _) = diff(&place, &format!("--base {base} --new {new} --fail-on {limit}"));
        assert_eq!(code, Some(status), "{text}");
        assert!(text.contains(what), "{what}: {text}");
    }
    let sides = [side(&[1000, 1200, 1800]), side(&[5000, 4000])];
    let (base, new) = (runs(&place, "base", &sides[0]), runs(&place, "new", &sides[1]));
    for format in ["text", "markdown", "json"] {
        let (_, text, _) = diff(&place, &format!("--base {base} --new {new} --format {format}"));
        assert!(text.contains(", calls of 1 function vary"), "{text}");
    }
}

#[test]
fn many_counts_that_vary_need_more_runs_than_one() {
    let place = Workplace::new();
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    // The ranges of `a` are apart, as those of one in 126 functions are by chance.
    let side = |first: u64| -> Vec<Vec<Function<'static>>> {
        let run = |run: u64| {
            let count = |name| if name == "a" { first + run } else { 10 + run };
            let varying = names.map(|name| (name, count(name), 9));
            varying.into_iter().chain([("main", 1, 9)]).collect()
        };
        (0..5).map(run).collect()
    };
    let (base, new) = (runs(&place, "base", &side(10)), runs(&place, "new", &side(20)));
    for (limit, status, what) in [
        ("calls:~0", 0, "kept calls:~0: 8 functions judged, 7 counts vary"),
        ("calls(a):~0", 3, "a was called 10…14 → 20…24 times (≈+10)"),
        ("calls(?):~0", 1, "5 and 5 runs cannot show a difference; take 7 of each"),
    ] {
        let (code, text, _) = diff(&place, &format!("--base {base} --new {new} --fail-on {limit}"));
        assert_eq!(code, Some(status), "{text}");
        assert!(text.contains(what) && text.contains("calls of 7 functions vary"), "{text}");
    }
}

/// `malloc` is counted with `--libcalls` only, `work` with `-pg` only.
#[test]
fn calls_that_one_side_did_not_count_are_not_zero() {
    let place = Workplace::new();
    let functions = [("main", 1, 30), ("work", 9, 60), ("malloc", 7, 10), ("free", 7, 0)];
    let mut both = document(&functions);
    let library = json!({"id": 1, "path": "libc.so.6", "build_id": null, "arch": null});
    both["modules"].as_array_mut().expect("a list").push(library);
    for library in [2, 3] {
        both["functions"][library]["module"] = json!(1);
    }
    // Without --libcalls `malloc` was sampled, and nobody knows of `free`.
    let mut program = both.clone();
    program["functions"][2]["calls"] = json!(null);
    program["functions"].as_array_mut().expect("a list").truncate(3);
    program["arcs"].as_array_mut().expect("a list").truncate(1);
    let mut libraries = both.clone();
    for own in [0, 1] {
        libraries["functions"][own]["calls"] = json!(null);
    }
    libraries["arcs"].as_array_mut().expect("a list").remove(0);
    // A function that both sides would count was not called.
    let mut less = both.clone();
    less["functions"].as_array_mut().expect("a list").pop();
    less["arcs"].as_array_mut().expect("a list").pop();
    for (name, profile) in
        [("both", both), ("program", program), ("libraries", libraries), ("less", less)]
    {
        place.write(&format!("{name}.json"), profile.to_string());
    }
    for (files, limit, status, line) in [
        ("both program", "calls(malloc):+0", 1, "NOT JUDGED calls(malloc):+0: only one side"),
        ("program both", "calls(malloc):+0", 1, "NOT JUDGED calls(malloc):+0: only one side"),
        ("both program", "calls(main>malloc):+0", 1, "NOT JUDGED calls(main>malloc):+0: only one"),
        (
            "program both",
            "calls:~0",
            0,
            "kept calls:~0: 2 functions judged, 2 functions counted on",
        ),
        ("both libraries", "calls(work):~0", 1, "NOT JUDGED calls(work):~0: only one side"),
        ("program libraries", "calls:~0", 1, "NOT JUDGED calls:~0: only one side"),
        (
            "both less",
            "calls(free):~0",
            3,
            "EXCEEDED calls(free):~0: free [libc.so.6] (only in base) was",
        ),
        ("less both", "calls(free):+0", 1, "NOT JUDGED calls(free):+0: no function of the base"),
    ] {
        let files: Vec<_> = files.split(' ').map(|name| format!("{name}.json")).collect();
        let (code, text, _) = diff(&place, &format!("{} --fail-on {limit}", files.join(" ")));
        assert_eq!(code, Some(status), "{files:?} {limit}: {text}");
        assert!(text.starts_with(line), "{files:?} {limit}: {text}");
    }
    let (_, text, _) = diff(&place, "both.json program.json");
    assert!(text.contains("calls that both sides counted equal"), "{text}");
    assert!(text.contains("               7                -             -  free [libc.so.6]\n"));
    assert!(text.contains("2 functions whose calls only one side counted"), "{text}");
    let (_, text, _) = diff(&place, "program.json libraries.json");
    assert!(text.contains("calls were counted on one side only"), "{text}");
    let (_, text, _) = diff(&place, "both.json program.json --format json");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let calls = &document["functions"][3]["calls"];
    assert_eq!((&calls["base"], &calls["new"]), (&json!([7]), &json!([])));
    assert_eq!((&calls["delta"], &calls["differ"]), (&json!(null), &json!(false)));
    let (_, text, _) = diff(&place, "both.json program.json --format csv");
    assert!(text.contains("\nfree,libc.so.6,,,7,,\n"), "{text}");
}

#[test]
fn no_limit_holds_on_nothing() {
    let place = Workplace::new();
    let five: Vec<_> = (0..5).map(|_| ONE.to_vec()).collect();
    let (base, new) = (runs(&place, "base", &five), runs(&place, "new", &five));
    let many = format!("--base {base} --new {new}");
    let mut other = document(&ONE);
    other["sampling"]["rate_hz"] = json!(1000);
    other["sampling"]["period_ns"] = json!(1_000_000);
    for number in 1..=5 {
        place.write(&format!("rate.{number}.json"), other.to_string());
    }
    let mut event = document(&ONE);
    event["sampling"]["unit"] = json!("cycles");
    place.write("event.json", event.to_string());
    let mut uncounted = document(&ONE);
    for function in uncounted["functions"].as_array_mut().expect("a list") {
        function["calls"] = json!(null);
    }
    uncounted["arcs"] = json!([]);
    place.write("uncounted.json", uncounted.to_string());
    runs(&place, "idle", &[vec![("main", 1, 0), ("parse", 100, 0)]]);
    runs(&place, "stranger", &[vec![("start", 1, 5), ("stop", 1, 5)]]);
    place.write("empty/readme", "");
    let rates = format!("--base {base} --new {}", new.replace("new", "rate"));
    for (words, reason) in [
        (
            "base.1.json new.1.json --fail-on self:+5%".to_owned(),
            "times need at least 5 runs of each side, and there are 1 and 1",
        ),
        (format!("{many} --fail-on total:+5%"), "without call stacks total times are guesses"),
        (format!("{many} --fail-on calls(prase*):+0"), "no function of the base matches prase*"),
        (format!("{many} --fail-on calls(main>prase):+0"), "no function of the base matches prase"),
        (format!("{many} --fail-on self(prase):+5%"), "no function of the base matches prase"),
        (format!("{rates} --fail-on self:+5%"), "the sides were sampled at different rates"),
        (
            "base.1.json event.json --fail-on calls:+0".to_owned(),
            "seconds were sampled in the base, cycles in the new one",
        ),
        ("base.1.json idle.1.json --fail-on samples:+5%".to_owned(), "a run has no samples"),
        (
            "base.1.json uncounted.json --fail-on calls:+0".to_owned(),
            "one side has no counted calls",
        ),
        (
            "base.1.json stranger.1.json --fail-on calls:+0".to_owned(),
            "no function of the base is in the new one",
        ),
        ("base.1.json base.1.json --fail-on calls:+0".to_owned(), "base.1.json is on both sides"),
        (
            "empty new.1.json --fail-on calls:+0".to_owned(),
            "empty: no profiles in JSON are in this folder",
        ),
        (
            "none.json new.1.json --fail-on calls:+0".to_owned(),
            "none.json: No such file or directory",
        ),
    ] {
        let (code, _, said) = diff(&place, &words);
        assert_eq!(code, Some(1), "{words}: {said}");
        assert!(said.starts_with("gmon: ") && said.contains(reason), "{words}: {said}");
    }
    // What is exceeded prevails, and all limits are judged.
    runs(&place, "more", &[vec![("main", 2, 30), ("parse", 100, 60), ("parse_all", 3, 10)]]);
    let (code, text, said) =
        diff(&place, "base.1.json more.1.json --fail-on self:+1% --fail-on calls:+0");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.starts_with("EXCEEDED calls:+0: main was called 1 → 2 times"), "{text}");
    assert!(said.contains("--fail-on self:+1%: times need at least 5 runs"), "{said}");
}

/// Whoever reads the first line only, or none, does not decide whether a limit holds.
#[test]
fn limits_hold_or_not_in_a_pipe_that_is_closed() {
    let place = Workplace::new();
    runs(&place, "base", &[ONE.to_vec()]);
    runs(&place, "new", &[vec![("main", 1, 30), ("parse", 101, 60), ("parse_all", 3, 10)]]);
    for (limit, format, status) in [
        ("calls:+0", "text", 3),
        ("calls:+0", "json", 3),
        ("calls:+1", "text", 0),
        ("self:+5%", "text", 1),
    ] {
        let words = format!("base.1.json new.1.json --format {format} --fail-on {limit}");
        let mut command = place.gmon("diff");
        let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().expect("a reader");
        let pipe = reader.stdin.take().expect("a pipe");
        reader.wait().expect("an end");
        let output = command.args(words.split_whitespace()).stdout(pipe).output().expect("gmon");
        let said = said(&output);
        assert_eq!(output.status.code(), Some(status), "{words}: {said}");
        assert_eq!(said.contains("parse was called 100 → 101"), status == 3, "{words}: {said}");
    }
}

#[test]
fn each_run_of_a_side_counts_once() {
    let place = Workplace::new();
    for (file, program, pid) in [
        ("side/1.json", "/bin/made-up", json!(1)),
        ("side/2.json", "/old/made-up", json!(2)),
        ("copies/1.json", "/bin/made-up", json!(1)),
        ("copies/2.json", "/bin/made-up", json!(1)),
        ("foreign/1.json", "/bin/made-up", json!(1)),
        ("foreign/2.json", "/bin/other", json!(2)),
        ("new.json", "/new/prog-2", json!(3)),
        ("unknown.json", "/new/prog-2", json!(null)),
    ] {
        let mut profile = document(&ONE);
        profile["program"] = json!(program);
        (profile["host"], profile["pid"]) = (json!("desk"), pid);
        profile["start_ns"] = json!(5_000_000_000_u64);
        place.write(file, profile.to_string());
    }
    let mut sum = document(&ONE);
    sum["run"]["added"] = json!(["process 2 of desk since 5000000000"]);
    place.write("sum.json", sum.to_string());
    for (words, reason) in [
        ("side new.json", ""),
        ("--base new.json --new side/2.json sum.json", "sum.json: process 2 of desk is on this"),
        ("copies new.json", "copies/2.json: process 1 of desk is on this side already; each run"),
        ("--base side --new copies/1.json copies/2.json", "copies/2.json: process 1 of desk is on"),
        ("foreign new.json", "foreign/2.json: a profile of other, where those before are of made"),
        ("--base side --new unknown.json ./unknown.json", "this file is named twice for one side"),
    ] {
        let (code, text, said) = diff(&place, words);
        assert_eq!(code, Some(i32::from(!reason.is_empty())), "{words}: {text} {said}");
        assert!(said.contains(reason), "{words}: {said}");
    }
}

#[test]
fn bad_usage_is_status_2() {
    let place = Workplace::new();
    runs(&place, "base", &[ONE.to_vec()]);
    for words in [
        "",
        "base.1.json",
        "base.1.json base.1.json base.1.json",
        "--base base.1.json",
        "base.1.json --base base.1.json --new base.1.json",
        "base.1.json base.1.json --fail-on calls",
        "base.1.json base.1.json --fail-on time:+0",
        "base.1.json base.1.json --fail-on self:+5",
        "base.1.json base.1.json --alpha 1",
        "base.1.json base.1.json --format svg",
    ] {
        let (code, text, said) = diff(&place, words);
        assert_eq!((code, text.as_str()), (Some(2), ""), "{words}: {said}");
    }
}

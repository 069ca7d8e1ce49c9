//! Times of known samples: the numbers that the statistics must give.

use serde_json::{Value, json};
use support::{
    command::output_of, command::quiet, command::said, root, tools, workplace::Workplace,
};

use super::diff;
use super::documents::{Function, document, runs};

/// One run before and after, at 100 Hz.
const BEFORE: [Function<'_>; 6] = [
    ("main", 1, 10),
    ("lookup", 9, 150),
    ("memcpy", 9, 40),
    ("hash", 9, 110),
    ("parse", 9, 210),
    ("eval", 9, 60),
];
const AFTER: [Function<'_>; 6] = [
    ("main", 1, 12),
    ("lookup", 9, 205),
    ("memcpy", 9, 22),
    ("hash", 9, 96),
    ("parse", 9, 214),
    ("eval", 9, 61),
];

fn with_one_run() -> Workplace {
    let place = Workplace::new();
    runs(&place, "base", &[BEFORE.to_vec()]);
    runs(&place, "new", &[AFTER.to_vec()]);
    place
}

/// Five runs of each side, with what one function has and the rest.
fn with_runs(base: [u64; 5], new: [u64; 5]) -> (Workplace, String) {
    let place = Workplace::new();
    let side = |samples: [u64; 5]| -> Vec<Vec<Function<'static>>> {
        samples.map(|own| vec![("main", 1, 400), ("work", 7, own)]).to_vec()
    };
    let (base, new) = (runs(&place, "base", &side(base)), runs(&place, "new", &side(new)));
    (place, format!("--base {base} --new {new}"))
}

#[test]
fn one_run_of_each_side_in_text() {
    let place = with_one_run();
    let (status, text, said) = diff(&place, "base.1.json new.1.json");
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let first = "1 function slower, all calls equal; total 5.80 → 6.10 s (p 0.40)\n";
    assert!(text.starts_with(first), "{text}");
    let row = "     1.50      2.05     +0.55    0.37   +36.7   0.025  lookup\n";
    assert!(text.contains(row), "{text}");
    assert!(
        !text.contains("  memcpy\n") && text.contains("shown in 5 of 6 functions tested"),
        "{text}"
    );
    // Of 595 samples on each side, and 6 functions tested.
    let seen = "could have seen, by itself: 17 % of the total, 75 % of a function with 10 % of it, more than 100 % with 1 %";
    assert!(text.contains(seen), "{text}");
    assert!(text.contains("one run of each side: runs differ by more than samples show"), "{text}");
}

/// Rows and columns are those of the text, with whole numbers for programs.
#[test]
fn one_run_of_each_side_in_tables() {
    let place = with_one_run();
    let (status, text, said) = diff(&place, "base.1.json new.1.json --format csv");
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "function,module,in,base_ns,new_ns,change_ns,half_interval_ns,change_percent,q"
    );
    assert!(lines[1].starts_with("lookup,,,1500000000,2050000000,550000000,"), "{text}");
    assert_eq!(lines[2..], ["", "function,module,in,caller,base,new,change"], "{text}");

    let (_, text, _) = diff(&place, "base.1.json new.1.json --format markdown");
    let table = "| base | new | change | ± | % | q | function |\n|---:|---:|---:|---:|---:|---:|---|\n\
                 | 1.50 | 2.05 | +0.55 | 0.37 | +36.7 | 0.025 | `lookup` |\n";
    assert!(text.contains(table), "{text}");
}

#[test]
fn one_run_of_each_side_in_json() {
    let place = with_one_run();
    let (status, text, _) = diff(&place, "base.1.json new.1.json --format json");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((status, &document["schema"]), (Some(0), &"gmon-diff/1".into()));
    for (name, delta, p, q, holm, verdict) in [
        ("lookup", 0.55, 0.004_092_845_174, 0.024_557, 0.024_557, "slower"),
        ("memcpy", -0.18, 0.030_015_864_35, 0.090_05, 0.150_08, "not shown to differ"),
        ("hash", -0.14, 0.365_102_785_9, 0.730_2, 1.0, "not shown to differ"),
    ] {
        let functions = document["functions"].as_array().expect("functions");
        let function = functions.iter().find(|it| it["name"] == name).expect(name);
        let own = &function["self"];
        let number = |field: &str| own[field].as_f64().expect("a number");
        assert!((number("delta_ns") - delta * 1e9).abs() < 1.0, "{own}");
        assert!((number("p") / p - 1.0).abs() < 1e-9, "{own}");
        assert!((number("q") - q).abs() < 1e-4 && (number("holm") - holm).abs() < 1e-4, "{own}");
        assert_eq!((&own["verdict"], &function["total"]), (&verdict.into(), &Value::Null));
        assert_eq!(
            (&function["calls"]["delta"], &function["calls"]["steady"]),
            (&0.into(), &true.into())
        );
    }
    // The schema holds for it, and for nothing broken.
    if tools::find("check-jsonschema").is_none() {
        return;
    }
    let schema = root().join("docs/gmon-diff-1.schema.json");
    for (name, text, is_good) in [
        ("good", text.clone(), true),
        ("bad", text.replace("\"steady\":true", "\"steady\":1"), false),
    ] {
        let file = place.write(name, text);
        let output =
            output_of(quiet("check-jsonschema").arg("--schemafile").arg(&schema).arg(file));
        assert_eq!(output.status.success(), is_good, "{name}: {output:?} {}", said(&output));
    }
}

/// The kernel is a function and its module at once.
#[test]
fn what_is_all_of_its_module_has_no_module_behind_it() {
    let place = Workplace::new();
    for (file, samples) in [("base.json", 100), ("new.json", 900)] {
        let mut profile =
            document(&[("main", 1, 500), ("[kernel]", 0, samples), ("read", 0, samples)]);
        for (module, path) in [(1, "[kernel]"), (2, "/lib/libc.so.6")] {
            let known = json!({"id": module, "path": path, "build_id": null, "arch": null});
            profile["modules"].as_array_mut().expect("a list").push(known);
            profile["functions"][module]["module"] = json!(module);
        }
        place.write(file, profile.to_string());
    }
    let (_, text, said) = diff(&place, "base.json new.json");
    assert_eq!(said, "");
    let names = text.lines().filter(|line| line.contains("+8.00"));
    let names: Vec<_> =
        names.filter_map(|line| line.split_once("  [kernel]").map(|it| it.1)).collect();
    assert_eq!(names, [""], "{text}");
    assert!(text.contains("  read [libc.so.6]"), "{text}");
}

#[test]
fn several_runs_of_each_side() {
    let (place, sides) = with_runs([100, 104, 98, 110, 95], [118, 125, 109, 121, 130]);
    let (_, text, _) = diff(&place, &sides);
    let row = "     1.01      1.21     +0.19    0.15   +18.9   0.041  work\n";
    assert!(text.contains(row), "{text}");
    // Runs that differ as much among themselves show nothing.
    let (place, sides) = with_runs([100, 150, 60, 120, 70], [130, 90, 170, 110, 150]);
    let (_, text, _) = diff(&place, &sides);
    assert!(text.starts_with("no change of time shown, all calls equal;"), "{text}");
}

/// Ten functions of which each varies more than it changed, in runs that have the same sum.
#[test]
fn a_total_may_change_where_no_function_is_shown_to() {
    const NAMES: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let place = Workplace::new();
    let side = |more: u64| -> Vec<Vec<Function<'static>>> {
        let varied = |run: u64, at: u64| 500 + more + 200 * ((3 * run + at) % 5);
        let of_run = |run| (0..).zip(NAMES).map(move |(at, name)| (name, 1, varied(run, at)));
        (0..6).map(|run| of_run(run).collect()).collect()
    };
    let (base, new) = (runs(&place, "base", &side(0)), runs(&place, "new", &side(90)));
    for (sides, word) in [([&base, &new], "slower"), ([&new, &base], "faster")] {
        let [base, new] = sides;
        let (_, text, _) = diff(&place, &format!("--base {base} --new {new}"));
        let start = format!("{word} as a whole, no function by itself, all calls equal; total ");
        assert!(text.starts_with(&start), "{text}");
    }
}

#[test]
fn what_is_slower_beyond_doubt_exceeds_its_limit() {
    let (place, sides) = with_runs([500, 504, 498, 510, 495], [618, 625, 609, 621, 630]);
    for (limit, status, line) in [
        ("self:+5%", 3, "EXCEEDED self:+5%: work takes 5.01 → 6.21 s (+23.8 %; +0.85 … +1.54; p "),
        ("self:+30%", 0, "kept self:+30%: 2 functions judged"),
        ("self(work):+0.5s", 3, "EXCEEDED self(work):+0.5s: work takes "),
        ("self(work):+900ms", 0, "kept self(work):+900ms: 1 function judged"),
        ("self:-5%", 0, "kept self:-5%"),
        ("self(wor?):~5%", 3, "EXCEEDED self(wor?):~5%: work takes "),
        ("samples(work):+10%", 3, "EXCEEDED samples(work):+10%: work has 2507 → 3103 samples"),
        ("calls:~0", 0, "kept calls:~0: 2 functions judged"),
    ] {
        let (code, text, said) = diff(&place, &format!("{sides} --fail-on {limit}"));
        assert_eq!((code, said.as_str()), (Some(status), ""), "{limit}: {text}");
        assert!(text.starts_with(line), "{limit}: {text}");
    }
    // The other way round it shrinks.
    let back = sides.replace("--base", "--x").replace("--new", "--base").replace("--x", "--new");
    let (code, text, _) = diff(&place, &format!("{back} --fail-on self:-5%"));
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("1 function faster"), "{text}");
}

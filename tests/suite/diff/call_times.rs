//! Times of calls on both sides: their table, and limits of them.

use serde_json::{Value, json};
use support::command::{output_of, quiet, said};
use support::root;
use support::tools;
use support::workplace::Workplace;

use super::diff;
use super::documents::document;

/// The bucket of so many nanoseconds, of 256 on.
fn bucket(ns: u64) -> u64 {
    let power = u64::from(ns.ilog2());
    (power - 8) * 32 + (ns >> (power - 5))
}

/// A run whose calls of `handle` take about a microsecond, except for 15 of 1,000, which take so long; `run` tells apart
/// runs.
fn run(run: u64, slow_ns: u64) -> Value {
    let mut document = document(&[("main", 1, 90), ("handle", 1000, 10)]);
    document["schema"] = "gmon-profile/2".into();
    let (usual, slow) = (1000 + 40 * (run * 3 % 5), slow_ns + 100 * run);
    let mut buckets = json!({});
    buckets[bucket(usual).to_string()] = 985.into();
    buckets[bucket(slow).to_string()] = 15.into();
    document["call_times"] = json!([{
        "function": 1, "thread": null,
        "times": {
            "timed": 1000, "without_end": 0, "total_ns": 985 * usual + 15 * slow, "longest_ns": slow, "every": 1,
            "buckets": buckets,
        },
    }]);
    document
}

/// Writes both sides, and gives the words that compare them.
fn sides(place: &Workplace, runs: u64, slow_ns: [u64; 2]) -> String {
    let side = |name: &str, slow_ns: u64| {
        let files = (0..runs).map(|number| {
            let file = format!("{name}.{number}.json");
            place.write(&file, run(number, slow_ns).to_string());
            file
        });
        files.collect::<Vec<_>>().join(" ")
    };
    let [base, new] = slow_ns;
    format!("--base {} --new {}", side("base", base), side("new", new))
}

#[test]
fn a_longer_tail_is_shown_in_a_table_of_its_own() {
    let place = Workplace::new();
    let words = sides(&place, 6, [4_000, 40_000]);
    let (status, text, said) = diff(&place, &words);
    assert_eq!((status, said.as_str()), (Some(0), ""));
    assert!(text.contains("times of calls of 1 function changed; total"), "{text}");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| !line.ends_with("mean time of a call of"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(rows[1].starts_with(&["1.11", "us", "1.65", "us"]), "{text}");
    assert!(rows[1].ends_with(&["%", "0.0022", "handle"]), "{text}");
    assert_eq!(rows[2].last(), Some(&"p50"), "{text}");
    assert_eq!(rows[3].last(), Some(&"p99"), "{text}");
    assert!(rows[4].starts_with(&["4.50", "us", "40.5", "us", "+800.0", "max"]), "{text}");

    for (format, header) in [
        ("csv", "function,module,in,figure,base_ns,new_ns,change_percent,longer_percent,q\n"),
        ("markdown", "| base | new | % | longer | q | mean time of a call of |"),
    ] {
        let (_, text, _) = diff(&place, &format!("{words} --format {format}"));
        assert!(text.contains(header), "{text}");
    }
    let (_, text, _) = diff(&place, &format!("{words} --format json"));
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let times = &document["call_times"][0];
    let function = times["function"].as_u64().expect("a number") as usize;
    assert_eq!(document["functions"][function]["name"], "handle");
    assert_eq!((&times["base"]["timed"], &times["new"]["max_ns"]), (&6000.into(), &40_500.into()));
    assert_eq!((&times["differ"], &times["p"]), (&true.into(), &json!(2.0 / 924.0)));
    place.write("diff.json", text);
    if tools::find("check-jsonschema").is_some() {
        let schema = root().join("docs/gmon-diff-1.schema.json");
        let file = place.path("diff.json");
        let output = output_of(quiet("check-jsonschema").arg("--schemafile").arg(schema).arg(file));
        assert!(output.status.success(), "{output:?} {}", self::said(&output));
    }

    // Nothing changed, and one run of each side shows nothing.
    let same = sides(&place, 6, [4_000, 4_000]);
    let (_, text, _) = diff(&place, &same);
    assert!(!text.contains("times of calls of 1 function changed"), "{text}");
    sides(&place, 1, [4_000, 40_000]);
    let (_, text, _) = diff(&place, "base.0.json new.0.json");
    assert!(!text.contains("times of calls of 1 function changed"), "{text}");
    assert!(text.contains("q is about the calls of these two runs"), "{text}");
}

#[test]
fn limits_of_the_times_of_calls() {
    let place = Workplace::new();
    let slower = sides(&place, 6, [4_000, 40_000]);
    for (limit, status, line) in [
        ("p99(handle):+10%", 3, "EXCEEDED p99(handle):+10%: p99 of handle takes 4."),
        ("p99.9:+30us", 3, "EXCEEDED p99.9:+30us: p99.9 of handle takes 4."),
        (
            "max:+500%",
            3,
            "EXCEEDED max:+500%: max of handle takes 4.50 us → 40.5 us (+800.0 %); a run +",
        ),
        ("mean(h*):+20%", 3, "EXCEEDED mean(h*):+20%: mean of handle takes 1.11 us → 1.65 us (+4"),
        ("p99:+50us", 0, "kept p99:+50us: 1 function judged"),
        ("p50:+10%", 0, "kept p50:+10%: 1 function judged"),
        ("p99:-10%", 0, "kept p99:-10%: 1 function judged"),
        ("p99(main):+10%", 1, "NOT JUDGED p99(main):+10%: no calls of such functions were timed"),
        ("p99(none):+10%", 1, "NOT JUDGED p99(none):+10%: no function of the base matches none"),
    ] {
        let (code, text, _) = diff(&place, &format!("{slower} --fail-on {limit}"));
        assert_eq!(code, Some(status), "{limit}: {text}");
        assert!(text.starts_with(line), "{limit}: {text}");
    }
    // A run of more calls than the others counts as much as they do, but not in the table.
    let mut dear = run(5, 40_000);
    let times = &mut dear["call_times"][0]["times"];
    (times["timed"], times["total_ns"]) = (json!(9000), json!(9000 * 3_000));
    times["buckets"] = json!({bucket(3_000).to_string(): 9000});
    place.write("new.5.json", dear.to_string());
    let (_, text, _) = diff(&place, &format!("{slower} --fail-on mean:+10%"));
    let (limit, table) = text.split_once('\n').expect("lines");
    let row = table.lines().find(|line| line.ends_with(" handle")).expect("a row");
    let words: Vec<_> = row.split_whitespace().collect();
    let shown =
        format!("takes {} {} → {} {} ({} %)", words[0], words[1], words[2], words[3], words[4]);
    assert!(limit.starts_with("EXCEEDED") && limit.contains(&shown), "{shown}: {text}");
    let few = sides(&place, 4, [4_000, 40_000]);
    place.write("untimed.json", document(&[("main", 1, 90), ("handle", 1000, 10)]).to_string());
    for (words, reason) in [
        (few.as_str(), "times need at least 5 runs of each side, and there are 4 and 4"),
        (
            "base.0.json untimed.json",
            "a run has no times of calls; take them with gmon run --times",
        ),
    ] {
        let (code, text, _) = diff(&place, &format!("{words} --fail-on p99:+10%"));
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(reason), "{text}");
    }
}

#[test]
fn the_page_of_a_difference_has_times_of_calls() {
    let place = Workplace::new();
    let words = sides(&place, 6, [4_000, 40_000]);
    let (status, _, said) = diff(&place, &format!("{words} --html diff.html"));
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let page = std::fs::read_to_string(place.path("diff.html")).expect("a page");
    assert!(page.contains("handle: mean 1.11 us → 1.65 us, p50 "), "{page}");
}

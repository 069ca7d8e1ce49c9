//! Limits of calls, and that no limit holds where there is nothing to judge.

use serde_json::json;
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
    place.write("rate.json", other.to_string());
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
    let rates = format!("--base {base} --new {}", ["rate.json"; 5].join(" "));
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

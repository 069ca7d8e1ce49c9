//! `gmon diff --html`: the page of a difference, in Chromium and without it.

use std::fs;

use serde_json::{Value, json};
use support::browser::{Axe, Browser, key};
use support::workplace::Workplace;

use super::diff;
use super::documents::{Function, document, runs};

/// Functions of the base and of the new side, which has a new one and lacks another.
const BASE: [Function<'_>; 6] = [
    ("main", 1, 10),
    ("lookup", 900, 150),
    ("memcpy", 9, 400),
    ("hash", 9, 110),
    ("parse", 9, 210),
    ("gone", 3, 140),
];
const NEW: [Function<'_>; 6] = [
    ("main", 1, 10),
    ("lookup", 901, 305),
    ("memcpy", 9, 200),
    ("hash", 9, 112),
    ("parse", 9, 211),
    ("fresh", 4, 60),
];

/// A profile in which `main` calls all others, with the stacks of the samples.
fn with_stacks(functions: &[Function<'_>]) -> Value {
    let mut profile = document(functions);
    let numbers = 0..functions.len();
    profile["frames"] = numbers
        .map(|id| json!({"function": id, "file": null, "line": null, "inlined": false}))
        .collect();
    let stack = |(id, (_, _, samples)): (usize, &Function<'_>)| {
        let frames = if id == 0 { vec![0] } else { vec![0, id] };
        json!({"thread": 0, "frames": frames, "samples": samples, "signals": samples})
    };
    profile["stacks"] = functions.iter().enumerate().map(stack).collect();
    profile["threads"] = json!([{"id": 0, "pid": 1, "tid": 1, "name": "main"}]);
    profile["sampling"]["paths"] = "sampled".into();
    profile["sampling"]["inclusive"] = "sampled".into();
    profile
}

/// Both sides, with call stacks.
fn sides() -> Workplace {
    let place = Workplace::new();
    place.write("base.json", with_stacks(&BASE).to_string());
    place.write("new.json", with_stacks(&NEW).to_string());
    place
}

/// Writes a page of a comparison, and gives its text.
fn page(place: &Workplace, words: &str) -> String {
    let (code, text, said) = diff(place, &format!("{words} --html page.html"));
    assert_eq!((code, said.as_str()), (Some(0), ""), "{text}");
    place.read("page.html")
}

/// What a page holds.
fn data(text: &str) -> Value {
    let (_, data) = text.split_once("id=\"data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("an end of the data");
    serde_json::from_str(data).expect("JSON")
}

/// The text of the first element of a selector.
fn shown(browser: &Browser, selector: &str) -> String {
    browser.text(&format!("return document.querySelector({selector:?})?.textContent ?? ''"))
}

#[test]
fn a_page_holds_what_the_text_says() {
    let place = sides();
    let text = page(&place, "base.json new.json");
    assert!(text.contains("default-src 'none'") && !text.contains("src=\""), "{text}");
    assert!(text.contains("<title>made-up, base and new · gmon</title>"), "{text}");
    // Without JavaScript the whole text is there.
    let (_, said, _) = diff(&place, "base.json new.json");
    for line in said.lines() {
        assert!(text.contains(&line.replace('>', "&gt;")), "{line}");
    }
    let data = data(&text);
    let of = |name: &str| {
        let names = data["functions"]["name"].as_array().expect("names");
        names.iter().position(|it| it == name).unwrap_or_else(|| panic!("no {name}"))
    };
    let functions = &data["functions"];
    assert_eq!(functions["own"][of("lookup")][0], 1_500_000_000);
    assert_eq!(functions["own"][of("lookup")][1], 3_050_000_000_u64);
    assert_eq!(functions["own"][of("lookup")][3], 1, "slower");
    assert_eq!(functions["own"][of("memcpy")][3], -1, "faster");
    assert_eq!(functions["own"][of("hash")][3], 0, "neither");
    assert_eq!(
        (&functions["presence"][of("gone")], &functions["presence"][of("fresh")]),
        (&json!(1), &json!(2))
    );
    assert_eq!(functions["calls"][of("lookup")][0], json!(["900", "901", "+1"]));
    // Its first tables have the rows of the tables elsewhere.
    let (_, tables, _) = diff(&place, "base.json new.json --format csv");
    let rows = |table: &str| {
        let rows = table.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect());
        rows.collect::<Vec<Vec<String>>>()
    };
    let (times, calls) = tables.split_once("\n\n").expect("two tables");
    let name = |at: &Value| &functions["name"][at.as_u64().expect("a position") as usize];
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let slower: Vec<Value> = list(&data["changed"][0]).iter().map(|at| name(at).clone()).collect();
    assert_eq!(slower, rows(times).into_iter().map(|row| row[0].clone()).collect::<Vec<_>>());
    let own = rows(calls).into_iter().filter(|row| row[3].is_empty());
    let called: Vec<Value> =
        list(&data["changed"][1]).iter().map(|it| name(&it[0]).clone()).collect();
    assert_eq!(called, own.map(|row| row[0].clone()).collect::<Vec<_>>());
    // All samples of both sides are in the tree.
    let side = |side: u64| {
        let threads = &data["tree"]["threads"];
        let list = |name: &str| {
            threads[name]
                .as_array()
                .expect("a list")
                .iter()
                .map(|it| it.as_u64().expect("a number"))
        };
        list("thread")
            .zip(list("samples"))
            .filter(|(of, _)| *of == side)
            .map(|it| it.1)
            .sum::<u64>()
    };
    assert_eq!((side(0), side(1)), (1020, 898));
    // The title is the user's, and names are text.
    let text = page(&place, "base.json new.json --title <b>");
    assert!(text.contains("<title>&lt;b&gt; · gmon</title>"), "{text}");
}

#[test]
fn a_page_is_written_whole_or_not_at_all() {
    let place = sides();
    let (code, _, said) = diff(&place, "base.json new.json --html none/page.html");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("cannot write the report none/page.html"), "{said}");
    place.write("page.html", "before");
    let (code, _, _) = diff(&place, "base.json none.json --html page.html");
    assert_eq!((code, place.read("page.html").as_str()), (Some(1), "before"));
    for wrong in ["--open", "--title T"] {
        let (code, _, said) = diff(&place, &format!("base.json new.json {wrong}"));
        assert_eq!(code, Some(2), "{wrong}: {said}");
    }
    // A limit that is exceeded is on the page, and in the exit status.
    let (code, _, said) = diff(&place, "base.json new.json --html page.html --fail-on calls:+0");
    assert_eq!((code, said.as_str()), (Some(3), ""));
    let limits = data(&place.read("page.html"))["limits"].to_string();
    assert!(limits.contains("EXCEEDED calls:+0: lookup was called 900"), "{limits}");
}

#[test]
fn the_page_of_a_difference_in_a_browser() {
    let Some(browser) = Browser::open(1400, 900) else { return };
    let place = sides();
    page(&place, "base.json new.json");
    let path = place.path("page.html");
    browser.show(&path, "");
    let answer = shown(&browser, "#overview h2:not(.printed)");
    assert!(answer.starts_with("2 functions slower, 2 faster"), "{answer}");
    let first = shown(&browser, "#overview .card table tbody tr");
    assert!(first.contains("memcpy") && first.contains("−2.00"), "{first}");

    // Each view has its key.
    for (number, view) in (1..).zip(["overview", "flame", "functions", "function", "calls"]) {
        browser.press(&number.to_string());
        browser.wait_for(&format!("return document.body.dataset.view === '{view}'"));
        assert_eq!(browser.run(&format!("return document.getElementById('{view}').hidden")), false);
    }
    let calls = shown(&browser, "#calls tbody tr:not(.gap)");
    assert!(calls.starts_with("04+4"), "who is called more comes first: {calls}");

    frames_show_both_sides(&browser);

    // A search finds functions, and calls by either end.
    browser.press("3");
    browser.press("/");
    browser.press("/^(lookup|hash)$/");
    browser
        .wait_for("return document.querySelectorAll('#functions tbody tr:not(.gap)').length === 2");
    browser.press(key::ESCAPE);
    browser.run("location.hash = '#v=calls&q=lookup'");
    browser.wait_for("return document.querySelectorAll('#calls tbody tr:not(.gap)').length === 1");
    assert!(shown(&browser, "#calls tbody tr:not(.gap)").starts_with("900901+1"));
    browser.run("location.hash = '#v=function&f=lookup'");
    browser
        .wait_for("return document.querySelector('#function .title h2')?.textContent === 'lookup'");
    let figures = shown(&browser, "#function .figures");
    assert!(figures.contains("1.50 → 3.05") && figures.contains("900 → 901"), "{figures}");
    assert_eq!(browser.run("return document.querySelectorAll('#function canvas').length"), 2);

    // Paper has all views; dark colours come by themselves.
    assert!(browser.print().len() > 10_000);
    let back = "return getComputedStyle(document.body).backgroundColor";
    let light = browser.text(back);
    browser.prefer_dark();
    assert_ne!(browser.text(back), light);

    assert_eq!(browser.log(), Vec::<String>::new());
    assert_eq!(browser.requests(), Vec::<String>::new());
    names_are_text(&browser);
    counts_alone_make_no_flame_graph(&browser);
}

/// Frames have the widths of a side, and say what the other had.
fn frames_show_both_sides(browser: &Browser) {
    browser.run("location.hash = '#v=flame'");
    browser.wait_for("return document.body.dataset.view === 'flame'");
    let label = || browser.text("return document.querySelector('#flame canvas').ariaLabel");
    assert!(label().contains("lookup +1.55") && !label().contains("gone"), "{}", label());
    browser.run("document.querySelector('#flame canvas').focus()");
    browser.press(key::DOWN);
    browser.press(key::DOWN);
    let line = shown(browser, "#flame .details");
    assert!(
        line.contains("lookup") && line.contains("1.50 → 3.05") && line.contains("+1.55"),
        "{line}"
    );
    browser.press("t");
    browser.wait_for("return location.hash.includes('t=base')");
    assert!(label().contains("gone −1.40") && !label().contains("fresh"), "{}", label());
    browser.press("t");
    browser.wait_for("return !location.hash.includes('t=')");
    browser.press("i");
    browser.wait_for("return location.hash.includes('i=1')");
    assert!(label().contains("memcpy −2.00"), "{}", label());
    browser.run("location.hash = '#v=flame&l=1'");
    browser.wait_for("return document.querySelectorAll('#flame .calltree tbody tr').length >= 6");
    let row = shown(browser, "#flame .calltree tbody tr");
    assert!(row.contains("10.20") && row.contains("8.98") && row.contains("main"), "{row}");
    browser.run("location.hash = '#v=flame&c=share'");
    browser
        .wait_for("return document.querySelector('#flame [aria-label=Colours]').value === 'share'");
}

/// A name that looks like HTML is a name.
fn names_are_text(browser: &Browser) {
    let place = Workplace::new();
    let evil = "</script><img src=x onerror=document.title='hit'>";
    for (side, functions) in [("base", BASE), ("new", NEW)] {
        let text =
            with_stacks(&functions).to_string().replace("\"lookup\"", &format!("\"{evil}\""));
        place.write(&format!("{side}.json"), text);
    }
    page(&place, "base.json new.json");
    for view in ["", "#v=flame&l=1", "#v=functions", "#v=function", "#v=calls"] {
        browser.show(&place.path("page.html"), view);
        assert_eq!(browser.run("return document.images.length"), 0, "{view}");
        assert!(!browser.text("return document.title").contains("hit"));
    }
    assert!(shown(browser, "#calls").contains(evil));
    assert_eq!(browser.log(), Vec::<String>::new());
}

/// Without stacks, and without samples, the page says so.
fn counts_alone_make_no_flame_graph(browser: &Browser) {
    let place = Workplace::new();
    runs(&place, "base", &[vec![("main", 1, 0), ("work", 7, 0)]]);
    runs(&place, "new", &[vec![("main", 1, 0), ("work", 8, 0)]]);
    page(&place, "base.1.json new.1.json");
    browser.show(&place.path("page.html"), "#v=flame");
    let said = shown(browser, "#flame");
    assert!(said.contains("no call stacks") && said.contains("gmon run"), "{said}");
    for view in ["1", "2", "3", "4", "5"] {
        browser.press(view);
    }
    assert_eq!(browser.run("return document.querySelectorAll('canvas').length"), 0);
    assert_eq!(browser.log(), Vec::<String>::new());
    fs::remove_file(place.path("page.html")).expect("a page");
}

#[test]
fn everybody_can_use_the_page_of_a_difference() {
    let Some(axe) = Axe::find() else { return };
    let Some(browser) = Browser::open(1400, 900) else { return };
    let place = sides();
    page(&place, "base.json new.json");
    for view in ["", "#v=flame", "#v=flame&l=1", "#v=functions", "#v=function", "#v=calls"] {
        for prepare in ["", "document.getElementById('theme').click()"] {
            browser.show(&place.path("page.html"), view);
            browser.run(prepare);
            assert_eq!(axe.violations(&browser), "[]", "{view} {prepare}");
        }
    }
}

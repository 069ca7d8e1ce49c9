//! What speedscope reads: its importer, which is a page for the browser, and its schema.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Value, json};

use super::subjects::{Subject, list};
use crate::conformance::programs;
use support::browser::Browser;
use support::command::{output_of, quiet};
use support::tools;

/// The folder that has the page of npm's speedscope, and its schema.
const SPEEDSCOPE: &str = "GMON_SPEEDSCOPE";

/// Where it is. Without it this says so, and fails in CI.
fn speedscope() -> Option<PathBuf> {
    let Some(folder) = env::var_os(SPEEDSCOPE) else {
        tools::skip(format!(
            "{SPEEDSCOPE} names no dist/release of speedscope (npm install speedscope)"
        ));
        return None;
    };
    Some(folder.into())
}

/// Self times by function, in nanoseconds, as the page's table shows them.
type Times = BTreeMap<String, f64>;

/// What the page makes of a file; `None` if it does not take it.
fn imported(browser: &Browser, file: &Path) -> Option<Times> {
    // A page of a file may load scripts, but no data.
    let script = file.with_extension("speedscope.js");
    let (name, bytes) = (file.file_name().expect("a name"), fs::read(file).expect("a file"));
    let words = [json!(name.to_string_lossy()), json!(base64(&bytes))];
    let call = format!("speedscope.loadFileFromBase64({}, {})", words[0], words[1]);
    fs::write(&script, call).expect("a writable folder");
    let page = speedscope()?.join("index.html");
    browser.load(&page, &format!("#localProfilePath={}", script.display()));
    browser.wait_for(
        "return document.title.endsWith(' - speedscope')
            || document.body.innerText.includes('Something went wrong')",
    );
    if browser.text("return document.body.innerText").contains("Something went wrong") {
        return None;
    }
    // Its third view is a table of the functions, of which there are only the rows on the screen.
    browser.press("3");
    const TABLE: &str = "const tables = [...document.querySelectorAll('table')];
        const table = tables.find((it) => /%\\)$/.test(it.querySelector('td')?.innerText.trim()));";
    browser.wait_for(&format!("{TABLE} return table !== undefined"));
    let in_table = |script: &str| browser.run(&format!("{TABLE} {script}"));
    let mut times = Times::new();
    loop {
        let rows = in_table(
            "return [...table.rows].map((row) => [...row.cells].map((it) => it.innerText))",
        );
        for row in rows.as_array().expect("rows") {
            let cell = |index: usize| row[index].as_str().expect("text");
            times.insert(cell(2).to_owned(), nanoseconds(cell(1)));
        }
        let is_over = in_table(
            "let box = table;
             while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
             const before = box?.scrollTop;
             if (box) box.scrollTop += box.clientHeight / 2;
             return box?.scrollTop === before",
        );
        if is_over == true {
            return Some(times);
        }
        // It draws what came into sight when it is asked for the next frame.
        browser.run("window.drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => (window.drawn = true)))");
        browser.wait_for("return window.drawn");
    }
}

/// A time as it shows them: `24.00ms (14%)`, or without a unit if it knows none.
fn nanoseconds(cell: &str) -> f64 {
    let text = cell.split(' ').next().expect("a time").replace(',', "");
    let number = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor = match &text[number.len()..] {
        "" | "ns" => 1.0,
        "\u{b5}s" | "\u{3bc}s" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        unit => panic!("{cell}: the unit {unit}"),
    };
    factor * number.parse::<f64>().unwrap_or_else(|_| panic!("{cell}: no time"))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 4);
    for group in bytes.chunks(3) {
        let number = [0, 1, 2].map(|i| u32::from(group.get(i).copied().unwrap_or(0)));
        let number = number[0] << 16 | number[1] << 8 | number[2];
        for place in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// Self times of functions with time, by the names for people. Those of inlined functions are theirs.
fn expected(profile: &Value) -> Times {
    let mut times = Times::new();
    for function in list(profile, "functions").iter().filter(|it| it["total_ns"] != 0) {
        let name = function["display"].as_str().expect("a name").to_owned();
        *times.entry(name).or_default() += function["self_ns"].as_f64().expect("a time");
    }
    times
}

fn total(times: &Times) -> f64 {
    times.values().sum()
}

#[test]
fn speedscope_reads_all_functions_and_times() {
    let Some(_) = speedscope() else { return };
    let Some(browser) = Browser::open_with_graphics(1400, 900) else { return };
    let large =
        programs::sqlite().map(|program| Subject::large(program, &["50000"], "stacks,hz=1000"));
    for subject in [Subject::run("libraries.c", "stacks,hz=1000")].into_iter().chain(large) {
        let expected = expected(&subject.json());
        let shown = imported(&browser, &subject.file("p.speedscope.json", &[])).expect("a profile");
        let names = |times: &Times| times.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&shown), names(&expected));
        for (name, time) in &expected {
            // It shows four digits or so.
            let error = (shown[name] - time).abs();
            assert!(error <= 0.005 * time + 1.0, "{name}: {} {time}", shown[name]);
        }
        // The same window reads the formats that it shares with other programs. It divides the time of a function
        // that callgrind's format has among its callers, and of pprof's samples it knows the outermost function.
        for name in ["p.pb.gz", "callgrind.out.1", "p.folded"] {
            let shown = imported(&browser, &subject.file(name, &[])).expect("a profile");
            let shown = total(&shown) * if name == "p.folded" { 1e6 } else { 1.0 };
            let error = (shown - total(&expected)).abs() / total(&expected);
            assert!(error < 0.01, "{name}: {shown}, not {}", total(&expected));
        }
    }
}

#[test]
fn speedscope_refuses_what_is_broken() {
    let Some(folder) = speedscope() else { return };
    let Some(browser) = Browser::open_with_graphics(800, 600) else { return };
    if tools::find("check-jsonschema").is_none() {
        return;
    }
    let schema = folder.join("file-format-schema.json");
    let holds = |file: &Path| {
        let mut check = quiet("check-jsonschema");
        output_of(check.arg("--schemafile").arg(&schema).arg(file)).status.success()
    };
    let subject = Subject::run("libraries.c", "stacks,hz=1000");
    let good = subject.file("good.speedscope.json", &["--threads", "split"]);
    assert!(holds(&good) && imported(&browser, &good).is_some());
    let text = fs::read_to_string(&good).expect("a file");
    let profile: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(list(&profile, "profiles").len(), 2);
    // The schema knows no lengths and no positions; the importer takes any unit.
    type Broken<'a> = (&'a str, &'a dyn Fn(&mut Value), bool);
    let broken: [Broken<'_>; 4] = [
        ("unit", &|it| it["profiles"][0]["unit"] = "ns".into(), false),
        ("shared", &|it| it["shared"] = Value::Null, false),
        ("weights", &|it| it["profiles"][0]["weights"] = json!([]), true),
        ("frame", &|it| it["profiles"][0]["samples"][0][0] = 99_999.into(), true),
    ];
    for (what, spoil, fits_the_schema) in broken {
        let mut bad = profile.clone();
        spoil(&mut bad);
        let file = subject.path("bad.speedscope.json");
        fs::write(&file, bad.to_string()).expect("a writable folder");
        assert_eq!(holds(&file), fits_the_schema, "{what}");
        if fits_the_schema {
            assert_eq!(imported(&browser, &file), None, "{what}");
        }
    }
}

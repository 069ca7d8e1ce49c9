//! All views of a profile say the same: each number of JSON is compared with the one that text, CSV, Markdown, pprof,
//! callgrind and the page show.

use std::collections::BTreeMap;
use std::{fs, io::Read};

use flate2::read::GzDecoder;
use serde_json::Value;
use support::browser::Browser;
use support::command::{gmon, text_of};
use support::summary;

use super::subjects::{Subject, list, sum};

/// A function's samples, time in itself and in all, waits, and calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    samples: u64,
    own_ns: u64,
    total_ns: u64,
    waiting_ns: u64,
    calls: Option<u64>,
}

/// The figures of all functions that have a name of their own.
fn figures(profile: &Value) -> BTreeMap<String, Figures> {
    let mut known: BTreeMap<String, Vec<Figures>> = BTreeMap::new();
    for function in list(profile, "functions") {
        let number = |name: &str| function[name].as_u64().unwrap_or(0);
        let figures = Figures {
            samples: number("samples"),
            own_ns: number("self_ns"),
            total_ns: number("total_ns"),
            waiting_ns: number("total_waiting_ns"),
            calls: function["calls"].as_u64(),
        };
        let name = function["display"].as_str().expect("a name").to_owned();
        known.entry(name).or_default().push(figures);
    }
    let alone = known.into_iter().filter(|(_, list)| list.len() == 1);
    alone.map(|(name, list)| (name, list[0])).collect()
}

#[test]
fn all_views_agree_on_waits_and_regions() {
    let subject = Subject::parallel("shared.c", "sampler=wall,hz=200");
    let profile = subject.json();
    let sampling = &profile["sampling"];
    let waiting = sampling["waiting"].as_u64().expect("waits were sampled");
    assert!(waiting > 0 && sampling["hooks"].as_u64() > Some(0), "{sampling}");
    let period = sampling["period_ns"].as_u64().expect("a period");
    assert_eq!(sum(&profile, "functions", "self_waiting_ns"), waiting * period, "{sampling}");
    assert_eq!(sum(&profile, "stacks", "waiting"), waiting, "{sampling}");
    let regions = list(&profile, "regions");
    assert!(!regions.is_empty(), "{profile}");
    views_agree(&subject, &profile);
}

#[test]
fn all_views_agree_on_cpu_time() {
    let subject = Subject::parallel("shared.c", "stacks,hz=1000");
    let profile = subject.json();
    let hooks = list(&profile, "functions").iter().find(|it| it["kind"] == "hooks");
    let hooks = hooks.and_then(|it| it["samples"].as_u64()).expect("hooks took time");
    assert_eq!(profile["sampling"]["hooks"], hooks);
    assert!(list(&profile, "modules").len() > 2 && list(&profile, "threads").len() > 1);
    views_agree(&subject, &profile);
}

#[test]
fn all_views_agree_without_stacks() {
    let subject = Subject::parallel("shared.c", "hz=1000");
    views_agree(&subject, &subject.json());
}

fn views_agree(subject: &Subject, profile: &Value) {
    let figures = figures(profile);
    assert!(figures.keys().any(|name| name == "descend"), "{figures:?}");
    csv_agrees(subject, &figures);
    markdown_agrees(subject, profile, &figures);
    pprof_agrees(subject, profile, &figures);
    callgrind_agrees(subject, profile, &figures);
    text_agrees(subject, profile, &figures);
    report_agrees(subject, &figures);
    page_agrees(subject, profile, &figures);
}

/// A time as people read it, with as many places as the rate needs.
fn seconds(profile: &Value, nanoseconds: u64) -> String {
    let places = if profile["sampling"]["rate_hz"].as_u64() > Some(100) { 3 } else { 2 };
    format!("{:.places$}", nanoseconds as f64 / 1e9)
}

fn csv_agrees(subject: &Subject, figures: &BTreeMap<String, Figures>) {
    let text = subject.exported(&["--format", "csv"]);
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let column = |title: &str| head.iter().position(|it| *it == title).expect("a column");
    let mut found = 0;
    for row in lines.filter(|row| row.len() == head.len()) {
        let Some(figures) = figures.get(row[column("function")]) else { continue };
        let number = |title: &str| row[column(title)].parse::<u64>().ok();
        let of_row = ["samples", "self_ns", "total_ns", "calls"].map(number);
        let Figures { samples, own_ns, total_ns, calls, .. } = *figures;
        assert_eq!(of_row, [Some(samples), Some(own_ns), Some(total_ns), calls], "{row:?}");
        found += 1;
    }
    assert!(found >= 7, "{text}");
}

fn markdown_agrees(subject: &Subject, profile: &Value, figures: &BTreeMap<String, Figures>) {
    let text = subject.exported(&["--format", "markdown", "--top", "1000"]);
    let own: u64 = profile["sampling"]["samples"].as_u64().expect("samples")
        - profile["sampling"]["hooks"].as_u64().expect("hooks");
    let mut found = 0;
    for row in text.lines().filter(|line| line.ends_with("` |")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [calls, self_time, total, percent, name] = cells[..] else { panic!("{row}") };
        let Some(figures) = figures.get(name.trim_matches('`')) else { continue };
        let share = format!("{:.1}", 100.0 * figures.samples as f64 / own as f64);
        let expected =
            [seconds(profile, figures.own_ns), share, seconds(profile, figures.total_ns)];
        assert_eq!([self_time, percent, total], expected.each_ref().map(String::as_str), "{row}");
        let calls = calls.replace(',', "").parse::<u64>().ok();
        assert_eq!(calls, figures.calls, "{row}");
        found += 1;
    }
    assert!(found >= 7, "{text}");
}

/// The rows of `gmon report`: of the data, and of the profile in JSON.
fn text_agrees(subject: &Subject, profile: &Value, figures: &BTreeMap<String, Figures>) {
    let json = subject.file("views.json", &[]);
    let of_data = [subject.executable().to_owned(), subject.path("gmon.out")];
    for data in [&of_data[..], &[json]] {
        let text =
            text_of(gmon().args(["report", "--top", "1000", "--inlines", "show"]).args(data));
        let mut found = 0;
        for row in summary::rows(&text) {
            let Some(figures) = figures.get(&row.name) else { continue };
            let own = row.number("self").expect("a time");
            let of_json: f64 = seconds(profile, figures.own_ns).parse().expect("a number");
            // Without stacks text has parts of samples, of which JSON makes whole ones.
            let least = if profile["sampling"]["paths"] == "none" { 0.0011 } else { 1e-9 };
            assert!((own - of_json).abs() < least, "{} {of_json}:\n{text}", row.name);
            if let Some(calls) = row.number("calls") {
                assert_eq!(Some(calls as u64), figures.calls, "{}:\n{text}", row.name);
            }
            found += 1;
        }
        assert!(found >= 7, "{text}");
    }
}

/// The numbers behind the words of `gmon report`.
fn report_agrees(subject: &Subject, figures: &BTreeMap<String, Figures>) {
    let mut report = gmon();
    report
        .args(["report", "--format", "json", "--top", "1000", "--inlines", "show"])
        .arg(subject.executable());
    let text = text_of(report.arg(subject.path("gmon.out")));
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let mut found = 0;
    for row in list(&document["tables"][0], "rows") {
        let name = row["function"].as_str().expect("a name");
        // What hooks took has no total.
        let figures = figures.get(name).filter(|_| !name.starts_with('['));
        let Some(Figures { own_ns, total_ns, waiting_ns, calls, .. }) = figures else { continue };
        let number = |column: &str| row[column].as_u64();
        let (running, waiting) = (number("running_ns"), number("waiting_ns"));
        let total =
            number("total_ns").or_else(|| Some(running.unwrap_or(0) + waiting.unwrap_or(0)));
        assert_eq!((number("self_ns"), total), (Some(*own_ns), Some(*total_ns)), "{row}");
        assert!(waiting.is_none_or(|it| it == *waiting_ns) && number("calls") == *calls, "{row}");
        found += 1;
    }
    assert!(found >= 7, "{text}");
}

/// The fields of a message: numbers, and the bytes of what is longer.
fn message(mut bytes: &[u8]) -> Vec<(u64, u64, &[u8])> {
    fn number(bytes: &mut &[u8]) -> u64 {
        let (mut value, mut shift) = (0, 0);
        while let Some((&byte, rest)) = bytes.split_first() {
            *bytes = rest;
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        value
    }
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = number(&mut bytes);
        let value = number(&mut bytes);
        let mut content = &[][..];
        if key & 7 == 2 {
            (content, bytes) = bytes.split_at(value as usize);
        }
        fields.push((key >> 3, value, content));
    }
    fields
}

/// All numbers of a packed list.
fn packed(bytes: &[u8]) -> Vec<u64> {
    // A field whose key is 0 is as good as any.
    let mut numbers = Vec::new();
    let (mut value, mut shift) = (0, 0);
    for byte in bytes {
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if *byte < 0x80 {
            numbers.push(value);
            (value, shift) = (0, 0);
        }
    }
    numbers
}

fn pprof_agrees(subject: &Subject, profile: &Value, figures: &BTreeMap<String, Figures>) {
    let file = fs::read(subject.file("views.pb.gz", &[])).expect("a file");
    let mut bytes = Vec::new();
    GzDecoder::new(file.as_slice()).read_to_end(&mut bytes).expect("gzip");
    let fields = message(&bytes);
    let of = |field: u64| fields.iter().filter(move |it| it.0 == field).map(|it| message(it.2));
    let number = |fields: &[(u64, u64, &[u8])], field: u64| {
        fields.iter().find(|it| it.0 == field).map_or(0, |it| it.1)
    };
    let strings: Vec<String> = fields
        .iter()
        .filter(|it| it.0 == 6)
        .map(|it| String::from_utf8_lossy(it.2).into_owned())
        .collect();
    let names: BTreeMap<u64, &str> =
        of(5).map(|it| (number(&it, 1), strings[number(&it, 2) as usize].as_str())).collect();
    // The innermost function of each location.
    let functions: BTreeMap<u64, u64> = of(4)
        .map(|it| {
            let line = it.iter().find(|field| field.0 == 4).expect("a line");
            (number(&it, 1), number(&message(line.2), 1))
        })
        .collect();
    let mut sums: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for sample in of(2) {
        let list = |field: u64| packed(sample.iter().find(|it| it.0 == field).expect("a list").2);
        let (locations, values) = (list(1), list(2));
        let sum = sums.entry(names[&functions[&locations[0]]]).or_default();
        (0..3).for_each(|at| sum[at] += values[at]);
    }
    let mut found = 0;
    for (name, Figures { samples, own_ns, calls, .. }) in figures {
        let Some(sums) = sums.get(name.as_str()) else { continue };
        assert_eq!(*sums, [calls.unwrap_or(0), *samples, *own_ns], "{name}");
        found += 1;
    }
    assert!(found >= 7, "{sums:?}");
    let all = sums.values().map(|it| it[1]).sum::<u64>();
    assert_eq!(profile["sampling"]["samples"], all);
}

fn callgrind_agrees(subject: &Subject, profile: &Value, figures: &BTreeMap<String, Figures>) {
    let text = fs::read_to_string(subject.file("callgrind.out.views", &[])).expect("a file");
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut name_of = |text: &str| {
        let (id, name) = text.split_once(')').expect("an id");
        match name.trim() {
            "" => names[id].clone(),
            name => names.entry(id.to_owned()).or_insert_with(|| name.to_owned()).clone(),
        }
    };
    let (mut own, mut calls): (BTreeMap<String, u64>, BTreeMap<String, u64>) = Default::default();
    let (mut function, mut callee, mut is_call) = (String::new(), String::new(), false);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            function = name_of(name);
        } else if let Some(name) = line.strip_prefix("cfn=") {
            callee = name_of(name);
        } else if let Some(count) = line.strip_prefix("calls=") {
            let count = count.split(' ').next().and_then(|count| count.parse::<u64>().ok());
            *calls.entry(callee.clone()).or_default() += count.expect("a count");
            is_call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            let cost = line.split(' ').nth(1).and_then(|cost| cost.parse::<u64>().ok());
            if !std::mem::take(&mut is_call) {
                *own.entry(function.clone()).or_default() += cost.expect("a cost");
            }
        }
    }
    let number = |name: &str| profile["sampling"][name].as_u64().expect("a number");
    assert_eq!(own.values().sum::<u64>(), number("samples") * number("period_ns"));
    // Own functions, none of which was inlined.
    for name in ["sort", "compare", "spin", "small", "descend", "share", "sleep_a_little"] {
        let figures = &figures[name];
        let functions = list(profile, "functions");
        // Code that was inlined is here in the function that has it, as in `places`.
        let places = list(profile, "places").iter().filter(|place| {
            functions[place["function"].as_u64().expect("an id") as usize]["display"] == name
        });
        let samples: u64 = places.filter_map(|place| place["samples"].as_u64()).sum();
        let expected = samples * number("period_ns");
        assert_eq!(own.get(name).copied().unwrap_or(0), expected, "{name}");
        let arcs = list(profile, "arcs").iter().filter(|arc| {
            functions[arc["callee"].as_u64().expect("an id") as usize]["display"] == name
        });
        let [mut known, mut outside] = [0, 0];
        for arc in arcs {
            let sum = if arc["caller"].is_null() { &mut outside } else { &mut known };
            *sum += arc["calls"].as_u64().unwrap_or(0);
        }
        assert_eq!(Some(known + outside), figures.calls, "{name}");
        // A call that stacks show and nobody counted stands there as one; callers outside have no arcs.
        assert!(calls.get(name).copied().unwrap_or(0) >= known, "{name}: {calls:?}");
    }
}

fn page_agrees(subject: &Subject, profile: &Value, figures: &BTreeMap<String, Figures>) {
    let path = subject.path("views.html");
    let mut report = gmon();
    report.args(["report", "--inlines", "show", "--html"]).arg(&path).arg(subject.executable());
    text_of(report.arg(subject.path("gmon.out")));
    let Some(browser) = Browser::open(1400, 900) else { return };
    browser.show(&path, "#v=functions");
    let waits = !profile["sampling"]["waiting"].is_null();
    let own = ["sort", "compare", "spin", "small", "descend", "share", "sleep_a_little"];
    for name in own {
        let script = format!(
            "const box = document.getElementById('search'); box.value = '/^{name}$'; \
             box.dispatchEvent(new Event('input')); \
             const row = document.querySelector('#functions tbody tr:not(.gap)'); \
             const titles = [...document.querySelectorAll('#functions thead tr > *')].map((cell) => cell.textContent); \
             return JSON.stringify(Object.fromEntries([...row.children].map((cell, i) => [titles[i], cell.textContent])))"
        );
        let row: Value = serde_json::from_str(&browser.text(&script)).expect("a row");
        let Figures { own_ns, total_ns, waiting_ns, calls, .. } = figures[name];
        assert_eq!(row["self s"], seconds(profile, own_ns), "{name}: {row}");
        let total = row["total s"].as_str().expect("a total");
        assert!(total.starts_with('<') || total == seconds(profile, total_ns), "{name}: {row}");
        if waits {
            assert_eq!(row["waiting s"], seconds(profile, waiting_ns), "{name}: {row}");
        }
        let shown = row["calls"].as_str().expect("calls").replace(',', "").parse::<u64>().ok();
        assert_eq!(shown, calls, "{name}: {row}");
    }
    let tabs = browser.text(
        "return [...document.querySelectorAll('#tabs a')].map((tab) => tab.textContent).join()",
    );
    assert_eq!(tabs.contains("Waits"), waits, "{tabs}");
    let regions = list(profile, "regions");
    assert_eq!(tabs.contains("Parallel"), !regions.is_empty(), "{tabs}");
    if let [region] = regions.as_slice() {
        browser.show(&path, "#v=parallel");
        let row = browser.text(
            "return [...document.querySelectorAll('#parallel [aria-label=\"Parallel regions\"] tbody td')].map((cell) => cell.textContent).join(' ')",
        );
        let times = region["threads"].as_array().expect("threads");
        let sum: u64 = times.iter().filter_map(|it| it["time_ns"].as_u64()).sum();
        let cells: Vec<&str> = row.split(' ').collect();
        assert_eq!(cells[..2], [seconds(profile, sum), region["team"].to_string()], "{row}");
    }
    assert_eq!(browser.log(), Vec::<String>::new());
}

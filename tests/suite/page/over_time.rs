//! The run over time on the page: every sample is in it, and an interval is chosen by keys and has its own figures.

use serde_json::Value;
use support::browser::Browser;
use support::command::text_of;
use support::suite::Suite;
use support::workplace::Workplace;

use super::{data, page, report, run};

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|it| it.as_u64().expect("a number")).collect()
}

#[test]
fn steps_of_time_have_all_samples() {
    let (folder, program) = (Workplace::new(), run("record,hz=1000"));
    let data = data(&page(&folder, &program, &[]));
    let over = &data["overTime"];
    let sum = numbers(&over["samples"]).iter().sum::<u64>();
    assert!(sum > 0);
    assert_eq!(sum, data["samples"].as_u64().expect("samples"));
    assert_eq!(numbers(&over["heat"]).iter().sum::<u64>(), sum);
    let last: u64 = numbers(&over["step"]).iter().sum();
    assert!(last < over["steps"].as_u64().expect("steps"));
}

#[test]
fn an_interval_has_its_own_flame_graph() {
    let Some(browser) = Browser::open(1400, 900) else { return };
    let (folder, program) = (Workplace::new(), run("record,hz=1000"));
    browser.show(&page(&folder, &program, &[]), "#v=time");
    let words = "return document.querySelector('#time [role=status]').textContent";
    let whole = browser.text(words);
    // A slider that a key moves tells it by this event.
    browser.run(
        "const end = document.querySelectorAll('#time input')[1]; end.value = Math.floor(end.max / 2); \
         end.dispatchEvent(new Event('input'))",
    );
    browser.wait_for("return location.hash.includes('r=')");
    let half = browser.text(words);
    assert_ne!(whole, half);
    browser.run("location.hash = location.hash.replace('v=time', 'v=flame')");
    browser.wait_for(
        "return document.querySelector('.interval:not([hidden])')?.textContent.includes('only')",
    );
    assert_eq!(browser.log(), Vec::<String>::new());
}

#[test]
fn views_of_an_interval_have_the_figures_of_the_report() {
    let Some(browser) = Browser::open(1400, 900) else { return };
    let (folder, program) = (Workplace::new(), run("record,hz=1000"));
    let path = page(&folder, &program, &[]);
    let over = &data(&path)["overTime"];
    let of = |name: &str| over[name].as_u64().expect("a number");
    // Whole steps from the first quarter of the run to the third.
    let at = |step: u64| (of("startUs") + step * of("stepUs")) / 1000;
    let (from, to) = (at(of("steps") / 4), at(3 * of("steps") / 4));
    let mut command =
        report(&program, &["--from", &format!("{from}ms"), "--to", &format!("{to}ms")]);
    let table = text_of(command.args(["--format", "csv", "--top", "1000"]));
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().expect("heads");
    let place = |name: &str| {
        heads.iter().position(|it| *it == name).unwrap_or_else(|| panic!("{name}: {heads:?}"))
    };
    let (own, total, name) = (place("self_ns"), place("total_ns"), place("function"));
    let seconds = |ns: &str| format!("{:.3}", ns.parse::<f64>().expect("a time") / 1e9);
    let rows: Vec<_> =
        lines.filter(|row| !row[name].contains(['[', '(']) && row[total] != "0").collect();
    assert!(rows.len() > 2, "{table}");

    browser.show(&path, &format!("#v=functions&r={from}-{to}"));
    for row in &rows {
        let script = format!(
            "const box = document.getElementById('search'); box.value = '/^{}$'; \
             box.dispatchEvent(new Event('input')); \
             const row = document.querySelector('#functions tbody tr:not(.gap)'); \
             return [0, 3, -1].map((k) => [...row.children].at(k < 0 ? 6 : k).textContent).join(' ')",
            row[name]
        );
        assert_eq!(
            browser.text(&script),
            format!("{} {} –", seconds(row[own]), seconds(row[total])),
            "{}",
            row[name]
        );
    }
    browser.run("location.hash = location.hash.replace(/&q=[^&]*/, '').replace('v=functions', 'v=overview')");
    let words = "return document.querySelector('.interval:not([hidden])')?.textContent ?? ''";
    browser.wait_for("return !document.getElementById('overview').hidden");
    assert!(browser.text(words).starts_with("From "), "{}", browser.text(words));
    let hottest =
        browser.text("return document.querySelector('#overview table tbody .name').textContent");
    assert_eq!(hottest, rows[0][name]);
    // All of the time of `price` in the interval is for its callers there.
    browser.run("location.hash = location.hash.replace('v=overview', 'v=function&f=price')");
    browser.wait_for("return !document.getElementById('function').hidden");
    let callers = "return [...document.querySelectorAll('#function table[aria-label=Callers] tbody tr')] \
                   .reduce((sum, row) => sum + Number(row.children[2].textContent), 0).toFixed(2)";
    let price = rows.iter().find(|row| row[name] == "price").expect("it takes most of the time");
    let whole = price[total].parse::<f64>().expect("a time") / 1e9;
    assert!(
        (browser.text(callers).parse::<f64>().expect("a sum") - whole).abs() < 0.01,
        "{whole}: {}",
        browser.text(callers)
    );
    // What has no times of its own says that it is of the whole run.
    browser.run("location.hash = location.hash.replace('v=function', 'v=cycles')");
    browser.wait_for("return !document.getElementById('cycles').hidden");
    assert!(browser.text(words).starts_with("The whole run"), "{}", browser.text(words));
    assert_eq!(browser.log(), Vec::<String>::new());
}

/// A profile of two phases and moments in them, of a program in the tests of timelines.
fn marked(folder: &Workplace) -> std::path::PathBuf {
    let program = Suite("timeline").build(
        "marked.c",
        "default",
        &["-fno-optimize-sibling-calls", "-fno-inline"],
    );
    let output = program.run(&["100"], &[("GMON_OPTIONS", "record,hz=1000")]);
    assert!(output.status.success(), "{output:?}");
    page(folder, &program, &[])
}

#[test]
fn phases_and_moments_are_drawn_and_chosen() {
    let Some(browser) = Browser::open(1400, 900) else { return };
    let folder = Workplace::new();
    let path = marked(&folder);
    browser.show(&path, "#v=time");
    let marks = &data(&path)["overTime"]["marks"];
    let lengths: Vec<i64> = marks["lengthUs"]
        .as_array()
        .expect("lengths")
        .iter()
        .map(|it| it.as_i64().unwrap())
        .collect();
    let moments = lengths.iter().filter(|length| **length < 0).count();
    assert!(moments > 0 && moments < lengths.len(), "{lengths:?}");
    let number = |selector: &str| {
        browser.run(&format!("return document.querySelectorAll('{selector}').length"))
    };
    assert_eq!(number("#time .phases i"), moments);
    assert_eq!(number("#time .phases b"), lengths.len() - moments);
    // Moments have a row of their own, so nothing hides them.
    let rows = "return [...new Set([...document.querySelectorAll('#time .phases TAG')].map((it) => it.style.top))].includes('0px')";
    assert_eq!(browser.run(&rows.replace("TAG", "i")), true);
    assert_eq!(browser.run(&rows.replace("TAG", "b")), false);
    browser.run("[...document.querySelectorAll('#time button.phase')].find((it) => it.textContent === 'load').click()");
    browser.wait_for("return location.hash.includes('r=')");
    let first = "return document.querySelector('#time table[aria-label=\"Functions of the interval\"] tbody').textContent";
    assert!(browser.text(first).contains("work"), "{}", browser.text(first));
    assert_eq!(browser.log(), Vec::<String>::new());
}

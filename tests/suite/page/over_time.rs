//! The run over time on the page: every sample is in it, and an interval is chosen by keys and has its own figures.

use serde_json::Value;
use support::browser::Browser;
use support::command::text_of;
use support::program::Program;
use support::suite::Suite;
use support::workplace::Workplace;

use super::{data, page, report, rows_of_report, run};

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

/// The interval in the address, in milliseconds.
fn interval(browser: &Browser) -> (u64, u64) {
    browser.wait_for("return /r=\\d+-\\d+/.test(location.hash)");
    let range = browser.text("return /r=(\\d+-\\d+)/.exec(location.hash)[1]");
    let (from, to) = range.split_once('-').expect("two times");
    (from.parse().expect("a time"), to.parse().expect("a time"))
}

/// The named functions with time in an interval, as `gmon report` has them: their names, and times as the page prints them.
fn rows(program: &Program, (from, to): (u64, u64), times: [&str; 2]) -> Vec<(String, [String; 2])> {
    let mut command =
        report(program, &["--from", &format!("{from}ms"), "--to", &format!("{to}ms")]);
    let table = text_of(command.args(["--format", "csv", "--top", "1000"]));
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().expect("heads");
    let place = |name: &str| {
        heads.iter().position(|it| *it == name).unwrap_or_else(|| panic!("{name}: {heads:?}"))
    };
    let (times, total, name) = (times.map(place), place("total_ns"), place("function"));
    let seconds = |ns: &str| format!("{:.3}", ns.parse::<f64>().expect("a time") / 1e9);
    let rows = lines.filter(|row| !row[name].contains(['[', '(']) && row[total] != "0");
    let rows = rows.map(|row| (row[name].to_owned(), times.map(|at| seconds(row[at]))));
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() > 2, "{table}");
    rows
}

/// Shows another view of the same interval.
fn go(browser: &Browser, view: &str) {
    let place = "location.hash.replace(/#v=\\w+/, '').replace(/&[^r]=[^&]*/g, '')";
    browser.run(&format!("location.hash = '#v={view}' + {place}"));
    let name = view.split('&').next().expect("a view");
    browser.wait_for(&format!("return document.body.dataset.view === '{name}'"));
}

/// Cells of the row of a function in a table of the page.
fn cells(browser: &Browser, table: &str, function: &str, columns: &str) -> String {
    browser.text(&format!(
        "const row = [...document.querySelectorAll({table:?} + ' tbody tr')]\
         .find((it) => it.querySelector('.name')?.textContent === '{function}'); \
         return {columns}.map((k) => [...row.children].at(k).textContent).join(' ')"
    ))
}

#[test]
fn views_of_an_interval_that_is_dragged_have_the_figures_of_the_report() {
    let Some(browser) = Browser::open(1400, 900) else { return };
    let (folder, program) = (Workplace::new(), run("record,hz=1000"));
    let path = page(&folder, &program, &[]);
    browser.show(&path, "#v=time");
    // From the right to the left, and over the middle of the run.
    browser.drag("#time .lanes", (0.75, 0.25), 10);
    let interval = interval(&browser);
    let over = &data(&path)["overTime"];
    let of = |name: &str| over[name].as_u64().expect("a number");
    let at = |part: f64| (of("startUs") as f64 + part * (of("steps") * of("stepUs")) as f64) / 1e3;
    // A pixel is at most a few steps, and a step a millisecond or more.
    let near = 4.0 * of("stepUs") as f64 / 1e3;
    assert!((interval.0 as f64 - at(0.25)).abs() <= near, "{interval:?} {}", at(0.25));
    assert!((interval.1 as f64 - at(0.75)).abs() <= near, "{interval:?} {}", at(0.75));

    let borders = [interval.0, interval.1].map(|border| format!("{border}ms"));
    let mut rows = rows_of_report(&program, &["--from", &borders[0], "--to", &borders[1]]);
    // Neither functions of libraries nor the row of the hooks, whose last word is `hooks]`.
    rows.retain(|(name, _)| !name.contains(['[', '(', ']']));
    assert!(
        rows.len() > 2 && rows.iter().any(|(_, [.., error, _])| error.contains('.')),
        "{rows:?}"
    );
    let with_self = || rows.iter().filter(|(_, [own, ..])| *own != "0.000");
    for (name, [own, total, ..]) in with_self() {
        let table = "#time table[aria-label=\"Functions of the interval\"]";
        assert_eq!(cells(&browser, table, name, "[0, 2]"), format!("{own} {total}"), "{name}");
    }
    go(&browser, "overview");
    for (name, [own, total, ..]) in with_self() {
        let shown = cells(&browser, "#overview .side", name, "[1, 2]");
        assert_eq!(shown, format!("{own} {total}"), "{name}");
    }
    go(&browser, "functions");
    for (name, [own, total, error, _]) in &rows {
        let shown = cells(&browser, "#functions table", name, "[0, 3, 4, 6]");
        assert_eq!(shown, format!("{own} {total} {error} –"), "{name}");
    }
    for (name, [own, total, ..]) in &rows {
        go(&browser, &format!("function&f={name}"));
        let figures = "return [...document.querySelectorAll('#function .figures dd')]\
                       .map((it) => it.firstChild.textContent.split(/\\s/)[0]).join(' ')";
        assert_eq!(browser.text(figures), format!("{own} {total}"), "{name}");
    }
    // Upside down, the first level has the functions by their own time.
    go(&browser, "flame&i=1&l=1");
    for (name, [own, ..]) in with_self() {
        assert_eq!(cells(&browser, "#flame table", name, "[1]"), *own, "{name}");
    }
    // All lines that have time are of `price`.
    go(&browser, "source");
    let lines = "return [...document.querySelectorAll('#source tbody .time')]\
                 .reduce((sum, it) => sum + Number(it.textContent), 0).toFixed(3)";
    let price = rows.iter().find(|(name, _)| name == "price").expect("it takes most of the time");
    assert_eq!(browser.text(lines), price.1[0]);

    let words = "return document.querySelector('.interval:not([hidden])')?.textContent ?? ''";
    assert!(browser.text(words).starts_with("From "), "{}", browser.text(words));
    // All of the time of `price` in the interval is for its callers there.
    go(&browser, "function&f=price");
    let callers = "return [...document.querySelectorAll('#function table[aria-label=Callers] tbody tr')] \
                   .reduce((sum, row) => sum + Number(row.children[2].textContent), 0).toFixed(2)";
    let whole = price.1[1].parse::<f64>().expect("a time");
    assert!(
        (browser.text(callers).parse::<f64>().expect("a sum") - whole).abs() < 0.01,
        "{whole}: {}",
        browser.text(callers)
    );
    // What has no times of its own says that it is of the whole run.
    go(&browser, "cycles");
    assert!(browser.text(words).starts_with("The whole run"), "{}", browser.text(words));
    // A click chooses no interval.
    go(&browser, "time");
    browser.drag("#time .lanes", (0.5, 0.5), 1);
    browser.wait_for("return !location.hash.includes('r=')");
    assert_eq!(browser.log(), Vec::<String>::new());
}

#[test]
fn the_kernels_part_is_that_of_the_interval() {
    let Some(browser) = Browser::open(1400, 900) else { return };
    let folder = Workplace::new();
    let program = Suite("timeline").build("kernel.c", "default", &["-fno-inline"]);
    let output = program.run(&["300"], &[("GMON_OPTIONS", "record,hz=1000")]);
    assert!(output.status.success(), "{output:?}");
    browser.show(&page(&folder, &program, &[]), "#v=time");
    browser.drag("#time .lanes", (0.3, 0.7), 10);
    let all = rows(&program, interval(&browser), ["self_ns", "kernel_ns"]);
    // Some have namesakes in other libraries.
    let is_one = |name: &str| all.iter().filter(|(other, _)| other == name).count() == 1;
    let rows: Vec<_> = all.iter().filter(|(name, _)| is_one(name)).collect();
    assert!(rows.iter().any(|(_, [_, kernel])| kernel != "0.000"), "{rows:?}");
    go(&browser, "functions");
    for (name, [own, kernel]) in rows {
        let shown = cells(&browser, "#functions table", name, "[0, 4]");
        assert_eq!(shown, format!("{own} {kernel}"), "{name}");
    }
    assert_eq!(browser.log(), Vec::<String>::new());
}

/// A profile of two phases and moments in them, of a program in the tests of timelines.
pub(super) fn marked(folder: &Workplace) -> std::path::PathBuf {
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

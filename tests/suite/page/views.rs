//! The page in Chromium: its figures, its keys, and that it asks nobody for anything.

use std::path::Path;

use support::browser::{Axe, Browser, key};
use support::command::{gmon, text_of};
use support::program::Program;
use support::workplace::Workplace;

use super::{page, report, rows_of_report, run};

/// The text of the first element of a selector.
fn shown(browser: &Browser, selector: &str) -> String {
    browser.text(&format!("return document.querySelector({selector:?}).textContent"))
}

/// What follows `#` in the address.
fn place(browser: &Browser) -> String {
    browser.text("return decodeURIComponent(location.hash)")
}

#[test]
fn the_page_shows_what_the_report_says_and_its_keys_work() {
    let Some(browser) = Browser::open(1400, 900) else { return };
    let (folder, program) = (Workplace::new(), run("stacks,hz=1000"));
    let path = page(&folder, &program, &["--source", "all"]);
    browser.show(&path, "");

    // The first page says it in a sentence.
    assert!(shown(&browser, "#overview h2 .name").contains("price"));
    assert!(browser.run("return document.querySelectorAll('#overview canvas').length") == 1);

    figures_are_those_of_the_report(&browser, &rows_of_report(&program, &[]));
    a_call_takes_as_long_as_in_the_report(&browser, &program);
    keys_lead_to_views(&browser);
    frames_are_reached_by_keys(&browser);
    search_finds_functions(&browser);
    one_function_has_callers_and_callees(&browser);

    // Paper has all views, whatever was shown.
    browser.run("addEventListener('beforeprint', () => (window.printed = document.querySelectorAll('.view:not([hidden])').length))");
    assert!(browser.print().len() > 10_000);
    assert_eq!(browser.run("return window.printed"), 6);
    assert_eq!(browser.run("return document.querySelectorAll('.view:not([hidden])').length"), 1);

    // Dark colours come by themselves, and by the switch.
    let back = "return getComputedStyle(document.body).backgroundColor";
    let light = browser.text(back);
    browser.prefer_dark();
    let dark = browser.text(back);
    assert_ne!(light, dark);
    browser.click("#theme");
    assert_eq!(browser.text(back), light);

    // Nothing but the page itself was asked for, and no script failed.
    assert_eq!(browser.log(), Vec::<String>::new());
    assert_eq!(browser.requests(), Vec::<String>::new());

    let exported = folder.path("profile.json");
    let mut export = gmon();
    export.args(["export", "--format", "json", "-o"]).arg(&exported);
    text_of(export.arg(&program.executable).arg(program.data()));
    names_are_text(&browser, &folder);
    lists_have_names_that_tell_functions_apart(&browser, &folder);
    arcs_alone_make_no_flame_graph(&browser);
}

/// Each function that the report has, with the same time and calls.
fn figures_are_those_of_the_report(browser: &Browser, rows: &[(String, [String; 4])]) {
    assert!(rows.len() >= 5, "{rows:?}");
    browser.press("3");
    browser.wait_for("return !document.getElementById('functions').hidden");
    for (name, [own, total, error, calls]) in
        rows.iter().filter(|(name, _)| !name.contains(['[', ']']))
    {
        // The table has only the rows in sight, so each is searched for.
        let script = format!(
            "const box = document.getElementById('search'); box.value = '/^{name}$'; \
             box.dispatchEvent(new Event('input')); \
             const rows = [...document.querySelectorAll('#functions tbody tr:not(.gap)')].map((row) => \
               [...row.children].map((cell) => cell.textContent)); \
             return rows.map((row) => [row[0], row[3], row[4], row[5]].join(' ')).join('\\n')"
        );
        let found = browser.text(&script);
        // The end of an interval, which the page computes of rounded figures, may round otherwise.
        let is_near = |text: &str, other: &str| {
            let number = |text: &str| text.trim_start_matches('<').parse::<f64>().ok();
            let difference = number(text).zip(number(other)).map(|(a, b)| (a - b).abs());
            text.starts_with('<') == other.starts_with('<')
                && difference.is_some_and(|it| it < 0.0011)
        };
        let is_same = |row: &str| {
            let cells: Vec<&str> = row.split(' ').collect();
            let calls = if calls == "-" { "–" } else { calls };
            let is_bound = total.starts_with('<');
            cells[0] == own
                && (cells[1] == total || is_bound && is_near(cells[1], total))
                && (cells[2] == error || is_near(cells[2], error))
                && cells[3] == calls
        };
        let row = [own, total, error, calls];
        assert!(found.lines().any(is_same), "{name}: {row:?} is not in\n{found}");
    }
    browser.press(key::ESCAPE);
}

/// `per call` is the total divided by the calls from others, in each view.
fn a_call_takes_as_long_as_in_the_report(browser: &Browser, program: &Program) {
    let table = text_of(&mut report(program, &["--format", "csv", "--top", "1000"]));
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().expect("heads");
    let place = |name: &str| heads.iter().position(|it| *it == name).expect("a column");
    let (name, each) = (place("function"), place("per_call_ns"));
    for function in ["price", "sell"] {
        let row = lines.by_ref().find(|row| row[name] == function).expect("a hot function");
        browser.run(&format!("location.hash = '#v=function&f={function}'"));
        browser.wait_for(&format!(
            "return document.querySelector('#function .title h2')?.textContent === '{function}'"
        ));
        let script = "return [...document.querySelectorAll('#function .figures div')].find((it) => \
               it.firstChild.textContent === 'per call').lastChild.textContent";
        let text = browser.text(script);
        let (number, unit) = text.split_once('\u{a0}').expect("a number and its unit");
        let unit = match unit {
            "s" => 1e9,
            "ms" => 1e6,
            "µs" => 1e3,
            _ => 1.0,
        };
        let shown = number.parse::<f64>().expect("a number") * unit;
        let expected = row[each].parse::<f64>().expect("nanoseconds");
        assert!((shown / expected - 1.0).abs() < 0.01, "{function}: {text}, {expected} ns");
    }
}

fn keys_lead_to_views(browser: &Browser) {
    let views = ["overview", "flame", "functions", "function", "source", "cycles"];
    for (number, view) in (1..).zip(views) {
        browser.press(&number.to_string());
        browser.wait_for(&format!("return document.body.dataset.view === '{view}'"));
        let hidden =
            format!("return document.querySelectorAll('.view:not([hidden])')[0].id === '{view}'");
        assert_eq!(browser.run(&hidden), true);
    }
    browser.press("?");
    browser.wait_for("return document.getElementById('help').open");
    browser.press("?");
    browser.wait_for("return !document.getElementById('help').open");
    browser.press("/");
    browser.wait_for("return document.activeElement.id === 'search'");
    browser.press(key::ESCAPE);
    browser.wait_for("return document.activeElement.id !== 'search'");

    browser.press("i");
    browser.wait_for("return location.hash.includes('i=1')");
    assert!(
        browser.text("return document.querySelector('#flame canvas').ariaLabel").contains("price")
    );
    browser.press("i");
    browser.wait_for("return !location.hash.includes('i=1')");
    browser.press("t");
    browser.wait_for("return location.hash.includes('t=')");
    let first = place(browser);
    browser.press("t");
    browser.wait_for(&format!("return decodeURIComponent(location.hash) !== {first:?}"));
    assert!(place(browser).contains("t="), "two threads");
    browser.press("t");
    browser.wait_for("return !location.hash.includes('t=')");
}

/// The arrows move, Enter zooms, Escape leads back; a line tells where one is.
fn frames_are_reached_by_keys(browser: &Browser) {
    browser.press("2");
    browser.run("document.querySelector('#flame canvas').focus()");
    let line = || shown(browser, "#flame .details");
    browser.press(key::DOWN);
    let first = line();
    browser.press(key::DOWN);
    let second = line();
    assert!(first.contains('%') && second.contains('%') && first != second, "{first} {second}");
    browser.press(key::UP);
    assert_eq!(line(), first);
    browser.press(key::RIGHT);
    browser.press(key::LEFT);
    assert_eq!(line(), first);
    assert_eq!(shown(browser, "#flame [role=status].hidden"), first);
    browser.press(key::DOWN);
    browser.press(key::ENTER);
    browser.wait_for("return location.hash.includes('z=')");
    browser.run("document.querySelector('#flame canvas').focus()");
    browser.press(key::ESCAPE);
    browser.press(key::ESCAPE);
    browser.wait_for("return !location.hash.includes('z=')");
    browser.run("document.querySelector('#flame canvas').focus()");
    browser.press(key::DOWN);
    browser.press("f");
    browser.wait_for("return document.body.dataset.view === 'function'");
}

fn search_finds_functions(browser: &Browser) {
    browser.press("2");
    browser.wait_for("return document.body.dataset.view === 'flame'");
    browser.press("/");
    browser.press("price");
    browser.wait_for("return location.hash.includes('q=price')");
    let found = shown(browser, "#flame .found");
    assert!(found.starts_with("1 function found"), "{found}");
    browser.press(key::ESCAPE);
    browser.press("/");
    browser.press("/^(buy|sell)$/");
    browser.wait_for(
        "return document.querySelector('#flame .found').textContent.startsWith('2 functions')",
    );
    browser.press(key::ESCAPE);
    browser.press("/");
    browser.press("/(");
    browser.wait_for(
        "return document.querySelector('#flame .found').textContent.includes('xpression')",
    );
    browser.press(key::ESCAPE);
    // The same stacks as a table.
    browser.run("location.hash = '#v=flame&l=1'");
    browser.wait_for("return document.querySelectorAll('#flame .calltree tbody tr').length > 3");
}

fn one_function_has_callers_and_callees(browser: &Browser) {
    browser.run("location.hash = '#v=function&f=price'");
    browser.wait_for(
        "return document.querySelector('#function h2.printed + .body h2')?.textContent === 'price'",
    );
    let callers = shown(browser, "#function .butterfly table tbody");
    assert!(callers.contains("6,000") && callers.contains("200"), "{callers}");
    let first = shown(browser, "#function .butterfly tbody tr .name");
    assert_eq!(first, "sell", "who takes the time comes first, not who calls most");
    assert_eq!(browser.run("return document.querySelectorAll('#function canvas').length"), 2);
    assert!(
        browser
            .text("return document.querySelector('#function canvas').ariaLabel")
            .contains("sell")
    );
    browser.press("6");
    browser
        .wait_for("return document.querySelector('#cycles .card')?.textContent.includes('pong')");
}

/// Shows the exported profile with other names for these functions.
fn renamed(browser: &Browser, folder: &Workplace, names: &[(&str, &str)], view: &str) {
    let mut text = folder.read("profile.json");
    for (name, other) in names {
        text = text.replace(&format!("\"{name}\""), &format!("\"{other}\""));
    }
    folder.write("renamed.json", text);
    let path = folder.path("renamed.html");
    text_of(gmon().arg("report").arg("--html").arg(&path).arg(folder.path("renamed.json")));
    browser.show(&path, view);
}

/// A name that looks like HTML is a name.
fn names_are_text(browser: &Browser, folder: &Workplace) {
    let evil = r"</script><img src=x onerror=document.title='hit'>";
    for view in ["", "#v=flame&l=1", "#v=functions", "#v=function", "#v=source", "#v=cycles"] {
        renamed(browser, folder, &[("price", evil)], view);
        assert_eq!(browser.run("return document.images.length"), 0, "{view}");
        assert!(!browser.text("return document.title").contains("hit"));
    }
    renamed(browser, folder, &[("price", evil)], "");
    assert_eq!(shown(browser, "#overview h2 .name"), evil);
    assert_eq!(browser.log(), Vec::<String>::new());
}

/// Long names go without what functions of one template share.
fn lists_have_names_that_tell_functions_apart(browser: &Browser, folder: &Workplace) {
    let names = [
        ("price", "store::Map<std::pair<a::Key, a::Value> >::operator[](a::Key)"),
        ("sell", "void store::sort<std::less<store::Key> >(store::Key*)"),
        ("buy", "a::store::Map<std::pair<a::Key, a::Value> >::find(a::Key) const"),
        ("ping", "decltype (((f<a>)({parm#1}))<(b)) std::less<void>::operator()<b>(b)"),
        ("pong", "libsomething-of-a-long-name.so.1.2.3.4.5+0xa9d50"),
    ];
    renamed(browser, folder, &names, "#v=functions");
    let rows = "return [...document.querySelectorAll('#functions .name')].map((it) => `${it.title} is ${it.textContent}`).join('\\n')";
    let rows = browser.text(rows);
    for ((_, name), short) in names.iter().zip([
        "store::Map::operator[]",
        "store::sort",
        "a::store::Map::find",
        "std::less::operator()",
        "…ing-of-a-long-name.so.1.2.3.4.5+0xa9d50",
    ]) {
        assert!(rows.lines().any(|row| row == format!("{name} is {short}")), "{short} in\n{rows}");
    }
}

/// Without stacks the tab says how to record them.
fn arcs_alone_make_no_flame_graph(browser: &Browser) {
    let (folder, program) = (Workplace::new(), run(""));
    browser.show(&page(&folder, &program, &[]), "#v=flame");
    assert!(shown(browser, "#flame").contains("no call stacks"), "{}", shown(browser, "#flame"));
    assert!(shown(browser, "#flame code").contains("gmon run --html"));
    for view in ["1", "2", "3", "4", "5", "6"] {
        browser.press(view);
    }
    assert_eq!(browser.run("return document.querySelectorAll('canvas').length"), 0);
    assert_eq!(browser.log(), Vec::<String>::new());
}

/// Whether a value that is none has become text.
const SPELLED_OUT: &str =
    "return [...document.querySelectorAll('main *')].flatMap((element) => [...element.childNodes])
    .some((node) => node.nodeType === 3 && /^(false|null|undefined|NaN)$|–×/.test(node.nodeValue))";

#[test]
fn everybody_can_use_the_page() {
    let Some(axe) = Axe::find() else { return };
    let Some(browser) = Browser::open(1400, 900) else { return };
    let folder = Workplace::new();
    let of = |options| page(&folder, &run(options), &[]);
    for (options, views) in [
        (
            "stacks,hz=1000",
            &[
                "",
                "#v=flame",
                "#v=flame&l=1",
                "#v=functions",
                "#v=function",
                "#v=source",
                "#v=cycles",
            ][..],
        ),
        ("record,hz=1000", &["#v=time", "#v=flame&r=0-100", "#v=source&r=0-100"]),
        ("", &["", "#v=flame"]),
    ] {
        nothing_keeps_anybody_from(&axe, &browser, &of(options), views);
    }
    // Phases and moments, one of which was chosen, and functions whose calls were timed.
    let marked = super::over_time::marked(&folder);
    nothing_keeps_anybody_from(&axe, &browser, &marked, &["#v=time", "#v=time&r=0-50"]);
    if cfg!(target_arch = "x86_64") {
        let timed = crate::report::times::page(&folder);
        nothing_keeps_anybody_from(&axe, &browser, &timed, &["#v=function&f=dear"]);
    }
}

/// Checks these views, also in dark colours and below the help.
fn nothing_keeps_anybody_from(axe: &Axe, browser: &Browser, path: &Path, views: &[&str]) {
    for view in views {
        for prepare in [
            "",
            "document.getElementById('theme').click()",
            "document.getElementById('keys').click()",
        ] {
            browser.show(path, view);
            browser.run(prepare);
            assert_eq!(axe.violations(browser), "[]", "{path:?} {view} {prepare}");
            // What there is not is not spelled out.
            assert_eq!(browser.run(SPELLED_OUT), false, "{path:?} {view} {prepare}");
        }
    }
}

//! `gmon report --times`: how long calls took.

use std::path::PathBuf;

use assert_cmd::prelude::*;
use serde_json::Value;
use support::command::{said, text_of};
use support::workplace::Workplace;

/// Calls `brief` 20,000 times, and `dear` a hundred times, of which five take ten milliseconds.
const PROGRAM: &str = r#"
    #include <time.h>
    volatile unsigned sink;
    static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000 + t.tv_nsec; }
    __attribute__((noinline)) void brief(void) { sink++; }
    __attribute__((noinline)) void dear(int slow) { long end = now() + (slow ? 10000000 : 50000); while (now() < end) sink++; }
    int main(void) {
        for (int i = 0; i < 20000; i++) brief();
        for (int i = 0; i < 100; i++) dear(i % 20 == 7);
        return 0;
    }
"#;

/// The rows of the table, as JSON.
fn rows(place: &Workplace, of: &str) -> Vec<Value> {
    let text = text_of(&mut place.gmon(&format!("report --times --format json {of}")));
    let tables: Value = serde_json::from_str(&text).expect("JSON");
    tables["tables"][0]["rows"].as_array().expect("rows").clone()
}

/// Runs the program with these functions timed.
fn run(place: &Workplace) {
    place.write("prog.c", PROGRAM);
    for command in ["cc --dormant gcc -O1 prog.c -o prog", "run --times brief,dear ./prog"] {
        assert!(place.gmon(command).output().expect("gmon").status.success(), "{command}");
    }
}

/// The page of a run of it.
pub(crate) fn page(place: &Workplace) -> PathBuf {
    run(place);
    draw(place)
}

/// The page of the run.
fn draw(place: &Workplace) -> PathBuf {
    text_of(&mut place.gmon("report --html page.html ./prog"));
    place.path("page.html")
}

#[test]
#[cfg(target_arch = "x86_64")]
fn times_of_calls_are_shown_and_add_up() {
    let place = Workplace::new();
    run(&place);
    let of_one = rows(&place, "./prog");
    let row = |rows: &[Value], name: &str| {
        rows.iter().find(|row| row["function"] == name).expect("a row").clone()
    };
    assert_eq!(row(&of_one, "brief")["calls"], 20_000);
    let dear = row(&of_one, "dear");
    assert_eq!(dear["calls"], 100);
    let ns = |key: &str| dear[key].as_u64().expect("a time");
    // A busy machine makes calls longer, and never shorter.
    assert!(ns("p50_ns") >= 48_000, "{dear}");
    assert!(ns("p99_ns") >= 9_700_000 && ns("max_ns") >= 10_000_000, "{dear}");
    assert!(ns("p50_ns") <= ns("p90_ns") && ns("p90_ns") <= ns("p99_ns"), "{dear}");
    assert!(ns("total_ns") >= 54_700_000, "{dear}");

    // The same from JSON.
    let mut export = place.gmon("export --format json ./prog -o prog.json");
    assert!(export.status().expect("gmon").success());
    assert_eq!(rows(&place, "prog.json"), of_one);

    the_page_draws_them(&place, &dear);

    // Twice as much in sums.
    let merged =
        place.gmon("merge -o sum.full gmon.out.full gmon.out.full").output().expect("gmon");
    assert!(merged.status.success(), "{}", said(&merged));
    let sum = rows(&place, "./prog sum.full");
    let twice = row(&sum, "dear");
    assert_eq!(twice["calls"], 200);
    assert_eq!(twice["total_ns"].as_u64(), Some(2 * ns("total_ns")));
    assert_eq!(twice["max_ns"], dear["max_ns"]);
}

/// The page has a picture of each timed function, and of no other.
#[cfg(target_arch = "x86_64")]
fn the_page_draws_them(place: &Workplace, dear: &Value) {
    let path = draw(place);
    let data = crate::page::data(&path);
    let names = data["functions"]["name"].as_array().expect("names");
    let pictures = data["callTimes"].as_object().expect("pictures");
    let mut drawn: Vec<&str> = pictures
        .keys()
        .map(|id| names[id.parse::<usize>().expect("a number")].as_str().expect("a name"))
        .collect();
    drawn.sort_unstable();
    assert_eq!(drawn, ["brief", "dear"]);

    let Some(browser) = support::browser::Browser::open(1400, 900) else { return };
    browser.show(&path, "#v=function&f=dear");
    browser.wait_for("return document.querySelector('#function svg.times') != null");
    let label = browser.text("return document.querySelector('#function svg.times').ariaLabel");
    assert!(label.starts_with("100 calls by their time"), "{label} {dear}");
    let calls = "[...document.querySelectorAll('#function svg.times title')]\
                 .reduce((sum, it) => sum + Number(it.textContent.match(/(\\d+) calls?$/)[1]), 0)";
    assert_eq!(browser.run(&format!("return {calls}")), 100);
    browser.run("location.hash = '#v=function&f=main'");
    browser.wait_for("return document.querySelector('#function svg.times') == null");
    assert_eq!(browser.log(), Vec::<String>::new());
}

/// Only calls and their times are known of a run without a sample.
#[test]
#[cfg(target_arch = "x86_64")]
fn times_need_no_samples() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <unistd.h>\nvolatile int sink;\n\
         __attribute__((noinline)) void naps(void) { usleep(2000); sink++; }\n\
         int main(void) { for (int i = 0; i < 5; i++) naps(); return 0; }\n",
    );
    for command in [
        "cc --dormant gcc -O1 prog.c -o prog",
        "run --times naps ./prog",
        "export --format json ./prog -o prog.json",
    ] {
        let mut command = place.gmon(command);
        command.env("GMON_OPTIONS", "sampler=none").assert().success();
    }
    for of in ["./prog", "./prog gmon.out.full", "prog.json"] {
        let rows = rows(&place, of);
        assert_eq!(rows.len(), 1, "{of}: {rows:?}");
        assert_eq!((&rows[0]["function"], &rows[0]["calls"]), (&"naps".into(), &5.into()), "{of}");
        let ns = ["p50_ns", "max_ns", "total_ns"].map(|key| rows[0][key].as_u64().expect("a time"));
        assert!(ns[0] >= 1_900_000 && ns[1] >= 2_000_000 && ns[2] >= 10_000_000, "{of}: {ns:?}");
        let text = text_of(&mut place.gmon(&format!("report --times {of}")));
        assert!(
            text.starts_with("prog: 0") && text.lines().nth(1) == Some("no sample was taken"),
            "{text}"
        );
    }
    text_of(&mut place.gmon("report --times --format csv ./prog"));
    text_of(&mut place.gmon("report --times --by thread --format markdown ./prog"));
    // Nobody knows the time of a call by samples.
    let text = text_of(&mut place.gmon("report --format json ./prog"));
    let tables: Value = serde_json::from_str(&text).expect("JSON");
    let naps = &tables["tables"][0]["rows"][0];
    assert_eq!((&naps["calls"], &naps["per_call_ns"]), (&5.into(), &Value::Null), "{text}");
    let text = text_of(&mut place.gmon("diff prog.json prog.json"));
    assert!(text.contains("naps") && text.contains("p99"), "{text}");
}

#[test]
fn what_was_not_timed_is_said() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    for command in ["cc gcc -O1 prog.c -o prog", "run ./prog"] {
        assert!(place.gmon(command).output().expect("gmon").status.success(), "{command}");
    }
    let output = place.gmon("report --times ./prog").output().expect("gmon");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("built by gmon cc --dormant or --times, with gmon run --times"),
        "{output:?}"
    );
}

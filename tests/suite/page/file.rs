//! What a page holds, without a browser.

use std::fs;
use std::thread;
use std::time::Duration;

use support::command::{gmon, output_of, said};
use support::executable;
use support::workplace::Workplace;

use super::{data, page, report, run};

#[test]
fn a_page_holds_exact_figures_and_nothing_that_asks_the_network() {
    let (place, program) = (Workplace::new(), run("stacks,hz=1000"));
    let path = page(&place, &program, &[]);
    let text = fs::read_to_string(&path).expect("a page");
    assert!(text.contains("default-src 'none'"), "{text}");
    for word in ["src=\"", "http://www.w3.org/2000/svg"] {
        // The name of SVG is no address that anybody asks.
        assert_eq!(text.matches(word).count(), usize::from(word.starts_with("http")), "{word}");
    }
    let data = data(&path);
    let size = text.len() - data.to_string().len();
    assert!(size <= 110_000, "{size} bytes of page");

    let names: Vec<&str> = data["functions"]["name"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it.as_str())
        .collect();
    let of =
        |name: &str| names.iter().position(|it| *it == name).unwrap_or_else(|| panic!("no {name}"));
    let calls = |caller: &str, callee: &str| {
        let (caller, callee) = (of(caller), of(callee));
        let arcs = &data["arcs"];
        let ends = |end: &str, i: usize| {
            arcs[end][i].as_u64() == Some(if end == "caller" { caller } else { callee } as u64)
        };
        let count = arcs["caller"].as_array().map_or(0, Vec::len);
        let found = (0..count).filter(|i| ends("caller", *i) && ends("callee", *i));
        found.filter_map(|i| arcs["calls"][i].as_u64()).sum::<u64>()
    };
    assert_eq!((calls("buy", "price"), calls("sell", "price")), (6000, 200));
    assert_eq!(
        (calls("ping", "pong"), calls("pong", "ping"), calls("count", "count")),
        (10, 10, 7)
    );
    assert_eq!(data["cycles"].as_array().map(Vec::len), Some(1), "{}", data["cycles"]);

    // All samples are in the tree, and in the threads.
    let sum = |list: &serde_json::Value| {
        list.as_array().into_iter().flatten().filter_map(|it| it.as_u64()).sum::<u64>()
    };
    let samples = data["samples"].as_u64().expect("samples");
    assert!(samples > 0);
    assert_eq!(sum(&data["tree"]["self"]), samples);
    assert_eq!(sum(&data["tree"]["threads"]["samples"]), samples);
    // What hooks took is told apart, if a sample met one.
    let hooks = data["hooks"]
        .as_u64()
        .map_or(0, |hooks| data["functions"]["self"][hooks as usize].as_u64().expect("a time"));
    assert_eq!(
        sum(&data["functions"]["self"]) - hooks,
        samples * data["period"].as_u64().expect("a period")
    );

    // Without JavaScript the first functions are there.
    let (unscripted, _) = text.split_once("id=\"data\"").expect("data");
    assert!(unscripted.contains("<td>price</td>"), "{unscripted}");

    // The data alone make the page.
    let again = fs::read(&path).expect("a page");
    page(&place, &program, &[]);
    assert_eq!(fs::read(&path).expect("a page"), again);
}

#[test]
fn a_page_of_some_samples_says_which() {
    let (place, program) = (Workplace::new(), run("stacks,hz=1000"));
    let whole = data(&page(&place, &program, &[]));
    let path = page(&place, &program, &["--only", "main"]);
    let part = data(&path);
    // The other thread does as much.
    assert!(part["samples"].as_u64() < whole["samples"].as_u64() && part["samples"] != 0);
    let names = part["functions"]["name"].as_array().expect("functions");
    assert!(names.iter().any(|it| it == "sell") && !names.iter().any(|it| it == "work"));
    let text = fs::read_to_string(&path).expect("a page");
    assert!(text.contains("Only samples of stacks with main are shown."), "{text}");
}

#[test]
fn source_text_is_in_the_page_as_far_as_it_is_asked_for() {
    let (place, program) = (Workplace::new(), run("stacks,hz=1000"));
    let source = |which: &str| {
        let path = page(&place, &program, &["--source", which]);
        let data = data(&path);
        let pieces = data["source"].as_array().cloned().unwrap_or_default();
        let text: Vec<String> =
            pieces.iter().filter_map(|it| it["text"].as_str().map(str::to_owned)).collect();
        (text.join("\n"), data["facts"].to_string())
    };
    let (hot, facts) = source("hot");
    assert!(hot.contains("sum += i * 0.5"), "{hot}");
    assert!(!hot.contains("pthread_create"), "main took no time:\n{hot}");
    assert!(facts.contains("source text"), "{facts}");
    let (all, _) = source("all");
    assert!(all.contains("pthread_create"), "{all}");
    let (none, facts) = source("none");
    assert_eq!(none, "");
    assert!(!facts.contains("source text"), "{facts}");
}

#[test]
fn a_page_without_stacks_has_no_tree() {
    let (place, program) = (Workplace::new(), run(""));
    let data = data(&page(&place, &program, &["--title", "A & B <C>"]));
    assert!(data["tree"].is_null(), "{data}");
    assert_eq!(data["inclusive"], "apportioned");
    let text = place.read("page.html");
    assert!(text.contains("<title>A &amp; B &lt;C&gt; · gmon</title>"), "{text}");
}

#[test]
fn the_browser_of_the_user_shows_the_page() {
    let (place, program) = (Workplace::new(), run("stacks"));
    let browser = place.write_executable(
        "browser",
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > shown.new && mv shown.new shown\n",
    );
    let mut command = report(&program, &["--open", "--html", "a page.html"]);
    command.current_dir(place.folder()).env("BROWSER", format!("{} --new %s", browser.display()));
    let output = output_of(&mut command);
    assert!(output.status.success(), "{output:?}");
    let shown = place.path("shown");
    // The browser goes on without us.
    for _ in 0..600 {
        if shown.exists() {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    let page = place.path("a page.html").canonicalize().expect("a page");
    assert_eq!(place.read("shown"), format!("--new\n{}\n", page.display()));
}

#[test]
fn what_cannot_be_written_is_an_error_and_leaves_what_was_there() {
    let (place, program) = (Workplace::new(), run("stacks"));
    let none = place.path("none/page.html").display().to_string();
    let output = output_of(&mut report(&program, &["--html", &none]));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains("cannot write the report"), "{output:?}");

    place.write("page.html", "before");
    let mut command = gmon();
    command
        .arg("report")
        .arg("--html")
        .arg(place.path("page.html"))
        .arg(place.write("no.out", "no profile"));
    assert_eq!(output_of(&mut command).status.code(), Some(1));
    assert_eq!(place.read("page.html"), "before");

    for wrong in
        [&["--open"][..], &["--title", "T"], &["--source", "hot"], &["--html", "x", "--threads"]]
    {
        let output = output_of(&mut report(&program, wrong));
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {output:?}");
    }
}

#[test]
fn a_run_ends_with_a_page_for_each_program() {
    let (place, program) = (Workplace::new(), run(""));
    for name in ["one", "other"] {
        executable::copy(&program.executable, &place.path(name));
    }
    let mut command = gmon();
    command.args(["run", "--html", "page.html", "./one"]).current_dir(place.folder());
    let output = output_of(&mut command);
    assert!(output.status.success(), "{output:?}");
    assert!(said(&output).contains("\npage     page.html (one)\n"), "{output:?}");
    assert!(data(&place.path("page.html"))["facts"].to_string().contains("one"));

    // The program that took the most time has the file, others have theirs beside it.
    let mut command = gmon();
    let script = "./one; ./other; ./other";
    command.args(["run", "--html", "both.html", "sh", "-c", script]).current_dir(place.folder());
    let output = output_of(&mut command);
    assert!(output.status.success(), "{output:?}");
    let said = said(&output);
    assert!(said.contains("page     both.html (") && said.contains("page     both-o"), "{said}");
    assert!(
        place.exists("both.html")
            && place.exists("both-one.html") != place.exists("both-other.html"),
        "{said}"
    );

    // A page that cannot be written is known before the program runs.
    let mut command = gmon();
    command.args(["run", "--html", "none/page.html", "./one"]).current_dir(place.folder());
    let output = output_of(&mut command);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
    let said = support::command::said(&output);
    assert!(said.contains("cannot write none/page.html"), "{output:?}");
}

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
    an_interval_has_none(&place);

    // Those of two runs in sums.
    place.must("cp gmon.out.full first.full");
    run(&place);
    let again = row(&rows(&place, "./prog"), "dear");
    let merged = place.gmon("merge -o sum.full gmon.out.full first.full").output().expect("gmon");
    assert!(merged.status.success(), "{}", said(&merged));
    let both = row(&rows(&place, "./prog sum.full"), "dear");
    let of = |row: &Value, key: &str| row[key].as_u64().expect("a number");
    assert_eq!(both["calls"], 200);
    assert_eq!(of(&both, "total_ns"), of(&dear, "total_ns") + of(&again, "total_ns"));
    assert_eq!(of(&both, "max_ns"), of(&dear, "max_ns").max(of(&again, "max_ns")));
}

/// Times of calls are of the whole run, so that no part of it has them.
fn an_interval_has_none(place: &Workplace) {
    for of in ["./prog", "prog.json"] {
        let output = place.gmon(&format!("report --times --from 0s {of}")).output().expect("gmon");
        assert_eq!(output.status.code(), Some(1), "{of}: {output:?}");
        assert!(said(&output).contains("--times shows all calls of a run"), "{}", said(&output));
    }
    let json = |command: &str| -> Value {
        serde_json::from_str(&text_of(&mut place.gmon(command))).expect("JSON")
    };
    let part = json("export --format json ./prog --from 0s");
    assert!(part["call_times"].as_array().is_none_or(Vec::is_empty), "{part}");
    assert!(part["long_calls"].as_array().is_none_or(Vec::is_empty), "{part}");
    // The first sample against all others.
    let first = part["timeline"]["steps_us"][0].as_u64().expect("a time") + 1;
    let command = format!("diff --format json --against ..{first}us --at {first}us.. gmon.out");
    let parts = json(&command);
    assert!(parts["call_times"].as_array().is_some_and(Vec::is_empty), "{parts}");
    text_of(&mut place.gmon("report --html part.html --from 0s ./prog"));
    let pictures = crate::page::data(&place.path("part.html"))["callTimes"].clone();
    assert!(pictures.as_object().is_none_or(serde_json::Map::is_empty), "{pictures}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn calls_are_counts_or_said_to_be_estimates() {
    let place = Workplace::new();
    run(&place);
    for options in ["", " --by thread"] {
        let rows = rows(&place, &format!("./prog{options}"));
        let of =
            |function: &str| rows.iter().rfind(|row| row["function"] == function).expect("a row");
        let numbers = |row: &Value| {
            ["calls", "timed", "stand_for", "without_end"].map(|key| row[key].as_u64())
        };
        assert_eq!(numbers(of("dear")), [Some(100), Some(100), Some(100), Some(0)], "{rows:?}");
        // It is called so often that only some calls are timed, and nobody counts those of a thread.
        let [calls, timed, stand_for, _] = numbers(of("brief"));
        assert_eq!(calls, options.is_empty().then_some(20_000), "{rows:?}");
        assert!(timed < stand_for && stand_for >= Some(19_000), "{rows:?}");
        let text = text_of(&mut place.gmon(&format!("report --times ./prog{options}")));
        let marked = text.lines().filter(|line| line.trim_start().starts_with('≈')).count();
        assert_eq!(marked, if options.is_empty() { 0 } else { 2 }, "{text}");
        assert!(!text.contains("not timed"), "{text}");
    }
    // A run without times.
    place.must("cp gmon.out.full first.full");
    place.gmon("run ./prog").env("GMON_OPTIONS", "hooks=dear,brief").assert().success();
    text_of(&mut place.gmon("merge -o sum.full gmon.out.full first.full"));
    let text = text_of(&mut place.gmon("report --times ./prog sum.full"));
    let line = "\nnot timed: 100 calls of dear, for which times were off or could not be taken\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("\nnot timed: ≈20,") || text.contains("\nnot timed: ≈19,"), "{text}");
    let both = rows(&place, "./prog sum.full");
    let dear = both.iter().find(|row| row["function"] == "dear").expect("a row");
    assert_eq!((&dear["calls"], &dear["stand_for"]), (&200.into(), &100.into()), "{dear}");
    text_of(&mut place.gmon("report --html page.html ./prog sum.full"));
    let page = String::from_utf8(place.bytes("page.html")).expect("text");
    assert!(page.contains("times of 100 more calls were off"), "no such note");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn threads_have_calls_that_were_left_too() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <setjmp.h>\nvolatile int sink;\njmp_buf place;\n\
         __attribute__((noinline)) void leaps(int i) { if (i % 3 == 0) longjmp(place, 1); sink++; }\n\
         int main(void) { for (volatile int i = 0; i < 300; i++) if (!setjmp(place)) leaps(i); return 0; }\n",
    );
    for command in ["cc --dormant gcc -O1 prog.c -o prog", "run --times leaps ./prog"] {
        place.gmon(command).assert().success();
    }
    for row in rows(&place, "./prog --by thread") {
        let numbers = ["calls", "timed", "without_end"].map(|key| row[key].as_u64());
        assert_eq!(numbers, [300, 200, 100].map(Some), "{row}");
    }
}

/// `work` has two callers, of which one has two calls of it, in threads that end, too; a library calls `compare`.
const CALLED: &str = r#"
    #include <pthread.h>
    #include <stdlib.h>
    volatile unsigned sink;
    __attribute__((noinline)) void work(int n) { for (int i = 0; i < n; i++) sink++; }
    __attribute__((noinline)) void brief(void) { work(10); sink++; }
    __attribute__((noinline)) void dear(void) { work(100000); sink++; work(100000); sink++; }
    int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
    static void *thread(void *none) { for (int i = 0; i < 100; i++) brief(); return none; }
    int main(void) {
        int numbers[100];
        for (int i = 0; i < 100; i++) brief(), numbers[i] = i * 37 % 100;
        for (int i = 0; i < 50; i++) dear();
        for (int i = 0; i < 3; i++) {
            pthread_t other;
            pthread_create(&other, NULL, thread, NULL);
            pthread_join(other, NULL);
        }
        qsort(numbers, 100, sizeof(int), compare);
        return numbers[0];
    }
"#;

#[test]
#[cfg(target_arch = "x86_64")]
fn times_are_told_apart_by_caller() {
    let place = Workplace::new();
    place.write("prog.c", CALLED);
    let run = |options: &str| {
        let command = format!("run --times work,compare {options} ./prog");
        assert!(place.gmon(&command).status().expect("gmon").success(), "{command}");
    };
    for way in ["--dormant", "--times"] {
        text_of(&mut place.gmon(&format!("cc {way} gcc -O1 -pthread prog.c -o prog")));
        run("--by caller");
        let of_run = rows(&place, "./prog --by caller");
        let of = |rows: &[Value], function: &str| -> Vec<(Value, u64)> {
            let rows = rows.iter().filter(|row| row["function"] == function);
            rows.map(|row| (row["caller"].clone(), row["calls"].as_u64().expect("calls"))).collect()
        };
        let work = |times: u64| {
            [(Value::Null, 500), ("dear".into(), 100), ("brief".into(), 400)]
                .map(|(caller, calls)| (caller, times * calls))
        };
        assert_eq!(of(&of_run, "work"), work(1), "{way}: {of_run:?}");
        let [(_, calls), (caller, by_it)] = &of(&of_run, "compare")[..] else {
            panic!("{way}: {of_run:?}")
        };
        assert!(calls == by_it && *calls >= 99 && caller != "main", "{way}: {of_run:?}");
        let longest = |caller: &str| {
            let row = of_run.iter().find(|row| row["caller"] == caller).expect("a row");
            row["max_ns"].as_u64().expect("a time")
        };
        assert!(longest("dear") > 10_000, "{way}: {of_run:?}");

        // All callers are a function's calls.
        assert_eq!(of(&rows(&place, "./prog"), "work"), [(Value::Null, 500)], "{way}");
        let by_thread = rows(&place, "./prog --by thread");
        assert_eq!(of(&by_thread, "work").len(), 3, "{way}: {by_thread:?}");

        assert!(place.gmon("export ./prog -o prog.json").status().expect("gmon").success());
        assert_eq!(rows(&place, "prog.json --by caller"), of_run, "{way}");
        place.must("cp gmon.out.full first.full");
        run("--by caller");
        for sum in ["-o sum.full", "-o sum.json"] {
            let merge = place.gmon(&format!("merge {sum} gmon.out.full first.full")).output();
            let merge = merge.expect("gmon");
            assert!(merge.status.success(), "{}", said(&merge));
        }
        for sum in ["./prog sum.full", "sum.json"] {
            let both = rows(&place, &format!("{sum} --by caller"));
            assert_eq!(of(&both, "work"), work(2), "{way}: {sum}");
        }
    }
    run("");
    for (options, reason) in [
        ("--times --by caller", "--by caller needs times by caller, which were not taken"),
        ("--by caller", "--by caller is for --times"),
    ] {
        let output = place.gmon(&format!("report ./prog {options}")).output().expect("gmon");
        assert_eq!(output.status.code(), Some(1), "{options}");
        assert!(said(&output).contains(reason), "{options}: {}", said(&output));
    }
}

/// Optimizers make copies of `work` and `rec`, and put what seldom runs apart: all of it is the function, and its calls.
const SPLIT: &str = r#"
    #include <stdio.h>
    volatile long sink;
    static __attribute__((noinline)) void work(int n, int k) { for (int i = 0; i < n; i++) sink += i * k; }
    __attribute__((noinline)) void one(int n) { work(n, 7); sink++; }
    __attribute__((noinline)) void two(int n) { if (__builtin_expect(n % 3 == 0, 0)) { work(n, 7); printf("."); } sink++; }
    __attribute__((noinline)) void three(int n) { work(n, n + 1); sink++; }
    __attribute__((noinline)) int rec(int n, int k) { if (n <= 0) return k; int r = rec(n - 1, k) + 1; sink += r; return r; }
    int main(void) {
        for (int i = 0; i < 30; i++) { one(100); two(i); if (i % 5 == 0) three(i); }
        sink += rec(5, 3); sink += rec(8, 3);
        return 0;
    }
"#;

#[test]
#[cfg(target_arch = "x86_64")]
fn parts_and_copies_have_the_times_of_their_function() {
    let place = Workplace::new();
    place.write("prog.c", SPLIT);
    for flags in ["-O2", "-O3", "-O3 -flto"] {
        for command in [
            &format!("cc --dormant gcc {flags} -g prog.c -o prog"),
            "run --times work,rec --by caller ./prog",
            "export ./prog -o prog.json",
        ] {
            assert!(place.gmon(command).output().expect("gmon").status.success(), "{command}");
        }
        for of in ["./prog", "prog.json"] {
            let rows = rows(&place, &format!("{of} --by caller"));
            let calls = |function: &str, caller: Value| {
                let mut rows = rows.iter();
                let row = rows.find(|it| it["function"] == function && it["caller"] == caller);
                row.map(|row| row["calls"].as_u64().expect("calls"))
            };
            let found = [Value::Null, "one".into(), "two".into(), "three".into()]
                .map(|it| calls("work", it));
            assert_eq!(found, [Some(46), Some(30), Some(10), Some(6)], "{flags}: {rows:?}");
            let found = [Value::Null, "rec".into(), "main".into()].map(|it| calls("rec", it));
            assert_eq!(found, [Some(15), Some(13), Some(2)], "{flags}: {rows:?}");
        }
    }
}

/// Two programs of one process that begin in the same second, and take no time that the system counts, are two.
#[test]
#[cfg(target_arch = "x86_64")]
fn programs_of_one_process_are_timed_both() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <unistd.h>\nvolatile long sink;\n\
         __attribute__((noinline)) void work(int n) { sink += n; }\n\
         int main(int count, char **words) {\n\
         for (int i = 0; i < 20; i++) work(i);\n\
         if (count == 1) execl(words[0], words[0], \"again\", (char *)0);\n\
         return 0;\n}\n",
    );
    text_of(&mut place.gmon("cc --times gcc -O1 prog.c -o prog"));
    for _ in 0..5 {
        let run = place.gmon("run --times work ./prog").output().expect("gmon");
        assert!(run.status.success(), "{}", said(&run));
        assert_eq!(rows(&place, "./prog")[0]["calls"], 40);
    }
}

/// However many callers there are, no call is lost.
#[test]
#[cfg(target_arch = "x86_64")]
fn callers_without_room_are_one() {
    const CALLERS: usize = 1_500;
    let caller = |number| {
        format!("__attribute__((noinline)) int c{number}(int n) {{ return work(n) + {number}; }}\n")
    };
    let callers: String = (0..CALLERS).map(caller).collect();
    let calls: String = (0..CALLERS).map(|number| format!("sink += c{number}(1);\n")).collect();
    let place = Workplace::new();
    place.write(
        "prog.c",
        format!(
            "volatile int sink;\n__attribute__((noinline)) int work(int n) {{ return sink += n; }}\n\
             {callers}int main(void) {{ for (int i = 0; i < 2; i++) {{ {calls} }} return 0; }}\n"
        ),
    );
    for command in
        ["cc --dormant gcc -O1 prog.c -o prog", "run --times work --by caller --top 0 ./prog"]
    {
        assert!(place.gmon(command).output().expect("gmon").status.success(), "{command}");
    }
    let rows = rows(&place, "./prog --by caller --top 2000");
    let [all, by_caller @ ..] = &rows[..] else { panic!("no row") };
    assert_eq!(all["calls"], 2 * CALLERS);
    let calls = |row: &Value| row["calls"].as_u64().expect("calls");
    assert_eq!(by_caller.iter().map(calls).sum::<u64>(), calls(all));
    let others = by_caller.iter().find(|row| row["caller"] == "[other callers]").expect("a row");
    // There is room for some two of three.
    assert!((by_caller.len() - 1) as u64 * 2 + calls(others) == calls(all), "{others}");
    assert!((700..1_100).contains(&by_caller.len()), "{}", by_caller.len());
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
#[cfg(target_arch = "x86_64")]
fn calls_that_run_at_the_end_are_said() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\nvolatile int sink;\n\
         __attribute__((noinline)) void *waits(void *all) { while (!sink) pause(); return all; }\n\
         __attribute__((noinline)) void step(int n) { if (n == 9) exit(0); }\n\
         __attribute__((noinline)) void serves(void) { for (int n = 0; !sink; n++) step(n); }\n\
         int main(void) {\n\
             pthread_t threads[2];\n\
             for (int n = 0; n < 2; n++) pthread_create(&threads[n], 0, waits, 0);\n\
             usleep(20000);\n\
             serves();\n\
         }\n",
    );
    for command in [
        "cc --dormant gcc -O1 prog.c -pthread -o prog",
        "run --times waits,step,serves ./prog",
        "export --format json ./prog -o prog.json",
    ] {
        place.gmon(command).assert().success();
    }
    for of in ["./prog", "prog.json"] {
        let rows = rows(&place, of);
        assert_eq!(rows.len(), 3, "{rows:?}");
        let text = text_of(&mut place.gmon(&format!("report --times {of}")));
        for (function, open) in [("waits", "2 calls"), ("step", "1 call"), ("serves", "1 call")] {
            let line = format!("not timed: {open} of {function}, which");
            assert!(text.contains(&line), "{text}");
        }
    }
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

//! `--slower`: the samples in slow calls, and what these do that others do not.

use serde_json::Value;
use support::command::{said, text_of};
use support::workplace::Workplace;

/// Calls `handle` a hundred times in two threads each; ten of these have `reload` take 30 milliseconds of the processor.
const PROGRAM: &str = r#"
    #include <pthread.h>
    #include <time.h>
    volatile unsigned sink;
    static long now(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec * 1000000000 + t.tv_nsec; }
    static void spin(long ns) { long end = now() + ns; while (now() < end) sink++; }
    __attribute__((noinline)) void reload(void) { spin(30000000); sink++; }
    __attribute__((noinline)) void work(void) { spin(500000); sink++; }
    __attribute__((noinline)) void handle(int slow) { work(); if (slow) reload(); sink++; }
    __attribute__((noinline)) void brief(void) { sink++; }
    __attribute__((noinline)) void seldom(int slow) { if (slow) spin(2000000); sink++; }
    void *run(void *unused) {
        for (int i = 0; i < 100; i++) { handle(i % 10 == 7); brief(); seldom(i == 50); }
        return unused;
    }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, 0, run, 0);
        run(0);
        return pthread_join(thread, 0);
    }
"#;

fn rows(place: &Workplace, of: &str) -> Vec<Value> {
    let text = text_of(&mut place.gmon(&format!("report --format json {of}")));
    let tables: Value = serde_json::from_str(&text).expect("JSON");
    tables["tables"][0]["rows"].as_array().expect("rows").clone()
}

#[test]
#[cfg(target_arch = "x86_64")]
fn slow_calls_are_set_against_others() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    for command in
        ["cc --dormant gcc -O1 prog.c -o prog -pthread", "run --times handle,brief ./prog"]
    {
        let output = place.gmon(command).output().expect("gmon");
        assert!(output.status.success(), "{command}: {}", said(&output));
    }
    let of_one = rows(&place, "./prog --slower 25ms,handle");
    let row = |rows: &[Value], name: &str| {
        rows.iter().find(|row| row["function"] == name).cloned().unwrap_or_default()
    };
    // Only slow calls reload, and that is what they do more than others.
    let reload = row(&of_one, "reload");
    assert_eq!(reload["others_ns"], 0, "{of_one:?}");
    assert!(reload["slow_ns"].as_u64().is_some_and(|ns| ns > 5_000_000), "{of_one:?}");
    let more = |name: &str| row(&of_one, name)["more_ns"].as_i64().unwrap_or(0);
    assert!(more("reload") > more("work"), "{of_one:?}");
    let handle = row(&of_one, "handle");
    assert!(handle["slow_ns"].as_u64() >= reload["slow_ns"].as_u64(), "{handle}");

    let text = text_of(&mut place.gmon("report ./prog --slower 25ms,handle"));
    assert!(text.contains("in calls of handle that took 25.0 ms or longer\n"), "{text}");
    let calls = text.lines().find(|line| line.contains(" slow calls, ")).expect("calls");
    let number: Vec<u64> = calls.split(' ').filter_map(|word| word.parse().ok()).collect();
    // On a busy machine others take as long; none is lost.
    assert!(number[0] >= 20 && number[0] + number[1] == 200, "{calls}");

    // The same from JSON.
    assert!(place.gmon("export ./prog -o prog.json").status().expect("gmon").success());
    assert_eq!(rows(&place, "prog.json --slower 25ms,handle"), of_one);

    // Other views and exports have the samples of slow calls alone.
    let tree = text_of(&mut place.gmon("report ./prog --slower 25ms,handle --tree"));
    assert!(tree.contains("reload"), "{tree}");
    let folded = text_of(&mut place.gmon("export ./prog --slower 25ms --format folded"));
    // What the profiler did in them is none of theirs.
    assert!(!folded.is_empty() && folded.lines().all(|line| line.contains("handle")), "{folded}");
    let samples = folded.lines().filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    assert_eq!(handle["samples"], samples.sum::<u64>(), "{folded}");
    let page = place.gmon("report ./prog --slower 25ms,handle --html slow.html");
    assert!({ page }.status().expect("gmon").success());

    // Both threads have the program's name, and are one row below the function's.
    let by_thread = rows(&place, "./prog --times --by thread");
    let of = |name: &str| -> Vec<Value> {
        by_thread.iter().filter(|row| row["function"] == name).cloned().collect()
    };
    let [all, threads] = &of("handle")[..] else { panic!("two rows: {by_thread:?}") };
    assert_eq!((&all["calls"], &all["thread"]), (&200.into(), &Value::Null));
    assert_eq!((&threads["calls"], &threads["thread"]), (&200.into(), &"prog".into()));
    assert_eq!((&all["total_ns"], &all["p99_ns"]), (&threads["total_ns"], &threads["p99_ns"]));
    let text = text_of(&mut place.gmon("report --times --by thread ./prog"));
    assert!(text.contains("  in prog\n"), "{text}");

    for (words, reason) in [
        ("--times --by rank", "times of calls are kept by thread or caller"),
        ("--slower 10us", "--slower knows calls of 1 ms and longer"),
        ("--slower p99,brief", "shorter ones are not kept one by one: p99 of brief is "),
        ("--slower 1h", "no call that took 3600 s or longer is known; the longest took "),
        ("--slower 10ms,work", "no calls of work were timed; those of "),
    ] {
        let output = place.gmon(&format!("report ./prog {words}")).output().expect("gmon");
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert!(said(&output).contains(reason), "{words}: {}", said(&output));
    }
    // The threads of a run stay themselves in a sum; those of two runs have no clock in common.
    let merge = |files: &str| {
        assert!(
            place.gmon(&format!("merge -o sum.full {files}")).status().expect("gmon").success()
        );
    };
    merge("gmon.out.full");
    assert_eq!(rows(&place, "./prog sum.full --slower 25ms,handle"), of_one);
    assert!(
        place.gmon("run -o other --times handle ./prog").output().expect("gmon").status.success()
    );
    merge("gmon.out.full other.full");
    let output = place.gmon("report ./prog sum.full --slower 25ms").output().expect("gmon");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains("needs the times of samples of one run"), "{}", said(&output));
    for words in ["--slower p75", "--slower 10ms --last 1s"] {
        let output = place.gmon(&format!("report ./prog {words}")).output().expect("gmon");
        assert_eq!(output.status.code(), Some(2), "{words}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn of_several_functions_those_with_a_figure_below_a_millisecond_are_left_out() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    for command in
        ["cc --dormant gcc -O1 prog.c -o prog -pthread", "run --times handle,seldom ./prog"]
    {
        let output = place.gmon(command).output().expect("gmon");
        assert!(output.status.success(), "{command}: {}", said(&output));
    }
    // A call of `seldom` takes microseconds in the mean, so its two long ones are not told from others.
    let calls = |options: &str| {
        let text = text_of(&mut place.gmon(&format!("report ./prog --slower {options}")));
        text.lines().find(|line| line.contains(" slow calls, ")).map(str::to_owned)
    };
    assert!(calls("mean,handle").is_some());
    assert_eq!(calls("mean"), calls("mean,handle"));
    assert_eq!(rows(&place, "./prog --slower mean"), rows(&place, "./prog --slower mean,handle"));
}

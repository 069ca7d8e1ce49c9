//! Profiles of the clock on the wall, and of programs whose ranks and threads share work.

use serde_json::{Value, json};
use support::workplace::Workplace;

use super::diff;
use super::documents::document;

/// A run by the clock on the wall: samples of `wait`, so many of which found it waiting.
fn on_the_wall(samples: u64, waiting: u64) -> Value {
    let mut run = document(&[("main", 1, 400), ("wait", 5, samples)]);
    run["schema"] = "gmon-profile/2".into();
    run["sampling"]["waits"] = true.into();
    run["sampling"]["waiting"] = waiting.into();
    run["functions"][1]["self_waiting_ns"] = (waiting * 10_000_000).into();
    run
}

fn write(place: &Workplace, runs: &[(&str, &Value)]) {
    for (name, run) in runs {
        place.write(name, run.to_string());
    }
}

#[test]
fn waits_are_compared_apart() {
    let place = Workplace::new();
    write(&place, &[("a.json", &on_the_wall(300, 100)), ("b.json", &on_the_wall(300, 290))]);
    let (status, text, said) = diff(&place, "a.json b.json");
    assert_eq!((status, said.as_str()), (Some(0), ""));
    assert!(text.contains("no change of time shown"), "{text}");
    assert!(text.contains("waiting 1.00 → 2.90 s (p "), "{text}");
    assert!(text.contains("waiting in wait: 1.00 → 2.90 s (q "), "{text}");
    assert!(text.contains("1 run at 100 Hz of time on the wall"), "{text}");
    let (_, markdown, _) = diff(&place, "a.json b.json --format markdown");
    let line = markdown.lines().find(|line| line.starts_with("waiting in wait"));
    assert!(line.is_some_and(|line| line.contains("1.00 → 2.90 s")), "{markdown}");
    let (_, text, _) = diff(&place, "a.json b.json --format json");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let wait = &document["functions"][1];
    assert_eq!((&wait["waiting"]["base"], &wait["waiting"]["new"]), (&json!([100]), &json!([290])));
    assert_eq!(
        (&wait["waiting"]["verdict"], &wait["self"]["delta_ns"]),
        (&"slower".into(), &0.0.into())
    );
    assert_eq!(document["waiting"]["delta_ns"], 1.9e9);
}

#[test]
fn time_on_the_wall_is_no_cpu_time() {
    let place = Workplace::new();
    let cpu = document(&[("main", 1, 400), ("wait", 5, 300)]);
    write(&place, &[("wall.json", &on_the_wall(300, 100)), ("cpu.json", &cpu)]);
    let (status, text, said) = diff(&place, "wall.json cpu.json");
    assert_eq!((status, text.as_str()), (Some(1), ""));
    assert!(
        said.contains("the base was sampled by time on the wall, the new side by CPU time"),
        "{said}"
    );
    let (status, _, said) = diff(&place, "--base wall.json cpu.json --new wall.json");
    assert_eq!(status, Some(1));
    assert!(said.contains("the runs of one side were sampled differently"), "{said}");
}

#[test]
fn shared_work_has_its_imbalance_on_both_sides() {
    let place = Workplace::new();
    let shared = |ranks: [u64; 2], threads: [u64; 2]| {
        let mut run = document(&[("main", 1, 400), ("main._omp_fn.0", 5, 300)]);
        run["schema"] = "gmon-profile/2".into();
        let rank =
            |(rank, time): (usize, u64)| json!({"rank": rank, "time_ns": time + 50, "mpi_ns": 50});
        run["ranks"] = ranks.into_iter().enumerate().map(rank).collect();
        let thread = |id: usize| json!({"id": id, "pid": 1, "tid": id + 1, "name": "t", "cpu_ns": 0, "rank": id});
        run["threads"] = (0..2).map(thread).collect();
        let thread = |(thread, time): (usize, u64)| json!({"thread": thread, "time_ns": time});
        let threads: Vec<Value> = threads.into_iter().enumerate().map(thread).collect();
        run["regions"] = json!([{"function": 1, "team": 2, "threads": threads}]);
        run
    };
    let second = 1_000_000_000;
    let (base, new) =
        (shared([second, 3 * second], [second, 3 * second]), shared([2 * second; 2], [second; 2]));
    write(&place, &[("a.json", &base), ("b.json", &new)]);
    let (_, text, said) = diff(&place, "a.json b.json");
    assert_eq!(said, "");
    assert!(text.contains("in MPI: 0.00 → 0.00 s, imbalance 1.50 → 1.00"), "{text}");
    assert!(
        text.contains("parallel region main._omp_fn.0: 4.00 → 2.00 s, imbalance 1.50 → 1.00"),
        "{text}"
    );
    let (_, text, _) = diff(&place, "a.json b.json --format json");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let work = document["shared_work"].as_array().expect("a list");
    assert_eq!(
        (work.len(), &work[1]["kind"], &work[1]["imbalance"]),
        (2, &"region".into(), &json!([1.5, 1.0]))
    );
}

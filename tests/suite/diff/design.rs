//! Runs compared in pairs or as parts of their totals, and the function that may have changed.

use serde_json::Value;
use support::workplace::Workplace;

use super::diff;
use super::documents::{Function, runs};

/// Six runs of each side, of a machine whose speed changes from run to run; the first of three functions became slower.
fn by_turns() -> (Workplace, String) {
    let place = Workplace::new();
    let speeds = [100, 150, 80, 130, 110, 170];
    let side = |own: u64| -> Vec<Vec<Function<'static>>> {
        let run = |speed: u64| {
            vec![("work", 7, own * speed), ("main", 1, 40 * speed), ("other", 2, 30 * speed)]
        };
        speeds.map(run).to_vec()
    };
    let (base, new) = (runs(&place, "base", &side(20)), runs(&place, "new", &side(23)));
    (place, format!("--base {base} --new {new}"))
}

#[test]
fn pairs_show_what_the_machine_hides() {
    let (place, files) = by_turns();
    let (_, text, _) = diff(&place, &files);
    assert!(text.starts_with("no change of time shown"), "{text}");
    assert!(!text.contains("in pairs"), "{text}");

    let (status, text, said) = diff(&place, &format!("{files} --pairs"));
    assert_eq!((status, said.as_str()), (Some(0), ""));
    assert!(text.starts_with("1 function slower"), "{text}");
    assert!(text.contains("; compared in pairs\n") && text.contains("  work\n"), "{text}");
}

/// Pairs only cost degrees of freedom where the machine keeps its speed.
#[test]
fn turns_on_a_steady_machine_are_no_pairs() {
    let place = Workplace::new();
    let side = |own: [u64; 5], others: [u64; 5]| -> Vec<Vec<Function<'static>>> {
        let run = |(own, other)| vec![("work", 7, own), ("main", 1, 900), ("other", 2, other)];
        own.into_iter().zip(others).map(run).collect()
    };
    let base = runs(&place, "base", &side([400, 381, 420, 391, 409], [290, 311, 300, 320, 284]));
    let new = runs(&place, "new", &side([478, 461, 455, 490, 466], [301, 292, 315, 288, 306]));
    let (_, text, _) = diff(&place, &format!("--base {base} --new {new} --pairs"));
    assert!(text.starts_with("1 function slower"), "{text}");
    assert!(!text.contains("in pairs"), "{text}");
}

#[test]
fn parts_of_the_total_show_it_too() {
    let (place, files) = by_turns();
    let (_, text, _) = diff(&place, &format!("{files} --shares --format json"));
    let data: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(data["design"], serde_json::json!({"pairs": false, "shares": true}));
    let work = &data["functions"][0];
    assert_eq!((&work["name"], &work["self"]["verdict"]), (&"work".into(), &"slower".into()));
    // What one has more, the others have less: the whole has as much.
    let sum = |of: &str| -> f64 {
        let functions = data["functions"].as_array().expect("functions").iter();
        functions.map(|it| it["self"][of].as_f64().expect("a time")).sum()
    };
    assert!((sum("base_ns") - sum("new_ns")).abs() < 1e-3 * sum("base_ns"), "{text}");
}

#[test]
fn sides_of_different_size_are_no_pairs() {
    let (place, files) = by_turns();
    let files = files.rsplit_once(' ').expect("several files").0;
    let (status, _, said) = diff(&place, &format!("{files} --pairs"));
    assert_eq!(status, Some(1));
    assert!(said.contains("6 runs of the base and 5 of the new side are no pairs"), "{said}");
}

#[test]
fn a_suspect_has_its_probability_and_the_runs_it_takes() {
    let place = Workplace::new();
    let side = |own: [u64; 5]| -> Vec<Vec<Function<'static>>> {
        own.map(|own| vec![("main", 1, 400), ("work", 7, own)]).to_vec()
    };
    let base = runs(&place, "base", &side([100, 110, 95, 105, 90]));
    let new = runs(&place, "new", &side([115, 121, 104, 124, 111]));
    let (_, text, _) = diff(&place, &format!("--base {base} --new {new}"));
    let line = text.lines().nth(1).expect("a second line");
    assert!(line.starts_with("nearest to a change: work +0.15 s ± "), "{text}");
    assert!(line.contains(", the least of 2); about "), "{text}");
    assert!(line.ends_with(" runs of each side would settle it"), "{text}");

    // Chance explains equal runs, so nothing is suspected.
    let (_, text, _) = diff(&place, &format!("--base {base} --new {base}"));
    assert!(!text.contains("nearest to a change"), "{text}");
}

#[test]
fn a_function_that_one_sample_met_may_be_on_both_sides() {
    let place = Workplace::new();
    let base = runs(&place, "base", &[vec![("main", 0, 400), ("once", 0, 1), ("twice", 0, 2)]]);
    let new = runs(&place, "new", &[vec![("main", 0, 400)]]);
    let (_, text, _) = diff(&place, &format!("--base {base} --new {new}"));
    assert!(text.contains("; 1 function only in base\n"), "{text}");
}

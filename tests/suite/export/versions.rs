//! Profiles in `gmon-profile/1`, as gmon wrote them before: everything that they say is read as it was meant.
//!
//! They are of one program with threads, waits, recursion and inlined code, sampled by the clock on the wall (`wall`),
//! by CPU time (`cpu`), and without stacks (`plain`).

use std::{fs, path::PathBuf};

use serde_json::Value;
use support::command::{gmon, text_of};

use super::subjects::list;

const PROFILES: [&str; 3] = ["wall", "cpu", "plain"];

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite/export/profiles");
    folder.join(format!("{name}.1.json"))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Each field of the old document is in the new one, with its value.
#[test]
fn first_version_keeps_its_meaning() {
    for name in PROFILES {
        let old = parsed(&fs::read_to_string(path(name)).expect("a profile"));
        let new = text_of(gmon().args(["export", "--format", "json"]).arg(path(name)));
        let new = parsed(&new);
        assert_eq!(
            (&old["schema"], &new["schema"]),
            (&"gmon-profile/1".into(), &"gmon-profile/2".into())
        );
        for (field, value) in old.as_object().expect("an object") {
            if field != "schema" {
                has_all_of(&new[field], value, &format!("{name}: {field}"));
            }
        }
        // What the first version did not say.
        assert!(new["sampling"]["waiting"].is_null(), "{}", new["sampling"]);
        assert_eq!(list(&new, "ranks").len() + list(&new, "regions").len(), 0, "{name}");
    }
}

/// Demands that a value has all of an older one; more fields may be there.
fn has_all_of(new: &Value, old: &Value, place: &str) {
    match (new, old) {
        (Value::Object(_), Value::Object(fields)) => {
            fields
                .iter()
                .for_each(|(key, old)| has_all_of(&new[key], old, &format!("{place}.{key}")));
        }
        (Value::Array(items), Value::Array(olds)) => {
            assert_eq!(items.len(), olds.len(), "{place}");
            let both = items.iter().zip(olds).enumerate();
            both.for_each(|(at, (new, old))| has_all_of(new, old, &format!("{place}[{at}]")));
        }
        _ => assert_eq!(new, old, "{place}"),
    }
}

#[test]
fn first_version_is_shown_compared_and_added_up() {
    for name in PROFILES {
        let old = parsed(&fs::read_to_string(path(name)).expect("a profile"));
        let spin = list(&old, "functions").iter().find(|it| it["name"] == "spin").expect("spin");
        assert_eq!(spin["calls"], 72, "{name}");
        let shown = text_of(gmon().arg("report").arg(path(name)));
        let row = shown.lines().find(|line| line.ends_with(" spin")).expect("a row");
        assert!(row.split_whitespace().any(|cell| cell == "72"), "{shown}");

        let folder = tempfile::tempdir().expect("a temporary folder");
        let sum = folder.path().join("sum.json");
        text_of(gmon().args(["merge", "-o"]).arg(&sum).arg(path(name)));
        let sum = parsed(&fs::read_to_string(sum).expect("a sum"));
        assert_eq!(sum["sampling"]["samples"], old["sampling"]["samples"], "{name}");
        let page = folder.path().join("p.html");
        text_of(gmon().args(["report", "--html"]).arg(&page).arg(path(name)));
        assert!(fs::read_to_string(page).expect("a page").contains("descend"), "{name}");
    }
    let shown = text_of(gmon().arg("diff").args([path("cpu"), path("cpu")]));
    assert!(shown.contains("no change"), "{shown}");
}

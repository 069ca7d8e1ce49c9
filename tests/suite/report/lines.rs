//! `gmon annotate` and `gmon report`: the lines of a function add up to its row, whatever the profile was read from.

use std::path::Path;

use serde_json::Value;

use super::SUITE;
use support::command::{gmon, output_of, said, text_of};

/// The tables of a command in JSON.
fn tables(words: &[&str], files: &[&Path]) -> Value {
    let mut command = gmon();
    let text = text_of(command.args(words).args(["--format", "json"]).args(files));
    serde_json::from_str(&text).expect("JSON")
}

fn rows(tables: &Value) -> impl Iterator<Item = &Value> {
    let tables = tables["tables"].as_array().expect("tables").iter();
    tables.flat_map(|table| table["rows"].as_array().expect("rows"))
}

fn time(row: &Value) -> u64 {
    row["self_ns"].as_u64().unwrap_or(0)
}

/// The time of the lines with a comment.
fn time_of(tables: &Value, comment: &str) -> u64 {
    let is_line = |row: &&Value| row["source"].as_str().is_some_and(|it| it.ends_with(comment));
    rows(tables).filter(is_line).map(time).sum()
}

#[test]
fn lines_of_a_function_add_up_to_its_row() {
    let program = SUITE.build("lines.c", "default", &["-O1", "-g"]);
    for options in ["hz=1000", "stacks,hz=1000"] {
        let output = program.run(&[], &[("GMON_OPTIONS", options)]);
        assert_eq!((output.status.success(), said(&output)), (true, String::new()), "{options}");
        let full = program.data().with_extension("out.full");
        assert_eq!(full.exists(), options.starts_with("stacks"), "{}", full.display());
        let exported = program.data().with_extension("json");
        let mut export = gmon();
        export.arg("export").arg(&program.executable).arg(program.data()).arg("-o");
        text_of(export.arg(&exported));
        let data = program.data();
        let mut kinds: Vec<Vec<&Path>> = vec![vec![&program.executable, &data], vec![&exported]];
        if full.exists() {
            kinds.push(vec![&program.executable, &full]);
        }
        for files in kinds {
            let report = tables(&["report", "--inlines", "fold"], &files);
            let function = rows(&report).find(|row| row["function"] == "work").expect("work");
            let words = ["annotate", "--inlines", "fold", "--function", "work"];
            let lines = tables(&words, &files);
            assert_eq!(rows(&lines).map(time).sum::<u64>(), time(function), "{files:?} {lines}");

            let one = time_of(&lines, "/* one */");
            let (three, inlined) =
                (time_of(&lines, "/* three */"), time_of(&lines, "/* inlined */"));
            assert!(one > 0 && three > one + one / 2 && inlined > one, "{files:?} {lines}");
            assert!(inlined < three, "{files:?} {lines}");
            // Stacks have exact addresses; a bin may reach over the border of a line.
            let never = time_of(&lines, "/* never */");
            assert!(if full.exists() { never == 0 } else { never < one }, "{lines}");

            // A line has one number in all views.
            let file = tables(&["annotate"], &files);
            let hottest = tables(&["annotate", "--line"], &files);
            for comment in ["/* one */", "/* three */", "/* inlined */"] {
                let expected = time_of(&lines, comment);
                assert_eq!(time_of(&file, comment), expected, "{comment} {file}");
                assert_eq!(time_of(&hottest, comment), expected, "{comment} {hottest}");
            }
            let Some(inner) = options.starts_with("stacks").then_some("inlined") else { continue };
            let words = ["annotate", "--function", inner];
            let inner = tables(&words, &files);
            assert_eq!(time_of(&inner, "/* inlined */"), inlined, "{files:?} {inner}");
        }
    }
}

#[test]
fn what_an_exported_profile_does_not_have_is_said() {
    let program = SUITE.build("lines.c", "default", &["-O1", "-g"]);
    assert!(program.run(&[], &[("GMON_OPTIONS", "stacks")]).status.success());
    let exported = program.data().with_extension("json");
    let mut export = gmon();
    export.arg("export").arg(&program.executable).arg(program.data()).arg("-o");
    text_of(export.arg(&exported));
    for (words, why) in [
        (&["--function", "nosuch"][..], "an exported profile has no others"),
        (&["--inlines", "fold"], "--function <NAME>"),
    ] {
        let output = output_of(gmon().arg("annotate").arg(&exported).args(words));
        assert!(!output.status.success() && said(&output).contains(why), "{output:?}");
    }
    let mut both = gmon();
    let output = output_of(both.arg("annotate").arg(&exported).arg(program.data()));
    assert!(said(&output).contains("name no data files behind it"), "{output:?}");
}

//! The gate of `examples/gate` and of docs/ci.md: green, red, green; and one more call in SQLite.

use std::process::{Command, Output};

use support::{command::said, tools, workplace::Workplace};

use super::diff;
use crate::GMON;
use crate::conformance::programs;

/// `make gate` of the new program, in the way of a job.
fn gate(place: &Workplace, options: &str) -> Output {
    let mut make: Command = place.command("make");
    make.args(["-s", "-C", "new", "gate", "BASE=../base"]).arg(format!("GMON={GMON}"));
    make.arg(format!("OPTIONS={options}")).output().expect("make")
}

#[test]
fn the_example_goes_green_red_green() {
    if tools::find("make").is_none() {
        return;
    }
    let place = Workplace::new();
    for side in ["base", "new"] {
        for file in ["Makefile", "words.c", "text.txt"] {
            let original = support::root().join("examples/gate").join(file);
            place.write(&format!("{side}/{file}"), std::fs::read(original).expect("a file"));
        }
    }
    let green = gate(&place, "");
    let text = String::from_utf8_lossy(&green.stdout).into_owned();
    assert!(green.status.success(), "{text} {}", said(&green));
    assert!(text.starts_with("kept calls:+0: ") && text.contains("all calls equal"), "{text}");

    // Somebody looks for the next word twice, which changes no output.
    let source = place.read("new/words.c");
    let twice =
        source.replace("        words++;", "        at = skip_space(at);\n        words++;");
    assert_ne!(source, twice);
    let change = |text: &str| {
        std::fs::remove_file(place.path("new/words")).expect("a program");
        place.write("new/words.c", text);
    };
    change(&twice);
    let red = gate(&place, "");
    let text = String::from_utf8_lossy(&red.stdout).into_owned();
    assert_eq!(red.status.code(), Some(2), "{text}");
    assert!(said(&red).contains("gate] Error 3"), "{}", said(&red));
    let line = "EXCEEDED calls:+0: skip_space was called 36 → 70 times (+34); by count_words 36 → 70 times (+34)\n";
    assert!(text.starts_with(line), "{text}");
    // What a job puts into its summary, with the failure in its log as well.
    let summary = gate(&place, "--format markdown");
    let text = String::from_utf8_lossy(&summary.stdout).into_owned();
    assert_eq!(summary.status.code(), Some(2), "{text}");
    assert!(
        text.contains(
            "| 36 | 70 | +34 | `skip_space` | |\n| 36 | 70 | +34 | `skip_space` | `count_words` |\n"
        ),
        "{text}"
    );
    assert!(
        said(&summary).contains("gmon: EXCEEDED calls:+0: skip_space was called"),
        "{}",
        said(&summary)
    );

    change(&source);
    assert!(gate(&place, "").status.success());
}

/// `sqlite3_close` of the new build asks whether an empty text is a whole statement.
#[test]
fn one_more_call_in_sqlite_is_found() {
    let place = Workplace::new();
    let Some((before, after)) = programs::sqlite_with(
        "int sqlite3_close(sqlite3 *db){ return sqlite3Close(db,0); }",
        "int sqlite3_close(sqlite3 *db){ sqlite3_complete(\"\"); return sqlite3Close(db,0); }",
    ) else {
        return;
    };
    for (side, program) in [("base", &before), ("new", &after)] {
        let folder = programs::run(program, &["2000"], "2000|");
        place.write(
            &format!("{side}.out"),
            std::fs::read(folder.path().join("gmon.out")).expect("data"),
        );
    }
    let words = format!(
        "base.out new.out --base-program {} --new-program {} --fail-on calls:+0",
        before.display(),
        after.display()
    );
    let (code, text, said) = diff(&place, &words);
    assert_eq!((code, said.as_str()), (Some(3), ""), "{text}");
    let failures: Vec<_> = text.lines().filter(|line| line.starts_with("EXCEEDED ")).collect();
    let found = failures.iter().find(|line| line.contains("sqlite3_complete ")).expect("the call");
    assert!(
        found.ends_with("was called 0 → 1 times (+1); by sqlite3_close 0 → 1 times (+1)"),
        "{text}"
    );
    assert_eq!(failures.len(), 1, "{text}");
}

//! Functions whose names terminals, spreadsheets and readers of symbols could take for something else.

use super::{number, report, row, run};
use support::command::{gmon, output_of, quiet, said, text_of};

/// What no compiler calls a function, but `objcopy` may: a version alone, a formula, and text turned around.
const NAMES: [(&str, &str); 3] = [("cheap", "@x"), ("dear", "=1+1"), ("recurse", "a\u{202e}b")];

#[test]
fn names_reach_people_as_text() {
    let program = run("dear.c", "stacks,hz=1000");
    let mut objcopy = quiet("objcopy");
    for (old, new) in NAMES {
        objcopy.arg(format!("--redefine-sym={old}={new}"));
    }
    text_of(objcopy.arg(&program.executable));

    let text = report(&program, &[]);
    assert_eq!(row(&text, "@x").last(), Some(&"@x"), "{text}");
    assert!(number(row(&text, "=1+1")[0]) >= 0.0, "{text}");
    assert!(text.contains("a\\u{202e}b") && !text.contains('\u{202e}'), "{text}");

    let mut export = gmon();
    export.args(["export", "--format", "csv"]).arg(&program.executable).arg(program.data());
    let table = text_of(&mut export);
    for start in ["'@x,", "'=1+1,", "a\u{202e}b,", "main,"] {
        assert!(table.lines().any(|line| line.starts_with(start)), "{start}: {table}");
    }
}

/// Methods of Objective-C have names that begin as options do.
#[test]
fn names_that_begin_with_a_dash_are_no_options() {
    const NAME: &str = "-[Counter add:]";
    let program = run("dear.c", "stacks,hz=1000");
    text_of(quiet("objcopy").arg(format!("--redefine-sym=dear={NAME}")).arg(&program.executable));
    for option in ["--calls", "--only"] {
        let text = report(&program, &[option, NAME]);
        assert!(text.contains(NAME), "{option}: {text}");
    }
    let without = report(&program, &["--without", NAME]);
    assert!(without.contains("stacks without -[Counter add:]"), "{without}");
    for form in [&["--function", NAME][..], &["--function=-[Counter add:]"]] {
        let mut annotate = gmon();
        annotate.arg("annotate").args(form).arg(&program.executable).arg(program.data());
        let said = said(&output_of(&mut annotate));
        assert!(!said.contains("unexpected argument"), "{said}");
    }
}

#[test]
fn calls_of_a_choice_are_not_those_of_what_it_chose() {
    let program = run("chosen.c", "hz=1000");
    for text in [report(&program, &[]), report(&program, &["--calls", "choose"])] {
        assert!(!text.contains("offered"), "{text}");
    }
    let text = report(&program, &[]);
    assert!(row(&text, "chosen").contains(&"6,000"), "{text}");
    assert!(row(&text, "choose").contains(&"1"), "{text}");
}

/// No symbol covers the code by which a program calls a library.
#[test]
fn code_that_the_linker_made_for_calls_has_a_name() {
    let is_in_report = || {
        let program = run("linkage.c", "stacks,hz=1000");
        let text = report(&program, &[]);
        assert!(!has_nameless_code(&text), "{text}");
        text.lines().any(|line| line.ends_with(" [plt] (from main)"))
    };
    // Few of a thousand looks find a jump.
    assert!((0..10).any(|_| is_in_report()));

    let program = run("linkage.c", "stacks,hz=1000");
    let is_on_screen = || {
        let mut command = program.command();
        command.env("GMON_OPTIONS", "stacks,hz=1000,live=live");
        let mut running = command.spawn().expect("the program");
        let mut top = gmon();
        top.args(["top", "--once", "--interval", "0.8", &running.id().to_string()]);
        let text = text_of(&mut top);
        running.wait().expect("its end");
        assert!(!has_nameless_code(&text), "{text}");
        text.lines().any(|line| line.ends_with("  [plt]"))
    };
    assert!((0..10).any(|_| is_on_screen()));
}

/// Returns `true` if code of the program itself has no name. The loader, which may be stripped, may have been sampled, too.
fn has_nameless_code(text: &str) -> bool {
    let mut rows = text.lines().filter_map(|line| line.split_once("[no symbol]"));
    rows.any(|(_, behind)| !behind.starts_with(" ["))
}

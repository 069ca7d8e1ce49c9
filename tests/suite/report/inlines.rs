//! Inlined code apart and as a part of the function that has it, and callers from the hottest code outwards.

use super::{SUITE, number, report, row};
use support::command::{gmon, output_of, said};
use support::program::Program;

fn program() -> Program {
    let program =
        SUITE.build("inlines.c", "default", &["-O2", "-g", "-fno-optimize-sibling-calls"]);
    let output = program.run(&[], &[("GMON_OPTIONS", "stacks,hz=1000")]);
    assert_eq!((output.status.success(), said(&output)), (true, String::new()), "{output:?}");
    program
}

/// The rows of inlined functions.
fn inlined(text: &str) -> Vec<&str> {
    let rows = text.lines().filter_map(|line| line.strip_suffix(" (inlined)"));
    let mut names: Vec<_> = rows.filter_map(|row| row.split_whitespace().last()).collect();
    names.sort_unstable();
    names
}

#[test]
fn inlined_code_is_apart_or_a_part_of_its_function() {
    let program = program();
    let [all, usual, none] = [&["--inlines", "show"][..], &[], &["--inlines", "fold"]]
        .map(|options| report(&program, &[&["--top", "50"], options].concat()));
    assert_eq!(inlined(&all), ["large", "little"], "{all}");
    assert_eq!(inlined(&usual), ["large"], "{usual}");
    assert!(inlined(&none).is_empty(), "{none}");

    // No sample is lost: totals agree, and the function has what the inlined ones had.
    let own = |text: &str, name: &str| {
        let rows = text.lines().filter(|line| line.split_whitespace().any(|word| word == name));
        rows.filter_map(|row| row.split_whitespace().next().map(number)).sum::<f64>()
    };
    let parts = own(&all, "host") + own(&all, "little") + own(&all, "large");
    assert!((own(&none, "host") - parts).abs() < 0.0015, "{all}\n{none}");
    assert_eq!(row(&all, "host")[2], row(&none, "host")[2], "{all}\n{none}");

    // Who asks for one by name gets it.
    assert!(report(&program, &["--calls", "little"]).contains("host"));
    let tree = report(&program, &["--tree", "--cut", "0", "--inlines", "show"]);
    assert_eq!(inlined(&tree), ["large", "little"], "{tree}");
}

#[test]
fn callers_of_the_hottest_code_stand_below_it() {
    let program = program();
    let text = report(&program, &["--bottom-up", "--inlines", "fold"]);
    let names: Vec<_> =
        text.lines().skip(4).filter_map(|line| line.split_whitespace().nth(2)).collect();
    // Those that called each other are on the way once.
    assert_eq!(names[..4], ["host", "forth", "back", "main"], "{text}");
    let depths = text.lines().skip(4).take(4).map(|line| {
        let at = line.find(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        at.expect("a name")
    });
    assert!(depths.clone().zip(depths.skip(1)).all(|(above, below)| below == above + 2), "{text}");

    // The tree has one branch for all depths, too.
    let tree = report(&program, &["--tree", "--cut", "0"]);
    assert_eq!(tree.lines().filter(|line| line.ends_with("forth")).count(), 1, "{tree}");

    let mut command = gmon();
    command.args(["report", "--cut", "3"]).arg(&program.executable).arg(program.data());
    let output = output_of(&mut command);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--tree"), "{output:?}");
}

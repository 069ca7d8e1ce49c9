//! Children by `fork`, from any thread.

use super::SUITE;
use support::{
    command::text_of,
    crowds::check_many_forks,
    suite::{USUAL_MODES, printed},
    tools,
};

#[test]
fn child_and_grandchild_begin_at_zero_and_write_files_of_their_own() {
    for program in SUITE.in_modes("fork.c", &USUAL_MODES) {
        for how in ["exit", "_exit", "return"] {
            program.clear();
            let text = text_of(program.command().arg(how));
            let [child, grandchild] =
                ["child", "grandchild"].map(|name| format!("gmon.out.{}", printed(&text, name)));
            let mut files = vec!["gmon.out", &child, &grandchild, "program"];
            files.sort_unstable();
            assert_eq!(program.files(), files, "{how}");

            program.counts("gmon.out").are(
                "<outside> -> main 1
                main -> work 20
                main -> wait_for 1",
            );
            // Their `main` began in the parent.
            program.counts(&child).are(
                "main -> child 1
                child -> work 5
                child -> wait_for 1
                child -> leave 1",
            );
            program.counts(&grandchild).are(
                "child -> grandchild 1
                grandchild -> work 7
                grandchild -> leave 1",
            );
        }
    }
}

/// A name without the process in it is for the first process alone.
#[test]
fn named_file_is_the_parents_and_children_add_their_numbers() {
    for program in SUITE.in_modes("fork.c", &USUAL_MODES) {
        for (pattern, own) in [("a", "a."), ("%e.x", "program.x."), ("b.%p", "b."), ("%p%%", "")] {
            program.clear();
            let mut command = program.command();
            let text = text_of(command.arg("exit").env("GMON_OPTIONS", format!("out={pattern}")));
            let after = if pattern.ends_with("%%") { "%" } else { "" };
            let [child, grandchild] =
                ["child", "grandchild"].map(|name| format!("{own}{}{after}", printed(&text, name)));
            assert_eq!(program.files().len(), 4, "{:?}", program.files());
            assert_eq!(program.counts(&child).of("child", "work"), 5);
            assert_eq!(program.counts(&grandchild).of("grandchild", "work"), 7);
            let is_parents =
                |name: &&String| ![&child, &grandchild, "program"].contains(&name.as_str());
            let files = program.files();
            let parent = files.iter().find(is_parents).expect("another file");
            assert!(pattern.contains("%p") || own.starts_with(parent.as_str()), "{parent}");
            assert_eq!(program.counts(parent).of("main", "work"), 20);
        }
    }
}

#[test]
fn thousand_children_of_four_threads_count_exactly() {
    let forks = tools::rounds(250);
    let flag = format!("-DFORKS={forks}");
    for program in SUITE.in_modes_with("many_forks.c", &USUAL_MODES, &[&flag]) {
        let text = text_of(&mut program.command());
        check_many_forks(&program, &text, 4 * forks as usize);
    }
}

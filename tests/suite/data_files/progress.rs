//! Long work says on a terminal how far it is, and nowhere else.

use std::{fmt::Write, thread};

use support::{command::output_of, command::said, command::text_of, tools, workplace::Workplace};

use crate::GMON;

/// Enough functions for a profile that does not fit into a pipe.
const FUNCTIONS: usize = 3000;

/// A program with three data files.
fn with_profiles() -> Workplace {
    let place = Workplace::new();
    let (mut functions, mut calls) = (String::new(), String::new());
    for number in 0..FUNCTIONS {
        writeln!(functions, "__attribute__((noinline)) void f{number}(void) {{ sum++; }}")
            .expect("text");
        writeln!(calls, "f{number}();").expect("text");
    }
    let source = format!("volatile int sum;\n{functions}int main(void) {{\n{calls}return 0; }}\n");
    place.write("prog.c", source);
    place.must(&format!("{GMON} cc gcc -O1 -g prog.c -o prog"));
    for name in ["one.out", "two.out", "three.out"] {
        text_of(
            place
                .command(place.path("prog"))
                .env("GMON_OPTIONS", format!("sampler=none,out={name}")),
        );
    }
    place
}

/// What a shell prints on a terminal.
fn on_terminal(place: &Workplace, script: &std::path::Path, line: &str) -> String {
    let mut terminal = place.command(script);
    let output = output_of(terminal.args(["-q", "-e", "-c", line, "/dev/null"]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{line}: {text}");
    text
}

/// The second file comes so late that all have been patient for long enough.
#[test]
fn reading_many_files_says_how_many_are_read() {
    let Some(script) = tools::find("script") else { return };
    let place = with_profiles();
    let check = |words: &str, what: &str| {
        let line =
            |seconds: f32| format!("(sleep {seconds}; cat two.out) | {GMON} {words} > /dev/null");
        let text = on_terminal(&place, &script, &line(4.0));
        let shown = text.split('\r').any(|line| line.starts_with(what) && line.ends_with(" of 3"));
        assert!(shown && text.ends_with("\r\x1b[K"), "{words}: {text:?}");
        // No terminal, no line.
        let output = output_of(place.command("sh").args(["-c", &line(1.2)]));
        assert_eq!(said(&output), "", "{words}");
    };
    // At once, since all of them wait.
    thread::scope(|scope| {
        for (words, what) in [
            ("merge -o sum.out one.out - three.out", "gmon: merging: "),
            ("gprof -b prog one.out - three.out", "gprof: reading profiles: "),
            ("annotate prog one.out - three.out", "gmon: reading profiles: "),
            (
                "export --format callgrind -o profile prog one.out - three.out",
                "gmon: reading profiles: ",
            ),
        ] {
            scope.spawn(move || check(words, what));
        }
    });
}

/// The reader of the pipe waits before it reads on.
#[test]
fn writing_says_how_much_is_written() {
    let Some(script) = tools::find("script") else { return };
    let place = with_profiles();
    place.must("mkfifo pipe.json");
    let line = format!(
        "(exec < pipe.json; sleep 4; cat > read.json) & {GMON} export -o pipe.json prog one.out && wait"
    );
    let text = on_terminal(&place, &script, &line);
    assert!(text.contains("\rgmon: writing pipe.json: 0 MB"), "{text:?}");
    assert!(text.ends_with("\r\x1b[K"), "{text:?}");
    assert!(place.read("read.json").contains("f2999"));
}

#[test]
fn runs_by_turns_are_numbered() {
    let Some(script) = tools::find("script") else { return };
    let place = Workplace::new();
    place.write("prog.c", "int usleep(unsigned); int main(void) { return usleep(350000); }");
    place.must(&format!("{GMON} cc gcc -O1 -g prog.c -o prog"));
    let line = format!("{GMON} diff --base-run ./prog --new-run ./prog --runs 3 > out.txt");
    let text = on_terminal(&place, &script, &line);
    assert!(text.contains("\rgmon: runs of each side: 2 of 3"), "{text:?}");
    let output = output_of(place.command("sh").args(["-c", &line]));
    assert_eq!(said(&output), "");
}

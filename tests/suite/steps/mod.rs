//! `gmon run --steps`: threads are followed instruction by instruction, and their programs do not notice.

use support::command::{gmon, output_of, said};
use support::suite::Suite;
use support::tools::{rounds, skip_anywhere};

const SUITE: Suite = Suite("steps");

/// Returns `true` if the system lets programs be followed, as `text` tells; else the test is skipped aloud.
fn can_follow(text: &str) -> bool {
    let refusal = text.lines().find(|line| line.contains("--steps saw no instruction"));
    if let Some(refusal) = refusal {
        skip_anywhere(refusal);
    }
    refusal.is_none()
}

#[test]
fn programs_do_not_notice_that_they_are_followed() {
    let program = SUITE.without_profile("touchy.c");
    for (word, status) in [("once", 7), ("again", 128 + 9)] {
        let plain = output_of(program.command().arg(word));
        for _ in 0..rounds(5) {
            let mut command = gmon();
            command.args(["run", "--steps", "-o"]).arg(program.path("profile"));
            let output = output_of(command.arg(&program.executable).arg(word));
            let text = said(&output);
            if !can_follow(&text) {
                return;
            }
            assert_eq!(output.stdout, plain.stdout, "{word}: {text}");
            assert_eq!(output.status.code(), Some(status), "{word}: {text}");
        }
    }
}

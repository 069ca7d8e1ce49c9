//! `gmon run --steps`: threads are followed instruction by instruction, and their programs do not notice.

use support::command::{gmon, output_of, said, text_of};
use support::compilers::GCC;
use support::modes::NO_PROFILE;
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

#[test]
fn steps_say_how_often_code_ran() {
    let program = SUITE.build_by(GCC, "branches.c", &NO_PROFILE, &["-g"]);
    let data = ["one", "other"].map(|name| program.path(name));
    for data in &data {
        let mut command = gmon();
        command.args(["run", "--steps", "-o"]).arg(data);
        if !can_follow(&said(&output_of(command.arg(&program.executable)))) {
            return;
        }
    }
    // They add up like everything else.
    let sum = program.path("sum.full");
    let full = ["one.full", "other.full"].map(|name| program.path(name));
    text_of(gmon().arg("merge").arg("-o").arg(&sum).args(&full));
    for data in [&data[..1], &data, &[sum]] {
        let mut command = gmon();
        command.args(["export", "--format", "llvm-prof"]).arg(&program.executable).args(data);
        let profile = text_of(&mut command);
        let of_turn = profile.lines().skip_while(|line| !line.starts_with("turn:")).skip(1);
        let lines = of_turn.take_while(|line| line.starts_with(' '));
        let executions = |offset: &str| {
            let counts = lines.clone().filter_map(|line| {
                let (place, count) = line.trim().split_once(": ")?;
                let (line, _) = place.split_once('.').unwrap_or((place, ""));
                (line == offset).then(|| count.split(' ').next()?.parse::<u64>().ok())?
            });
            counts.max().unwrap_or_else(|| panic!("{offset}: {profile}"))
        };
        let (often, rarely) = (executions("3"), executions("5"));
        assert!((8..32).contains(&(often / rarely)), "{often}, {rarely}: {profile}");
    }
}

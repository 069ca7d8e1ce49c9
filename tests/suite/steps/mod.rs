//! `gmon run --steps`: threads are followed instruction by instruction, and their programs do not notice.

use support::command::{gmon, output_of, said, text_of};
use support::compilers::GCC;
use support::modes::NO_PROFILE;
use support::suite::Suite;
use support::tools::{self, rounds, skip_anywhere};
use support::workplace::Workplace;

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

/// A side of a branch that is cheap enough to be executed always, and needed once in 100,000 turns.
const RARE_SIDE: &str = "
__attribute__((noinline)) static unsigned long work(unsigned long turns)
{
    unsigned long sum = 0;
    for (unsigned long i = 0; i < turns; i++) {
        unsigned long x = i * 7 ^ sum >> 3;
        if (x % 100000 == 99999)
            sum ^= x;
        sum += x;
    }
    return sum;
}

int main(void) { return work(100000000) == 1; }
";

#[test]
fn each_block_of_a_function_that_was_followed_has_a_count() {
    const COMPILER: &str = "clang -fpseudo-probe-for-profiling";
    if tools::find(COMPILER).is_none() {
        return;
    }
    let place = Workplace::new();
    place.write("prog.c", RARE_SIDE);
    text_of(&mut place.gmon(&format!("cc {COMPILER} -O2 prog.c -o prog")));
    if !can_follow(&said(&output_of(&mut place.gmon("run --steps -o data ./prog")))) {
        return;
    }
    let profile = text_of(&mut place.gmon("export --format llvm-prof ./prog data"));
    let of_work = profile.lines().skip_while(|line| !line.starts_with("_ZL4workm")).skip(1);
    let counts = of_work.map_while(|line| line.strip_prefix(' ')?.split_once(": "));
    let counts: Vec<(u32, u64)> = counts
        .map_while(|(probe, count)| Some((probe.parse().ok()?, count.parse().ok()?)))
        .collect();
    // No probe is missing, and one that is not of the way in or out ran seldom.
    assert!(counts.iter().zip(1..).all(|((probe, _), number)| *probe == number), "{profile}");
    let most = counts.iter().map(|(_, count)| *count).max().expect("a count");
    let seldom = counts.iter().filter(|(_, count)| *count < most / 1000);
    assert!(seldom.count() >= 3, "{profile}");
}

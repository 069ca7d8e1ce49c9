//! `cargo gmon pgo`: the second build has the counts of the first one's run, on a stable compiler.

use std::fs;
use std::path::PathBuf;

use support::command::{quiet, text_of};

use super::project::{Project, Run};

const MANIFEST: &str = "[package]\nname = \"project\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

/// Calls `often` so many times as the argument says, and ends with 3 if there is none.
const PROGRAM: &str = r#"
    use project::often;

    #[inline(never)]
    fn never() -> u64 { std::hint::black_box(1) }

    fn main() {
        let rounds = std::env::args().nth(1).map(|word| word.parse::<u64>().expect("a number"));
        let Some(rounds) = rounds else { std::process::exit(3) };
        let sum = (0..rounds).fold(0u64, |sum, _| sum.wrapping_add(often(20_000)));
        if sum == 1 { never(); }
        println!("{}", sum != 1);
    }
"#;

const LIBRARY: &str = r#"
    use std::hint::black_box;

    #[inline(never)]
    fn rare(n: u64) -> u64 { black_box(n) * 3 }

    /// ```
    /// assert!(project::often(1) < 10);
    /// ```
    #[inline(never)]
    pub fn often(n: u64) -> u64 {
        let mut sum = 0u64;
        for i in 0..n {
            if black_box(i) % 1000 == 999 {
                sum = sum.wrapping_add(rare(i));
            } else {
                sum = sum.wrapping_add(i ^ 7);
            }
        }
        sum
    }

    #[test]
    fn inside() { for _ in 0..3000 { often(20_000); } }
"#;

fn project() -> Project {
    Project::new(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY), ("src/main.rs", PROGRAM)])
}

/// The folder of what is made.
fn made(project: &Project) -> PathBuf {
    project.target().join("gmon/pgo")
}

/// Files below a folder whose names begin and end so.
fn files(folder: PathBuf, start: &str, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            found.extend(files(path, start, end));
        } else if name.starts_with(start) && name.ends_with(end) {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_second_build_has_the_counts_and_the_order_of_the_first() {
    let project = project();
    let mut command = project.command("pgo run --runs 2 -- 3000");
    let run = Run::of(command.env("RUSTFLAGS", "--emit=llvm-ir")).succeeded();
    assert_eq!(run.stdout, "true\n");
    let said = |text: &str| assert!(run.stderr.contains(text), "no `{text}` in {}", run.stderr);
    said(", with 100.0 % of the executions of those that were compiled");
    said("gmon: project without the profile and with it:");
    said("2 runs at 1000 Hz");
    said("gmon: built with the profile: ");

    let profile = fs::read_to_string(made(&project).join("pgo.prof")).expect("a profile");
    let often = profile.lines().find(|line| line.contains("7project5often:"));
    assert!(often.is_some_and(|line| line.ends_with(":3000")), "{profile}");
    // By probes: calls are exact, and each function says of which blocks its profile is.
    assert!(profile.contains("7project4rare:60000\n"), "{profile}");
    assert!(profile.contains("!CFGChecksum: "), "{profile}");
    let code = files(made(&project).join("guided"), "project-", ".ll");
    let code: String = code.iter().map(|path| fs::read_to_string(path).expect("code")).collect();
    assert!(code.contains("!{!\"function_entry_count\", i64 3000}"), "no count of `often`");
    for stage in ["guided", "plain"] {
        let programs = files(made(&project).join(stage), "project", "project");
        let names = text_of(quiet("nm").arg("-n").arg(&programs[0]));
        assert!(!names.contains("__gmon_count"), "{stage} has a runtime");
        let ours = ["7project4main", "7project5often", "7project4rare"];
        let places: Vec<_> = ours.map(|name| names.find(name).expect("a function")).to_vec();
        assert!(stage == "plain" || places.is_sorted(), "{names}");
    }
}

#[test]
fn a_runner_is_not_taken_for_the_program() {
    let project = project();
    let mut command = project.command("pgo run --runs 1 -- 300");
    let target = format!("{}_UNKNOWN_LINUX_GNU", std::env::consts::ARCH.to_uppercase());
    let run = Run::of(command.env(format!("CARGO_TARGET_{target}_RUNNER"), "nice -n 1"));
    let run = run.succeeded();
    let said = |text: &str| assert!(run.stderr.contains(text), "no `{text}` in {}", run.stderr);
    said("gmon: project without the profile and with it:");
    said("/project\n");
    assert!(!run.stderr.contains("nice"), "{}", run.stderr);
}

#[test]
fn programs_of_tests_are_built_again_too() {
    let run = Run::of(&mut project().command("pgo test --runs 1")).succeeded();
    assert!(run.stderr.contains(" with 100.0 % of the executions"), "{}", run.stderr);
    // Of the library and of the program, which has no tests.
    let built =
        run.stderr.lines().filter(|line| line.starts_with("gmon: built with the profile: "));
    assert_eq!(built.count(), 2, "{}", run.stderr);
}

#[test]
fn nothing_is_built_with_a_profile_that_is_none() {
    let project = project();
    let run = Run::of(&mut project.command("pgo run"));
    assert_eq!(run.status, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("the measured run failed, so nothing is built"), "{}", run.stderr);
    assert!(!made(&project).join("guided").exists());

    let mut command = project.command("pgo run -- 1");
    let run = Run::of(command.env("GMON_OPTIONS", "off"));
    assert_eq!(run.status, Some(1), "{}", run.stderr);
    let why = "no program that was built has left a profile in ";
    assert!(run.stderr.contains(why), "{}", run.stderr);
    assert!(!made(&project).join("guided").exists());
}

#[test]
fn help_names_the_verbs_and_others_are_refused() {
    let project = project();
    let run = Run::of(&mut project.command("pgo run --help")).succeeded();
    assert!(
        run.stdout.contains("cargo gmon pgo run [OPTIONS] [OPTIONS OF CARGO RUN]"),
        "{}",
        run.stdout
    );
    let run = Run::of(&mut project.command("pgo build"));
    assert_eq!(run.status, Some(2), "{}", run.stderr);
}

//! Errors say what to do.

use super::project::{Project, Run};

const PROGRAM: (&str, &str) = ("src/main.rs", "fn main() { std::process::abort() }");
const MANIFEST: (&str, &str) =
    ("Cargo.toml", "[package]\nname = \"project\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");

/// Checks that a run fails with messages that contain these texts.
fn fails(run: &Run, status: i32, told: &[&str]) {
    assert_eq!(run.status, Some(status), "{}", run.stderr);
    for text in told {
        assert!(run.stderr.contains(text), "{text:?} is not in\n{}", run.stderr);
    }
}

#[test]
fn there_must_be_a_project() {
    let run = Project::new(&[]).run("run");
    fails(&run, 1, &["gmon: could not find `Cargo.toml`", "go to a cargo project"]);
}

#[test]
fn bad_usage_is_an_error() {
    let place = Project::new(&[PROGRAM, MANIFEST]);
    fails(&place.run("fly"), 2, &["fly", "Usage"]);
    fails(&place.run("run --hooks hope"), 2, &["hope", "attributes"]);
    fails(&place.run("run --top"), 2, &["--top"]);
    fails(&place.run(""), 2, &["Usage: cargo gmon"]);
    assert!(place.run("run --help").succeeded().stdout.contains("--exclude <PATTERN>"));
}

#[test]
fn target_needs_a_runtime() {
    let place = Project::new(&[PROGRAM, MANIFEST]);
    fails(&place.run("run --target vax-dec-ultrix"), 1, &["there is no runtime for vax"]);
    fails(&place.run("build --target a --target=b"), 1, &["name one --target at a time"]);
}

#[test]
fn a_compiler_without_hooks_is_an_error() {
    let place = Project::new(&[PROGRAM, MANIFEST]);
    let script = place.script(
        "rustc",
        "case \"$*\" in\n\
         *llvm-args*|*instrument-mcount*|*passes*) echo 'error: unknown' >&2; exit 1;;\n\
         esac\nexec rustc \"$@\"",
    );
    let run = Run::of(place.command("run").env("RUSTC", &script));
    fails(&run, 1, &["offers no way to count calls", "rustup update stable"]);
    let run = Run::of(place.command("run --hooks guards").env("RUSTC", &script));
    fails(&run, 1, &["does not offer --hooks guards"]);
}

#[test]
fn a_program_that_is_killed_has_a_profile() {
    let place = Project::new(&[PROGRAM, MANIFEST]);
    let run = place.run("run");
    // Cargo tells its end; the profile is there.
    assert_ne!(run.status, Some(0));
    assert_eq!(run.summary().get("project::main"), Some(&1), "{}", run.stderr);
}

#[test]
fn a_program_that_is_killed_without_notice_has_none() {
    let killed = "fn main() { _ = std::process::Command::new(\"kill\").arg(\"-9\")\
                  .arg(std::process::id().to_string()).status(); }";
    let place = Project::new(&[("src/main.rs", killed), MANIFEST]);
    let run = place.run("run");
    assert_ne!(run.status, Some(0));
    assert!(run.stderr.contains("there is no profile: "), "{}", run.stderr);
    assert!(run.stderr.contains("was killed by SIGKILL"), "{}", run.stderr);
    assert!(run.stderr.contains("`gmon recover FILE`"), "{}", run.stderr);
}

#[test]
fn there_must_be_a_program() {
    let place = Project::new(&[MANIFEST, ("src/lib.rs", "")]);
    fails(&place.run("run"), 1, &["no program in this project", "`cargo gmon test`"]);
}

#[test]
fn a_project_with_several_programs_wants_one_named() {
    let place = Project::new(&[MANIFEST, PROGRAM, ("src/bin/other.rs", "fn main() {}")]);
    fails(&place.run("run"), 101, &["--bin"]);
    place.run("run --bin other").succeeded();
}

#[test]
fn errors_of_the_program_are_rustc_s_own() {
    let place = Project::new(&[MANIFEST, ("src/main.rs", "fn main() { missing() }")]);
    let run = place.run("run");
    fails(&run, 101, &["cannot find function `missing`"]);
    assert_eq!(run.stderr.matches("cannot find function").count(), 1, "{}", run.stderr);
    assert!(!run.stderr.contains("is not profiled"), "{}", run.stderr);
}

#[test]
fn errors_of_a_crate_appear_once() {
    let place = Project::new(&[("src/main.rs", "fn main() { let _: u32 = \"\"; }"), MANIFEST]);
    let run = place.run("run");
    fails(&run, 101, &["mismatched types"]);
    assert_eq!(run.stderr.matches("mismatched types").count(), 1, "{}", run.stderr);
    assert!(!run.stderr.contains("is not profiled"), "{}", run.stderr);
}

//! `build`, `test` and `bench`, and what is left to cargo.

use std::fs;

use super::project::{Project, Run};

const MANIFEST: &str = r#"
    [package]
    name = "project"
    version = "0.1.0"
    edition = "2021"

    [[bench]]
    name = "speed"
    harness = false

    [profile.release]
    strip = true
"#;

const LIBRARY: &str = r#"
    //! ```
    //! assert_eq!(project::leaf(1), 2);
    //! ```
    #[inline(never)]
    pub fn leaf(n: u32) -> u32 { std::hint::black_box(n) + 1 }

    #[test]
    fn inside() { for n in 0..7 { leaf(n); } }
"#;

const TEST: &str = "#[test] fn outside() { for n in 0..11 { project::leaf(n); } }";
const STARTS: &str = "#[test] fn starts() { for _ in 0..3 {
    let run = std::process::Command::new(env!(\"CARGO_BIN_EXE_project\")).status();
    assert_eq!(run.unwrap().code(), Some(3)); } }";
const BENCH: &str = "fn main() { for n in 0..13 { project::leaf(n); } }";
const PROGRAM: &str =
    "fn main() { let unused = 1; for n in 0..17 { project::leaf(n); } std::process::exit(3) }";

fn project() -> Project {
    Project::new(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", LIBRARY),
        ("src/main.rs", PROGRAM),
        ("tests/outside.rs", TEST),
        ("tests/starts.rs", STARTS),
        ("benches/speed.rs", BENCH),
    ])
}

/// The calls of `leaf` in all summaries together.
fn calls(run: &Run) -> u64 {
    run.summary().get("project::leaf").copied().unwrap_or(0)
}

#[test]
fn tests_and_benchmarks_have_profiles_of_their_own() {
    let project = project();
    let run = Run::of(&mut project.command("test")).succeeded();
    assert_eq!(calls(&run), 7 + 11 + 3 * 17, "{}", run.stderr);
    let profiles: Vec<_> = run.stderr.lines().filter(|line| line.starts_with("profile ")).collect();
    assert!(profiles.len() >= 2 && profiles[0] != profiles[1], "{profiles:?}");
    // The program that a test starts leaves one, of all its runs.
    let programs = profiles.iter().filter(|line| line.ends_with("/project.gmon.out"));
    assert_eq!(programs.count(), 1, "{profiles:?}");
    assert!(run.stderr.contains(" in 3 processes"), "{}", run.stderr);
    for line in profiles {
        let path = line.trim_start_matches("profile").trim();
        assert!(fs::metadata(path).is_ok(), "{path}");
    }
    let run = Run::of(&mut project.command("bench --bench speed")).succeeded();
    assert_eq!(calls(&run), 13, "{}", run.stderr);
}

#[test]
fn status_and_warnings_are_kept_and_release_builds_left_alone() {
    let project = project();
    let page = project.folder().join("page.html");
    let run = Run::of(project.command("run").arg("--html").arg(&page));
    assert_eq!(run.status, Some(3), "{}", run.stderr);
    let page = fs::read_to_string(page).unwrap_or_default();
    assert!(page.contains("<h1>project</h1>"), "{}", run.stderr);
    assert_eq!(calls(&run), 17, "{}", run.stderr);
    assert!(run.stderr.contains("so that calls are counted (--hooks "), "{}", run.stderr);
    assert!(run.stderr.contains("unused variable: `unused`"), "{}", run.stderr);
    assert!(!run.stderr.contains("CSV"), "{}", run.stderr);
    assert!(!project.target().join("release").exists());
}

#[test]
fn what_is_built_profiles_itself() {
    let project = project();
    let run = project.run("build --bin project").succeeded();
    assert!(run.stderr.contains("gmon: what is built goes to "), "{}", run.stderr);
    assert!(!project.data().exists());
}

/// Calls into libraries, of a program that `cargo gmon` builds.
#[test]
#[cfg(target_arch = "x86_64")]
fn library_calls_are_counted_with_an_option() {
    let manifest = "[package]\nname = \"project\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let program = "fn main() {
            let largest = (0..17).map(|_| std::process::id()).max().unwrap();
            let parent = std::os::unix::process::parent_id();
            std::process::exit(if largest + parent > 0 { 0 } else { 1 })
        }";
    let place = Project::new(&[("Cargo.toml", manifest), ("src/main.rs", program)]);
    let run = place.run("run --libcalls=getp*").succeeded();
    let full = place.data().with_file_name("gmon.out.full");
    let calls = support::library_calls::LibraryCalls::read(&full, &run.executable());
    assert_eq!([calls.of("libc", "getpid"), calls.of("libc", "getppid")], [17, 1]);
    assert_eq!(calls.total(), 18);
}

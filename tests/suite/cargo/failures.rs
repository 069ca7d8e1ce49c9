//! Errors say what to do.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::project::{Project, Run};
use support::executable;

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
    fails(&place.run("run --dormant --hooks guards"), 2, &["--hooks", "--dormant"]);
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
    if cfg!(target_arch = "x86_64") {
        let run = Run::of(place.command("run --dormant").env("RUSTC", &script));
        fails(&run, 1, &["does not offer --dormant (", "leave the option out"]);
    }
}

#[test]
fn what_rust_has_can_be_wrong() {
    let place = Project::new(&[PROGRAM, MANIFEST]);
    let fake = |tool: &str, text: &str| {
        let script = place.script(tool, text);
        Run::of(place.command("run").env(tool.to_uppercase(), &script))
    };
    fails(&fake("cargo", "echo nonsense"), 1, &["does not print JSON; set CARGO to Rust's cargo"]);
    fails(&fake("cargo", "echo {}"), 1, &["names no target directory; set CARGO to Rust's cargo"]);
    // A compiler that knows its version, and else nothing.
    let version = "case \"$*\" in -vV) exec rustc -vV;; esac\n";
    let without_target = fake("rustc", &format!("{version}echo 'error: no std' >&2; exit 1"));
    fails(&without_target, 1, &["cannot compile for ", "; try `rustup target add "]);
    let writes = "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo nonsense > \"$2\"; shift; done";
    let without_object = fake("rustc", &format!("{version}{writes}"));
    fails(&without_object, 1, &["wrote no object file; name another compiler in RUSTC"]);
    let without_folder = Run::of(place.command("run").env("TMPDIR", "/dev/null"));
    fails(&without_folder, 1, &["can be made in /dev/null; set TMPDIR to another"]);
}

#[test]
fn cargo_must_be_able_to_call_cargo_gmon() {
    let place = Project::new(&[PROGRAM, MANIFEST]);
    let own = place.folder().join("a folder");
    std::fs::create_dir(&own).expect("a folder");
    let command = own.join("cargo-gmon");
    executable::copy(Path::new(env!("CARGO_BIN_EXE_cargo-gmon")), &command);
    let host = Run::of(std::process::Command::new("rustc").arg("-vV")).stdout;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let runner = format!("target.{host}.runner = 'env'");
    let by = |command: &Path| {
        let mut run = std::process::Command::new(command);
        Run::of(run.args(["gmon", "run", "--config", &runner]).current_dir(place.folder()))
    };
    let message = format!("so cargo cannot call it; give target.{host}.runner as a list");
    fails(&by(&command), 1, &[&message]);
    let strange = place.folder().join(std::ffi::OsStr::from_bytes(b"\xff"));
    std::fs::create_dir(&strange).expect("a folder");
    std::fs::rename(&command, strange.join("cargo-gmon")).expect("moved");
    fails(
        &by(&strange.join("cargo-gmon")),
        1,
        &["cargo cannot call a program with such a path; move it"],
    );
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
    let killed = "fn main() { _ = std::process::Command::new(\"sh\").arg(\"-c\")\
                  .arg(format!(\"kill -9 {}\", std::process::id())).status(); }";
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

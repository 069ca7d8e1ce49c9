//! Programs without the standard library, or with all libraries inside.

use super::project::{Project, Run};
use support::{
    command::{output_of, quiet},
    tools,
};

const STATIC: &str = "-Ctarget-feature=+crt-static -Crelocation-model=static";

/// Runs an example that is linked by a compiler with these flags. Each test has a folder.
fn linked(test: &str, example: &str, linker: &str, flags: &str) -> Run {
    let examples = Project::examples_by(test);
    let mut command = examples.command(&format!("run -p {example} --top 1000"));
    command.env("GMON_OPTIONS", format!("out={}", examples.data().display()));
    command.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER", linker).env("RUSTFLAGS", flags);
    Run::of(&mut command).succeeded()
}

/// Whether no other file is needed to run a program.
fn is_static(run: &Run) -> bool {
    let told = output_of(quiet("readelf").arg("-lW").arg(run.executable())).stdout;
    !String::from_utf8_lossy(&told).contains("INTERP")
}

#[test]
fn program_without_the_standard_library_is_counted() {
    Project::examples().run("run -p no_std --top 1000").succeeded().is_true();
}

#[test]
#[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
fn program_without_any_library_is_counted() {
    let examples = Project::examples();
    let manifest = examples.folder().join("Cargo.toml");
    let mut command = examples.command("run -p bare --top 1000 --manifest-path");
    // Nobody tells such a program its environment, so the profile is where it was started.
    let folder = examples.data();
    command.arg(manifest).current_dir(folder.parent().expect("a folder"));
    let run = Run::of(&mut command).succeeded();
    run.is_true();
    assert!(run.stdout.contains("snapshot true"), "{}", run.stdout);
    assert!(is_static(&run));
}

/// glibc's archive has hooks of the same names, and what a program's own source links comes first.
#[test]
#[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
fn static_programs_are_counted() {
    // What rustc leaves out without `std`, and a linker by which such programs run, profiled or not.
    let with_glibc =
        ["-lgcc_eh", "-l:libc.a", "-fuse-ld=bfd"].map(|arg| format!("-Clink-arg={arg}"));
    let with_glibc = format!("{STATIC} {}", with_glibc.join(" "));
    let runs = ["no_std", "small"].map(|example| {
        let flags = if example == "small" { STATIC } else { &with_glibc };
        linked("static", example, "cc", flags)
    });
    for run in runs {
        run.is_true();
        assert!(is_static(&run));
    }
}

#[test]
#[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
fn programs_of_musl_are_counted() {
    if tools::find("musl-gcc").is_none() {
        return;
    }
    linked("musl", "no_std", "musl-gcc", "").is_true();
    let run = linked("musl", "no_std", "musl-gcc", STATIC);
    run.is_true();
    assert!(is_static(&run));
}

//! What `gmon install` lays out is found by pkg-config, CMake and Meson, and what they build from it
//! counts exactly.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use support::{
    command::{output_of, quiet, text_of},
    tools,
    workplace::Workplace,
};

/// The sample's sources and projects.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/linking");

/// What every program of the sample counts.
const COUNTS: &str = "<outside> -> main 1\nmain -> step 5\nstep -> leaf 10\n<outside> -> leaf 2";

/// A folder in which gmon is installed, below a folder with a space in its name, and the sample is built.
fn installed() -> Workplace {
    let place = Workplace::new();
    text_of(place.gmon("install").arg("--prefix").arg(prefix(&place)));
    place
}

fn prefix(place: &Workplace) -> PathBuf {
    place.path("an installed gmon")
}

/// A tool, run where it leaves its traces in this folder, that finds the package by these variables.
fn tool(place: &Workplace, name: &str, finds_by: &[&str]) -> Command {
    let mut command = place.command(name);
    for variable in ["LDFLAGS", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "DESTDIR"] {
        command.env_remove(variable);
    }
    for variable in finds_by {
        match *variable {
            "PKG_CONFIG_PATH" => command.env(variable, prefix(place).join("lib/pkgconfig")),
            _ => command.env(variable, prefix(place)),
        };
    }
    command
}

/// Checks the counts of a program in the folder `build`, which it runs.
fn check(place: &Workplace, program: &str, counts: &str) {
    let program = format!("build/{program}");
    let run = output_of(&mut place.command(place.path(&program)));
    assert!(run.status.success() && run.stderr.is_empty(), "{program}: {run:?}");
    place.counts(&program).are(counts);
    fs::remove_file(place.path("gmon.out")).expect("a file that can be removed");
}

/// Whether these tools are there.
fn are_there(names: &[&str]) -> bool {
    names.iter().all(|name| tools::find(name).is_some())
}

/// Runs a build tool, which may have a lot to say, to its success.
fn must(command: &mut Command) -> String {
    let output = output_of(command);
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{command:?}: {}\n{stdout}\n{stderr}", output.status);
    stdout + &stderr
}

/// Names that a file defines for others to find at run time.
fn defined(library: &Path) -> String {
    text_of(quiet("nm").args(["--dynamic", "--defined-only", "-j"]).arg(library))
}

#[test]
fn pkg_config() {
    if !are_there(&["pkg-config"]) {
        return;
    }
    let place = installed();
    let pkg_config = || tool(&place, "pkg-config", &["PKG_CONFIG_PATH"]);
    assert_eq!(
        text_of(pkg_config().args(["--modversion", "gmon"])).trim(),
        env!("CARGO_PKG_VERSION")
    );
    text_of(pkg_config().args(["--validate", "gmon"]));
    fs::create_dir(place.path("build")).expect("a folder");
    for (name, options) in [("dynamic", ""), ("static", "-static"), ("whole", "-flto")] {
        // In a shell, for the space in the prefix.
        let script = format!(
            "eval gcc -O2 {options} -I../../../examples/c sample.c steps.c twice.c -o \"$1\" \
             \"$(pkg-config --cflags --libs gmon)\""
        );
        let mut shell = tool(&place, "sh", &["PKG_CONFIG_PATH"]);
        shell.args(["-e", "-c", &script, "sh"]);
        text_of(shell.arg(place.path("build").join(name)).current_dir(SOURCES));
        check(
            &place,
            name,
            "<outside> -> main 1\nmain -> step 5\nstep -> leaf 10\n\
             main -> twice 1\ntwice -> leaf 2",
        );
    }
}

#[test]
fn cmake() {
    if !are_there(&["cmake", "make", "pkg-config"]) {
        return;
    }
    let place = installed();
    let found = ["CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH"];
    must(tool(&place, "cmake", &found).args(["-S", &format!("{SOURCES}/cmake"), "-B", "build"]));
    must(tool(&place, "cmake", &found).args(["--build", "build", "--parallel", "2"]));
    for program in ["by_target", "by_variables", "by_pkg_config", "optimized_as_a_whole"] {
        check(&place, program, COUNTS);
    }
    // Only the library is compiled with hooks.
    check(&place, "by_library", COUNTS.trim_start_matches("<outside> -> main 1\n"));
    for library in ["libtwice.so", "libmodule.so"] {
        let names = defined(&place.path("build").join(library));
        assert!(!names.contains("mcount"), "a runtime of its own in {library}:\n{names}");
    }
    let preload = fs::read_to_string(place.path("build/preload")).expect("a path");
    assert!(Path::new(&preload).is_file(), "{preload}");
}

/// An interface may change with the minor version before 1.0, and with the major one after it.
#[test]
fn cmake_finds_only_versions_that_will_do() {
    if !are_there(&["cmake"]) {
        return;
    }
    let place = installed();
    let version: Vec<u32> =
        env!("CARGO_PKG_VERSION").split('.').map(|part| part.parse().expect("a number")).collect();
    let [major, minor, patch] = version[..] else { panic!("{version:?}") };
    let will_do = [
        (format!("{major}.{minor}.{patch}"), true),
        (format!("{major}.{minor}"), true),
        (format!("{major}"), true),
        (format!("{major}.{minor}.{}", patch + 1), false),
        (format!("{major}.{}", minor + 1), false),
        (format!("{}.0", major + 1), false),
    ];
    let versions: Vec<&str> = will_do.iter().map(|(version, _)| version.as_str()).collect();
    let mut cmake = tool(&place, "cmake", &["CMAKE_PREFIX_PATH"]);
    cmake.args(["-S", &format!("{SOURCES}/cmake/versions"), "-B", "build"]);
    let found = must(cmake.arg(format!("-DVERSIONS={}", versions.join(";"))));
    let found: Vec<(String, bool)> = found
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(version, _)| versions.contains(version))
        .map(|(version, found)| (version.to_owned(), found == "1"))
        .collect();
    assert_eq!(found, will_do);
}

/// Builds the sample by Meson, set up by this command.
fn build_by_meson(place: &Workplace, setup: &mut Command, source: &Path) {
    must(setup.arg("build").arg(source));
    must(tool(place, "ninja", &[]).args(["-C", "build"]));
    check(place, "by_dependency", COUNTS);
    check(place, "optimized_as_a_whole", COUNTS);
}

/// Builds the sample by Meson, which finds the installed gmon by this variable.
fn build_by_meson_with(finds_by: &str) {
    let place = installed();
    let mut setup = tool(&place, "meson", &[finds_by]);
    setup.args(["setup", "--wrap-mode=nofallback"]);
    build_by_meson(&place, &mut setup, &Path::new(SOURCES).join("meson"));
}

#[test]
fn meson_by_pkg_config() {
    if are_there(&["meson", "ninja", "pkg-config"]) {
        build_by_meson_with("PKG_CONFIG_PATH");
    }
}

#[test]
fn meson_by_cmake() {
    if are_there(&["meson", "ninja", "cmake"]) {
        build_by_meson_with("CMAKE_PREFIX_PATH");
    }
}

/// Where nothing is installed, the subproject asks the command.
#[test]
fn meson_by_the_subproject() {
    if !are_there(&["meson", "ninja"]) {
        return;
    }
    let place = installed();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = |from: &str, to: &str| {
        let to = place.path(to);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(root.join(from), to).expect("a copy");
    };
    for file in ["sample.c", "steps.c", "twice.c", "meson/meson.build"] {
        copy(&format!("tests/suite/linking/{file}"), &format!("tests/suite/linking/{file}"));
    }
    copy("examples/c/counted.h", "examples/c/counted.h");
    copy("packaging/meson/meson.build", "tests/suite/linking/meson/subprojects/gmon/meson.build");

    let command = Path::new(env!("CARGO_BIN_EXE_gmon")).parent().expect("a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([command].into_iter().chain(std::env::split_paths(&path)));
    let mut setup = tool(&place, "meson", &[]);
    setup.arg("setup").env("PATH", path.expect("a path without colons"));
    build_by_meson(&place, &mut setup, &place.path("tests/suite/linking/meson"));
}

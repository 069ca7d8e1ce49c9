//! The Debian package: made, put on a system, used and removed.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use super::PROGRAM;
use crate::GMON;
use support::tools;
use support::workplace::Workplace;

/// The package, made of the commands under test; none without Debian's tools.
fn package(place: &Workplace) -> Option<String> {
    tools::find("dpkg-shlibdeps")?;
    let mut make = place.command("bash");
    make.arg(support::root().join("packaging/deb")).arg(place.path("out"));
    make.env("GMON_BINARIES", Path::new(GMON).parent().expect("a folder"));
    let made = make.assert().success().stderr(is_empty());
    let path = String::from_utf8_lossy(&made.get_output().stdout).trim_end().to_owned();
    assert!(Path::new(&path).is_file(), "{path}");
    Some(path)
}

/// dpkg on a system of its own below a folder.
fn dpkg(place: &Workplace) -> Command {
    let mut dpkg = place.command("dpkg");
    dpkg.arg(format!("--root={}", place.path("system").display()));
    dpkg.args(["--log=/dev/null", "--force-not-root", "--force-depends", "--force-bad-path"]);
    dpkg
}

/// Has Debian's own checks look at it.
fn check(package: &str) {
    let Some(lintian) = tools::find("lintian") else { return };
    let check =
        Command::new(lintian).args(["--fail-on", "error", "--allow-root", package]).assert();
    check.success().stdout(contains("E: ").not());
}

#[test]
fn the_package_works_and_leaves_no_trace() {
    let place = Workplace::new();
    let Some(package) = package(&place) else { return };
    check(&package);
    let data = place.path("system/var/lib/dpkg");
    for folder in ["info", "updates", "triggers"] {
        fs::create_dir_all(data.join(folder)).expect("a folder");
    }
    fs::write(data.join("status"), "").expect("a file");
    fs::write(data.join("available"), "").expect("a file");

    dpkg(&place).arg("-i").arg(&package).assert().success();
    let installed = |path: &str| place.path(&format!("system/usr/{path}"));
    for file in [
        "bin/cargo-gmon",
        "include/gmon.h",
        "share/man/man1/gmon-run.1.gz",
        "share/bash-completion/completions/gmon",
        "share/zsh/vendor-completions/_gmon",
        "share/fish/vendor_completions.d/gmon.fish",
        "share/doc/gmon/copyright",
    ] {
        assert!(installed(file).is_file(), "{file}");
    }
    place.write("prog.c", PROGRAM);
    let mut run = place.command(installed("bin/gmon"));
    run.args(["run", "prog.c"]).assert().success().stderr(contains("work"));

    // The files by which others find the libraries say where those are once the package is there.
    let machine = fs::read_dir(installed("lib")).expect("libraries").next().expect("a folder");
    let libraries = machine.expect("a folder").path();
    let configuration = fs::read_to_string(libraries.join("pkgconfig/gmon.pc")).expect("a file");
    let below = libraries.strip_prefix(installed("")).expect("a path below it");
    let libdir = format!("prefix=/usr\nlibdir=${{prefix}}/{}\n", below.display());
    assert!(configuration.contains(&libdir), "{configuration}");

    dpkg(&place).args(["--purge", "gmon"]).assert().success();
    assert!(!installed("").exists(), "{:?}", fs::read_dir(installed("")));
}

//! `gmon install`: what lies where afterwards, and the errors when that is not possible.
//! That build systems find it there is tested with them, in `tests/suite/linking`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use support::workplace::Workplace;

/// Everything that is installed, by its path below the folder of libraries.
const LIBRARIES: [&str; 8] = [
    "cmake/gmon/gmonConfig.cmake",
    "cmake/gmon/gmonConfigVersion.cmake",
    "gmon/libgmon.so",
    "gmon/start-static-pie/gcrt1.o",
    "gmon/start-static-pie/grcrt1.o",
    "gmon/start/gcrt1.o",
    "libgmon.a",
    "pkgconfig/gmon.pc",
];

/// What is for people, by its path below the prefix: a part of it.
const SHARED: [&str; 4] = [
    "share/bash-completion/completions/gmon",
    "share/fish/vendor_completions.d/gmon.fish",
    "share/man/man1/gmon-run.1",
    "share/zsh/site-functions/_gmon",
];

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// The files below a prefix that builds need. The manual and the completions are there, too.
#[track_caller]
fn for_builds(prefix: &Path) -> Vec<PathBuf> {
    let (shared, others): (Vec<_>, _) =
        files(prefix).into_iter().partition(|file| file.starts_with(prefix.join("share")));
    for file in SHARED {
        assert!(shared.contains(&prefix.join(file)), "{file} is missing: {shared:?}");
    }
    others
}

/// What builds need below `prefix`, in order.
fn expected(prefix: &Path, libdir: &str) -> Vec<PathBuf> {
    let libraries = LIBRARIES.map(|file| prefix.join(libdir).join(file));
    let headers = ["gmon.h", "gmon.f90", "gmon_fortran.c"];
    let mut files = headers.map(|file| prefix.join("include").join(file)).to_vec();
    files.extend(libraries);
    files.sort();
    files
}

/// Runs `gmon install` and returns the paths that it prints, in order.
#[track_caller]
fn install(place: &Workplace, arguments: &str, destination: Option<&Path>) -> Vec<PathBuf> {
    let mut command = place.gmon(&format!("install {arguments}"));
    command.envs(destination.map(|folder| ("DESTDIR", folder)));
    let output = command.assert().success().stderr("").get_output().stdout.clone();
    let mut paths: Vec<_> =
        String::from_utf8(output).expect("UTF-8").lines().map(PathBuf::from).collect();
    paths.sort();
    paths
}

#[test]
fn every_file_is_in_its_place_readable_by_all_and_printed() {
    let place = Workplace::new();
    let prefix = place.path("usr");
    let printed = install(&place, "--prefix usr", None);
    assert_eq!(for_builds(&prefix), expected(&prefix, "lib"));
    assert_eq!(files(&prefix), printed);
    for file in printed {
        let mode = fs::metadata(&file).expect("a file").permissions().mode() & 0o7777;
        let is_program = file.extension().is_some_and(|suffix| suffix == "so");
        assert_eq!(mode, if is_program { 0o755 } else { 0o644 }, "{file:?}");
    }
    assert_eq!(
        fs::read(prefix.join("lib/libgmon.a")).expect("archive"),
        fs::read(place.config("--static-lib")).expect("archive"),
    );
}

#[test]
fn libraries_go_where_the_system_keeps_them() {
    let place = Workplace::new();
    let (prefix, libdir) = (place.path("usr"), "lib/x86_64-linux-gnu");
    install(&place, &format!("--prefix usr --libdir ./{libdir}"), None);
    assert_eq!(for_builds(&prefix), expected(&prefix, libdir));
    let module = fs::read_to_string(prefix.join(libdir).join("pkgconfig/gmon.pc")).expect("module");
    assert!(module.contains(&format!("prefix={}\n", prefix.display())), "{module}");
    assert!(module.contains(&format!("libdir=${{prefix}}/{libdir}\n")), "{module}");
}

#[test]
fn destdir_collects_the_files_of_a_package() {
    let place = Workplace::new();
    let root = place.path("package");
    install(&place, "--prefix /usr", Some(Path::new("package")));
    let builds = for_builds(&root.join("usr"));
    assert_eq!(builds, expected(&root.join("usr"), "lib"));
    let module = fs::read_to_string(root.join("usr/lib/pkgconfig/gmon.pc")).expect("module");
    assert!(module.contains("prefix=/usr\n"), "{module}");
    for (path, text) in builds.iter().filter_map(|p| Some((p, fs::read_to_string(p).ok()?))) {
        assert!(!text.contains("package/usr") && !text.contains('@'), "{path:?}: {text}");
    }
}

#[test]
fn what_was_there_is_replaced() {
    let place = Workplace::new();
    let archive = place.write("usr/lib/libgmon.a", "older");
    let kept = place.write("kept", "another's");
    fs::create_dir_all(place.path("usr/include")).expect("folder");
    symlink(&kept, place.path("usr/include/gmon.h")).expect("link");
    install(&place, "--prefix usr", None);
    install(&place, "--prefix usr", None);
    assert!(fs::read(archive).expect("archive").starts_with(b"!<arch>\n"));
    assert!(place.read("usr/include/gmon.h").contains("gmon_snapshot"));
    assert_eq!(place.read("kept"), "another's", "written through a link");
}

#[test]
fn what_was_installed_is_removed_again() {
    let place = Workplace::new();
    place.write("usr/lib/gmon/another", "another's");
    let installed = install(&place, "--prefix usr", None);
    assert_eq!(install(&place, "--prefix usr --uninstall", None), installed);
    assert_eq!(files(&place.path("usr")), [place.path("usr/lib/gmon/another")]);
    assert!(!place.exists("usr/lib/cmake/gmon") && place.exists("usr/lib/pkgconfig"));
    // There is nothing more.
    assert_eq!(install(&place, "--prefix usr --uninstall", None), [""; 0].map(PathBuf::from));
}

#[test]
fn what_cannot_be_written_is_reported_in_one_line() {
    let place = Workplace::new();
    place.write("file", "in the way");
    fs::create_dir_all(place.path("usr/lib/libgmon.a/in the way")).expect("folder");
    for (prefix, path) in
        [("file", "file/include/gmon.h"), ("usr", "usr/lib/libgmon.a"), ("/proc", "/proc/include")]
    {
        let command = place.gmon(&format!("install --prefix {prefix}")).assert();
        command.code(1).stdout("").stderr(
            contains("gmon: cannot install /")
                .and(contains(path))
                .and(contains("--prefix"))
                .and(contains("\n").count(1)),
        );
    }
}

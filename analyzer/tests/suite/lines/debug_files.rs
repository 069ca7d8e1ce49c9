//! Debug information outside of the program.

use std::ffi::OsString;
use std::fs;
use std::process::Command;

use super::compiled::{PROGRAM, compiled, tool};
use crate::comparison::gprof_in;
use crate::gnu;
use crate::run::{Case, Outcome};

const LINES: [&str; 3] = ["-l -C -z", "-b -l", "-A -x"];

/// What is in the reports only with debug information.
const FOUND: &str = "inline.h:4: (sum:";

/// A program with debug information in `exe.debug`, and none in itself.
fn split() -> Case {
    let case = compiled(PROGRAM, "gcc", &["-O2", "-g", "-Wl,--build-id"]);
    tool(&case, "objcopy", &["--only-keep-debug", "exe", "exe.debug"]);
    tool(&case, "objcopy", &["--strip-debug", "--add-gnu-debuglink=exe.debug", "exe"]);
    case
}

fn words(options: &str, exe: &str) -> Vec<OsString> {
    options.split(' ').chain([exe, "gmon.out"]).map(Into::into).collect()
}

/// Our report of a program that is named so in its own directory.
fn ours(case: &Case, options: &str, exe: &str) -> Outcome {
    gprof_in(case.folder(), &words(options, exe))
}

/// That of GNU gprof.
fn gnu(case: &Case, options: &str, exe: &str) -> Outcome {
    let mut gnu = Command::new("gprof");
    gnu::outcome(gnu.args(words(options, exe)).env("LC_ALL", "C").current_dir(case.folder()))
}

/// Runs commands of a shell where the program lies.
fn prepare(case: &Case, script: &str) {
    tool(case, "sh", &["-ec", script]);
}

fn has_tools(test: &str) -> bool {
    ["gcc", "objcopy", "gprof"].iter().all(|tool| gnu::has(test, tool))
}

/// How the file comes to another place, and whether it is found there. `$ID` is its name in a
/// directory of files by their numbers.
const PLACES: [(&str, bool); 21] = [
    ("", true),
    ("mkdir .debug; mv exe.debug .debug", true),
    ("mkdir other; mv exe.debug other", false),
    ("rm exe.debug", false),
    // In directories of the current one.
    ("mkdir -p $(dirname .build-id/$ID); mv exe.debug .build-id/$ID", true),
    ("mkdir -p $(dirname .debug/.build-id/$ID); mv exe.debug .debug/.build-id/$ID", true),
    ("mkdir -p $(dirname other/.build-id/$ID); mv exe.debug other/.build-id/$ID", false),
    // A file that is none, or of another program, or damaged.
    ("echo junk > exe.debug", false),
    ("echo >> exe.debug", false),
    (": > exe.debug", false),
    ("rm exe.debug; mkdir exe.debug", false),
    ("head -c 900 exe.debug > cut; mv cut exe.debug", false),
    ("mkdir .debug; cp exe.debug .debug; echo >> exe.debug", true),
    ("mkdir -p $(dirname .build-id/$ID); echo junk > .build-id/$ID", true),
    ("mkdir -p .build-id/$ID; rm exe.debug", false),
    (
        "mkdir -p $(dirname .build-id/$ID); \
         objcopy --remove-section=.note.gnu.build-id exe.debug .build-id/$ID; rm exe.debug",
        false,
    ),
    // A file that names another one is not followed, nor is a program that names itself.
    ("mv exe.debug real; objcopy --add-gnu-debuglink=real exe exe.debug", false),
    (
        "objcopy --remove-section=.gnu_debuglink exe; cp exe copy; \
         objcopy --add-gnu-debuglink=copy exe; cp exe copy",
        false,
    ),
    ("objcopy --remove-section=.gnu_debuglink exe", false),
    // Compressed.
    (
        "objcopy --compress-debug-sections=zstd exe.debug; \
         objcopy --remove-section=.gnu_debuglink exe; objcopy --add-gnu-debuglink=exe.debug exe",
        true,
    ),
    (
        "objcopy --compress-debug-sections exe.debug; \
         objcopy --remove-section=.gnu_debuglink exe; objcopy --add-gnu-debuglink=exe.debug exe",
        true,
    ),
];

#[test]
fn a_separate_file_is_found_where_gnu_gprof_finds_it() {
    if !has_tools("a_separate_file_is_found_where_gnu_gprof_finds_it") {
        return;
    }
    let program = split();
    let id = "ID=$(readelf -n exe | sed -n 's|.*Build ID: \\(..\\)|\\1/|p').debug";
    for (script, is_found) in PLACES {
        let case = Case::new(b"", b"");
        prepare(&case, &format!("cp -R {}/* .", program.folder().display()));
        prepare(&case, &format!("{id}\n{script}"));
        for options in LINES {
            let ours = ours(&case, options, "exe");
            assert_eq!(ours.stdout.contains("program.c"), is_found, "{script}: {ours:?}");
            gnu::assert_equal(script, gnu(&case, options, "exe"), ours);
        }
    }
}

#[test]
fn a_separate_file_lies_beside_the_program_or_its_other_name() {
    if !has_tools("a_separate_file_lies_beside_the_program_or_its_other_name") {
        return;
    }
    let case = split();
    prepare(&case, "mkdir bin; ln -s ../exe bin/link");
    assert!(ours(&case, LINES[0], "bin/link").stdout.contains(FOUND));
    assert!(!gnu(&case, LINES[0], "bin/link").stdout.contains("inline.h"));
    // Both find it there.
    prepare(&case, "mv exe.debug bin");
    gnu::assert_equal("link", gnu(&case, LINES[0], "bin/link"), ours(&case, LINES[0], "bin/link"));
    assert!(ours(&case, LINES[0], "bin/link").stdout.contains(FOUND));
}

#[test]
fn sections_compressed_in_the_old_way_are_read() {
    if !has_tools("sections_compressed_in_the_old_way_are_read") {
        return;
    }
    let case = compiled(PROGRAM, "gcc", &["-O2", "-gdwarf-5"]);
    let whole = ours(&case, LINES[0], "exe");
    tool(&case, "objcopy", &["--compress-debug-sections=zlib-gnu", "exe"]);
    assert_eq!(ours(&case, LINES[0], "exe"), whole);
    let gnu = gnu(&case, LINES[0], "exe");
    assert!(gnu.stderr.contains("can't find .debug_rnglists section"), "{gnu:?}");
}

#[test]
fn symbols_and_lines_come_from_a_separate_file() {
    if !has_tools("symbols_and_lines_come_from_a_separate_file") {
        return;
    }
    let case = split();
    let whole = LINES.map(|options| ours(&case, options, "exe"));
    assert!(whole[0].stdout.contains(FOUND), "{:?}", whole[0]);
    tool(&case, "strip", &["--strip-all", "exe"]);
    assert_eq!(LINES.map(|options| ours(&case, options, "exe")), whole);
    let message = "gprof: file `exe' has no symbols\n";
    assert_eq!(gnu(&case, LINES[0], "exe").stderr, message);
    // A file of another build is none.
    prepare(&case, "echo >> exe.debug");
    let outcome = ours(&case, "-b", "exe");
    assert_eq!((outcome.stderr.as_str(), outcome.status), (message, 1));
}

/// What `dwz` does to the programs `exe` and `second`, of which `whole` and `other` are copies.
const SHARED: [&str; 5] = [
    "dwz exe",
    "dwz -m common.debug -r exe second",
    "dwz -m common.debug -r exe second; mkdir .debug; mv common.debug .debug",
    "dwz -m common.debug -M $PWD/common.debug exe second",
    "dwz -m common.debug -r exe second; rm -r .debug; objcopy --only-keep-debug exe exe.debug; \
     objcopy --strip-debug --remove-section=.gnu_debugaltlink exe; \
     objcopy --add-gnu-debuglink=exe.debug exe",
];

#[test]
fn shared_debug_information_changes_no_report() {
    let test = "shared_debug_information_changes_no_report";
    if !has_tools(test) || !gnu::has(test, "dwz") {
        return;
    }
    let mut stops = 0;
    for version in ["-gdwarf-4", "-gdwarf-5"] {
        let case = compiled(PROGRAM, "gcc", &["-O2", version]);
        prepare(
            &case,
            &format!("gcc -pg -O1 {version} program.c -o other; cp exe whole; mkdir bin"),
        );
        let whole = LINES.map(|options| ours(&case, options, "exe"));
        assert!(whole[0].stdout.contains(FOUND), "{:?}", whole[0]);
        assert_eq!(LINES.map(|options| gnu(&case, options, "exe")), whole, "{version}");
        for script in SHARED {
            prepare(&case, &format!("cp whole exe; cp other second; {script}"));
            assert_eq!(
                LINES.map(|options| ours(&case, options, "exe")),
                whole,
                "{version} {script}"
            );
            let gnu = gnu(&case, LINES[0], "exe");
            stops += usize::from(gnu.stderr.contains("somebody miscounted"));
        }
    }
    assert!(stops > 5, "GNU gprof stops in {stops} cases of 10");
}

#[test]
fn information_that_is_shared_as_dwarf_5_says_is_found() {
    let test = "information_that_is_shared_as_dwarf_5_says_is_found";
    if !has_tools(test) || !gnu::has(test, "dwz") {
        return;
    }
    let case = compiled(PROGRAM, "gcc", &["-O2", "-gdwarf-5"]);
    let whole = ours(&case, LINES[0], "exe");
    assert!(whole.stdout.contains(FOUND), "{whole:?}");
    prepare(&case, "gcc -pg -O1 -gdwarf-5 program.c -o second; cp exe old; cp second older");
    prepare(&case, "dwz -5 -m common.debug exe second");
    assert_eq!(ours(&case, LINES[0], "exe"), whole);
    // One that other programs share, and one of these.
    for script in [
        "gcc -pg -O3 -gdwarf-5 program.c -o old; dwz -5 -m common.debug old older",
        "cp second common.debug",
    ] {
        prepare(&case, script);
        let ours = ours(&case, LINES[0], "exe");
        assert_eq!((ours.status, ours.stderr.as_str()), (0, ""), "{script}");
        assert!(!ours.stdout.contains(FOUND), "{script} {ours:?}");
    }
}

#[test]
fn without_shared_debug_information_lines_remain() {
    let test = "without_shared_debug_information_lines_remain";
    if !has_tools(test) || !gnu::has(test, "dwz") {
        return;
    }
    let case = compiled(PROGRAM, "gcc", &["-O2", "-gdwarf-5"]);
    prepare(&case, "gcc -pg -O1 -gdwarf-5 program.c -o second; dwz -m common.debug -r exe second");
    for script in ["rm common.debug", "echo junk > common.debug", "cp second common.debug"] {
        prepare(&case, script);
        let (ours, gnu) = (ours(&case, LINES[0], "exe"), gnu(&case, LINES[0], "exe"));
        assert_eq!((ours.status, ours.stderr.as_str()), (0, ""), "{script}");
        assert!(ours.stdout.contains("inline.h:4: (branchy:"), "{script} {ours:?}");
        assert!(!gnu.stdout.contains("inline.h:4: ("), "{script} {gnu:?}");
    }
}

#[test]
fn functions_come_from_the_files_of_split_units() {
    let test = "functions_come_from_the_files_of_split_units";
    for (compiler, version) in [("gcc", "-gdwarf-4"), ("gcc", "-gdwarf-5"), ("clang", "-gdwarf-4")]
    {
        if !gnu::has(test, compiler) || !gnu::has(test, "dwp") {
            continue;
        }
        let case = compiled(PROGRAM, compiler, &["-O2", version, "-gsplit-dwarf"]);
        let is_whole = |case: &Case| case.gprof("-l -C -z").stdout.contains("(twice:");
        assert!(is_whole(&case), "{compiler} {version}");
        let dwo = fs::read_dir(case.folder()).unwrap().map(|entry| entry.unwrap().path());
        let dwo: Vec<_> =
            dwo.filter(|path| path.extension().is_some_and(|it| it == "dwo")).collect();
        assert_eq!(dwo.len(), 1);
        if version == "-gdwarf-4" {
            tool(&case, "dwp", &["-o", "exe.dwp", dwo[0].to_str().unwrap()]);
            fs::remove_file(&dwo[0]).unwrap();
            assert!(is_whole(&case), "{compiler} {version}, packed");
            fs::remove_file(case.path("exe.dwp")).unwrap();
        } else {
            fs::remove_file(&dwo[0]).unwrap();
        }
        // The program itself has the lines, but not the functions.
        let rest = case.gprof("-l -C -z");
        assert!(!rest.stdout.contains("(twice:") && rest.stdout.contains("inline.h:"));
    }
}

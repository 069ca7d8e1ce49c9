//! Debug information outside of the program.

use std::fs;

use super::compiled::{PROGRAM, compiled, tool};
use crate::gnu;
use crate::run::{Case, Outcome};

const LINES: [&str; 3] = ["-l -C -z", "-b -l", "-A -x"];

fn reports(case: &Case) -> Vec<Outcome> {
    LINES.iter().map(|options| case.gprof(options)).collect()
}

#[test]
fn symbols_and_lines_come_from_a_separate_file() {
    let test = "symbols_and_lines_come_from_a_separate_file";
    if !gnu::has(test, "gcc") || !gnu::has(test, "objcopy") {
        return;
    }
    let case = compiled(PROGRAM, "gcc", &["-O2", "-g"]);
    let whole = reports(&case);
    assert!(whole[0].stdout.contains("inline.h:4: (sum:"), "{:?}", whole[0]);
    tool(&case, "objcopy", &["--only-keep-debug", "exe", "exe.debug"]);
    tool(&case, "objcopy", &["--strip-all", "--add-gnu-debuglink=exe.debug", "exe"]);
    assert_eq!(reports(&case), whole);
    // It can be in a folder for such files.
    fs::create_dir(case.path(".debug")).unwrap();
    fs::rename(case.path("exe.debug"), case.path(".debug/exe.debug")).unwrap();
    assert_eq!(reports(&case), whole);
    // A file of another build is none.
    let mut other = fs::read(case.path(".debug/exe.debug")).unwrap();
    other.push(0);
    fs::write(case.path(".debug/exe.debug"), other).unwrap();
    let outcome = case.gprof("-b");
    let message = format!("gprof: file `{}' has no symbols\n", case.path("exe").display());
    assert_eq!((outcome.stderr, outcome.status), (message, 1));
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
        let dwo = fs::read_dir(case.dir.path()).unwrap().map(|entry| entry.unwrap().path());
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

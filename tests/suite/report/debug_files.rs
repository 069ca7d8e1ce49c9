//! Names of stripped programs, from files that debuginfod's client fetched, and of functions with several names.

use std::fs;

use super::{SUITE, report, row, run};
use support::command::{gmon, quiet, said, text_of};

#[test]
fn what_debuginfod_fetched_gives_names() {
    let program = run("dear.c", "stacks,hz=1000");
    let path = &program.executable;
    let notes = text_of(quiet("readelf").args(["--notes", "--wide"]).arg(path));
    let id = notes.split("Build ID: ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let files = path.with_file_name("fetched");
    let file = files.join(id.expect("a build ID")).join("debuginfo");
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    text_of(quiet("objcopy").arg("--only-keep-debug").arg(path).arg(&file));
    text_of(quiet("strip").arg(path));

    assert!(!report(&program, &[]).contains("dear"));
    let mut command = gmon();
    command.arg("report").arg(path).arg(program.data()).env("DEBUGINFOD_CACHE_PATH", &files);
    let text = text_of(&mut command);
    assert_eq!(row(&text, "dear").last(), Some(&"dear"), "{text}");

    // That of another build is none of this one.
    fs::write(&file, fs::read(path).expect("a program")).expect("a file");
    text_of(quiet("objcopy").arg("--remove-section=.note.gnu.build-id").arg(&file));
    assert!(!text_of(&mut command).contains("dear"));
}

#[test]
fn of_several_names_people_see_the_public_one() {
    let program = SUITE.build("aliases.c", "default", &["-Wl,--no-as-needed", "-lm"]);
    let output = program.run(&[], &[("GMON_OPTIONS", "stacks,hz=1000")]);
    assert_eq!((output.status.success(), said(&output)), (true, String::new()), "{output:?}");
    let text = report(&program, &[]);
    assert!(row(&text, "work").contains(&"10"), "{text}");
}

//! Names of stripped programs, from files that debuginfod's client fetched, and of functions with several names.

use std::{env, fs};

use assert_cmd::prelude::*;

use super::{SUITE, report, row, run};
use support::command::{gmon, output_of, quiet, said, text_of};
use support::workplace::Workplace;

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

/// A folder with a tool, and a PATH that begins with it.
fn with_tool(name: &str, script: &str) -> (Workplace, String) {
    let place = Workplace::new();
    place.write_executable(name, script);
    let path = env::var("PATH").expect("a PATH");
    let path = format!("{}:{path}", place.folder().display());
    (place, path)
}

#[test]
fn functions_without_names_have_a_package_that_knows_them() {
    let program = run("dear.c", "stacks,hz=1000");
    text_of(quiet("strip").arg(&program.executable));
    let said = |tool: &str, script: &str| {
        let (_place, path) = with_tool(tool, script);
        let mut command = gmon();
        command.arg("report").arg(&program.executable).arg(program.data()).env("PATH", path);
        let text = text_of(&mut command);
        let line = text.lines().find(|line| line.starts_with("functions without names in "));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let line = said("dpkg-query", "#!/bin/sh\necho \"tools:amd64: $2\"\n");
    assert!(line.contains("program (") && line.contains(": install tools-dbgsym, or"), "{line}");
    let line = said("dpkg-query", "#!/bin/sh\nexit 1\n");
    assert!(line.contains(": link without -s, or"), "{line}");
}

#[test]
fn names_are_fetched_where_somebody_asks_for_it() {
    let program = run("dear.c", "stacks,hz=1000");
    let path = &program.executable;
    let debug = path.with_file_name("kept.debug");
    text_of(quiet("objcopy").arg("--only-keep-debug").arg(path).arg(&debug));
    text_of(quiet("strip").arg(path));
    let script = format!(
        "#!/bin/sh\n[ $1 = debuginfo ] || exit 2\nmkdir -p $DEBUGINFOD_CACHE_PATH/$2\ncp {} $DEBUGINFOD_CACHE_PATH/$2/debuginfo\n",
        debug.display()
    );
    let (place, tools) = with_tool("debuginfod-find", &script);
    let ask = |urls: &str, path: &str| {
        let mut command = gmon();
        command.args(["report", "--debuginfod"]).arg(&program.executable).arg(program.data());
        command.env("DEBUGINFOD_CACHE_PATH", place.path("cache"));
        command.env("DEBUGINFOD_URLS", urls).env("PATH", path);
        output_of(&mut command)
    };
    let output = ask("", &tools);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("the address of a server in DEBUGINFOD_URLS"), "{output:?}");
    let output = ask("http://localhost:1", "/nowhere");
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("install the package debuginfod"), "{output:?}");

    let output = ask("http://localhost:1", &tools);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(row(&text, "dear").last(), Some(&"dear"), "{text}");
}

/// As `pow` and `powf64` of the C library: only the name of which there are several versions has one in the file.
#[test]
fn a_version_makes_no_name_longer() {
    const LIBRARY: &str = "static volatile double sum;
        void new_spin(void) { for (int i = 0; i < 100000000; i++) sum += i * 0.5; }
        void old_spin(void) { sum = 0; }
        void spinf64(void) __attribute__((weak, alias(\"new_spin\")));
        __asm__(\".symver new_spin, spin@@LIBRARY_2\");
        __asm__(\".symver old_spin, spin@LIBRARY_1\");\n";
    let place = Workplace::new();
    place.write("wheel.c", LIBRARY);
    place.write("map", "LIBRARY_1 { local: new_spin; old_spin; }; LIBRARY_2 { spinf64; };\n");
    place.write("prog.c", "void spin(void); int main(void) { spin(); return 0; }\n");
    place.must("cc -O2 -fPIC -shared wheel.c -o libwheel.so -Wl,--version-script=map");
    place.must("cc -O2 prog.c -o prog -L. -lwheel -Wl,-rpath,$ORIGIN");
    place.gmon("run ./prog").assert().success();
    let text = text_of(&mut place.gmon("report prog"));
    assert!(text.contains(" spin [libwheel.so]") && !text.contains("spinf64"), "{text}");
}

/// Debug information names a function by one of its names, and the program calls it by the other.
#[test]
fn a_function_that_is_inlined_into_itself_is_one() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "static volatile double sum;
        double __deep(int n) {
            for (int i = 0; i < 50; i++) sum += i * 0.5;
            return n < 2 ? n : __deep(n - 1) + __deep(n - 2);
        }
        double deep(int n) __attribute__((alias(\"__deep\")));
        int main(void) { return deep(26) == 121393 ? 0 : 1; }
        ",
    );
    place.must("gcc -O3 -g prog.c -o prog");
    place.gmon("run ./prog").assert().success();
    let text = text_of(&mut place.gmon("report prog --inlines show --top 100"));
    assert!(text.contains(" deep\n") && !text.contains("__deep"), "{text}");
}

/// Some linkers give none unless they are asked, and wheels of Python bring such libraries.
#[test]
fn libraries_without_build_ids_have_names_until_somebody_changes_them() {
    const LIBRARY: &str = "static volatile double sum;
        __attribute__((noinline)) static void grind(void) { for (int i = 0; i < 1000; i++) sum += i * 0.5; }
        void turn(void) { for (int i = 0; i < 100000; i++) grind(); }\n";
    let place = Workplace::new();
    place.write("mill.c", LIBRARY);
    place.write("prog.c", "void turn(void); int main(void) { turn(); return 0; }\n");
    let library = "cc -O2 -fPIC -shared mill.c -o libmill.so -Wl,--build-id=";
    place.must(&format!("{library}none"));
    place.must("cc -O2 prog.c -o prog -L. -lmill -Wl,-rpath,$ORIGIN");
    place.gmon("run ./prog").assert().success();
    let rows = || text_of(&mut place.gmon("report prog"));
    let is_named = |text: &str| text.contains(" grind [libmill.so]");
    let text = rows();
    assert!(is_named(&text) && !text.contains("[no symbol]"), "{text}");

    // The same bytes, written again after the second in which the run began: nobody can tell that they are the same.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let file = place.path("libmill.so");
    fs::write(&file, fs::read(&file).expect("a library")).expect("a library");
    let text = rows();
    assert!(!is_named(&text) && text.contains("[no symbol] [libmill.so]"), "{text}");
    place.must(&format!("{library}sha1"));
    assert!(!is_named(&rows()), "another build");
}

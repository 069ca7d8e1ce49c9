//! Start files that compilers lack or take the wrong one of: `gmon cc`, `gmon run` and the packages
//! lead them to one that works.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use support::{
    command::{gmon, output_of, quiet, text_of},
    counts::{Counts, FunctionNames},
    tools,
};

/// A folder with a program to build.
struct Workplace(TempDir);

impl Workplace {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a temporary folder"));
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in ["tests/suite/linking/ends.c", "examples/c/counted.h"] {
            let name = Path::new(file).file_name().expect("a name").to_str().expect("UTF-8");
            fs::copy(tests.join(file), place.path(name)).expect("a copy");
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a command, words separated by white space, in the folder.
    fn run<'a>(&self, mut command: Command, line: &'a str) -> &'a str {
        text_of(command.args(line.split_whitespace()).current_dir(&self.0));
        line
    }

    /// Checks the counts of the program, which it runs.
    fn check(&self, line: &str) {
        let run = output_of(quiet(self.path("program")).arg("exit").current_dir(&self.0));
        assert!(run.status.code() == Some(3) && run.stderr.is_empty(), "{line}: {run:?}");
        let names = FunctionNames::read(&self.path("program"));
        let counts = Counts::read(&names, &self.path("gmon.out"));
        counts.are("<outside> -> main 1\nmain -> work 3");
        fs::remove_file(self.path("gmon.out")).expect("a file that can be removed");
    }

    /// A compiler as a system of musl has it: with `-pg` it asks for a `gcrt1.o` that is not there.
    fn compiler_of_musl(&self) -> PathBuf {
        let musl_gcc = tools::find("musl-gcc").expect("it was looked for");
        let script = fs::read_to_string(musl_gcc).expect("a script");
        let specs = script.split('"').find(|word| word.ends_with(".specs")).expect("specs");
        let text = fs::read_to_string(specs).expect("specs");
        let start = text.lines().find(|line| line.starts_with("%{!shared: ")).expect("start file");
        let file = start.trim_start_matches("%{!shared: ").split('}').next().expect("start file");
        let wanted = format!("%{{pg:gcrt1.o%s;:{file}}}");
        fs::write(self.path("specs"), text.replacen(file, &wanted, 1)).expect("a file");

        let compiler = self.path("x86_64-linux-musl-gcc");
        let answer = "for word; do\n\
                      [ \"$word\" != -print-file-name=gcrt1.o ] || { echo gcrt1.o; exit; }\n\
                      done";
        let call = format!("exec gcc \"$@\" -specs={}", self.path("specs").display());
        fs::write(&compiler, format!("#!/bin/sh\n{answer}\n{call}\n")).expect("a script");
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("permissions");
        compiler
    }
}

#[test]
fn a_compiler_for_musl_gets_the_one_that_it_lacks() {
    if tools::find("musl-gcc").is_none() {
        return;
    }
    let place = Workplace::new();
    let compiler = place.compiler_of_musl();
    let compiler = compiler.display();
    let link_without = format!("{compiler} -pg -O2 ends.c -o program");
    let status = quiet("sh").args(["-c", &link_without]).current_dir(&place.0).output();
    assert!(!status.expect("a shell").status.success(), "the compiler has what it should lack");

    for options in ["", "-static", "-no-pie", "-flto"] {
        place.check(place.run(gmon(), &format!("cc {compiler} -O2 {options} ends.c -o program")));
    }
    place.run(gmon(), &format!("cc {compiler} -O2 -c ends.c -o ends.o"));
    place.check(place.run(gmon(), &format!("cc {compiler} ends.o -o program")));

    let mut run = gmon();
    run.env("CC", compiler.to_string()).current_dir(&place.0);
    let run = output_of(run.args(["run", "ends.c", "--", "exit"]));
    assert_eq!(run.status.code(), Some(3), "{run:?}");
}

#[test]
fn static_position_independent_programs_get_the_right_one() {
    for compiler in ["gcc", "clang"] {
        if tools::find(compiler).is_none() {
            continue;
        }
        let place = Workplace::new();
        place.check(
            place.run(gmon(), &format!("cc {compiler} -fPIE -static-pie -O2 ends.c -o program")),
        );
        let mut run = gmon();
        run.env("CC", compiler).current_dir(&place.0);
        let run = output_of(run.args(["run", "ends.c", "-static-pie", "-fPIE", "--", "exit"]));
        assert_eq!(run.status.code(), Some(3), "{run:?}");
    }
}

//! Start files that compilers lack or take the wrong one of: `gmon cc`, `gmon run` and the packages
//! lead them to one that works.

use std::{fs, path::PathBuf};

use support::{
    command::{output_of, text_of},
    tools,
    workplace::Workplace,
};

/// A folder with a program to build.
fn workplace() -> Workplace {
    let place = Workplace::new();
    place.copy("tests/suite/linking/ends.c");
    place.copy("examples/c/counted.h");
    place
}

/// Builds the program, to which nobody has anything to say, runs it and checks its counts.
fn check(place: &Workplace, line: &str) {
    text_of(&mut place.gmon(line));
    let run = output_of(place.command("./program").arg("exit"));
    assert!(run.status.code() == Some(3) && run.stderr.is_empty(), "{line}: {run:?}");
    place.counts("program").are("<outside> -> main 1\nmain -> work 3");
    fs::remove_file(place.path("gmon.out")).expect("a file that can be removed");
}

/// A compiler as a system of musl has it: with `-pg` it asks for a `gcrt1.o` that is not there.
fn compiler_of_musl(place: &Workplace) -> PathBuf {
    let musl_gcc = tools::find("musl-gcc").expect("it was looked for");
    let script = fs::read_to_string(musl_gcc).expect("a script");
    let specs = script.split('"').find(|word| word.ends_with(".specs")).expect("specs");
    let text = fs::read_to_string(specs).expect("specs");
    let start = text.lines().find(|line| line.starts_with("%{!shared: ")).expect("start file");
    let file = start.trim_start_matches("%{!shared: ").split('}').next().expect("start file");
    let wanted = format!("%{{pg:gcrt1.o%s;:{file}}}");
    let specs = place.write("specs", text.replacen(file, &wanted, 1));

    let answer = "for word; do\n\
                  [ \"$word\" != -print-file-name=gcrt1.o ] || { echo gcrt1.o; exit; }\n\
                  done";
    let call = format!("exec gcc \"$@\" -specs={}", specs.display());
    let script = format!("#!/bin/sh\n{answer}\n{call}\n");
    place.write_executable("x86_64-linux-musl-gcc", &script)
}

#[test]
fn a_compiler_for_musl_gets_the_one_that_it_lacks() {
    if tools::find("musl-gcc").is_none() {
        return;
    }
    let place = workplace();
    let compiler = compiler_of_musl(&place);
    let compiler = compiler.display();
    let link_without = format!("{compiler} -pg -O2 ends.c -o program");
    let status = place.command("sh").args(["-c", &link_without]).output();
    assert!(!status.expect("a shell").status.success(), "the compiler has what it should lack");

    for options in ["", "-static", "-no-pie", "-flto"] {
        check(&place, &format!("cc {compiler} -O2 {options} ends.c -o program"));
    }
    text_of(&mut place.gmon(&format!("cc {compiler} -O2 -c ends.c -o ends.o")));
    check(&place, &format!("cc {compiler} ends.o -o program"));

    let mut run = place.gmon("run ends.c -- exit");
    let run = output_of(run.env("CC", compiler.to_string()));
    assert_eq!(run.status.code(), Some(3), "{run:?}");
}

#[test]
fn static_position_independent_programs_get_the_right_one() {
    for compiler in ["gcc", "clang"] {
        if tools::find(compiler).is_none() {
            continue;
        }
        let place = workplace();
        check(&place, &format!("cc {compiler} -fPIE -static-pie -O2 ends.c -o program"));
        let mut run = place.gmon("run ends.c -static-pie -fPIE -- exit");
        let run = output_of(run.env("CC", compiler));
        assert_eq!(run.status.code(), Some(3), "{run:?}");
    }
}

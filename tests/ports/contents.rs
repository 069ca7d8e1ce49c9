//! PowerPC's tables of contents: a program with more constants than one table holds has several, and a call of a hook
//! goes from one to another.

use std::fmt::Write;

use support::{
    command::{gmon, quiet, text_of},
    compilers::Compiler,
    workplace::Workplace,
};

/// Objects of which each fills a good part of a table: 8 bytes for each variable, and 64 KB in all.
const PARTS: usize = 3;
const VARIABLES: usize = 3200;

/// How often `main` calls the first part, and how deep the parts call each other.
const CALLS: usize = 3;
const DEPTH: usize = 10;

pub(crate) fn check(compiler: &Compiler) {
    let place = Workplace::new();
    let mut objects = Vec::new();
    for part in 0..PARTS {
        let (source, object) = (format!("part_{part}.c"), format!("part_{part}.o"));
        place.write(&source, text(part));
        let mut compile = quiet(compiler.c);
        compile.args(["-O1", "-pg", "-mcmodel=small", "-fno-section-anchors", "-c", &source]);
        text_of(compile.current_dir(place.folder()));
        objects.push(object);
    }
    for flags in [&["-static"][..], &[]] {
        let mut link = gmon();
        link.args(["cc", compiler.c]).args(flags).args(&objects).args(["-o", "program"]);
        text_of(link.current_dir(place.folder()));
        let program = place.path("program");
        if flags == ["-static"] {
            let names = text_of(quiet("nm").arg(&program));
            assert!(names.contains(".long_branch._mcount"), "one table is enough: {names}");
        }
        // Its status says whether all variables were found.
        text_of(compiler.target.run(&program, None).current_dir(place.folder()));
        let counts = place.counts("program");
        assert_eq!(counts.of("main", "part_0"), CALLS as u64);
        for part in 0..PARTS {
            let next = (part + 1) % PARTS;
            let called = (1..DEPTH).filter(|depth| depth % PARTS == next).count();
            let (caller, callee) = (format!("part_{part}"), format!("part_{next}"));
            assert_eq!(counts.of(&caller, &callee), (CALLS * called) as u64, "{flags:?} {callee}");
        }
    }
}

/// A part: its variables, and a function that adds up those of the next part, and has this do so, too.
fn text(part: usize) -> String {
    let next = (part + 1) % PARTS;
    let mut text = format!("long part_{next}(int);\n");
    let mut sum = String::new();
    for variable in 0..VARIABLES {
        let value = variable % 7 + part;
        _ = writeln!(text, "long v_{part}_{variable} = {value}; extern long v_{next}_{variable};");
        _ = writeln!(sum, "sum += v_{next}_{variable};");
    }
    _ = writeln!(
        text,
        "long part_{part}(int depth) {{\nlong sum = depth > 1 ? part_{next}(depth - 1) : 0;\n{sum}return sum;\n}}"
    );
    if part == 0 {
        let of = |part: usize| (0..VARIABLES).map(|variable| variable % 7 + part).sum::<usize>();
        let once: usize = (0..DEPTH).map(|level| of((level + 1) % PARTS)).sum();
        _ = writeln!(
            text,
            "int main(void) {{\nlong sum = 0;\nfor (int i = 0; i < {CALLS}; i++) sum += part_0({DEPTH});\n\
             return sum != {};\n}}",
            CALLS * once
        );
    }
    text
}

//! Programs of languages other than C: compiled by `gmon run` and by `gmon cc`, they count what each example of
//! `examples/languages` states.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use assert_cmd::prelude::*;
use predicates::str::contains;
use support::example::Example;
use support::expectation::Check;
use support::modes::MODES;
use support::report::Report;
use support::targets::HOST;
use support::tools;
use support::workplace::Workplace;

/// An example and its compilers.
struct Row {
    source: &'static str,
    /// The one that `gmon run` calls.
    compiler: &'static str,
    /// What `gmon cc` calls, with what it needs beside the source.
    calls: &'static [&'static str],
    /// Names of functions for people.
    names: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row {
        source: "heat.f90",
        compiler: "gfortran",
        calls: &["gfortran", "mpif90.mpich", "mpif90.openmpi"],
        names: &[
            "heat",
            "heat_mod::step",
            "heat_mod::step (parallel 1)",
            "heat_mod::norm",
            "finish",
        ],
    },
    Row {
        source: "towers.adb",
        compiler: "gnatmake",
        calls: &["gnatmake -q -g"],
        names: &["Towers", "Towers.Hanoi.Move", "Towers.Check", "main"],
    },
    Row {
        source: "shapes.d",
        compiler: "gdc",
        calls: &["gdc", "gdc -frelease"],
        names: &[
            "D main",
            "shapes.fib(int)",
            "shapes.Square.area() const",
            "shapes.twice!(int).twice(int)",
        ],
    },
    Row {
        source: "counter.m",
        compiler: "gcc",
        calls: &["gcc LAST -lobjc"],
        names: &["main", "+[Counter from:]", "-[Counter add:]", "-[Counter count]"],
    },
    Row { source: "sums.mod", compiler: "gm2", calls: &["gm2 -fiso"], names: &["Total", "Square"] },
    Row {
        source: "fib.go",
        compiler: "gccgo",
        calls: &["gccgo"],
        names: &["main.fib", "main.main"],
    },
];

fn example(source: &str) -> Example {
    Example::read(support::root().join("examples/languages").join(source))
}

/// Compares the profile of `a.out` in a place with what an example states.
#[track_caller]
fn compare(example: &Example, place: &Workplace, how: &str) {
    let report = place.gmon("gprof -b a.out").output().expect("gmon gprof");
    let report = Report::parse(&String::from_utf8_lossy(&report.stdout));
    let outside = MODES[0].outside(HOST);
    let check = Check { expectations: &example.expectations, printed: "", outside };
    assert_eq!(check.differences(&report), Vec::<String>::new(), "{how}");
}

fn check(source: &str) {
    let row = ROWS.iter().find(|row| row.source == source).expect("a row");
    let example = example(source);
    if tools::find(row.compiler).is_none() || !has_objective_c(row, &example.source) {
        return;
    }
    let flags = example.flags.join(" ");
    let place = Workplace::new();
    place.copy(example.source.to_str().expect("a path in UTF-8"));
    place.gmon(&format!("run {source} {flags}")).assert().success().stdout("");
    compare(&example, &place, "gmon run");
    // By call stacks, if the program ran long enough for a sample, and without.
    for _ in 0..2 {
        let output = place.gmon("report --top 1000 a.out").output().expect("gmon report");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        for name in row.names {
            let is_row = |line: &str| line.ends_with(&format!("  {name}"));
            assert!(text.lines().any(is_row), "no {name} in {text}");
        }
        fs::remove_file(place.path("gmon.out.full")).ok();
    }
    for call in row.calls {
        let (before, after) = call.split_once("LAST").unwrap_or((call, ""));
        let compiler = before.split(' ').next().unwrap_or_default();
        if tools::find(compiler).is_none() {
            continue;
        }
        let place = Workplace::new();
        place.copy(example.source.to_str().expect("a path in UTF-8"));
        let line = format!("cc {before} {flags} {source} {after} -o a.out");
        place.gmon(&line).assert().success();
        place.must("./a.out");
        compare(&example, &place, &line);
    }
}

/// gcc compiles Objective-C only with a package of its own.
fn has_objective_c(row: &Row, source: &Path) -> bool {
    if row.source != "counter.m" {
        return true;
    }
    let place = Workplace::new();
    let mut compile = place.command("gcc");
    let compiled = compile.args(["-fsyntax-only"]).arg(source).output().expect("gcc");
    if !compiled.status.success() {
        tools::skip("gcc has no Objective-C");
    }
    compiled.status.success()
}

#[test]
fn fortran_counts_what_it_states() {
    check("heat.f90");
}

#[test]
fn ada_counts_what_it_states() {
    check("towers.adb");
}

#[test]
fn d_counts_what_it_states() {
    check("shapes.d");
}

#[test]
fn objective_c_counts_what_it_states() {
    check("counter.m");
}

#[test]
fn modula_2_counts_what_it_states() {
    check("sums.mod");
}

#[test]
fn go_counts_what_it_states() {
    check("fib.go");
}

#[test]
fn fortran_leaves_nothing_but_program_and_profile() {
    if tools::find("gfortran -fopenmp").is_none() {
        return;
    }
    let place = Workplace::new();
    place.copy(example("heat.f90").source.to_str().expect("a path in UTF-8"));
    place.gmon("run --no-stacks heat.f90 -fopenmp").assert().success();
    assert_eq!(place.files(), ["a.out", "gmon.out", "heat.f90"]);
}

#[test]
fn languages_of_one_program_go_to_the_compiler_that_takes_them() {
    if tools::find("gfortran").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write(
        "main.f90",
        "program main\n interface\n integer(4) function part(x) bind(c)\n integer(4), value :: x\n end \
         function\n end interface\n if (part(2) /= 6) stop 1\nend program\n",
    );
    place.write(
        "part.cpp",
        "#include <string>\nextern \"C\" int twice(int);\n\
         extern \"C\" int part(int n) { return std::string(twice(n), 'x').size() + 2; }\n",
    );
    place.write("twice.c", "int twice(int new) { return 2 * new; }\n");
    place.gmon("run main.f90 part.cpp twice.c -O0").assert().success();
    assert_eq!((place.calls("a.out", "part"), place.calls("a.out", "twice")), (1, 1));
    place.write("other.d", "module other;\n");
    let run = place.gmon("run main.f90 other.d").assert().code(1);
    run.stderr(contains("gmon: D and Fortran do not go together here: compile each with gmon cc"));
}

/// A folder `bin` with links to these tools alone.
fn only(place: &Workplace, tools: &[&str]) -> Option<PathBuf> {
    let folder = place.path("bin");
    fs::create_dir(&folder).expect("a folder");
    for tool in tools {
        symlink(tools::find(tool)?, folder.join(tool)).expect("a link");
    }
    Some(folder)
}

/// It knows no `-pg`, but hooks of another name.
#[test]
fn d_is_compiled_by_ldc_where_there_is_no_gdc() {
    let example = example("shapes.d");
    let place = Workplace::new();
    let Some(folder) = only(&place, &["ldc2", "cc", "as", "ld"]) else { return };
    place.copy(example.source.to_str().expect("a path in UTF-8"));
    let run = |line: &str| {
        let mut run = place.gmon(line);
        run.env("PATH", &folder).env_remove("DC");
        run
    };
    run("run shapes.d -O0").assert().success().stdout("");
    // If it ran long enough for a sample, there are stacks, too.
    let files = place.files();
    let files: Vec<_> = files.iter().filter(|name| *name != "gmon.out.full").collect();
    assert_eq!(files, ["a.out", "bin", "gmon.out", "shapes.d"]);
    compare(&example, &place, "gmon run");
    let report = place.gmon("report --top 1000 a.out").output().expect("gmon report");
    let text = String::from_utf8(report.stdout).expect("UTF-8");
    for name in ["D main", "shapes.fib(int)", "shapes.Square.area() const"] {
        assert!(text.lines().any(|line| line.ends_with(&format!("  {name}"))), "{name}: {text}");
    }

    run("cc ldc2 -c -O0 -g shapes.d -of=shapes.o").assert().success();
    run("cc ldc2 shapes.o -of=a.out").assert().success();
    place.must("./a.out");
    compare(&example, &place, "gmon cc ldc2");

    let blocks = run("run --blocks shapes.d").assert().code(1);
    blocks.stderr(contains("gmon: ldc2 cannot count blocks: install gdc"));
    place.write("part.c", "int part(void) { return 1; }\n");
    let both = run("run shapes.d part.c").assert().code(1);
    both.stderr(contains("gmon: ldc2 cannot compile C as well: install gdc"));
}

#[test]
fn compilers_of_d_are_named_where_there_is_none() {
    let place = Workplace::new();
    let folder = only(&place, &[]).expect("a folder");
    place.write("x.d", "void main() {}\n");
    let run = place.gmon("run x.d").env("PATH", folder).env_remove("DC").assert().code(1);
    run.stderr(contains("gmon: cannot run the compiler gdc (install it or ldc2, or set DC): "));
}

#[test]
fn a_compiler_that_is_missing_is_named_with_its_variable() {
    let place = Workplace::new();
    place.write("heat.f90", "end\n");
    let run = place.gmon("run heat.f90").env("FC", "no-such-fc").assert().code(1);
    run.stderr(contains("gmon: cannot run the compiler no-such-fc (install it, or set FC): "));
}

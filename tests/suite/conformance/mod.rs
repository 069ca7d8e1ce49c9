//! Programs of real size, in which every command line must give the output of GNU gprof, byte for
//! byte: SQLite, Lua, one of C++ and one of Rust. What random programs can show is in the tests of
//! the analyzer.

mod command_lines;
mod comparison;
mod counts;
mod gprof2dot;
pub(crate) mod programs;
mod upstream;

use command_lines::{BY_FUNCTION, BY_LINE};
use comparison::compare;
use support::{compilers::GCC, tools};

#[test]
fn sqlite_has_the_output_of_gnu_gprof() {
    let Some(program) = programs::sqlite() else { return };
    let folder = programs::run(program, &["200000"], "200000|");
    let names = [
        ("caller", "sqlite3_step"),
        ("callee", "sqlite3VdbeExec"),
        ("file", "sqlite3.c"),
        ("line", "90000"),
    ];
    // By line, GNU gprof takes minutes for it.
    let lines = tools::some(BY_FUNCTION, (1, 3), "command lines of gprof");
    compare(&programs::subject(program, &folder, names), lines.copied());
}

#[test]
fn lua_has_the_output_of_gnu_gprof() {
    let program = programs::lua();
    let folder = programs::run(&program, &[], "75025 ");
    let names =
        [("caller", "luaD_precall"), ("callee", "precallC"), ("file", "ldo.c"), ("line", "480")];
    // By line, GNU gprof takes long for it, too.
    let lists = tools::representatives(&[BY_FUNCTION, BY_LINE], 1, "lists of command lines");
    let lines = lists.concat();
    let lines = tools::some(&lines, (0, 3), "command lines of gprof");
    compare(&programs::subject(&program, &folder, names), lines.copied());
}

/// Functions of the program of C++ to ask for.
const SHAPES: [(&str, &str); 4] = [
    ("caller", "main"),
    ("callee", "_ZN12_GLOBAL__N_15riskyEi"),
    ("file", "shapes.cc"),
    ("line", "70"),
];

#[test]
fn a_program_of_cpp_has_the_output_of_gnu_gprof() {
    let builds = [
        // By line, GNU gprof gives up: "somebody miscounted".
        ("shapes", GCC.cxx, "-O2", BY_FUNCTION),
        ("shapes.O0", GCC.cxx, "-O0", BY_LINE),
        ("shapes.clang", "clang++", "-O2", BY_LINE),
    ];
    for &(name, compiler, flags, lines) in tools::representatives(&builds, 1, "builds") {
        if tools::find(compiler).is_some() {
            let program = programs::shapes(name, compiler, &[flags]);
            let folder = programs::run(&program, &[], "");
            compare(&programs::subject(&program, &folder, SHAPES), lines.iter().copied());
        }
    }
}

#[test]
fn a_program_of_rust_has_the_output_of_gnu_gprof() {
    let program = programs::words();
    let folder = programs::run(program, &[], "");
    let names = [
        ("caller", "sum_of_fibonacci"),
        ("callee", "fibonacci"),
        ("file", "words.rs"),
        ("line", "30"),
    ];
    // By line, GNU gprof takes minutes for it.
    let lines = tools::some(BY_FUNCTION, (1, 3), "command lines of gprof");
    compare(&programs::subject(program, &folder, names), lines.copied());
}

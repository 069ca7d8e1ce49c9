//! Programs of real size, in which every command line must give the output of GNU gprof, byte for
//! byte: SQLite, Lua, one of C++ and one of Rust. What random programs can show is in the tests of
//! the analyzer.

#[path = "../support/mod.rs"]
mod support;

mod command_lines;
mod comparison;
mod counts;
mod gprof2dot;
mod programs;

use command_lines::{BY_FUNCTION, BY_LINE};
use comparison::compare;

#[test]
fn sqlite_has_the_output_of_gnu_gprof() {
    let folder = programs::run(programs::sqlite(), &["200000"], "200000|");
    let names = [
        ("caller", "sqlite3_step"),
        ("callee", "sqlite3VdbeExec"),
        ("file", "sqlite3.c"),
        ("line", "90000"),
    ];
    // By line, GNU gprof takes minutes for it.
    compare(&programs::subject(programs::sqlite(), &folder, names), BY_FUNCTION.iter().copied());
}

#[test]
fn lua_has_the_output_of_gnu_gprof() {
    let program = programs::lua();
    let folder = programs::run(&program, &[], "75025 ");
    let names =
        [("caller", "luaD_precall"), ("callee", "precallC"), ("file", "ldo.c"), ("line", "480")];
    let lines = BY_FUNCTION.iter().chain(BY_LINE).copied();
    compare(&programs::subject(&program, &folder, names), lines);
}

#[test]
fn a_program_of_cpp_has_the_output_of_gnu_gprof() {
    let program = programs::shapes();
    let folder = programs::run(&program, &[], "");
    let names = [
        ("caller", "main"),
        ("callee", "_ZN12_GLOBAL__N_15riskyEi"),
        ("file", "shapes.cc"),
        ("line", "70"),
    ];
    // By line, GNU gprof gives up: "somebody miscounted".
    compare(&programs::subject(&program, &folder, names), BY_FUNCTION.iter().copied());
}

#[test]
fn a_program_of_rust_has_the_output_of_gnu_gprof() {
    let program = programs::words();
    let folder = programs::run(&program, &[], "");
    let names = [
        ("caller", "sum_of_fibonacci"),
        ("callee", "fibonacci"),
        ("file", "words.rs"),
        ("line", "30"),
    ];
    // By line, GNU gprof takes minutes for it.
    compare(&programs::subject(&program, &folder, names), BY_FUNCTION.iter().copied());
}

//! Programs compiled with `gcc -pg` and run with the C library's own runtime.

use std::path::Path;
use std::process::Command;

use super::gnu;
use super::run::Case;

/// Recursion, a cycle, static functions, pointers to functions.
const C_PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sink;
static void spin(unsigned n) { for (unsigned i = 0; i < n * 1000; i++) sink += i; }

int even(int n);
int odd(int n) { spin(1); return n == 0 ? 0 : even(n - 1); }
int even(int n) { spin(2); return n == 0 ? 1 : odd(n - 1); }

static unsigned factorial(unsigned n) { spin(1); return n < 2 ? 1 : n * factorial(n - 1); }
static void leaf_a(void) { spin(3); }
static void leaf_b(void) { spin(5); }
static int ascending(const void *a, const void *b) { spin(1); return *(const int *)a - *(const int *)b; }

int main(void) {
    void (*leaves[])(void) = {leaf_a, leaf_b};
    int numbers[200];
    for (int i = 0; i < 200; i++) { leaves[i % 2](); numbers[i] = i * 7919 % 199; }
    qsort(numbers, 200, sizeof numbers[0], ascending);
    for (int i = 0; i < 50; i++) { sink += even(20) + factorial(10); }
    printf("%d\n", numbers[0]);
    return 0;
}
"#;

/// Compiles a program, runs it in its directory, and compares all reports with GNU gprof's.
fn compare(test: &str, compiler: &str, extension: &str, source: &str, flags: &[&str]) {
    if !gnu::is_here(test) || !gnu::has(test, compiler) {
        return;
    }
    let case = Case::new(b"", b"");
    let source = case.file(&format!("program.{extension}"), source.as_bytes());
    let compile = Command::new(compiler)
        .args(["-pg", "-o"])
        .arg(case.path("exe"))
        .args(flags)
        .arg(&source)
        .status()
        .unwrap();
    assert!(compile.success(), "{compiler} {flags:?}");
    run(&case.path("exe"), case.dir.path());
    for options in ["-b", "-b -p", "-b -q"] {
        gnu::assert_same(&format!("{compiler} {flags:?}"), &case.words(options));
    }
}

fn run(exe: &Path, dir: &Path) {
    let run = Command::new(exe).current_dir(dir).env_remove("GMON_OUT_PREFIX").output().unwrap();
    assert!(run.status.success() || run.status.code() == Some(1), "{run:?}");
}

#[test]
fn a_c_program_has_the_reports_of_gnu_gprof() {
    let test = "a_c_program_has_the_reports_of_gnu_gprof";
    // Copies of functions (`f.constprop.0`) are switched off: whether GNU gprof takes such a symbol
    // depends on the name that happens to follow it in the string table.
    for flags in [
        &["-O0"][..],
        &["-O1", "-g"],
        &["-O2", "-g3", "-gdwarf-2", "-gstrict-dwarf"],
        &["-O2", "-gdwarf-3", "-no-pie"],
        &["-O2", "-gdwarf-4", "-static-libgcc"],
        &["-O2", "-gdwarf-5", "-gz"],
        &["-Os", "-g", "-ffunction-sections", "-Wl,--gc-sections"],
    ] {
        compare(test, "gcc", "c", C_PROGRAM, &[flags, &["-fno-ipa-cp"]].concat());
    }
}

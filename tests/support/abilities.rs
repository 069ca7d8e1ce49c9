//! Trials that tools have to pass. A tool counts as present only if it does what tests ask of it: compilers, linkers
//! and viewers come without libraries that are packages of their own.

/// Tools and their trials; `*` stands for any part of a name, and the first row that fits counts.
///
/// `sh -e` runs the trial in a folder with the [`SOURCES`]. `$TOOL` is the tool's path, `$NAME` its name, `$FLAGS` the
/// flags that tests need, and `$KEPT` a folder that stays from one run of the tests to the next.
const TRIALS: &[(&str, &str)] = &[
    ("gcc", "$TOOL $FLAGS main.c && ./a.out"),
    ("clang", "$TOOL $FLAGS main.c && ./a.out"),
    ("musl-gcc", "$TOOL $FLAGS main.c && ./a.out"),
    ("g++", "$TOOL $FLAGS main.cc && ./a.out"),
    ("c++", "$TOOL $FLAGS main.cc && ./a.out"),
    ("clang++", "$TOOL $FLAGS main.cc && ./a.out"),
    ("gfortran", "$TOOL $FLAGS main.f90 && ./a.out"),
    ("gnatmake", "$TOOL -q main.adb && ./main"),
    ("gdc", "$TOOL main.d && ./a.out"),
    ("ldc2", "$TOOL main.d && ./main"),
    ("gccgo", "$TOOL main.go && ./a.out"),
    ("gm2", "$TOOL -fiso main.mod && ./a.out"),
    ("mpicc*", "$TOOL main.c"),
    ("mpif90*", "$TOOL main.f90"),
    // A machine without a system may have no C library.
    ("*-eabi-gcc", "$TOOL -c main.c"),
    ("*-elf-gcc", "$TOOL -c main.c"),
    ("*-gcc", "$TOOL main.c"),
    ("*-g++", "$TOOL main.cc"),
    ("ld.*", "gcc -fuse-ld=${NAME#ld.} main.c && ./a.out"),
    (
        "chromium",
        "$TOOL --headless --no-sandbox --disable-gpu --user-data-dir=user --dump-dom about:blank",
    ),
    // It tells its version on the way to an error.
    ("callgrind_annotate", "$TOOL --version 2>&1 | grep callgrind_annotate"),
    ("dot", "echo 'digraph { a -> b }' | $TOOL -Tsvg"),
    ("go", "GOCACHE=$KEPT/go-cache GOTELEMETRY=off $TOOL tool pprof -help 2>&1 | grep -e -traces"),
    ("gprof2dot", "$TOOL --help"),
    ("inferno-flamegraph", "$TOOL --help"),
    ("java", "$TOOL -version"),
    ("luajit", "$TOOL -v"),
    ("llvm-profdata", "$TOOL merge --help"),
    ("mandoc", "echo .Dd | $TOOL"),
    ("script", "$TOOL -qec true typescript"),
    ("sqlite3", "$TOOL -version"),
    ("tmux", "$TOOL -S socket -f /dev/null new-session -d true"),
    ("unshare", "$TOOL $FLAGS mount -t tmpfs none /mnt"),
    ("valgrind", "$TOOL --quiet true && $TOOL --quiet --tool=callgrind true"),
    // Others are whole if they start.
    ("*", "$TOOL --version"),
];

/// What trials compile.
pub(super) const SOURCES: &[(&str, &str)] = &[
    ("main.c", MAIN_C),
    ("main.cc", "#include <string>\nint main() { return std::string(1, 'x').size() - 1; }\n"),
    ("main.f90", "program main\nprint *, 'Hello'\nend program\n"),
    (
        "main.adb",
        "with Ada.Text_IO;\nprocedure Main is begin Ada.Text_IO.Put_Line (\"Hello\"); end Main;\n",
    ),
    ("main.d", "import std.stdio;\nvoid main() { writeln(\"Hello\"); }\n"),
    ("main.go", "package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"Hello\") }\n"),
    ("main.mod", "MODULE main;\nBEGIN\nEND main.\n"),
];

/// A program in C, with OpenMP and in Objective-C, too.
const MAIN_C: &str = "\
#ifdef __OBJC__
#include <objc/objc.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads(void) { return 1; }
#endif
int main(void) { return omp_get_max_threads() < 1; }
";

/// The trial for a tool.
pub(super) fn trial(name: &str) -> &'static str {
    let fits = |pattern: &str| match pattern.split_once('*') {
        Some((before, after)) => {
            name.len() >= pattern.len() - 1 && name.starts_with(before) && name.ends_with(after)
        }
        None => name == pattern,
    };
    let row = TRIALS.iter().find(|(pattern, _)| fits(pattern));
    row.expect("a last row that fits everything").1
}

#[test]
fn the_first_row_that_fits_counts() {
    let trials = ["clang", "arm-none-eabi-gcc", "i686-linux-gnu-gcc", "ld.lld", "jq"].map(trial);
    let starts = [
        "$TOOL $FLAGS main.c &",
        "$TOOL -c main.c",
        "$TOOL main.c",
        "gcc -fuse-ld",
        "$TOOL --version",
    ];
    assert!(trials.iter().zip(starts).all(|(trial, start)| trial.starts_with(start)), "{trials:?}");
}

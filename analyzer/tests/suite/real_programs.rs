//! Programs compiled with `gcc -pg` and run with the C library's own runtime.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::gnu;
use super::run::Case;
use support::common_ground::common_ground;

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

/// Templates, overloads, lambdas, exceptions, anonymous namespaces.
const CPP_PROGRAM: &str = r#"
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {
template <typename T, unsigned N> struct Grid {
    T cells[N] = {};
    T sum(T (*f)(const T &)) const {
        T total{};
        for (const T &cell : cells) total += f(cell);
        return total;
    }
    Grid &operator+=(const T &value) { for (T &cell : cells) cell += value; return *this; }
};
class Shape {
public:
    virtual ~Shape() {}
    virtual double area() const = 0;
};
class Square : public Shape {
    double side;
public:
    explicit Square(double s) : side(s) {}
    double area() const override { return side * side; }
};
}

namespace {
long square(const long &x) { return x * x; }
bool starts(const std::string &text, char c) { return !text.empty() && text[0] == c; }
}

template <typename... Args> int count(Args &&...) { return sizeof...(Args); }

static int risky(int n) {
    if (n % 3 == 0) throw std::runtime_error("three");
    return n;
}

int main() {
    shapes::Grid<long, 8u> grid;
    std::map<std::string, std::vector<int>> table;
    std::function<int(int, const std::string &)> weigh = [&](int n, const std::string &s) {
        return n + static_cast<int>(s.size());
    };
    long total = 0;
    for (int i = 0; i < 3000; i++) {
        grid += i;
        total += grid.sum(square);
        table["key" + std::to_string(i % 50)].emplace_back(i);
        total += weigh(i, "four") + count(i, "x", 2.0, std::string("y"));
        try { total += risky(i); } catch (const std::exception &e) { total -= e.what()[0]; }
    }
    for (auto &entry : table) {
        std::sort(entry.second.begin(), entry.second.end(), [](int a, int b) { return a > b; });
        total += std::accumulate(entry.second.begin(), entry.second.end(), 0L);
        total += starts(entry.first, 'k');
    }
    shapes::Shape *shape = new shapes::Square(2.0);
    total += static_cast<long>(shape->area());
    delete shape;
    return total == 42;
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
    run(&case.path("exe"), case.folder());
    let exe = common_ground(&fs::read(case.path("exe")).unwrap()).expect("symbols");
    case.file("exe", &exe);
    for options in ["-b", "-b -z", "-b -T", "-b -q -a -w132"] {
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
    for flags in [
        &["-O0"][..],
        &["-O1", "-g"],
        &["-O2", "-g3", "-gdwarf-2", "-gstrict-dwarf"],
        &["-O2", "-gdwarf-3", "-no-pie"],
        &["-O2", "-gdwarf-4", "-static"],
        &["-O2", "-gdwarf-5", "-gz"],
        &["-Os", "-g", "-ffunction-sections", "-Wl,--gc-sections"],
    ] {
        compare(test, "gcc", "c", C_PROGRAM, flags);
    }
}

#[test]
fn a_cpp_program_has_the_reports_of_gnu_gprof() {
    let test = "a_cpp_program_has_the_reports_of_gnu_gprof";
    for flags in [&["-O0", "-g"][..], &["-O1"], &["-O2", "-std=c++20"]] {
        compare(test, "g++", "cc", CPP_PROGRAM, flags);
    }
}

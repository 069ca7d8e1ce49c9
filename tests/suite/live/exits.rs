//! Exits of functions that sleep: what `gmon cc --dormant` leaves of them in programs and in shared libraries.

use std::collections::BTreeSet;

use assert_cmd::prelude::*;
use predicates::str::contains;

use support::{
    command::{quiet, text_of},
    tools,
    workplace::Workplace,
};

/// Its functions return in the middle, at the end, by a tail call and by way of an exception.
const PROGRAM: &str = r#"
#include <cstdio>
#define COUNTED __attribute__((noipa))

extern "C" int of_library(int);
COUNTED static int leaf(int n) { return n + 1; }
COUNTED static int tail(int n) { return leaf(n * 2); }
COUNTED static int middle(int n) { if (n > 5) return tail(n); return leaf(n) - of_library(n); }
COUNTED static void thrower(int n) { if (n == 3) throw n; }

int main()
{
    int sum = 0;

    for (int n = 0; n < 10; n++) {
        sum += middle(n);
        try {
            thrower(n);
        } catch (int caught) {
            sum += caught;
        }
    }
    std::printf("%d\n", sum);
}
"#;

const LIBRARY: &str = "static __attribute__((noipa)) int square(int n) { return n * n; }\n\
                       int of_library(int n) { return n == 4 ? 7 : square(n) + 1; }\n";

/// The line that `main` prints.
const SUM: &str = "37\n";

/// Ways to compile and link.
const WAYS: [&str; 6] = [
    "-O2",
    "-O0",
    "-O3 -flto",
    "-O2 -fcf-protection=full",
    "-O2 -no-pie -fno-pie",
    "-O2 -Wl,-z,now",
];

#[test]
fn each_exit_of_programs_and_libraries_is_a_plain_return() {
    if tools::find("g++").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write("prog.cc", PROGRAM);
    place.write("library.c", LIBRARY);
    let build = |words: &str| place.gmon(words).assert().success().stdout("").stderr("");
    for way in WAYS {
        build(&format!("cc --dormant gcc {way} -fPIC -shared library.c -o library.so"));
        build(&format!("cc --dormant g++ {way} prog.cc ./library.so -o prog"));
        for (file, function) in [("prog", "leaf"), ("library.so", "square")] {
            let listing =
                text_of(quiet("objdump").args(["-d", "--no-show-raw-insn"]).arg(place.path(file)));
            let jumps = listing
                .lines()
                .filter(|line| line.contains("<__x86_return_thunk>") && line.contains("jmp"));
            assert_eq!(jumps.collect::<Vec<_>>(), [""; 0], "{way}: {file}");
            let begin = listing
                .lines()
                .skip_while(|line| !(line.contains(function) && line.ends_with(":")));
            let body: BTreeSet<_> = begin
                .take_while(|line| !line.is_empty())
                .filter_map(|line| line.split_whitespace().nth(1))
                .collect();
            assert!(body.contains("ret"), "{way}: {file}: {body:?}");
        }
        place.command("./prog").assert().success().stdout(SUM).stderr("");
        let mut awake = place.command("./prog");
        awake.env("GMON_OPTIONS", "hooks=*").assert().success().stdout(SUM).stderr("");
        let counts = place.counts("prog");
        let calls = ["_ZL4leafi", "_ZL4taili", "_ZL6middlei", "_ZL7throweri"]
            .map(|name| counts.calls(name));
        assert_eq!(calls, [10, 4, 10, 10], "{way}");
    }
}

/// A library that was built so runs in a program that knows nothing of us, stripped or joined of objects, too.
#[test]
fn libraries_return_in_programs_without_a_runtime() {
    if tools::find("g++").is_none() {
        return;
    }
    let place = Workplace::new();
    place.write("prog.cc", PROGRAM);
    place.write("library.c", LIBRARY);
    for steps in [
        &[
            "cc --dormant gcc -O2 -fPIC -c library.c",
            "cc --dormant gcc -shared library.o -o library.so",
        ][..],
        &["cc --dormant gcc -O2 -fPIC -shared -s library.c -o library.so"],
        &[
            "cc --dormant gcc -O2 -fPIC -c library.c",
            "cc --dormant gcc -r library.o -o joined.o",
            "cc --dormant g++ -Wl,-shared joined.o -o library.so",
        ],
    ] {
        for step in steps {
            place.gmon(step).assert().success().stdout("").stderr("");
        }
        place.must("g++ -O2 prog.cc ./library.so -o plain");
        place.command("./plain").assert().success().stdout(SUM).stderr("");
    }
}

/// A compiler that does not let exits sleep makes programs as before.
#[test]
fn exits_stay_as_they_are_where_they_cannot_sleep() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 3; }\n");
    for options in ["-mcmodel=large", "-mfunction-return=keep", "-O2"] {
        let mut cc = place.gmon("cc --dormant gcc prog.c -o prog");
        cc.arg(options).assert().success().stdout("").stderr("");
        place.command("./prog").assert().code(3);
        let doctor = place.gmon("doctor ./prog").output().expect("gmon doctor");
        let said = String::from_utf8_lossy(&doctor.stdout).replace("\n          ", " ");
        let can = options == "-O2";
        assert_eq!(said.contains("can be timed (--times)"), can, "{options}: {said}");
        assert_eq!(said.contains("cannot be timed"), !can, "{options}: {said}");
    }
    let mut cc = place.gmon("cc --dormant gcc missing.o -shared -o x.so");
    cc.assert().code(1).stderr(contains("missing.o"));
}

//! Times of calls in programs whose functions call hooks at both ends.

use serde_json::Value;
use support::{
    command::{said, text_of},
    compilers::{COMPILERS, GCC},
    modes::OTHER_HOOKS,
    tools,
    workplace::Workplace,
};

use super::{MODES, Mode};
use crate::live::steered::Running;
use crate::live::times::{run, times_are_the_programs_own};

const HOOKS: &[&str] = &["-finstrument-functions"];

/// Every call that ends is timed, however others end; counts stay exact. gcc calls the hook for exceptions, too.
#[test]
fn calls_that_end_are_timed_and_others_are_not() {
    for compiler in COMPILERS.iter().filter(|it| ["gcc", "clang"].contains(&it.name)) {
        if tools::find(compiler.cxx).is_none() {
            continue;
        }
        let modes = MODES.iter().filter(|mode| OTHER_HOOKS.contains(&mode.name));
        for mode in modes.filter(|mode| mode.suits(compiler)) {
            let (name, mode) = (mode.name, Mode { hooks: HOOKS, ..*mode });
            let program = crate::live::SUITE.build_by(compiler, "times.cc", &mode, &["-pthread"]);
            let times = run(&program, "all");
            let counts = program.counts("gmon.out");
            let thrown = if compiler.name == "gcc" { (100, 0) } else { (50, 50) };
            let of_exceptions = ["one", "two", "three", "four", "five"].map(|it| (it, thrown));
            let others = [
                ("tail", (1000, 0)),
                ("nested", (600 + 500 + 4 * 400, 0)),
                ("jumps", (50, 50)),
                ("jumps_from", (50, 50)),
                ("handler", (0, 100)),
                ("forks", (10, 0)),
                ("vforks", (10, 0)),
            ];
            for (function, (timed, without_end)) in of_exceptions.into_iter().chain(others) {
                let what = format!("{} {name}: {function}", compiler.name);
                let it = times.get(function).unwrap_or_else(|| panic!("{what} is missing"));
                assert_eq!((it.timed, it.calls()), (timed, timed), "{what}");
                // The last may still be there at the end.
                let lost = [without_end, u64::max(without_end, 1) - 1];
                assert!(lost.contains(&it.without_end), "{what}: {}", it.without_end);
                assert_eq!(counts.calls(function), timed + without_end, "{what}");
            }
            assert_eq!(times["step"].timed, 99, "{name}");
            let leaf = &times["leaf"];
            assert_eq!((leaf.timed, leaf.without_end), (counts.calls("leaf"), 0), "{name}");
            assert!(leaf.longest_ns <= leaf.total_ns, "{name}");
        }
    }
}

#[test]
fn times_are_those_that_the_program_measures() {
    if tools::find("g++").is_none() {
        return;
    }
    let mode = MODES.iter().find(|mode| mode.name == OTHER_HOOKS[0]).expect("a mode");
    let mode = Mode { hooks: HOOKS, ..*mode };
    let program = crate::live::SUITE.build_by(GCC, "times.cc", &mode, &["-pthread"]);
    times_are_the_programs_own(&program);
}

/// Calls that share a frame, whose frames grow, that are jumped out of, and that are deeper than there is room for.
const PROGRAM: &str = r#"
    #include <alloca.h>
    #include <setjmp.h>
    #include <string.h>
    #include <time.h>
    #define APART __attribute__((noinline))
    volatile unsigned sink;
    jmp_buf back;
    static inline __attribute__((always_inline)) void inlined(void) { sink++; }
    static inline __attribute__((always_inline)) void leaves(int n) { if (n & 1) longjmp(back, 1); sink++; }
    APART void apart(void) { inlined(); inlined(); }
    APART void grows(int n) { char *more = alloca(16 * n + 16); memset(more, n, 16 * n + 16); if (n) grows(n - 1); sink += more[n]; }
    APART void jumps(int n) { leaves(n); inlined(); leaves(n + (n & 2) / 2); }
    APART int many(int a, int b, int c, int d, int e, int f, int g, int h, int i) { return a + b + c + d + e + f + g + h + i + sink; }
    APART void stack(int n) { many(n, n, n, n, n, n, n, n, n); inlined(); many(n, n, n, n, n, n, n, n, many(n, n, n, n, n, n, n, n, n)); }
    APART int deep(int n) { return n ? deep(n - 1) + 1 : 0; }
    __attribute__((no_instrument_function)) APART void hidden(void) { inlined(); }
    int main(void) {
        for (int i = 0; i < 500; i++) apart(), hidden();
        for (int i = 0; i < 100; i++) grows(7);
        for (volatile int i = 0; i < 400; i++) if (!setjmp(back)) jumps(i);
        for (int i = 0; i < 200; i++) stack(i);
        if (deep(4095) != 4095) return 1;
        for (clock_t end = clock() + CLOCKS_PER_SEC / 20; clock() < end;) sink++;
        return 0;
    }
"#;

#[test]
fn programs_of_gmon_cc_are_timed() {
    for compiler in ["gcc -O0", "gcc -O2", "gcc -O2 -flto", "clang -O0", "clang -O2"] {
        let name = compiler.split(' ').next().expect("a name");
        if tools::find(name).is_none() {
            continue;
        }
        let place = Workplace::new();
        place.write("prog.c", PROGRAM);
        text_of(&mut place.gmon(&format!("cc --times {compiler} -c prog.c")));
        text_of(&mut place.gmon(&format!("cc --times {compiler} prog.o -o prog")));
        let run = place.gmon("run --times * ./prog").output().expect("gmon");
        assert!(run.status.success(), "{compiler}: {}", said(&run));
        let text = text_of(&mut place.gmon("export --format json ./prog"));
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let functions = document["functions"].as_array().expect("functions");
        let of = |name: &str| {
            let id = functions.iter().position(|it| it["name"] == name).expect("a function");
            let times = document["call_times"].as_array().expect("times").iter();
            let times = times.filter(|it| it["function"] == id).map(|it| &it["times"]);
            let add = |sum: [u64; 2], it: &Value| {
                [
                    sum[0] + it["timed"].as_u64().unwrap_or(0),
                    sum[1] + it["without_end"].as_u64().unwrap_or(0),
                ]
            };
            (functions[id]["calls"].as_u64(), times.fold([0, 0], add))
        };
        // Of 400 calls 100 have even numbers whose second digit is 0, too: all others are left.
        for (function, calls, ends) in [
            ("apart", 500, [500, 0]),
            ("grows", 800, [800, 0]),
            ("stack", 200, [200, 0]),
            ("many", 600, [600, 0]),
            ("jumps", 400, [100, 300]),
            ("leaves", 600, [300, 300]),
            // With the last there is no room, so all others are given up.
            ("deep", 4096, [1, 4095]),
            ("main", 1, [0, 1]),
            ("inlined", 1000 + 500 + 200 + 200, [1900, 0]),
        ] {
            assert_eq!(of(function), (Some(calls), ends), "{compiler}: {function}");
        }
    }
}

#[test]
fn calls_are_timed_while_the_program_runs() {
    let mode = MODES.iter().find(|mode| mode.name == OTHER_HOOKS[0]).expect("a mode");
    let mode = Mode { hooks: HOOKS, ..*mode };
    let program = crate::live::SUITE.build_by(GCC, "steered.c", &mode, &["-pthread"]);
    let running = Running::start(&program, 2, ",stacks");
    running.must("on --times work");
    running.must("off --times work");
    let refused = running.ctl("on --hooks work").output().expect("gmon");
    assert!(said(&refused).contains("was not built with --dormant"), "{refused:?}");
    let refused = running.ctl("on --times nothing").output().expect("gmon");
    assert!(said(&refused).contains("no function of program"), "{refused:?}");
    running.finish();
    let times = crate::live::times::times_of(&program, &["work"]);
    let work = &times["work"];
    assert!(work.timed > 0 && work.timed <= program.counts("gmon.out").calls("work"));
}

#[test]
fn what_cannot_be_built_is_refused_and_the_doctor_knows_what_can_be_timed() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 0; }\n");
    for (words, complaint) in [
        ("cc --times --dormant gcc prog.c", "two ways to time calls"),
        ("cc --dormant --times gcc prog.c", "two ways to time calls"),
        ("cc --times ldc2 prog.d", "-finstrument-functions: leave it out"),
    ] {
        let output = place.gmon(words).output().expect("gmon");
        assert!(!output.status.success() && said(&output).contains(complaint), "{output:?}");
    }
    text_of(&mut place.gmon("cc --times gcc prog.c -o prog"));
    let output = place.gmon("doctor ./prog").output().expect("gmon");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("calls of its functions can be timed (--times)"), "{text}");
    let mut run = place.command(place.path("prog"));
    let output = run.env("GMON_OPTIONS", "stacks,times=nain").output().expect("a program");
    assert!(said(&output).contains("times: no function fits `nain`"), "{output:?}");
}

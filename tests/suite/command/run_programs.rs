//! `gmon run PROGRAM`: finds the program, preloads what it needs, and keeps out of its way.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::prelude::*;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{RegexPredicate, contains, is_match};

use super::{PROGRAM, with_program};
use crate::GMON;
use support::{summary, tools, workplace::Workplace};

/// A workplace with `prog`, linked as a user without gmon would.
fn with_preloadable() -> Workplace {
    let place = with_program();
    place.must("cc -O2 -pg prog.c -o prog");
    place
}

#[test]
fn the_runtime_is_preloaded_where_hooks_are() {
    let place = with_program();
    for how in ["-pg", "-pg -no-pie", "-pg -mfentry", "-pg -s"] {
        place.must(&format!("cc -O2 prog.c -o prog {how}"));
        let run = place.gmon("run ./prog").assert().success().stdout("");
        run.stderr(contains("4 calls of 2 functions").and(contains("gmon gprof prog gmon.out")));
        if how.contains("-s") {
            continue;
        }
        assert_eq!((place.calls("prog", "work"), place.calls("prog", "main")), (3, 1), "{how}");
    }
}

#[test]
fn the_same_library_is_preloaded_into_programs_of_musl() {
    if tools::find("musl-gcc").is_none() {
        return;
    }
    let place = with_program();
    // musl has no hooks of its own; a library has to stand for them.
    place.write("hooks.c", "void mcount(void) {}\n");
    place.must("musl-gcc -shared -fPIC hooks.c -o libhooks.so");
    place.must("musl-gcc -O2 -pg -c -fPIC prog.c");
    place.must("musl-gcc prog.o -o prog -L. -lhooks -Wl,-rpath,.");
    place.gmon("run ./prog 3").assert().code(3).stderr(contains("4 calls of 2 functions"));
    assert_eq!((place.calls("prog", "work"), place.calls("prog", "main")), (3, 1));
    place.gmon("cc musl-gcc -O2 prog.c -o prog").assert().success();
    place.gmon("run ./prog 3").assert().code(3).stderr(contains("4 calls of 2 functions"));
}

#[test]
fn a_program_with_the_runtime_is_run_as_it_is() {
    let place = with_program();
    place.write(
        "env.c",
        PROGRAM.replace("return argc", "if (getenv(\"LD_PRELOAD\")) abort(); return argc"),
    );
    for how in ["", "-static", "-static-pie", "-s"] {
        place.gmon("cc cc -O2 env.c -o prog").args(how.split_whitespace()).assert().success();
        let run = place.gmon("run ./prog 6").assert().code(6);
        run.stderr(contains("4 calls of 2 functions"));
    }
    // Linked with the shared library, which has to be found by the program itself.
    let shared = place.config("--shared-lib");
    let folder = Path::new(&shared).parent().expect("folder").display().to_string();
    place.must(&format!("cc -O2 -pg env.c -o prog {shared} -Wl,-rpath,{folder}"));
    place.gmon("run ./prog 6").assert().code(6).stderr(contains("4 calls of 2 functions"));
}

#[test]
fn other_preloads_stay() {
    let place = with_preloadable();
    place.write(
        "other.c",
        "#include <stdio.h>\n__attribute__((constructor)) void f(void) { puts(\"other\"); }\n",
    );
    place.must("cc -shared -fPIC other.c -o other.so");
    let run = place.gmon("run ./prog").env("LD_PRELOAD", place.path("other.so")).assert();
    // Into gmon itself, too.
    run.success().stdout("other\nother\n");
    assert_eq!(place.calls("prog", "main"), 1);
}

/// Where ours is preloaded, its library is not the first, which it does not accept unasked.
#[test]
fn address_sanitizer_finds_what_it_finds_without_us() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <stdlib.h>\n__attribute__((noipa)) int work(int *p, int i) { return p[i]; }\n\
         int main(int argc, char **argv) { int *p = calloc(4, 4); for (int i = 0; i < 3; i++) work(p, i);\n\
         return argc > 1 ? work(p, atoi(argv[1])) : 5; }\n",
    );
    place.must("gcc -O1 -g -pg -fsanitize=address,leak prog.c -o prog");
    let run = |arguments: &str| place.gmon(&format!("run {arguments}"));
    let leaks = "ASAN_OPTIONS";
    let said = run("./prog").env(leaks, "detect_leaks=0").assert().code(5);
    said.stderr(contains("4 calls of 2 functions"));
    // It ends the program by a system call of its own.
    let said = run("./prog 4").env(leaks, "exitcode=44").assert().code(44);
    said.stderr(contains("heap-buffer-overflow").and(contains("there is no profile")));
    let said = run("./prog 4").env(leaks, "abort_on_error=1").assert().code(128 + 6);
    said.stderr(contains("heap-buffer-overflow").and(contains("5 calls of 2 functions")));
    let said = run("sh").args(["-c", "./prog 3; echo $?"]).env(leaks, "detect_leaks=0").assert();
    said.success().stdout("0\n").stderr(contains("5 calls of 2 functions"));
}

/// This machine may run programs for which nothing can be preloaded; those that have the runtime need nothing.
#[test]
fn a_program_of_32_bits_is_run_if_the_runtime_is_in_it() {
    if tools::find("i686-linux-gnu-gcc").is_none() {
        return;
    }
    let place = with_program();
    place.must("i686-linux-gnu-gcc -O2 -static prog.c -o prog");
    let refused = place.gmon("run ./prog 7").assert().code(1);
    refused.stderr(contains("was built for another kind of machine").and(contains("gmon cc")));
    place.write(
        "note.s",
        ".section .note.gmon, \"a\", @note\n.long 5, 0, 1\n.asciz \"gmon\"\n.balign 4\n",
    );
    place.must("i686-linux-gnu-gcc -O2 -static prog.c note.s -o prog");
    place.gmon("run ./prog 7").assert().code(7).stderr(contains("there is no profile"));
}

#[test]
fn names_are_searched_as_a_shell_does() {
    let place = with_preloadable();
    fs::create_dir(place.path("bin")).expect("folder");
    fs::rename(place.path("prog"), place.path("bin/our-prog")).expect("move");
    let path = env::var("PATH").expect("PATH");
    let path = format!("{}:{path}", place.path("bin").display());
    let run = place.gmon("run our-prog 3").env("PATH", path).assert().code(3);
    run.stderr(contains("gmon gprof bin/our-prog gmon.out"));
}

#[test]
fn arguments_are_the_programs() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <stdio.h>\nint main(int n, char **v) { for (int i = 0; i < n; i++) puts(v[i]); }\n",
    );
    place.must("cc -pg prog.c -o prog");
    let run = place.gmon("run ./prog --top 3 -- -h").assert().success();
    run.stdout("./prog\n--top\n3\n--\n-h\n");
}

#[test]
fn the_end_is_the_programs() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <signal.h>\n#include <stdlib.h>\n\
         int main(int n, char **v) { if (v[1][0] == 's') raise(atoi(v[2])); return atoi(v[2]); }\n",
    );
    place.must("cc -pg prog.c -o prog");
    place.gmon("run ./prog exit 42").assert().code(42);
    place.gmon("run ./prog signal 9").assert().code(128 + 9).stderr(contains("SIGKILL"));
    // One without a name.
    place.gmon("run ./prog signal 34").assert().code(128 + 34);
}

/// Also those that arrive before gmon has done anything after the start of the program, which has the signal mask that
/// gmon was started with.
#[test]
fn signals_reach_the_program() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
         static void on(int s) { _Exit(s); }\n\
         int main(void) { sigset_t mask; sigprocmask(0, 0, &mask);\n\
         for (int s = 1; s < 32; s++) { if (sigismember(&mask, s)) return 99; signal(s, on); }\n\
         puts(\"ready\"); fflush(stdout); for (;;) pause(); }\n",
    );
    place.must("cc -pg prog.c -o prog");
    let of_ends = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
    let of_servers = [Signal::SIGUSR1, Signal::SIGWINCH, Signal::SIGURG];
    for signal in of_ends.into_iter().chain(of_servers).cycle().take(24) {
        let mut child = Command::new(GMON)
            .args(["run", "./prog"])
            .current_dir(place.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("gmon run");
        let mut ready = [0; 6];
        let stdout = child.stdout.as_mut().expect("pipe");
        std::io::Read::read_exact(stdout, &mut ready).expect("the program's word");
        kill(Pid::from_raw(child.id() as i32), signal).expect("kill");
        let status = child.wait().expect("end");
        assert_eq!(status.code(), Some(signal as i32), "{signal}");
    }
}

#[test]
fn the_report_goes_to_the_file_of_the_option() {
    let place = with_preloadable();
    let run = place.gmon("run --report summary.txt --top 1 ./prog").assert().success();
    run.stdout("").stderr("");
    let summary = place.read("summary.txt");
    assert!(summary.contains("... and 1 more function"), "{summary}");
    assert!(!summary.contains('\x1b'), "{summary}");
    let run = place.gmon("run --report no/such/folder ./prog").assert().code(1).stdout("");
    run.stderr("gmon: cannot write the report no/such/folder: No such file or directory\n");
}

#[test]
fn gmon_out_prefix_is_followed() {
    let place = with_preloadable();
    let run = place.gmon("run ./prog").env("GMON_OUT_PREFIX", "data/prof").assert().success();
    // The folder is not there, so the runtime has to say so and use gmon.out.
    run.stderr(contains("data/prof").and(contains("profile  gmon.out")));
    fs::create_dir(place.path("data")).expect("folder");
    fs::remove_file(place.path("gmon.out")).expect("remove");
    let run = place.gmon("run ./prog").env("GMON_OUT_PREFIX", "data/prof").assert().success();
    run.stderr(is_match(r"gmon gprof prog data/prof\.\d+\n").expect("pattern"));
    assert!(!place.exists("gmon.out"));
}

#[test]
fn gmon_options_may_name_the_file() {
    let place = with_preloadable();
    for _ in 0..2 {
        let run = place.gmon("run ./prog").env("GMON_OPTIONS", "out=%e.prof").assert().success();
        run.stderr(contains("gmon gprof prog prog.prof\n"));
    }
    let run = place.gmon("run ./prog").env("GMON_OPTIONS", "off").assert().success();
    run.stderr("gmon: there is no profile: profiling is switched off by GMON_OPTIONS=off\n");
}

#[test]
fn the_summary_lists_what_took_the_most_time() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "__attribute__((noinline)) void burn(long n) { while (n--) __asm__ volatile(\"\"); }\n\
         __attribute__((noinline)) void outer(void) { burn(1500000000); __asm__ volatile(\"\"); }\n\
         __attribute__((noinline)) void idle(void) { __asm__ volatile(\"\"); }\n\
         int main(void) { outer(); idle(); return 0; }\n",
    );
    let older = "gmon: gmon.out has no call stacks, and gmon.out.full is of an earlier run; name gmon.out.full to read that\n";
    for (option, said) in [("", ""), ("--no-stacks", older)] {
        let run = place.gmon(&format!("run {option} --report summary prog.c")).assert().success();
        run.stderr(said);
        let summary = place.read("summary");
        let rows = summary::rows(&summary);
        let row = |name: &str| {
            let row = rows.iter().find(|row| row.name == name);
            let row = row.unwrap_or_else(|| panic!("no {name}:\n{summary}"));
            let number = |title| row.number(title);
            [number("self"), number("%"), number("total")]
                .map(|number| number.unwrap_or_else(|| panic!("no number of {name}:\n{summary}")))
        };
        let [own, percent, total] = row("burn");
        assert!(own > 0.0 && percent > 90.0 && total == own, "{summary}");
        let [own, _, total] = row("outer");
        assert!(total > own, "{summary}");
        assert_eq!(rows[0].name, "burn", "{summary}");
    }
}

/// A cheap test and much work behind it: gcc inlines the test and splits off the rest.
const SPLIT: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    static volatile unsigned long sink;
    unsigned work(int n)
    {
        if (n < 0)
            return 0;
        unsigned s = 0;
        for (int i = 0; i < n; i++) { sink += i; s += i * n; if (s % 7 == 3) sink ^= s; }
        for (int i = 0; i < n; i++) { sink *= i; s -= i ^ n; if (s % 5 == 3) sink ^= s; }
        if (s == 12345677) { printf("x%u\n", s); abort(); }
        return s;
    }
    __attribute__((noipa)) unsigned a(int n) { return work(n); }
    __attribute__((noipa)) unsigned b(int n) { return work(n) + 1; }
    __attribute__((noipa)) unsigned c(int n) { return work(n) + 2; }
    int main(void)
    {
        unsigned s = 0;
        for (int i = 0; i < 1000; i++)
            s += a(i % 300) + b(i % 200) + c(-1);
        return s == 0;
    }
"#;

/// A row of the summary, of a function with so many calls.
fn row(name: &str, calls: &str) -> RegexPredicate {
    is_match(format!(r"(?m) {calls} +(\S+ \S+ +|- +)?{name}$")).expect("a pattern")
}

#[test]
fn a_function_that_the_compiler_split_is_one_again() {
    let place = Workplace::new();
    place.write("split.c", SPLIT);
    place.gmon("cc gcc -O2 split.c -o split").assert().success();
    let named =
        |names: &str| place.gmon(&format!("run --names {names} ./split")).assert().success();
    named("plain").stderr(row("work", "2,000").and(contains("work.part").not()));
    named("linker").stderr(row(r"work\.part\.0", "2,000"));
    // Where nothing is left of the function itself, there is only the part.
    place.must("objcopy --strip-symbol=work split");
    named("plain").stderr(row(r"work \(part\)", "2,000"));
    assert_eq!(place.calls("split", "work.part.0"), 2000);
}

#[test]
fn functions_of_one_name_stay_apart_when_they_are_optimised_at_link_time() {
    let place = Workplace::new();
    place.write(
        "main.c",
        r#"
        int first(int), second(int);
        int main(void)
        {
            int t = 0;
            for (int i = 0; i < 500; i++) t += first(i);
            for (int i = 0; i < 1000; i++) t += second(i);
            return t == 1;
        }
"#,
    );
    for (name, rounds, line) in [("first", 100, ""), ("second", 900, "\n\n")] {
        let source = format!(
            "{line}static __attribute__((noinline)) int work(int n)
            {{
                volatile int s = 0;
                for (int i = 0; i < n; i++) s += i * {rounds};
                return s;
            }}
            __attribute__((noinline)) int {name}(int k) {{ return work({rounds}) + k; }}
"
        );
        place.write(&format!("{name}.c"), source);
    }
    place.gmon("cc gcc -O2 -flto -g main.c first.c second.c -o linked").assert().success();
    let run = place.gmon("run ./linked").assert().success();
    run.stderr(row("work", "500").and(row("work", "1,000")));
}

#[test]
fn what_openmp_runs_is_shown_by_the_name_of_its_function() {
    let place = Workplace::new();
    place.write(
        "sum.c",
        r#"
        double values[1000];
        __attribute__((noinline)) double sum(int n)
        {
            double s = 0;
            #pragma omp parallel for num_threads(2) reduction(+ : s)
            for (int i = 0; i < n; i++) s += values[i];
            #pragma omp parallel for num_threads(2)
            for (int i = 0; i < n; i++) values[i] += s;
            return s;
        }
        int main(void) { return sum(1000) != 0; }
        "#,
    );
    for (compiler, function) in [("gcc", "sum"), ("clang", r"sum\.c")] {
        if tools::find(&format!("{compiler} -fopenmp")).is_some() {
            place.gmon(&format!("cc {compiler} -O2 -fopenmp sum.c -o sum")).assert().success();
            let row = |number| {
                is_match(format!(r"(?m) 2 +(\S+ \S+ +|- +)?{function} \(parallel {number}\)$"))
            };
            let rows = row(1).expect("a pattern").and(row(2).expect("a pattern"));
            place.gmon("run --top 100 ./sum").assert().success().stderr(rows);
        }
    }
}

//! `gmon cc` as builds use it. How it reads command lines is a table of unit tests beside it.

use std::fs;
use std::process::Output;

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use super::{PROGRAM, with_program};
use crate::GMON;
use support::compilers::Compiler;
use support::workplace::Workplace;
use support::{ports, tools};

/// A program of two sources, one of them in a static and one in a shared library.
fn write_sources(place: &Workplace) {
    place.write("fixed.c", "int fixed(int x) { return x + 1; }\n");
    place.write("shared.c", "int shared(int x) { return x + 2; }\n");
    place.write(
        "main.c",
        "int fixed(int), shared(int);\n\
         int main(void) { int sum = 0; for (int i = 0; i < 5; i++) sum += fixed(i) + shared(i);\n\
         return sum == 0; }\n",
    );
}

/// What a compiler prints, with and without `gmon cc` before it.
fn both(place: &Workplace, compiler: &str, arguments: &str) -> (Output, Output) {
    let plain = place.command(compiler).args(arguments.split_whitespace()).output();
    let ours = place.gmon("cc").arg(compiler).args(arguments.split_whitespace()).output();
    (plain.expect("compiler"), ours.expect("gmon cc"))
}

#[test]
fn every_kind_of_program_gets_the_runtime() {
    let place = with_program();
    for how in
        ["", "-no-pie", "-static", "-static-pie", "-mfentry", "-fomit-frame-pointer", "-flto"]
    {
        let mut cc = place.gmon("cc cc -O2 prog.c -o prog");
        cc.args(how.split_whitespace()).assert().success().stdout("").stderr("");
        place.must("./prog");
        assert_eq!((place.calls("prog", "work"), place.calls("prog", "main")), (3, 1), "{how:?}");
    }
}

/// clang would put the hooks in before functions are inlined at the link, and leave them there.
#[test]
fn functions_that_clang_inlines_at_the_link_do_not_count_for_those_around_them() {
    if cfg!(not(target_arch = "x86_64")) || tools::find_all(["clang", "ld.lld"]).is_none() {
        return;
    }
    let place = Workplace::new();
    place.write("add.c", "int add(int a, int b) { return a ^ b; }\n");
    place.write(
        "main.c",
        "int add(int, int);\nint main(void) { int s = 0; for (int i = 0; i < 1000; i++) s = add(s, i); return s == 1; }\n",
    );
    for how in ["-flto", "-flto=thin"] {
        for part in ["add", "main"] {
            place.gmon(&format!("cc clang -O2 {how} -c {part}.c")).assert().success().stderr("");
        }
        let link = format!("cc clang -O2 {how} -fuse-ld=lld main.o add.o -o prog");
        place.gmon(&link).assert().success().stderr("");
        place.must("./prog");
        assert_eq!(place.calls("prog", "main"), 1, "{how}");
    }
}

#[test]
fn compiling_and_linking_apart_is_the_same() {
    let place = with_program();
    place.gmon("cc gcc -O2 -c prog.c").assert().success().stderr("");
    place.gmon("cc gcc prog.o").assert().success().stderr("");
    place.must("./a.out");
    assert_eq!(place.calls("a.out", "work"), 3);
}

#[test]
fn compiler_for_a_machine_without_a_runtime_is_refused_where_it_links() {
    let place = with_program();
    place.write_executable("aarch64_be-gcc", "#!/bin/sh\necho '#define __AARCH64EB__ 1'\n");
    let refusal = "./aarch64_be-gcc compiles for another machine: there is no runtime for aarch64_be, only for";
    place.gmon("cc ./aarch64_be-gcc prog.c").assert().code(1).stderr(contains(refusal));
    place.gmon("cc ./aarch64_be-gcc -c prog.c").assert().success().stderr("");
    let of_elf = "#!/bin/sh\necho '#define __AARCH64EB__ 1'\necho '#define __ELF__ 1'\n";
    place.write_executable("aarch64_be-elf-gcc", of_elf);
    let refusal = "there is no runtime for aarch64_be on bare metal, only for";
    place.gmon("cc ./aarch64_be-elf-gcc prog.c").assert().code(1).stderr(contains(refusal));
    // One for Linux may link programs without a C library.
    let of_linux = of_elf.to_owned() + "echo '#define __unix__ 1'\n";
    place.write_executable("aarch64_be-linux-gcc", &of_linux);
    let mut link = place.gmon("cc ./aarch64_be-linux-gcc -nostdlib -T memory.ld prog.c");
    let said = link.assert().get_output().stderr.clone();
    assert!(!String::from_utf8_lossy(&said).contains("bare metal"), "{said:?}");
}

#[test]
fn clang_is_a_compiler_too() {
    if tools::find("clang").is_none() {
        return;
    }
    let place = with_program();
    place.write("empty.s", ".section .note.GNU-stack,\"\",%progbits\n");
    // -Werror, because clang warns of arguments that it does not use.
    place.gmon("cc clang -Werror -c empty.s").assert().success().stderr("");
    place.gmon("cc clang -Werror -O2 -c -fomit-frame-pointer prog.c").assert().success().stderr("");
    place.gmon("cc clang -Werror prog.o empty.o -o prog").assert().success().stderr("");
    place.must("./prog");
    assert_eq!(place.calls("prog", "work"), 3);
    place.gmon("cc clang -Werror -fPIC -c prog.c").assert().success().stderr("");
    place.gmon("cc clang -Werror -shared -o libprog.so prog.o").assert().success().stderr("");
    place.gmon("cc clang -Werror -fPIC -shared -o libprog.so prog.c").assert().success().stderr("");
}

/// Only with an option that users need not know.
#[test]
fn clang_tells_the_caller_on_ibm_z_too() {
    let is_it = |one: &&Compiler| one.name == "clang" && one.target.architecture == "s390x";
    let Some(compiler) = ports::testable().find(is_it) else { return };
    let place = with_program();
    let clang = format!("cc clang --target={} -Werror -O2", compiler.target.triple);
    for steps in [&["prog.c -o prog"][..], &["-pg -c prog.c", "prog.o -o prog"]] {
        for step in steps {
            place.gmon(&format!("{clang} {step}")).assert().success().stderr("");
        }
        let mut run = compiler.target.run(&place.path("prog"), None);
        run.current_dir(place.folder()).assert().success();
        assert_eq!(place.counts("prog").of("main", "work"), 3, "{steps:?}");
    }
}

#[test]
fn questions_are_answered_as_without_us() {
    let place = with_program();
    for arguments in [
        "--version",
        "-dumpmachine",
        "-print-prog-name=ld",
        "-print-search-dirs",
        "-v",
        "-E prog.c",
        "-M prog.c",
        "-fsyntax-only prog.c",
        "",
    ] {
        let (plain, ours) = both(&place, "gcc", arguments);
        assert_eq!(plain, ours, "{arguments:?}");
    }
}

#[test]
fn status_and_messages_are_the_compilers() {
    let place = Workplace::new();
    place.write("bad.c", "int main(void) { return undeclared; }\n");
    place.write("unresolved.c", "int undefined(void); int main(void) { return undefined(); }\n");
    let (plain, ours) = both(&place, "gcc", "-c bad.c");
    assert_eq!(plain, ours);
    assert!(!ours.status.success());
    place.gmon("cc gcc unresolved.c").assert().failure().stderr(contains("undefined"));
    // Killed by a signal: it is the compiler's end, because we have become the compiler.
    place.write_executable("gcc", "#!/bin/sh\nkill -KILL $$\n");
    place.gmon("cc ./gcc -c bad.c").assert().interrupted();
}

#[test]
fn a_compiler_that_is_not_there_is_named() {
    let place = with_program();
    let said = contains("gmon: cannot run the compiler gcc-0.1 ").and(contains("\n").count(1));
    place.gmon("cc gcc-0.1 -c prog.c").assert().code(1).stderr(said);
    let said = contains("gmon: cannot run the compiler no-such ");
    place.gmon("cc -c prog.c").env("CC", "no-such -m64").assert().code(1).stderr(said);
}

#[test]
fn the_compiler_is_named_in_many_ways() {
    let place = with_program();
    // Tells what it was called with.
    place.write_executable("launcher", "#!/bin/sh\necho \"launcher: $*\"\nexec \"$@\"\n");
    let first_line = |line: &str| contains(format!("{line}\n"));

    place.gmon("cc -c prog.c").assert().success().stdout("");
    place.gmon("cc prog.c -c").env("CC", "").assert().success().stdout("");
    let mut by_variable = place.gmon("cc -c prog.c");
    by_variable.env("CC", "./launcher gcc -m64").assert().success();
    place
        .gmon("cc ./launcher gcc -c prog.c")
        .assert()
        .stdout(first_line("launcher: gcc -c prog.c -pg"));
    // A build with CC="gmon cc gcc", and one that wraps the wrapper.
    let ourselves = format!("{GMON} cc gcc");
    place.gmon("cc -c prog.c").env("CC", ourselves).assert().success();
    place
        .gmon("cc")
        .args([GMON, "cc", "./launcher", "gcc", "-c", "prog.c"])
        .assert()
        .stdout(first_line("launcher: gcc -c prog.c -pg"));
}

#[test]
fn response_files_are_looked_into() {
    let place = with_program();
    place.write("compile", "-c -O2\n'prog.c'");
    place.write("link", "prog.o -o\nprog");
    place.gmon("cc gcc @compile").assert().success().stderr("");
    assert!(place.exists("prog.o"));
    place.gmon("cc gcc @link").assert().success().stderr("");
    place.must("./prog");
    assert_eq!(place.calls("prog", "work"), 3);
}

#[test]
fn a_library_is_instrumented_but_has_no_runtime() {
    let place = Workplace::new();
    write_sources(&place);
    place.gmon("cc gcc -shared -fPIC shared.c -o libshared.so").assert().success().stderr("");
    let library = fs::read(place.path("libshared.so")).expect("library");
    let has = |text: &str| library.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has("mcount") && !has("__mcount_internal"));
}

#[test]
fn a_makefile_needs_only_the_compiler() {
    if tools::find("make").is_none() {
        return;
    }
    let place = Workplace::new();
    write_sources(&place);
    place.write(
        "Makefile",
        "CFLAGS = -O1 -fPIC -MMD -MP\n\
         prog: main.o libfixed.a libshared.so\n\
         \t$(CC) $(LDFLAGS) -o $@ main.o -L. -Wl,-rpath,. -lfixed -lshared\n\
         libfixed.a: fixed.o\n\
         \t$(AR) rcs $@ $^\n\
         libshared.so: shared.o\n\
         \t$(CC) -shared -o $@ $^\n\
         -include $(wildcard *.d)\n",
    );
    for compiler in ["gcc", ""] {
        let mut make = place.command("make");
        make.args(["-B", "prog"]).arg(format!("CC={GMON} cc {compiler}"));
        make.assert().success().stderr("");
        place.must("./prog");
        assert_eq!((place.calls("prog", "main"), place.calls("prog", "fixed")), (1, 5));
    }
}

#[test]
fn a_configure_script_finds_what_it_looks_for() {
    let place = Workplace::new();
    // The probes that autoconf makes, in its way: by status, by output, by running a program.
    place.write(
        "configure",
        r#"
set -e
echo 'int main(void) { return 0; }' > conftest.c
$CC --version | head -n 1 | grep -q gcc || { echo no version; exit 1; }
$CC -o conftest conftest.c
./conftest || { echo cannot run; exit 1; }
rm -f gmon.out
$CC -c conftest.c && test -f conftest.o
$CC -E conftest.c | grep -q 'return 0'
$CC -c -g -O2 -fomit-frame-pointer conftest.c
if $CC -no-such-option -c conftest.c 2> conftest.err; then echo accepts anything; exit 1; fi
echo 'char sqrt(); int main(void) { return sqrt(); }' > conftest.c
if $CC -o conftest -fno-builtin conftest.c 2> conftest.err; then echo finds anything; exit 1; fi
$CC -o conftest -fno-builtin conftest.c -lm
echo '#include <no_such_header.h>' > conftest.c
if $CC -E conftest.c > /dev/null 2> conftest.err; then echo includes anything; exit 1; fi
$CC -print-prog-name=ld | grep -q ld
echo configured
"#,
    );
    let mut configure = place.command("sh");
    configure.arg("configure").env("CC", format!("{GMON} cc gcc"));
    configure.assert().success().stdout("configured\n").stderr("");
}

#[test]
fn cmake_takes_us_for_the_compiler() {
    if tools::find("cmake").is_none() {
        return;
    }
    let place = Workplace::new();
    write_sources(&place);
    place.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.13)\n\
         project(example C)\n\
         find_package(Threads REQUIRED)\n\
         add_library(fixed STATIC fixed.c)\n\
         add_library(shared SHARED shared.c)\n\
         add_executable(prog main.c)\n\
         target_link_libraries(prog fixed shared Threads::Threads)\n",
    );
    let mut cmake = place.command("cmake");
    cmake.args(["-S", ".", "-B", "build"]).env("CC", format!("{GMON} cc gcc"));
    cmake.assert().success().stdout(contains("The C compiler identification is GNU"));
    place.must("cmake --build build");
    place.must("build/prog");
    assert_eq!((place.calls("build/prog", "main"), place.calls("build/prog", "fixed")), (1, 5));
}

#[test]
fn a_language_option_does_not_reach_the_runtime() {
    let place = Workplace::new();
    place.write("prog.in", PROGRAM);
    place.gmon("cc gcc -x c prog.in -o prog").assert().success().stderr(is_empty());
    place.must("./prog");
    assert_eq!(place.calls("prog", "work"), 3);
}

#[test]
fn a_device_of_words_ends_as_with_the_compiler() {
    let place = with_program();
    place.gmon("cc gcc -O2 prog.c -o prog @/dev/zero @/dev/null").assert().success();
    place.gmon("run ./prog").assert().success();
}

/// A library may load and unload others, though the program does not. While it does so, nobody reads their unwind
/// rules: without that, most of these runs would crash.
#[test]
fn what_libraries_unload_harms_nobody() {
    let place = Workplace::new();
    let entry = "int entry(int n) { volatile int sum = 0; while (n--) sum += n; return sum; }\n";
    place.write("small.c", entry);
    place.write("large.c", format!("{entry}char large[1 << 20] = {{1}};\n"));
    place.write(
        "opener.c",
        "#include <dlfcn.h>\n\
         int in_plugin(const char *name)\n\
         {\n\
             void *plugin = dlopen(name, RTLD_NOW);\n\
             int (*entry)(int) = plugin ? (int (*)(int))dlsym(plugin, \"entry\") : 0;\n\
             return entry == 0 || entry(20000) == 0 || dlclose(plugin) != 0;\n\
         }\n",
    );
    place.write(
        "prog.c",
        "#include <pthread.h>\n\
         #include <stdio.h>\n\
         #include <stdlib.h>\n\
         int in_plugin(const char *name);\n\
         static int rounds;\n\
         static void *work(void *faults)\n\
         {\n\
             for (int i = 0; i < rounds; i++)\n\
                 *(int *)faults += in_plugin(\"./small.so\") + in_plugin(\"./large.so\");\n\
             return 0;\n\
         }\n\
         int main(int argc, char **argv)\n\
         {\n\
             rounds = argc > 1 ? atoi(argv[1]) : 1500;\n\
             pthread_t threads[2];\n\
             int faults[2] = {0};\n\
             for (int i = 0; i < 2; i++)\n\
                 pthread_create(&threads[i], 0, work, &faults[i]);\n\
             for (int i = 0; i < 2; i++)\n\
                 pthread_join(threads[i], 0);\n\
             printf(\"%d faults\\n\", faults[0] + faults[1]);\n\
         }\n",
    );
    for library in ["small", "large", "opener"] {
        place.must(&format!("gcc -O1 -fPIC -shared {library}.c -o {library}.so"));
    }
    place.must(&format!("{GMON} cc gcc -O1 prog.c ./opener.so -pthread -o prog"));
    place.must(&format!("{GMON} run --program other prog.c ./opener.so"));
    for program in ["prog", "other"] {
        // In short runs, libraries are unloaded before the first sample, and before the clock has ticked.
        for (unloads, runs) in [("1500", tools::rounds(3)), ("4", tools::rounds(200))] {
            for _ in 0..runs {
                let mut run = place.command(place.path(program));
                run.arg(unloads).env("GMON_OPTIONS", "stacks,hz=10000");
                run.assert().success().stdout("0 faults\n").stderr("");
            }
        }
    }
}

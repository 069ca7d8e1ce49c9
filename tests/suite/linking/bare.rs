//! Programs without start files, and without any C library: the first hook starts the profile.

use std::fs;

use super::SUITE;
use support::{
    command::{libraries, output_of, quiet, shared_library, text_of},
    compilers::{COMPILERS, Compiler, GCC, MUSL},
    counts::{Counts, FunctionNames},
    modes::{Mode, Runtime, linked},
    program::Program,
    targets::HOST,
    tools,
};

const INCLUDE: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/runtime/include");

/// Its own `_start`, with the C library.
const BARE: Mode = linked("no start files", &[], &["-nostartfiles"]);

const COUNTS: &str = "begin -> work 5\nwork -> leaf 15";

/// `bare_start.c`, which ends by this statement.
fn bare_start(compiler: &Compiler, mode: &Mode, end: &str) -> Program {
    SUITE.build_by(compiler, "bare_start.c", mode, &[INCLUDE, &format!("-DEND={end}")])
}

/// Whether the compiler is there.
fn is_there(compiler: &Compiler) -> bool {
    tools::find(compiler.c).is_some()
}

#[test]
fn a_bare_start_is_counted_from_its_first_hook() {
    for compiler in COMPILERS.iter().chain([MUSL]).filter(|compiler| is_there(compiler)) {
        for hooks in [&["-pg"][..], &["-pg", "-mfentry"]] {
            for end in ["_exit(3)", "(_mcleanup(), exit(3))"] {
                let program = bare_start(compiler, &Mode { hooks, ..BARE }, end);
                assert_eq!(program.run(&[], &[]).status.code(), Some(3));
                let counts = program.counts("gmon.out");
                counts.are(&format!("{COUNTS}\n<outside> -> begin 1"));
            }
        }
    }
}

/// What an archive cannot: glibc runs constructors of libraries even if nobody runs the program's.
#[test]
fn a_bare_start_with_the_shared_library_needs_no_call_at_its_end() {
    let folder = shared_library();
    let folder = folder.parent().expect("a folder").display();
    let [find, find_again] = ["-L", "-Wl,-rpath,"].map(|flag| format!("{flag}{folder}"));
    let link: Vec<&'static str> =
        vec!["-nostartfiles", find.leak(), find_again.leak(), "-Wl,--no-as-needed", "-lgmon"];
    let mode = Mode { runtime: Runtime::None, link: link.leak(), ..BARE };
    for compiler in COMPILERS.iter().filter(|compiler| is_there(compiler)) {
        let program = bare_start(compiler, &mode, "exit(3)");
        assert_eq!(program.run(&[], &[]).status.code(), Some(3));
        program.counts("gmon.out").are(&format!("{COUNTS}\n<outside> -> begin 1"));
    }
}

/// The marks of branch tracking and shadow stacks are the program's only if everything in it has
/// them. The start files of many systems do not, so this is looked at without them.
#[test]
#[cfg(target_arch = "x86_64")]
fn marks_of_control_flow_protection_survive() {
    for compiler in COMPILERS.iter().filter(|compiler| is_there(compiler)) {
        for linker in ["bfd", "gold", "lld"] {
            if tools::find(&format!("ld.{linker}")).is_none() {
                continue;
            }
            let link = vec!["-nostartfiles", format!("-fuse-ld={linker}").leak()];
            let compile = &["-fcf-protection=full"];
            let mode = Mode { compile, link: link.leak(), ..BARE };
            let program = bare_start(compiler, &mode, "_exit(0)");
            let notes = text_of(quiet("readelf").arg("-nW").arg(&program.executable));
            let feature = notes.lines().find(|line| line.contains("x86 feature:"));
            let feature = feature.unwrap_or_else(|| panic!("{linker}: no note:\n{notes}"));
            assert!(feature.contains("IBT") && feature.contains("SHSTK"), "{linker}: {feature}");
        }
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn threads_without_a_c_library_lose_nothing() {
    const WITHOUT_LIBC: Mode = linked("no C library", &["-fno-pie"], &["-nostdlib", "-static"]);
    for compiler in COMPILERS.iter().filter(|compiler| is_there(compiler)) {
        for hooks in [&["-pg"][..], &["-pg", "-mfentry"]] {
            let mode = Mode { hooks, ..WITHOUT_LIBC };
            let program = SUITE.build_by(compiler, "without_libc.c", &mode, &[]);
            let run = program.run(&[], &[]);
            assert_eq!(run.status.code(), Some(7), "{run:?}");
            program.counts("gmon.out").are(
                "<outside> -> begin 1\n<outside> -> thread 4\n\
                 thread -> work 80000\nwork -> leaf 160000",
            );
        }
    }
}

/// The table that all threads share grows like the others.
#[test]
#[cfg(target_arch = "x86_64")]
fn many_functions_without_a_c_library_lose_nothing() {
    const FUNCTIONS: usize = 1000;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let functions = (0..FUNCTIONS).map(|i| format!("void f{i}(void) {{ __asm__(\"\"); }}\n"));
    let calls = (0..FUNCTIONS).map(|i| format!("f{i}();"));
    let source = format!(
        "#pragma GCC optimize \"no-inline,no-ipa-icf\"\n{}
         void _mcleanup(void);
         __attribute__((no_instrument_function)) void begin(void) {{
             for (int i = 0; i < 3; i++) {{ {} }}
             _mcleanup();
             __asm__ volatile(\"syscall\" : : \"a\"(231), \"D\"(0));
         }}
         __asm__(\".globl _start\\n_start: xor %ebp, %ebp\\n and $-16, %rsp\\n call begin\\n hlt\");",
        functions.collect::<String>(),
        calls.collect::<String>(),
    );
    fs::write(path("many.c"), source).expect("a source file");
    let mut compile = quiet(GCC.c);
    compile.args(["-O1", "-pg", "-fno-pie", "-nostdlib", "-static"]).arg(path("many.c"));
    compile.args(libraries(HOST)).arg("-o").arg(path("many"));
    text_of(&mut compile);
    let run = output_of(quiet(path("many")).current_dir(&folder));
    assert!(run.status.success() && run.stderr.is_empty(), "{run:?}");
    let counts = Counts::read(&FunctionNames::read(&path("many")), &path("gmon.out"));
    for i in 0..FUNCTIONS {
        assert_eq!(counts.of("begin", &format!("f{i}")), 3, "f{i}");
    }
}

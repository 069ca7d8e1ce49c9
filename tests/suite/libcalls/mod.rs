//! Calls into shared libraries: exact, named, and without an effect on the program.

use std::{fs, path::Path};

use support::{
    callgrind,
    command::{gmon, output_of, quiet, shared_library, text_of},
    compilers::GCC,
    library_calls::{self, LibraryCalls},
    modes::{Mode, mode},
    program::Program,
    suite::Suite,
    tools,
};

const SUITE: Suite = Suite("libcalls");

/// Runs a program, which must behave as ever, and reads what it called.
#[track_caller]
fn calls(program: &Program, arguments: &[&str], options: &str) -> LibraryCalls {
    _ = fs::remove_file(program.path("gmon.out.full"));
    let output = program.run(arguments, &[("GMON_OPTIONS", options)]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    LibraryCalls::read(&program.path("gmon.out.full"), &program.executable)
}

const FLAGS: [&str; 4] = ["-pthread", "-fno-builtin", "-Wl,--no-as-needed", "-lm"];

#[test]
#[cfg(target_arch = "x86_64")]
fn calls_of_libraries_are_exact_in_every_way_to_link() {
    let lazy = "-Wl,-z,lazy";
    let now = "-Wl,-z,now,-z,relro";
    let ways = [
        ("default", &[lazy][..]),
        ("default", &[now]),
        // Optimised, loops keep the address of a function in a register.
        ("default", &[now, "-fno-plt", "-O0"]),
        ("no-pie", &[lazy]),
        ("no-pie", &[now]),
        ("fentry", &[lazy, "-fcf-protection=full"]),
        ("default, own start", &[now, "-Wl,--hash-style=sysv"]),
        ("preloaded", &[lazy]),
        ("preloaded, no-pie", &[now, "-fno-plt", "-O0"]),
    ];
    for &(mode, flags) in tools::representatives(&ways, 3, "ways to link") {
        let program = SUITE.build("calls.c", mode, &[&FLAGS[..], flags].concat());
        let calls = calls(&program, &[], "libcalls,sampler=none");
        calls.are_those_of_calls_c(&format!("{mode} {flags:?}"));
    }
}

/// Calls and addresses that come by the same words: each is what it would be without us.
#[test]
#[cfg(target_arch = "x86_64")]
fn functions_whose_addresses_are_taken_are_counted_too() {
    let place = support::workplace::Workplace::new();
    let source = support::root().join("tests/suite/libcalls/same.c");
    let library = place.path("libsame.so");
    let mut compile = quiet(GCC.c);
    compile.args(["-O2", "-fPIC", "-shared"]).arg(source).arg("-o").arg(&library);
    text_of(&mut compile);
    let library = format!("-Wl,--no-as-needed,{}", library.display());
    let search = format!("-Wl,-rpath,{}", place.path("").display());
    let plain = Mode { hooks: &[], link: &[], ..*mode("preloaded") };
    let no_pie = Mode { hooks: &[], link: &["-no-pie"], compile: &["-fno-pie"], ..plain };
    let common = ["-fno-builtin", &*library, &*search];
    for (mode, flags, all) in [
        (&plain, &["-fno-plt", "-Wl,-z,now"][..], false),
        (&plain, &["-fno-plt", "-Wl,-z,now", "-O3", "-fcf-protection=full"], false),
        (&plain, &["-fno-plt", "-Os"], false),
        (&plain, &["-fno-plt", "-O0"], true),
        // Calls by the procedure linkage table, which share their words with addresses.
        (&plain, &["-fplt", "-Wl,-z,now"], true),
        (&plain, &["-fplt", "-Wl,-z,lazy"], true),
        // The address of a function is that of the program's own entry, by which the loader calls it, too.
        (&no_pie, &["-fplt", "-Wl,-z,lazy"], true),
    ] {
        let loaders = u64::from(std::ptr::eq(mode, &no_pie)) * 5;
        let program = SUITE.build_by(GCC, "pointers.c", mode, &[&common[..], flags].concat());
        let calls = calls(&program, &[], "libcalls,sampler=none");
        for (function, count) in [("malloc", 1003), ("free", 1003), ("strlen", 50), ("puts", 1)] {
            let found = calls.of("libc", function);
            println!("{flags:?} {function} {found}");
            // All of them or, where nobody can tell a call from an address, none.
            let is_right = (count..=count + loaders).contains(&found);
            assert!(is_right || found == 0 && !all, "{flags:?} {function}: {found}");
        }
        assert_eq!(calls.of("libsame", "is_malloc"), 2, "{flags:?}");
    }
}

/// Nobody can tell how often `strlen` was called, so that is said, and it is not taken for a function that was not called.
#[test]
#[cfg(target_arch = "x86_64")]
fn functions_that_are_not_counted_are_named() {
    let plain = Mode { hooks: &[], link: &[], ..*mode("preloaded") };
    let flags = ["-fno-builtin", "-fno-plt", "-O0", "-Wl,-z,now"];
    let program = SUITE.build_by(GCC, "left.c", &plain, &flags);
    let calls = calls(&program, &[], "libcalls,sampler=none");
    assert_eq!((calls.of("libc", "strlen"), calls.of("libc", "puts")), (0, 1));
    let report = |options: &[&str]| {
        let mut report = gmon();
        report.arg("report").arg(&program.executable).arg(program.data()).args(options);
        output_of(&mut report)
    };
    let said = |output: &std::process::Output| {
        String::from_utf8_lossy(&[&*output.stdout, &*output.stderr].concat()).into_owned()
    };
    let text = said(&report(&[]));
    let line = "libcalls calls not counted, as the program uses their addresses, too: strlen";
    assert!(text.lines().any(|found| found == line), "{text}");
    let text = said(&report(&["--calls", "strlen"]));
    assert!(text.contains("calls of strlen were not counted"), "{text}");
}

/// As objdump does with the function that finds names for it.
#[test]
#[cfg(target_arch = "x86_64")]
fn calls_by_a_stub_are_counted_where_the_address_is_kept_on_the_stack() {
    let plain = Mode { hooks: &[], link: &[], ..*mode("preloaded") };
    let program = SUITE.build_by(GCC, "kept.c", &plain, &["-fno-builtin", "-O2", "-fPIE", "-pie"]);
    let calls = calls(&program, &[], "libcalls,sampler=none");
    assert_eq!((calls.of("libc", "strlen"), calls.of("libc", "puts")), (50, 1));
}

#[test]
#[cfg(target_arch = "x86_64")]
fn data_for_gprof_is_the_same() {
    let program = SUITE.build("calls.c", "default", &FLAGS);
    let data = ["sampler=none", "sampler=none,libcalls"].map(|options| {
        program.clear();
        assert!(program.run(&[], &[("GMON_OPTIONS", options)]).status.success());
        fs::read(program.data()).expect("a data file")
    });
    assert!(data[0] == data[1]);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn only_what_fits_the_patterns_is_counted() {
    let program = SUITE.build("calls.c", "default", &FLAGS);
    for (list, counts) in [
        ("libcalls=libm*:*", [1000, 1000, 0, 0]),
        ("libcalls=f*", [1000, 0, 0, 4000]),
        ("libcalls=libm*:f*,libc.*:m?lloc", [1000, 0, 4000, 0]),
        ("libcalls=hypot,libcalls=malloc", [0, 1000, 4000, 0]),
    ] {
        let calls = calls(&program, &[], &format!("{list},sampler=none"));
        let found = [("libm", "fmod"), ("libm", "hypot"), ("libc", "malloc"), ("libc", "free")];
        assert_eq!(found.map(|(library, name)| calls.of(library, name)), counts, "{list}");
    }
}

/// Builds the library with hooks beside a program.
fn build_plugin(program: &Program, flags: &[&str]) {
    let source = support::root().join("tests/suite/libcalls/plugin.c");
    let mut compile = quiet(GCC.c);
    compile.args(["-O2", "-pg", "-fPIC", "-shared", "-fno-builtin"]).args(flags).arg(source);
    text_of(compile.arg("-o").arg(program.path("plugin.so")).arg("-lm"));
}

/// Libraries that come and go: their own calls are counted from the first on.
#[test]
#[cfg(target_arch = "x86_64")]
fn libraries_that_are_loaded_later_are_counted_too() {
    let program = SUITE.build("loads.c", "preloaded", &[]);
    for (flags, how) in [
        ("-Wl,-z,now", &["300"][..]),
        ("-Wl,-z,lazy", &["300", "lazy"]),
        // Loops call by addresses that they have loaded.
        ("-fno-plt", &["300"]),
    ] {
        build_plugin(&program, &[flags]);
        let calls = calls(&program, how, "libcalls,sampler=none");
        assert_eq!(calls.of("libc", "malloc"), 2100, "{flags}");
        assert_eq!(calls.of("libc", "free"), 2100, "{flags}");
        assert_eq!(calls.of("libc", "strtol"), 2100 + 1, "{flags}");
        assert_eq!(calls.of("libm", "cbrt"), 2100, "{flags}");
        assert_eq!(calls.of("libc", "dlopen"), 300, "{flags}");
        assert_eq!(calls.of("libc", "dlclose"), 300, "{flags}");
    }
}

/// More libraries than pieces of stubs that the walker of stacks knows.
#[test]
#[cfg(target_arch = "x86_64")]
fn many_libraries_are_counted() {
    const COPIES: u64 = 40;
    let program = SUITE.build("loads.c", "preloaded", &[]);
    build_plugin(&program, &[]);
    for number in 0..COPIES {
        let copy = program.path(&format!("plugin-{number}.so"));
        fs::copy(program.path("plugin.so"), copy).expect("a copy");
    }
    for options in ["libcalls,sampler=none", "libcalls,hz=1000"] {
        let calls = calls(&program, &["0", "copies", &COPIES.to_string()], options);
        for function in ["malloc", "free"] {
            assert_eq!(calls.of("libc", function), 7 * COPIES, "{function}");
        }
        assert_eq!(calls.of("libm", "cbrt"), 7 * COPIES);
        assert_eq!(calls.of("libc", "dlopen"), COPIES);
    }
}

/// Runs a command with the preloaded runtime, and under callgrind in the same environment. Calls of
/// the functions `unlike` differ for a reason.
#[track_caller]
fn compare(
    program: &Path,
    arguments: &[&str],
    folder: &Path,
    (unlike, slack): (&[&str], u64),
    least: usize,
) {
    let runtime = shared_library().display().to_string();
    let full = folder.join("profile.full");
    _ = fs::remove_file(&full);
    let common = [("LD_PRELOAD", runtime.as_str()), ("PYTHONHASHSEED", "0"), ("LC_ALL", "C")];
    let with = |options| [&common[..], &[("GMON_OPTIONS", options)]].concat();
    let mut command = quiet(program);
    command.args(arguments).current_dir(folder).envs(with("libcalls,sampler=none,out=profile"));
    // Those that valgrind adds: a program may read all variables.
    command.envs([("LD_LIBRARY_PATH", "/usr/lib/debug"), ("GLIBCPP_FORCE_NEW", "1")]);
    command.env("GLIBCXX_FORCE_NEW", "1");
    let output = output_of(&mut command);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let Some(truth) = callgrind::library_calls(program, arguments, folder, &with("off")) else {
        return;
    };
    let (functions, calls) = LibraryCalls::read(&full, program).are(&truth, unlike, slack);
    println!("{}: {calls} calls of {functions} functions", program.display());
    assert!(functions >= least, "{functions}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn counts_are_those_of_callgrind() {
    let plain = Mode { hooks: &[], link: &[], ..*mode("preloaded") };
    if tools::find(GCC.cxx).is_some() {
        let program = SUITE.build_by(GCC, "exceptions.cc", &plain, &["-std=c++17"]);
        let virtual_functions = ["_ZNKSt13runtime_error4whatEv", "_ZNKSt11logic_error4whatEv"];
        compare(&program.executable, &[], &program.path(""), (&virtual_functions, 0), 35);
    }
    let program = SUITE.build_by(GCC, "calls.c", &plain, &FLAGS);
    // The address of `atoi` is taken, and valgrind has forked where the child has `_exit`.
    let others = ["atoi", "_exit", "_Exit"];
    compare(&program.executable, &[], &program.path(""), (&others, 0), 15);
}

/// Rust calls all functions of libraries by the words that hold their addresses.
#[test]
#[cfg(target_arch = "x86_64")]
fn counts_of_a_rust_program_are_those_of_callgrind() {
    let folder = support::workplace::Workplace::new();
    let source = support::root().join("tests/suite/libcalls/words.rs");
    let program = folder.path("words");
    let mut compile = quiet("rustc");
    compile.args(["--edition=2021", "-Copt-level=3"]).arg(source).arg("-o").arg(&program);
    text_of(&mut compile);
    // It is called by a register that is used otherwise behind a jump which cannot be followed.
    compare(&program, &[], &folder.path(""), (&["poll"], 0), 15);
}

/// Programs as the system has them.
#[test]
#[cfg(target_arch = "x86_64")]
fn counts_of_programs_of_the_system_are_those_of_callgrind() {
    let folder = support::workplace::Workplace::new();
    fs::write(folder.path("data"), "some text\n".repeat(5000)).expect("a file");
    fs::write(folder.path("script.py"), SCRIPT).expect("a file");
    let sql = "create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c \
               where x < 300) insert into t select x, x * x || 'abc' from c; create index i on t(b); \
               select count(*), sum(a), max(b), avg(a) from t where b like '%4a%';";
    for (name, arguments, unlike, slack, least) in [
        ("gzip", &["-kc", "data"][..], &[][..], 0, 10),
        // It reads the list of the process's mappings, which is longer under valgrind.
        ("grep", &["-E", "(some|other) te[xy]t$", "data"], &["read"], 0, 10),
        ("sqlite3", &[":memory:", sql], &[], 0, 30),
        // The processor that valgrind emulates saves less for signal handlers: Python asks once more.
        // What it compares depends on the addresses of its objects, which are the keys of its sets, and so
        // does whether it takes one more piece of memory.
        ("python3.11", &["-S", "-E", "script.py"], &["sysconf", "mmap", "munmap"], 100, 60),
    ] {
        let program = Path::new("/usr/bin").join(name);
        if program.is_file() || tools::in_ci() {
            compare(&program, arguments, &folder.path(""), (unlike, slack), least);
        } else {
            println!("skipped: there is no {}", program.display());
        }
    }
}

const SCRIPT: &str = "\
import math, zlib
words = [str(i) * 3 for i in range(200)]
print(sum(math.sin(i) for i in range(300)), ''.join(words)[:10], float('1.5'))
print(zlib.crc32(zlib.decompress(zlib.compress(b'some text ' * 9999))))
";

/// `gmon run --libcalls`, of all functions and of some.
#[test]
#[cfg(target_arch = "x86_64")]
fn gmon_run_counts_with_an_option() {
    let program = SUITE.build("calls.c", "default", &FLAGS);
    for (option, counts) in [
        ("--libcalls", [1000, 1000, 4000, 4000]),
        ("--libcalls=libm*:f*,malloc", [1000, 0, 4000, 0]),
    ] {
        let mut command = gmon();
        command.args(["run", option, "./program"]).current_dir(program.path(""));
        let output = output_of(&mut command);
        assert!(output.status.success(), "{output:?}");
        let calls = LibraryCalls::read(&program.path("gmon.out.full"), &program.executable);
        let found = [("libm", "fmod"), ("libm", "hypot"), ("libc", "malloc"), ("libc", "free")];
        assert_eq!(found.map(|(library, name)| calls.of(library, name)), counts, "{option}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn reports_name_functions_with_their_libraries() {
    let program = SUITE.build("calls.c", "default", &FLAGS);
    calls(&program, &[], "libcalls,sampler=none");
    let text = text_of(gmon().arg("report").arg(&program.executable).arg(program.data()));
    assert!(text.contains("malloc [libc.so.6]"), "{text}");
    // Not `strtof32x` or `siglongjmp`, which are other names of the same functions.
    assert!(text.contains("strtod [libc.so.6]") && text.contains("longjmp [libc.so.6]"), "{text}");
    assert!(!text.contains("siglongjmp"), "{text}");
    let mut command = gmon();
    command.arg("report").arg(&program.executable).arg(program.data());
    let text = text_of(command.args(["--calls", "malloc"]));
    assert!(text.contains("4,000") && text.contains("work"), "{text}");
    let mut command = gmon();
    command.arg("export").arg(&program.executable).arg(program.data());
    let text = text_of(command.args(["--format", "csv", "--table", "arcs"]));
    assert!(text.lines().any(|line| line.contains("malloc") && line.contains("4000")), "{text}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn no_register_changes() {
    library_calls::change_no_register(SUITE, GCC, &[]);
}

/// A program without shared libraries has no such calls, and says so.
#[test]
fn static_programs_say_that_they_have_none() {
    let program = Suite("stacks").build("callers.c", "static", &[]);
    let output = program.run(&[], &[("GMON_OPTIONS", "libcalls")]);
    assert!(output.status.success(), "{output:?}");
    let said = support::command::said(&output);
    assert!(said.contains("the program has no shared libraries"), "{said}");
}

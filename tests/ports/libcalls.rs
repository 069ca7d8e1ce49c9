//! Calls into shared libraries: as on this machine, by stubs of each processor.

use support::{
    compilers::Compiler,
    library_calls::{self, LibraryCalls},
    modes::mode,
    ports::COUNTED_LIBRARY_CALLS,
    suite::Suite,
};

const SUITE: Suite = Suite("libcalls");

pub(crate) fn check(compiler: &Compiler) {
    let is_counted = COUNTED_LIBRARY_CALLS.contains(&compiler.target.architecture);
    let flags = ["-pthread", "-fno-builtin", "-Wl,--no-as-needed", "-lm"];
    for (mode_name, binding) in [
        ("default", "-Wl,-z,lazy"),
        ("default", "-Wl,-z,now,-z,relro"),
        ("preloaded", "-Wl,-z,now,-z,relro"),
    ] {
        let all = [&flags[..], &[binding]].concat();
        let program = SUITE.build_by(compiler, "calls.c", mode(mode_name), &all);
        let options = [("GMON_OPTIONS", "libcalls,sampler=none")];
        let output = program.run(&[], &options);
        let what = format!("{mode_name} {binding}");
        assert!(output.status.success(), "{what}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n", "{what}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said.contains("not on this processor"), !is_counted, "{what}: {said}");
        if is_counted {
            assert_eq!(said, "", "{what}");
            let file = program.path("gmon.out.full");
            LibraryCalls::read(&file, &program.executable).are_those_of_calls_c(&what);
        }
    }
    if compiler.target.architecture == "x86" {
        library_calls::change_no_register(SUITE, compiler, &["-no-pie", "-fno-pie"]);
    }
}

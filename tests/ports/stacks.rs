//! Call stacks: who is found to be the caller is who called, in whatever way, and at every instruction of a hook.

use support::{
    callers::{check_report, check_stacks, run},
    compilers::Compiler,
    modes::mode,
    stubs,
};

/// What has the compiler write rules for all code, where it does not by itself.
const WITH_RULES: &str = "-fasynchronous-unwind-tables";
const WITHOUT_RULES: [&str; 2] = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"];

pub(crate) fn check(compiler: &Compiler) {
    // Return addresses that are signed, where there are such.
    let signed = (compiler.target.architecture == "aarch64")
        .then_some(("default", "-mbranch-protection=standard"));
    let usual = [("default", WITH_RULES), ("preloaded", WITH_RULES)];
    for (name, flag) in usual.into_iter().chain(signed) {
        compiler.target.check_with_signals(|| {
            let program = run(compiler, name, &[flag]);
            check_stacks(&program);
            check_report(&program);
        });
    }
    compiler.target.check_with_signals(|| check_report(&run(compiler, "default", &WITHOUT_RULES)));
}

/// Samples at every instruction of the hooks, and of what counts calls into libraries.
pub(crate) fn check_hooks(compiler: &Compiler) {
    let check = |name| compiler.target.check_with_signals(|| stubs::check(compiler, mode(name)));
    check("static, own start");
    if ["s390x", "x86"].contains(&compiler.target.architecture) {
        check("fentry, static");
    }
    compiler.target.check_with_signals(|| stubs::check_library_calls(compiler));
}

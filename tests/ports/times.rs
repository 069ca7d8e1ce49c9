//! Times of calls in programs whose functions call hooks at both ends, or have exits that sleep.

use support::{
    call_times::{check_frames, check_instrumented, check_sleeping},
    compilers::Compiler,
    modes::{Mode, mode},
    stubs,
    suite::Suite,
    switches,
};

pub(crate) fn check(compiler: &Compiler) {
    // Without any profiler, too, this emulator delivers two of 100 signals whose handlers jump away.
    let is_emulated_well = compiler.target.emulator != "qemu-sparc64";
    for name in ["default", "static, own start"].into_iter().filter(|_| is_emulated_well) {
        let mode = Mode { hooks: &["-finstrument-functions"], ..*mode(name) };
        let program = Suite("live").build_by(compiler, "times.cc", &mode, &["-pthread"]);
        compiler.target.check_with_signals(|| check_instrumented(&program, compiler.name));
    }
    for flag in ["-O0", "-O2"] {
        compiler.target.check_with_signals(|| check_frames(compiler, &[flag]));
    }
}

/// Checks times by exits that sleep, for which compilers leave room.
pub(crate) fn check_exits(compiler: &Compiler) {
    for (name, flags) in [
        ("dormant", &[][..]),
        ("dormant, static", &[]),
        ("dormant", &["-mbranch-protection=standard"]),
        ("dormant, unoptimised", &[]),
    ] {
        let flags = [&["-pthread"], flags].concat();
        let program = Suite("live").build_by(compiler, "times.cc", mode(name), &flags);
        check_sleeping(&program, name);
    }
    stubs::check_exits(compiler);
    let switched =
        Suite("live").build_by(compiler, "times_switched.c", mode("dormant"), &["-pthread"]);
    switches::check_times(&switched, 100);
}

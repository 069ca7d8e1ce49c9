//! Hooks that sleep: threads call them while they are switched, on each processor that has such hooks; the others say
//! that they have not.

use assert_cmd::prelude::*;
use gmon_format::dormant::Processor;
use predicates::str::contains;

use support::{
    command::{gmon, text_of},
    compilers::Compiler,
    modes::mode,
    program::Program,
    stubs,
    suite::Suite,
    switches,
    workplace::Workplace,
};

pub(crate) fn check(compiler: &Compiler) {
    const OFTEN: u32 = 400;
    const SELDOM: u32 = 40;
    let architecture = compiler.target.architecture;
    if Processor::of(architecture).is_none() {
        return refused(compiler);
    }
    let check = |mode_name, flags: &[&str], times| {
        let flags = [&["-pthread"], flags].concat();
        let program = Suite("live").build_by(compiler, "dormant.c", mode(mode_name), &flags);
        switches::check(&program, times);
        functions_begin_where_their_source_does(&program);
    };
    check("dormant", &[], OFTEN);
    check("dormant, static", &[], SELDOM);
    match architecture {
        // Functions begin with a landing pad, and others sign return addresses.
        "aarch64" => {
            check("dormant", &["-mbranch-protection=standard"], SELDOM);
            some_have_none(compiler);
        }
        // Functions have twice the room.
        "riscv64" => check("dormant", &["-march=rv64g", "-mabi=lp64d"], SELDOM),
        _ => {}
    }
    stubs::check(compiler, mode("dormant, static"));
}

/// gcc leaves the room for a hook before it says of which line the function is.
fn functions_begin_where_their_source_does(program: &Program) {
    let mut export = gmon();
    export.args(["export", "--format", "csv"]).arg(&program.executable).arg(program.data());
    let table = text_of(&mut export);
    let row = table.lines().find(|row| row.starts_with("always,")).expect("a row");
    assert!(row.contains("/dormant.c,"), "{row}");
}

/// A function that is too far away to call the hook, and one that gets arguments in more registers than a hook keeps.
const WITHOUT_HOOKS: &str = r#"
#include <arm_neon.h>
__attribute__((noipa, aarch64_vector_pcs)) static float32x4_t of_vectors(float32x4_t a) { return a + 1; }
__attribute__((noipa, section(".far"))) void far(void) {}
__attribute__((noipa)) void near(void) {}

int main(void)
{
    float32x4_t a = {0};

    for (int i = 0; i < 7; i++)
        a = of_vectors(a), far(), near();
    return a[0] == 7 ? 0 : 1;
}
"#;

fn some_have_none(compiler: &Compiler) {
    let place = Workplace::new();
    place.write("prog.c", WITHOUT_HOOKS);
    let mut cc = place.gmon("cc --dormant");
    cc.arg(compiler.c).args(compiler.options).args(["-O2", "-static", "prog.c", "-o", "prog"]);
    cc.arg("-Wl,--section-start=.far=0x20000000");
    let said = "gmon: prog: no hooks in 1 function: the runtime is too far away\n";
    cc.assert().success().stdout("").stderr(said);
    let mut run = compiler.target.run(&place.path("prog"), None);
    run.current_dir(place.folder()).env("GMON_OPTIONS", "hooks=*");
    run.assert().success().stdout("").stderr("");
    let counts = place.counts("prog");
    let calls = ["of_vectors", "far", "near", "main"].map(|name| counts.calls(name));
    assert_eq!(calls, [0, 0, 7, 1]);
}

fn refused(compiler: &Compiler) {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 0; }\n");
    let mut cc = place.gmon("cc --dormant");
    cc.arg(compiler.c).args(compiler.options).args(["-c", "prog.c"]);
    let said = "makes programs for Linux on x86-64, AArch64, 64-bit RISC-V, not for ";
    cc.assert().code(1).stderr(contains(said));
}

//! The compilers for other machines, and whether programs that they build can be tested here.
//!
//! The machines are those whose libraries the command under test carries (`GMON_TARGETS`, see
//! docs/porting.md).

use std::{env::consts::ARCH, sync::LazyLock};

use super::{
    command::{gmon, output_of, said},
    compilers::Compiler,
    targets::{PORTS, Port, Target},
    tools,
};

/// The compilers for each port with Linux but this machine's: gcc, and clang where the table has it.
static COMPILERS: LazyLock<Vec<Compiler>> = LazyLock::new(|| {
    let others = PORTS.iter().filter(|port| port.system == "linux" && port.processor != ARCH);
    others.flat_map(of_port).collect()
});

/// Processors of ports on which calls into shared libraries are counted.
pub const COUNTED_LIBRARY_CALLS: &[&str] =
    &["aarch64", "arm", "powerpc64", "riscv64", "s390x", "x86", "x86_64"];

fn of_port(port: &Port<'static>) -> impl Iterator<Item = Compiler> + use<> {
    let target: &Target = Box::leak(Box::new(Target::of(port)));
    let (c, options) = port.gcc.split_first().expect("a compiler");
    let cxx = c.strip_suffix("gcc").map(|prefix| format!("{prefix}g++").leak());
    let gcc = Compiler {
        name: "gcc",
        c,
        cxx: cxx.expect("a gcc"),
        options: [options, &port.link].concat().leak(),
        target,
    };
    let option: &str = format!("--target={}", port.triple).leak();
    let options = vec![option].leak();
    let clang = Compiler { name: "clang", c: "clang", cxx: "clang++", options, target };
    [Some(gcc), port.clang.then_some(clang)].into_iter().flatten()
}

/// Those whose programs can be built and run here: in CI, all of them.
///
/// # Panics
///
/// If the tests run in CI, and something is missing.
pub fn testable() -> impl Iterator<Item = &'static Compiler> {
    COMPILERS.iter().filter(|compiler| can_be_tested(compiler))
}

/// Whether all is there that programs of the compiler need. In CI it has to be.
fn can_be_tested(compiler: &Compiler) -> bool {
    let target = compiler.target;
    is_carried(target)
        && [compiler.c, compiler.cxx, target.emulator, target.gprof]
            .iter()
            .all(|tool| tool.is_empty() || tools::find(tool).is_some())
}

/// Whether the command under test carries the libraries for a machine. In CI it has to.
///
/// # Panics
///
/// If it does not, in CI.
pub fn is_carried(target: &Target) -> bool {
    let carries = output_of(gmon().args(["config", "--libs", "--target", target.triple]));
    let is_carried = carries.status.success();
    if !is_carried {
        tools::skip(said(&carries).trim_end());
    }
    is_carried
}

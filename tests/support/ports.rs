//! The compilers for other machines, and whether programs that they build can be tested here. A compiler is
//! one row.
//!
//! The machines are those whose libraries the command under test carries (`GMON_TARGETS`, see
//! docs/porting.md).

use super::{
    command::{gmon, output_of},
    compilers::Compiler,
    targets::{PORTS, Target},
    tools,
};

/// All compilers for ports.
const COMPILERS: &[Compiler] = &[
    gcc(["aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++"], &PORTS[0]),
    clang(&["--target=aarch64-linux-gnu"], &PORTS[0]),
    gcc(["riscv64-linux-gnu-gcc", "riscv64-linux-gnu-g++"], &PORTS[1]),
    clang(&["--target=riscv64-linux-gnu"], &PORTS[1]),
    gcc(SPARC, &PORTS[2]),
    Compiler { options: SPARC_32, ..gcc(SPARC, &PORTS[3]) },
    gcc(["arm-linux-gnueabihf-gcc", "arm-linux-gnueabihf-g++"], &PORTS[4]),
    clang(&["--target=arm-linux-gnueabihf"], &PORTS[4]),
    gcc(["i686-linux-gnu-gcc", "i686-linux-gnu-g++"], &PORTS[5]),
    clang(&["--target=i686-linux-gnu"], &PORTS[5]),
];

const SPARC: [&str; 2] = ["sparc64-linux-gnu-gcc", "sparc64-linux-gnu-g++"];

/// The emulator looks for the dynamic linker by the name that Debian's package gives it.
const SPARC_32: &[&str] = &["-m32", "-Wl,--dynamic-linker=/lib32/ld-linux.so.2"];

const fn gcc([c, cxx]: [&'static str; 2], target: &'static Target) -> Compiler {
    Compiler { name: "gcc", c, cxx, options: &[], target }
}

const fn clang(options: &'static [&'static str], target: &'static Target) -> Compiler {
    Compiler { name: "clang", c: "clang", cxx: "clang++", options, target }
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
    assert!(is_carried || !tools::in_ci(), "GMON_TARGETS lacks {}", target.triple);
    if !is_carried {
        eprintln!("SKIPPED: {}", String::from_utf8_lossy(&carries.stderr).trim_end());
    }
    is_carried
}

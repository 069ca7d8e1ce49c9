//! The ports whose hooks are measured.

/// A machine, its C compiler, and what runs its programs.
pub(crate) struct Machine {
    pub(crate) name: &'static str,
    pub(crate) compiler: &'static [&'static str],
    pub(crate) emulator: &'static str,
}

const fn machine(
    name: &'static str,
    compiler: &'static [&'static str],
    emulator: &'static str,
) -> Machine {
    Machine { name, compiler, emulator }
}

pub(crate) const MACHINES: &[Machine] = &[
    machine("x86-64", &["x86_64-linux-gnu-gcc"], "qemu-x86_64"),
    machine("AArch64", &["aarch64-linux-gnu-gcc"], "qemu-aarch64"),
    machine("RISC-V, 64 bits", &["riscv64-linux-gnu-gcc"], "qemu-riscv64"),
    machine("SPARC, 64 bits", &["sparc64-linux-gnu-gcc"], "qemu-sparc64"),
    machine("SPARC, 32 bits", &["sparc64-linux-gnu-gcc", "-m32"], "qemu-sparc32plus"),
    machine("ARM, 32 bits", &["arm-linux-gnueabihf-gcc"], "qemu-arm"),
    machine("x86, 32 bits", &["i686-linux-gnu-gcc"], "qemu-i386"),
];

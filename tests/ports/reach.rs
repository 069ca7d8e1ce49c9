//! The reach of the library's branches: linkers lengthen calls and jumps, but no conditional branches, and a symbol may lie
//! anywhere in a large program.

use support::{
    command::{quiet, static_library_for, text_of},
    compilers::Compiler,
};

/// Relocations of branches that reach 1 MB or less.
const SHORT: [&str; 11] = [
    "R_AARCH64_CONDBR19",
    "R_AARCH64_TSTBR14",
    "R_ARM_THM_JUMP1",
    "R_ARM_THM_JUMP8",
    "R_390_PC16DBL",
    "R_MIPS_PC16",
    "R_PPC64_REL14",
    "R_RISCV_BRANCH",
    "R_RISCV_JAL",
    "R_RISCV_RVC_",
    "R_SPARC_WDISP1",
];

/// Branches within a function have labels of the assembler.
const LABEL: &str = ".L";

pub(crate) fn check(compiler: &Compiler) {
    let relocations = text_of(quiet("readelf").arg("-rW").arg(static_library_for(compiler.target)));
    let mut branches = 0;
    for line in relocations.lines() {
        let mut fields = line.split_whitespace().skip(2);
        let (Some(kind), _, Some(symbol)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        branches += usize::from(symbol.starts_with("__mcount_internal"));
        let is_short = SHORT.iter().any(|short| kind.starts_with(short));
        assert!(!is_short || symbol.starts_with(LABEL), "{line}");
    }
    assert!(branches > 0, "no hook goes on to Rust: {relocations}");
}

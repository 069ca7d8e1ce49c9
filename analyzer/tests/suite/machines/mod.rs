//! One program compiled for many machines, as an executable and as an object file: its lines are those
//! of the machine's own GNU gprof, and the calls in its code those that a disassembler sees.

mod calls;
mod lines;

use std::process::Command;

use gmon_analyzer::Image;

use crate::data::{Data, Histogram};
use crate::gnu;
use crate::run::Case;

/// A machine that clang compiles for.
pub(super) struct Machine {
    target: &'static str,
    /// How the names of its GNU tools begin.
    prefix: &'static str,
    /// What its linker calls it, if it is not the one that this is for by default.
    emulation: &'static str,
    /// Mnemonics of calls.
    calls: &'static [&'static str],
}

const fn machine(
    target: &'static str,
    prefix: &'static str,
    emulation: &'static str,
    calls: &'static [&'static str],
) -> Machine {
    Machine { target, prefix, emulation, calls }
}

/// In both byte orders and word sizes. With descriptors of functions, as 64-bit PowerPC has them in big-endian order, GNU's
/// tools give them names that are none of the program's.
pub(super) const MACHINES: [Machine; 13] = [
    machine("x86_64-linux-gnu", "", "", &["call"]),
    machine("i386-linux-gnu", "", "elf_i386", &["call"]),
    machine("aarch64-linux-gnu", "aarch64-linux-gnu-", "", &["bl"]),
    machine("arm-linux-gnueabi", "arm-linux-gnueabi-", "", &["bl"]),
    machine("riscv64-linux-gnu", "riscv64-linux-gnu-", "", &["jal", "jalr"]),
    machine("sparc64-linux-gnu", "sparc64-linux-gnu-", "", &["call"]),
    machine("mips-linux-gnu", "mips-linux-gnu-", "", &["jal", "bal"]),
    machine("mips64-linux-gnu", "mips-linux-gnu-", "elf64btsmip", &["jal", "bal"]),
    machine("mips64el-linux-gnu", "mips64el-linux-gnuabi64-", "", &["jal", "bal"]),
    machine("powerpc-linux-gnu", "powerpc64-linux-gnu-", "elf32ppclinux", &["bl"]),
    machine("powerpc64-linux-gnu", "powerpc64-linux-gnu-", "", &[]),
    machine("powerpc64le-linux-gnu", "powerpc64-linux-gnu-", "elf64lppc", &["bl"]),
    machine("s390x-linux-gnu", "s390x-linux-gnu-", "", &["brasl"]),
];

impl Machine {
    fn has_two_entries(&self) -> bool {
        self.target.starts_with("powerpc64le")
    }

    fn tool(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The program as `exe`, or as the object file that it is linked from; none without the tools.
    fn compile(&self, test: &str, flags: &[&str], is_linked: bool) -> Option<Case> {
        let tools = ["clang".to_owned(), self.tool("ld"), self.tool("gprof")];
        if !tools.iter().all(|tool| gnu::has(test, tool)) {
            return None;
        }
        let case = Case::new(b"", b"");
        case.file("program.c", include_bytes!("program.c"));
        case.file("inline.h", include_bytes!("inline.h"));
        let output = if is_linked { "program.o" } else { "exe" };
        let mut compile = Command::new("clang");
        compile.arg(format!("--target={}", self.target)).args(flags);
        compile.args(["-w", "-fno-pic", "-c", "program.c", "-o", output]);
        if self.target.starts_with("mips") {
            compile.arg("-mno-abicalls");
        }
        run(&case, &mut compile);
        if is_linked {
            let mut link = Command::new(self.tool("ld"));
            if !self.emulation.is_empty() {
                link.args(["-m", self.emulation]);
            }
            run(&case, link.args(["program.o", "-o", "exe"]));
        }
        Some(case)
    }
}

/// Writes data of samples and calls in a part of the code.
fn write_data(case: &Case, part: f64) {
    let image = Image::open(case.path("exe")).unwrap();
    let text = image.text();
    let bins = ((text.end - text.start) as f64 * part) as u64 / 4;
    let at = |number: u64| text.start.0 + number * 4;
    let data = Data {
        histograms: vec![Histogram::new(at(0), at(bins), (0..bins).map(|bin| bin % 5).collect())],
        arcs: (1..9).map(|n| (at(n * bins / 9), at(n * n * bins / 90), n % 4)).collect(),
    };
    case.file("gmon.out", &data.bytes(image.encoding()));
}

fn run(case: &Case, command: &mut Command) {
    let output = command.current_dir(case.folder()).output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

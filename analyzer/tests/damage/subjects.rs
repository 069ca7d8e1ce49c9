//! Whole programs with their data, to be damaged.

use std::fs;
use std::process::Command;

use gmon_analyzer::Image;

use crate::bytes;
use crate::data::{Data, Histogram};
use crate::elf::{self, Elf};

const SOURCE: &str = "\
static inline int twice(int n) { return n * 2; }
__attribute__((noinline)) static int leaf(int n)
{ return twice(n) + 1; }
__attribute__((noinline)) int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += leaf(i) ^ twice(sum);
    return sum;
}
int main(void)
{
    return work(3) + leaf(4);
}
void _start(void) { main(); }
";

/// A program and what its runs wrote.
pub(crate) struct Subject {
    exe: Vec<u8>,
    data: Vec<u8>,
}

impl Subject {
    /// All files by their names.
    pub(crate) fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![
            ("exe", self.exe.clone()),
            ("gmon.out", self.data.clone()),
            ("symbols", b"401000 T main\n0000000000401040 t work\n401080 W weak\n".to_vec()),
            ("map", b"a.o:401000 T main\nb.o:401040 t work\nb.o:401080 T leaf\n".to_vec()),
            ("words", b"-T -w '50' \"-z\" \\-k main/work\n".to_vec()),
            ("program.c", SOURCE.as_bytes().to_vec()),
        ]
    }
}

/// Programs made by hand for every encoding, and compiled ones with debug information.
pub(crate) fn subjects() -> Vec<Subject> {
    let machines =
        [(elf::LITTLE_64, 62), (elf::BIG_64, 43), (elf::LITTLE_32, 40), (elf::BIG_32, 8)];
    let by_hand = machines.map(|(encoding, machine)| {
        let mut exe = Elf::new(0x40_1000, 0x100);
        (exe.encoding, exe.machine) = (encoding, machine);
        for (name, number) in ["main", "_work", "leaf.1", "_ZN1a1bEv", "last"].into_iter().zip(0..)
        {
            let binding = if number == 2 { elf::LOCAL } else { elf::GLOBAL };
            exe.symbol(name, 0x40_1000 + 0x30 * number, binding, elf::FUNC, elf::TEXT);
        }
        exe.code.push((0x40_1008, vec![0xe8, 0x23, 0, 0, 0]));
        subject(exe.bytes())
    });
    let compiled = [
        "-O2 -g -gdwarf-5",
        "-O2 -g -gdwarf-4 -gz",
        "-O1 -g -gdwarf-3",
        "-O0 -g -gdwarf-2 -gstrict-dwarf",
        "-O2 -g -c",
    ];
    by_hand.into_iter().chain(compiled.into_iter().filter_map(compile)).collect()
}

fn compile(flags: &str) -> Option<Subject> {
    fs::write("program.c", SOURCE).expect("a writable folder");
    let options = "-nostdlib -static -fno-pie -no-pie -w -fno-asynchronous-unwind-tables \
                   -Wl,--build-id=none program.c -o exe";
    let mut command = Command::new("gcc");
    command.args(flags.split(' ')).args(options.split_whitespace());
    let Ok(output) = command.output() else {
        assert!(std::env::var_os("CI").is_none(), "damaged programs need gcc");
        eprintln!("SKIPPED: damaged programs with debug information: there is no gcc");
        return None;
    };
    assert!(output.status.success(), "{command:?}: {output:?}");
    Some(subject(fs::read("exe").expect("an executable")))
}

/// Adds data of all kinds.
fn subject(exe: Vec<u8>) -> Subject {
    fs::write("exe", &exe).expect("a writable folder");
    let image = Image::open("exe").expect("a good executable");
    let (encoding, text) = (image.encoding(), image.text());
    let bins = (0..(text.end - text.start) / 4).map(|bin| bin % 5).collect();
    let at = |part: u64| text.start + (text.end - text.start) * part / 8;
    let data = Data {
        histograms: vec![Histogram::new(text.start, text.end, bins)],
        arcs: (0..8).map(|n| (at(n), at(n * 3 % 8), n + 1)).collect(),
    };
    let blocks = [(at(0), 7), (at(2), 9), (at(2) + 4, 1)];
    let data = [data.bytes(encoding), bytes::blocks(&blocks, encoding)].concat();
    Subject { exe, data }
}

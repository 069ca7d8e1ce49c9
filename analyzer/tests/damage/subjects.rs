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

/// A data file without a record.
const NO_DATA: &[u8] = b"gmon\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// A program and what its runs wrote.
pub(crate) struct Subject {
    exe: Vec<u8>,
    data: Vec<u8>,
    /// The file that has its debug information.
    debug: Option<(&'static str, Vec<u8>)>,
}

impl Subject {
    /// The file that has its debug information, if it is not in the program.
    #[allow(dead_code, reason = "for the fuzzer")]
    pub(crate) fn debug_file(&self) -> Option<&(&'static str, Vec<u8>)> {
        self.debug.as_ref()
    }

    /// All files by their names; most of what can go wrong is in the first one.
    pub(crate) fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let files = [
            ("exe", self.exe.clone()),
            ("gmon.out", self.data.clone()),
            ("symbols", b"401000 T main\n0000000000401040 t work\n401080 W weak\n".to_vec()),
            ("map", b"a.o:401000 T main\nb.o:401040 t work\nb.o:401080 T leaf\n".to_vec()),
            ("words", b"-T -w '50' \"-z\" \\-k main/work\n".to_vec()),
            ("program.c", SOURCE.as_bytes().to_vec()),
        ];
        self.debug.iter().cloned().chain(files).collect()
    }
}

/// How the debug information of a program gets into another file: flags of the compiler, what is to
/// be done then, and the file.
const SEPARATE: [(&str, &str, &str); 5] = [
    (
        "-g -O2 -Wl,--build-id=0xabcd",
        "mkdir -p .build-id/ab; objcopy --only-keep-debug exe .build-id/ab/cd.debug; strip exe",
        ".build-id/ab/cd.debug",
    ),
    (
        "-gdwarf-4 -O2 -Wl,--build-id=0xabce",
        "mkdir -p .build-id/ab; objcopy --only-keep-debug --compress-debug-sections=zstd exe \
         .build-id/ab/ce.debug; strip exe",
        ".build-id/ab/ce.debug",
    ),
    ("-g -O2", "cp exe second; dwz -m common.debug -r exe second", "common.debug"),
    ("-gdwarf-5 -gsplit-dwarf -O2", "", "exe-program.dwo"),
    (
        "-gdwarf-4 -gsplit-dwarf -O2",
        "dwp exe-program.dwo -o exe.dwp; rm exe-program.dwo",
        "exe.dwp",
    ),
];

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
    let compiled = compiled.map(|flags| compile(&format!("{flags} -Wl,--build-id=none")));
    let separate = SEPARATE.map(|(flags, script, file)| {
        let whole = compile(flags)?;
        command("sh", &["-ec", script])?;
        // Whose name only debug information has.
        assert!(report().contains("(twice:"), "{file} is not read: {}", report());
        let debug = Some((file, fs::read(file).expect("debug information")));
        // The program has lost its own.
        Some(Subject { exe: fs::read("exe").expect("a program"), debug, ..whole })
    });
    by_hand.into_iter().chain(compiled.into_iter().chain(separate).flatten()).collect()
}

fn compile(flags: &str) -> Option<Subject> {
    fs::write("program.c", SOURCE).expect("a writable folder");
    let options = "-nostdlib -static -fno-pie -no-pie -w -fno-asynchronous-unwind-tables \
                   program.c -o exe";
    command("gcc", &flags.split(' ').chain(options.split_whitespace()).collect::<Vec<_>>())?;
    Some(subject(fs::read("exe").expect("an executable")))
}

/// Runs a tool, if it is there.
fn command(tool: &str, words: &[&str]) -> Option<()> {
    let output = Command::new(tool).args(words).output();
    let is_done = output.as_ref().is_ok_and(|output| output.status.success());
    let is_missing = output.as_ref().map_or(true, |output| output.status.code() == Some(127));
    assert!(is_done || is_missing, "{tool} {words:?}: {output:?}");
    assert!(is_done || std::env::var_os("CI").is_none(), "damaged programs need {tool} {words:?}");
    if is_missing {
        eprintln!("SKIPPED: damaged debug information: no tool for {tool} {words:?}");
    }
    is_done.then_some(())
}

/// All lines of the program in `exe`.
fn report() -> String {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    fs::write("data", NO_DATA).expect("a writable folder");
    let words = ["-blzC", "exe", "data"].map(Into::into);
    gmon_analyzer::gprof::main("gprof", &words, &mut stdout, &mut stderr);
    String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned()
}

/// Adds data of all kinds.
fn subject(exe: Vec<u8>) -> Subject {
    fs::write("exe", &exe).expect("a writable folder");
    let image = Image::open("exe").expect("a good executable");
    let (encoding, text) = (image.encoding(), image.text());
    let bins = (0..(text.end - text.start) / 4).map(|bin| bin % 5).collect();
    let (start, end) = (text.start.0, text.end.0);
    let at = |part: u64| start + (end - start) * part / 8;
    let data = Data {
        histograms: vec![Histogram::new(start, end, bins)],
        arcs: (0..8).map(|n| (at(n), at(n * 3 % 8), n + 1)).collect(),
    };
    let blocks = [(at(0), 7), (at(2), 9), (at(2) + 4, 1)];
    let data = [data.bytes(encoding), bytes::blocks(&blocks, encoding)].concat();
    Subject { exe, data, debug: None }
}

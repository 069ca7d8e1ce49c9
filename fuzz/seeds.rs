//! Writes the files that the fuzzer starts from: small whole ones of every format and encoding.

use std::convert::Infallible;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use gmon_format::live::{
    self, Code, CodeKind, CodeLines, CodeParts, Content, Form, Header, Kernel, KernelWeight, Label, Module, Round, Sample, StackNode, Thread, Gap, GapKind, Mark,
};
use gmon_format::{
    Arc, Block, BsdHeader, BsdWriter, Encoding, FilePc, HistogramHeader, LoadedPc, Placement, Sink,
    Writer,
};

#[path = "../analyzer/tests/suite/bytes.rs"]
#[allow(dead_code, reason = "it writes other files too")]
mod bytes;
#[path = "../analyzer/tests/suite/data.rs"]
mod data;
#[path = "../analyzer/tests/suite/elf.rs"]
#[allow(dead_code, reason = "it makes other programs too")]
mod elf;
#[path = "../analyzer/tests/damage/subjects.rs"]
#[allow(dead_code, reason = "only debug information is asked for")]
mod subjects;

const TEXT: u64 = 0x40_1000;
const BINS: u32 = 8;
const ARCS: [(u64, u64, u64); 3] =
    [(TEXT + 4, TEXT + 16, 5), (TEXT + 20, TEXT, 1 << 33), (TEXT, TEXT, 0)];

const BB_OUT: &str = "File a.c, 2 basic blocks\n\
    Block #1: executed   5 time(s) address= 0x401004 function= main line= 3 file= a.c\n\
    Block #2: executed  12 time(s) address= 0x401044 function= work line= 9 file= a.c\n";

/// Words, here with blanks between them.
const OPTIONS: [&str; 5] = [
    "-bpq --graph=main -T -z -w 132 --demangle=rust",
    "-b -pa -Pb -qa/b -k a/b -e a -E b -f c -F d -n e -N f -- -p",
    "-l -A -Cmain -Jmain -x -y -t 5 -m 7 -I dir:dir --no-demangle -L",
    "-r -R map -S symbols -c -a -D -i -s -O bsd -d4096",
    "--no- --fil --=a -9 --help @words",
];

/// The letter in front says which report they are for; a large one leaves out what they select.
const SYMSPECS: [&str; 3] = ["pa\npb\nPc", "ka/b\nKc/\nK/d\nka", "qa.c\nQa.c:12\nn:f\nN7\nnbeyond"];

const LISTS: [&str; 2] = [
    "0000000000401000 T main\n0x401010\tt _f1 [module]\n401020 W weak\n         U puts\n",
    "a.o:00000000 T f0\na.o:00000010 t f1\nNo symbols in b.o\n\nc.o:x:y  f3\n",
];

/// Some calls on x86, ARM, MIPS, SPARC and RISC-V.
const CALLS: &[u8] =
    b"\xe8\x0b\0\0\0\x90\x90\x90\x04\0\0\x94\x0c\x10\x04\x02\x40\0\0\x02\xef\0\x80\0\0\xf0\x04\xf8";

/// Linker names of C++ and Rust, each with what it means behind a tab.
const DEMANGLED: &str = include_str!("../demangle/tests/golden/demangled.txt");

/// Names of Ada, D and Java.
const OTHER_NAMES: [&str; 3] =
    ["pkg__recordSR__2", "_D4test__T1tTiVii10ZQpFQjZv", "_ZN4java4lang6String7valueOfEP6JArrayIwE"];

fn main() -> io::Result<()> {
    programs()?;
    debug_files()?;
    for (number, list) in LISTS.iter().enumerate() {
        write_file("lists", &number.to_string(), list.as_bytes())?;
    }
    for machine in 0..14 {
        write("calls", &machine.to_string(), machine, CALLS)?;
    }
    for (encoding, number) in Encoding::ALL.into_iter().zip(0..) {
        for (name, bytes) in [
            ("gnu", gnu(encoding)),
            ("bsd", bsd(encoding, None)),
            ("bsd44", bsd(encoding, Some(1000))),
            ("version_0", version_0(encoding)),
        ] {
            for target in ["data_file", "sum"] {
                write(target, &format!("{name}.{number}"), number, &bytes)?;
            }
        }
        write_file("live", &number.to_string(), &full_profile(encoding))?;
        write("bb_out", &number.to_string(), number, BB_OUT.as_bytes())?;
    }
    write_file("made", "map", b"7f00 10 JS:~fib /a.js:1:2\n0x7f08 0x80 work\n7f00 8 late\n")?;
    write_file("made", "dump", &bytes::jitdump())?;
    for (number, line) in OPTIONS.iter().enumerate() {
        let words = line.replace(' ', "\0");
        write_file("options", &number.to_string(), words.as_bytes())?;
    }
    for (number, name) in names().enumerate() {
        write_file("names", &number.to_string(), name.as_bytes())?;
    }
    for (number, specs) in SYMSPECS.iter().enumerate() {
        write_file("symspecs", &number.to_string(), specs.as_bytes())?;
    }
    Ok(())
}

/// The names that the fuzzer starts from.
fn names() -> impl Iterator<Item = &'static str> {
    let golden = DEMANGLED.lines().filter_map(|line| line.split('\t').next());
    golden.chain(OTHER_NAMES)
}

/// Writes programs with debug information of every version, if there is a compiler.
fn programs() -> io::Result<()> {
    let source =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/suite/conformance/programs/upstream.c");
    for version in 2..=5 {
        let name = version.to_string();
        write_file("program", &name, b"")?;
        let mut compile = Command::new("cc");
        compile.arg(format!("-gdwarf-{version}")).args(["-O2", "-nostdlib", "-Wl,-e,main", source]);
        match compile.arg("-o").arg(corpus("program").join(&name)).status() {
            Ok(status) if status.success() => {}
            outcome => {
                eprintln!("cc: {outcome:?}: no program with DWARF {version} among the seeds")
            }
        }
    }
    Ok(())
}

/// Writes files with the debug information of the programs that the fuzzer makes.
fn debug_files() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let before = env::current_dir()?;
    env::set_current_dir(&folder)?;
    let programs = subjects::subjects();
    env::set_current_dir(before)?;
    let files = programs.iter().filter_map(subjects::Subject::debug_file);
    for ((_, bytes), number) in files.zip(0..) {
        write("debug_files", &number.to_string(), number, bytes)?;
    }
    Ok(())
}

/// Writes a seed; its first byte chooses the encoding.
fn write(target: &str, name: &str, encoding: u8, bytes: &[u8]) -> io::Result<()> {
    write_file(target, name, &[&[encoding], bytes].concat())
}

fn write_file(target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = corpus(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}

fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

#[derive(Default)]
struct File(Vec<u8>);

impl Sink for File {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

fn gnu(encoding: Encoding) -> Vec<u8> {
    let header = HistogramHeader {
        low_pc: FilePc(TEXT),
        high_pc: FilePc(TEXT + 32),
        bins: BINS,
        rate: 100,
        dimension: HistogramHeader::SECONDS,
        abbreviation: b's',
    };
    let mut buffer = [0; 64];
    let Ok(mut writer) = Writer::new(File::default(), encoding, &mut buffer);
    let Ok(()) = writer.histogram(&header, [(0, 5), (3, 70_000)].into_iter());
    for (from_pc, self_pc, count) in ARCS {
        let Ok(()) = writer.arc(Arc::new(from_pc, self_pc, count));
    }
    let Ok(()) = writer.blocks([Block { pc: FilePc(TEXT + 1), count: 7 }].into_iter());
    let Ok(file) = writer.finish();
    file.0
}

fn bsd(encoding: Encoding, rate: Option<u32>) -> Vec<u8> {
    let header = BsdHeader { low_pc: FilePc(TEXT), high_pc: FilePc(TEXT + 32), bins: BINS, rate };
    let mut buffer = [0; 64];
    let Ok(mut writer) =
        BsdWriter::new(File::default(), encoding, &mut buffer, &header, [1, 0, 3].into_iter());
    for (from_pc, self_pc, count) in ARCS {
        let Ok(()) = writer.arc(Arc::new(from_pc, self_pc, count));
    }
    let Ok(file) = writer.finish();
    file.0
}

/// A basic-block record of version 0 behind the header: count, address, two names, a line.
fn version_0(encoding: Encoding) -> Vec<u8> {
    let mut buffer = [0; 64];
    let Ok(writer) = Writer::new(File::default(), encoding, &mut buffer);
    let Ok(File(mut bytes)) = writer.finish();
    bytes[4..8].fill(0);
    bytes.push(2);
    bytes.extend(encoding.u32_bytes(1));
    bytes.extend(b"module\0");
    bytes.extend(vec![0; 2 * encoding.word.bytes()]);
    bytes.extend(b"file.c\0function\0");
    bytes.extend(encoding.u32_bytes(12));
    bytes
}

/// A finished full profile with a block of each kind.
fn full_profile(encoding: Encoding) -> Vec<u8> {
    let node =
        StackNode { pc: LoadedPc(TEXT), parent: Some(0), is_guess: true, samples: 1, weight: 2, kernel: KernelWeight { calls: 1, faults: 1 } };
    let root = StackNode { pc: Label::Thread.pc(), parent: None, ..node };
    let module = Module {
        start: LoadedPc(TEXT),
        end: LoadedPc(TEXT + 32),
        bias: 0,
        eh_frame_hdr: LoadedPc(TEXT + 16),
        loaded_ns: 0,
        unloaded_ns: 5,
        generation: 0,
        build_id: &[1; 20],
        path: b"",
    };
    let thread = Thread {
        id: 12,
        begun_ns: 1,
        ended_ns: 2,
        cpu_ns: 3,
        signals: 4,
        squared_weights: 5,
        name: *b"name\0\0\0\0\0\0\0\0\0\0\0\0",
    };
    let code = Code {
        start: LoadedPc(TEXT + 64),
        end: LoadedPc(TEXT + 80),
        from_ns: 1,
        to_ns: 2,
        kind: CodeKind::Python,
        first_line: 3,
        lines: CodeLines::none(),
        name: b"",
        file: b"",
    };
    let parts = CodeParts { name_at: 0, file_at: 0, lines_at: 0 };
    let sample = Sample { at_us: 5, node: 1, weight: 2, is_look: true, kernel: Some(Kernel::Call) };
    let mark = Mark::new((1000, Some(9000)), false, 0, b"phase");
    let gap = Gap { begun_us: 2, ended_us: 4, thread: 0, kind: GapKind::Waiting };
    let stacks = [root, node].map(|node| node.encode(encoding)).concat();
    let mut arc = vec![1; 2 * encoding.word.bytes()];
    arc.extend(encoding.u64_bytes(3));
    let histogram = Content::Histogram { low_pc: LoadedPc(TEXT), bin_len: 4 };
    let blocks = [
        (histogram, 4, encoding.u32_bytes(BINS).to_vec()),
        (Content::Arcs, arc.len(), arc),
        (Content::Stacks { first: 0 }, StackNode::LEN, stacks),
        (Content::Samples, Sample::LEN, sample.encode(Round::FIRST, encoding).to_vec()),
        (Content::Marks, Mark::LEN, mark.encode(Round::FIRST, encoding).to_vec()),
        (Content::Gaps, Gap::LEN, gap.encode(Round::FIRST, encoding).to_vec()),
        (Content::Modules, Module::LEN, module.encode(encoding, 0).to_vec()),
        (Content::Code, Code::LEN, code.encode(encoding, parts).to_vec()),
        (Content::Threads, Thread::LEN, thread.encode(encoding).to_vec()),
        (Content::Facts, 1, b"pid=12\ncommand=a\\0b\n".to_vec()),
    ];
    let mut file = vec![0; Header::LEN];
    for (content, entry_len, entries) in blocks {
        let block = live::Block {
            content,
            len: (live::Block::LEN + entries.len()) as u64,
            entries_at: live::Block::LEN as u64,
            entries: (entries.len() / entry_len) as u64,
            entry_len: entry_len as u32,
        };
        file.extend(block.encode(encoding));
        file.extend(entries);
        file.resize(file.len().next_multiple_of(Form::Finished.alignment()), 0);
    }
    let header = Header {
        encoding,
        form: Form::Finished,
        process: 12,
        placement: Placement {
            bias: 0,
            text: LoadedPc(TEXT)..LoadedPc(TEXT + 32),
            external_caller: LoadedPc(TEXT),
            call_offset: 1,
        },
        reserved: file.len() as u64,
        histogram_at: Header::LEN as u64,
        sampling: live::Sampling {
            rate: 100,
            dimension: HistogramHeader::SECONDS,
            abbreviation: b's',
        },
        program: Header::program_name(b"program"),
    };
    file[..Header::LEN].copy_from_slice(&header.encode());
    file
}

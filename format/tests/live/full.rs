//! Stacks, modules, threads and facts come back from finished files in every encoding.

use fastrand::Rng;
use gmon_format::live::{
    Code, CodeKind, CodeLines, CodeParts, Content, Form, Gap, GapKind, Header, Kernel,
    KernelWeight, Label, Live, LiveError, Mark, Module, Round, Sample, StackNode, Thread,
};
use gmon_format::{Encoding, FilePc, LoadedArc, LoadedPc, ReturnPc, SelfPc};

use crate::{ENCODINGS, blocks, checks, entry, header, put};

fn nodes() -> [StackNode; 5] {
    let node = |pc, parent, is_guess, samples, weight| {
        let kernel = KernelWeight { calls: samples / 2, faults: samples / 3 };
        StackNode { pc, parent, is_guess, samples, weight, kernel }
    };
    [
        node(Label::Thread.pc(), None, false, 0, 0),
        node(LoadedPc(1), Some(0), false, 0, 0),
        node(LoadedPc(0x5000_1234), Some(1), false, 3, 9),
        node(LoadedPc(0x7000_0007), Some(2), true, u32::MAX, u64::MAX),
        node(Label::NoRules.pc(), Some(1), false, 1, 4),
    ]
}

fn modules() -> [Module<'static>; 2] {
    let program = Module {
        start: LoadedPc(0x5000_0000),
        end: LoadedPc(0x5001_0000),
        bias: 0x5000_0000,
        eh_frame_hdr: LoadedPc(0x5000_0800),
        loaded_ns: 0,
        unloaded_ns: 0,
        generation: 0,
        build_id: &[7; 20],
        path: b"/bin/program",
    };
    let start = LoadedPc(0x7000_0000);
    let plugin =
        Module { start, unloaded_ns: 12, generation: 2, build_id: &[], path: b"", ..program };
    [program, plugin]
}

fn threads() -> [Thread; 2] {
    let main = Thread {
        id: 4711,
        begun_ns: 0,
        ended_ns: 0,
        cpu_ns: 1 << 40,
        signals: 17,
        squared_weights: 170,
        name: *b"program\0\0\0\0\0\0\0\0\0",
    };
    [main, Thread { id: 4712, ended_ns: 99, ..main }]
}

fn code() -> Code<'static> {
    Code {
        start: LoadedPc(1 << 62),
        end: LoadedPc((1 << 62) + 99),
        from_ns: 3,
        to_ns: 0,
        kind: CodeKind::Python,
        first_line: 4,
        lines: CodeLines::none(),
        name: b"main",
        file: b"a.py",
    }
}

const FACTS: &[u8] = b"pid=4711\ncommand=ls\\0-l\n";

/// A finished file: a free entry in front of everything in the blocks, and a block of another version.
fn finished(encoding: Encoding) -> Vec<u8> {
    let with_free = |entries: Vec<Vec<u8>>| [vec![0; entries[0].len()], entries.concat()].concat();
    let arcs = vec![entry(encoding, (0x5000_1100, 0x7000_0205, 3))];
    let stacks: Vec<_> = nodes().iter().map(|node| node.encode(encoding).to_vec()).collect();
    let samples = samples().map(|it| it.encode(Round::after(7), encoding).to_vec()).to_vec();
    let marks = marks().map(|it| it.encode(Round::after(300), encoding).to_vec()).to_vec();
    let gaps = gaps().map(|it| it.encode(Round::FIRST, encoding).to_vec()).to_vec();
    let names_at = 64 + 3 * Module::LEN;
    let modules: Vec<_> =
        modules().iter().map(|module| module.encode(encoding, names_at as u32).to_vec()).collect();
    let strings_at = 64 + 2 * Code::LEN as u32;
    let parts = CodeParts { name_at: strings_at, file_at: strings_at + 4, lines_at: 0 };
    let code = vec![code().encode(encoding, parts).to_vec()];
    let threads = threads().map(|thread| thread.encode(encoding).to_vec()).to_vec();
    let bins = [7, 0, 9].map(|count| encoding.u32_bytes(count)).concat();
    let histogram = |low_pc| Content::Histogram { low_pc: LoadedPc(low_pc), bin_len: 2 };
    let blocks = [
        (histogram(0x5000_1000), 4, bins.clone(), &[][..]),
        (Content::Arcs, 32, with_free(arcs), &[]),
        (Content::Other(77), 13, vec![1; 26], &[]),
        (histogram(0x7000_1000), 4, bins, &[]),
        (Content::Stacks { first: 40 }, StackNode::LEN, stacks.concat(), &[]),
        (Content::Samples, Sample::LEN, with_free(samples), &[]),
        (Content::Marks, Mark::LEN, with_free(marks), &[]),
        (Content::Gaps, Gap::LEN, with_free(gaps), &[]),
        (Content::Modules, Module::LEN, with_free(modules), b"/bin/program"),
        (Content::Code, Code::LEN, with_free(code), b"maina.py"),
        (Content::Threads, Thread::LEN, with_free(threads), &[]),
        (Content::Facts, 1, FACTS.to_vec(), &[]),
    ];
    let mut file = vec![0; Header::LEN];
    for (content, entry_len, entries, strings) in blocks {
        blocks::append(&mut file, encoding, (content, entry_len), &entries, strings);
    }
    let header = Header {
        form: Form::Finished,
        reserved: file.len() as u64,
        histogram_at: Header::LEN as u64,
        ..header(encoding)
    };
    put(&mut file, 0, &header.encode());
    file
}

/// Samples with their times, of nodes whose first has the number 40.
fn samples() -> [Sample; 2] {
    [(7, 43), (9_000_000, 40)].map(|(at_us, node)| Sample {
        at_us,
        node,
        weight: 3,
        is_look: node == 43,
        kernel: (node == 43).then_some(Kernel::Call),
    })
}

fn marks() -> [Mark; 2] {
    let phase = Mark::new((5, Some(1 << 40)), false, 2, b"load");
    [phase, Mark::new((7, Some(7)), true, 1, "w\u{e4}rmer".as_bytes())]
}

fn gaps() -> [Gap; 2] {
    let gap = Gap { begun_us: 3, ended_us: 1 << 50, thread: 1, kind: GapKind::Waiting };
    [gap, Gap { thread: 2, kind: GapKind::Runnable, ..gap }]
}

#[test]
fn everything_comes_back_in_every_encoding() {
    for encoding in ENCODINGS {
        let bytes = finished(encoding);
        let live = Live::new(&bytes).unwrap();
        assert_eq!(live.header().form, Form::Finished);
        let arcs: Vec<_> = live.process_arcs().collect();
        let return_pc = ReturnPc(LoadedPc(0x7000_0205));
        let self_pc = SelfPc(LoadedPc(0x5000_1100));
        assert_eq!(arcs, [LoadedArc { return_pc, self_pc, count: 3 }]);
        let starts: Vec<_> = live.process_histograms().map(|h| h.header.low_pc).collect();
        assert_eq!(starts, [0x5000_1000, 0x7000_1000].map(LoadedPc));
        assert_eq!(live.histogram().unwrap().header.low_pc, FilePc(0x1000));
        let counts: Vec<_> = live.process_histograms().flat_map(|h| h.counts()).collect();
        assert_eq!(counts, [(0, 7), (2, 9), (0, 7), (2, 9)]);

        let [stacks] = live.stacks().collect::<Vec<_>>()[..] else { panic!("one block") };
        assert_eq!(stacks.iter().map(|(_, node)| node).collect::<Vec<_>>(), nodes());
        assert_eq!(stacks.first(), 40);
        assert!(live.samples().eq(samples()));
        assert!(live.marks().eq(marks()));
        assert!(live.gaps_of_threads().eq(gaps()));
        let path: Vec<_> = stacks.path(3).map(|node| node.pc).collect();
        assert_eq!(path, [0x7000_0007, 0x5000_1234, 1, 16].map(LoadedPc));
        assert_eq!((stacks.get(5), stacks.path(5).count()), (None, 0));

        assert_eq!(live.modules().collect::<Vec<_>>(), modules());
        let [found] = live.code().collect::<Vec<_>>()[..] else { panic!("one") };
        let expected = Code { lines: CodeLines::new(&[], encoding), ..code() };
        assert_eq!((found, found.line(LoadedPc((1 << 62) + 7))), (expected, Some(7)));
        assert_eq!(live.threads().collect::<Vec<_>>(), [(1, threads()[0]), (2, threads()[1])]);
        assert_eq!(threads()[0].name(), b"program");
        let [facts] = live.facts().collect::<Vec<_>>()[..] else { panic!("one block") };
        assert!(facts.get("command").unwrap().bytes().eq(*b"ls\0-l"));
    }
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = finished(Encoding::NATIVE);
    let expected = LiveError::CutShort { expected: bytes.len() as u64 };
    for len in Header::LEN..bytes.len() {
        assert_eq!(Live::new(&bytes[..len]).unwrap_err(), expected, "{len} bytes");
    }
}

#[test]
fn a_path_through_a_circle_ends() {
    let node = |parent| StackNode { parent: Some(parent), ..nodes()[2] };
    let circle = [node(1), node(0)].map(|node| node.encode(Encoding::NATIVE)).concat();
    let mut bytes = finished(Encoding::NATIVE);
    let [stacks] = Live::new(&bytes).unwrap().stacks().collect::<Vec<_>>()[..] else {
        panic!("one block")
    };
    let positions = stacks.entries().positions();
    let entries = nodes().map(|node| node.encode(Encoding::NATIVE)).concat();
    let at = bytes.windows(entries.len()).position(|bytes| bytes == entries).unwrap();
    put(&mut bytes, at, &circle);
    let live = Live::new(&bytes).unwrap();
    assert_eq!(live.stacks().map(|stacks| stacks.path(0).count()).sum::<usize>(), positions);
}

#[test]
fn no_damage_makes_the_reader_fail_in_another_way() {
    let mut random = Rng::with_seed(2);
    let values = [0, 1, 2, 0x7f, 0x80, 0xff];
    let mut read = 0;
    for round in 0..40_000 {
        let mut bytes = finished(ENCODINGS[round % 4]);
        for _ in 0..1 + random.usize(..4) {
            let at = random.usize(..bytes.len());
            bytes[at] = values[random.usize(..values.len())];
        }
        bytes.truncate(bytes.len() - random.usize(..3) * random.usize(..500));
        read += usize::from(checks::reads(&bytes));
    }
    assert!(read > 1000, "nearly everything was refused");
}

//! Full profiles: stacks, threads and calls of all modules, joined with the functions of a program.

use std::fs;
use std::process::Command;

use gmon_analyzer::analysis::stacks::{StackCosts, ThreadChoice};
use gmon_analyzer::model::{self, Kind};
use gmon_analyzer::profile::FunctionId;
use gmon_analyzer::records::{Incomplete, merge_full};
use gmon_analyzer::report::NameStyle;
use gmon_analyzer::sum::write_full;
use gmon_analyzer::{Measurement, Model, Program, ProgramOptions};
use gmon_format::live::{
    Block, Code, CodeParts, Content, Count, Form, Header, KernelWeight, Label, Module, Sampling,
    StackNode, Thread, Timing,
};
use gmon_format::{Encoding, FilePc, HistogramHeader, LoadedPc, Placement};

use super::elf::{BIG_32, BIG_64, Elf, LITTLE_32, LITTLE_64};
use super::run::Case;

#[path = "../../../format/tests/live/blocks.rs"]
mod blocks;

const TEXT: u64 = 0x1000;
const SIZE: u64 = 0x100;

/// Where in the file a function begins; they lie one behind the other.
fn at(number: u64) -> u64 {
    TEXT + number * SIZE
}

/// A full profile of a process in which the program lay `bias` bytes behind its place, and a library at
/// `library`.
pub(super) struct Run {
    encoding: Encoding,
    bias: u64,
    library: u64,
    build_id: Vec<u8>,
    /// Path and build id of the library.
    other: (Vec<u8>, Vec<u8>),
    /// From, to and count, in the process.
    arcs: Vec<(u64, u64, u64)>,
    pub(super) nodes: Vec<StackNode>,
    /// Code that is in no file.
    pub(super) code: Vec<Code<'static>>,
    threads: Vec<(u64, &'static [u8], u64)>,
    /// Calls that took a microsecond: how many, in the thread of an id.
    times: Vec<(u64, u64)>,
    /// Bytes of the program's code, and of the library in memory.
    sizes: [u64; 2],
}

/// A frame below the one at a position.
pub(super) fn frame(pc: u64, parent: Option<u32>, samples: u32) -> StackNode {
    let pc = LoadedPc(pc);
    StackNode {
        pc,
        parent,
        is_guess: false,
        samples,
        weight: 2 * u64::from(samples),
        kernel: KernelWeight::default(),
    }
}

impl Run {
    pub(super) fn new(bias: u64) -> Self {
        Self {
            encoding: LITTLE_64,
            bias,
            library: 0x7000_0000 + bias,
            build_id: Vec::new(),
            other: (b"/no such folder/libother.so.1".to_vec(), b"other".to_vec()),
            arcs: Vec::new(),
            // The mark of the threads, and the thread at position 1.
            nodes: vec![frame(Label::Thread.pc().0, None, 0), frame(1, Some(0), 0)],
            code: Vec::new(),
            threads: vec![(100, b"main", 5)],
            times: Vec::new(),
            sizes: [8 * SIZE, 0x10_0000],
        }
    }

    /// The bytes of the file.
    fn bytes(&self) -> Vec<u8> {
        let encoding = self.encoding;
        let word = |value: u64| match encoding.word.bytes() {
            4 => encoding.u32_bytes(value as u32).to_vec(),
            _ => encoding.u64_bytes(value).to_vec(),
        };
        fn module<'a>(
            (start, len): (u64, u64),
            bias: u64,
            build_id: &'a [u8],
            path: &'a [u8],
        ) -> Module<'a> {
            Module {
                start: LoadedPc(start),
                end: LoadedPc(start + len),
                bias,
                eh_frame_hdr: LoadedPc(0),
                loaded_ns: 0,
                unloaded_ns: 0,
                generation: 0,
                build_id,
                path,
            }
        }
        let modules = [
            module(
                (self.bias + TEXT, 0x10_0000),
                self.bias,
                &self.build_id,
                b"/no such folder/exe",
            ),
            module((self.library, self.sizes[1]), self.library, &self.other.1, &self.other.0),
        ];
        let mut strings = Vec::new();
        let mut entries = Vec::new();
        for module in modules {
            let path_at = Block::LEN + 2 * Module::LEN + strings.len();
            entries.extend(module.encode(encoding, path_at as u32));
            strings.extend_from_slice(module.path);
        }
        let arc = |&(from, to, count): &(u64, u64, u64)| {
            [word(to), word(from), encoding.u64_bytes(count).to_vec()].concat()
        };
        let arcs: Vec<u8> = self.arcs.iter().flat_map(arc).collect();
        let stacks = self.nodes.iter().flat_map(|node| node.encode(encoding)).collect();
        // The entry at position 0 is free.
        let mut threads = vec![0; Thread::LEN];
        for &(id, text, signals) in &self.threads {
            let mut name = [0; 16];
            name[..text.len()].copy_from_slice(text);
            let (begun_ns, ended_ns, cpu_ns, squared_weights) = (0, 0, 7, 4 * signals);
            let thread = Thread { id, begun_ns, ended_ns, cpu_ns, signals, squared_weights, name };
            threads.extend(thread.encode(encoding));
        }
        let mut names = Vec::new();
        let mut made = Vec::new();
        for code in &self.code {
            let name_at = (Block::LEN + self.code.len() * Code::LEN + names.len()) as u32;
            let file_at = name_at + code.name.len() as u32;
            made.extend(code.encode(encoding, CodeParts { name_at, file_at, lines_at: 0 }));
            names.extend([code.name, code.file].concat());
        }
        let timing = |&(thread, calls): &(u64, u64)| {
            let place = (LoadedPc(self.bias + at(1)), None, thread);
            let buckets = [(Timing::bucket_of(1000), calls as u32)];
            let numbers = [calls, 0, 1000 * calls, 1000, 1];
            Timing::encode(place, numbers, buckets.into_iter(), encoding)
        };
        let times = self.times.iter().flat_map(timing).collect();
        let arc_len = Count::len(encoding.word);
        let blocks = [
            (Content::Arcs, arc_len, arcs, Vec::new()),
            (Content::Stacks { first: 0 }, StackNode::LEN, stacks, Vec::new()),
            (Content::Modules, Module::LEN, entries, strings),
            (Content::Code, Code::LEN, made, names),
            (Content::Threads, Thread::LEN, threads, Vec::new()),
            (Content::Times, Timing::LEN, times, Vec::new()),
        ];
        let mut file = vec![0; Header::LEN];
        for (content, entry_len, entries, strings) in blocks {
            blocks::append(&mut file, encoding, (content, entry_len), &entries, &strings);
        }
        let text = LoadedPc(self.bias + TEXT)..LoadedPc(self.bias + TEXT + self.sizes[0]);
        let header = Header {
            encoding,
            form: Form::Finished,
            process: 4711,
            placement: Placement {
                bias: self.bias,
                external_caller: text.start,
                text,
                call_offset: 1,
            },
            reserved: file.len() as u64,
            histogram_at: 0,
            sampling: Sampling {
                rate: 100,
                dimension: HistogramHeader::SECONDS,
                abbreviation: b's',
            },
            program: Header::program_name(b"exe"),
        };
        file[..Header::LEN].copy_from_slice(&header.encode());
        file
    }
}

/// A program of the functions `f0` to `f7`, with profiles of its runs.
pub(super) fn case(runs: &[Run]) -> Case {
    let mut exe = Elf { encoding: runs[0].encoding, ..Elf::new(TEXT, 8 * SIZE) };
    (0..8).for_each(|number| {
        exe.function(&format!("f{number}"), at(number));
    });
    let case = Case::new(&exe.bytes(), b"");
    for (run, number) in runs.iter().zip(0..) {
        case.file(&format!("run{number}"), &run.bytes());
    }
    case
}

pub(super) fn open(case: &Case, runs: usize) -> Measurement {
    let files: Vec<_> = (0..runs).map(|number| case.path(&format!("run{number}"))).collect();
    Measurement::open(case.path("exe"), &files).expect("a measurement")
}

/// Name, samples in the function itself and in all, of each function.
fn functions(measurement: &Measurement) -> Vec<(String, u64, u64)> {
    let model = Model::of_functions(measurement, NameStyle::default());
    let costs = model.stack_costs(&ThreadChoice::All);
    let functions = model.functions.iter().filter(|function| function.kind != Kind::Hooks);
    let row = |function: &model::Function| {
        let name = match function.kind {
            // All such code of a module is one row.
            Kind::NoSymbol => {
                let module = function.module.map(|module| model.modules[module.index()].name());
                format!("{}+", module.unwrap_or_default())
            }
            _ => function.name.trim_matches(['[', ']']).to_owned(),
        };
        (name, costs.own(function.id).samples, costs.total(function.id).samples)
    };
    let mut rows: Vec<_> = functions.map(row).collect();
    rows.sort();
    lines_agree(measurement, &model);
    rows
}

/// Demands that the model of a measurement with lines has the times of that without.
fn lines_agree(measurement: &Measurement, model: &Model) {
    let by_line = Model::new(measurement, NameStyle::default()).expect("a model");
    let [of_line, costs] = [&by_line, model].map(|it| it.stack_costs(&ThreadChoice::All));
    let sums = |costs: &StackCosts| (costs.all(), costs.overhead(), costs.incomplete());
    assert_eq!(sums(&of_line), sums(&costs));
    assert_eq!(model.sampling.own(), costs.all().weight);
    assert_eq!(model.calls(), by_line.calls());
    let mut found = 0;
    for function in by_line.functions.iter().filter(|function| function.kind == Kind::Code) {
        let mut known = model.functions.iter().filter(|it| it.name == function.name);
        let (Some(other), None) = (known.next(), known.next()) else { continue };
        let times = |costs: &StackCosts, id| (costs.own(id), costs.total(id));
        assert_eq!(times(&of_line, function.id), times(&costs, other.id), "{}", function.name);
        assert_eq!(function.calls, other.calls, "{}", function.name);
        found += 1;
    }
    let named = measurement.contexts().functions().iter().filter(|it| it.address.is_some());
    assert!(found > 0 || named.count() == 0);
}

fn rows(rows: &[(&str, u64, u64)]) -> Vec<(String, u64, u64)> {
    rows.iter().map(|&(name, own, total)| (name.to_owned(), own, total)).collect()
}

/// A run: `f0` calls `f1`, which is found three times, and a library, which is found twice.
fn run(bias: u64) -> Run {
    let mut run = Run::new(bias);
    run.nodes.push(frame(bias + at(0) + 5, Some(1), 0));
    run.nodes.push(frame(bias + at(1) + 9, Some(2), 3));
    run.nodes.push(frame(run.library + 0x42, Some(2), 2));
    run.arcs = vec![(bias + at(0) + 6, bias + at(1), 1000)];
    run
}

#[test]
fn runs_of_a_program_that_lay_elsewhere_add_up() {
    let case = case(&[run(0x5555_0000), run(0x6666_0000)]);
    let measurement = open(&case, 2);
    let expected = [("f0", 0, 10), ("f1", 6, 6), ("libother.so.1+", 4, 4)];
    assert_eq!(functions(&measurement), rows(&expected));
    let contexts = measurement.contexts();
    let [f0, f1] = [FunctionId(0), FunctionId(1)];
    assert_eq!(contexts.calls(f0, f1), Some(2000));
    assert_eq!(measurement.records().full().modules().len(), 2);
    let threads = contexts.threads();
    assert_eq!((threads.len(), &threads[0].name[..], threads[1].process), (2, &b"main"[..], 4711));
    // Signals of twice the weight are worth no more.
    let costs =
        Model::of_functions(&measurement, NameStyle::default()).stack_costs(&ThreadChoice::All);
    let precision = costs.precision();
    assert!((precision.signals() - 10.0).abs() < 1e-9, "{precision:?}");
    // The program's own data is there as ever.
    assert_eq!(measurement.records().arcs()[0].count, 2000);
}

#[test]
fn profiles_of_every_machine_are_read() {
    for encoding in [LITTLE_64, BIG_64, LITTLE_32, BIG_32] {
        let case = case(&[Run { encoding, ..run(0x5000_0000) }]);
        let expected = [("f0", 0, 5), ("f1", 3, 3), ("libother.so.1+", 2, 2)];
        assert_eq!(functions(&open(&case, 1)), rows(&expected), "{encoding}");
    }
}

/// Merges the profiles of a case into another file of it.
fn merge(case: &Case, runs: usize) -> Result<Measurement, String> {
    let files: Vec<_> = (0..runs).map(|number| case.path(&format!("run{number}"))).collect();
    let sum = merge_full(&files, &mut ()).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    write_full(&sum, &mut bytes).map_err(|error| error.to_string())?;
    let sum = case.file("sum", &bytes);
    Measurement::open(case.path("exe"), &[sum]).map_err(|error| error.to_string())
}

#[test]
fn a_sum_says_what_its_runs_say() {
    for encoding in [LITTLE_64, BIG_64, LITTLE_32, BIG_32] {
        let runs = [0x5000_0000, 0x6000_0000].map(|bias| {
            let mut run = Run { encoding, ..run(bias) };
            // Code of no module, at places that modules of the sum would like to have.
            run.nodes.push(frame(0x1_0123, Some(1), 1));
            run.nodes.push(frame(0x2_0000, Some(2), 1));
            run.nodes.push(StackNode { is_guess: true, ..frame(run.library + 7, Some(1), 2) });
            run.nodes.push(frame(Label::NoRules.pc().0, Some(1), 1));
            // A call of the library, and the executions of a block.
            run.arcs.push((bias + at(1) + 6, run.library + 0x40, 7));
            run.arcs.push((encoding.word.largest(), bias + at(3), 11));
            run.threads.push((101, b"main", 2));
            run.nodes.push(frame(2, Some(0), 0));
            run.nodes.push(frame(bias + at(2), Some(run.nodes.len() as u32 - 1), 1));
            run
        });
        let case = case(&runs);
        let [parts, sum] = [open(&case, 2), merge(&case, 2).expect("a sum")];
        assert_eq!(functions(&parts), functions(&sum), "{encoding}");
        let contents = |measurement: &Measurement| {
            let (records, contexts) = (measurement.records(), measurement.contexts());
            let mut calls: Vec<_> = contexts
                .all_calls()
                .map(|((caller, callee), count)| {
                    let name = |id: FunctionId| contexts.functions()[id.index()].name.clone();
                    (name(caller), name(callee), count)
                })
                .collect();
            calls.sort();
            let blocks: Vec<_> = records.blocks().iter().map(|it| (it.pc, it.count)).collect();
            let arcs: Vec<_> =
                records.arcs().iter().map(|it| (it.from_pc, it.self_pc, it.count)).collect();
            (calls, blocks, arcs)
        };
        assert_eq!(contents(&parts), contents(&sum), "{encoding}");
        assert!(contents(&sum).0.iter().any(|(.., count)| *count == 14), "{encoding}");
        // Four threads of one name.
        let [thread] = sum.contexts().threads() else { panic!("{:?}", sum.contexts().threads()) };
        let found = (&thread.name[..], thread.signals, thread.cpu_ns, thread.squared_weights);
        assert_eq!(found, (&b"main"[..], 14, 28, 56));
        assert_eq!(sum.records().full().facts().runs(), 2);
        // A sum of a sum is the same.
        let bytes = fs::read(case.path("sum")).expect("a sum");
        case.file("run0", &bytes);
        merge(&case, 1).expect("a sum");
        assert!(fs::read(case.path("sum")).expect("a sum") == bytes);
    }
}

#[test]
fn builds_stay_apart_in_a_sum() {
    let mut exe = Elf::new(TEXT, 8 * SIZE);
    exe.function("f0", at(0));
    let case = Case::new(&exe.bytes(), b"");
    for (number, build_id) in [vec![], vec![2; 20]].into_iter().enumerate() {
        case.file(&format!("run{number}"), &Run { build_id, ..run(0x5000_0000) }.bytes());
    }
    let sum = merge(&case, 2).expect("a sum");
    // Of the program's own build there are names; the other one's file is not there.
    let expected = [("exe+", 3, 5), ("f0", 3, 5), ("libother.so.1+", 4, 4)];
    // What has calls alone is an entry of the other build's.
    let found: Vec<_> = functions(&sum).into_iter().filter(|(.., total)| *total != 0).collect();
    assert_eq!(found, rows(&expected));
    assert_eq!(sum.records().full().modules().len(), 3);
    // Its data file is that of the first build alone.
    assert_eq!(sum.records().arcs()[0].count, 1000);
}

#[test]
fn threads_of_one_id_have_their_own_times_in_a_sum() {
    for encoding in [LITTLE_64, BIG_32] {
        let runs = [(&b"reader"[..], 3), (b"writer", 5)].map(|(name, calls)| {
            let (threads, times) = (vec![(100, name, 5)], vec![(100, calls)]);
            Run { encoding, threads, times, ..run(0) }
        });
        let case = case(&runs);
        let sum = merge(&case, 2).expect("a sum");
        let full = sum.records().full();
        let named = full.call_times().map(|it| {
            let thread = &full.threads()[it.thread.expect("a thread").index()];
            (thread.id, &thread.name[..], it.times.timed)
        });
        assert_eq!(named.collect::<Vec<_>>(), [(100, &b"reader"[..], 3), (100, b"writer", 5)]);
    }
}

#[test]
fn builds_without_build_ids_are_not_mixed() {
    let with = |sizes: [u64; 2]| {
        let nameless = |run: Run| {
            let other = (run.other.0.clone(), Vec::new());
            Run { other, ..run }
        };
        let case = case(&[nameless(run(0)), nameless(Run { sizes, ..run(0x5000_0000) })]);
        merge(&case, 2).map(|sum| sum.records().full().modules().len())
    };
    assert_eq!(with([8 * SIZE, 0x10_0000]), Ok(2));
    assert_eq!(with([8 * SIZE, 0x10_2000]), Ok(3));
    let other = with([8 * SIZE + 16, 0x10_0000]).expect_err("another program");
    assert!(other.contains("run1: a profile of another build than the one before it"), "{other}");
}

#[test]
fn what_makes_no_sum_is_an_error() {
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let case = case(&[run(0), run(0)]);
        let mut bytes = run(0).bytes();
        change(&mut bytes);
        case.file("run1", &bytes);
        merge(&case, 2).expect_err("no sum")
    };
    // The program is that of its path, whatever name it was executed by.
    let path = b"/no such folder/exe";
    let rename = |bytes: &mut Vec<u8>| {
        let at = bytes.windows(path.len()).position(|it| it == path).expect("a path");
        bytes[at + path.len() - 3..][..3].copy_from_slice(b"cat");
    };
    let other = with(&rename);
    assert!(other.ends_with("run1: a profile of the program cat, not of exe as the one before it"));
    assert!(with(&|bytes| bytes[80] = 50).contains("profiling rate differs"));
    let foreign = with(&|bytes| *bytes = Run { encoding: BIG_64, ..run(0) }.bytes());
    assert!(foreign.contains("data of a 64-bit big-endian program, not of a"), "{foreign}");
    let empty = with(&|bytes| bytes.truncate(Header::LEN));
    assert!(empty.contains("cut short"), "{empty}");
}

#[test]
fn another_build_is_refused_unless_it_is_asked_for() {
    let case = case(&[Run { build_id: vec![1, 2, 0xff], ..run(0) }]);
    let (exe, data) = (case.path("exe"), [case.path("run0")]);
    let error = Measurement::open(&exe, &data).expect_err("another build").to_string();
    let why = "a profile of another build of the program: the profile's build id is 0102ff, the \
               program's missing";
    assert_eq!(error, format!("{}: {why}", data[0].display()));
    let options = ProgramOptions { any_build: true, ..ProgramOptions::standard() };
    let measurement = Measurement::open_by(&exe, &options, &data, &mut ()).expect("a profile");
    assert_eq!(functions(&measurement)[1], ("f1".to_owned(), 3, 3));
}

#[test]
fn lost_stacks_hooks_and_unknown_blocks_are_kept_apart() {
    let mut run = run(0);
    let mut exe = Elf::new(TEXT, 8 * SIZE);
    for (name, number) in ["f0", "f1", "mcount"].into_iter().zip(0..) {
        exe.function(name, at(number));
    }
    let (f0, thread) = (at(0) + 5, Some(1));
    let lost = run.nodes.len() as u32;
    run.nodes.push(frame(Label::NoRules.pc().0, thread, 0));
    run.nodes.push(frame(at(1) + 3, Some(lost), 4));
    // A hook below f0, and code of no module.
    run.nodes.push(frame(at(2) + 3, Some(2), 7));
    run.nodes.push(frame(0x1234_5678_9000, thread, 1));
    // A node that is its own ancestor, and one whose parent is not there.
    let own = run.nodes.len() as u32;
    run.nodes.push(frame(f0, Some(own), 1));
    run.nodes.push(frame(f0, Some(1000), 1));
    let case = Case::new(&exe.bytes(), b"");
    case.file("run0", &run.bytes());
    let measurement = open(&case, 1);
    let expected = [
        ("+", 1, 1),
        ("f0", 2, 7),
        ("f1", 7, 7),
        ("libother.so.1+", 2, 2),
        ("no unwind rules", 0, 4),
    ];
    assert_eq!(functions(&measurement), rows(&expected));
    let costs =
        Model::of_functions(&measurement, NameStyle::default()).stack_costs(&ThreadChoice::All);
    assert_eq!((costs.overhead().samples, costs.incomplete().samples), (7, 4));
    let lost = Incomplete { label: Some(Label::NoRules) };
    assert!(measurement.contexts().functions().iter().any(|it| it.incomplete == Some(lost)));
}

#[test]
fn guessed_frames_that_cannot_be_are_left_out() {
    // In f0 a call of f1 and one of f2.
    let call = |from: u64, to: u64| {
        let distance = (to as i64 - from as i64 - 5) as i32;
        (from, [&[0xe8][..], &distance.to_le_bytes()].concat())
    };
    let mut exe = Elf::new(TEXT, 8 * SIZE);
    (0..4).for_each(|number| {
        exe.function(&format!("f{number}"), at(number));
    });
    exe.code = vec![call(at(0), at(1)), call(at(0) + 5, at(2))];
    let guess = |pc, parent| StackNode { is_guess: true, ..frame(pc, parent, 0) };
    let mut run = Run::new(0);
    // f0 → f1 is true; so is f0 → f2, but not by that call. f3 calls through a pointer: anybody but itself.
    run.nodes.push(guess(at(0) + 4, Some(1)));
    run.nodes.push(frame(at(1), Some(2), 1));
    run.nodes.push(guess(at(0) + 4, Some(1)));
    run.nodes.push(frame(at(2), Some(4), 2));
    run.nodes.push(guess(at(3) + 4, Some(2)));
    run.nodes.push(frame(at(1) + 8, Some(6), 4));
    run.nodes.push(guess(at(3) + 4, Some(1)));
    run.nodes.push(frame(at(3) + 8, Some(8), 8));
    let case = Case::new(&exe.bytes(), b"");
    case.file("run0", &run.bytes());
    let found = functions(&open(&case, 1));
    let found: Vec<_> = found.into_iter().filter(|(.., total)| *total != 0).collect();
    assert_eq!(found, rows(&[("f0", 0, 1), ("f1", 5, 5), ("f2", 2, 2), ("f3", 8, 12)]));
}

#[test]
fn libraries_are_named_if_they_are_the_ones_that_were_loaded() {
    // The C library of this very process.
    let maps = fs::read_to_string("/proc/self/maps").expect("this process's modules");
    let path = maps.split_whitespace().find(|word| word.contains("/libc.so"));
    let Some(path) = path else {
        eprintln!("libraries_are_named_…: skipped, as the tests are linked without libc.so");
        return;
    };
    let options = ProgramOptions { names_stripped: true, ..ProgramOptions::standard() };
    let library = Program::open(path, &options).expect("the C library");
    let build_id = library.image().build_id().expect("a build id").to_vec();
    let function = library.symbols().symbols().find(|symbol| symbol.name == b"qsort");
    let address = function.expect("a function of the C library").address.0;
    let run = |build_id| {
        let mut run = Run { other: (path.into(), build_id), ..Run::new(0) };
        run.nodes.push(frame(run.library + address + 2, Some(1), 1));
        run
    };
    let is_unnamed = |name: &str| name.starts_with("libc.so") && name.ends_with('+');
    for (build_id, is_same) in [(build_id, true), (vec![1; 20], false), (Vec::new(), false)] {
        let found = functions(&open(&case(&[run(build_id)]), 1));
        let [(name, 1, 1)] = &found[..] else { panic!("{found:?}") };
        assert!(if is_same { name == "qsort" } else { is_unnamed(name) }, "{name}");
    }
}

#[test]
fn inlined_functions_have_frames() {
    const SOURCE: &[u8] = b"static inline __attribute__((always_inline)) int inner(volatile int *p)
        { return (*p)++; }
        __attribute__((noinline)) int outer(volatile int *p) { return inner(p) + 1; }
        int main(void) { volatile int x = 0; return outer(&x) == 7; }";
    let case = Case::new(b"", b"");
    let (source, exe) = (case.file("inlined.c", SOURCE), case.path("exe"));
    let compile = Command::new("gcc").args(["-g", "-O2", "-o"]).arg(&exe).arg(source).status();
    assert!(compile.expect("gcc").success());
    let program = Program::open(&exe, &ProgramOptions::standard()).expect("a program");
    let outer = program.symbols().symbols().find(|symbol| symbol.name == b"outer");
    let outer = outer.expect("a function");
    let is_inner = |pc: &u64| program.functions().frames(FilePc(*pc)).count() == 2;
    let inner =
        (outer.address.0..=outer.end.0).find(is_inner).expect("code of the inlined function");

    let build_id = program.image().build_id().unwrap_or_default().to_vec();
    let mut run = Run { build_id, ..Run::new(0) };
    run.nodes.push(frame(inner, Some(1), 3));
    case.file("run0", &run.bytes());
    let measurement = open(&case, 1);
    assert_eq!(functions(&measurement), rows(&[("inner", 3, 3), ("outer", 0, 3)]));
    let functions = measurement.contexts().functions();
    assert_eq!(functions.iter().map(|it| it.is_inlined).collect::<Vec<_>>(), [false, true]);
}

//! Calls found in the code: the same as GNU gprof finds where it finds all, and those it misses.

use gmon_format::Encoding;

use super::code_and_lists::finds_calls;
use super::data::{Data, Histogram};
use super::elf::{self, Elf};
use super::gnu;
use super::random::Random;
use super::run::{Case, Outcome};

const TEXT: u64 = 0x40_1000;
const SIZE: u64 = 64;

/// The address of a function.
fn at(number: u64) -> u64 {
    TEXT + number * SIZE
}

/// Functions `f0` and so on, and one more behind them, for a machine.
fn exe(machine: u16, encoding: Encoding, functions: u64) -> Elf {
    let mut exe = Elf::new(TEXT, (functions + 1) * SIZE);
    (exe.machine, exe.encoding) = (machine, encoding);
    for number in 0..=functions {
        exe.function(&format!("f{number}"), at(number));
    }
    exe
}

/// A tick in each function, and one call of `f1` by `f0`.
fn data(functions: u64) -> Data {
    let bins = vec![1; functions as usize];
    Data {
        histograms: vec![Histogram::new(TEXT, at(functions), bins)],
        arcs: vec![(at(0) + 8, at(1), 1)],
    }
}

/// A call from one address to another in x86 code.
fn x86_call(from: u64, to: u64) -> (u64, Vec<u8>) {
    let distance = to.wrapping_sub(from + 5) as u32;
    (from, [&[0xe8], distance.to_le_bytes().as_slice()].concat())
}

fn run(exe: &Elf, data: &Data, options: &str) -> Outcome {
    Case::new(&exe.bytes(), &data.bytes(exe.encoding)).gprof(options)
}

/// The arcs that a call graph shows, by the numbers of the functions.
fn arcs(report: &str) -> Vec<(u64, u64)> {
    let mut arcs = Vec::new();
    for entry in report.split("-----------------------------------------------\n") {
        let name = |line: &str| {
            let name = line.split_whitespace().find_map(|word| word.strip_prefix('f'));
            name.and_then(|number| number.parse::<u64>().ok())
        };
        let mut lines =
            entry.lines().skip_while(|line| !line.starts_with('[') || !line.contains('.'));
        let Some(caller) = lines.next().and_then(name) else { continue };
        arcs.extend(lines.filter_map(name).map(|callee| (caller, callee)));
    }
    arcs.sort_unstable();
    arcs
}

/// Demands that in the code of a machine just these arcs are found, and the one that was counted.
fn check(machine: u16, encoding: Encoding, code: &[(u64, Vec<u8>)], found: &[(u64, u64)]) {
    let mut exe = exe(machine, encoding, 4);
    exe.code = code.to_vec();
    let outcome = run(&exe, &data(4), "-b -c -q");
    assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0), "{machine}");
    let mut expected: Vec<_> = found.iter().copied().chain([(0, 1)]).collect();
    expected.sort_unstable();
    assert_eq!(arcs(&outcome.stdout), expected, "{machine}\n{}", outcome.stdout);
}

#[test]
fn calls_that_gnu_gprof_sees_are_shown_as_it_shows_them() {
    if !gnu::is_here("calls_that_gnu_gprof_sees_are_shown_as_it_shows_them") {
        return;
    }
    for seed in gnu::seeds(100) {
        let mut random = Random::new(seed);
        let functions = 2 + random.below(12);
        let (machine, encoding) = random.pick(&[(62, elf::LITTLE_64), (3, elf::LITTLE_32)]);
        let mut exe = exe(machine, encoding, functions);
        for from in 0..functions {
            // Forward only, and between instructions of one byte.
            exe.code.push((at(from), vec![0x90; SIZE as usize]));
            for slot in 0..random.below(4) {
                let to = from + 1 + random.below(functions - from);
                let entry = if random.once_in(4) { 1 } else { 0 };
                exe.code.push(x86_call(at(from) + 3 + 12 * slot, at(to) + entry));
            }
        }
        let mut data = data(functions);
        for _ in 0..random.below(2 * functions) {
            let (from, to) = (random.below(functions), random.below(functions));
            data.arcs.push((at(from) + 8, at(to), random.below(5)));
        }
        if random.once_in(3) {
            // Only a part of the program was sampled.
            let bins = vec![1; functions as usize / 2];
            data.histograms = vec![Histogram::new(TEXT, at(functions / 2), bins)];
        }
        let case = Case::new(&exe.bytes(), &data.bytes(encoding));
        for options in ["-b -c", "-b -c -z", "-b -cT", "-bc -p"] {
            gnu::assert_same(&format!("seed {seed}"), &case.words(options));
        }
    }
}

#[test]
fn calls_of_functions_before_their_callers_are_found() {
    let code = [x86_call(at(3), at(2)), x86_call(at(3) + 9, at(3)), x86_call(at(1), at(2))];
    let found = [(3, 2), (3, 3), (1, 2)];
    check(62, elf::LITTLE_64, &code, &found);
    check(3, elf::LITTLE_32, &code, &found);
    // With addresses of 32 bits in code for 64.
    check(62, elf::LITTLE_32, &code, &found);
}

#[test]
fn calls_are_found_above_4_gib() {
    const HIGH: u64 = 0x7_0000_0000;
    let mut exe = exe(62, elf::LITTLE_64, 4);
    exe.code = vec![x86_call(at(1), at(2)), x86_call(at(3), at(1))];
    exe.text_address += HIGH;
    exe.symbols.iter_mut().for_each(|symbol| symbol.address += HIGH);
    exe.code.iter_mut().for_each(|(address, _)| *address += HIGH);
    let mut data = data(4);
    data.histograms[0].low += HIGH;
    data.histograms[0].high += HIGH;
    data.arcs = vec![(at(0) + HIGH, at(1) + HIGH, 1)];
    let outcome = run(&exe, &data, "-b -c -q");
    assert_eq!(arcs(&outcome.stdout), [(0, 1), (1, 2), (3, 1)]);
}

#[test]
fn bytes_within_an_instruction_are_no_call() {
    // mov $…, %rax, whose number looks like a call of `f3` and whose last byte is `nop`
    let (_, call) = x86_call(at(1) + 2, at(3));
    let bytes = [&[0x48, 0xb8], call.as_slice(), &[0x90; 3]].concat();
    check(62, elf::LITTLE_64, &[(at(1), bytes)], &[]);
}

#[test]
fn calls_are_found_and_jumps_are_not_on_other_machines() {
    let word = |from: u64, to: u64, opcode: u32, bits: u32| {
        let distance = (to.wrapping_sub(from) as i64 / 4) as u32 & (u32::MAX >> (32 - bits));
        opcode | distance
    };
    let little =
        |from, to, opcode, bits| (from, word(from, to, opcode, bits).to_le_bytes().to_vec());
    let big = |from, to, opcode, bits| (from, word(from, to, opcode, bits).to_be_bytes().to_vec());
    let found = [(1, 2), (3, 1)];
    // A call forwards, one backwards, a jump.
    let aarch64 = [
        little(at(1), at(2), 0x9400_0000, 26),
        little(at(3), at(1), 0x9400_0000, 26),
        little(at(2), at(3), 0x1400_0000, 26),
    ];
    check(183, elf::LITTLE_64, &aarch64, &found);
    check(183, elf::BIG_64, &aarch64, &found);
    let sparc = [
        big(at(1), at(2), 0x4000_0000, 30),
        big(at(3), at(1), 0x4000_0000, 30),
        big(at(2), at(3), 0x1080_0000, 22),
    ];
    for (machine, encoding) in [(2, elf::BIG_32), (18, elf::BIG_32), (43, elf::BIG_64)] {
        check(machine, encoding, &sparc, &found);
    }
    let arm = [
        little(at(1), at(2) - 8, 0xeb00_0000, 24),
        little(at(3), at(1) - 8, 0xeb00_0000, 24),
        little(at(2), at(3) - 8, 0xea00_0000, 24),
    ];
    check(40, elf::LITTLE_32, &arm, &found);
    // The entry behind what loads the global pointer is one of the same function.
    let alpha = [
        little(at(1), at(2) + 8 - 4, 0xd340_0000, 21),
        little(at(3), at(1) - 4, 0xd340_0000, 21),
        little(at(2), at(3) - 4, 0xc3e0_0000, 21),
    ];
    check(0x9026, elf::LITTLE_64, &alpha, &found);
    let branch = |from: u64, to: u64, opcode| opcode | (to.wrapping_sub(from) as u32 & 0x03ff_fffc);
    // The second entry of a function is one of the same.
    let powerpc = [
        (at(1), branch(at(1), at(2) + 8, 0x4800_0001)),
        (at(3), branch(at(3), at(1), 0x4800_0001)),
        (at(2), branch(at(2), at(3), 0x4800_0000)),
    ];
    let of_powerpc = powerpc.map(|(from, word)| (from, word.to_le_bytes().to_vec()));
    check(21, elf::LITTLE_64, &of_powerpc, &found);
    let s390 = |from: u64, to: u64, opcode: u16| {
        let distance = to.wrapping_sub(from) as i32 / 2;
        (from, [&opcode.to_be_bytes()[..], &distance.to_be_bytes()].concat())
    };
    let s390 = [s390(at(1), at(2), 0xc0e5), s390(at(3), at(1), 0xc0e5), s390(at(2), at(3), 0xc0f4)];
    check(22, elf::BIG_64, &s390, &found);
    let jal = |to: u64| 0x0c00_0000 | (to as u32 >> 2 & 0x03ff_ffff);
    let mips = [
        (at(1), jal(at(2)).to_be_bytes().to_vec()),
        (at(3), jal(at(1)).to_be_bytes().to_vec()),
        big(at(2), at(3) - 4, 0x1000_0000, 16),
    ];
    check(8, elf::BIG_32, &mips, &found);
}

#[test]
fn calls_through_a_register_are_left_out() {
    // jalr $25, then jal f2
    let jal = 0x0c00_0000 | (at(2) as u32 >> 2 & 0x03ff_ffff);
    let code = [0x0320_f809_u32, jal].map(u32::to_be_bytes).concat();
    check(8, elf::BIG_32, &[(at(1), code)], &[(1, 2)]);
}

#[test]
fn data_among_the_code_of_arm_is_no_call() {
    let call = |from: u64, to: u64| {
        let distance = (to.wrapping_sub(from + 8) as i64 / 4) as u32 & 0x00ff_ffff;
        (from, (0xeb00_0000 | distance).to_le_bytes().to_vec())
    };
    let mut exe = exe(40, elf::LITTLE_32, 4);
    exe.code = vec![call(at(1), at(2)), call(at(1) + 16, at(3)), call(at(3), at(1))];
    exe.symbol("$d", at(1) + 16, elf::LOCAL, elf::NOTYPE, elf::TEXT);
    exe.symbol("$a.1", at(1) + 20, elf::LOCAL, elf::NOTYPE, elf::TEXT);
    // A function in Thumb code: what calls on ARM does not here, but this does.
    exe.symbols[2].address |= 1;
    let distance = (at(3) - (at(2) + 4)) as u16 / 2;
    let halves = [0xf000_u16, 0xf800 | distance];
    exe.code.push((at(2), halves.iter().flat_map(|half| half.to_le_bytes()).collect()));
    let outcome = run(&exe, &data(4), "-b -c -q");
    assert_eq!(arcs(&outcome.stdout), [(0, 1), (1, 2), (2, 3), (3, 1)]);
}

#[test]
fn functions_outside_the_code_are_no_trouble() {
    let mut exe = exe(62, elf::LITTLE_64, 4);
    exe.code = vec![x86_call(at(1), at(2))];
    // The code ends within `f2`, and the samples reach far behind it.
    exe.text_size = at(2) + 10 - TEXT;
    let mut data = data(4);
    data.histograms = vec![Histogram::new(TEXT, TEXT + 0x10_0000, vec![1; 0x4_0000])];
    let outcome = run(&exe, &data, "-b -c -q");
    assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0));
    assert_eq!(arcs(&outcome.stdout), [(0, 1), (1, 2)]);
}

#[test]
fn a_function_that_was_sampled_in_two_parts_is_searched_in_both() {
    let mut exe = exe(62, elf::LITTLE_64, 4);
    exe.code = vec![x86_call(at(1), at(2)), x86_call(at(1) + 34, at(3))];
    let middle = at(1) + SIZE / 2;
    let mut data = data(4);
    let part = |low: u64, high: u64| Histogram::new(low, high, vec![1; (high - low) as usize / 4]);
    data.histograms = vec![part(middle, at(4)), part(TEXT, middle)];
    let outcome = run(&exe, &data, "-b -c -q");
    assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0));
    assert_eq!(arcs(&outcome.stdout), [(0, 1), (1, 2), (1, 3)]);
}

#[test]
fn a_machine_without_decoder_is_named_in_a_warning() {
    for (machine, encoding, name) in
        [(258, elf::LITTLE_64, "loongarch64"), (4711, elf::LITTLE_64, "unknown")]
    {
        let exe = exe(machine, encoding, 4);
        let outcome = run(&exe, &data(4), "-b -c");
        let message = format!("gprof: -c not supported on architecture {name}\n");
        assert_eq!((outcome.stderr, outcome.status), (message, 0));
        assert_eq!(outcome.stdout, run(&exe, &data(4), "-b").stdout);
    }
}

#[test]
fn any_bytes_are_searched_for_calls() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(3);
    for _ in 0..2000 {
        let len = random.below(200);
        // Many bytes that begin calls, on one machine or another.
        let byte = |random: &mut Random| match random.below(4) {
            0 => random.pick(&[0xe8, 0x66, 0xfb, 0xef, 0xeb, 0x40, 0x94, 0x0c, 0xf0, 0xf8]),
            1 => 0,
            _ => random.number() as u8,
        };
        let bytes: Vec<u8> = (0..len).map(|_| byte(&mut random)).collect();
        finds_calls(folder.path(), &bytes);
    }
}

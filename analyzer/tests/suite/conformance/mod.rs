//! Random programs, data and command lines, on which our output must be GNU gprof's, byte for byte.
//!
//! `GMON_SEEDS=N` tries N programs instead of 2,000, `GMON_SEED=S` one of them. What fails is made
//! small first.

mod options;
mod programs;
mod shrink;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use self::options::line;
use self::programs::{Format, Program};
use self::shrink::shrink;
use crate::comparison::Comparison;
use crate::random::Random;
use crate::{elf, gnu};

/// A program with its data, and command lines for them.
const LINES: usize = 4;

#[test]
fn random_programs_give_the_output_of_gnu_gprof() {
    if !gnu::is_here("random_programs_give_the_output_of_gnu_gprof") {
        return;
    }
    let seeds = gnu::seeds(2000);
    let next = AtomicU64::new(seeds.start);
    let work = || {
        while let Some(seed) =
            Some(next.fetch_add(1, Ordering::Relaxed)).filter(|it| *it < seeds.end)
        {
            let mut random = Random::new(seed);
            let program = Program::new(&mut random);
            check(seed, &mut random, program);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

/// Every GNU gprof knows the machine that it is made for better than others.
#[test]
fn programs_of_any_machine_give_the_output_of_its_own_gnu_gprof() {
    for (gnu, encoding, machine) in [
        ("aarch64-linux-gnu-gprof", elf::LITTLE_64, 183),
        ("arm-linux-gnueabi-gprof", elf::LITTLE_32, 40),
        ("riscv64-linux-gnu-gprof", elf::LITTLE_64, 243),
        ("sparc64-linux-gnu-gprof", elf::BIG_64, 43),
        ("sparc64-linux-gnu-gprof", elf::BIG_32, 2),
        ("powerpc64-linux-gnu-gprof", elf::BIG_64, 21),
        ("powerpc64-linux-gnu-gprof", elf::BIG_32, 20),
        ("s390x-linux-gnu-gprof", elf::BIG_64, 22),
        ("mips-linux-gnu-gprof", elf::BIG_32, 8),
        ("mips-linux-gnu-gprof", elf::LITTLE_64, 8),
        ("mips64el-linux-gnuabi64-gprof", elf::LITTLE_64, 8),
    ] {
        if !gnu::has("programs_of_any_machine_give_the_output_of_its_own_gnu_gprof", gnu) {
            continue;
        }
        for seed in gnu::seeds(30) {
            let mut random = Random::new(seed);
            let program = Program::for_machine(&mut random, encoding, machine, gnu);
            check(seed, &mut random, program);
        }
    }
}

fn check(seed: u64, random: &mut Random, program: Program) {
    let comparison = comparison(&program);
    for _ in 0..LINES {
        let line = line(random, &program);
        if difference_on(&comparison, &line).is_some() {
            fail(seed, program, line);
        }
    }
}

/// The directory in which a program and its data lie, and files that options name.
fn comparison(program: &Program) -> Comparison {
    let exe = program.exe();
    let comparison = Comparison::new(&exe, &program.files()).compare_with(program.gnu);
    let symbols = exe.symbols.iter().map(|symbol| {
        let kind = if symbol.binding == 0 { 't' } else { 'T' };
        format!("{:x} {kind} {}\n", symbol.address, symbol.name)
    });
    comparison.file("symbols", symbols.collect::<String>().as_bytes());
    // GNU gprof is only sure of object files with one function.
    let names: BTreeSet<&str> = exe.symbols.iter().map(|symbol| &*symbol.name).collect();
    let map = names.iter().zip(1..).map(|(name, number)| format!("{number}.o:0 T {name}\n"));
    comparison.file("map", map.collect::<String>().as_bytes());
    comparison.file("words", b"-z '-w' 40\n\"-p\"");
    comparison
}

fn difference_on(comparison: &Comparison, line: &[String]) -> Option<String> {
    let dir = comparison.path("").display().to_string();
    let word = |word: &String| match word.strip_prefix("DATA") {
        Some(number) => comparison.path(number).into(),
        None if word == "EXE" => comparison.path("exe").into(),
        None => OsString::from(word.replace("DIR/", &dir)),
    };
    let has_all = line.iter().any(|word| word == "EXE") && line.iter().any(|word| word == "DATA0");
    has_all.then_some(())?;
    // The explanations are in words of our own.
    let words = ["-b".into()].into_iter().chain(line.iter().map(word));
    comparison.difference(&words.collect::<Vec<_>>())
}

/// Makes the case smaller, as long as it fails with the same status, and reports it.
fn fail(seed: u64, mut program: Program, mut line: Vec<String>) -> ! {
    let difference = |program: &Program, line: &[String]| difference_on(&comparison(program), line);
    let kind = |difference: &str| difference.lines().next().map(str::to_owned);
    let first = difference(&program, &line).unwrap_or_default();
    let fails = |program: &Program, line: &[String]| {
        difference(program, line).is_some_and(|difference| kind(&difference) == kind(&first))
    };
    shrink(&mut line, |line| fails(&program, line));
    macro_rules! shrink_list {
        ($($list:tt)*) => {
            let mut list = program.$($list)*.clone();
            shrink(&mut list, |rest| {
                let mut smaller = program.clone();
                smaller.$($list)* = rest.to_vec();
                fails(&smaller, &line)
            });
            program.$($list)* = list;
        };
    }
    shrink_list!(exe.symbols);
    shrink_list!(exe.code);
    for number in 0..program.profiles.len() {
        if program.profiles[number].format == Format::Gnu {
            shrink_list!(profiles[number].data.histograms);
        }
        shrink_list!(profiles[number].data.arcs);
        shrink_list!(profiles[number].blocks);
    }
    let difference = difference(&program, &line).unwrap_or(first);
    let (gnu, line) = (program.gnu, line.join(" "));
    panic!("GMON_SEED={seed}: {gnu} -b {line}\n{difference}\n{program:?}");
}

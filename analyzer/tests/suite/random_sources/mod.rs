//! Random programs in C, compiled by real compilers in random ways and run with the C library's
//! runtime: the reports are those of GNU gprof, byte for byte.
//!
//! `GMON_SEEDS=N` tries N programs instead of 24, `GMON_SEED=S` one of them.

mod generator;

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use self::generator::{Source, source};
use crate::gnu;
use crate::random::Random;
use crate::run::Case;
use support::common_ground::common_ground;

/// Command lines behind `-b`; `F` and `G` stand for functions, `N` for a line of the source.
const LINES: [&str; 24] = [
    "",
    "-z",
    "-T -z",
    "-l",
    "-l -z -T",
    "-l -q -L",
    "-l -pprogram.c -w120",
    "--inline-file-names -z",
    "-a -D",
    "-r",
    "-C -z",
    "-l -C -z",
    "-l -Cprogram.c:N -CF",
    "-ZF -l",
    "-A -x -z",
    "-l -A -t5 -m3",
    "-AF -x -z",
    "-pF -qG",
    "-PF -QG -z",
    "-qF/G",
    "-kF/G -q",
    "-n F -E G -z",
    "-e F -f main -l",
    "-i -p:F -qprogram.c:G",
];

const TEST: &str = "random_sources_are_reported_as_by_gnu_gprof";

#[test]
fn random_sources_are_reported_as_by_gnu_gprof() {
    if !["gprof", "gcc", "clang"].iter().all(|tool| gnu::has(TEST, tool)) {
        return;
    }
    let seeds = gnu::seeds(24);
    let next = AtomicU64::new(seeds.start);
    let work = || {
        while let Some(seed) =
            Some(next.fetch_add(1, Ordering::Relaxed)).filter(|it| *it < seeds.end)
        {
            let mut random = Random::new(seed);
            compare(&mut random, &format!("GMON_SEED={seed}"));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

/// Makes a program and compares some reports.
fn compare(random: &mut Random, seed: &str) {
    let source = source(random);
    let flags = flags(random);
    let case = built(&source, &flags);
    for _ in 0..8 {
        let function = |random: &mut Random| format!("f{}", random.below(source.functions));
        let line = random.pick(&LINES);
        let line = line.replace('F', &function(random)).replace('G', &function(random));
        let line = line.replace(":N", &format!(":{}", 1 + random.below(60)));
        gnu::assert_same(
            &format!("{seed}: {}", flags.join(" ")),
            &case.words(&format!("-b {line}")),
        );
    }
}

/// A compiler and its options.
fn flags(random: &mut Random) -> Vec<&'static str> {
    let mut flags = vec![
        random.pick(&["gcc", "gcc", "clang"]),
        random.pick(&["-O0", "-O0", "-O1", "-O2", "-O2", "-O3", "-Os"]),
        random.pick(&["-g", "-g", "-g3", "-g1", "-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-g0"]),
        random.pick(&["-fpie", "-no-pie"]),
    ];
    for other in
        ["-ffunction-sections", "-fno-inline", "-gz", "-Wl,--gc-sections", "-falign-functions=1"]
    {
        if random.once_in(4) {
            flags.push(other);
        }
    }
    flags
}

/// The program in `exe`, and the data of a run.
fn built(source: &Source, flags: &[&str]) -> Case {
    let case = Case::new(b"", b"");
    for (name, text) in
        [("program.c", &source.program), ("other.c", &source.other), ("inline.h", &source.header)]
    {
        case.file(name, text.as_bytes());
    }
    let mut compile = Command::new(flags[0]);
    compile.args(&flags[1..]).args(["-w", "-pg", "program.c", "other.c", "-o", "exe"]);
    let output = compile.current_dir(case.folder()).output().unwrap();
    assert!(output.status.success(), "{flags:?} {output:?}");
    let exe = fs::read(case.path("exe")).unwrap();
    if let Some(exe) = common_ground(&exe) {
        fs::write(case.path("exe"), exe).unwrap();
    }
    case.run_program();
    case
}

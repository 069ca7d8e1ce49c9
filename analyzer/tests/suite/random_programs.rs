//! Random programs and data, on which our reports must equal GNU gprof's byte for byte.

use super::data::{Data, Histogram};
use super::elf::{self, Elf};
use super::gnu;
use super::random::Random;
use super::run::Case;

const TEXT: u64 = 0x40_1000;

/// A program with odd symbols.
pub(crate) fn program(random: &mut Random) -> Elf {
    let mut exe = Elf::new(TEXT, 0);
    exe.encoding = random.pick(&[elf::LITTLE_64, elf::BIG_64, elf::LITTLE_32, elf::BIG_32]);
    // GNU gprof reads machines it does not know by class and byte order alone.
    exe.machine = match exe.encoding {
        elf::LITTLE_64 => random.pick(&[62, 183]),
        elf::LITTLE_32 => random.pick(&[3, 243]),
        elf::BIG_64 => 43,
        _ => 2,
    };
    let count = if random.once_in(20) { 100 + random.below(200) } else { 1 + random.below(14) };
    let mut address = TEXT;
    for number in 0..count {
        let name = name(random, number);
        let binding = random.pick(&[elf::GLOBAL, elf::GLOBAL, elf::GLOBAL, elf::LOCAL, elf::WEAK]);
        let kind = random.pick(&[elf::FUNC, elf::FUNC, elf::FUNC, elf::FUNC, elf::NOTYPE]);
        exe.symbol(&name, address, binding, kind, elf::TEXT);
        if random.once_in(6) {
            let alias = self::name(random, 100 + number);
            let binding = random.pick(&[elf::GLOBAL, elf::LOCAL, elf::WEAK]);
            let kind = random.pick(&[elf::FUNC, elf::NOTYPE, elf::OBJECT]);
            exe.symbol(&alias, address, binding, kind, elf::TEXT);
        }
        address += 1 + random.below(64);
    }
    // GNU gprof gives the very last symbol no time, so that one is out of reach of all samples.
    exe.symbol("last", address, elf::GLOBAL, elf::FUNC, elf::TEXT);
    exe.symbol("beyond", address + 0x4000, elf::GLOBAL, elf::FUNC, elf::TEXT);
    exe.symbol("variable", address + 0x4020, elf::GLOBAL, elf::OBJECT, elf::DATA);
    exe.symbol("constant", 77, elf::GLOBAL, elf::NOTYPE, elf::ABSOLUTE);
    exe.text_size = address + 0x4010 - TEXT;
    exe
}

fn name(random: &mut Random, number: u64) -> String {
    const RUNTIME: [&str; 4] = ["mcount", "_mcount", "__mcount_internal", "__mcleanup"];
    // Names with dots are left to the tests of symbols: GNU gprof judges a local one by what
    // happens to follow it in the string table.
    match random.below(16) {
        0 => random.pick(&RUNTIME).to_owned(),
        1 | 2 => format!("_f{number}"),
        3 => format!("__f{number}"),
        4 => format!("_ZN5space5shapeILi{number}EE4areaEv"),
        5 => format!("_Z3fun{number}i"),
        _ => format!("{}{number}", random.pick(&["a", "b", "main", "Zed"])),
    }
}

pub(crate) fn data(random: &mut Random, exe: &Elf) -> Data {
    let functions: Vec<u64> = exe
        .symbols
        .iter()
        .filter(|symbol| symbol.section == elf::TEXT)
        .map(|symbol| symbol.address)
        .collect();
    let end = TEXT + exe.text_size - 0x4000;
    let mut data = Data::default();
    if !random.once_in(10) {
        let rate = random.pick(&[1, 64, 100, 1000]);
        let (dimension, abbreviation) =
            random.pick(&[("seconds", b's'), ("seconds", b's'), ("i-cache misses!", b'm')]);
        let bytes_per_bin = random.pick(&[2, 4, 16, 4]);
        let low = TEXT + 2 * random.below(8);
        let high = low.max(end - random.below(8));
        let bins = if random.once_in(3) {
            1 + random.below(200)
        } else {
            1 + (high - low) / bytes_per_bin
        };
        let exact = low + bins * bytes_per_bin;
        let high = if random.once_in(2) && exact > low { exact } else { high.max(low) };
        let busy = random.pick(&[2, 4, 20]);
        let most = random.pick(&[1, 100, 60_000]);
        let bins = (0..bins)
            .map(|_| if random.once_in(busy) { random.below(most) + 1 } else { 0 })
            .collect();
        data.histograms.push(Histogram { low, high, rate, dimension, abbreviation, bins });
        if random.once_in(5) {
            let again = data.histograms[0].clone();
            data.histograms.push(again);
        }
    }
    for _ in 0..random.below(30.max(3 * functions.len() as u64)) {
        let from = random.pick(&functions) + random.below(4);
        let to = if random.once_in(8) { from } else { random.pick(&functions) };
        let most = random.pick(&[2, 10, 1000, 1 << 32]);
        let count = if random.once_in(10) { 0 } else { random.below(most) };
        data.arcs.push((from, to, count));
    }
    if random.once_in(4) {
        data.arcs.push((0, functions[0], 3));
    }
    data
}

#[test]
fn random_programs_give_the_reports_of_gnu_gprof() {
    if !gnu::is_here("random_programs_give_the_reports_of_gnu_gprof") {
        return;
    }
    for seed in gnu::seeds(300) {
        let mut random = Random::new(seed);
        let exe = program(&mut random);
        let data = data(&mut random, &exe);
        let case = Case::new(&exe.bytes(), &data.bytes(exe.encoding));
        for options in ["-b", "-b -p", "-b -q"] {
            gnu::assert_same(&format!("seed {seed}"), &case.words(options));
        }
    }
}

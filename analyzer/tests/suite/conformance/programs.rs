//! Random programs and the data of their runs.

use gmon_format::{ByteOrder, Encoding};

use crate::bytes;
use crate::data::{Data, Histogram};
use crate::elf::{self, Elf};
use crate::random::Random;

const TEXT: u64 = 0x40_1000;

/// Machines, of which GNU gprof knows those of x86. It reads the others by word size and byte order
/// alone.
const MACHINES: [(Encoding, u16); 12] = [
    (elf::LITTLE_64, 62),
    (elf::LITTLE_64, 62),
    (elf::LITTLE_32, 62),
    (elf::LITTLE_32, 3),
    (elf::LITTLE_64, 183),
    (elf::LITTLE_64, 243),
    (elf::LITTLE_32, 243),
    (elf::LITTLE_64, 258),
    (elf::BIG_64, 43),
    (elf::BIG_64, 22),
    (elf::BIG_32, 2),
    (elf::BIG_32, 20),
];

/// A program and what its runs wrote.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) exe: Elf,
    pub(super) profiles: Vec<Profile>,
    /// The GNU gprof to compare with.
    pub(super) gnu: &'static str,
}

/// One data file.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    pub(super) format: Format,
    pub(super) data: Data,
    /// Addresses and counts of basic blocks.
    pub(super) blocks: Vec<(u64, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Gnu,
    Bsd,
    Bsd44,
}

impl Program {
    pub(super) fn new(random: &mut Random) -> Self {
        let (encoding, machine) = random.pick(&MACHINES);
        Self::for_machine(random, encoding, machine, "gprof")
    }

    /// A program for one machine.
    pub(super) fn for_machine(
        random: &mut Random,
        encoding: Encoding,
        machine: u16,
        gnu: &'static str,
    ) -> Self {
        let mut exe = exe(random);
        (exe.encoding, exe.machine) = (encoding, machine);
        let profiles = profiles(random, &exe);
        Self { exe, profiles, gnu }
    }

    /// The executable, with one more symbol at its end: GNU gprof gives the very last one no time,
    /// so that one is out of reach of all samples.
    pub(super) fn exe(&self) -> Elf {
        let mut exe = self.exe.clone();
        exe.function("beyond", TEXT + exe.text_size - 0x10);
        exe
    }

    /// Whether the calls in its code are those that GNU gprof finds.
    pub(super) fn has_simple_calls(&self) -> bool {
        const X86: [u16; 2] = [3, 62];
        X86.contains(&self.exe.machine)
    }

    /// Whether no sum needs more room than the GNU format has in one record.
    pub(super) fn has_small_sums(&self) -> bool {
        let data = || self.profiles.iter().map(|profile| &profile.data);
        let ticks = data().flat_map(|data| &data.histograms).flat_map(|it| &it.bins).max();
        let histograms = data().flat_map(|data| &data.histograms).count() as u64;
        let calls: u64 = data().flat_map(|data| &data.arcs).map(|arc| arc.2).sum();
        ticks.unwrap_or(&0) * histograms < 1 << 16 && calls < 1 << 32
    }

    /// The bytes of all data files.
    pub(super) fn files(&self) -> Vec<Vec<u8>> {
        let encoding = self.exe.encoding;
        let file = |profile: &Profile| match profile.format {
            Format::Gnu if profile.blocks.is_empty() => profile.data.bytes(encoding),
            Format::Gnu => {
                let blocks = bytes::blocks(&profile.blocks, encoding);
                [profile.data.bytes(encoding), blocks].concat()
            }
            Format::Bsd => bytes::bsd(&profile.data, encoding, false),
            Format::Bsd44 => bytes::bsd(&profile.data, encoding, true),
        };
        self.profiles.iter().map(file).collect()
    }
}

/// A program with odd symbols.
fn exe(random: &mut Random) -> Elf {
    let mut exe = Elf::new(TEXT, 0);
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
    exe.symbol("last", address, elf::GLOBAL, elf::FUNC, elf::TEXT);
    add_calls(random, &mut exe, address);
    exe.symbol("variable", address + 0x4020, elf::GLOBAL, elf::OBJECT, elf::DATA);
    exe.symbol("constant", 77, elf::GLOBAL, elf::NOTYPE, elf::ABSOLUTE);
    exe.text_size = address + 0x4010 - TEXT;
    exe
}

/// Fills the functions with instructions of x86, some of which call later functions: GNU gprof
/// misses calls of those before.
fn add_calls(random: &mut Random, exe: &mut Elf, end: u64) {
    const NOP: u8 = 0x90;
    const CALL: u8 = 0xe8;
    let mut starts: Vec<u64> = exe.symbols.iter().map(|symbol| symbol.address).collect();
    starts.dedup();
    exe.code.push((TEXT, vec![NOP; (end - TEXT) as usize]));
    for (number, pair) in starts.windows(2).enumerate() {
        let has_room = pair[1] - pair[0] > 8;
        if has_room && random.once_in(2) {
            let target = random.pick(&starts[number + 1..]) + u64::from(random.once_in(8));
            let distance = (target - (pair[0] + 3 + 5)) as u32;
            exe.code.push((pair[0] + 3, [&[CALL][..], &distance.to_le_bytes()].concat()));
        }
    }
}

fn name(random: &mut Random, number: u64) -> String {
    const RUNTIME: [&str; 6] =
        ["mcount", "_mcount", "__mcount", "_gprof_mcount", "__mcount_internal", "__mcleanup"];
    match random.below(20) {
        0 => random.pick(&RUNTIME).to_owned(),
        1 | 2 => format!("_f{number}"),
        3 => format!("__f{number}"),
        4 => format!("_ZN5space5shapeILi{number}EE4areaEv"),
        5 => format!("_Z3fun{number}i"),
        6 => format!("_RNvC6_123foo3bar{number}"),
        7 => format!("counter.{number}"),
        8 => format!("f{number}.constprop.0"),
        9 => format!("f{number}.{}", random.pick(&["cold", "part.0", "isra.0", "x"])),
        10 => format!("label${number}"),
        _ => format!("{}{number}", random.pick(&["a", "b", "main", "Zed"])),
    }
}

fn profiles(random: &mut Random, exe: &Elf) -> Vec<Profile> {
    let format = random.pick(&[Format::Gnu, Format::Gnu, Format::Gnu, Format::Bsd, Format::Bsd44]);
    let first = data(random, exe, format);
    let count = if random.once_in(4) { 1 + random.below(3) } else { 1 };
    let mut profiles = Vec::new();
    for number in 0..count {
        let mut data = first.clone();
        if number > 0 {
            data.histograms.iter_mut().flat_map(|it| &mut it.bins).for_each(|bin| *bin /= 2);
            data.arcs = arcs(random, exe);
        }
        let mut blocks = Vec::new();
        // GNU gprof keeps ten blocks of a function and cannot read those of the other byte order.
        if format == Format::Gnu && exe.encoding.order == ByteOrder::Little && random.once_in(5) {
            let end = exe.text_size - 0x4000;
            blocks =
                (0..random.below(4)).map(|_| (TEXT + random.below(end), random.below(9))).collect();
        }
        profiles.push(Profile { format, data, blocks });
    }
    profiles
}

fn data(random: &mut Random, exe: &Elf, format: Format) -> Data {
    let mut data = Data { histograms: Vec::new(), arcs: arcs(random, exe) };
    if format == Format::Gnu && random.once_in(10) {
        return data;
    }
    let mut histogram = histogram(random, TEXT + exe.text_size - 0x4000);
    match format {
        // Files of BSD know nothing but seconds, and the old ones only one rate.
        Format::Bsd => {
            (histogram.dimension, histogram.abbreviation, histogram.rate) = ("seconds", b's', 100);
        }
        Format::Bsd44 => (histogram.dimension, histogram.abbreviation) = ("seconds", b's'),
        Format::Gnu => {}
    }
    data.histograms.push(histogram);
    if format == Format::Gnu && random.once_in(5) {
        let again = data.histograms[0].clone();
        data.histograms.push(again);
    }
    data
}

fn histogram(random: &mut Random, end: u64) -> Histogram {
    let rate = random.pick(&[1, 64, 100, 1000]);
    let (dimension, abbreviation) =
        random.pick(&[("seconds", b's'), ("seconds", b's'), ("i-cache misses!", b'm')]);
    let bytes_per_bin = random.pick(&[2, 4, 16, 4]);
    let low = TEXT + 2 * random.below(8);
    let high = low.max(end - random.below(8));
    let bins =
        if random.once_in(3) { 1 + random.below(200) } else { 1 + (high - low) / bytes_per_bin };
    let exact = low + bins * bytes_per_bin;
    let high = if random.once_in(2) && exact > low { exact } else { high.max(low) };
    let busy = random.pick(&[2, 4, 20]);
    let most = random.pick(&[1, 100, 60_000]);
    let bins =
        (0..bins).map(|_| if random.once_in(busy) { random.below(most) + 1 } else { 0 }).collect();
    Histogram { low, high, rate, dimension, abbreviation, bins }
}

fn arcs(random: &mut Random, exe: &Elf) -> Vec<(u64, u64, u64)> {
    let in_code = exe.symbols.iter().filter(|symbol| symbol.section == elf::TEXT);
    let functions: Vec<u64> = in_code.map(|symbol| symbol.address).collect();
    let mut arcs = Vec::new();
    for _ in 0..random.below(30.max(3 * functions.len() as u64)) {
        let from = random.pick(&functions) + random.below(4);
        let to = if random.once_in(8) { from } else { random.pick(&functions) };
        let most = random.pick(&[2, 10, 1000, 1 << 32]);
        let count = if random.once_in(10) { 0 } else { random.below(most) };
        arcs.push((from, to, count));
    }
    if random.once_in(4) {
        arcs.push((0, functions[0], 3));
    }
    arcs
}

//! The numbers of a data file by the names of the functions, read without any analyzer.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::Range,
    path::Path,
};

use gmon_format::{
    ByteOrder, CallSite, Encoding, FilePc, Histogram, Record, Records, SelfPc, WordSize,
};
use object::{Architecture, Object, ObjectSymbol, SymbolKind};

/// What a data file says.
pub struct Counts {
    /// Calls by caller and callee.
    arcs: BTreeMap<(String, String), u64>,
    /// Executions of basic blocks by function and address.
    blocks: BTreeMap<(String, u64), u64>,
    /// Samples in all.
    pub ticks: u64,
    /// Samples by function.
    samples: BTreeMap<String, u64>,
    /// Samples per unit of the dimension, and the dimension's name.
    pub unit: (u32, String),
    /// Where the numbers are from, for messages.
    origin: String,
}

/// In expectations, stands for every caller that they do not name.
const OUTSIDE: &str = "<outside>";

impl Counts {
    /// Reads `data`, which a run of the executable with these names has written.
    ///
    /// # Panics
    ///
    /// If the file is missing or not whole.
    pub fn read(names: &FunctionNames, data: &Path) -> Self {
        let origin = data.display().to_string();
        let bytes = fs::read(data).unwrap_or_else(|error| panic!("{origin}: {error}"));
        let mut counts = Self {
            arcs: BTreeMap::new(),
            blocks: BTreeMap::new(),
            ticks: 0,
            samples: BTreeMap::new(),
            unit: (0, String::new()),
            origin,
        };
        let records = Records::new(&bytes, names.encoding)
            .unwrap_or_else(|error| panic!("{}: {error}", counts.origin));
        for record in records {
            match record.unwrap_or_else(|error| panic!("{}: {error}", counts.origin)) {
                Record::Arc(arc) => {
                    let (CallSite(site), SelfPc(callee)) = (arc.from_pc, arc.self_pc);
                    let ends = (names.at(site), names.at(callee));
                    *counts.arcs.entry(ends).or_default() += arc.count;
                }
                Record::Histogram(histogram) => {
                    counts.add(histogram, names);
                }
                Record::Blocks(blocks) => {
                    for block in blocks.iter() {
                        let place = (names.at(block.pc), block.pc.0);
                        *counts.blocks.entry(place).or_default() += block.count;
                    }
                }
            }
        }
        counts
    }

    fn add(&mut self, histogram: Histogram<'_>, names: &FunctionNames) {
        let header = histogram.header;
        let dimension = String::from_utf8_lossy(&header.dimension);
        self.unit = (header.rate, dimension.trim_end_matches('\0').to_owned());
        let width = (header.high_pc.0 - header.low_pc.0) / u64::from(header.bins);
        for (i, samples) in (0..).zip(histogram.bins.iter().map(u64::from)) {
            if samples != 0 {
                // A bin may begin a little before the function that was sampled.
                let function = names.at(header.low_pc.saturating_add(i * width + width - 1));
                *self.samples.entry(function).or_default() += samples;
                self.ticks += samples;
            }
        }
    }

    /// Samples in a function.
    pub fn samples(&self, function: &str) -> u64 {
        self.samples.get(function).copied().unwrap_or(0)
    }

    /// Seconds that a function has taken, by its samples.
    pub fn seconds(&self, function: &str) -> f64 {
        self.samples(function) as f64 / f64::from(self.unit.0)
    }

    /// The functions that were sampled.
    pub fn sampled(&self) -> impl Iterator<Item = &str> {
        self.samples.keys().map(String::as_str)
    }

    /// Calls of one function by another.
    pub fn of(&self, caller: &str, callee: &str) -> u64 {
        self.arcs.get(&(caller.to_owned(), callee.to_owned())).copied().unwrap_or(0)
    }

    /// Calls of a function, whoever called it.
    pub fn calls(&self, callee: &str) -> u64 {
        self.arcs.iter().filter(|((_, of), _)| of == callee).map(|(_, count)| count).sum()
    }

    /// Functions with calls of them, several times where several others call one.
    pub fn all_calls(&self) -> impl Iterator<Item = (&str, u64)> {
        self.arcs.iter().map(|((_, callee), count)| (callee.as_str(), *count))
    }

    /// Calls of all functions in whose names this stands, as that of a Rust function in its symbol's.
    pub fn calls_of_names_with(&self, part: &str) -> u64 {
        self.arcs.iter().filter(|((_, of), _)| of.contains(part)).map(|(_, count)| count).sum()
    }

    /// Executions of each block of a function, in the order of their addresses.
    pub fn blocks(&self, function: &str) -> Vec<u64> {
        let blocks = self.blocks.iter().filter(|((name, _), _)| name == function);
        blocks.map(|(_, count)| *count).collect()
    }

    /// Executions of a function's first block, which are its calls.
    pub fn entries(&self, function: &str) -> u64 {
        self.blocks(function).first().copied().unwrap_or(0)
    }

    /// Checks that the file holds these arcs and no others: one `CALLER -> CALLEE N` on each line.
    ///
    /// # Panics
    ///
    /// If it does not.
    #[track_caller]
    pub fn are(&self, expected: &str) {
        let expected: BTreeMap<(&str, &str), u64> = lines(expected).map(parse).collect();
        let named: BTreeSet<&str> =
            expected.keys().flat_map(|(caller, callee)| [*caller, *callee]).collect();
        let mut found = BTreeMap::new();
        for ((caller, callee), count) in &self.arcs {
            let caller = named.get(caller.as_str()).copied().unwrap_or(OUTSIDE);
            *found.entry((caller, callee.as_str())).or_default() += count;
        }
        assert_eq!(shown(&found), shown(&expected), "{}", self.origin);
    }
}

/// The lines of a text that say something.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn parse(line: &str) -> ((&str, &str), u64) {
    let parts = line.rsplit_once(' ').and_then(|(arc, count)| {
        let ends = arc.split_once(" -> ")?;
        Some((ends, count.parse().ok()?))
    });
    parts.unwrap_or_else(|| panic!("not an arc: {line}"))
}

fn shown(arcs: &BTreeMap<(&str, &str), u64>) -> Vec<String> {
    arcs.iter().map(|((caller, callee), count)| format!("{caller} -> {callee} {count}")).collect()
}

/// The functions of an executable, by address.
pub struct FunctionNames {
    names: BTreeMap<u64, String>,
    /// How the program's data files are encoded.
    encoding: Encoding,
}

impl FunctionNames {
    /// Reads the symbol table of `executable`.
    ///
    /// # Panics
    ///
    /// If it has none.
    pub fn read(executable: &Path) -> Self {
        let bytes = fs::read(executable).expect("an executable");
        let file = object::File::parse(&*bytes).expect("an executable with symbols");
        let functions = file
            .symbols()
            .filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Text);
        let named = functions.map(|symbol| {
            let name = symbol.name().unwrap_or_default();
            // On ARM an odd address is that of even code.
            let is_odd = file.architecture() == Architecture::Arm;
            (symbol.address() & !u64::from(is_odd), name.to_owned())
        });
        let names = named.filter(|(_, name)| !name.is_empty()).collect();
        let word = if file.is_64() { WordSize::Eight } else { WordSize::Four };
        let order = if file.is_little_endian() { ByteOrder::Little } else { ByteOrder::Big };
        Self { names, encoding: Encoding { word, order } }
    }

    /// Where a function begins.
    ///
    /// # Panics
    ///
    /// If there is no such function.
    pub(super) fn place(&self, name: &str) -> FilePc {
        let found = self.names.iter().find(|(_, known)| *known == name);
        found.map(|(pc, _)| FilePc(*pc)).unwrap_or_else(|| panic!("no function {name}"))
    }

    /// The addresses of a function, with what is between it and the next.
    ///
    /// # Panics
    ///
    /// If there is no such function, or none behind it.
    pub(super) fn places(&self, name: &str) -> Range<u64> {
        let FilePc(start) = self.place(name);
        let next = self.names.range(start + 2..).next();
        start..*next.expect("a function behind it").0
    }

    /// The function that begins last before or at an address.
    pub fn at(&self, FilePc(pc): FilePc) -> String {
        let last = self.names.range(..=pc).next_back();
        last.map_or_else(|| format!("{pc:#x}"), |(_, name)| name.clone())
    }
}

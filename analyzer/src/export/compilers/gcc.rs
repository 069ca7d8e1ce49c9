//! The profile that gcc's `-fauto-profile` reads: a file of gcov's kind with the names of functions and a tree of what ran in
//! each, as gcc 12 and later expect it.
//!
//! Numbers are words of four bytes, little-endian, counts two of them, the lower first; a name is its length in bytes, its bytes and a
//! zero. (Sources: the documentation of gcov's files, and what gcc says of files that it refuses.)

use std::collections::BTreeMap;

use super::code_profile::{CodeProfile, ProfiledBy};
use super::instances::{Functions, Instance, Spot};
use crate::export::format::{Contents, FileNames, Format, Need, Writer};

pub(in crate::export) const FORMAT: Format = Format {
    name: "gcc-afdo",
    help: "executions of code for gcc: -fauto-profile",
    files: FileNames { contents: Contents::Binary, ..FileNames::ending(".afdo") },
    needs: &[Need::Anything],
    choices: &[],
    writer: Writer::OfMeasurement(|measurement, out| {
        CodeProfile::measured(measurement, ProfiledBy::Gcc)?.write_gcc(out)
    }),
};

/// `gcda`, as a number.
const MAGIC: u32 = 0x6763_6461;
const VERSION: u32 = 2;
const NAMES: u32 = 0xaa00_0000;
const FUNCTIONS: u32 = 0xac00_0000;
const MODULES: u32 = 0xae00_0000;
/// The kind of counter that calls of a place by target have.
const TARGETS: u32 = 7;

/// The names, each with its number.
type Names<'f> = BTreeMap<&'f [u8], u32>;

pub(super) fn contents(functions: &Functions) -> Vec<u8> {
    let mut names = Names::new();
    functions.iter().for_each(|(name, instance)| collect(name, instance, &mut names));
    // The first is nobody's name: gcc takes 0 for no target of a call, and fails.
    names.values_mut().zip(1..).for_each(|(number, position)| *number = position);
    let mut list = Words::default();
    list.word(names.len() as u32 + 1);
    list.name(b"");
    names.keys().for_each(|name| list.name(name));
    let mut tree = Words::default();
    tree.word(functions.len() as u32);
    for (name, instance) in functions {
        tree.count(instance.head);
        tree.instance(name, instance, &names);
    }
    let mut file = Words::default();
    [MAGIC, VERSION, 0].into_iter().for_each(|word| file.word(word));
    file.section(NAMES, &list);
    file.section(FUNCTIONS, &tree);
    let mut modules = Words::default();
    modules.word(0);
    file.section(MODULES, &modules);
    file.0
}

/// Notes the names of a function and of all that it has to do with.
fn collect<'f>(name: &'f [u8], instance: &'f Instance, names: &mut Names<'f>) {
    names.insert(name, 0);
    let targets = instance.bodies.values().flat_map(|body| body.targets.keys());
    names.extend(targets.map(|target| (target.as_slice(), 0)));
    instance.inlined.iter().for_each(|((_, name), inlined)| collect(name, inlined, names));
}

/// Bytes of the file.
#[derive(Default)]
struct Words(Vec<u8>);

impl Words {
    fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    fn count(&mut self, count: u64) {
        self.0.extend(count.to_le_bytes());
    }

    fn name(&mut self, name: &[u8]) {
        self.word(name.len() as u32 + 1);
        self.0.extend_from_slice(name);
        self.0.push(0);
    }

    fn section(&mut self, tag: u32, contents: &Self) {
        self.word(tag);
        self.word(contents.0.len() as u32 / 4);
        self.0.extend_from_slice(&contents.0);
    }

    fn instance(&mut self, name: &[u8], instance: &Instance, names: &Names<'_>) {
        self.word(names[name]);
        self.word(instance.bodies.len() as u32);
        self.word(instance.inlined.len() as u32);
        for (spot, body) in &instance.bodies {
            self.word(place(*spot));
            self.word(body.targets.len() as u32);
            self.count(body.executions);
            for (target, calls) in &body.targets {
                self.word(TARGETS);
                self.count(names[target.as_slice()].into());
                self.count(*calls);
            }
        }
        for ((spot, name), inlined) in &instance.inlined {
            self.word(place(*spot));
            self.instance(name, inlined, names);
        }
    }
}

fn place(spot: Spot) -> u32 {
    u32::from(spot.offset) << 16 | spot.discriminator & 0xffff
}

#[test]
fn no_function_has_the_number_by_which_gcc_knows_none() {
    let functions = Functions::from([(b"a".to_vec(), Instance::default())]);
    let file = contents(&functions);
    // Behind the head of the file, the count of names, the empty one and this.
    let names = [&[2, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0][..], b"a\0"].concat();
    assert_eq!(file[20..35], names);
    // Behind the section's tag and length, the count of functions and the calls of this.
    assert_eq!(file[55..59], [1, 0, 0, 0]);
}

//! Modules with broken tables: what reads them gives less, and never more, than there is.

use std::path::Path;
use std::string::String;
use std::vec::Vec;

use super::call_sites::sites::{Site, Sites};
use super::called::Called;
use super::dynamic::Dynamic;
use super::processor::{Native, Processor};
use super::slots;
use super::symbols::{Hash, Symbols, Wanted};
use crate::elf::{Image, Part};

/// A small generator: whoever wants a case again has its number.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// All that is read of a module: names of its slots, and whether it defines them itself.
fn read(file: &[u8]) -> Option<Vec<(String, bool, bool)>> {
    let image = Image::of_file(file)?;
    let dynamic = Dynamic::read(&image).ok()?;
    let symbols = Symbols { image: &image, dynamic: &dynamic };
    let mut called = Called::<Vec<u8>>::find(&image, slots::of(&image, &dynamic));
    let sites = Sites::find(&image, &mut called, &|_| Native::ARGUMENTS);
    let is_in_code = |site: Site| {
        let has = |part: &Part| site.distance_at.wrapping_sub(part.start) < part.len;
        image.parts.iter().any(|part| part.is_code && has(part)) && called.is_slot(site.word)
    };
    assert!(sites.iter().flat_map(Sites::iter).all(is_in_code));
    let wanted = slots::of(&image, &dynamic).filter_map(|slot| {
        let wanted = symbols.wanted(slot.symbol)?;
        let own = symbols.find(&wanted, &Hash::of(wanted.name));
        _ = symbols.find(&Wanted { version: None, ..wanted }, &Hash::of(wanted.name));
        _ = image.slot(slot.address);
        let name = String::from_utf8_lossy(wanted.name).into_owned();
        Some((name, own.is_some(), called.is_only(&slot)))
    });
    Some(wanted.collect())
}

/// Libraries of the machine, and this very program.
pub(super) fn files() -> Vec<Vec<u8>> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mut paths: Vec<&str> =
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).collect();
    paths.retain(|path| path.contains(".so") && Path::new(path).is_file());
    paths.sort_unstable();
    paths.dedup();
    let mut files: Vec<_> = paths.into_iter().map(|path| std::fs::read(path).unwrap()).collect();
    files.push(std::fs::read("/proc/self/exe").unwrap());
    files
}

#[test]
fn tables_of_real_modules_are_read() {
    let all: Vec<_> = files().iter().map(|file| read(file).expect("tables")).collect();
    let own = all.last().unwrap();
    assert!(own.iter().any(|(name, is_own, _)| name == "malloc" && !is_own), "{own:?}");
    assert!(all.iter().flatten().any(|(_, is_own, _)| *is_own));
}

/// Bytes of the headers, of the dynamic section, and anywhere else.
#[test]
fn broken_tables_lead_nowhere() {
    const CASES: usize = 24;
    for (number, mut file) in files().into_iter().enumerate() {
        let image = Image::of_file(&file).unwrap();
        let dynamic = Dynamic::read(&image).unwrap();
        // Reading all code each time would take long.
        let start = image.dynamic.start;
        let part =
            image.parts.iter().find(|part| part.start <= start && start < part.start + part.len);
        let in_file = |address: usize| {
            let tail = image.tail(address)?;
            Some(tail.as_ptr() as usize - file.as_ptr() as usize)
        };
        let section = part.and_then(|_| in_file(start)).unwrap();
        let mut places = std::vec![(0, 64 + 56 * 13), (section, image.dynamic.len())];
        for address in [dynamic.symbols, dynamic.strings.start, dynamic.gnu_hash, dynamic.versions]
        {
            places.extend(in_file(address).map(|at| (at, 2048)));
        }
        // What finds functions, what describes them behind it, and code.
        let code = image.parts.iter().find(|part| part.is_code).map_or(0, |part| part.start);
        for address in [image.unwind.start, image.unwind.end, code] {
            places.extend(in_file(address).map(|at| (at, 2048)));
        }
        places.extend(in_file(dynamic.jumps.start).map(|at| (at, dynamic.jumps.len())));
        places.extend(in_file(dynamic.with_addends.start).map(|at| (at, 2048)));
        for address in [dynamic.needed, dynamic.defined] {
            places.extend(in_file(address).map(|at| (at, 256)));
        }
        let mut random = Random(number as u64);
        for _ in 0..CASES {
            let mut changed = Vec::new();
            for _ in 0..=random.below(8) {
                let (at, len) = places[random.below(places.len())];
                let at = (at + random.below(len)).min(file.len() - 1);
                let values = [0, 1, 0x7f, 0x80, 0xff, random.below(256) as u8];
                changed.push((at, core::mem::replace(&mut file[at], values[random.below(6)])));
            }
            _ = read(&file);
            changed.into_iter().rev().for_each(|(at, byte)| file[at] = byte);
        }
        // Cut off.
        for _ in 0..4 {
            _ = read(&file[..random.below(file.len())]);
        }
    }
}

/// Any bytes as an instruction.
#[test]
#[cfg(target_arch = "x86_64")]
fn any_bytes_are_read_as_code() {
    let mut random = Random(1);
    let mut known = 0;
    for _ in 0..300_000 {
        let bytes: [u8; 20] = core::array::from_fn(|_| random.below(256) as u8);
        let len = random.below(bytes.len() + 1);
        if let Some(found) = Native::decode(&bytes[..len], usize::MAX - 7) {
            known += 1;
            assert!(found.len <= len && found.len <= 15, "{bytes:x?}");
        }
    }
    assert!(known > 10_000, "{known}");
}

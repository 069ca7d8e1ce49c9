//! The symbols of a module: what it asks for, and what it defines, by the rules of the dynamic loader.

use super::dynamic::Dynamic;
use super::processor::{Native, Processor};
use crate::elf::{Image, u16_at, u32_at, word_at};

/// A symbol that code asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted<'m> {
    /// Its name.
    pub name: &'m [u8],
    /// The version, if it asks for one.
    pub version: Option<&'m [u8]>,
}

/// A symbol that a module defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defined {
    /// In the file's addresses.
    pub value: usize,
    /// Its type, as [`STT_FUNC`].
    pub kind: u8,
}

/// The type of a function.
pub const STT_FUNC: u8 = 2;
const STT_OBJECT: u8 = 1;
const STT_COMMON: u8 = 5;
/// The type of a function that says which function is to be called.
pub const STT_GNU_IFUNC: u8 = 10;

/// The symbol that a symbol table begins with, and a module that defines none.
const NONE: usize = 0;

/// In a table of versions: the number, and what says that only who asks for this version gets it.
const VERSION: u16 = 0x7fff;
const IS_HIDDEN: u16 = 0x8000;

/// Versions that a module has at most.
const MOST_VERSIONS: usize = 4096;

/// Offsets of the fields of a symbol.
struct Fields {
    len: usize,
    info: usize,
    other: usize,
    section: usize,
    value: usize,
}

#[cfg(target_pointer_width = "64")]
const FIELDS: Fields = Fields { len: 24, info: 4, other: 5, section: 6, value: 8 };
#[cfg(target_pointer_width = "32")]
const FIELDS: Fields = Fields { len: 16, info: 12, other: 13, section: 14, value: 4 };

/// The symbols of a module.
pub struct Symbols<'i, 'm> {
    /// The module.
    pub image: &'i Image<'m>,
    /// Its tables.
    pub dynamic: &'i Dynamic,
}

impl<'m> Symbols<'_, 'm> {
    fn entry(&self, index: usize) -> Option<&'m [u8]> {
        let start = self.dynamic.symbols.checked_add(index.checked_mul(FIELDS.len)?)?;
        self.image.bytes(start..start.checked_add(FIELDS.len)?)
    }

    fn string(&self, offset: usize) -> Option<&'m [u8]> {
        let rest = self.image.bytes(self.dynamic.strings.clone())?.get(offset..)?;
        rest.get(..rest.iter().position(|byte| *byte == 0)?)
    }

    /// The symbol of a number that the module asks for.
    pub fn wanted(&self, index: usize) -> Option<Wanted<'m>> {
        let name = self.string(u32_at(self.entry(index)?, 0)? as usize)?;
        if index == NONE || name.is_empty() {
            return None;
        }
        let version = self.version(index).map_or(0, |version| version & VERSION);
        // Those below are of the module itself, or of nobody.
        let version = if version < 2 { None } else { self.name_of_needed(version) };
        Some(Wanted { name, version })
    }

    /// The definition of a name, whatever its version.
    #[must_use]
    pub fn named(&self, name: &[u8]) -> Option<Defined> {
        self.find(&Wanted { name, version: None }, &Hash::of(name))
    }

    /// Returns `true` if functions of a number's symbol get arguments in registers that only they
    /// know.
    pub fn has_other_registers(&self, index: usize) -> bool {
        let other = self.entry(index).and_then(|entry| entry.get(FIELDS.other));
        other.zip(Native::OTHER_REGISTERS).is_some_and(|(other, flag)| other & flag != 0)
    }

    fn version(&self, index: usize) -> Option<u16> {
        if self.dynamic.versions == 0 {
            return None;
        }
        let at = self.dynamic.versions.checked_add(index.checked_mul(2)?)?;
        u16_at(self.image.bytes(at..at.checked_add(2)?)?, 0)
    }

    /// The name of a version that is needed: a list of files, each with a list of versions.
    fn name_of_needed(&self, number: u16) -> Option<&'m [u8]> {
        let mut file_at = self.dynamic.needed;
        for _ in 0..MOST_VERSIONS {
            let file = self.image.tail(file_at)?;
            let mut at = file_at.checked_add(u32_at(file, 8)? as usize)?;
            for _ in 0..u16_at(file, 2)? {
                let version = self.image.tail(at)?;
                if u16_at(version, 6)? & VERSION == number {
                    return self.string(u32_at(version, 8)? as usize);
                }
                let next = u32_at(version, 12)? as usize;
                if next == 0 {
                    break;
                }
                at = at.checked_add(next)?;
            }
            let next = u32_at(file, 12)? as usize;
            if next == 0 {
                return None;
            }
            file_at = file_at.checked_add(next)?;
        }
        None
    }

    /// The name of a version that the module defines.
    fn name_of_defined(&self, number: u16) -> Option<&'m [u8]> {
        let mut at = self.dynamic.defined;
        for _ in 0..MOST_VERSIONS {
            let version = self.image.tail(at)?;
            if u16_at(version, 4)? & VERSION == number {
                let name = self.image.tail(at.checked_add(u32_at(version, 12)? as usize)?)?;
                return self.string(u32_at(name, 0)? as usize);
            }
            let next = u32_at(version, 16)? as usize;
            if next == 0 {
                return None;
            }
            at = at.checked_add(next)?;
        }
        None
    }

    /// The definition that the loader would take from this module.
    pub fn find(&self, wanted: &Wanted<'_>, hash: &Hash) -> Option<Defined> {
        let mut only = None;
        let mut others = 0;
        let exact = self.each_of_name(wanted.name, hash, &mut |index| {
            let defined = self.defined(index)?;
            match self.judge(index, wanted.version) {
                Fit::Yes => return Some(defined),
                Fit::IfAlone => {
                    only = Some(defined);
                    others += 1;
                }
                Fit::No => {}
            }
            None
        });
        exact.or(only.filter(|_| others == 1))
    }

    /// Judges how a definition fits the version that is asked for.
    fn judge(&self, index: usize, version: Option<&[u8]>) -> Fit {
        let Some(number) = self.version(index) else { return Fit::Yes };
        let is_hidden = number & IS_HIDDEN != 0;
        let number = number & VERSION;
        match version {
            // What has no version serves all, as long as it is not hidden.
            Some(_) if number <= 1 && !is_hidden => Fit::Yes,
            Some(name) if number > 1 && self.name_of_defined(number) == Some(name) => Fit::Yes,
            Some(_) => Fit::No,
            // Who asks for none was linked before there were any: it gets the first.
            None if number <= 2 => Fit::Yes,
            None if !is_hidden => Fit::IfAlone,
            None => Fit::No,
        }
    }

    fn defined(&self, index: usize) -> Option<Defined> {
        let entry = self.entry(index)?;
        let info = *entry.get(FIELDS.info)?;
        let (binding, kind) = (info >> 4, info & 0xf);
        let visibility = *entry.get(FIELDS.other)? & 3;
        let value = word_at(entry, FIELDS.value)?;
        let is_known = matches!(kind, 0 | STT_OBJECT | STT_FUNC | STT_COMMON | STT_GNU_IFUNC);
        // Global, weak, or one in the whole process; neither hidden nor internal.
        let is_seen = matches!(binding, 1 | 2 | 10) && !matches!(visibility, 1 | 2);
        let is_here = u16_at(entry, FIELDS.section)? != 0 && value != 0;
        (is_known && is_seen && is_here).then_some(Defined { value, kind })
    }

    /// Calls `visit` with the numbers of the symbols of a name until it gives something.
    fn each_of_name<T>(
        &self,
        name: &[u8],
        hash: &Hash,
        visit: &mut dyn FnMut(usize) -> Option<T>,
    ) -> Option<T> {
        let mut visit = |index: usize| {
            let own = self.string(u32_at(self.entry(index)?, 0)? as usize);
            if own == Some(name) { visit(index) } else { None }
        };
        if self.dynamic.gnu_hash != 0 {
            self.by_gnu_hash(hash.gnu, &mut visit)
        } else if self.dynamic.hash != 0 {
            self.by_hash(hash.system_v, &mut visit)
        } else {
            None
        }
    }

    /// GNU's table: a filter of bits, the first symbol of each bucket, and the hashes of all symbols, whose last
    /// bit ends a bucket.
    fn by_gnu_hash<T>(&self, hash: u32, visit: &mut dyn FnMut(usize) -> Option<T>) -> Option<T> {
        const HEADER: usize = 16;
        let table = self.image.tail(self.dynamic.gnu_hash)?;
        let number = |index: usize| u32_at(table, index.checked_mul(4)?);
        let (buckets, first, words) = (number(0)?, number(1)? as usize, number(2)? as usize);
        let word = (hash / usize::BITS) as usize % words.max(1);
        let filter = word_at(table, HEADER.checked_add(word.checked_mul(size_of::<usize>())?)?)?;
        let bit = |hash: u32| filter >> (hash % usize::BITS) & 1 != 0;
        if words != 0 && !(bit(hash) && bit(hash.checked_shr(number(3)?).unwrap_or(0))) {
            return None;
        }
        let at = (HEADER + words.checked_mul(size_of::<usize>())?) / 4;
        let bucket = hash.checked_rem(buckets)? as usize;
        let mut index = number(at.checked_add(bucket)?)? as usize;
        let hashes = at.checked_add(buckets as usize)?;
        loop {
            let own = number(hashes.checked_add(index.checked_sub(first)?)?)?;
            if own | 1 == hash | 1 {
                if let Some(found) = visit(index) {
                    return Some(found);
                }
            }
            if own & 1 != 0 {
                return None;
            }
            index += 1;
        }
    }

    /// The table of System V: the first symbol of each bucket, and for each symbol the next of its bucket.
    fn by_hash<T>(&self, hash: u32, visit: &mut dyn FnMut(usize) -> Option<T>) -> Option<T> {
        let table = self.image.tail(self.dynamic.hash)?;
        let number = |index: usize| u32_at(table, index.checked_mul(4)?).map(|n| n as usize);
        let (buckets, symbols) = (number(0)?, number(1)?);
        let bucket = (hash as usize).checked_rem(buckets)?;
        let mut index = number(bucket.checked_add(2)?)?;
        // A broken chain could be a circle.
        for _ in 0..symbols {
            if index == NONE {
                return None;
            }
            if let Some(found) = visit(index) {
                return Some(found);
            }
            index = number(index.checked_add(buckets)?.checked_add(2)?)?;
        }
        None
    }
}

/// Fitness of a definition.
enum Fit {
    Yes,
    /// If no other does.
    IfAlone,
    No,
}

/// The hashes of a name in both kinds of tables.
pub struct Hash {
    gnu: u32,
    system_v: u32,
}

impl Hash {
    /// The hashes of a name.
    #[must_use]
    pub fn of(name: &[u8]) -> Self {
        let gnu = name
            .iter()
            .fold(5381u32, |hash, byte| hash.wrapping_mul(33).wrapping_add(u32::from(*byte)));
        let system_v = name.iter().fold(0u32, |hash, byte| {
            let sum = (hash << 4).wrapping_add(u32::from(*byte));
            let top = sum & 0xf000_0000;
            (sum ^ (top >> 24)) & !top
        });
        Self { gnu, system_v }
    }
}

//! The names of functions in debug information: often another entry has the name, that of the
//! declaration, or of the body before it was inlined or copied.

use std::collections::HashMap;
use std::num::NonZero;

use gimli::{AttributeValue, UnitOffset};

use super::paths::{self, UnitPaths};
use super::scopes::{DEEPEST, Scopes};
use super::strings::{StringId, Strings};
use super::units::{UnitId, Units};
use crate::image::debug::Slice;

/// Place of an entry.
pub(super) type Place = (UnitId, UnitOffset);

/// The attributes that name a function.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NameAttributes<'a> {
    linkage: Option<AttributeValue<Slice<'a>>>,
    source: Option<AttributeValue<Slice<'a>>>,
    /// The file and the line of the name in the source.
    file: Option<u64>,
    line: Option<u32>,
    /// True if other files know the function.
    is_external: bool,
    /// The entry that may have what this one lacks.
    origin: Option<AttributeValue<Slice<'a>>>,
}

/// A function among those that other files may not know, of which several can have one name. What several files have from one
/// line of a header is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(NonZero<u32>);

/// Strings, and the functions that other files may not know.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) strings: Strings,
    /// Numbers of these functions by name, qualifier, file and line.
    locals: HashMap<(StringId, Option<StringId>, Option<StringId>, u32), LocalId>,
}

/// A function's name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) string: StringId,
    /// Qualifier of the name, as `ns::Class::`; nothing if the name is the linker's.
    pub(super) qualifier: Option<StringId>,
    /// True if it is the one that the linker knows.
    pub(super) is_linkage: bool,
    /// The function, unless all files know it by this name.
    pub(super) local: Option<LocalId>,
    /// True if other files may know the function by this name.
    pub(super) is_public: bool,
    /// The line on which the function is defined, or else declared; 0 if no entry says.
    pub(super) line: u32,
}

/// Finds names, each once.
pub(super) struct Names<'u, 'a> {
    units: &'u Units<'a>,
    known: HashMap<Place, Option<Name>>,
    scopes: HashMap<UnitId, Scopes>,
    /// Qualifiers of the names in a scope, by its entry.
    qualifiers: HashMap<Place, Vec<u8>>,
    /// Source files, of a unit that was split off: the other part has them.
    files: Option<UnitPaths<'u, 'u>>,
    /// Paths of files by their numbers.
    paths: HashMap<(UnitId, u64), Option<StringId>>,
}

/// Entries that lead to a name.
#[derive(Clone, Copy)]
struct Chain {
    /// True if names are the linker's where a unit does not say so: as in the unit before.
    names_are_linkage: bool,
    /// True if names stand in scopes where a unit does not say so.
    have_scopes: bool,
    /// Number of further entries that may follow.
    rest: u32,
}

/// More entries than name one function in any program.
const LONGEST_CHAIN: u32 = 16;

impl<'a> NameAttributes<'a> {
    /// Takes note of an attribute, if it has to do with the name.
    pub(super) fn note(&mut self, attribute: &gimli::Attribute<Slice<'a>>) {
        let place = match attribute.name() {
            gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => &mut self.linkage,
            gimli::DW_AT_name => &mut self.source,
            gimli::DW_AT_decl_line => {
                self.line = attribute.udata_value().and_then(|line| u32::try_from(line).ok());
                return;
            }
            gimli::DW_AT_decl_file => return self.file = file_number(attribute),
            gimli::DW_AT_external => {
                return self.is_external = attribute.value() == AttributeValue::Flag(true);
            }
            gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => &mut self.origin,
            _ => return,
        };
        *place = Some(attribute.value());
    }
}

/// The number of a file in the table of its unit.
pub(super) fn file_number(attribute: &gimli::Attribute<Slice<'_>>) -> Option<u64> {
    match attribute.value() {
        AttributeValue::FileIndex(index) => Some(index),
        _ => attribute.udata_value(),
    }
}

impl<'u, 'a> Names<'u, 'a> {
    pub(super) fn new(units: &'u Units<'a>, files: Option<UnitPaths<'u, 'u>>) -> Self {
        let (known, scopes, qualifiers, paths) = <_>::default();
        Self { units, known, scopes, qualifiers, files, paths }
    }

    /// The name of an entry with these attributes: the linker's if any entry has it.
    pub(super) fn find(
        &mut self,
        entry: Place,
        attributes: &NameAttributes<'a>,
        found: &mut Found,
    ) -> Option<Name> {
        let chain = Chain { names_are_linkage: false, have_scopes: false, rest: LONGEST_CHAIN };
        self.find_in_chain(entry, attributes, found, chain)
    }

    fn find_in_chain(
        &mut self,
        entry: Place,
        attributes: &NameAttributes<'a>,
        all: &mut Found,
        chain: Chain,
    ) -> Option<Name> {
        let (id, _) = entry;
        let (dwarf, unit) = self.units.get(id)?;
        let mut name = |value, is_linkage| {
            let string = all.strings.id(dwarf.attr_string(&unit.unit, value).ok()?.slice());
            let line = attributes.line.unwrap_or(0);
            let (qualifier, local, is_public) = (None, None, true);
            Some(Name { string, qualifier, is_linkage, local, is_public, line })
        };
        let linkage = attributes.linkage.and_then(|value| name(value, true));
        // In the languages of which linkers know nothing, all names are theirs.
        let is_linkage = unit.names_are_linkage.unwrap_or(chain.names_are_linkage);
        let source = attributes.source.and_then(|value| name(value, is_linkage));
        let origin = attributes.origin.filter(|_| chain.rest != 0);
        let origin = origin.and_then(|origin| self.units.entry(id, origin));
        let have_scopes = unit.names_have_scopes.unwrap_or(chain.have_scopes);
        let rest = chain.rest.saturating_sub(1);
        let chain = Chain { names_are_linkage: is_linkage, have_scopes, rest };
        let origin = origin.and_then(|origin| self.of_entry(origin, all, chain));
        let is_known = source.is_some_and(|source| source.is_linkage);
        let better = origin.filter(|it| source.is_none() || (it.is_linkage && !is_known));
        let found = match (linkage.or(better), source) {
            (Some(found), _) => found,
            (None, Some(source)) if have_scopes && !source.is_linkage => {
                Name { qualifier: Some(all.strings.id(&self.qualifier(entry, DEEPEST))), ..source }
            }
            (None, source) => source?,
        };
        // A definition refers to its declaration for the name, and says its own line itself.
        let name = Name { line: attributes.line.unwrap_or(found.line), ..found };
        let (local, is_public) = match origin {
            _ if attributes.is_external => (None, true),
            Some(origin) => (origin.local, origin.is_public),
            None => {
                let file = attributes.file.and_then(|file| self.file(id, file, &mut all.strings));
                let next = NonZero::<u32>::MIN.saturating_add(all.locals.len() as u32);
                let key = (name.string, name.qualifier, file, name.line);
                let local = *all.locals.entry(key).or_insert(LocalId(next));
                // Of the languages with linkers' names only C++ gives one name to functions of several files.
                let is_unique = linkage.is_some() && unit.names_have_scopes == Some(false);
                (Some(local), file.is_none() || is_unique)
            }
        };
        Some(Name { local, is_public, ..name })
    }

    /// A file of a unit: always the same for one path.
    fn file(&mut self, id: UnitId, number: u64, strings: &mut Strings) -> Option<StringId> {
        if let Some(&known) = self.paths.get(&(id, number)) {
            return known;
        }
        let path = match &self.files {
            Some(files) => files.path(number),
            None => self.units.get(id).and_then(|(dwarf, unit)| {
                let header = unit.unit.line_program.as_ref()?.header();
                UnitPaths::new(dwarf, &unit.unit, header).path(number)
            }),
        };
        let file = path.map(|path| strings.id(&paths::simplified(&path)));
        self.paths.insert((id, number), file);
        file
    }

    fn of_entry(&mut self, place: Place, all: &mut Found, chain: Chain) -> Option<Name> {
        if let Some(&known) = self.known.get(&place) {
            return known;
        }
        let (id, offset) = place;
        let (_, unit) = self.units.get(id)?;
        let entry = unit.unit.entry(offset).ok()?;
        let mut attributes = NameAttributes::default();
        let mut list = entry.attrs();
        while let Ok(Some(attribute)) = list.next() {
            attributes.note(&attribute);
        }
        let name = self.find_in_chain(place, &attributes, all, chain);
        self.known.insert(place, name);
        name
    }

    /// Qualifier of the name of an entry; at most so many scopes are followed.
    fn qualifier(&mut self, (id, entry): Place, rest: usize) -> Vec<u8> {
        let Some((_, unit)) = self.units.get(id).filter(|_| rest != 0) else { return Vec::new() };
        let scopes = self.scopes.entry(id).or_insert_with(|| Scopes::read(&unit.unit));
        let Some((scope, number)) = scopes.around(entry) else { return Vec::new() };
        if let Some(known) = self.qualifiers.get(&(id, scope)) {
            return known.clone();
        }
        let qualifier = self.qualifier_in((id, scope), number, rest - 1).unwrap_or_default();
        self.qualifiers.insert((id, scope), qualifier.clone());
        qualifier
    }

    /// Qualifier of the names in a scope; nothing if that is damaged, or longer than in any program.
    fn qualifier_in(&mut self, mut scope: Place, number: u32, rest: usize) -> Option<Vec<u8>> {
        const LONGEST: usize = 4096;
        for _ in 0..LONGEST_CHAIN {
            let (id, offset) = scope;
            let (dwarf, unit) = self.units.get(id)?;
            let entry = unit.unit.entry(offset).ok()?;
            let name = entry.attr_value(gimli::DW_AT_name).ok()?;
            let declared = [gimli::DW_AT_specification, gimli::DW_AT_abstract_origin]
                .into_iter()
                .find_map(|origin| entry.attr_value(origin).ok()?);
            // A definition outside of its scope refers to its declaration.
            if let Some(declared) = declared.filter(|_| name.is_none()) {
                scope = self.units.entry(id, declared)?;
                continue;
            }
            let name = match name {
                Some(name) => dwarf.attr_string(&unit.unit, name).ok()?.slice().into(),
                None => without_name(entry.tag(), number),
            };
            let around = self.qualifier(scope, rest);
            let qualifier = [&around, &name, &b"::"[..]].concat();
            return (qualifier.len() <= LONGEST).then_some(qualifier);
        }
        None
    }
}

/// Name for a scope that has none, but a number among others. A class whose functions linkers do not know is nearly always
/// that of a lambda.
fn without_name(tag: gimli::DwTag, number: u32) -> Vec<u8> {
    match tag {
        gimli::DW_TAG_namespace => b"(anonymous namespace)".into(),
        _ => format!("{{lambda#{number}}}").into(),
    }
}

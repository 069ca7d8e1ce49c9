//! The names of functions in debug information: often another entry has the name, that of the
//! declaration, or of the body before it was inlined or copied.

use std::collections::HashMap;

use gimli::{AttributeValue, UnitOffset};

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
    /// The line of the name in the source.
    line: Option<u32>,
    /// The entry that may have what this one lacks.
    origin: Option<AttributeValue<Slice<'a>>>,
}

/// A function's name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) string: StringId,
    /// Qualifier of the name, as `ns::Class::`; nothing if the name is the linker's.
    pub(super) qualifier: Option<StringId>,
    /// True if it is the one that the linker knows.
    pub(super) is_linkage: bool,
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
            gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => &mut self.origin,
            _ => return,
        };
        *place = Some(attribute.value());
    }
}

impl<'u, 'a> Names<'u, 'a> {
    pub(super) fn new(units: &'u Units<'a>) -> Self {
        Self { units, known: HashMap::new(), scopes: HashMap::new(), qualifiers: HashMap::new() }
    }

    /// The name of an entry with these attributes: the linker's if any entry has it.
    pub(super) fn find(
        &mut self,
        entry: Place,
        attributes: &NameAttributes<'a>,
        strings: &mut Strings,
    ) -> Option<Name> {
        let chain = Chain { names_are_linkage: false, have_scopes: false, rest: LONGEST_CHAIN };
        self.find_in_chain(entry, attributes, strings, chain)
    }

    fn find_in_chain(
        &mut self,
        entry: Place,
        attributes: &NameAttributes<'a>,
        strings: &mut Strings,
        chain: Chain,
    ) -> Option<Name> {
        let (id, _) = entry;
        let (dwarf, unit) = self.units.get(id)?;
        let mut name = |value, is_linkage| {
            let string = dwarf.attr_string(&unit.unit, value).ok()?;
            let line = attributes.line.unwrap_or(0);
            Some(Name { string: strings.id(string.slice()), qualifier: None, is_linkage, line })
        };
        let linkage = attributes.linkage.and_then(|value| name(value, true));
        if linkage.is_some() {
            return linkage;
        }
        // In the languages of which linkers know nothing, all names are theirs.
        let is_linkage = unit.names_are_linkage.unwrap_or(chain.names_are_linkage);
        let source = attributes.source.and_then(|value| name(value, is_linkage));
        let is_found = source.is_some_and(|name| name.is_linkage) || chain.rest == 0;
        let origin = attributes.origin.filter(|_| !is_found);
        let origin = origin.and_then(|origin| self.units.entry(id, origin));
        let have_scopes = unit.names_have_scopes.unwrap_or(chain.have_scopes);
        let rest = chain.rest.saturating_sub(1);
        let chain = Chain { names_are_linkage: is_linkage, have_scopes, rest };
        let origin = origin.and_then(|origin| self.of_entry(origin, strings, chain));
        let origin = origin.filter(|origin| origin.is_linkage || source.is_none());
        let found = match (origin, source) {
            (Some(origin), _) => origin,
            (None, Some(source)) if have_scopes && !source.is_linkage => {
                Name { qualifier: Some(strings.id(&self.qualifier(entry, DEEPEST))), ..source }
            }
            (None, source) => source?,
        };
        // A definition refers to its declaration for the name, and says its own line itself.
        Some(Name { line: attributes.line.unwrap_or(found.line), ..found })
    }

    fn of_entry(&mut self, place: Place, strings: &mut Strings, chain: Chain) -> Option<Name> {
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
        let name = self.find_in_chain(place, &attributes, strings, chain);
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

//! The names of functions in debug information: often another entry has the name, that of the
//! declaration, or of the body before it was inlined or copied.

use std::collections::HashMap;

use gimli::{AttributeValue, UnitOffset};

use super::strings::{StringId, Strings};
use super::units::{UnitId, Units};
use crate::image::debug::Slice;

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
    /// True if it is the one that the linker knows.
    pub(super) is_linkage: bool,
    /// The line on which the function is defined, or else declared; 0 if no entry says.
    pub(super) line: u32,
}

/// Finds names, each once.
pub(super) struct Names<'u, 'a> {
    units: &'u Units<'a>,
    known: HashMap<(UnitId, UnitOffset), Option<Name>>,
}

/// Entries that lead to a name.
#[derive(Clone, Copy)]
struct Chain {
    /// True if names are the linker's where a unit does not say so: as in the unit before.
    names_are_linkage: bool,
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
        Self { units, known: HashMap::new() }
    }

    /// The name of an entry of `unit` with these attributes: the linker's if any entry has it.
    pub(super) fn find(
        &mut self,
        unit: UnitId,
        attributes: &NameAttributes<'a>,
        strings: &mut Strings,
    ) -> Option<Name> {
        let chain = Chain { names_are_linkage: false, rest: LONGEST_CHAIN };
        self.find_in_chain(unit, attributes, strings, chain)
    }

    fn find_in_chain(
        &mut self,
        id: UnitId,
        attributes: &NameAttributes<'a>,
        strings: &mut Strings,
        chain: Chain,
    ) -> Option<Name> {
        let (dwarf, unit) = self.units.get(id)?;
        let mut name = |value, is_linkage| {
            let string = dwarf.attr_string(&unit.unit, value).ok()?;
            let line = attributes.line.unwrap_or(0);
            Some(Name { string: strings.id(string.slice()), is_linkage, line })
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
        let chain = Chain { names_are_linkage: is_linkage, rest: chain.rest.saturating_sub(1) };
        let origin = origin.and_then(|(id, offset)| self.of_entry(id, offset, strings, chain));
        let found = origin.filter(|origin| origin.is_linkage || source.is_none()).or(source)?;
        // A definition refers to its declaration for the name, and says its own line itself.
        Some(Name { line: attributes.line.unwrap_or(found.line), ..found })
    }

    fn of_entry(
        &mut self,
        id: UnitId,
        offset: UnitOffset,
        strings: &mut Strings,
        chain: Chain,
    ) -> Option<Name> {
        if let Some(&known) = self.known.get(&(id, offset)) {
            return known;
        }
        let (_, unit) = self.units.get(id)?;
        let entry = unit.unit.entry(offset).ok()?;
        let mut attributes = NameAttributes::default();
        let mut list = entry.attrs();
        while let Ok(Some(attribute)) = list.next() {
            attributes.note(&attribute);
        }
        let name = self.find_in_chain(id, &attributes, strings, chain);
        self.known.insert((id, offset), name);
        name
    }
}

//! Scopes of entries of debug information: the namespaces, classes and functions that they stand in.

use std::ops::Range;

use gimli::UnitOffset;

use crate::image::debug::Unit;

/// The scopes of a unit in which others or functions are declared, in the order of their entries.
#[derive(Default)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    /// Scopes without a name that stand in none.
    unnamed: u32,
}

struct Scope {
    /// From the scope's entry to the end of what stands in it.
    entries: Range<UnitOffset>,
    /// The scope that it stands in itself, by its index.
    around: Option<usize>,
    /// Scopes without a name that stand in it.
    unnamed: u32,
    /// Its own number among those in the same scope, from 1; 0 if it has a name.
    number: u32,
}

/// A scope that the next entry may be in.
struct Open {
    depth: isize,
    index: usize,
    is_function: bool,
}

impl Scopes {
    /// Reads those of a unit. What is damaged ends early.
    pub(super) fn read(unit: &Unit<'_>) -> Self {
        let (mut scopes, mut open) = (Self::default(), Vec::new());
        _ = scopes.read_entries(unit, &mut open);
        scopes.close(&mut open, isize::MIN, UnitOffset(unit.header.length_including_self()));
        scopes
    }

    fn read_entries(&mut self, unit: &Unit<'_>, open: &mut Vec<Open>) -> gimli::Result<()> {
        let mut entries = unit.entries_raw(None)?;
        while !entries.is_empty() {
            let (start, depth) = (entries.next_offset(), entries.next_depth());
            let Some(abbreviation) = entries.read_abbreviation()? else { continue };
            self.close(open, depth, start);
            let tag = abbreviation.tag();
            if abbreviation.has_children() && is_scope(tag) {
                let around = open.last().map(|outer| outer.index);
                let is_function = tag == gimli::DW_TAG_subprogram;
                open.push(Open { depth, index: self.scopes.len(), is_function });
                let mut attributes = abbreviation.attributes().iter();
                let has_name = attributes.any(|it| NAMING.contains(&it.name()));
                let number = if has_name { 0 } else { self.next_number(around) };
                self.scopes.push(Scope { entries: start..start, around, unnamed: 0, number });
            }
            entries.skip_attributes(abbreviation.attributes())?;
        }
        Ok(())
    }

    fn next_number(&mut self, around: Option<usize>) -> u32 {
        let count = match around {
            Some(index) => &mut self.scopes[index].unnamed,
            None => &mut self.unnamed,
        };
        *count += 1;
        *count
    }

    /// Ends the scopes that an entry of this depth is not in. Most functions have no other scope in them.
    fn close(&mut self, open: &mut Vec<Open>, depth: isize, end: UnitOffset) {
        while open.last().is_some_and(|scope| scope.depth >= depth) {
            let Some(Open { index, is_function, .. }) = open.pop() else { return };
            if is_function && index + 1 == self.scopes.len() {
                self.scopes.pop();
            } else {
                self.scopes[index].entries.end = end;
            }
        }
    }

    /// The entry of the innermost scope that an entry stands in, and its number among those without a name.
    pub(super) fn around(&self, entry: UnitOffset) -> Option<(UnitOffset, u32)> {
        let before = self.scopes.partition_point(|scope| scope.entries.start < entry);
        let outer = |index: &usize| self.scopes[*index].around;
        let scopes = std::iter::successors(before.checked_sub(1), outer).map(|it| &self.scopes[it]);
        let mut scopes = scopes.take(DEEPEST);
        let scope = scopes.find(|scope| scope.entries.end > entry)?;
        Some((scope.entries.start, scope.number))
    }
}

/// Attributes that say what a scope is called, or where that is said.
const NAMING: [gimli::DwAt; 3] =
    [gimli::DW_AT_name, gimli::DW_AT_specification, gimli::DW_AT_abstract_origin];

/// Scopes in each other that are followed: no program has more.
pub(super) const DEEPEST: usize = 64;

fn is_scope(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_namespace
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_structure_type
            | gimli::DW_TAG_union_type
            | gimli::DW_TAG_subprogram
    )
}

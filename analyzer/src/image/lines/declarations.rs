//! Declarations of functions in the source: at which line, and whether they return a value.

use std::collections::HashMap;

use gimli::{AttributeValue, UnitOffset};
use gmon_format::FilePc;

use crate::image::debug::{Dwarf, Slice, SplitUnits, Unit};

/// A function's declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// The line of its name; 0 if it is not known.
    pub line: u32,
    /// True if it returns a value.
    pub returns_value: bool,
}

/// References that are followed for what an entry does not say itself, at most.
const MOST_REFERENCES: usize = 4;

/// The declarations of all functions that have code, by their first addresses. What is damaged is left out.
pub(in crate::image) fn declarations(
    dwarf: &Dwarf<'_>,
    split_units: &SplitUnits<'_>,
) -> HashMap<FilePc, Declaration> {
    let mut declarations = HashMap::new();
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        // What was read up to some damage is good.
        _ = read_unit(dwarf, &unit, &mut declarations);
        split_units.visit(dwarf, &unit, |dwarf, split| {
            _ = read_unit(dwarf, &split, &mut declarations);
        });
    }
    declarations
}

fn read_unit(
    dwarf: &Dwarf<'_>,
    unit: &Unit<'_>,
    declarations: &mut HashMap<FilePc, Declaration>,
) -> gimli::Result<()> {
    let mut entries = unit.entries();
    while let Some((_, entry)) = entries.next_dfs()? {
        if entry.tag() != gimli::DW_TAG_subprogram {
            continue;
        }
        if let Some(range) = dwarf.die_ranges(unit, entry)?.next()? {
            let mut declaration = Declaration::default();
            declaration.complete(unit, entry.attrs(), MOST_REFERENCES)?;
            declarations.insert(FilePc(range.begin), declaration);
        }
    }
    Ok(())
}

impl Declaration {
    /// Takes what an entry says, then what those say that it refers to.
    fn complete<'a>(
        &mut self,
        unit: &Unit<'a>,
        mut attributes: gimli::AttrsIter<'_, '_, '_, Slice<'a>>,
        references: usize,
    ) -> gimli::Result<()> {
        let mut origin: Option<UnitOffset> = None;
        while let Some(attribute) = attributes.next()? {
            match (attribute.name(), attribute.value()) {
                (gimli::DW_AT_decl_line, _) if self.line == 0 => {
                    let line = attribute.udata_value().and_then(|line| u32::try_from(line).ok());
                    self.line = line.unwrap_or(0);
                }
                (gimli::DW_AT_type, _) => self.returns_value = true,
                (
                    gimli::DW_AT_specification | gimli::DW_AT_abstract_origin,
                    AttributeValue::UnitRef(offset),
                ) => origin = Some(offset),
                _ => {}
            }
        }
        match origin {
            Some(offset) if references > 0 => {
                self.complete(unit, unit.entry(offset)?.attrs(), references - 1)
            }
            _ => Ok(()),
        }
    }
}

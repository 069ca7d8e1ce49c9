//! Reads the entries of functions in debug information.

use std::ops::Range;

use gimli::AttributeValue;
use gmon_format::FilePc;

use super::Dialect;
use super::chosen::ChosenUnits;
use super::names::{Found, Name, NameAttributes, Names, file_number};
use super::paths::UnitPaths;
use super::strings::{StringId, Strings};
use super::units::{UnitId, Units};
use crate::image::debug::{Dwarf, Slice, SplitUnits, Unit};

/// A function among all that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FunctionId(u32);

/// A function that has code, or a copy of it that was inlined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    pub(super) name: Option<Name>,
    pub(super) inlined_into: Option<FunctionId>,
    /// File and line of the call that was replaced by the code.
    pub(super) call: Option<(StringId, u32)>,
    /// The number that tells that call from others on its line.
    pub(super) call_discriminator: u32,
    /// Bytes of its code.
    pub(super) size: u64,
}

/// All functions that have code.
#[derive(Debug, Default)]
pub(super) struct FunctionReader {
    /// In the order of their entries.
    pub(super) functions: Vec<Function>,
    /// Code of each. Most have one range, some several.
    pub(super) ranges: Vec<(Range<FilePc>, FunctionId)>,
    pub(super) names: Found,
    pub(super) paths: Strings,
}

/// Attributes of a function's entry.
#[derive(Default)]
struct Attributes<'a> {
    name: NameAttributes<'a>,
    low_pc: Option<AttributeValue<Slice<'a>>>,
    high_pc: Option<AttributeValue<Slice<'a>>>,
    ranges: Option<AttributeValue<Slice<'a>>>,
    call_file: Option<u64>,
    call_line: Option<u64>,
    call_discriminator: Option<u64>,
}

impl FunctionId {
    /// The position as an index.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl FunctionReader {
    /// Reads the functions of chosen units. What is damaged ends early.
    pub(super) fn read(
        dwarf: &Dwarf<'_>,
        split_units: &SplitUnits<'_>,
        chosen: ChosenUnits<'_>,
        dialect: Dialect,
    ) -> Self {
        let mut reader = Self::default();
        let units = Units::of_program(dwarf);
        let mut names = Names::new(&units, None);
        for (id, unit) in units.own(chosen) {
            let header = unit.line_program.as_ref().map(|program| program.header());
            let mut paths = header.map(|header| UnitPaths::new(dwarf, unit, header));
            reader.unit(&units, id, paths.as_mut(), &mut names, dialect);
            // GNU gprof reads none of them, so there is nothing to follow.
            split_units.visit(dwarf, unit, |split_dwarf, split| {
                let units = Units::of_split_unit(split_dwarf, split);
                let files = header.map(|header| UnitPaths::new(dwarf, unit, header));
                let mut names = Names::new(&units, files);
                for (id, _) in units.own(ChosenUnits::ALL) {
                    reader.unit(&units, id, paths.as_mut(), &mut names, Dialect::Standard);
                }
            });
        }
        reader
    }

    /// Reads the functions of a unit; `paths` are those of its line program, which only a skeleton has.
    fn unit<'a>(
        &mut self,
        units: &Units<'a>,
        id: UnitId,
        mut paths: Option<&mut UnitPaths<'_, '_>>,
        names: &mut Names<'_, 'a>,
        dialect: Dialect,
    ) {
        let Some((dwarf, unit)) = units.get(id) else { return };
        let unit = &unit.unit;
        let Ok(mut entries) = unit.entries_raw(None) else { return };
        // Functions that the next entry is in, and how deep they lie themselves.
        let mut around: Vec<(isize, FunctionId)> = Vec::new();
        while !entries.is_empty() {
            let (offset, depth) = (entries.next_offset(), entries.next_depth());
            let Ok(abbreviation) = entries.read_abbreviation() else { return };
            let Some(abbreviation) = abbreviation else { continue };
            // Not only functions end others: what follows may be in a block beside them.
            while around.last().is_some_and(|(outer, _)| *outer >= depth) {
                around.pop();
            }
            if !is_function(abbreviation.tag()) {
                if entries.skip_attributes(abbreviation.attributes()).is_err() {
                    return;
                }
                continue;
            }
            let mut attributes = Attributes::default();
            for specification in abbreviation.attributes() {
                let Ok(attribute) = entries.read_attribute(*specification) else { return };
                let is_index = specification.form() == gimli::DW_FORM_rnglistx;
                if !is_index || dialect == Dialect::Standard {
                    attributes.note(&attribute);
                }
            }
            let function = FunctionId(self.functions.len() as u32);
            let before = self.ranges.len();
            let with_function = |range| (range, function);
            self.ranges.extend(attributes.ranges(dwarf, unit).into_iter().map(with_function));
            if self.ranges.len() == before {
                continue;
            }
            let is_inlined = abbreviation.tag() == gimli::DW_TAG_inlined_subroutine;
            let call = paths.as_mut().zip(attributes.call_file);
            self.functions.push(Function {
                name: names.find((id, offset), &attributes.name, &mut self.names),
                inlined_into: around.last().map(|(_, outer)| *outer).filter(|_| is_inlined),
                call: call.filter(|_| is_inlined).map(|(paths, file)| {
                    let line = attributes.call_line.and_then(|line| u32::try_from(line).ok());
                    (paths.id(file, &mut self.paths), line.unwrap_or(0))
                }),
                call_discriminator: attributes.call_discriminator.map_or(0, |it| it as u32),
                size: self.ranges[before..].iter().map(|(range, _)| range.end - range.start).sum(),
            });
            around.push((depth, function));
        }
    }
}

fn is_function(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_subprogram | gimli::DW_TAG_inlined_subroutine | gimli::DW_TAG_entry_point
    )
}

impl<'a> Attributes<'a> {
    fn note(&mut self, attribute: &gimli::Attribute<Slice<'a>>) {
        match attribute.name() {
            gimli::DW_AT_low_pc => self.low_pc = Some(attribute.value()),
            gimli::DW_AT_high_pc => self.high_pc = Some(attribute.value()),
            gimli::DW_AT_ranges => self.ranges = Some(attribute.value()),
            gimli::DW_AT_call_line => self.call_line = attribute.udata_value(),
            gimli::DW_AT_GNU_discriminator => self.call_discriminator = attribute.udata_value(),
            gimli::DW_AT_call_file => self.call_file = file_number(attribute),
            _ => self.name.note(attribute),
        }
    }

    /// Ranges of the function's code.
    fn ranges(&self, dwarf: &Dwarf<'a>, unit: &Unit<'a>) -> Vec<Range<FilePc>> {
        if let Some(ranges) = self.ranges {
            let mut list = Vec::new();
            if let Ok(Some(mut ranges)) = dwarf.attr_ranges(unit, ranges) {
                while let Ok(Some(range)) = ranges.next() {
                    list.push(FilePc(range.begin)..FilePc(range.end));
                }
            }
            return list;
        }
        let address = |value| dwarf.attr_address(unit, value).ok().flatten();
        let Some(low) = self.low_pc.and_then(address) else { return Vec::new() };
        let high = self.high_pc.and_then(|value| {
            address(value).or_else(|| value.udata_value().and_then(|size| low.checked_add(size)))
        });
        let range = high.map(|high| FilePc(low)..FilePc(high));
        range.into_iter().filter(|range| !range.is_empty()).collect()
    }
}

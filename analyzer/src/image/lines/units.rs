//! All units of compilation that entries of debug information can refer to.

use gimli::{AttributeValue, DebugInfoOffset, DwLang, UnitOffset, constants as dw};

use crate::image::debug::{Dwarf, Slice, Unit};

/// A unit among [`Units`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct UnitId {
    part: Part,
    index: u32,
}

/// Whose units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    /// The program's own.
    Own,
    /// Those that it shares with other programs.
    Supplement,
}

/// The units of a program, or of one of its files.
pub(super) struct Units<'a> {
    dwarf: &'a Dwarf<'a>,
    own: Vec<UnitEntries<'a>>,
    supplement: Vec<UnitEntries<'a>>,
}

/// One unit.
pub(super) struct UnitEntries<'a> {
    pub(super) unit: Unit<'a>,
    /// Whether its language links functions by their names in the source. Units of what others have in
    /// common state no language.
    pub(super) names_are_linkage: Option<bool>,
}

impl<'a> Units<'a> {
    /// All units of a program.
    pub(super) fn of_program(dwarf: &'a Dwarf<'a>) -> Self {
        let supplement = dwarf.sup().map(read).unwrap_or_default();
        Self { dwarf, own: read(dwarf), supplement }
    }

    /// The one unit of a file that was split off.
    pub(super) fn of_split_unit(dwarf: &'a Dwarf<'a>, unit: Unit<'a>) -> Self {
        let supplement = dwarf.sup().map(read).unwrap_or_default();
        Self { dwarf, own: vec![UnitEntries::new(unit)], supplement }
    }

    /// The program's own units.
    pub(super) fn own(&self) -> impl Iterator<Item = (UnitId, &Unit<'a>)> {
        let id = |index| UnitId { part: Part::Own, index };
        (0..).map(id).zip(self.own.iter().map(|entries| &entries.unit))
    }

    /// One unit, and the sections it is in.
    pub(super) fn get(&self, id: UnitId) -> (&'a Dwarf<'a>, &UnitEntries<'a>) {
        let (dwarf, list) = self.part(id.part);
        (dwarf, &list[id.index as usize])
    }

    /// The entry that an attribute of `unit` refers to.
    pub(super) fn entry(
        &self,
        unit: UnitId,
        reference: AttributeValue<Slice<'a>>,
    ) -> Option<(UnitId, UnitOffset)> {
        match reference {
            AttributeValue::UnitRef(offset) => Some((unit, offset)),
            AttributeValue::DebugInfoRef(offset) => self.find(unit.part, offset),
            AttributeValue::DebugInfoRefSup(offset) => self.find(Part::Supplement, offset),
            _ => None,
        }
    }

    fn find(&self, part: Part, offset: DebugInfoOffset) -> Option<(UnitId, UnitOffset)> {
        let (_, list) = self.part(part);
        let starts_before =
            |it: &UnitEntries<'_>| it.unit.header.offset().as_debug_info_offset() <= Some(offset);
        let index = list.partition_point(starts_before).checked_sub(1)?;
        let offset = offset.to_unit_offset(&list[index].unit.header)?;
        Some((UnitId { part, index: index as u32 }, offset))
    }

    fn part(&self, part: Part) -> (&'a Dwarf<'a>, &[UnitEntries<'a>]) {
        match part {
            Part::Own => (self.dwarf, &self.own),
            Part::Supplement => (self.dwarf.sup().unwrap_or(self.dwarf), &self.supplement),
        }
    }
}

/// All units of a section; what is damaged is left out.
fn read<'a>(dwarf: &Dwarf<'a>) -> Vec<UnitEntries<'a>> {
    let mut headers = dwarf.units();
    let mut units = Vec::new();
    while let Ok(Some(header)) = headers.next() {
        units.extend(dwarf.unit(header).map(UnitEntries::new));
    }
    units
}

impl<'a> UnitEntries<'a> {
    fn new(unit: Unit<'a>) -> Self {
        Self { names_are_linkage: language(&unit).map(links_plain_names), unit }
    }
}

/// The language of a unit, if it states one.
pub(super) fn language(unit: &Unit<'_>) -> Option<DwLang> {
    let mut entries = unit.entries();
    entries.next_dfs().ok()?;
    match entries.current()?.attr_value(gimli::DW_AT_language).ok()?? {
        AttributeValue::Language(language) => Some(language),
        _ => None,
    }
}

/// The languages that GNU gprof counts among these.
fn links_plain_names(language: DwLang) -> bool {
    matches!(
        language,
        dw::DW_LANG_C89
            | dw::DW_LANG_C
            | dw::DW_LANG_Ada83
            | dw::DW_LANG_Cobol74
            | dw::DW_LANG_Cobol85
            | dw::DW_LANG_Fortran77
            | dw::DW_LANG_Pascal83
            | dw::DW_LANG_C99
            | dw::DW_LANG_Ada95
            | dw::DW_LANG_PLI
            | dw::DW_LANG_UPC
            | dw::DW_LANG_C11
            | dw::DW_LANG_Mips_Assembler
    )
}
